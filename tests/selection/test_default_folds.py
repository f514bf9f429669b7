"""The folds that are taken unless the caller has others: shuffled, the same for the same rows, of a sample if many."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import pairwise_distances

from fgac import FGAClassifierCV, FGAOrdinalClassifierCV, FGARegressorCV
from fgac.selection.default_folds import default_folds
from fgac.tables.reading import ReadTable
from support.property_tests import examples
from support.strategies import overlapping

GAMMAS = [1.0, 4.0]


def mixed(n, seed):
    """Return a frame with a category, unknown numbers and equal rows, and three classes of different sizes."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, 6, n) / 2
    X = pd.DataFrame(
        {
            "place": np.where(rng.random(n) < 0.1, np.nan, place),
            "size": rng.normal(size=n).round(1),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], n)),
        }
    )
    return X, np.digitize(place + rng.normal(0, 0.7, n), [0.5, 2.0])


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("max_rows", [None, 40])
def test_folds_part_the_rows_of_positive_weight(classes, max_rows):
    X, y = mixed(70, seed=0)
    weight = np.where(np.arange(70) % 7 == 0, 0.0, 1.0)
    folds = default_folds(ReadTable.of(X, "from_dtype"), y, weight, classes=classes, max_rows=max_rows)
    held_out = np.concatenate([test for _, test in folds])
    assert len(folds) == 5
    assert len(set(held_out)) == len(held_out) == (max_rows or 60)
    assert (weight[held_out] > 0).all()
    for train, test in folds:
        assert sorted([*train, *test]) == sorted(held_out)
        if classes:
            shares = np.bincount(y[held_out]) / 5
            assert (np.abs(np.bincount(y[test], minlength=3) - shares) <= 1).all()


def test_sorted_tables_are_shuffled():
    """Folds of neighbouring rows would hold out whole ranges of numbers."""
    y = np.arange(50.0)
    folds = default_folds(ReadTable.of(y[:, None], None), y, None, classes=False)
    assert all(np.ptp(y[test]) > 25 for _, test in folds)


SEARCHES = {
    "classes": FGAClassifierCV(gammas=GAMMAS),
    "sample": FGAClassifierCV(gammas=GAMMAS, metric="euclidean", max_rows=30),
    "order": FGAOrdinalClassifierCV(gammas=GAMMAS, metric="euclidean"),
    "numbers": FGARegressorCV(gammas=[0.3, 3.0]),
    "interval": FGARegressorCV(gammas=[0.3, 3.0], metric="euclidean", max_rows=30, interval=0.8),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@examples(3)
@given(st.integers(0, 10**6))
def test_neither_the_order_of_rows_nor_the_names_of_classes_matter(search, seed):
    """Not to the gamma, not to its scores, not to any prediction."""
    X, y = mixed(45, seed=seed % 7)
    order = np.random.default_rng(seed).permutation(45)
    # Names of ordered classes say their order.
    names = np.array([10, 20, 30]) if isinstance(search, FGAOrdinalClassifierCV) else np.array(["n", "z", "a"])
    named = y if isinstance(search, FGARegressorCV) else names[y]
    one, other = clone(search).fit(X, y), clone(search).fit(X.iloc[order], named[order])
    assert other.gamma_ == one.gamma_
    np.testing.assert_allclose(other.cv_results_["mean_test_score"], one.cv_results_["mean_test_score"], atol=1e-12)
    predicted = one.predict(X)
    if isinstance(search, FGARegressorCV):
        np.testing.assert_allclose(other.predict(X), predicted, atol=1e-9)
    else:
        np.testing.assert_array_equal(other.predict(X), names[predicted])


def test_columns_that_are_left_out_do_not_matter():
    """Names, running numbers and empty columns change no fold, so the command line, which drops them, agrees."""
    X, y = mixed(60, seed=1)
    names = [f"person {i * 37 % 60}" for i in range(60)]
    others = {"name": names, "nothing": [None] * 60, "number": np.arange(60)[::-1]}
    wide = X.assign(**others)[[*others, *X.columns]]
    for classes in (True, False):
        one, other = (default_folds(ReadTable.of(table, "from_dtype"), y, None, classes=classes) for table in (X, wide))
        np.testing.assert_array_equal([test for _, test in one], [test for _, test in other])


def test_the_order_of_distances_does_not_matter():
    X, y = overlapping()
    distances = pairwise_distances(X) / 4.0
    order = np.random.default_rng(0).permutation(len(y))
    one = FGAClassifierCV(gammas=GAMMAS, metric="precomputed", max_rows=40).fit(distances, y)
    other = FGAClassifierCV(gammas=GAMMAS, metric="precomputed", max_rows=40)
    other.fit(distances[np.ix_(order, order)], y[order])
    np.testing.assert_allclose(one.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"], atol=1e-12)


@pytest.mark.parametrize("cv", [None, 3])
def test_a_number_is_that_many_folds(cv):
    X, y = overlapping()
    found = FGAClassifierCV(gammas=GAMMAS, cv=cv).fit(X, y)
    folds = default_folds(ReadTable.of(X, None), y, None, classes=True, n_folds=cv or 5)
    same = FGAClassifierCV(gammas=GAMMAS, cv=folds).fit(X, y)
    assert found.n_splits_ == (cv or 5)
    np.testing.assert_array_equal(found.cv_results_["mean_test_score"], same.cv_results_["mean_test_score"])


@pytest.mark.parametrize("wrong", [{"cv": 1}, {"max_rows": 0}, {"max_rows": 2.5}])
def test_wrong_numbers_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))}="):
        FGAClassifierCV(**wrong).fit(*overlapping())


def test_small_tables_have_fewer_folds():
    assert FGAClassifierCV(gammas=GAMMAS).fit([[0.0], [1.0], [0.1]], ["a", "b", "a"]).n_splits_ == 2
    assert FGARegressorCV(gammas=GAMMAS).fit(np.arange(7.0)[:, None], np.arange(7.0)).n_splits_ == 3


def test_progress_is_printed_where_it_is_asked_for(capsys):
    FGAClassifierCV(gammas=GAMMAS, max_rows=40, verbose=1).fit(*overlapping())
    lines = [line for line in capsys.readouterr().out.splitlines() if "choosing gamma" in line]
    assert len(lines) == 10
    assert lines[-1] == "[fgac] choosing gamma on 40 of 60 rows: 10 of 10 models"
