"""Section 4 of the paper, prediction, written down again (``support/paper/prediction.py``), against ``FGAClassifier``.

From the memberships that the library learned (which ``test_text_training.py`` compares) bounds, degrees and decisions
follow by closed formulas: they must agree to rounding. From memberships that a general solver learned, nearly so.
"""

import itertools

import numpy as np
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier
from support.paper import prediction, relations, training
from support.paper.connectives import Triplet
from support.paper.tables import GAMMAS, KINDS, QUICK_GAMMA, cases, for_each, random_case, slow_but, told
from support.settings_of_paper import ISOMORPHISMS, directions_of, dominance_of, isomorphisms, lukasiewicz, relation_of

METRICS = ("euclidean", "chebyshev")
# Two everyday gammas, each with a metric: averages and neighbours do not look at either.
PAIRS = ((0.3, "euclidean"), (1.7, "chebyshev"))
OWAS = ["additive", ("exponential", 3), "exponential", "inverse_additive", ("additive", 1), ("additive", 4), "strict"]
losses = pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])


def expected_memberships(case, beta, metric, triplet, owa=None):
    """Return the paper's (lower, upper, degree) of every new row and class."""
    relation = relation_of(case, metric, triplet)
    R = relations.matrix(relation, case.rows)
    answers = []
    for x in case.queries:
        similar = [relation(x, u) for u in case.rows]
        answers.append(prediction.predict(case.classes, beta, R, similar, similar, triplet, owa))
    return np.array(answers, dtype=float)


def check(model, case, expected, triplet, tolerance):
    """Compare bounds and degrees on the scale of phi, and the decision, with the first of equal degrees."""
    phi = np.vectorize(triplet.phi, otypes=[float])
    found = np.stack(model.memberships(case.Q), axis=2)
    np.testing.assert_allclose(phi(found), phi(expected), rtol=0, atol=tolerance)
    degrees = np.round(phi(expected[:, :, 2]), 9)
    assert model.predict(case.Q).tolist() == [prediction.decision(list(row)) for row in degrees]


def own_degrees(model):
    """Return beta as numbers."""
    return [float(b) for b in model.beta_]


@losses
@for_each(cases())
def test_bounds_degrees_and_decisions(case, loss):
    """All kinds of tables, one class or many, from tiny to huge gamma."""
    for metric in METRICS:
        model = FGAClassifier(gamma=case.gamma, loss=loss, metric=metric, ties="first").fit(case.X, case.y)
        expected = expected_memberships(case, own_degrees(model), metric, Triplet())
        with told(metric):
            check(model, case, expected, Triplet(), 1e-12)
            if len(set(case.classes)) == 2:
                decided = [prediction.binary_decision(round(row[1][2], 9), Triplet()) for row in expected.tolist()]
                assert model.predict(case.Q).tolist() == decided


@for_each(cases(seeds=(11,)))
def test_from_the_table_alone(case):
    """Training by a general solver and prediction by the formulas."""
    for metric in METRICS:
        model = FGAClassifier(gamma=case.gamma, metric=metric, ties="first").fit(case.X, case.y)
        R = relations.matrix(relation_of(case, metric), case.rows)
        beta = training.own_memberships(case.classes, R, Triplet(), "squared_error")
        with told(metric):
            check(model, case, expected_memberships(case, beta.tolist(), metric, Triplet()), Triplet(), 1e-9)


@isomorphisms()
@pytest.mark.parametrize("n_classes", [1, 2, 4])
def test_isomorphisms(phi, n_classes):
    """T_phi, I_phi and A_N; the threshold decides between two classes."""
    triplet, setting = lukasiewicz(phi)
    for kind in KINDS:
        case = random_case(3, kind, n_classes, 9, 1.3)
        model = FGAClassifier(gamma=case.gamma, isomorphism=setting, ties="first").fit(case.X, case.y)
        expected = expected_memberships(case, own_degrees(model), "euclidean", triplet)
        with told(kind):
            check(model, case, expected, triplet, 1e-12)
            if n_classes == 2:
                above = np.round(expected[:, 1, 2] - triplet.threshold(), 9) > 0
                assert model.predict(case.Q).tolist() == above.astype(int).tolist()


@isomorphisms(*ISOMORPHISMS)
def test_bounds_are_well_defined(phi):
    """Proposition 4.1: the lower bound does not exceed the upper one; many new rows."""
    triplet, setting = lukasiewicz(phi)
    for seed in range(8):
        case = random_case(seed, "distinct", 2, 12, 2.0, n_queries=60)
        model = FGAClassifier(gamma=case.gamma, isomorphism=setting).fit(case.X, case.y)
        lower, upper, _ = (np.vectorize(triplet.phi)(part) for part in model.memberships(case.Q))
        assert (lower <= upper + 1e-9).all()


@pytest.mark.parametrize("owa", slow_but(2, OWAS), ids=str)
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_soft_bounds(owa, n_classes):
    """Section 4.3: OWA over all rows of U, equal rows and rows of all classes included."""
    for kind, (gamma, metric) in itertools.product(KINDS, PAIRS):
        case = random_case(5, kind, n_classes, 9, gamma)
        model = FGAClassifier(gamma=gamma, owa=owa, metric=metric, ties="first").fit(case.X, case.y)
        with told(case.name, metric):
            check(model, case, expected_memberships(case, own_degrees(model), metric, Triplet(), owa), Triplet(), 1e-12)


@isomorphisms("square", "cube", "bent", "root", "power 0.3", "sine", "s-shaped")
def test_soft_bounds_under_isomorphisms(phi):
    """The average is of degrees, not of phi of them: a rounding error of 1e-16 beside 0 is one of 1e-6 under x^3."""
    triplet, setting = lukasiewicz(phi)
    for kind, owa in itertools.product(KINDS, ("additive", ("exponential", 3))):
        case = random_case(5, kind, 3, 9, 1.3)
        model = FGAClassifier(gamma=case.gamma, owa=owa, isomorphism=setting, ties="first").fit(case.X, case.y)
        expected = expected_memberships(case, own_degrees(model), "euclidean", triplet, owa)
        with told(kind, owa):
            check(model, case, expected, triplet, 1e-12 if phi in ("bent", "s-shaped") else 1e-5)


@pytest.mark.parametrize("owa", [None, "additive"])
def test_any_distance(owa):
    """A distance that the caller computes, to training rows and from new ones."""
    case = random_case(1, "numeric", 3, 9, 0.2)
    D, to_rows = (np.abs(part[:, None] - case.X[None]).sum(axis=2) for part in (case.X, case.Q))
    model = FGAClassifier(gamma=case.gamma, metric="precomputed", owa=owa).fit(D, case.y)
    similar = [[[relations.similarity(float(d), case.gamma) for d in row] for row in part] for part in (D, to_rows)]
    beta = own_degrees(model)
    expected = [prediction.predict(case.classes, beta, similar[0], x, x, Triplet(), owa) for x in similar[1]]
    np.testing.assert_allclose(np.stack(model.memberships(to_rows), axis=2), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("owa", [None, "additive", ("inverse_additive", 5)], ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_repetitions(owa, n_classes):
    """A row of weight 3 stands three times in U, also among averaged values; one of weight 0 not at all."""
    times = np.array([2, 1, 3, 1, 0, 2, 1])
    for kind in KINDS:
        case = random_case(4, kind, n_classes, 7, 1.3)
        model = FGAClassifier(gamma=case.gamma, owa=owa, ties="first").fit(case.X, case.y, sample_weight=times)
        beta = np.repeat(own_degrees(model), times).tolist()
        expected = expected_memberships(case.repeated(times), beta, "euclidean", Triplet(), owa)
        with told(kind):
            check(model, case, expected, Triplet(), 1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("owa", [None, "additive"])
def test_prediction_after_approximate_training(n_classes, owa):
    """Section 5 changes training only: the same formulas, from the memberships that it leaves.

    Two classes are those of Section 4.1, where A(u) is N(beta) outside the class; with all constraints that is the
    A_k(u) of Section 4.2. Bounds may cross, or are told in order: constraints that were left out may be violated.
    """
    for kind, gamma, M in itertools.product(KINDS, (0.3, 1.7), (1, 2, 4)):
        case = random_case(7, kind, n_classes, 9, gamma)
        model = FGAClassifier(gamma=gamma, n_neighbors=M, owa=owa).fit(case.X, case.y)
        make = expected_of_two_classes if n_classes == 2 else expected_memberships
        expected = make(case, own_degrees(model), "euclidean", Triplet(), owa)
        found = np.stack(model.memberships(case.Q), axis=2)
        with told(case.name, M):
            np.testing.assert_allclose(np.sort(found), np.sort(expected), rtol=0, atol=1e-12)


def expected_of_two_classes(case, beta, metric, triplet, owa=None):
    """Return (lower, upper, degree) of both classes by Section 4.1, each being A once."""
    relation, answers = relation_of(case, metric, triplet), []
    for x in case.queries:
        similar, row = [relation(x, u) for u in case.rows], []
        for k in (0, 1):
            A = training.alternative_notation(beta, [label == k for label in case.classes], triplet)
            lower, upper = prediction.class_bounds(k, A, case.classes, similar, similar, triplet, owa)
            row.append((lower, upper, triplet.average(lower, upper)))
        answers.append(row)
    return np.array(answers, dtype=float)


# ----------------------------------------------------------------------------------------------------
# Preorders, for two classes
# ----------------------------------------------------------------------------------------------------


def expected_of_preorder(case, A, metric, owa=None):
    """Return bounds and degree of the second class over all of U, and of the first as its complement."""
    relation, triplet, answers = dominance_of(case, metric), Triplet(), []
    for x in case.queries:
        to, back = [relation(x, u) for u in case.rows], [relation(u, x) for u in case.rows]
        if owa is None:
            lower, upper = prediction.bounds(A, to, back, triplet)
            restricted = prediction.restricted_bounds(A, [k == 1 for k in case.classes], to, back, triplet)
            assert restricted == pytest.approx((lower, upper), abs=1e-8)
        else:
            family, k = owa if isinstance(owa, tuple) else (owa, None)
            lower, upper = prediction.soft_bounds(A, to, back, triplet, family, k)
        degree = triplet.average(lower, upper)
        answers.append([(triplet.N(upper), triplet.N(lower), triplet.N(degree)), (lower, upper, degree)])
    return np.array(answers, dtype=float)


@losses
@pytest.mark.parametrize("gamma", slow_but(1, sorted(GAMMAS, key=lambda gamma: gamma != QUICK_GAMMA)))
@pytest.mark.parametrize("owa", [None, "additive", ("exponential", 3)])
def test_preorders(loss, gamma, owa):
    """R(x, u) and R(u, x) differ; Proposition 4.2, and Proposition 4.4 for soft bounds, give the other class."""
    for kind, metric in itertools.product(KINDS, METRICS):
        case = random_case(8, kind, 2, 8, gamma)
        settings = {"gamma": gamma, "loss": loss, "metric": metric, "owa": owa, "ties": "first"}
        model = FGAClassifier(monotonic_cst=directions_of(case), **settings).fit(case.X, case.y)
        A = training.alternative_notation(own_degrees(model), [k == 1 for k in case.classes], Triplet())
        with told(kind, metric):
            check(model, case, expected_of_preorder(case, A, metric, owa), Triplet(), 1e-8)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_upward_unions(n_classes):
    """Ordered classes: whether a row is of a class or above is a binary question to a preorder, one for each class."""
    for kind, metric in itertools.product(KINDS, METRICS):
        case = random_case(2, kind, n_classes, 9, 1.3)
        settings = {"gamma": case.gamma, "metric": metric, "monotonic_cst": directions_of(case)}
        found = np.stack(FGAOrdinalClassifier(**settings).fit(case.X, case.y).at_least(case.Q), axis=2)
        relation = dominance_of(case, metric)
        R = relations.matrix(relation, case.rows)
        for k, i in itertools.product(range(1, n_classes), range(len(case.queries))):
            union = [float(label >= k) for label in case.classes]
            A = training.granular_approximation(union, R, Triplet(), "squared_error").tolist()
            to, back = zip(
                *((relation(case.queries[i], u), relation(u, case.queries[i])) for u in case.rows), strict=True
            )
            lower, upper = prediction.bounds(A, to, back, Triplet())
            with told(kind, metric, k):
                assert found[i, k - 1] == pytest.approx([lower, upper, (lower + upper) / 2], abs=1e-9)
