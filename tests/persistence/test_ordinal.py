"""Classifiers of ordered classes in model files: nothing is lost, and boundaries that do not fit are refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics.pairwise import euclidean_distances

from fgac import FGAOrdinalClassifier, FGARegressorCV, load_model, save_model
from fgac.estimators._state import state_of
from fgac.persistence import ModelFileError
from fgac.persistence.states import describe, rebuild

FRAME = pd.DataFrame({"income": [1.0, 2.0, 3.0, 4.0, 5.0, 2.0], "town": list("ababab")})
GRADES = ["poor", "poor", "fair", "good", "good", "good"]
ORDER = ["poor", "fair", "good"]


def fitted(**settings):
    """Return a model of three grades."""
    return FGAOrdinalClassifier(class_order=ORDER, gamma=3.0, **settings).fit(FRAME, GRADES, ids=list("uvwxyz"))


@pytest.mark.parametrize(
    "settings",
    [{}, {"monotonic_cst": {"income": 1}, "class_weight": "balanced"}, {"scale": "rank", "feature_weights": "learned"}],
)
def test_round_trip(settings, tmp_path):
    model = fitted(**settings)
    save_model(model, tmp_path / "m.fgac")
    again = load_model(tmp_path / "m.fgac")
    assert type(again) is FGAOrdinalClassifier
    assert again.get_params() == model.get_params()
    new = pd.DataFrame({"income": [0.0, 2.6, 9.0], "town": ["a", "b", "c"]})
    np.testing.assert_array_equal(again.predict(new), model.predict(new))
    np.testing.assert_array_equal(again.at_least(new), model.at_least(new))
    np.testing.assert_array_equal(again.beta_, model.beta_)
    np.testing.assert_array_equal(again.feature_weights_, model.feature_weights_)
    assert again.explain(new) == model.explain(new)
    assert again.is_optimal()


def test_distances_round_trip(tmp_path):
    X = euclidean_distances(np.arange(6.0)[:, None])
    model = FGAOrdinalClassifier(metric="precomputed", gamma=0.3).fit(X, [0, 0, 1, 1, 2, 2])
    save_model(model, tmp_path / "m.fgac")
    np.testing.assert_array_equal(load_model(tmp_path / "m.fgac").predict(X), model.predict(X))


def test_boundaries_that_do_not_fit_are_refused():
    parts = describe(state_of(fitted()), values=True)
    with pytest.raises(ModelFileError, match="boundaries has 1 entries, expected 2"):
        rebuild({**parts, "boundaries": parts["boundaries"][:1]})
    other = describe(state_of(fitted(scale=None)), values=True)["boundaries"]
    with pytest.raises(ModelFileError, match="of different tables"):
        rebuild({**parts, "boundaries": [parts["boundaries"][0], other[1]]})


def test_regressor_is_stored_as_chosen(tmp_path):
    X = np.linspace(0, 1, 30)[:, None]
    model = FGARegressorCV(gammas=[1.0, 3.0], cv=3, interval=0.8).fit(X, np.sin(5 * X[:, 0]))
    save_model(model, tmp_path / "m.fgac")
    again = load_model(tmp_path / "m.fgac")
    assert repr(again) == repr(model.best_estimator_)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_interval(X), model.predict_interval(X))
