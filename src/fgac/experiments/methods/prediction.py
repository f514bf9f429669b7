"""The published prediction rule.

With all constraints it is that of :class:`~fgac.FGAClassifier`. With a part of them it is not: then a row can be more
in another class than its own beta allows, and the published rule looks at that. For class k and training row u::

    A_k(u)     = beta_u                                     if u is of class k
                 max over v of class k of beta_v - gamma d(u, v), at least 0       otherwise
    lower_k(x) = largest of A_k(u) - gamma d(x, u), at least 0
    upper_k(x) = smallest of A_k(u) + gamma d(x, u), at most 1

over ALL training rows u. The class with the largest mean of the two is predicted, the first of several. "Largest" and
"smallest" may be ordered weighted averages.
"""

from __future__ import annotations

import numpy as np

from fgac._tolerances import TIE_DIGITS
from fgac._typing import Floats, Ints
from fgac.fuzzy.owa import FAMILIES, soft_max, soft_min
from fgac.granular.nodes import Nodes
from fgac.metrics.tiles import spans

OWA = {"add": "additive", "exp": "exponential", "invadd": "inverse_additive"}
# Test rows at a time: their distances to a thousand training rows stay in a core's cache.
BLOCK = 64


def first_best(scores: Floats) -> Ints:
    """The class with the largest score, the first of several.

    >>> first_best(np.array([[0.1 + 0.2, 0.3], [0.1, 0.2]]))
    array([0, 1])
    """
    return np.round(scores, TIE_DIGITS).argmax(axis=1)


def degrees(beta: Floats, nodes: Nodes, steps: Floats) -> Floats:
    """``A_k(u)`` of every class and node; ``steps`` is gamma times the distances between nodes."""
    degree = np.empty((len(nodes.starts) - 1, len(beta)))
    for k in range(len(degree)):
        own = slice(nodes.starts[k], nodes.starts[k + 1])
        degree[k] = np.maximum(0.0, (beta[own] - steps[:, own]).max(axis=1))
        degree[k, own] = beta[own]
    return degree


def extreme_scores(degree: Floats, steps: Floats) -> Floats:
    """Mean of both bounds for every test row and class; ``steps`` is gamma times the distances to the nodes."""
    scores = np.empty((len(steps), len(degree)))
    for span in spans(len(steps), BLOCK):
        for k, A in enumerate(degree):
            lower = np.maximum(0.0, (A - steps[span]).max(axis=1))
            upper = np.minimum(1.0, (A + steps[span]).min(axis=1))
            scores[span, k] = 0.5 * (lower + upper)
    return scores


def soft_scores(degree: Floats, steps: Floats, owa: str) -> Floats:
    """The same with ordered weighted averages over all training rows, equal ones counted as often as they stand."""
    weights = FAMILIES[OWA[owa]](degree.shape[1])
    scores = np.empty((len(steps), len(degree)))
    for span in spans(len(steps), BLOCK):
        for k, A in enumerate(degree):
            lower = soft_max(np.maximum(0.0, A - steps[span]), weights)
            upper = soft_min(np.minimum(1.0, A + steps[span]), weights)
            scores[span, k] = 0.5 * (lower + upper)
    return scores


def ranked_scores(degree: Floats, steps: Floats, weights: Floats) -> Floats:
    """Scores under several vectors of weights at once, of shape (test rows, classes, vectors).

    ``weights`` holds one vector in each column, the weight of the most extreme value first.
    """
    scores = np.empty((len(steps), len(degree), weights.shape[1]))
    for span in spans(len(steps), BLOCK):
        for k, A in enumerate(degree):
            lower = np.sort(np.maximum(0.0, A - steps[span]), axis=1)[:, ::-1] @ weights
            upper = np.sort(np.minimum(1.0, A + steps[span]), axis=1) @ weights
            scores[span, k] = 0.5 * (lower + upper)
    return scores
