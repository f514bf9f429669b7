"""Accuracy of the most confident predictions: by hand, whatever the order of the rows, and in evaluations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_moons
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, evaluate
from fgac.selection.coverage import SHARES, accuracy_at, coverage_curve
from fgac.tables.splits import stratified_folds

X, Y = make_moons(120, noise=0.4, random_state=0)


@st.composite
def judged_rows(draw):
    """True and predicted classes, confidences of which some are equal, and whole weights."""
    n = draw(st.integers(1, 25))
    codes = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    sure = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0]), min_size=n, max_size=n)
    weights = st.lists(st.integers(1, 3), min_size=n, max_size=n)
    y, predicted = (np.array(list("abc"))[draw(codes)] for _ in range(2))
    return y, predicted, np.array(draw(sure)), np.array(draw(weights), dtype=float)


@given(judged_rows())
def test_every_point_of_the_curve_is_the_accuracy_of_the_rows_above_a_confidence(rows):
    y, predicted, sure, weight = rows
    curve = coverage_curve(y, predicted, sure, weight)
    assert curve.confidence.tolist() == sorted(set(sure.tolist()), reverse=True)
    for least, coverage, accuracy, balanced in zip(*curve, strict=True):
        kept = sure >= least
        truth, said, own = y[kept], predicted[kept], weight[kept]
        assert coverage == pytest.approx(own.sum() / weight.sum())
        assert accuracy == pytest.approx(accuracy_score(truth, said, sample_weight=own))
        recalls = [np.average(said[truth == c] == c, weights=own[truth == c]) for c in np.unique(truth)]
        assert balanced == pytest.approx(np.mean(recalls))


@given(judged_rows(), st.permutations(range(25)))
def test_neither_the_order_of_the_rows_nor_how_they_are_repeated_matters(rows, order):
    y, predicted, sure, weight = rows
    right = y == predicted
    expected = accuracy_at(SHARES, sure, right, weight)
    order = [i for i in order if i < len(y)]
    np.testing.assert_allclose(accuracy_at(SHARES, sure[order], right[order], weight[order]), expected)
    each = np.repeat(np.arange(len(y)), weight.astype(int))
    np.testing.assert_allclose(accuracy_at(SHARES, sure[each], right[each], np.ones(len(each))), expected)


@given(judged_rows())
def test_a_share_that_ends_among_equals_has_their_accuracy_on_average(rows):
    y, predicted, sure, _ = rows
    right = (y == predicted).astype(float)
    n, half = len(y), (len(y) + 1) // 2
    found = accuracy_at([half / n], sure, right > 0, np.ones(n))[0]
    least = np.sort(sure)[::-1][half - 1]
    above, tied = sure > least, sure == least
    expected = right[above].sum() + (half - above.sum()) * right[tied].mean()
    assert found.tolist() == pytest.approx([expected / half, least])


def test_all_rows_have_the_accuracy_of_the_evaluation():
    for model in (FGAClassifier(), FGAOrdinalClassifier()):
        found = evaluate(model, X, Y, gamma=3.0)
        assert [each.share for each in found.coverage] == [1.0, 0.9, 0.8, 0.5]
        assert found.coverage[0].accuracy.mean == pytest.approx(found.fgac.accuracy.mean)
        assert found.coverage[-1].accuracy.mean > found.fgac.accuracy.mean
        assert sorted(each.min_confidence for each in found.coverage) == [
            each.min_confidence for each in found.coverage
        ]


def test_shares_are_those_of_every_test_part():
    model = FGAClassifierCV(gammas=[2.0, 5.0], cv=3)
    found = evaluate(model, X, Y, n_folds=4)
    accuracies, least = [], []
    for train, test in stratified_folds(Y, 4, 0):
        fitted = FGAClassifierCV(gammas=[2.0, 5.0], cv=3).fit(X[train], Y[train])
        sure = fitted.confidence(X[test])
        part = accuracy_at([0.8], sure, fitted.predict(X[test]) == Y[test], np.ones(len(test)))[0]
        accuracies.append(part[0])
        least.append(part[1])
    assert found.coverage[2].accuracy.mean == pytest.approx(np.mean(accuracies))
    assert found.coverage[2].min_confidence == pytest.approx(np.mean(least))


def test_numbers_have_no_coverage():
    assert not hasattr(evaluate(FGARegressor(), X, X[:, 0], gamma=3.0), "coverage")


def test_balanced_accuracy_of_all_rows_is_that_of_scikit_learn():
    fitted = FGAClassifier(gamma=3.0).fit(X[::2], Y[::2])
    predicted = fitted.predict(X[1::2])
    curve = coverage_curve(Y[1::2], predicted, fitted.confidence(X[1::2]), np.ones(60))
    assert curve.balanced_accuracy[-1] == pytest.approx(balanced_accuracy_score(Y[1::2], predicted))
