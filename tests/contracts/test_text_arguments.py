"""Section 7.2 of the paper, which rows are arguments and how strong, against ``arguments`` and ``explain``."""

import itertools

import pytest

from fgac import FGAClassifier
from support.paper import arguments as text
from support.paper import prediction, relations
from support.paper.connectives import Triplet
from support.paper.tables import KINDS, cases, for_each, random_case, told
from support.settings_of_paper import isomorphisms, lukasiewicz, relation_of


def sides(case, beta, triplet, k, x, metric="euclidean"):
    """Return strengths of all rows for and against class k at x, similarities, and who can be an argument."""
    relation = relation_of(case, metric, triplet)
    R, similar = relations.matrix(relation, case.rows), [relation(x, u) for u in case.rows]
    A_k = prediction.memberships_in_class(k, case.classes, beta, R, triplet)
    rows = range(len(case.rows))
    speaking_for = text.strengths_for(A_k, similar, triplet)
    speaking_against = text.strengths_against(A_k, similar, triplet)
    inside = [u for u in rows if case.classes[u] == k]
    outside = [u for u in rows if case.classes[u] != k]
    return similar, A_k, (speaking_for, inside), (speaking_against, outside)


def distinct(case, among):
    """Return the first of equal rows of one class: they are one argument."""
    seen = {}
    for u in among:
        seen.setdefault((case.rows[u], case.classes[u]), u)
    return list(seen.values())


def check_side(case, table, i, k, strengths, among, similar, beta, degrees, triplet):
    """Compare one row of a table of arguments with the paper's strengths, on the scale of phi."""
    expected = text.strongest(strengths, distinct(case, among))
    indices = [int(u) for u in table.indices[i, k] if u >= 0]
    assert len(indices) == len(expected)
    for place, u in enumerate(indices):
        assert u in distinct(case, among)
        for found, value in (
            (table.strengths, strengths[u]),
            (table.strengths, strengths[expected[place]]),
            (table.similarities, similar[u]),
            (table.memberships, beta[u]),
            (table.degrees, degrees[u]),
        ):
            assert triplet.phi(float(found[i, k, place])) == pytest.approx(triplet.phi(value), abs=1e-12)


def check_arguments(case, triplet, metric, **settings):
    """Compare all arguments of a fitted model with the paper's."""
    model = FGAClassifier(gamma=case.gamma, metric=metric, **settings).fit(case.X, case.y)
    beta = [float(b) for b in model.beta_]
    found = model.arguments(case.Q, n_arguments=len(case.rows))
    bounds = model.memberships(case.Q)
    for i, x in enumerate(case.queries):
        for k in range(len(model.classes_)):
            similar, A_k, (pro, inside), (contra, outside) = sides(case, beta, triplet, k, x, metric)
            co_A = [triplet.N(a) for a in A_k]
            check_side(case, found.arguments_for, i, k, pro, inside, similar, beta, A_k, triplet)
            check_side(case, found.arguments_against, i, k, contra, outside, similar, beta, co_A, triplet)
            strongest = max(pro[u] for u in inside), triplet.N(max((contra[u] for u in outside), default=0))
            told_bounds = [triplet.phi(float(part[i, k])) for part in (bounds.lower, bounds.upper)]
            assert told_bounds == pytest.approx([triplet.phi(one) for one in strongest], abs=1e-12)


@for_each(cases(gammas=(0.3, 1.7, 1e6)))
def test_strengths(case):
    """T(R(x, u), A(u)) for, T(R(u, x), N(A(u))) against; the strongest are the bounds."""
    for loss, metric in (("squared_error", "euclidean"), ("absolute_error", "chebyshev")):
        with told(loss, metric):
            check_arguments(case, Triplet(), metric, loss=loss)


@isomorphisms("square", "bent", "root", "sine", "s-shaped")
def test_strengths_under_isomorphisms(phi):
    triplet, setting = lukasiewicz(phi)
    for kind, n_classes in itertools.product(KINDS, (1, 2, 3)):
        with told(kind, n_classes):
            check_arguments(random_case(6, kind, n_classes, 9, 1.3), triplet, "euclidean", isomorphism=setting)


@isomorphisms("identity", "square", "bent", "root", "sine", "s-shaped")
def test_explanations_tell_the_argmax_and_the_argmin(phi):
    """The first argument for is the argmax of the lower bound, the first against the argmin of the upper one."""
    triplet, setting = lukasiewicz(phi)
    for kind, n_classes in itertools.product(KINDS, (2, 3)):
        case = random_case(9, kind, n_classes, 9, 1.3)
        model = FGAClassifier(gamma=case.gamma, isomorphism=setting).fit(case.X, case.y)
        beta = [float(b) for b in model.beta_]
        for x, why in zip(case.queries, model.explain(case.Q), strict=True):
            _, _, (pro, inside), (contra, outside) = sides(case, beta, triplet, int(why.prediction), x)
            with told(case.name, x):
                check_told(why.arguments_for, pro, inside, triplet)
                check_told(why.arguments_against, contra, outside, triplet)
            assert triplet.phi(why.degree) == pytest.approx(
                triplet.phi(triplet.average(why.lower, why.upper)), abs=1e-12
            )


def check_told(arguments, strengths, among, triplet):
    """Compare the arguments of an explanation; rows of strength 0 are none."""
    best = max(triplet.phi(strengths[u]) for u in among)
    assert bool(arguments) == (best > 1e-12)
    for argument in arguments:
        assert argument.index in among
        assert triplet.phi(argument.strength) == pytest.approx(triplet.phi(strengths[argument.index]), abs=1e-12)
    if arguments:
        assert triplet.phi(arguments[0].strength) == pytest.approx(best, abs=1e-12)
