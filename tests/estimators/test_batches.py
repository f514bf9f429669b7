"""predict_batches: the results of a table that comes in parts, one part at a time."""

import weakref
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGAOrdinalClassifierCV,
    FGARegressor,
    FGARegressorCV,
    FRNNClassifier,
)
from fgac.estimators._batches import no_results

N = 30
METHODS = ("predict", "predict_proba", "decision_function", "memberships")
ORDER = ["low", "middle", "high"]
KINDS = {
    "classifier": (FGAClassifier(gamma=2.0), (*METHODS, "confidence")),
    "classifier cv": (FGAClassifierCV(gammas=[1.0, 2.0], cv=2), (*METHODS, "confidence")),
    "ordinal": (FGAOrdinalClassifier(gamma=2.0, class_order=ORDER), (*METHODS, "confidence", "at_least")),
    "ordinal cv": (
        FGAOrdinalClassifierCV(gammas=[1.0, 2.0], cv=2, class_order=ORDER),
        (*METHODS, "confidence", "at_least"),
    ),
    "regressor": (FGARegressor(interval=0.8), ("predict", "predict_bounds", "predict_interval")),
    "regressor cv": (
        FGARegressorCV(gammas=[1.0, 2.0], cv=2, interval=0.8),
        ("predict", "predict_bounds", "predict_interval"),
    ),
    "frnn": (FRNNClassifier(), METHODS),
}


def table(n=N, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"size": rng.random(n), "age": rng.integers(0, 9, n), "kind": rng.choice(["a", "b"], n)})


def labels(n_classes):
    return np.array(["low", "middle", "high"])[np.arange(N) % n_classes]


def as_polars(frame):
    """Return the same table as a polars frame (polars' own way needs Arrow)."""
    return pl.DataFrame({name: frame[name].to_list() for name in frame.columns})


@pytest.fixture(scope="module")
def clf():
    return FGAClassifier(gamma=2.0).fit(table(), labels(2))


def numbers(clf_class=FGAClassifier, n_classes=2):
    """A classifier of plain arrays."""
    return clf_class(gamma=2.0).fit(np.random.default_rng(0).random((N, 2)), labels(n_classes))


def joined(results):
    """The parts of all batches, one below the other."""
    parts = [result if isinstance(result, tuple) else (result,) for result in results]
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("clf_class", [FGAClassifier, FRNNClassifier])
@pytest.mark.parametrize("method", METHODS)
def test_batches_together_are_the_table(clf_class, n_classes, method):
    clf = numbers(clf_class, n_classes)
    X = np.random.default_rng(1).random((20, 2))
    parts = [X[:0], X[:7], X[7:8], X[8:], X[:0]]
    found = joined(clf.predict_batches(parts, method=method))
    for part, whole in zip(found, joined([getattr(clf, method)(X)]), strict=True):
        assert part.dtype == whole.dtype
        assert part.shape == whole.shape
        if method == "predict":
            assert part.tolist() == whole.tolist()
        else:
            np.testing.assert_allclose(part, whole, atol=1e-12)


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    """Return a fitted model of every kind, trained on a frame with categories, and the methods that it has."""
    model, methods = KINDS[request.param]
    numbers = np.random.default_rng(2).random(N)
    return clone(model).fit(table(), numbers if "regressor" in request.param else labels(3)), methods


@pytest.mark.parametrize("convert", [lambda frame: frame, as_polars], ids=["pandas", "polars"])
def test_every_kind_judges_batches_as_it_judges_the_table(kind, convert):
    """Also empty batches, whose results fit the others, and cells that are missing."""
    model, methods = kind
    assert tuple(no_results(model)) == methods
    X = table(12, seed=1)
    X.loc[4, "size"] = np.nan
    parts = [convert(X[start:stop]) for start, stop in ((0, 0), (0, 5), (5, 6), (6, 12))]
    for method in methods:
        results = list(model.predict_batches(iter(parts), method=method))
        expected = getattr(model, method)(convert(X))
        assert type(results[0]) is type(expected)
        for part, whole in zip(joined(results), joined([expected]), strict=True):
            assert (part.dtype, part.shape) == (whole.dtype, whole.shape)
            if part.dtype.kind == "f":
                np.testing.assert_allclose(part, whole, atol=1e-12)
            else:
                assert part.tolist() == whole.tolist()


def test_every_kind_checks_the_columns_of_every_batch(kind):
    model, methods = kind
    for wrong in (table().drop(columns="age"), table()[:0].drop(columns="age"), table()[["age", "size", "kind"]]):
        with pytest.raises(ValueError, match="batch 2: "):
            list(model.predict_batches([table(), wrong], method=methods[-1]))
    with pytest.raises(ValueError, match=f"method='explain' is unknown; expected one of 'predict'.*'{methods[-1]}'"):
        model.predict_batches([table()], method="explain")


@given(st.lists(st.integers(0, 20), max_size=5))
def test_any_cuts_give_the_same_labels(cuts):
    X = np.random.default_rng(1).random((20, 2))
    edges = [0, *sorted(cuts), 20]
    clf = numbers()
    found = clf.predict_batches(X[a:b] for a, b in pairwise(edges))
    assert np.concatenate(list(found)).tolist() == clf.predict(X).tolist()


@pytest.mark.parametrize("convert", [lambda frame: frame, as_polars], ids=["pandas", "polars"])
def test_frames_of_either_kind(clf, convert):
    X = table(12, seed=1)
    found = clf.predict_batches(convert(X[i : i + 5]) for i in range(0, 12, 5))
    assert np.concatenate(list(found)).tolist() == clf.predict(X).tolist()


def test_chunks_of_a_csv_file(clf, tmp_path):
    X = table(12, seed=1)
    X.to_csv(tmp_path / "new.csv", index=False)
    found = list(clf.predict_batches(pd.read_csv(tmp_path / "new.csv", chunksize=5)))
    assert [len(part) for part in found] == [5, 5, 2]
    assert np.concatenate(found).tolist() == clf.predict(X).tolist()


def test_slices_of_a_parquet_file(clf, tmp_path):
    X = table(12, seed=1)
    as_polars(X).write_parquet(tmp_path / "new.parquet", row_group_size=5)
    scan = pl.scan_parquet(tmp_path / "new.parquet")
    slices = (scan.slice(start, 5).collect() for start in range(0, 12, 5))
    assert np.concatenate(list(clf.predict_batches(slices))).tolist() == clf.predict(X).tolist()


class Arrow:
    """Stands in for a batch of Arrow: columns that are no frame, and a way to become one."""

    def __init__(self, frame):
        self.frame = frame

    def to_pandas(self):
        return self.frame


def test_what_can_become_a_frame_is_one(clf):
    X = table(12, seed=1)
    found = clf.predict_batches(Arrow(X[start : start + 5]) for start in range(0, 12, 5))
    assert np.concatenate(list(found)).tolist() == clf.predict(X).tolist()


def test_batches_and_row_groups_of_a_parquet_file(clf, tmp_path):
    """Arrow has columns without being a frame: names and text must survive."""
    parquet = pytest.importorskip("pyarrow.parquet")
    X = table(12, seed=1)
    as_polars(X).write_parquet(tmp_path / "new.parquet", row_group_size=5)
    with parquet.ParquetFile(tmp_path / "new.parquet") as file:
        groups = (file.read_row_group(i) for i in range(file.num_row_groups))
        for batches in (file.iter_batches(batch_size=4), groups):
            assert np.concatenate(list(clf.predict_batches(batches))).tolist() == clf.predict(X).tolist()
        swapped = file.read_row_group(0).select(["age", "size", "kind"])
    with pytest.raises(ValueError, match=r"(?s)batch 1: .*must be in the same order"):
        list(clf.predict_batches([swapped]))


def test_distances_in_batches():
    D = np.abs(np.subtract.outer(np.linspace(0, 1, N), np.linspace(0, 1, N)))
    clf = FGAClassifier(gamma=2.0, metric="precomputed").fit(D, labels(2))
    found = clf.predict_batches([D[:4], D[:0], D[4:]])
    assert np.concatenate(list(found)).tolist() == clf.predict(D).tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_batch_without_rows_gives_no_results_of_the_right_kind(n_classes):
    clf = numbers(n_classes=n_classes)
    some, none = np.zeros((1, 2)), np.zeros((0, 2))
    for method in METHODS:
        one, empty = (joined([result]) for result in clf.predict_batches([some, none], method=method))
        assert [part.shape for part in empty] == [(0, *part.shape[1:]) for part in one]
        assert [part.dtype for part in empty] == [part.dtype for part in one]
    assert next(clf.predict_batches([none], method="memberships")).degree.shape == (0, n_classes)


def test_a_batch_without_rows_must_have_the_right_columns(clf):
    with pytest.raises(ValueError, match=r"(?s)batch 2: .*age"):
        list(clf.predict_batches([table(), table()[:0].drop(columns="age")]))
    with pytest.raises(ValueError, match="batch 1: X has 3 features, but"):
        list(numbers().predict_batches([np.zeros((0, 3))]))


def test_nothing_is_read_before_it_is_asked_for_and_one_batch_is_held(clf):
    alive = []

    def batches():
        for seed in range(4):
            assert not any(ref() is not None for ref in alive), "an earlier batch is still held"
            batch = table(5, seed)
            alive.append(weakref.ref(batch))
            handed = [batch]
            del batch
            yield handed.pop()

    results = clf.predict_batches(batches())
    assert alive == []
    for n, _ in enumerate(results, start=1):
        assert len(alive) == n
    assert len(alive) == 4


def test_an_endless_source_is_no_problem(clf):
    def forever():
        while True:
            yield table(3)

    results = clf.predict_batches(forever())
    assert [len(next(results)) for _ in range(3)] == [3, 3, 3]


def test_a_wrong_batch_is_named_with_what_is_wrong(clf):
    seen = []

    def batches():
        for batch in (table(), table().assign(size=np.inf), table()):
            seen.append(len(seen))
            yield batch

    with pytest.raises(ValueError, match=r"^batch 2: Input X contains infinity .* in columns \['size'\]") as error:
        list(clf.predict_batches(batches()))
    assert seen == [0, 1]
    assert str(error.value.__cause__) in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X: X[["age", "size", "kind"]], "must be in the same order"),
        (lambda X: X.drop(columns="age"), "age"),
        (lambda X: X.assign(more=1), "more"),
        (lambda X: as_polars(X).lazy(), "lazy frame"),
        (lambda X: X["age"], "one column of 30 values"),
    ],
)
def test_columns_are_checked_in_every_batch(clf, change, message):
    with pytest.raises((ValueError, TypeError), match="batch 2: ") as error:
        list(clf.predict_batches([table(), change(table())]))
    assert message in str(error.value)


def test_errors_of_the_source_are_its_own(clf):
    def broken():
        yield table()
        raise ValueError("the disk is gone")

    results = clf.predict_batches(broken())
    next(results)
    with pytest.raises(ValueError, match=r"^the disk is gone$"):
        next(results)


def test_what_is_no_iterable_of_tables_is_refused_at_once(clf, tmp_path):
    for path in ("new.csv", tmp_path / "new.parquet", b"new.csv"):
        with pytest.raises(TypeError, match=r"is a path; .*pandas\.read_csv\(path, chunksize=100_000\)"):
            clf.predict_batches(path)
    for one in (table(), as_polars(table()), np.zeros((3, 2))):
        with pytest.raises(TypeError, match=r"is one table, of type .*; .*use memberships\(X\)"):
            clf.predict_batches(one, method="memberships")
    with pytest.raises(TypeError, match=r"lazy frame .*; expected tables"):
        clf.predict_batches(as_polars(table()).lazy())
    with pytest.raises(TypeError, match="of type int; expected an iterable of tables"):
        clf.predict_batches(3)
    with pytest.raises(ValueError, match="method='fit' is unknown; expected one of 'predict', 'predict_proba'"):
        clf.predict_batches([table()], method="fit")
    with pytest.raises(NotFittedError):
        FGAClassifier().predict_batches([table()])


def test_a_list_of_paths_is_no_list_of_tables(clf):
    with pytest.raises(TypeError, match=r"batch 1: 'new\.csv' is a path; expected a table: read it first"):
        list(clf.predict_batches(["new.csv"]))
