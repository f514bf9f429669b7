"""Where compiled loops are kept between processes, and when they are out of date.

The first folder of these that can be used is taken, as numba itself would do, but for the last:

1. the one that the variable ``NUMBA_CACHE_DIR`` names. It may be read-only: then what is in it is used, as in an
   image whose loops were compiled when it was built, and nothing is added;
2. ``__pycache__`` beside the sources;
3. the user's folder for caches;
4. a private folder in the one for temporary files, so that a user who can write nowhere else waits only once.

Compiled code is executed, so it is never loaded from a folder in which other users can write: the last two must belong
to this user alone. Where there is none of the four, every process compiles what it needs.

numba compares a kernel's own file with the one that was compiled, but not the files that it imports. Here all of
:data:`SOURCES` are compared: whoever changes or installs any of them gets everything compiled anew.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.runtime.nrt import rtsys

HERE = Path(__file__).parent
# All that a compiled loop is made of: its own file, what it inlines, layouts and tolerances.
SOURCES = (*sorted(HERE.glob("*.py")), HERE.parent / "_tolerances.py")
ADVICE = (
    "To have loops compiled once for all, set NUMBA_CACHE_DIR to a folder that lasts and that this user can write to."
)

# numba's own places: named by the user, beside the sources, the user's. The names of these classes differ by version.
_NAMED, _BESIDE, _PERSONAL = CompileResultCacheImpl._locator_classes[:3]
PRIVATE = 0o700
_settings: Any = numba.config

logger = logging.getLogger(__name__)


@cache
def sources_stamp() -> str:
    """A fingerprint of everything that compiled loops are made of."""
    digest = hashlib.sha256()
    for path in SOURCES:
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def cache_folder() -> Path | None:
    """The folder in which this process keeps compiled loops, or None if there is none that it may use."""
    if _settings.CACHE_DIR:
        named = _place(_NAMED)
        if _can_write(named) or named.is_dir():
            return named
    beside = _place(_BESIDE)
    if _can_write(beside):
        return beside
    personal = _place(_PERSONAL)
    # Without a home it would lie below the working directory.
    if personal.is_absolute() and _can_write(personal, PRIVATE) and is_private(personal):
        return personal
    return _temporary_folder()


def _place(locator: Any) -> Path:
    """The folder where one of numba's locators would keep the loops of this package."""
    return Path(locator(_can_write, __file__).get_cache_path())


def _can_write(folder: Path, mode: int = 0o777) -> bool:
    """Whether files can be written in a folder, which is made if it does not exist; only trying tells."""
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def is_private(folder: Path) -> bool:
    """Whether a folder is this user's, nobody else can write in it, and nobody else can put another one in its place.

    Folders above it may belong to the system, and everybody may write in them if the sticky bit keeps them from
    replacing what is not theirs, as in ``/tmp``.
    """
    if os.name != "posix":
        return True  # on Windows, caches and temporary files lie in the user's profile
    own = os.geteuid()
    last = os.lstat(folder)
    if not stat.S_ISDIR(last.st_mode) or last.st_uid != own or last.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    for above in folder.resolve().parents:
        found = above.stat()
        if found.st_uid not in (own, 0) or (found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX):
            return False
    return True


def _temporary_folder() -> Path | None:
    """A private folder for temporary files, the same in every process of this user, or None if there can be none."""
    user = os.geteuid() if os.name == "posix" else "user"
    place = hashlib.sha256(str(HERE).encode()).hexdigest()[:16]  # other installations have folders of their own
    try:
        folder = Path(tempfile.gettempdir()).resolve() / f"fgac-{user}-{place}"
        is_new = not folder.exists()
        if _can_write(folder, PRIVATE) and is_private(folder):
            if is_new:
                logger.warning("fgac keeps compiled loops in %s, which may not last. %s", folder, ADVICE)
            return folder
    except OSError:  # there is no folder for temporary files
        pass
    logger.warning("fgac has no folder for compiled loops: every process compiles them for some seconds. %s", ADVICE)
    return None


def enable_cache(dispatcher: Any) -> None:
    """Let the compiled versions of a kernel be kept, if there is a folder for them."""
    if cache_folder() is not None:
        dispatcher._cache = KernelCache(dispatcher.py_func)


class _Locator(_CacheLocator):
    """Tells numba the folder, and the fingerprint by which it knows what is out of date."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file
        self._line = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return sources_stamp()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return cls(py_func, py_file)


class _CacheImpl(CompileResultCacheImpl):
    """Compiled functions in files, found by our locator."""

    _locator_classes: list[Any] = [_Locator]


class KernelCache(FunctionCache):
    """The cache of one kernel. Whatever is wrong with its files, the kernel is compiled and works."""

    _impl_class = _CacheImpl
    can_save = True

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load what was compiled for a signature, or return None.

        numba would first get its compiler ready, which takes longer than the loading, and in an order in which it
        later takes twice the time to infer types. Compiled code needs no more than numba's memory management.
        """
        rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)
        except Exception as error:  # a damaged file may raise anything
            logger.info("compiled loops could not be read, and are compiled again: %r", error)
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save what was compiled, if that is possible."""
        try:
            super().save_overload(sig, data)
        except OSError as error:  # read-only, or the disk is full
            if KernelCache.can_save:
                KernelCache.can_save = False
                logger.warning("fgac could not keep compiled loops for later processes: %s. %s", error, ADVICE)
