"""Importing the package is light: heavy and optional packages wait until they are needed."""

import subprocess
import sys

import pytest

HEAVY = ["numba", "pandas", "polars", "matplotlib", "typer", "rich"]


@pytest.mark.parametrize(
    "statement", ["import fgac", "from fgac import FGAClassifier", "import fgac; fgac.FGAClassifier()"]
)
def test_import_loads_nothing_heavy(statement):
    """A fresh interpreter runs the statement and tells which of the heavy packages it then has."""
    code = f"{statement}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == []


def test_arrays_need_no_frames():
    """Fitting and predicting on arrays imports neither pandas nor polars."""
    code = (
        "import sys; from fgac import FGAClassifier\n"
        "FGAClassifier().fit([[0.0], [1.0]], [0, 1]).predict([[0.2]])\n"
        "print(*[name for name in ('pandas', 'polars', 'matplotlib') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == []


def test_the_package_tells_its_version():
    """The version is that of the installed distribution."""
    from importlib.metadata import version

    import fgac

    assert fgac.__version__ == version("fgac")
