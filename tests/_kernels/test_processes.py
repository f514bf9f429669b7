"""Compiled loops in processes of their own: for users who can write nowhere, with old, foreign or damaged caches."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import fgac

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="owners and permissions of folders are those of POSIX"),
]

NOBODY = 54321
# Calls one small kernel, and tells how often it was compiled and where it is kept.
SCRIPT = """
import json
import numpy as np
{before}
from fgac._kernels.pairs import forbid_equal
D = np.ones((2, 2))
forbid_equal(D, np.array([0, 1]), np.array([1, 1]))
assert D.tolist() == [[1, 1], [np.inf, np.inf]]
folder = forbid_equal.stats.cache_path
print(json.dumps([sum(forbid_equal.stats.cache_misses.values()), folder]))
"""


@pytest.fixture
def place():
    """A copy of the package beside a folder for temporary files, in a place that all users can reach."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        root.chmod(0o755)
        shutil.copytree(Path(fgac.__file__).parent, root / "lib" / "fgac", ignore=shutil.ignore_patterns("__pycache__"))
        (root / "lib" / "fgac" / "_kernels" / "__pycache__").mkdir()
        for folder in ("tmp", "named"):
            (root / folder).mkdir()
            (root / folder).chmod(0o1777)
        yield root


def _is_open_to_all(folder):
    """Whether every user can enter a folder and those above it."""
    return all(path.stat().st_mode & 0o001 for path in (Path(folder), *Path(folder).parents))


def run(place, before="", **variables):
    """Run the script as a user who cannot write in the package and has no home; what it tells, and standard error."""
    drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
    if drop and shutil.which("setpriv") is None:
        pytest.skip("root can write everywhere, and setpriv, which drops its rights, is missing")
    library = place / "lib"
    for folder in (library, *library.rglob("*")):
        folder.chmod(0o555 if folder.is_dir() else 0o444)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(library), "TMPDIR": str(place / "tmp")}
    environment |= {"HOME": str(place / "absent"), "PYTHONWARNINGS": "error::UserWarning", **variables}
    done = subprocess.run(
        [*drop, sys.executable, "-c", SCRIPT.format(before=before)],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if drop and not _is_open_to_all(sys.prefix):
        pytest.skip(f"another user cannot read the environment of this Python, {sys.prefix}")
    if drop and "failed to execute" in done.stderr:
        pytest.skip(f"another user cannot run this Python: {done.stderr}")
    assert done.returncode == 0, done.stderr
    compiled, folder = json.loads(done.stdout)
    return compiled, folder, done.stderr


def test_who_can_write_nowhere_has_a_private_temporary_cache(place):
    """The first process compiles and says where to; the second finds it there and is silent."""
    compiled, folder, said = run(place)
    assert compiled == 1
    assert Path(folder).parent == place / "tmp"
    assert Path(folder).stat().st_mode & 0o777 == 0o700
    assert "NUMBA_CACHE_DIR" in said
    assert run(place) == (0, folder, "")


def test_a_home_that_nobody_set_does_not_matter(place):
    compiled, folder, _ = run(place, before="import os; del os.environ['HOME']")
    assert compiled == 1
    assert Path(folder).parent == place / "tmp"


def test_a_temporary_folder_that_others_prepared_is_not_used(place):
    """Whoever may write there could have put code into it."""
    _, folder, _ = run(place)
    Path(folder).chmod(0o777)
    compiled, none, said = run(place)
    assert (compiled, none) == (1, None)
    assert "every process compiles" in said


def test_without_any_folder_loops_still_work(place):
    compiled, folder, said = run(place, before="import tempfile; tempfile.tempdir = '/absent'")
    assert (compiled, folder) == (1, None)
    assert "NUMBA_CACHE_DIR" in said


def test_a_read_only_folder_serves_what_is_in_it(place):
    """As in an image: filled when it was built, and only read later."""
    named = place / "named"
    compiled, folder, said = run(place, NUMBA_CACHE_DIR=str(named))
    assert (compiled, said) == (1, "")
    assert Path(folder).parent == named
    Path(folder).chmod(0o555)
    assert run(place, NUMBA_CACHE_DIR=str(named)) == (0, folder, "")
    for file in Path(folder).iterdir():
        file.rename(place / "tmp" / file.name)
    compiled, again, said = run(place, NUMBA_CACHE_DIR=str(named))
    assert (compiled, again) == (1, folder)
    assert "could not keep compiled loops" in said


def test_a_change_of_any_source_compiles_anew(place):
    """Even of one that a kernel only imports, and with the old time of change, as package managers may set it."""
    named = {"NUMBA_CACHE_DIR": str(place / "named")}
    assert run(place, **named)[0] == 1
    assert run(place, **named)[0] == 0
    for changed in ("_kernels/layouts.py", "_tolerances.py", "_kernels/pairs.py"):
        path = place / "lib" / "fgac" / changed
        path.chmod(0o644)
        before = path.stat()
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("\n\n", "\n#\n", 1), encoding="utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert run(place, **named)[0] == 1, changed
    assert run(place, **named)[0] == 0


def test_damaged_files_are_made_anew(place):
    named = {"NUMBA_CACHE_DIR": str(place / "named")}
    _, folder, _ = run(place, **named)
    for ending in ("nbi", "nbc"):
        (path,) = Path(folder).glob(f"*.{ending}")
        path.write_bytes(path.read_bytes()[:50])
        assert run(place, **named)[0] == 1, ending
        assert run(place, **named)[0] == 0, ending


def test_debuggers_may_switch_compilation_off():
    """The loops are plain Python then."""
    script = "import numpy as np; from fgac._kernels.lists import enter; from fgac._kernels.pairs import forbid_equal; "
    script += "D = np.ones((1, 1)); forbid_equal(D, [0], [0]); print(D[0, 0], type(forbid_equal).__name__)"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["inf", "function"], done.stderr
