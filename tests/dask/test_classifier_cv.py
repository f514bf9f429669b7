"""Gamma is chosen on a sample; of a small table, on all of it."""

import numpy as np
import pytest

from fgac import FGAClassifierCV
from fgac.dask import DaskFGAClassifierCV
from support.clusters import cut, features, mixed_table

SETTINGS = {"gammas": [1.0, 2.0, 5.0], "metric": "manhattan", "cv": 3}


@pytest.mark.parametrize("weighted", [False, True])
def test_small_tables_are_searched_as_a_whole(client, weighted):
    frame = mixed_table(120)
    weight, name = (frame["w"] + 1.0, "w") if weighted else (None, None)
    frame["w"] += 1.0
    local = FGAClassifierCV(**SETTINGS).fit(features(frame), frame["y"], weight)
    table = frame.drop(columns=["t"] if weighted else ["t", "w"])
    model = DaskFGAClassifierCV(client=client, **SETTINGS).fit(cut(table, [50, 70]), "y", name)
    assert model.gamma_ == local.gamma_
    assert model.best_score_ == pytest.approx(local.best_score_, abs=1e-12)
    assert np.allclose(model.beta_, local.beta_, rtol=0, atol=1e-9)
    found = model.predict_proba(cut(features(frame), [100, 20])).compute()
    assert np.allclose(found, local.predict_proba(features(frame)), rtol=0, atol=1e-9)
    assert np.allclose(model.to_local().predict_proba(features(frame)), found, rtol=0, atol=1e-9)


def test_the_choice_on_a_sample_does_not_depend_on_partitions(client):
    frame = mixed_table(200).drop(columns=["t", "w"])
    settings = {**SETTINGS, "max_rows": 60, "client": client}
    one = DaskFGAClassifierCV(**settings).fit(cut(frame, [200]), "y")
    other = DaskFGAClassifierCV(**settings).fit(cut(frame[::-1], [10, 90, 100]), "y")
    assert one.gamma_ == other.gamma_
    assert one.best_score_ == pytest.approx(other.best_score_, abs=1e-12)
    assert set(one.cv_results_) == set(other.cv_results_)
