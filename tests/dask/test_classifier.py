"""The classifier on a cluster is the local one, however the table is cut."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, load_model, save_model
from fgac.dask import DaskFGAClassifier
from fgac.fuzzy.connectives import Isomorphism
from support.clusters import cut, cut_array, features, mixed_table

EQUAL = 1e-9

SETTINGS = [
    {},
    {"metric": "manhattan", "scale": "robust"},
    {"metric": "chebyshev", "scale": "rank", "class_weight": "balanced"},
    {"metric": "learned", "class_weight": {"no": 3.0}},
    {"loss": "absolute_error", "metric": "manhattan"},
    {"isomorphism": 2.0},
    {"owa": "additive", "ties": "first"},
    {"metric": "manhattan", "feature_weights": "learned"},
]


def same(one, other):
    """Whether two lists of memberships are equal, unknown ones included."""
    return np.allclose(one, other, rtol=0, atol=EQUAL, equal_nan=True)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_same_model_as_the_local_estimator(client, settings, n_classes):
    frame = mixed_table(n_classes=n_classes)
    local = FGAClassifier(gamma=2.0, **settings).fit(features(frame), frame["y"], frame["w"])
    model = DaskFGAClassifier(gamma=2.0, client=client, **settings)
    model.fit(cut(frame.drop(columns="t"), [100, 0, 7, 133]), "y", "w")
    assert same(model.beta_, local.beta_)
    assert model.solution_.is_optimal()
    assert model.classes_.tolist() == local.classes_.tolist()
    assert np.allclose(model.feature_weights_, local.feature_weights_)
    again = model.to_local()
    assert same(again.beta_, local.beta_)
    assert again.solution_.is_optimal()
    assert again.predict(features(frame)).tolist() == local.predict(features(frame)).tolist()
    assert str(again.explain(features(frame)[:3])) == str(local.explain(features(frame)[:3]))


@given(cuts=st.lists(st.integers(0, 120), max_size=5), seed=st.integers(0, 10))
def test_any_partitioning_gives_the_same_memberships(client, cuts, seed):
    frame = mixed_table(120, n_classes=2 + seed % 2, seed=seed)
    lengths = np.diff([0, *sorted(cuts), 120]).tolist()
    local = FGAClassifier(gamma=1.5, metric="manhattan").fit(features(frame), frame["y"])
    model = DaskFGAClassifier(gamma=1.5, metric="manhattan", client=client)
    model.fit(cut(frame.drop(columns=["t", "w"]), lengths), "y")
    assert same(model.beta_, local.beta_)


@pytest.mark.parametrize("direction", [1, -1])
def test_monotone_columns(client, direction):
    frame = mixed_table()
    settings = {"gamma": 2.0, "monotonic_cst": {"a": direction}}
    local = FGAClassifier(**settings).fit(features(frame), frame["y"])
    model = DaskFGAClassifier(client=client, **settings).fit(cut(frame.drop(columns=["t", "w"]), [120, 120]), "y")
    assert same(model.beta_, local.beta_)
    assert same(model.to_local().beta_, local.beta_)


def test_angular_distances_of_an_array(client):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 4)), rng.integers(0, 3, 150)
    local = FGAClassifier(gamma=2.0, metric="angular").fit(X, y)
    model = DaskFGAClassifier(gamma=2.0, metric="angular", client=client).fit(cut_array(X, 40), cut_array(y, 40))
    assert same(model.beta_, local.beta_)


def test_a_distance_of_the_callers_own(client):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(90, 2)), rng.integers(0, 2, 90)
    settings = {"gamma": 2.0, "metric": pairwise}
    model = DaskFGAClassifier(client=client, **settings).fit(cut_array(X, 25), cut_array(y, 25))
    assert same(model.beta_, FGAClassifier(**settings).fit(X, y).beta_)


def pairwise(A, B):
    """Return squared differences of the first column, under a root."""
    return np.abs(A[:, :1] - B[:, 0])


def test_a_phi_of_the_callers_own(client):
    phi = Isomorphism(np.sqrt, np.square)
    frame = mixed_table(100)
    settings = {"gamma": 2.0, "isomorphism": phi}
    model = DaskFGAClassifier(client=client, **settings).fit(cut(frame.drop(columns=["t", "w"]), [50, 50]), "y")
    assert same(model.beta_, FGAClassifier(**settings).fit(features(frame), frame["y"]).beta_)


def test_classes_that_some_partitions_do_not_have(client):
    frame = mixed_table(90, n_classes=3).sort_values("y", kind="stable")
    model = DaskFGAClassifier(gamma=2.0, client=client).fit(cut(frame.drop(columns=["t", "w"]), [30, 30, 30]), "y")
    assert same(model.beta_, FGAClassifier(gamma=2.0).fit(features(frame), frame["y"]).beta_)


def test_categories_that_differ_between_partitions(client):
    frame = mixed_table(90)
    parts = [frame.iloc[:40].copy(), frame.iloc[40:].copy()]
    for part in parts:
        part["kind"] = part["kind"].cat.remove_unused_categories().astype(object)
    parts[0].loc[parts[0]["kind"] == "w", "kind"] = "u"
    whole = pd.concat(parts)
    model = DaskFGAClassifier(gamma=2.0, client=client).fit(cut(whole.drop(columns=["t", "w"]), [40, 50]), "y")
    assert same(model.beta_, FGAClassifier(gamma=2.0).fit(features(whole), whole["y"]).beta_)


def test_parquet_is_read_on_the_workers(client, tmp_path):
    frame = mixed_table(100)
    path = tmp_path / "table.parquet"
    frame.drop(columns=["t", "w"]).to_parquet(path, row_group_size=30)
    model = DaskFGAClassifier(gamma=2.0, client=client).fit(path, "y")
    assert same(model.beta_, FGAClassifier(gamma=2.0).fit(features(frame), frame["y"]).beta_)


def test_one_class_alone(client):
    X = np.arange(10.0)[:, None]
    model = DaskFGAClassifier(client=client).fit(cut_array(X, 3), cut_array(np.zeros(10, dtype=int), 3))
    assert model.beta_.tolist() == FGAClassifier().fit(X, np.zeros(10, dtype=int)).beta_.tolist()


def test_the_local_model_can_be_saved(client, tmp_path):
    frame = mixed_table(100)
    model = (
        DaskFGAClassifier(gamma=2.0, client=client).fit(cut(frame.drop(columns=["t", "w"]), [60, 40]), "y").to_local()
    )
    save_model(model, tmp_path / "model.fgac")
    again = load_model(tmp_path / "model.fgac")
    assert again.predict(features(frame)).tolist() == model.predict(features(frame)).tolist()


def test_large_tables_learn_from_a_sample_that_does_not_depend_on_partitions(client):
    frame = mixed_table(200).drop(columns=["t", "w"])
    settings = {"metric": "learned", "gamma": 2.0, "sample_rows": 50, "client": client}
    one = DaskFGAClassifier(**settings).fit(cut(frame, [200]), "y")
    other = DaskFGAClassifier(**settings).fit(cut(frame.iloc[::-1], [30, 0, 170]), "y")
    assert same(one.feature_weights_, other.feature_weights_)
    assert same(one.beta_, other.beta_[::-1])


def test_messages_are_counted(client):
    frame = mixed_table(100)
    model = DaskFGAClassifier(client=client).fit(cut(frame.drop(columns=["t", "w"]), [60, 40]), "y")
    n = len(model.solution_.values)
    assert model.messages_["values_sent"] == n * model.solution_.n_rounds
    assert model.messages_["pairs_received"] >= model.solution_.n_active
