"""Where compiled loops are kept: the folder, who may write in it, and when its content is out of date.

The loops themselves are tested through the modules that call them.
"""

import os
from pathlib import Path

import pytest

from fgac._kernels import caching
from support.package_source import Package

posix = pytest.mark.skipif(os.name != "posix", reason="owners and permissions of folders are those of POSIX")


def made(folder, mode):
    """Make a folder with exactly these permissions."""
    folder.mkdir(parents=True)
    folder.chmod(mode)
    return folder


@posix
@pytest.mark.parametrize("above", [0o755, 0o700, 0o775, 0o1777])
def test_an_own_folder_is_private(tmp_path, above):
    assert caching.is_private(made(made(tmp_path / "above", above) / "own", 0o700))


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
def test_a_folder_in_which_others_write_is_not_private(tmp_path, mode):
    assert not caching.is_private(made(tmp_path / "own", mode))


@posix
def test_a_folder_that_others_can_replace_is_not_private(tmp_path):
    """Whoever can write in the folder above can put another one in its place, unless the sticky bit is set."""
    assert not caching.is_private(made(made(tmp_path / "above", 0o777) / "own", 0o700))


@posix
def test_a_link_is_not_private(tmp_path):
    """It may point at something else tomorrow."""
    made(tmp_path / "own", 0o700)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    assert not caching.is_private(tmp_path / "link")


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives folders away")
def test_a_foreign_folder_is_not_private(tmp_path):
    folder = made(tmp_path / "own", 0o700)
    os.chown(folder, 54321, 54321)
    assert not caching.is_private(folder)
    assert not caching.is_private(made(folder / "below", 0o700))


@pytest.fixture
def writable(monkeypatch):
    """Return a function: let only folders below these be writable, and say which one is chosen."""

    def choose(*folders, named=""):
        monkeypatch.setattr(caching._settings, "CACHE_DIR", str(named))
        below = [Path(folder) for folder in folders]
        monkeypatch.setattr(caching, "_can_write", lambda path, mode=0: any(path.is_relative_to(one) for one in below))
        monkeypatch.setattr(caching, "is_private", lambda folder: True)
        return caching.cache_folder.__wrapped__()

    return choose


def test_the_first_folder_that_can_be_used_is_taken(writable, tmp_path, monkeypatch):
    """In the order of numba: named by the user, beside the sources, the user's own, and then a temporary one."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    personal = caching._place(caching._PERSONAL)
    everywhere = ["/", Path.cwd().anchor]
    assert writable(*everywhere, named=tmp_path / "named").is_relative_to(tmp_path / "named")
    assert writable(*everywhere) == caching.HERE / "__pycache__"
    assert writable(caching.HERE, tmp_path, named=tmp_path.parent / "absent") == caching.HERE / "__pycache__"
    assert writable(personal, tmp_path) == personal
    assert writable(tmp_path).name.startswith("fgac-")
    assert writable(tmp_path).parent == tmp_path.resolve()


def test_a_folder_that_the_user_names_may_be_read_only(writable, tmp_path):
    made(tmp_path / "named" / caching._place(caching._PERSONAL).name, 0o755)
    assert writable("/", named=tmp_path / "named").is_relative_to(tmp_path / "named")
    assert writable(named=tmp_path / "named").is_relative_to(tmp_path / "named")


def test_without_a_home_nothing_is_written_into_the_working_directory(writable, monkeypatch, tmp_path):
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert not caching._place(caching._PERSONAL).is_absolute()
    assert writable("~", tmp_path).parent == tmp_path.resolve()


def test_whoever_has_no_folder_is_told(writable, monkeypatch, tmp_path, caplog):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert writable() is None
    (record,) = caplog.records
    assert "every process compiles" in record.getMessage()
    assert "NUMBA_CACHE_DIR" in record.getMessage()


def test_the_stamp_covers_all_that_kernels_are_made_of():
    """numba itself looks at a kernel's own file only; whatever it imports from the package must be compared, too."""
    package = Package(caching.HERE.parent)
    covered = {f"fgac.{path.relative_to(caching.HERE.parent).with_suffix('')}" for path in caching.SOURCES}
    covered = {name.replace(os.sep, ".").removesuffix(".__init__") for name in covered}
    kernels = {module for module in package.trees if module.startswith("fgac._kernels")}
    imported = {found.target for found in package.imports() if found.module in kernels}
    constants = {name for name in imported if name.startswith("fgac.")} - {"fgac._typing"}  # names of types only
    assert kernels | constants == covered
