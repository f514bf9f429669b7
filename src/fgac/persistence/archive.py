"""One file of a header and arrays: an uncompressed zip that tells when it has been changed.

Members are stored as they are, so a small file cannot unfold into a large one. ``header.json`` knows the SHA-256 of
every array, the comment of the zip that of the header. This finds damage and careless changes; it is no
signature: whoever means to forge a file can compute the sums anew.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from typing import IO, Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from fgac import __version__
from fgac.persistence.encoding import Arrays, ModelFileError, is_plain

FORMAT = "fgac model"
# A higher one only for files that an older package would misread; it refuses them and asks for an upgrade.
VERSION = 1
HEADER = "header.json"
AGAIN = "save the model again, or copy the file again"


def pack(model: Any, arrays: Arrays, *, note: str, notes: dict[str, str]) -> dict[str, bytes]:
    """The members of the file, header first.

    ``model`` is JSON, ``note`` tells whoever looks into the file what is in it, ``notes`` are the caller's own.
    """
    members = {f"{name}.npy": _array_bytes(array) for name, array in arrays.items()}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "fgac": __version__,
        "note": note,
        "notes": notes,
        "sha256": {name: _sha256(part) for name, part in members.items()},
        "model": model,
    }
    return {HEADER: json.dumps(header, indent=1, allow_nan=False).encode(), **members}


def write_archive(file: IO[bytes], members: dict[str, bytes]) -> None:
    """Write the members; equal members give equal bytes."""
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, part in members.items():
            # A ZipInfo of its own has a fixed date: the same model is the same file, whenever it is written.
            archive.writestr(ZipInfo(name), part)
        archive.comment = _comment(members[HEADER])


def unpack(data: bytes) -> tuple[dict[str, Any], Arrays]:
    """Header and arrays of a file, after everything has been checked."""
    if not data.startswith(b"PK"):
        raise ModelFileError(
            f"is no model file: it {f'begins with {data[:8]!r}' if data else 'is empty'}; expected a file that "
            "fgac.save_model wrote"
        )
    with ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
        # Before anything is read: a member that unfolds, or overlaps others, may be larger than memory.
        stored = all(i.compress_type == ZIP_STORED and i.compress_size == i.file_size for i in infos)
        if not stored or sum(i.file_size for i in infos) > len(data):
            raise ModelFileError(
                "has members that are compressed, or larger than itself; expected a file of save_model"
            )
        header = _read_header(archive)
        names = [HEADER, *header["sha256"]]
        if sorted(names) != sorted(i.filename for i in infos):
            raise ModelFileError(f"has other members than its header tells; {AGAIN}")
        parts = {name: archive.read(name) for name in header["sha256"]}
    changed = [name for name, part in parts.items() if _sha256(part) != header["sha256"][name]]
    if changed:
        raise ModelFileError(f"has been changed or damaged: {', '.join(changed)} differ from what was saved; {AGAIN}")
    return header, {name.removesuffix(".npy"): _read_array(part) for name, part in parts.items()}


def _read_header(archive: ZipFile) -> dict[str, Any]:
    """The header of a model file of a version that is known, unchanged."""
    if HEADER not in archive.namelist():
        raise ModelFileError("is some other zip file; expected a file that fgac.save_model wrote")
    text = archive.read(HEADER)
    header = json.loads(text)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ModelFileError(f"has a header of some other format; expected {FORMAT!r}, as save_model writes it")
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        newer = type(version) is int and version > VERSION
        raise ModelFileError(
            f"has the format version {version!r}, written by fgac {header.get('fgac')}; fgac {__version__} reads "
            f"version {VERSION}: " + ("upgrade with pip install --upgrade fgac" if newer else AGAIN)
        )
    if archive.comment != _comment(text):
        raise ModelFileError(f"has been changed or damaged: its header differs from what was saved; {AGAIN}")
    return header


def _comment(header: bytes) -> bytes:
    return f"{FORMAT}, SHA-256 of {HEADER}: {_sha256(header)}".encode()


def _sha256(part: bytes) -> str:
    return hashlib.sha256(part).hexdigest()


def _array_bytes(array: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def _read_array(part: bytes) -> NDArray[Any]:
    """An array of plain values, once its header agrees with the number of bytes that are there."""
    file = io.BytesIO(part)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ModelFileError(f"holds an array in an unknown version of NumPy's format; {AGAIN}")
    shape, by_column, dtype = np.lib.format.read_array_header_1_0(file)
    if not is_plain(dtype) or math.prod(shape) * dtype.itemsize != len(part) - file.tell():
        raise ModelFileError(f"holds an array of {dtype} and shape {shape} that its bytes cannot be; {AGAIN}")
    if 0 in (dtype.itemsize, *shape):
        return np.empty(shape, dtype)
    # A copy in the byte order of this machine, which the compiled loops expect, and which may be written to.
    flat = np.frombuffer(part, dtype, offset=file.tell()).astype(dtype.newbyteorder("="))
    return flat.reshape(shape, order="F" if by_column else "C")
