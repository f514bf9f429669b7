"""The bytes of a text file in UTF-8, whatever it was compressed with and whichever encoding it is in."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from fgac.cli import extras
from fgac.cli.errors import CommandError
from fgac.cli.io.sources import PACKED, STDIN_NAMES, compression, source_name

# Bytes that are decoded at a time.
CHUNK = 2**16
UTF_8 = ("utf-8", "utf-8-sig")


@dataclass(frozen=True)
class TextFile:
    """An open text file.

    Attributes
    ----------
    file : its bytes in UTF-8
    source : what it is called in messages
    raw : the bytes as they are stored
    """

    file: IO[bytes]
    source: str
    raw: IO[bytes]

    def progress(self, done: int) -> tuple[int, int | None]:
        """How many bytes are done with, and of how many; None for a stream. ``done`` counts bytes in UTF-8."""
        total = size(self.raw)
        return (done if self.file is self.raw or total is None else self.raw.tell()), total


@contextmanager
def open_text(path: str, encoding: str | None = None) -> Iterator[TextFile]:
    """Open a text file, or standard input."""
    source, packed = source_name(path), compression(path)
    with ExitStack() as stack:
        raw = sys.stdin.buffer if path in STDIN_NAMES else stack.enter_context(Path(path).open("rb"))
        file: IO[bytes] = raw
        if packed:
            file = stack.enter_context(io.BufferedReader(Unpacked(file, packed, source)))
        if encoding is not None and codecs.lookup(encoding).name not in UTF_8:
            file = stack.enter_context(io.BufferedReader(Transcoded(file, encoding, source)))
        yield TextFile(file, source, raw)


def size(file: IO[bytes]) -> int | None:
    """How many bytes a file has; None for a stream."""
    try:
        about = os.fstat(file.fileno())
    except OSError:
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


class Unpacked(io.RawIOBase):
    """What a compressed file holds; an error if it is broken or cut off."""

    def __init__(self, file: IO[bytes], suffix: str, source: str) -> None:
        super().__init__()
        self._file = _opener(suffix, source)(file)
        self._form, self._source = PACKED[suffix], source

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Decompress so many bytes."""
        try:
            return int(self._file.readinto(buffer))
        except Exception as error:  # every form has errors of its own
            if isinstance(error, OSError) and error.errno is not None:
                raise  # the system's: the disk cannot be read
            why = "it ends too early" if isinstance(error, EOFError) else str(error)
            raise CommandError(
                f"{self._source} is no {self._form} file that can be read ({why}); was it copied whole?"
            ) from error


def _opener(suffix: str, source: str) -> Any:
    if suffix == ".zst":
        extras.need(f"{source}: reading a Zstandard file", extras.ZSTD, "zstd")
        return import_module(extras.ZSTD_MODULE).ZstdFile
    return {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}[suffix]


class Transcoded(io.RawIOBase):
    r"""Text of any encoding as bytes in UTF-8; an error names the line that is not in that encoding.

    >>> io.BufferedReader(Transcoded(io.BytesIO(b"\xe5sa\n"), "latin-1", "names.csv")).read().decode()
    'åsa\n'
    """

    def __init__(self, file: IO[bytes], encoding: str, source: str) -> None:
        super().__init__()
        self._file, self._encoding, self._source = file, encoding, source
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = memoryview(b"")
        self._n_lines = 0
        self._at_end = False

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Decode at most so many bytes."""
        while not self._ready and not self._at_end:
            data = self._file.read(CHUNK)
            self._at_end = not data
            self._ready = memoryview(self._decode(data))
        n = min(len(buffer), len(self._ready))
        buffer[:n] = self._ready[:n]
        self._ready = self._ready[n:]
        return n

    def _decode(self, data: bytes) -> bytes:
        try:
            text = self._decoder.decode(data, final=self._at_end)
            self._n_lines += text.count("\n")
            return text.encode()
        except UnicodeError as error:
            line = self._n_lines + 1
            if isinstance(error, UnicodeDecodeError):
                line += error.object[: error.start].count(b"\n")
            why = getattr(error, "reason", str(error))
            raise CommandError(
                f"{self._source}, line {line}: this is not {self._encoding} ({why}); say with --encoding how the file "
                "is written: utf-8, utf-16 (utf-16-le if no mark begins it), latin-1 or windows-1252, for example"
            ) from error
