"""Section 3.1 of the paper, the general problem, solved again by general solvers, against ``granular_approximation``.

Quadratic programs have one solution: degrees must agree. Linear ones may have many: the library's must be feasible and
have the least objective. Everything is compared on the scale of phi.
"""

import itertools

import numpy as np
import pytest

from fgac import granular_approximation
from support.paper import losses, relations, solvers, training
from support.paper.connectives import IDENTITY, Triplet, power
from support.paper.tables import GAMMAS, QUICK_GAMMA, random_case, slow_but, told
from support.settings_of_paper import ISOMORPHISMS, lukasiewicz

CLOSE = {"rtol": 0, "atol": 1e-10}
LOSSES = {
    "squared": {"loss": "squared_error"},
    "absolute": {"loss": "absolute_error"},
    **{f"quantile {p}": {"loss": "quantile", "quantile": p} for p in (0.1, 0.5, 0.9)},
}
RELATIONS = ("supremum", "euclidean", "dominance")


def relation_of(case, name, triplet):
    """Return a T_phi-preorder of the rows: phi^-1 of a Lukasiewicz preorder."""
    attributes = relations.describe(case.rows, case.nominal)
    directions = [0 if q in case.nominal else (1, -1, 0)[q] for q in range(len(attributes))]
    made = {
        "supremum": relations.supremum_similarity(case.gamma, attributes),
        "euclidean": relations.euclidean_similarity(case.gamma, attributes),
        "dominance": relations.least_over_attributes(case.gamma, attributes, directions),
    }[name]
    R = relations.matrix(made, case.rows)
    return [[triplet.isomorphism.inverse(r) for r in row] for row in R]


def fuzzy_set(case, crisp):
    """Return observed degrees: those of the first class, or any multiples of 1/4."""
    rng = np.random.default_rng(len(case.rows))
    return [float(k == 0) if crisp else float(rng.integers(0, 5)) / 4 for k in case.classes]


def objective(setting, isomorphism, observed, alpha):
    """Return the loss of alpha = phi(A_hat), as the paper defines it."""
    loss = {
        "squared_error": losses.squared_loss,
        "absolute_error": losses.absolute_loss,
        "quantile": losses.quantile_loss(setting.get("quantile", 0.5)),
    }[setting["loss"]]
    return losses.total_loss(loss, [isomorphism.phi(a) for a in observed], alpha)


def compare(observed, R, triplet, ours, setting, *, neighbours=None, **options):
    """Solve a problem both ways and compare; return the library's degrees on the scale of phi."""
    found = granular_approximation(observed, np.array(R), isomorphism=ours, **setting, **options)
    alpha = np.array([triplet.phi(float(a)) for a in found.membership])
    p = setting.get("quantile", 0.5)
    expected = training.granular_approximation(observed, R, triplet, setting["loss"], p=p, neighbours=neighbours)
    G, h = training.representability(R, triplet, neighbours)
    assert (G @ alpha - h).max() <= 1e-8
    assert alpha.min() >= 0.0
    assert alpha.max() <= 1.0
    best = objective(setting, triplet.isomorphism, observed, expected)
    assert objective(setting, triplet.isomorphism, observed, alpha) == pytest.approx(best, abs=1e-8)
    if setting["loss"] == "squared_error":
        np.testing.assert_allclose(alpha, expected, **CLOSE)
    return alpha


QUICK_LOSSES = ("squared", "quantile 0.9")
settings = pytest.mark.parametrize(
    "setting",
    [pytest.param(LOSSES[name], id=name, marks=() if name in QUICK_LOSSES else pytest.mark.slow) for name in LOSSES],
)
every_phi = pytest.mark.parametrize("phi", slow_but(3, ISOMORPHISMS))


@settings
@every_phi
def test_general_problem(setting, phi):
    """Every loss on every scale; crisp and fuzzy sets, similarities and a preorder."""
    triplet, ours = lukasiewicz(phi)
    case = random_case(7, "mixed", 2, 8, 1.7)
    for crisp, name in itertools.product((True, False), RELATIONS):
        with told(crisp, name):
            compare(fuzzy_set(case, crisp), relation_of(case, name, triplet), triplet, ours, setting)


@settings
@pytest.mark.parametrize("gamma", slow_but(1, (QUICK_GAMMA, *GAMMAS)))
@pytest.mark.parametrize("kind", ["numeric", "nominal", "distinct"])
def test_all_tables(setting, gamma, kind):
    case = random_case(1, kind, 2, 8, gamma)
    for crisp, name in itertools.product((True, False), RELATIONS):
        with told(crisp, name):
            compare(fuzzy_set(case, crisp), relation_of(case, name, Triplet()), Triplet(), None, setting)


@settings
@every_phi
def test_small_sets(setting, phi):
    """One element, and two that are equal or unrelated."""
    triplet, ours = lukasiewicz(phi)
    assert compare([0.25], [[1.0]], triplet, ours, setting) == pytest.approx(triplet.phi(0.25), abs=1e-12)
    for r in (0.0, 0.5, 1.0):
        compare([1.0, 0.0], [[1.0, r], [r, 1.0]], triplet, ours, setting)


@settings
def test_similarity_itself_under_powers_above_one(setting):
    """max(1 - gamma d, 0), not moved by phi, is transitive for these too."""
    case = random_case(3, "numeric", 2, 8, 1.7)
    for exponent, crisp in itertools.product((1.5, 2.0, 3.0), (True, False)):
        triplet = Triplet("lukasiewicz", power(exponent))
        compare(fuzzy_set(case, crisp), relation_of(case, "euclidean", Triplet()), triplet, exponent, setting)


@settings
@pytest.mark.parametrize("name", RELATIONS)
def test_weights_are_repetitions(setting, name):
    """The paper knows no weights: an element of weight w is w equal elements."""
    case = random_case(5, "mixed", 2, 6, 1.0)
    observed, R = fuzzy_set(case, False), relation_of(case, name, Triplet())
    times = [1, 3, 2, 1, 2, 1]
    repeated = np.repeat(np.arange(6), times)
    found = granular_approximation(observed, np.array(R), sample_weight=times, **setting)
    alpha = np.array(found.membership)[repeated]
    many = [observed[u] for u in repeated]
    wide = np.array(R)[np.ix_(repeated, repeated)].tolist()
    p = setting.get("quantile", 0.5)
    expected = training.granular_approximation(many, wide, Triplet(), setting["loss"], p=p)
    best = objective(setting, IDENTITY, many, expected)
    assert objective(setting, IDENTITY, many, alpha) == pytest.approx(best, abs=1e-8)
    if setting["loss"] == "squared_error":
        np.testing.assert_allclose(alpha, expected, **CLOSE)


@settings
@pytest.mark.parametrize(("among", "itself"), [({}, 1), ({"neighbors_among": "all"}, 0)])
def test_approximate_problem(setting, among, itself):
    """Section 5: only the M rows with the largest R(u, v) of all v in U constrain u; no two distances are equal.

    In the text u itself is one of them, which says nothing; by default the library counts M others.
    """
    for seed, M, name, crisp in itertools.product((0, 1), (1, 2, 5, 8), ("euclidean", "supremum"), (True, False)):
        case = random_case(seed, "distinct", 2, 8, 0.7)
        R = relation_of(case, name, Triplet())
        kept = {"neighbours": training.most_similar(R, M + itself), "n_neighbors": M, **among}
        with told(seed, M, name, crisp):
            compare(fuzzy_set(case, crisp), R, Triplet(), None, setting, **kept)


@pytest.mark.parametrize("nn", [0.02, 0.2, 0.5, 0.29, 0.57, 0.58])
def test_nn_is_a_fraction_of_the_rows(nn):
    """Section 5: nn = M / |U|, so of 100 rows 0.29 are 29.

    Row v is the v-th most similar to every row behind it, so that there the M-th is the last one that constrains.
    """
    R = np.tile(0.7 - 1e-4 * np.arange(100), (100, 1))
    np.fill_diagonal(R, 1.0)
    observed = np.arange(100) == round(100 * nn) - 1
    by_count, one_less = (granular_approximation(observed, R, n_neighbors=round(100 * nn) - less) for less in (0, 1))
    assert np.abs(one_less.membership - by_count.membership).max() > 1e-6
    found = granular_approximation(observed, R, n_neighbors=nn)
    np.testing.assert_allclose(found.membership, by_count.membership, **CLOSE)


@pytest.mark.parametrize("gamma", GAMMAS)
def test_two_solvers_agree(gamma):
    """The one on which these tests rest, and another."""
    case = random_case(2, "numeric", 2, 8, gamma)
    observed, R = fuzzy_set(case, False), relation_of(case, "euclidean", Triplet())
    exact = training.granular_approximation(observed, R, Triplet(), "squared_error")
    other = training.granular_approximation(observed, R, Triplet(), "squared_error", solve=solvers.interior_point)
    np.testing.assert_allclose(exact, other, rtol=0, atol=1e-5)
    assert np.sum((exact - observed) ** 2) == pytest.approx(np.sum((other - observed) ** 2), abs=1e-9)
