"""What explainers of all kinds share: requests are checked, ties are broken, near-duplicates are one argument."""

import numpy as np
import pytest

from fgac import FGAClassifier, FGARegressor
from fgac.estimators._state import state_of
from fgac.explainers.base import Options, check_truths, check_units, named_rows
from fgac.explainers.classification import ClassificationExplainer
from fgac.explainers.regression import RegressionExplainer

ROWS = [[0.0], [0.01], [0.02], [0.5], [0.51], [1.0]]


def options(n_arguments=3, merge_similarity=0.95):
    return Options.checked(n_arguments, merge_similarity, None, ("x0",))


@pytest.fixture(scope="module")
def numbers():
    return state_of(FGARegressor(gamma=1.0).fit(ROWS, [1.0, 1.1, 1.2, 3.0, 3.1, 5.0], ids=list("abcdef")))


@pytest.fixture(scope="module")
def classes():
    return state_of(FGAClassifier(gamma=1.0).fit(ROWS, ["p", "q", "p", "p", "p", "q"], ids=list("abcdef")))


def test_a_group_is_the_strongest_node_left_and_its_near_duplicates(numbers):
    """Nodes are sorted by target here, so they are numbered as the rows are."""
    groups = RegressionExplainer(numbers, options()).groups(np.array([4, 1, 0, 3, 2, 5]))
    assert [group.tolist() for group in groups] == [[0, 3], [1, 2, 4], [5]]


def test_there_are_no_more_groups_than_arguments(numbers):
    ranked = np.array([4, 1, 0, 3, 2, 5])
    assert len(RegressionExplainer(numbers, options(2)).groups(ranked)) == 2
    assert RegressionExplainer(numbers, options()).groups(ranked[:0]) == []


def test_all_rows_are_arguments_of_their_own_at_a_similarity_of_1(numbers):
    groups = RegressionExplainer(numbers, options(9, 1.0)).groups(np.arange(6))
    assert [group.tolist() for group in groups] == [[i] for i in range(6)]


def test_rows_of_different_classes_are_never_merged(classes):
    """The nodes of class p come first: a, c, d, e, then b and f."""
    groups = ClassificationExplainer(classes, options(9)).groups(np.arange(6))
    assert [group.tolist() for group in groups] == [[0, 1], [2, 3], [4], [5]]


def test_ties_are_broken_in_order(numbers):
    """Strengths that differ by rounding tie; then the tie-breakers decide in turn, and the number of the node last."""
    explainer = RegressionExplainer(numbers, options())
    nodes, strengths = np.array([7, 8, 9, 3]), np.array([0.5, 0.5 + 1e-12, 0.5, 0.9])
    near, rank = np.array([0.2, 0.1, 0.2, 0.9]), np.array([1, 0, 0, 0])
    assert nodes[explainer.by_strength(nodes, strengths, near, rank)].tolist() == [3, 8, 9, 7]
    assert nodes[explainer.by_strength(nodes, strengths)].tolist() == [3, 7, 8, 9]


def test_rows_are_named_by_the_first(numbers):
    found = named_rows(numbers.records, np.array([4, 2, 0]))
    assert found == {"index": 4, "id": "e", "alike": ("c", "a")}


def test_truths_may_be_missing():
    assert check_truths(None, 2) == [None, None]
    assert check_truths(["a", None], 2) == ["a", None]
    assert check_truths([1, np.nan], 2, what="number", read=float) == [1.0, None]
    with pytest.raises(ValueError, match="y must hold one number per explained row: X has 3 rows, got 1 numbers"):
        check_truths([1.0], 3, what="number", read=float)


def test_units_are_those_of_columns_and_of_the_target():
    assert check_units(None, ("age",)) == {}
    assert check_units({"age": "years", "y": "EUR"}, ("age",), "y") == {"age": "years", "y": "EUR"}
    with pytest.raises(ValueError, match=r"units names \['y'\], which are not columns of the model: \['age'\]$"):
        check_units({"y": "EUR"}, ("age",))


@pytest.mark.parametrize("wrong", [0, 1.5, True, "much", None, float("nan")])
def test_similarities_that_rows_cannot_have_are_refused(wrong):
    with pytest.raises(ValueError, match=r"merge_similarity=.* must be a similarity in \(0, 1\]"):
        options(merge_similarity=wrong)
