"""Regressors as parts of a file, and back: nothing is lost, and what does not fit is refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics.pairwise import euclidean_distances

from fgac import FGARegressor, FGARegressorCV, audit
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import state_of
from fgac.persistence import ModelFileError
from fgac.persistence.encoding import Decoder, encode
from fgac.persistence.states import describe, rebuild

FRAME = pd.DataFrame({"area": [50.0, 80.0, 100.0, 150.0], "town": ["Gent", "Gent", "Lund", "Lund"]})
PRICES = [100.0, 150.0, 400.0, 600.0]


def stored(model, *, values=True):
    """Return a model after it has been written down as JSON and arrays."""
    arrays = {}
    parts = {name: encode(part, name, arrays) for name, part in describe(state_of(model), values=values).items()}
    return plain_estimator(rebuild(Decoder(arrays).value({"dict": parts})))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"loss": "absolute_error", "interval": 0.8},
        {"metric": "manhattan", "monotonic_cst": {"area": 1}, "feature_weights": {"town": 2.0}},
    ],
)
def test_round_trip(settings):
    """Predictions, intervals and explanations are the same, and so is the proof."""
    model = FGARegressor(**settings).fit(FRAME, PRICES, sample_weight=[1.0, 2.0, 1.0, 0.0], ids=list("abcd"))
    again = stored(model)
    new = pd.DataFrame({"area": [60.0, 300.0], "town": ["Lund", "Oslo"]})
    np.testing.assert_array_equal(again.predict_bounds(new), model.predict_bounds(new))
    np.testing.assert_array_equal(again.predict_interval(new), model.predict_interval(new))
    np.testing.assert_array_equal(again.fitted_values_, model.fitted_values_)
    assert again.explain(new) == model.explain(new)
    assert audit(again) == audit(model)
    assert again.get_params() == model.get_params()
    assert again.solution_.is_optimal()
    assert hasattr(again, "interval_solutions_") == ("interval" in settings)


def test_the_spread_of_an_interval_is_kept():
    """What cross-validation found is part of the chosen regressor."""
    model = FGARegressorCV(gammas=[2.0], cv=2, interval=0.5).fit(FRAME, PRICES)
    again = stored(model.best_estimator_)
    assert len(again.interval_solutions_) == 1
    np.testing.assert_array_equal(again.predict_interval(FRAME), model.predict_interval(FRAME))


def test_precomputed_distances_and_values_left_out():
    """Both work; explanations then show no values."""
    matrix = euclidean_distances(FRAME[["area"]])
    model = FGARegressor(metric="precomputed").fit(matrix, PRICES)
    np.testing.assert_array_equal(stored(model).predict(matrix), model.predict(matrix))
    again = stored(FGARegressor().fit(FRAME, PRICES), values=False)
    e = again.explain(FRAME[:1])[0]
    assert e.at_least[0].attributes[0].value is None
    assert e.text()


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("targets",), np.zeros(7), "does not fit"),
        (("records", "nodes"), np.array([0, 1, 2, 9]), "points outside"),
        (("records", "nodes"), np.array([0, 0, 0, 0]), "nodes that stand for no row"),
        (("rows", "codes"), np.full((4, 1), 5, dtype=np.int32), "points outside"),
        (("solutions",), [], "solutions has 0 entries, expected 1 to 3"),
        (("attributes", "n_features_in_"), 3, r"feature_names_in_ is .* expected shape \(3,\)"),
        (("records", "values"), (np.zeros(3),), "values has 1 entries, expected 2"),
    ],
)
def test_changed_parts_are_refused(path, value, told):
    """No index may point outside of an array."""
    parts = describe(state_of(FGARegressor().fit(FRAME, PRICES)), values=True)
    *steps, last = path
    place = parts
    for step in steps:
        place = place[step]
    place[last] = value
    with pytest.raises(ModelFileError, match=told):
        rebuild(parts)


def test_changed_solutions_are_refused():
    """Their edges are indices, too."""
    model = FGARegressor(gamma=0.1, interval=0.5).fit(FRAME, PRICES)
    for number in range(3):
        parts = describe(state_of(model), values=True)
        assert len(parts["solutions"][number]["active"]["tail"])
        parts["solutions"][number]["active"]["tail"] = parts["solutions"][number]["active"]["tail"] + 10
        with pytest.raises(ModelFileError, match=f"solutions/{number}/active/tail points outside"):
            rebuild(parts)


def test_a_metric_of_the_users_own_cannot_be_stored():
    """It is code."""
    with pytest.raises(ModelFileError, match="is code, which a model file cannot hold"):
        describe(state_of(FGARegressor(metric=euclidean_distances).fit([[0.0], [1.0]], [0.0, 1.0])), values=True)
