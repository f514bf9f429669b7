"""Importing the package is light: heavy and optional packages wait until they are needed."""

import subprocess
import sys
from functools import cache

import pytest

HEAVY = ["numba", "pandas", "polars", "matplotlib", "typer", "rich"]


@cache
def heavy_packages_after(statement):
    """Run a statement in a fresh interpreter and return which of the heavy packages it then has."""
    code = f"{statement}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


@pytest.mark.parametrize("statement", ["import fgac", "import fgac; fgac.__version__; dir(fgac)"])
def test_import_loads_nothing_heavy(statement):
    """The package alone loads none of them."""
    assert heavy_packages_after(statement) == set()


@pytest.mark.slow
def test_the_estimator_loads_what_scikit_learn_loads():
    """Recent versions of scikit-learn import pandas where it is installed; we add nothing to that."""
    statement = "from fgac import FGAClassifier; repr(FGAClassifier())"
    assert heavy_packages_after(statement) <= heavy_packages_after("import sklearn.base") - {"numba"}


@pytest.mark.slow
def test_arrays_need_no_frames():
    """Fitting and predicting on arrays adds nothing to what scikit-learn and numba load themselves."""
    work = "from fgac import FGAClassifier; FGAClassifier().fit([[0.0], [1.0]], [0, 1]).predict([[0.2]])"
    assert heavy_packages_after(work) <= heavy_packages_after("import sklearn.preprocessing, numba")


def test_the_package_tells_its_version():
    """The version is that of the installed distribution."""
    from importlib.metadata import version

    import fgac

    assert fgac.__version__ == version("fgac")
