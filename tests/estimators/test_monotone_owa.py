"""Ordered weighted averages over ordered columns: the paper's formulas for a relation that is not symmetric."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from fgac import FGAClassifier, FGAClassifierCV, load_model, save_model
from fgac.fuzzy.connectives import LUKASIEWICZ, ResidualTriplet, power
from fgac.fuzzy.owa import resolve_owa
from support.directed import directed_distances, monotone_cases, raised_queries
from support.explained import assert_adds_up
from support.grid_search import PLAIN_CLASSES
from support.property_tests import examples

OWA = ["additive", "exponential", "inverse_additive", "strict", ("additive", 3)]


def degrees(X, others, case, phi):
    """Return R(x, u) of the higher class in plain loops: how far x is at least u."""
    settings = case.settings
    d = directed_distances(others, X, case.X, settings["metric"]).T  # by how much u is above x
    plain = np.maximum(0.0, 1.0 - settings["gamma"] * d)
    return plain if phi.is_convex else phi.inverse(plain)


def literal(case, model, X, family, k, phi):
    """Return OWA_WU {T(R(x, u), A(u))} and OWA_WL {I(R(u, x), A(u))} for the higher class, a sum of products each."""
    triplet = ResidualTriplet(LUKASIEWICZ, phi)
    A = phi.inverse(np.where(case.y == 1, phi(model.beta_), 1.0 - phi(model.beta_)))
    forth, back = degrees(X, case.X, case, phi), degrees(case.X, X, case, phi).T
    weights = resolve_owa(family, len(A), k)
    lower, upper = [], []
    for i in range(len(X)):
        both = sorted((float(triplet.t_norm(forth[i, u], A[u])) for u in range(len(A))), reverse=True)
        implied = sorted(float(triplet.implicator(back[i, u], A[u])) for u in range(len(A)))
        lower.append(sum(w * v for w, v in zip(weights, both, strict=True)))
        upper.append(sum(w * v for w, v in zip(weights, implied, strict=True)))
    return np.array(lower), np.array(upper)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("owa", OWA, ids=str)
@examples(12)
@given(case=monotone_cases(n_classes=2), rows=raised_queries())
def test_bounds_are_the_formula(case, rows, owa, exponent):
    """For the higher class; the lower class is its complement, for the inverse relation."""
    phi = power(exponent)
    model = FGAClassifier(**case.settings, owa=owa, isomorphism=phi).fit(case.X, case.y)
    family, k = owa if isinstance(owa, tuple) else (owa, None)
    lower, upper = literal(case, model, rows[0], family, k, phi)
    found = model.memberships(rows[0])
    # A root turns a rounding error of 1e-10 near 0 into 1e-5; weights do not undo that.
    atol = 1e-9 if exponent <= 1 else 2e-4
    np.testing.assert_allclose(found.lower[:, 1], lower, atol=atol)
    np.testing.assert_allclose(found.upper[:, 1], upper, atol=atol)
    if exponent == 1:
        np.testing.assert_allclose(found.lower[:, 0], 1.0 - upper, atol=1e-9)
        np.testing.assert_allclose(found.degree.sum(axis=1), 1.0, atol=1e-9)


@pytest.mark.parametrize("owa", OWA, ids=str)
@examples(20)
@given(case=monotone_cases(n_classes=2), rows=raised_queries())
def test_predictions_are_monotone(case, rows, owa):
    """A better row raises every T and every I, so it never gets a lower degree, nor a lower class."""
    model = FGAClassifier(**case.settings, owa=owa).fit(case.X, case.y, case.weights)
    low, high = (model.memberships(part) for part in rows)
    for before, after in zip(low, high, strict=True):
        assert (after[:, 1] >= before[:, 1] - 1e-9).all()
        assert (after[:, 0] <= before[:, 0] + 1e-9).all()
    assert (model.predict(rows[1]) >= model.predict(rows[0])).all()


@examples(20)
@given(case=monotone_cases(n_classes=2), rows=raised_queries())
def test_strict_weights_are_no_averages(case, rows):
    """All weight on the extreme values gives the plain bounds."""
    plain = FGAClassifier(**case.settings).fit(case.X, case.y, case.weights).memberships(rows[0])
    strict = FGAClassifier(**case.settings, owa="strict").fit(case.X, case.y, case.weights).memberships(rows[0])
    for part, expected in zip(strict, plain, strict=True):
        np.testing.assert_allclose(part, expected, atol=1e-9)


@pytest.mark.parametrize("owa", OWA, ids=str)
@examples(15)
@given(case=monotone_cases(n_classes=2), rows=raised_queries(n=4), n_arguments=st.integers(1, 5))
def test_shares_of_arguments_add_up(case, rows, owa, n_arguments):
    """Weights times strengths, and the rest, are the bounds; strengths are T of the numbers shown; words agree."""
    model = FGAClassifier(**case.settings, owa=owa).fit(case.X, case.y, case.weights)
    for e in model.explain(rows[0], n_arguments=n_arguments):
        assert_adds_up(e, soft=True)
        for a in (*e.arguments_for, *e.arguments_against):
            assert a.strength == pytest.approx(max(0.0, a.similarity + a.degree - 1.0), abs=1e-9)
        text = e.text()
        if e.arguments_for:
            exceeds = "exceed" if e.prediction == 1 else "below"
            line = next(line for line in text.splitlines() if "argument for it" in line)
            assert exceeds in line


@examples(15)
@given(case=monotone_cases(n_classes=2), rows=raised_queries(n=4), family=st.sampled_from(["additive", "exponential"]))
def test_the_radius_holds(case, rows, family):
    """Towards rows of the training table, within the radius, the label stays."""
    model = FGAClassifier(**case.settings, owa=family).fit(case.X, case.y, case.weights)
    for x, e in zip(rows[0], model.explain(rows[0]), strict=True):
        for target in case.X:
            way = target - x
            way[3] = 0.0
            length = max(
                directed_distances((x + way)[None], x[None], case.X, case.settings["metric"])[0, 0],
                directed_distances(x[None], (x + way)[None], case.X, case.settings["metric"])[0, 0],
            )
            if length > 0 and e.certified_radius > 1e-6:
                moved = x + way * min(1.0, 0.999 * e.certified_radius / length)
                assert model.predict([moved])[0] == e.prediction


def test_a_search_gives_what_a_grid_search_gives(tmp_path):
    """Cross-validation does not share one-sided distances between the two sides; files keep the model."""
    rng = np.random.default_rng(0)
    X = rng.random((60, 3))
    y = (X[:, 0] - X[:, 1] + 0.4 * rng.random(60) > 0.2).astype(int)
    setting = {"owa": "additive", "monotonic_cst": [1, -1, 0]}
    gammas, folds = [0.5, 1.0, 3.0], StratifiedKFold(3)
    search = FGAClassifierCV(gammas=gammas, cv=folds, scoring="accuracy", **PLAIN_CLASSES, **setting).fit(X, y)
    grid = GridSearchCV(FGAClassifier(**setting), {"gamma": gammas}, cv=folds).fit(X, y)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], grid.cv_results_["mean_test_score"])
    model = search.best_estimator_
    save_model(model, tmp_path / "model.fgac")
    again = load_model(tmp_path / "model.fgac")
    np.testing.assert_array_equal(again.memberships(X).degree, model.memberships(X).degree)
    assert again.explain(X[:3]) == model.explain(X[:3])
