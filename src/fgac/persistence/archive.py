"""One file of a header and arrays: an uncompressed zip that tells when it has been changed.

Members are stored as they are, so a small file cannot unfold into a large one. ``header.json`` knows the SHA-256 of
every array, the comment of the zip that of the header. This finds damage and careless changes; it is no
signature: whoever means to forge a file can compute the sums anew.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from typing import IO, Any, NoReturn
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from fgac import __version__
from fgac.persistence import limits
from fgac.persistence.array_files import array_bytes, read_array
from fgac.persistence.encoding import Arrays
from fgac.persistence.errors import ModelFileError

FORMAT = "fgac model"
# A higher one only for files that an older package would misread; it refuses them and asks for an upgrade.
# 1: numbers of a column are divided by its scale. 2: a column has an origin, which is subtracted before. 3: values may
# be unknown, and a table may have a score.
VERSION = 3
HEADER = "header.json"
ARRAY = ".npy"
AGAIN = "save the model again, or copy the file again"
# The record at the end of a zip: signature, two numbers of disks, members on this disk and on all, size and place of
# the directory, and the length of the comment that follows.
END = struct.Struct("<4s4H2LH")
END_SIGNATURE = b"PK\x05\x06"
# What stands before that record in a zip of more members or bytes than it can tell.
LARGE_SIGNATURE = b"PK\x06\x07"
LARGE_SIZE = 20


def pack(model: Any, arrays: Arrays, *, note: str, notes: dict[str, str]) -> dict[str, bytes]:
    """The members of the file, header first.

    ``model`` is JSON, ``note`` tells whoever looks into the file what is in it, ``notes`` are the caller's own.
    """
    members = {f"{name}{ARRAY}": array_bytes(array) for name, array in arrays.items()}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "fgac": __version__,
        "note": note,
        "notes": notes,
        "sha256": {name: _sha256(part) for name, part in members.items()},
        "model": model,
    }
    text = json.dumps(header, indent=1, allow_nan=False).encode()
    if len(members) >= limits.MEMBERS or len(text) > limits.HEADER_SIZE or _n_containers(text) > limits.CONTAINERS:
        raise ModelFileError(
            f"the model has {len(members)} arrays and a header of {len(text)} bytes, {_n_containers(text)} lists and "
            f"dicts; a model file holds fewer than {limits.MEMBERS} arrays and a header of {limits.HEADER_SIZE} bytes, "
            f"{limits.CONTAINERS} lists and dicts: train on fewer columns or categories"
        )
    return {HEADER: text, **members}


def write_archive(file: IO[bytes], members: dict[str, bytes]) -> None:
    """Write the members; equal members give equal bytes."""
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, part in members.items():
            # A ZipInfo of its own has a fixed date: the same model is the same file, whenever it is written.
            archive.writestr(ZipInfo(name), part)
        archive.comment = _comment(members[HEADER])


def unpack(file: IO[bytes], size: int) -> tuple[dict[str, Any], Arrays]:
    """Header and arrays of an open file of this size, after the container has been checked."""
    _check_ends(file, size)
    with ZipFile(file) as archive:
        infos = archive.infolist()
        # Before anything is read: a member that unfolds, or overlaps others, may be larger than memory.
        stored = all(i.compress_type == ZIP_STORED and i.compress_size == i.file_size for i in infos)
        if not stored or sum(i.file_size for i in infos) > size:
            raise ModelFileError(
                "has members that are compressed, or larger than itself; expected a file of save_model"
            )
        header = _read_header(archive)
        sums: dict[str, str] = header["sha256"]
        if sorted([HEADER, *sums]) != sorted(i.filename for i in infos):
            raise ModelFileError(f"has other members than its header tells; {AGAIN}")
        return header, {name.removesuffix(ARRAY): _read_member(archive, name, sums[name]) for name in sums}


def _check_ends(file: IO[bytes], size: int) -> None:
    """Refuse files that neither begin nor end like ours, and directories that would take long to read."""
    comment = len(_comment(b""))
    start = file.read(8)
    if not start.startswith(b"PK"):
        raise ModelFileError(
            f"is no model file: it {f'begins with {start!r}' if start else 'is empty'}; expected a file that "
            "fgac.save_model wrote"
        )
    length = END.size + comment
    file.seek(max(0, size - length - LARGE_SIZE))
    before, end = (tail := file.read(length + LARGE_SIZE))[:-length], tail[-length:]
    if len(end) < length or not end.startswith(END_SIGNATURE):
        # A zip without a comment ends with the record itself.
        other = tail[-END.size :].startswith(END_SIGNATURE)
        raise ModelFileError(
            "is some other zip file; expected a file that fgac.save_model wrote"
            if other
            else f"is cut short, or has been changed or damaged at its end; {AGAIN}"
        )
    *_, n_members, directory, place, _ = END.unpack(end[: END.size])
    is_large = size >= 2**32 - 1
    if not is_large and (n_members > limits.MEMBERS or directory > limits.DIRECTORY_SIZE or place > size):
        raise ModelFileError(f"has a directory of {n_members} members and {directory} bytes; expected fewer")
    if not is_large and before.startswith(LARGE_SIGNATURE):
        raise ModelFileError("has a directory for files of more than 4 GB, and is none; expected a file of save_model")


def _read_header(archive: ZipFile) -> dict[str, Any]:
    """The header of a model file of a version that is known, unchanged."""
    if HEADER not in archive.namelist():
        raise ModelFileError("is some other zip file; expected a file that fgac.save_model wrote")
    if archive.getinfo(HEADER).file_size > limits.HEADER_SIZE:
        raise ModelFileError(f"has a header of more than {limits.HEADER_SIZE} bytes; expected a file of save_model")
    text = archive.read(HEADER)
    if _n_containers(text) > limits.CONTAINERS:
        raise ModelFileError(f"has a header of more than {limits.CONTAINERS} lists and dicts; expected fewer")
    header = _parse(text)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ModelFileError(f"has a header of some other format; expected {FORMAT!r}, as save_model writes it")
    _check_version(header)
    if archive.comment != _comment(text):
        raise ModelFileError(f"has been changed or damaged: its header differs from what was saved; {AGAIN}")
    sums = header.get("sha256")
    if not isinstance(sums, dict) or not all(name.endswith(ARRAY) for name in sums):
        raise ModelFileError(f"has a header that does not tell the sums of its arrays; {AGAIN}")
    return header


def _n_containers(text: bytes) -> int:
    """No fewer than the lists and dicts that some JSON holds; brackets in texts count too."""
    return text.count(b"[") + text.count(b"{")


def _check_version(header: dict[str, Any]) -> None:
    version = header.get("version")
    if type(version) is int and 1 <= version <= VERSION:
        return
    newer = type(version) is int and version > VERSION
    writer = " ".join(str(header.get("fgac")).split())[:40]
    raise ModelFileError(
        f"has the format version {version!r:.40}, written by fgac {writer}; fgac {__version__} reads "
        f"versions 1 to {VERSION}: " + ("upgrade with pip install --upgrade fgac" if newer else AGAIN)
    )


def _parse(text: bytes) -> Any:
    """JSON of finite numbers."""

    def refuse(constant: str) -> NoReturn:
        raise ModelFileError(f"has a header with the number {constant}, which no model has; {AGAIN}")

    def finite(digits: str) -> float:
        number = float(digits)
        return number if math.isfinite(number) else refuse(f"{digits:.20}")

    def whole(digits: str) -> int:
        return int(digits) if len(digits) <= limits.DIGITS else refuse(f"{digits:.20}...")

    try:
        return json.loads(text, parse_constant=refuse, parse_float=finite, parse_int=whole)
    except RecursionError:
        raise ModelFileError(f"is damaged: its header is nested too deeply; {AGAIN}") from None


def _read_member(archive: ZipFile, name: str, told: Any) -> Any:
    """One array, if its sum is as the header tells."""
    part = archive.read(name)
    if _sha256(part) != told:
        raise ModelFileError(f"has been changed or damaged: {name!r:.100} differs from what was saved; {AGAIN}")
    return read_array(part, repr(name)[:100])


def _comment(header: bytes) -> bytes:
    return f"{FORMAT}, SHA-256 of {HEADER}: {_sha256(header)}".encode()


def _sha256(part: bytes) -> str:
    return hashlib.sha256(part).hexdigest()
