"""Searches on tables small enough to look at everything."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fgac
from fgac.explainers.changes.question import Question, wanted_class, wanted_classes
from fgac.explainers.changes.search import Found, best
from fgac.tables.columns import Column
from support.property_tests import examples


@examples(40)
@given(st.integers(0, 2**16), st.sampled_from([1.0, 3.0, 8.0]))
def test_the_fewest_columns_on_tables_of_few_values(seed, gamma):
    """Of all rows there can be, none with one changed column is nearer, and none has one where two were needed."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 4, 30), "b": rng.integers(0, 4, 30), "c": rng.choice(list("xyz"), 30)})
    y = (X["a"] + X["b"] + 2 * (X["c"] == "x") + rng.integers(0, 2, 30) > 4).astype(int)
    if y.nunique() < 2:
        return
    model = fgac.FGAClassifier(gamma=gamma, metric="manhattan").fit(X, y)
    values = [sorted(X[name].unique()) for name in X]
    rows = pd.DataFrame(list(product(*values)), columns=X.columns)
    predicted = model.predict(rows)
    for i in range(5):
        here = rows.iloc[[7 * i % len(rows)]]
        label = model.predict(here)[0]
        (changes,) = model.counterfactuals(here, n=1)
        n_changed = (rows != here.iloc[0]).sum(axis=1)
        fewest = n_changed[predicted != label].min()
        if changes and fewest == 1:
            assert len(changes[0].changes) == 1
        if not changes:
            # With so few values, whatever can be reached was looked at.
            assert not (model.beta_[y.to_numpy() != label] > 0.5).any()


def test_only_what_is_minimal_is_kept():
    found = [Found(0, (1, 2), (0.0, 0.0), 0.1), Found(0, (1,), (0.0,), 0.5), Found(0, (2, 3), (0.0, 0.0), 0.2)]
    assert [each.columns for each in best(found, 3)] == [(1,), (2, 3)]
    assert best(found, 1) == [found[1]]


def test_what_a_question_allows():
    columns = [Column("a"), Column("b"), Column("c", categories={"x": 0})]
    asked = Question.checked(columns, ["a", "b", "c"], fixed=[2], directions={"a": "down", 1: 0})
    assert asked.directions == {0: -1}
    before, after = np.array([1.0, 1.0, 1.0, np.nan]), np.array([0.0, 2.0, np.nan, 2.0])
    assert asked.allows(0, before, after).tolist() == [True, False, False, True]
    assert asked.allows(1, before, after).tolist() == [True, True, False, True]
    assert not asked.allows(2, before, after).any()


@pytest.mark.parametrize(
    ("target", "classes", "found"),
    [("b", ["a", "b"], 1), (1, [0, 1], 1), ("1", [0, 1], 1), (True, [False, True], 1), (2.0, [1, 2], 1)],
)
def test_classes_are_found_as_they_are_written(target, classes, found):
    assert wanted_class(target, np.array(classes)) == found


@pytest.mark.parametrize("target", [("good", "poor"), (None, None), ("poor",), "bad"])
def test_spans_that_make_no_sense(target):
    with pytest.raises(ValueError, match="target="):
        wanted_classes(target, np.array(["poor", "fair", "good"]))


def test_pairs_of_columns_are_found_where_one_does_not_do():
    """An AND: only both columns together."""
    X = np.array(list(product(range(5), repeat=2)), dtype=float)
    y = (X.min(axis=1) >= 3).astype(int)
    model = fgac.FGAClassifier(gamma=8.0, metric="manhattan").fit(X, y)
    ((change, *_),) = model.counterfactuals([[0.0, 0.0]], 1)
    assert len(change.changes) == 2
    assert all(2.0 < each.after <= 3.0 for each in change.changes)
    smaller = [model.predict([row]) for row in combinations([change.changes[0].after, 0.0], 2)]
    assert [label[0] for label in smaller] == [0]
