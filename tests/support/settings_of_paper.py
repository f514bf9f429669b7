"""Settings of the library's estimators, and what they are in the paper as ``support/paper`` writes it down."""

import numpy as np

from fgac.fuzzy.connectives import Isomorphism
from support.paper import relations
from support.paper.connectives import IDENTITY, SINE, Triplet, power

OUR_SINE = Isomorphism(lambda x: np.sin(np.pi * x / 2), lambda y: 2 * np.arcsin(np.minimum(y, 1)) / np.pi, "sine")


def theirs_of(setting):
    """Return the isomorphism that a value of the parameter ``isomorphism`` means."""
    if setting is None:
        return IDENTITY
    return SINE if setting is OUR_SINE else power(setting)


def relation_of(case, metric, triplet=None):
    """Return the similarity R(u, v) of a table that is transitive for the t-norm of a triplet.

    That is max(1 - gamma d, 0) itself where phi is convex (the powers from 1 on), and phi^-1 of it elsewhere.
    """
    triplet = triplet or Triplet()
    attributes = relations.describe(case.rows, case.nominal)
    made = {"euclidean": relations.euclidean_similarity, "chebyshev": relations.supremum_similarity}[metric]
    plain = made(case.gamma, attributes)
    middle = triplet.phi(0.5)
    if middle <= 0.5:
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
