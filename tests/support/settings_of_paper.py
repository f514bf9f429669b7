"""Settings of the library's estimators, and what they are in the paper as ``support/paper`` writes it down."""

import numpy as np
import pytest

from fgac.fuzzy.connectives import Isomorphism
from support.paper import relations
from support.paper.connectives import BENT, BENT_LINE, IDENTITY, S_LINE, S_SHAPED, SINE, Triplet, power


def broken_line(xs, ys, name):
    """Return the library's isomorphism of straight pieces."""
    return Isomorphism(lambda x: np.interp(x, xs, ys), lambda y: np.interp(y, ys, xs), name)


# What the parameter ``isomorphism`` is given for the paper's phi.
ISOMORPHISMS = {
    "identity": (IDENTITY, None),
    "power 1.5": (power(1.5), 1.5),
    "square": (power(2), 2.0),
    "cube": (power(3), 3.0),
    "bent": (BENT, broken_line(*BENT_LINE, "bent")),
    "root": (power(0.5), 0.5),
    "power 0.3": (power(0.3), 0.3),
    "sine": (SINE, (lambda x: np.sin(np.pi * x / 2), lambda y: 2 * np.arcsin(np.minimum(y, 1)) / np.pi)),
    "s-shaped": (S_SHAPED, broken_line(*S_LINE, "s-shaped")),
}


QUICK_ISOMORPHISMS = ("identity", "square", "sine")


def isomorphisms(*names):
    """Parametrise a test of a classifier by isomorphisms (``phi``); by default all but the identity."""
    chosen = names or tuple(name for name in ISOMORPHISMS if name != "identity")
    settings = [name if name in QUICK_ISOMORPHISMS else pytest.param(name, marks=pytest.mark.slow) for name in chosen]
    return pytest.mark.parametrize("phi", settings)


def lukasiewicz(phi):
    """Return the paper's triplet of an isomorphism, and the library's setting."""
    theirs, ours = ISOMORPHISMS[phi]
    return Triplet("lukasiewicz", theirs), ours


def relation_of(case, metric, triplet=None):
    """Return the similarity R(u, v) of a table that is transitive for the t-norm of a triplet.

    That is max(1 - gamma d, 0) itself where phi is convex, and phi^-1 of it elsewhere.
    """
    attributes = relations.describe(case.rows, case.nominal)
    make = {"euclidean": relations.euclidean_similarity, "chebyshev": relations.supremum_similarity}[metric]
    plain = make(case.gamma, attributes)
    if triplet is None or triplet.isomorphism.convex:
        return plain
    return lambda u, v: triplet.isomorphism.inverse(plain(u, v))


def directions_of(case):
    """Return ``monotonic_cst`` of a case: one column upwards, one downwards, one without; none where nominal."""
    return [0 if q in case.nominal else (1, -1, 0)[q] for q in range(len(case.rows[0]))]


def dominance_of(case, metric):
    """Return the preorder R(u, v), u being at least as good as v: the minimum over attributes, or the Euclidean one."""
    attributes = relations.describe(case.rows, case.nominal)
    if metric == "chebyshev":
        return relations.least_over_attributes(case.gamma, attributes, directions_of(case))
    return relations.euclidean_dominance(case.gamma, attributes, directions_of(case))
