"""Equal fits are equal: their pickles and hashes too, in one process and in two, before and after they are used.

Caches and stores of models compare by these. What a fit took, and what was worked out since, is no part of it.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import joblib
import pytest

from support.estimators import REGISTRY, make

CASES = [
    pytest.param(
        name, settings, id=f"{make(name, settings)!r}", marks=[] if settings is known.settings[0] else pytest.mark.slow
    )
    for name, known in REGISTRY.items()
    for settings in known.settings
]


def fitted(name, settings, n=60):
    """An estimator fitted to an own copy of the data, and the data."""
    X, y = REGISTRY[name].data(settings, n)
    return make(name, settings).fit(X, y), X


def marks(model):
    """What equal models have in common."""
    return pickle.dumps(model), joblib.hash(model)


def use(name, model, X):
    """Ask a model for everything that it says of rows."""
    for method in REGISTRY[name].results:
        getattr(model, method)(X)
    if hasattr(model, "explain"):
        model.explain(X[:3], audit=not model._precomputed)


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_equal_fits_have_equal_pickles(name, settings):
    model, X = fitted(name, settings)
    other, _ = fitted(name, settings)
    assert marks(model) == marks(other)
    use(name, other, X)
    assert marks(model) == marks(other)


@pytest.mark.parametrize("name", REGISTRY)
def test_what_was_loaded_says_the_same(name):
    model, X = fitted(name, REGISTRY[name].settings[0])
    loaded = pickle.loads(pickle.dumps(model))
    use(name, loaded, X)
    assert loaded.predict(X).tolist() == model.predict(X).tolist()


def test_a_fresh_fit_tells_its_seconds():
    """They are lost with the process, as they should be."""
    model, _ = fitted("FGAClassifier", {})
    assert model.solution_.seconds
    assert pickle.loads(pickle.dumps(model)).solution_.seconds == {}


@pytest.mark.parametrize("name", REGISTRY)
def test_pickles_grow_with_the_rows_and_not_with_their_pairs(name):
    settings = REGISTRY[name].settings[0]
    small, large = (len(pickle.dumps(fitted(name, settings, n)[0])) for n in (50, 400))
    assert large < 12 * small


MARKS = """
import hashlib, joblib, pickle, sys
import pandas as pd
from fgac.tables import learned_bends, learned_weights
from support.estimators import REGISTRY, make
learned_weights.N_TREES = learned_bends.N_ROUNDS = 10
for name, known in REGISTRY.items():
    X, y = known.data({})
    frame = pd.DataFrame({"a": X[:, 0], "colour": ["red", "green", "blue"] * 20, "good": X[:, 1] > 0})
    model = make(name, known.settings[0]).fit(frame, y)
    print(name, joblib.hash(model), hashlib.sha256(pickle.dumps(model)).hexdigest())
"""


@pytest.mark.slow
def test_equal_fits_in_two_processes(capsys):
    """Also if texts have other hashes there: in this process they have those of its own seed, if any."""
    tests = str(Path(__file__).parents[1])
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    other = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {tests!r})\n{MARKS}"],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    exec(MARKS, {})
    assert capsys.readouterr().out == other
    assert other.count("\n") == len(REGISTRY)
