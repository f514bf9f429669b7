"""Download the paper's data sets from its authors' public repository.

The files are not ours to give away, so they are fetched from where their authors published them, at a fixed commit, and
accepted only if they are, byte for byte, those that the results in this project were made with.
"""

from __future__ import annotations

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import quote, urlsplit

from fgac._atomic import write_safely
from fgac.experiments.datasets.files import FILES

REPOSITORY = "https://github.com/markopalangetic/FGAC_experiments"
COMMIT = "fe67ada832eb61e6028590650c5cf0291e4b785c"
# Folder and commit were seen for breast, iris and flare in an index of the repository; the other files are expected
# beside them. Should they lie elsewhere, another address can be given, and the checksums still decide.
URL = f"https://raw.githubusercontent.com/markopalangetic/FGAC_experiments/{COMMIT}/datasets/datasets"

TIMEOUT = 30.0
ATTEMPTS = 4
# Seconds before the second attempt; twice as many before each further one.
PAUSE = 1.0
# Answers of a server that may be other ones later.
PASSING = (408, 425, 429, 500, 502, 503, 504)

Progress = Callable[[int, int], None]


class File(NamedTuple):
    """Size in bytes and checksum."""

    size: int
    sha256: str


CONTENTS = {
    "australian": File(30752, "dcf5e97a0d1501d47a63179c54f36e06b2a0e114d69a4e478206284ddf675feb"),
    "balance": File(11333, "8fd83d48ceb3209c5948af9db3f55cac2d1cca2e438fa404d740b1929e1de692"),
    "breast": File(18214, "014adf4ea5ce85bcd474912b679857430695382ab64d80e9e8288698d92126ba"),
    "bupa": File(10814, "27804c910bfe118f98b8d20f2c6000e1cb8e37c956d3e15379aeb080d2b1c372"),
    "cleveland": File(18226, "d879bf82310b8ac7031c4daa55b8a64daa4a289f5f23d623f743ef2bc1fc8f5c"),
    "crx": File(35097, "7e377b908adc90783af3f454a3d6f298b3c862a1f71cb5bdc690b452c22034ff"),
    "german": File(80101, "cb40bd863dc6b3d7971af81dfa1c167b3e618455168b0354f001cfe0ea1f069d"),
    "glass": File(14697, "0eed02fcc2b0b32c862b8f3f0673e93e77c5d181945eb2647463c5c175b4cc96"),
    "haberman": File(5284, "3c047c89db2596350124b4ab4c8f9f6ce8c933f2a2fcbd42a8fc109ff7d34924"),
    "heart": File(10287, "7cb968da4d4f6cf782f7dfe0963a901c372813061c942427a667a75d7837ab2b"),
    "ionosphere": File(65559, "32e86b2677b1bd77aa9abde5201cbf0261d72644bcca6186e74b61949f1cacd2"),
    "mammographic": File(10851, "a9e997bcb853b9ce13db4cf24cfc69f7097232d125eb9bae0ea5bde6ca362f6d"),
    "pima": File(33833, "278e202a74509d18036be8bf16527f8565f2de21a3856a9eba8773c4ebcfde5e"),
    "saheart": File(21183, "0b9579ec9634fa69dfeb7ece270805f80f4eedfdc824299fd992a2f4cf281242"),
    "spectfheart": File(36120, "f061799ea731e74cecba5267473e6639929416fbd8724ce9f714a9729040bac6"),
    "vowel": File(72763, "d59a3ecd8f69b5d82fe3477ea73ee9979d00a986e70ef306eed21219975c01a0"),
    "wdbc": File(103951, "4747b9f0200aafd7e9d4fd132b44fcfdfc8782e1499a2eaae2c860b32b6ae2b4"),
    "wisconsin": File(14317, "12395171c63e05d1112f7960d8eafe23dc7c0f458709d3d43115b5e7acc521ad"),
    "iris": File(4571, "a5b884c4639bdda4339edb09b2a1ef6dc08782487c2cec3b094a78f91655d8ed"),
    "flare": File(25741, "ae47e9d2cf18abe58090a08cdc8aa163b583067b2e44ce18db59da282febe7c4"),
}


class DownloadError(ValueError):
    """A file could not be had."""


class Interrupted(Exception):
    """A transfer that may succeed if it is tried again."""


def download(
    folder: str | Path,
    *,
    url: str = URL,
    names: Sequence[str] | None = None,
    contents: dict[str, File] | None = None,
    timeout: float = TIMEOUT,
    attempts: int = ATTEMPTS,
    pause: float = PAUSE,
    on_progress: Progress | None = None,
) -> list[Path]:
    """Fetch the data files that are not in the folder yet.

    A file is there whole and checked, or not at all. A file of the same name and other content is never overwritten.

    Parameters
    ----------
    folder : path
        It is made if it is not there.
    url : str
        Address of the folder that holds the files.
    names : names of data sets, optional
        All by default.
    contents : dict of name -> File, optional
        Sizes and checksums; those of the published files by default.
    timeout : float
        Seconds to wait for an answer, or for the next part of it.
    attempts : int
        How often to try a file before giving up.
    pause : float
        Seconds before the second attempt, doubled for each further one.
    on_progress : function of two integers, optional
        Called with how many files are there and how many there shall be.

    Returns
    -------
    list of the paths of all files
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError(f"the address {url!r} must begin with https:// or http://")
    contents = CONTENTS if contents is None else contents
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = tuple(contents) if names is None else tuple(names)
    paths = []
    for done, name in enumerate(names):
        if on_progress is not None:
            on_progress(done, len(names))
        path = folder / FILES.get(name, f"{name}.csv")
        if not _present(path, contents[name]):
            source = f"{url.rstrip('/')}/{quote(path.name)}"
            _fetch(source, path, contents[name], timeout, attempts, pause)
        paths.append(path)
    if on_progress is not None:
        on_progress(len(names), len(names))
    return paths


def _present(path: Path, file: File) -> bool:
    """Whether the right file is there; refuse to replace a wrong one."""
    if not path.exists():
        return False
    if hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256:
        return True
    raise DownloadError(
        f"{path} exists already, but is not the published file (its sha256 differs); move it away, or download into "
        "another folder"
    )


def _fetch(source: str, path: Path, file: File, timeout: float, attempts: int, pause: float) -> None:
    """Transfer one file, several times if need be, and put it in its place."""
    for attempt in range(1, attempts + 1):
        try:
            data = _transfer(source, file.size, timeout)
            break
        except Interrupted as error:
            if attempt == attempts:
                raise DownloadError(
                    f"{source} could not be downloaded in {attempts} attempts: {error}; files that are there already "
                    "are kept, so try again later"
                ) from error
            time.sleep(pause * 2 ** (attempt - 1))
    found = hashlib.sha256(data).hexdigest()
    if found != file.sha256:
        raise DownloadError(
            f"{source} is not the published file: its sha256 is {found}, expected {file.sha256}; nothing was kept. The "
            "file at this address was changed: get it from another one"
        )

    def write(handle: IO[bytes]) -> None:
        handle.write(data)

    write_safely(path, write)


def _transfer(source: str, size: int, timeout: float) -> bytes:
    """The bytes at an address, and not many more than expected; Interrupted if trying again may help."""
    request = urllib.request.Request(source, headers={"User-Agent": "fgac"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            data: bytes = answer.read(size + 1)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in PASSING:
            raise Interrupted(f"the server says {error.code} {error.reason}") from error
        raise DownloadError(
            f"{source} could not be downloaded: the server says {error.code} {error.reason}; the repository may have "
            "been moved, so look for the files and give their address"
        ) from error
    except (OSError, http.client.HTTPException) as error:
        raise Interrupted(str(getattr(error, "reason", None) or error) or type(error).__name__) from error
    if len(data) < size:
        raise Interrupted(f"only {len(data)} of {size} bytes came")
    return data
