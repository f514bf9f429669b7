"""Every container of a table, in every use: columns are read by name, and all containers are the same table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, audit, evaluate, path
from support.containers import CONTAINERS, NAMES, columns, labels

TABLE, NEW = columns(), columns(12, seed=1)
LABELS = labels(TABLE)
pytestmark = pytest.mark.filterwarnings("ignore:The Dataframe Interchange Protocol is deprecated")


@pytest.fixture(params=CONTAINERS)
def build(request):
    """A way to make a container of columns."""
    return CONTAINERS[request.param]


@pytest.fixture(scope="module")
def model():
    return FGAClassifier(gamma=2.0).fit(pd.DataFrame(TABLE), LABELS)


def test_fit_sees_the_same_table(build, model):
    found = FGAClassifier(gamma=2.0).fit(build(TABLE), LABELS)
    assert found.feature_names_in_.tolist() == NAMES
    assert found.n_features_in_ == 4
    np.testing.assert_allclose(found.beta_, model.beta_, atol=1e-12)
    categories = [None if c.categories is None else list(c.categories) for c in found._state.table.columns]
    assert categories == [None, None, ["blue", "green", "red"], [False, True]]


def test_any_container_may_follow_any_other(build, model):
    found = FGAClassifier(gamma=2.0).fit(build(TABLE), LABELS)
    expected = model.predict_proba(pd.DataFrame(NEW))
    np.testing.assert_allclose(model.predict_proba(build(NEW)), expected, atol=1e-12)
    np.testing.assert_allclose(found.predict_proba(pd.DataFrame(NEW)), expected, atol=1e-12)
    np.testing.assert_allclose(found.predict_proba(build(NEW)), expected, atol=1e-12)


def test_explanations_and_audits(build, model):
    found = FGAClassifier(gamma=2.0).fit(build(TABLE), LABELS)
    assert str(found.explain(build(NEW))[0]) == str(model.explain(pd.DataFrame(NEW))[0])
    assert str(audit(found)) == str(audit(model))


def test_batches(build, model):
    halves = [{name: column[part] for name, column in NEW.items()} for part in (slice(5), slice(5, 12))]
    found = np.concatenate(list(model.predict_batches(build(half) for half in halves)))
    assert found.tolist() == model.predict(pd.DataFrame(NEW)).tolist()
    with pytest.raises(TypeError, match="one table"):
        model.predict_batches(build(NEW))


def of_a_user(model, X, y):
    """A score that is told by a function, which is given rows of the container itself."""
    return model.score(X, y)


def searched_evaluated_and_walked(X):
    """Return the scores of a search, an evaluation, and the bends of a path."""
    search = FGAClassifierCV(gammas=[1.0, 3.0], cv=2, metric="euclidean", scoring=of_a_user).fit(X, LABELS)
    evaluation = evaluate(FGAClassifier(), X, LABELS, gamma=2.0, n_folds=2)
    return search.cv_results_["mean_test_score"], evaluation, path(X, LABELS).breakpoints


@pytest.fixture(scope="module")
def of_a_frame():
    return searched_evaluated_and_walked(pd.DataFrame(TABLE))


def test_searches_paths_and_evaluations(build, of_a_frame):
    scores, evaluation, breakpoints = searched_evaluated_and_walked(build(TABLE))
    np.testing.assert_allclose(scores, of_a_frame[0], atol=1e-12)
    assert evaluation == of_a_frame[1]
    np.testing.assert_allclose(breakpoints, of_a_frame[2], rtol=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: dict(reversed(table.items())), "must be in the same order"),
        (lambda table: {name: table[name] for name in NAMES[1:]}, "yet now missing:\n- size"),
        (lambda table: {**table, "more": table["size"]}, "unseen at fit time:\n- more"),
        (lambda table: {name.replace("size", "length"): part for name, part in table.items()}, "unseen .*\n- length"),
    ],
    ids=["reordered", "missing", "additional", "renamed"],
)
def test_other_columns_are_refused(build, model, change, message):
    """The error is scikit-learn's, whatever the container."""
    with pytest.raises(ValueError, match=rf"(?s)should match those that were passed during fit.*{message}"):
        model.predict(build(change(NEW)))


@pytest.mark.parametrize("name", ["size", "colour", "good"])
def test_missing_values_are_unknown(build, model, name):
    """In whatever container: in new rows, and in those that a model is trained on."""
    holes = {**NEW, name: [*NEW[name][:-1], None]}
    expected = model.predict_proba(pd.DataFrame(holes))
    assert not np.isnan(expected).any()
    np.testing.assert_allclose(model.predict_proba(build(holes)), expected, atol=1e-12)
    holes = {**TABLE, name: [*TABLE[name][:-3], None, TABLE[name][-2], None]}
    found, expected = (FGAClassifier(gamma=2.0).fit(each, LABELS) for each in (build(holes), pd.DataFrame(holes)))
    np.testing.assert_allclose(found.beta_, expected.beta_, atol=1e-12)


def test_other_columns_are_refused_without_rows(build, model):
    none = {name: column[:0] for name, column in NEW.items()}
    assert [len(part) for part in model.predict_batches([build(none)])] == [0]
    with pytest.raises(ValueError, match="must be in the same order"):
        list(model.predict_batches([build(dict(reversed(none.items())))]))


@pytest.mark.parametrize("name", ["arrow", "narwhals of pandas", "arrow stream"])
def test_distances_in_frames(name):
    """Distances between rows may be in a frame as well."""
    points = np.linspace(0, 1, 6)
    distances = np.abs(points[:, None] - points)
    table = {f"row{i}": column.tolist() for i, column in enumerate(distances.T)}
    y = ["a", "a", "b", "a", "b", "b"]
    model = FGAClassifier(metric="precomputed").fit(CONTAINERS[name](table), y)
    np.testing.assert_array_equal(model.beta_, FGAClassifier(metric="precomputed").fit(distances, y).beta_)
    with pytest.raises(ValueError, match="must be in the same order"):
        model.predict(CONTAINERS[name](dict(reversed(table.items()))))


SERIES = {
    "pandas": pd.Series,
    "polars": pl.Series,
    "arrow": lambda values: pytest.importorskip("pyarrow").array(values),
    "arrow chunks": lambda values: pytest.importorskip("pyarrow").chunked_array([values[:7], values[7:]]),
    "narwhals": lambda values: pytest.importorskip("narwhals").from_native(pl.Series(values), series_only=True),
}


@pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)
def test_targets_weights_and_ids_in_any_series(series):
    X, weight = np.array(TABLE["size"])[:, None], (np.arange(40) % 3).astype(float)
    names = [f"r{i}" for i in range(40)]
    for kind, y in ((FGAClassifier, LABELS), (FGARegressor, TABLE["count"])):
        expected = kind().fit(X, y, sample_weight=weight, ids=names)
        found = kind().fit(X, series(y), sample_weight=series(weight.tolist()), ids=series(names))
        np.testing.assert_array_equal(found.predict(X), expected.predict(X))
        assert found._state.records.ids.tolist() == expected._state.records.ids.tolist()
    whole = FGAClassifier().fit(X, series(TABLE["count"]), ids=series(list(range(40))))
    assert whole.classes_.dtype.kind == "i"
    assert whole._state.records.ids.dtype.kind == "i"
    assert [each.truth for each in whole.explain(X, y=series(TABLE["count"]))] == TABLE["count"]


def test_orders_that_a_type_knows():
    """An order of classes is known from pandas, polars and Arrow, and through narwhals."""
    nw, pa = pytest.importorskip("narwhals"), pytest.importorskip("pyarrow")
    words = ["poor", "fair", "good"]
    y = [words[i % 3] for i in range(40)]
    ordered = pd.Series(pd.Categorical(y, words, ordered=True))
    codes = pa.array([i % 3 for i in range(40)], pa.int8())
    dictionary = pa.DictionaryArray.from_arrays(codes, pa.array(words), ordered=True)
    chunked = pa.chunked_array([dictionary])
    for each in (ordered, pl.Series(y, dtype=pl.Enum(words)), nw.from_native(ordered, series_only=True), chunked):
        model = FGAOrdinalClassifier().fit(np.array(TABLE["size"])[:, None], each)
        assert model.class_order_.tolist() == words


def test_the_index_within_a_wrapper_names_the_rows():
    nw = pytest.importorskip("narwhals")
    frame = pd.DataFrame(TABLE, index=[f"r{i}" for i in range(40)])
    assert FGAClassifier().fit(nw.from_native(frame), LABELS)._state.records.ids[3] == "r3"


def test_what_may_hold_a_computation_and_does_not():
    """As arrays of xarray: only a graph makes them lazy."""

    class Holder:
        def __init__(self, graph):
            self.graph = graph

        def __dask_graph__(self):
            return self.graph

        def compute(self):
            return self

        def __array__(self, dtype=None, copy=None):
            return np.array(TABLE["size"])[:, None]

    assert FGAClassifier().fit(Holder(None), LABELS).n_features_in_ == 1
    with pytest.raises(TypeError, match=r"lazy array .*compute\(\)"):
        FGAClassifier().fit(Holder({}), LABELS)


@pytest.mark.parametrize("protocols", [(), ("__dataframe__",), ("__arrow_c_stream__", "__dataframe__")], ids=str)
def test_frames_that_cannot_be_read_are_refused(protocols):
    """They are not made into an array, which would have no names."""

    def fail(self, *args, **kwargs):
        raise NotImplementedError("out of order")

    frame = type("Frame", (), {"columns": ["a"], "__array__": fail, **dict.fromkeys(protocols, fail)})
    with pytest.raises(TypeError, match=r"X is of type .*Frame, and it .*give a pandas or polars frame"):
        FGAClassifier().fit(frame(), LABELS)
