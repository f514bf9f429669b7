"""Fuzzy rough nearest neighbours over all rows, as in the paper, and rows that count in part."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split

from fgac.estimators.frnn import FRNNClassifier
from fgac.experiments.methods.prediction import ranked_scores
from fgac.fuzzy.owa import resolve_owa
from fgac.fuzzy.roughsets import lower_approximation, upper_approximation
from fgac.granular.rank_weights import cumulated_weights
from support.neighbours import FAMILIES, NEIGHBOURS, Q, assert_close, rms
from support.property_tests import examples
from support.strategies import table_cases


def literal(values, family, k, *, smallest):
    """Return OWA over all values, sorted, the weights multiplied one by one."""
    weights = resolve_owa(family, len(values), k)
    ordered = sorted(values, reverse=not smallest)
    return sum(w * v for w, v in zip(weights, ordered, strict=True))


@pytest.mark.parametrize("k", [*NEIGHBOURS, 100])
@pytest.mark.parametrize("family", FAMILIES)
@examples(20)
@given(case=table_cases())
def test_over_all_is_the_paper_s_formula(case, family, k):
    """OWA of I(R(v, x), A(v)) and of T(R(x, v), A(v)) over every training row v, in plain loops."""
    model = FRNNClassifier(n_neighbors=k, owa=family, over="all", gamma=case.gamma, scale=None)
    lower, upper, degree = model.fit(case.X, case.y).memberships(Q)
    for i, row in enumerate(np.maximum(0.0, 1.0 - case.gamma * rms(Q, case.X))):
        for column, label in enumerate(model.classes_):
            implied = [1.0 if y == label else 1.0 - r for r, y in zip(row, case.y, strict=True)]
            both = [r if y == label else 0.0 for r, y in zip(row, case.y, strict=True)]
            assert lower[i, column] == pytest.approx(literal(implied, family, k, smallest=True), abs=1e-9)
            assert upper[i, column] == pytest.approx(literal(both, family, k, smallest=False), abs=1e-9)
    np.testing.assert_allclose(degree, (lower + upper) / 2, atol=1e-12)


@pytest.mark.parametrize("k", [1, 4, None])
@given(case=table_cases())
def test_over_all_is_the_rough_approximation_and_the_reproduced_column(case, k):
    """The same numbers as the soft rough approximations and as the run of the paper's experiments."""
    model = FRNNClassifier(n_neighbors=k, over="all", scale=None).fit(case.X, case.y)
    steps = rms(Q, case.X)
    similar = np.maximum(0.0, 1.0 - steps)
    member = (case.y == model.classes_[:, None]).astype(float)
    lower, upper, degree = model.memberships(Q)
    for column, crisp in enumerate(member):
        soft = {"owa": "additive", "k": k}
        np.testing.assert_allclose(lower[:, column], lower_approximation(crisp, similar.T, **soft), atol=1e-9)
        np.testing.assert_allclose(upper[:, column], upper_approximation(crisp, similar, **soft), atol=1e-9)
    weights = resolve_owa("additive", len(case.y), k)[:, None]
    np.testing.assert_allclose(degree, ranked_scores(member, steps, weights)[:, :, 0], atol=1e-9)


@given(table_cases())
def test_few_neighbours_are_the_same_over_both(case):
    """Up to the size of the smallest class the rows outside of a class have no weight."""
    k = int(np.bincount(case.y).min())
    model = FRNNClassifier(n_neighbors=k, gamma=case.gamma).fit(case.X, case.y)
    assert_close(clone(model).set_params(over="all").fit(case.X, case.y).memberships(Q), model.memberships(Q))


def test_all_neighbours_over_all_rows_favour_the_larger_class():
    """Over all rows a class of 1 in 10 cannot reach 1/2, wherever a row lies; within classes it does."""
    rng = np.random.default_rng(0)
    X, y = np.concatenate([rng.normal(0, 1, 90), rng.normal(6, 0.1, 10)])[:, None], np.repeat([0, 1], [90, 10])
    assert (FRNNClassifier(over="all").fit(X, y).predict(X[90:]) == 0).all()
    assert (FRNNClassifier().fit(X, y).predict(X[90:]) == 1).all()


def test_the_numbers_that_decide_about_the_default():
    """Breast cancer, all neighbours, as docs/method.md tells it."""
    X, y = load_breast_cancer(return_X_y=True)
    train, test, labels, truth = train_test_split(X, y, test_size=0.4, random_state=0)
    within, over_all = (FRNNClassifier(over=over).fit(train, labels).predict(test) for over in ("class", "all"))
    assert (len(test), int((within != over_all).sum())) == (228, 72)
    assert balanced_accuracy_score(truth, within) == pytest.approx(0.915, abs=0.0005)
    assert balanced_accuracy_score(truth, over_all) == 0.5


def test_far_rows_go_to_the_nearer_class_over_all_rows_too():
    """Where nothing is similar, sizes of classes do not decide."""
    X, y = [[0.0], [0.1], [0.2], [1.0]], [0, 0, 0, 1]
    for over in ("class", "all"):
        model = FRNNClassifier(over=over, gamma=5.0).fit(X, y)
        np.testing.assert_array_equal(model.predict([[9.0], [-9.0]]), [1, 0])


# ----------------------------------------------------------------------------------------------------
# Rows that count in part
# ----------------------------------------------------------------------------------------------------

SOME = [*FAMILIES, "strict", (0.5, 0.3, 0.2)]


@pytest.mark.parametrize("over", ["class", "all"])
@pytest.mark.parametrize("k", [1, 3, None])
@pytest.mark.parametrize("family", SOME, ids=str)
@examples(10)
@given(case=table_cases())
def test_parts_of_a_row_add_up_to_it(case, family, k, over):
    """A row of weight m is the row in parts of 0.3 and m - 0.3, known by distances so that they are not merged."""
    family = family if family != (0.5, 0.3, 0.2) or k is None or k <= 3 else None
    model = FRNNClassifier(n_neighbors=k, owa=family, over=over, gamma=case.gamma, metric="precomputed")
    whole = model.fit(rms(case.X, case.X), case.y, sample_weight=case.weights).memberships(rms(Q, case.X))
    twice, labels = np.vstack([case.X, case.X]), np.append(case.y, case.y)
    parts = np.append(np.full(len(case.y), 0.3), case.weights - 0.3)
    split = clone(model).fit(rms(twice, twice), labels, sample_weight=parts)
    assert_close(split.memberships(rms(Q, twice)), whole, atol=1e-9)


@pytest.mark.parametrize("family", SOME, ids=str)
@given(n=st.floats(0.05, 40.0), k=st.sampled_from([None, 1, 3]))
def test_sums_of_weights_rise_from_0_to_1(family, n, k):
    """For any mass of rows, also less than one."""
    W = cumulated_weights(family if isinstance(family, str | None) else list(family), n, k, whole=False)
    at = W.at(np.linspace(0.0, n, 50))
    assert at[0] == 0.0
    assert at[-1] == pytest.approx(1.0, abs=1e-12)
    assert (np.diff(at) >= -1e-12).all()


@pytest.mark.parametrize("family", FAMILIES)
@given(case=table_cases())
def test_predictions_follow_the_weights_steadily(case, family):
    """A weight of 1.000001 is nearly a weight of 1: nothing jumps where numbers cease to be whole."""
    model = FRNNClassifier(owa=family, gamma=case.gamma)
    plain = model.fit(case.X, case.y).memberships(Q)
    assert_close(model.fit(case.X, case.y, np.full(len(case.y), 1.000001)).memberships(Q), plain, atol=1e-4)
