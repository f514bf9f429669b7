"""Section 3.2 of the paper, training of classifiers, solved again by general solvers, against ``FGAClassifier``.

``beta_`` is compared on the scale of phi: as it is for squared error, by objective and constraints for absolute error,
whose optimum need not be unique.
"""

import itertools

import numpy as np
import pytest

import fgac
from fgac import FGAClassifier
from support.paper import relations, training
from support.paper.connectives import Triplet
from support.paper.tables import KINDS, cases, for_each, random_case, told
from support.settings_of_paper import directions_of, dominance_of, isomorphisms, lukasiewicz, relation_of

CLOSE = {"rtol": 0, "atol": 1e-10}
METRICS = ("euclidean", "chebyshev")
losses = pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])


def check_beta(beta, classes, R, triplet, loss, neighbours=None):
    """Compare memberships in the own class, which may stand for repeated rows, with the paper's program."""
    alpha = np.array([triplet.phi(float(b)) for b in beta])
    G, h = training.compatibility(classes, R, triplet, neighbours)
    expected = training.own_memberships(classes, R, triplet, loss, neighbours=neighbours)
    assert (G @ alpha - h).max() <= 1e-8
    assert alpha.min() >= 0.0
    assert alpha.max() <= 1.0
    if loss == "squared_error":
        np.testing.assert_allclose(alpha, expected, **CLOSE)
    assert alpha.sum() == pytest.approx(expected.sum(), abs=1e-7)


@losses
@for_each(cases())
def test_memberships_in_the_own_class(case, loss):
    """The multi-class problem, which is also that of two classes, on tables of every kind and any gamma."""
    for metric in METRICS:
        R = relations.matrix(relation_of(case, metric), case.rows)
        model = FGAClassifier(gamma=case.gamma, loss=loss, metric=metric).fit(case.X, case.y)
        with told(metric):
            check_beta(model.beta_, case.classes, R, Triplet(), loss)


@losses
@isomorphisms()
def test_isomorphisms(phi, loss):
    """L_phi and T_phi; where max(1 - gamma d, 0) is not transitive for T_phi, phi^-1 of it is taken."""
    triplet, setting = lukasiewicz(phi)
    for kind, n_classes in itertools.product(KINDS, (2, 3)):
        case = random_case(2, kind, n_classes, 8, 1.3)
        R = relations.matrix(relation_of(case, "euclidean", triplet), case.rows)
        model = FGAClassifier(gamma=case.gamma, loss=loss, isomorphism=setting).fit(case.X, case.y)
        with told(case.name):
            check_beta(model.beta_, case.classes, R, triplet, loss)


@losses
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_repetitions(kind, n_classes, loss):
    """A row of weight 3 stands three times in the table, one of weight 0 not at all."""
    case, times = random_case(4, kind, n_classes, 8, 1.3), [2, 1, 3, 1, 0, 2, 1, 1]
    model = FGAClassifier(gamma=case.gamma, loss=loss).fit(case.X, case.y, sample_weight=times)
    many = case.repeated(times)
    R = relations.matrix(relation_of(many, "euclidean"), many.rows)
    check_beta(np.repeat(model.beta_, times), many.classes, R, Triplet(), loss)


@losses
def test_balanced_classes_are_oversampled_ones(loss):
    """Section 6.2: classes brought to the size of the largest; here by whole repetitions of every row."""
    case = random_case(0, "mixed", 2, 8, 1.0)
    case.classes, times = [0] * 6 + [1] * 2, [1] * 6 + [3] * 2
    model = FGAClassifier(loss=loss, class_weight="balanced").fit(case.X, case.y)
    many = case.repeated(times)
    R = relations.matrix(relation_of(many, "euclidean"), many.rows)
    check_beta(np.repeat(model.beta_, times), many.classes, R, Triplet(), loss)


@losses
def test_alternative_notation_is_the_general_problem(loss):
    """beta_u = A_hat(u) in the class, N(A_hat(u)) outside: for two classes the general problem says the same."""
    for kind, gamma, metric in itertools.product(KINDS, (0.3, 1.7, 1e6), METRICS):
        case = random_case(6, kind, 2, 8, gamma)
        R = relations.matrix(relation_of(case, metric), case.rows)
        model = FGAClassifier(gamma=gamma, loss=loss, metric=metric).fit(case.X, case.y)
        with told(case.name, metric):
            check_memberships_of_two_classes(model.beta_, case, R, loss)


@losses
@pytest.mark.parametrize("kind", KINDS)
def test_dominance(kind, loss):
    """The general problem for a preorder: what is at least as good as a row of the second class is of it."""
    for seed, gamma, metric in itertools.product((0, 1), (0.3, 1.7, 1e6), METRICS):
        case = random_case(seed, kind, 2, 8, gamma)
        R = relations.matrix(dominance_of(case, metric), case.rows)
        settings = {"gamma": gamma, "loss": loss, "metric": metric, "monotonic_cst": directions_of(case)}
        model = FGAClassifier(**settings).fit(case.X, case.y)
        with told(case.name, metric):
            check_memberships_of_two_classes(model.beta_, case, R, loss)


def check_memberships_of_two_classes(beta, case, R, loss):
    """Compare with the general problem, in which the second class is the observed set."""
    members = np.array([k == 1 for k in case.classes], dtype=float)
    found = np.array(training.alternative_notation(beta, members, Triplet()))
    G, h = training.representability(R, Triplet())
    expected = training.granular_approximation(members, R, Triplet(), loss)
    assert (G @ found - h).max() <= 1e-8
    assert np.abs(found - members).sum() == pytest.approx(np.abs(expected - members).sum(), abs=1e-7)
    if loss == "squared_error":
        np.testing.assert_allclose(found, expected, **CLOSE)


@losses
@pytest.mark.parametrize("among", ["others", "all"])
def test_approximate_problem(loss, among):
    """Section 5: the M most similar of all rows; as published, of the rows of other classes."""
    option = {} if among == "others" else {"neighbors_among": among}
    for seed, n_classes, M, metric in itertools.product((0, 1), (2, 3), (1, 2, 4, 8), METRICS):
        case = random_case(seed, "distinct", n_classes, 8, 0.7)
        R = relations.matrix(relation_of(case, metric), case.rows)
        candidates = training.of_other_classes(case.classes) if among == "others" else None
        neighbours = training.most_similar(R, M, among=candidates)
        model = FGAClassifier(gamma=case.gamma, loss=loss, metric=metric, n_neighbors=M, **option)
        with told(case.name, M, metric):
            check_beta(model.fit(case.X, case.y).beta_, case.classes, R, Triplet(), loss, neighbours)


@pytest.mark.parametrize("kind", KINDS)
def test_equally_similar_rows(kind):
    """Where rows are equally similar, or stand repeatedly, all of those at the M-th place constrain; nn is M / |U|."""
    times = [2, 1, 3, 1, 1, 2, 1, 1, 2]
    for n_classes, M in itertools.product((2, 3), (1, 3, 7)):
        case = random_case(3, kind, n_classes, 9, 0.7)
        many = case.repeated(times)
        R = relations.matrix(relation_of(many, "euclidean"), many.rows)
        neighbours = training.most_similar(R, M, among=training.of_other_classes(many.classes), ties=True)
        for n_neighbors in (M, M / len(many.rows)):
            model = FGAClassifier(gamma=case.gamma, n_neighbors=n_neighbors).fit(case.X, case.y, sample_weight=times)
            with told(case.name, M, n_neighbors):
                check_beta(np.repeat(model.beta_, times), many.classes, R, Triplet(), "squared_error", neighbours)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_gamma(kind):
    """The path of all gammas, which is beyond the paper, is the paper's solution at each."""
    for n_classes in (2, 3):
        case = random_case(5, kind, n_classes, 9, 1.0)
        solved = fgac.path(case.X, case.y, gamma_min=0.2)
        for gamma in (0.2, 0.55, 1.0, 2.3, 40.0):
            case.gamma = gamma
            R = relations.matrix(relation_of(case, "euclidean"), case.rows)
            with told(case.name, gamma):
                check_beta(solved.beta(gamma), case.classes, R, Triplet(), "squared_error")


@losses
def test_any_distance(loss):
    """R(u, v) = max(1 - gamma d(u, v), 0) for a distance that the caller computes."""
    case = random_case(1, "numeric", 3, 9, 0.2)
    D = np.abs(case.X[:, None] - case.X[None]).sum(axis=2)
    R = [[relations.similarity(float(d), case.gamma) for d in row] for row in D]
    model = FGAClassifier(gamma=case.gamma, loss=loss, metric="precomputed").fit(D, case.y)
    check_beta(model.beta_, case.classes, R, Triplet(), loss)
