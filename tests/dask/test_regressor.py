"""The regressor on a cluster is the local one."""

import numpy as np
import pytest

from fgac import FGARegressor
from fgac.dask import DaskFGARegressor
from support.clusters import cut, features, mixed_table

SETTINGS = [
    {},
    {"metric": "learned", "target_scale": "robust"},
    {"metric": "manhattan", "loss": "absolute_error"},
    {"loss": "quantile", "quantile": 0.8, "scale": "rank"},
    {"metric": "manhattan", "interval": 0.8},
    {"metric": "chebyshev", "monotonic_cst": {"a": 1}},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_same_model_as_the_local_estimator(client, settings):
    frame = mixed_table(150)
    X = features(frame)
    local = FGARegressor(gamma=1.5, **settings).fit(X, frame["t"], frame["w"])
    model = DaskFGARegressor(gamma=1.5, client=client, **settings)
    model.fit(cut(frame.drop(columns="y"), [50, 0, 7, 93]), "t", "w")
    assert np.allclose(model.fitted_values_, local.fitted_values_, rtol=0, atol=1e-9, equal_nan=True)
    assert model.solution_.is_optimal()
    again, table = model.to_local(), cut(X, [50, 100])
    assert np.allclose(again.predict(X), local.predict(X), rtol=0, atol=1e-9)
    assert np.allclose(model.predict(table).compute(), local.predict(X), rtol=0, atol=1e-9)
    for method in ("predict_bounds", "predict_interval"):
        for part, expected in zip(getattr(model, method)(table), getattr(local, method)(X), strict=True):
            assert np.allclose(part.compute(), expected, rtol=0, atol=1e-9)


def test_interval_solutions(client):
    frame = mixed_table(60)
    table = cut(frame.drop(columns=["y", "w"]), [30, 30])
    model = DaskFGARegressor(interval=0.8, client=client).fit(table, "t")
    assert [one.is_optimal() for one in model.interval_solutions_] == [True, True]
    with pytest.raises(AttributeError, match="fitted without an interval"):
        DaskFGARegressor(client=client).fit(table, "t").interval_solutions_  # noqa: B018


def test_explanations_are_those_of_the_local_estimator(client):
    frame = mixed_table(60)
    X = features(frame)
    model = DaskFGARegressor(client=client).fit(cut(frame.drop(columns=["y", "w"]), [30, 30]), "t")
    assert str(model.explain(X[:2])) == str(FGARegressor().fit(X, frame["t"]).explain(X[:2]))
