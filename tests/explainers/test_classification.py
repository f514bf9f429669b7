"""An explanation tells the prediction as the model makes it: class, bounds, margin, ties, truth."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.exceptions import NotFittedError

from fgac import FGAClassifier, FGAClassifierCV
from fgac.explanation.classification import Explanation, Explanations
from support.explained import CLOSE, SETTINGS, samples
from support.property_tests import examples
from support.strategies import queries, table_cases

MANY = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)


def assert_tells_the_prediction(clf, Q):
    """Compare every explanation with predict and memberships."""
    explanations, predicted, memberships = clf.explain(Q), clf.predict(Q), clf.memberships(Q)
    assert len(explanations) == len(Q)
    for i, e in enumerate(explanations):
        assert e.index == i
        assert e.prediction == predicted[i]
        assert [m.label for m in e.memberships] == clf.classes_.tolist()
        told = np.array([[m.lower, m.upper, m.degree] for m in e.memberships]).T
        np.testing.assert_allclose(told, [part[i] for part in memberships], atol=1e-12)
        own = e.memberships[clf.classes_.tolist().index(e.prediction)]
        assert (e.lower, e.upper, e.degree) == (own.lower, own.upper, own.degree)
        others = {m.label: m.degree for m in e.memberships if m.label != e.prediction}
        np.testing.assert_allclose(e.margin, e.degree - max(others.values()), atol=1e-12)
        assert others[e.runner_up] >= max(others.values()) - CLOSE
        near = [m.label for m in e.memberships if m.degree >= max(told[2]) - CLOSE]
        assert list(e.tied) == (near if len(near) > 1 else [])


@MANY
@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
def test_prediction_bounds_and_margin_are_the_models(n_classes, setting):
    """One explanation per row, in order, with the numbers that predict and memberships give."""
    X, y = samples(n_classes=n_classes, seed=n_classes)
    assert_tells_the_prediction(FGAClassifier(gamma=2.0, **setting).fit(X, y), samples(12, seed=9)[0] * 1.5)


@examples(20)
@given(table_cases())
def test_prediction_bounds_and_margin_with_ties_and_repeated_rows(case):
    """The same on grids, where ties are the rule."""
    clf = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights)
    assert_tells_the_prediction(clf, queries(1))


def test_what_comes_back_is_typed():
    """A sequence of Explanation values."""
    X, y = samples()
    explanations = FGAClassifier().fit(X, y).explain(X[:2])
    assert isinstance(explanations, Explanations)
    assert all(isinstance(e, Explanation) for e in explanations)


def test_a_worked_example():
    """Rows at 0 and 1, gamma 1: a row at 0.25 is in the class of the first to 0.75, and may move to the middle."""
    e = FGAClassifier().fit([[0.0], [1.0]], ["a", "b"]).explain([[0.25]])[0]
    assert (e.index, e.id, e.prediction, e.runner_up, e.truth) == (0, 0, "a", "b", None)
    assert (e.lower, e.upper, e.degree, e.margin) == (0.75, 0.75, 0.75, 0.5)
    assert e.certified_radius == pytest.approx(0.25, abs=1e-9)
    (favour,), (against,) = e.arguments_for, e.arguments_against
    assert (favour.index, favour.label, favour.distance, favour.similarity) == (0, "a", 0.25, 0.75)
    assert (favour.membership, favour.degree, favour.strength, favour.weight) == (1.0, 1.0, 0.75, 1.0)
    assert (against.index, against.label, against.distance, against.similarity) == (1, "b", 0.75, 0.25)
    assert (against.membership, against.degree, against.strength, against.weight) == (1.0, 1.0, 0.25, 1.0)
    assert e.tied == ()
    assert not e.resembles_nothing
    assert e.nearest is None


@pytest.mark.parametrize("setting", [{}, {"owa": "additive"}, {"isomorphism": 2.0}], ids=str)
def test_one_class(setting):
    """Nothing competes: the margin is 1, there is no runner-up and nothing against."""
    e = FGAClassifier(**setting).fit([[0.0], [1.0]], ["only", "only"]).explain([[0.5]])[0]
    assert (e.prediction, e.margin, e.runner_up, e.upper) == ("only", 1.0, None, 1.0)
    assert e.arguments_against == ()
    assert e.tied == ()
    assert len(e.arguments_for) == 2


def test_one_row():
    """A model of one row explains by it alone."""
    e = FGAClassifier(gamma=0.5).fit([[3.0, 4.0]], ["only"], ids=["r"]).explain([[3.0, 4.0]])[0]
    assert [(a.id, a.strength, a.weight) for a in e.arguments_for] == [("r", 1.0, 1.0)]
    assert (e.lower, e.upper, e.degree, e.margin) == (1.0, 1.0, 1.0, 1.0)


# ----------------------------------------------------------------------------------------------------
# Ties, and rows like no other
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", ["nearest", "first"])
def test_a_tie_is_told(ties):
    """Halfway between two rows both classes have the same degree: margin 0, radius 0, both named."""
    e = FGAClassifier(ties=ties).fit([[0.0], [1.0]], ["a", "b"]).explain([[0.5]])[0]
    assert e.tied == ("a", "b")
    assert e.prediction in e.tied
    assert e.runner_up in e.tied
    assert e.runner_up != e.prediction
    assert e.margin == pytest.approx(0.0, abs=CLOSE)
    assert e.certified_radius == pytest.approx(0.0, abs=CLOSE)
    assert e.certified_radius >= 0.0
    assert not e.resembles_nothing


def test_only_the_classes_that_tie_are_named():
    """A third class far away is no part of a tie."""
    X = [[0.0], [1.0], [9.0], [10.0]]
    e = FGAClassifier(gamma=5.0).fit(X, ["m", "z", "a", "a"]).explain([[0.5]])[0]
    assert e.tied == ("m", "z")


@MANY
def test_a_row_like_no_other(setting):
    """Far from everything there are no arguments; the row that comes nearest to being one is told."""
    X, y = samples(n_classes=3)
    clf = FGAClassifier(gamma=3.0, **setting).fit(X, y)
    for e in clf.explain([[50.0, 60.0], [-70.0, 80.0]]):
        assert e.resembles_nothing
        assert e.arguments_for == e.arguments_against == ()
        assert (e.lower, e.upper) == (0.0, 1.0)
        assert (e.rest_for, e.rest_against) == (0.0, 0.0)
        assert e.tied == (0, 1, 2)
        assert e.margin == pytest.approx(0.0, abs=CLOSE)
        assert e.nearest.strength == 0.0
        assert e.nearest.similarity == 0.0
        assert e.nearest.label == y[e.nearest.index]
        assert e.nearest.membership == clf.beta_[e.nearest.index]


def test_the_nearest_row_is_nearest_to_being_an_argument():
    """It has the largest beta - gamma d, which makes it one of the class that is predicted."""
    X, y = samples(n_classes=2, seed=4)
    clf = FGAClassifier(gamma=3.0, scale=None).fit(X, y)
    Q = np.array([[9.0, 9.0], [-5.0, 0.0], [0.0, 7.0]])
    for q, e in zip(Q, clf.explain(Q), strict=True):
        d = np.sqrt(((X - q) ** 2).sum(axis=1) / 2)
        assert e.nearest.index == np.argmax(clf.beta_ - 3.0 * d)
        assert e.nearest.distance == pytest.approx(d[e.nearest.index])
        assert e.nearest.label == e.prediction
        assert len(e.nearest.attributes) == 2


def test_similar_but_not_enough():
    """A row of low membership at some distance says nothing, although it is similar."""
    X, y = [[0.0], [0.0], [0.0]], ["a", "b", "b"]
    clf = FGAClassifier(scale=None).fit(X, y)
    assert clf.beta_[0] == pytest.approx(1 / 3)
    assert clf.beta_[1] == pytest.approx(2 / 3)
    e = clf.explain([[0.5]])[0]  # similarity 0.5 to all; 0.5 + 1/3 < 1, 0.5 + 2/3 > 1
    assert e.prediction == "b"
    assert not e.resembles_nothing
    assert len(e.arguments_for) == 1
    assert e.arguments_against == ()
    nothing = clf.explain([[0.7]])[0]
    assert nothing.resembles_nothing
    assert nothing.nearest.similarity == pytest.approx(0.3)
    assert nothing.nearest.label == "b"


@examples(20)
@given(table_cases(max_rows=8))
def test_nearest_is_told_where_no_row_says_anything_and_only_there(case):
    """Nothing resembles a row if no bound of any class is touched; then, and only then, the nearest row is told."""
    clf = FGAClassifier(gamma=case.gamma).fit(case.X, case.y)
    for e in clf.explain(queries(7)):
        touched = max(max(m.lower, 1.0 - m.upper) for m in e.memberships)
        assert e.resembles_nothing or touched > 0.0
        assert not e.resembles_nothing or touched <= CLOSE
        assert (e.nearest is not None) == e.resembles_nothing
        if e.resembles_nothing:
            assert e.arguments_for == e.arguments_against == ()


def test_no_arguments_although_something_resembles():
    """Two classes share a place: their rows say nothing about each other's classes, but rule the distant one out."""
    clf = FGAClassifier(scale=None).fit([[0.0], [0.0], [9.0]], ["a", "b", "c"])
    e = clf.explain([[0.6]])[0]
    assert e.tied == ("a", "b")
    assert (e.lower, e.upper) == (0.0, 1.0)
    assert e.arguments_for == e.arguments_against == ()
    assert e.memberships[2].upper == pytest.approx(0.6)
    assert not e.resembles_nothing
    assert e.nearest is None


# ----------------------------------------------------------------------------------------------------
# Truth, and wrong calls
# ----------------------------------------------------------------------------------------------------


def test_truth_is_what_the_caller_says():
    """Labels come back as plain values, right or wrong, known to the model or not."""
    clf = FGAClassifier().fit([[0.0], [1.0]], ["a", "b"])
    truths = [e.truth for e in clf.explain([[0.1], [0.2], [0.3]], y=np.array(["a", "b", "z"]))]
    assert truths == ["a", "b", "z"]
    assert all(type(truth) is str for truth in truths)
    assert clf.explain([[0.1]])[0].truth is None


def test_truth_where_it_is_known():
    """A missing label is no label."""
    clf = FGAClassifier().fit([[0.0], [1.0]], ["a", "b"])
    assert [e.truth for e in clf.explain([[0.1], [0.2], [0.3]], y=["a", None, float("nan")])] == ["a", None, None]
    numbered = FGAClassifier().fit([[0.0], [1.0]], [1.0, 2.0]).explain([[0.1], [0.2]], y=[2.0, np.nan])
    assert [e.truth for e in numbered] == [2.0, None]
    numbered.to_json()


@pytest.mark.parametrize("kind", ["list", "pandas", "polars"])
def test_truth_may_come_in_any_form(kind):
    """A list or a series."""
    import pandas as pd
    import polars as pl

    y = {"list": list, "pandas": pd.Series, "polars": pl.Series}[kind]([1, 0])
    truths = [e.truth for e in FGAClassifier().fit([[0.0], [1.0]], [0, 1]).explain([[0.1], [0.2]], y=y)]
    assert truths == [1, 0]
    assert all(type(truth) is int for truth in truths)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"n_arguments": 0}, "n_arguments"),
        ({"n_arguments": -1}, "n_arguments"),
        ({"n_arguments": 1.5}, "n_arguments"),
        ({"n_arguments": True}, "n_arguments"),
        ({"n_arguments": "three"}, "n_arguments"),
        ({"merge_similarity": 1.5}, "merge_similarity"),
        ({"merge_similarity": -0.1}, "merge_similarity"),
        ({"merge_similarity": float("nan")}, "merge_similarity"),
        ({"merge_similarity": "very"}, "merge_similarity"),
        ({"y": [0]}, "y"),
        ({"y": [0, 1, 0]}, "y"),
        ({"ids": ["a"]}, "ids"),
        ({"units": {"height": "cm"}}, "height"),
        ({"units": "cm"}, "units"),
    ],
    ids=str,
)
def test_wrong_calls_are_named(wrong, word):
    """The error says which parameter."""
    clf = FGAClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises((ValueError, TypeError), match=word):
        clf.explain([[0.5], [0.6]], **wrong)


def test_only_fitted_models_explain():
    """Before fit there is nothing to tell."""
    with pytest.raises(NotFittedError):
        FGAClassifier().explain([[0.0]])


def test_no_rows_are_an_error_as_in_predict():
    """scikit-learn refuses tables without rows, and so do explanations."""
    clf = FGAClassifier().fit([[0.0], [1.0]], [0, 1])
    for ask in (clf.predict, clf.explain):
        with pytest.raises(ValueError, match="0 sample"):
            ask(np.empty((0, 1)))


def test_a_wrong_number_of_columns_is_an_error():
    """As in predict."""
    with pytest.raises(ValueError, match="features"):
        FGAClassifier().fit([[0.0], [1.0]], [0, 1]).explain([[0.5, 0.5]])


def test_no_cases_are_like_a_guess():
    """How often predictions were right is said of those with arguments; of a guess there are none to count."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    model = FGAClassifierCV(gammas=[20.0], metric="euclidean", cv=2).fit(X, X[:, 0] > 0)
    known, lost = model.explain([X[0], [90.0, -90.0]])
    assert known.reliability is not None
    assert lost.resembles_nothing
    assert lost.reliability is None
    assert "such cases" not in lost.text()
