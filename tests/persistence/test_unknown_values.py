"""Models that were trained with unknown cells come back from a file to the last bit, and so do their explanations."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, load_model, save_model
from fgac.metrics.distances import UNSEEN
from fgac.persistence.errors import ModelFileError
from fgac.persistence.states import describe, rebuild
from support.comparison import assert_same
from support.unknown import small_survey

X, Y, SCORE = small_survey(40)
MODELS = {
    "plain": (FGAClassifier, {"gamma": 2.0}),
    "ranks": (FGAClassifier, {"scale": "rank"}),
    "learned": (FGAClassifier, {"metric": "learned"}),
    "monotone": (FGAClassifier, {"monotonic_cst": {"age": 1}}),
    "soft": (FGAClassifier, {"owa": "additive", "metric": "chebyshev"}),
    "ordinal": (FGAOrdinalClassifier, {"metric": "learned"}),
    "regressor": (FGARegressor, {"interval": 0.8}),
    "learned regressor": (FGARegressor, {"metric": "learned"}),
}


def fitted(name, frame=X):
    """Fit one of the models."""
    kind, settings = MODELS[name]
    return kind(**settings).fit(frame, SCORE if kind is FGARegressor else Y)


def round_trip(model, folder, **options):
    """Save a model, and load it."""
    save_model(model, folder / "model.fgac", **options)
    return load_model(folder / "model.fgac")


def results(model, rows):
    """Return what a model says of rows."""
    if isinstance(model, FGARegressor):
        return model.predict_bounds(rows)
    return model.memberships(rows) if isinstance(model, FGAClassifier) else (model.predict_proba(rows),)


@pytest.mark.parametrize("name", MODELS)
def test_models_come_back(name, tmp_path):
    model = fitted(name)
    loaded = round_trip(model, tmp_path)
    assert loaded.metric == model.metric
    assert_same(loaded._state.table, model._state.table)
    new = pd.concat([small_survey(9, seed=1)[0], X[:1].map(lambda _: None)]).astype(X.dtypes)
    assert_same(tuple(results(loaded, new)), tuple(results(model, new)))
    for one, other in zip(loaded.explain(new), model.explain(new), strict=True):
        assert one.to_json() == other.to_json()


@pytest.mark.parametrize("name", ["plain", "regressor"])
def test_models_without_values_say_nothing_of_unknown_ones(name, tmp_path):
    model = fitted(name)
    loaded = round_trip(model, tmp_path, values=False)
    assert_same(tuple(results(loaded, X)), tuple(results(model, X)))
    one = loaded.explain(X[:1])[0]
    features = (one.arguments_for if name == "plain" else one.at_least)[0].attributes
    assert [(feature.value, feature.unknown) for feature in features] == [(None, False)] * 3


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore:nothing is known in columns:UserWarning")
def test_columns_in_which_nothing_is_known(name, tmp_path):
    wide = X.assign(notes=np.nan, remark=None)
    model = fitted(name, wide)
    loaded = round_trip(model, tmp_path)
    assert_same(tuple(results(loaded, wide.assign(notes="text"))), tuple(results(model, wide)))
    assert loaded.explain(wide[:2])[0].to_json() == model.explain(wide[:2])[0].to_json()


def test_a_learned_model_stays_learned(tmp_path):
    """The word is a parameter; what it has led to is in the columns."""
    loaded = round_trip(fitted("learned"), tmp_path)
    assert (loaded.metric, loaded.scale, loaded.feature_weights) == ("learned", "auto", None)
    np.testing.assert_array_equal(loaded.feature_weights_, fitted("learned").feature_weights_)


def forged(change):
    """Rebuild a model after a change of its parts."""
    parts = describe(fitted("plain")._state, values=True)
    change(parts)
    return rebuild(parts)


FORGERIES = {
    "an unseen category": (lambda parts: parts["rows"]["codes"].__setitem__((0, 0), UNSEEN), "points outside"),
    "a code below all": (lambda parts: parts["rows"]["codes"].__setitem__((0, 0), -3), "do not lie between"),
    "no mark": (lambda parts: parts["table"]["columns"][0].update(unknown_weight=0.0), "expected shape"),
    "an endless mark": (
        lambda parts: parts["table"]["columns"][0].update(unknown_weight=np.inf),
        "unknown_weight is inf",
    ),
    "nan": (lambda parts: parts["rows"]["numeric"].__setitem__((0, 0), np.nan), "do not lie between"),
    "no middle": (lambda parts: parts["table"]["columns"][0].update(middle=np.nan), "middle is nan"),
    "infinite values": (lambda parts: parts["records"]["values"][0].__setitem__(0, np.inf), "values"),
    "categories that count": (lambda parts: parts["table"]["columns"][2].update(categories={}), "not numbered"),
}


@pytest.mark.parametrize(("change", "said"), FORGERIES.values(), ids=FORGERIES)
def test_forged_parts_are_refused(change, said):
    with pytest.raises(ModelFileError, match=said):
        forged(change)
