"""Models live in other stores: skops and mlflow load them if they trust the types that ``TRUSTED_TYPES`` lists."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier
from fgac.persistence import TRUSTED_TYPES
from support.estimators import REGISTRY, make

CASES = [(name, settings, {}) for name, known in REGISTRY.items() for settings in known.settings]
# Weights that are no whole numbers make ranks of their own kinds.
UNEVEN = {"sample_weight": 0.5}
CASES += [("FRNNClassifier", {}, UNEVEN), ("FRNNClassifier", {"owa": [0.7, 0.3]}, UNEVEN)]


def mixed():
    """A frame with names, and classes."""
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.random(30), "kind": ["u", "v", "w"] * 10}), np.arange(30) % 2


@pytest.mark.slow
def test_the_list_is_what_skops_asks_for():
    """Every type of the list occurs in some model, and nothing else of ours does."""
    io = pytest.importorskip("skops.io")
    found = set()
    for name, settings, weights in CASES:
        X, y = REGISTRY[name].data(settings)
        model = make(name, settings).fit(X, y, **weights)
        stored = io.dumps(model)
        types = io.get_untrusted_types(data=stored)
        found.update(types)
        others = [one for one in types if not one.startswith("fgac.")]  # of splitters and metrics among the settings
        loaded = io.loads(stored, trusted=[*TRUSTED_TYPES, *others])
        assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert sorted(one for one in found if one.startswith("fgac.")) == TRUSTED_TYPES


def test_skops(tmp_path):
    io = pytest.importorskip("skops.io")
    X, y = mixed()
    model = FGAClassifier().fit(X, y)
    io.dump(model, tmp_path / "model.skops")
    loaded = io.load(tmp_path / "model.skops", trusted=TRUSTED_TYPES)
    assert str(loaded.explain(X[:1])[0]) == str(model.explain(X[:1])[0])
    assert loaded.feature_names_in_.tolist() == ["a", "kind"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the packages that mlflow brings along
@pytest.mark.parametrize("options", [{}, {"serialization_format": "cloudpickle"}], ids=str)
def test_mlflow(tmp_path, options):
    mlflow = pytest.importorskip("mlflow.sklearn")
    X, y = mixed()
    model = FGAClassifier().fit(X, y)
    trust = {} if options else {"skops_trusted_types": TRUSTED_TYPES}
    mlflow.save_model(model, tmp_path / "model", pip_requirements=["fgac"], **trust, **options)
    assert mlflow.load_model(str(tmp_path / "model")).predict(X).tolist() == model.predict(X).tolist()
