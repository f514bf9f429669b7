"""Section 2.3 of the paper, written down again (``support/paper/rough_sets.py``), against the library's rough sets.

Degrees are multiples of 1/16, on which t-norms that jump are exact; powers are compared on the scale of phi.
"""

import numpy as np
import pytest

from fgac.fuzzy.connectives import T_NORMS, ResidualTriplet, power
from fgac.fuzzy.roughsets import (
    adjacent_degrees,
    are_adjacent,
    complement,
    granule,
    inverse_granule,
    is_granularly_representable,
    lower_approximation,
    upper_approximation,
)
from support.paper import connectives, relations
from support.paper import rough_sets as text
from support.paper.tables import cases, for_each, slow_but
from support.triplets import BENT

PLAIN = [(name, connectives.IDENTITY, power(1)) for name in T_NORMS] + [
    (name, connectives.BENT, BENT) for name in T_NORMS
]
POWERS = [(name, connectives.power(a), power(a)) for name in ("minimum", "lukasiewicz") for a in (0.3, 0.5, 2, 3)]
SEEDS = range(6)


def triplets(settings):
    """Parametrise a test by pairs of triplets, the paper's and the library's."""
    made = [
        (connectives.Triplet(name, theirs), ResidualTriplet(T_NORMS[name], ours)) for name, theirs, ours in settings
    ]
    return pytest.mark.parametrize(("theirs", "ours"), made, ids=[theirs.name for theirs, _ in made])


def random_sets(seed, n=5, m=3):
    """Return a fuzzy set on n rows, and any relation of n rows with m others, of multiples of 1/16."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 17, n) / 16, rng.integers(0, 17, (n, m)) / 16


def preorder(triplet, seed, n=5):
    """Return the least T-preorder around random degrees, by composing it with itself until nothing changes."""
    R = [[float(r) for r in row] for row in np.random.default_rng(seed).integers(0, 17, (n, n)) / 16]
    for u in range(n):
        R[u][u] = 1.0
    for _ in range(n):
        R = [[max(triplet.T(R[u][v], R[v][w]) for v in range(n)) for w in range(n)] for u in range(n)]
    return R


def same(triplet, ours, theirs):
    """Compare degrees on the scale of phi."""
    assert [triplet.phi(float(a)) for a in ours] == pytest.approx([triplet.phi(b) for b in theirs], abs=1e-12)


@triplets(PLAIN + POWERS)
@pytest.mark.parametrize("seed", slow_but(2, SEEDS))
def test_approximations_and_granules(theirs, ours, seed):
    A, R = random_sets(seed)
    degrees, square = [float(a) for a in A], np.array(preorder(theirs, seed))
    same(theirs, lower_approximation(A, R, ours), text.lower_approximation(degrees, R.tolist(), theirs))
    same(theirs, upper_approximation(A, R.T, ours), text.upper_approximation(degrees, R.T.tolist(), theirs))
    same(theirs, complement(A, ours), text.complement(degrees, theirs))
    for u in range(len(A)):
        same(theirs, granule(u, A[u], square, ours), text.granule(u, A[u], square.tolist(), theirs))
        same(theirs, inverse_granule(u, A[u], square, ours), text.inverse_granule(u, A[u], square.tolist(), theirs))


@triplets(PLAIN)
@pytest.mark.parametrize("seed", slow_but(2, SEEDS))
def test_granular_representability(theirs, ours, seed):
    """The library's verdict is that of the union of granules, on sets that are representable and on any others."""
    A, _ = random_sets(seed)
    R = preorder(theirs, seed)
    candidates = [A.tolist(), text.upper_approximation(A.tolist(), R, theirs), [1.0] * 5, [0.0] * 5, [1.0, 0, 0, 0, 0]]
    for degrees in candidates:
        expected = text.misfit_of_union(degrees, R, theirs) == 0
        assert is_granularly_representable(degrees, np.array(R), ours) == expected
        assert (text.misfit_of_t_norm(degrees, R, theirs) <= 0) == expected
        if ours.is_left_continuous:
            assert (text.misfit_of_implicator(degrees, R, theirs) <= 0) == expected


@triplets(PLAIN + POWERS)
@pytest.mark.parametrize("seed", slow_but(2, SEEDS))
def test_adjacent_degrees(theirs, ours, seed):
    A, _ = random_sets(seed)
    R, members = preorder(theirs, seed), np.random.default_rng(seed).integers(0, 2, len(A)).astype(bool)
    for inside in (members, np.ones(5, dtype=bool), np.zeros(5, dtype=bool)):
        expected = text.adjacent_degrees(A.tolist(), inside, R, theirs)
        same(theirs, adjacent_degrees(A, inside, np.array(R), ours), expected)
        touching = text.adjacent_degrees(np.where(inside, A, expected).tolist(), inside, R, theirs)
        touching = np.where(inside, touching, expected)
        if ours.is_left_continuous and theirs.name.split(", ")[1] in ("identity", "bent"):
            assert are_adjacent(touching, inside, np.array(R), ours)
            gap = np.abs(text.adjacent_degrees(A.tolist(), inside, R, theirs) - A).max()
            assert are_adjacent(A, inside, np.array(R), ours) == (gap <= 1e-9)


@pytest.mark.parametrize("exponent", [0.3, 0.5, 2, 3])
def test_verdicts_under_isomorphisms(exponent):
    """Representable and adjacent but for rounding on the scale of phi: the library says yes."""
    theirs = connectives.Triplet("lukasiewicz", connectives.power(exponent))
    ours = ResidualTriplet(T_NORMS["lukasiewicz"], power(exponent))
    for seed in range(20):
        A, _ = random_sets(seed)
        R = preorder(theirs, seed)
        representable = text.upper_approximation(A.tolist(), R, theirs)
        assert text.misfit_of_union(representable, R, theirs) <= 1e-12
        assert is_granularly_representable(representable, np.array(R), ours)
        members = np.arange(5) % 2 == seed % 2
        outside = text.adjacent_degrees(A.tolist(), members, R, theirs)
        touching = text.adjacent_degrees(np.where(members, A, outside).tolist(), members, R, theirs)
        assert are_adjacent(np.where(members, touching, outside), members, np.array(R), ours)


@for_each(cases(class_counts=(2,)))
def test_approximations_of_tables(case):
    """Propositions on the paper's own relations: largest representable set within, smallest around, duality."""
    attributes = relations.describe(case.rows, case.nominal)
    A, triplet = [float(k == 0) for k in case.classes], connectives.LUKASIEWICZ
    R = relations.matrix(relations.euclidean_similarity(case.gamma, attributes), case.rows)
    lower, upper = lower_approximation(A, np.array(R)), upper_approximation(A, np.array(R))
    np.testing.assert_allclose(lower, text.lower_approximation(A, R, triplet), rtol=0, atol=1e-12)
    np.testing.assert_allclose(upper, text.upper_approximation(A, R, triplet), rtol=0, atol=1e-12)
    assert text.misfit_of_t_norm(lower, R, triplet) <= 1e-12
    assert text.misfit_of_t_norm(upper, R, triplet) <= 1e-12
    assert (lower <= A).all()
    assert (upper >= A).all()
    coA = text.complement(A, triplet)
    np.testing.assert_allclose(1 - lower, upper_approximation(coA, np.array(R)), rtol=0, atol=1e-12)


@triplets([one for one in PLAIN if one[0] in ("minimum", "lukasiewicz", "nilpotent_minimum")])
@pytest.mark.parametrize("seed", slow_but(2, SEEDS))
def test_propositions_about_representable_sets(theirs, ours, seed):
    """Among all representable sets tried, none lies between A and its approximations; coA is for the inverse."""
    A, R = random_sets(seed)[0].tolist(), preorder(theirs, seed)
    lower, upper = lower_approximation(A, np.array(R), ours), upper_approximation(A, np.array(R), ours)
    for other in SEEDS:
        B = text.upper_approximation(random_sets(100 + other)[0].tolist(), R, theirs)
        if all(b <= a for a, b in zip(A, B, strict=True)):
            assert (np.array(B) <= lower).all()
        if all(b >= a for a, b in zip(A, B, strict=True)):
            assert (np.array(B) >= upper).all()
        assert text.misfit_of_t_norm(text.complement(B, theirs), relations.transposed(R), theirs) <= 0
    assert is_granularly_representable(complement(upper, ours), np.array(R).T, ours)
