"""Where compilation is switched off, the searches of large tables compute with what is said in NumPy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SCRIPT = """
import numpy as np
from fgac import FGAClassifier
from fuzz.limits import as_if_large
rng = np.random.default_rng(0)
X, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
for metric in ("euclidean", "manhattan", "chebyshev"):
    small = FGAClassifier(metric=metric, gamma=2.0).fit(X, y).beta_
    with as_if_large():
        large = FGAClassifier(metric=metric, gamma=2.0).fit(X, y).beta_
    print(np.abs(small - large).max() < 1e-12)
"""


@pytest.mark.slow
def test_large_tables_are_fitted_without_compilation():
    paths = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 3, done.stderr
