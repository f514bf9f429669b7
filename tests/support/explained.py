"""What explanations are checked against: loops over all training rows, written from the formulas alone.

Of the library only its isomorphisms and the memberships that training has found (``beta_``) are used here.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fgac.fuzzy.connectives import IDENTITY, Isomorphism
from support.oracles import table_distances

# Degrees that differ by less are equal.
CLOSE = 1e-9

# Every way in which the estimator can predict; the tables have two numeric columns.
SETTINGS = {
    "plain": {},
    "absolute": {"loss": "absolute_error"},
    "neighbours": {"n_neighbors": 3},
    "additive": {"owa": "additive"},
    "exponential": {"owa": "exponential"},
    "first few": {"owa": ("additive", 4)},
    "squared": {"isomorphism": 2.0},
    "root": {"isomorphism": 0.5},
    "soft and root": {"owa": "additive", "isomorphism": 0.5},
    "neighbours among all": {"n_neighbors": 8, "neighbors_among": "all"},
    "soft and squared": {"owa": "inverse_additive", "isomorphism": 2.0},
    "manhattan": {"metric": "manhattan"},
    "chebyshev": {"metric": "chebyshev"},
    "robust": {"scale": "robust"},
    "weighted columns": {"feature_weights": [1.0, 0.3]},
    "column without weight": {"feature_weights": [1.0, 0.0]},
    "balanced": {"class_weight": "balanced"},
    "soft and balanced": {"class_weight": "balanced", "owa": "additive"},
    "first wins": {"ties": "first"},
}


def samples(n=40, n_classes=3, seed=0, n_features=2):
    """Draw rows without order or repetition, whose classes overlap; all classes occur."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, n_features))
    noisy = X[:, 0] + 0.35 * rng.random(n)
    y = np.digitize(noisy, np.quantile(noisy, np.arange(1, n_classes) / n_classes))
    return X, y


def distances(A, B, fitted_on, settings):
    """Return distances of the paper between the rows of two numeric tables."""
    names = ("metric", "scale", "feature_weights")
    return table_distances(A, B, fitted_on, **{name: settings[name] for name in names if name in settings})


def similarity(d, gamma, phi=IDENTITY):
    """Return max(0, 1 - gamma d), or, for a phi that is not convex, phi^-1 of it, which is transitive."""
    plain = np.maximum(0.0, 1.0 - gamma * np.asarray(d))
    return plain if (np.diff(phi(np.linspace(0, 1, 33)), 2) >= -1e-12).all() else phi.inverse(plain)


class Brute(NamedTuple):
    """A trained model, its training rows of positive weight and the rows to explain, as distances."""

    beta: np.ndarray
    labels: np.ndarray
    among: np.ndarray
    to_training: np.ndarray
    gamma: float
    phi: Isomorphism = IDENTITY

    def similarity(self, d):
        """Return the similarity of rows at a distance."""
        return similarity(d, self.gamma, self.phi)

    def belonging(self, k):
        """Return A_k(u) of every training row on the scale of phi.

        That is beta in its own class; in another, 1 - beta with two classes, else the adjacent-granule formula.
        """
        beta = self.phi(self.beta)
        own = np.flatnonzero(self.labels == k)
        if len(np.unique(self.labels)) == 2:
            return np.where(self.labels == k, beta, 1.0 - beta)
        cost = 1.0 - self.phi(self.similarity(self.among))
        reached = [max([0.0, *(beta[v] - cost[u, v] for v in own)]) for u in range(len(self.labels))]
        return np.where(self.labels == k, beta, reached)

    def degrees(self, k, side):
        """Return how much every row is in k, or is not, on the user's scale."""
        belonging = self.belonging(k)
        return self.phi.inverse(belonging if side == "for" else 1.0 - belonging)

    def strengths(self, i, k, side):
        """Return T(similarity, degree) of every training row, on the user's scale."""
        both = self.phi(self.similarity(self.to_training[i])) + self.phi(self.degrees(k, side)) - 1.0
        return self.phi.inverse(np.maximum(0.0, both))

    def may_speak(self, k, side):
        """Mark the rows that the plain bounds listen to."""
        return (self.labels == k) == (side == "for")


def sides(explanation):
    """Return the two lists of arguments with their names."""
    return (("for", explanation.arguments_for), ("against", explanation.arguments_against))


def assert_adds_up(explanation, phi=IDENTITY, *, soft=False):
    """Check that the parts give the bounds, and the bounds the degree.

    An argument of strength s against takes 1 - N(s) from the upper bound, which is s without an isomorphism.
    """
    lower = explanation.rest_for + sum(a.weight * a.strength for a in explanation.arguments_for)
    against = [a.weight * (1.0 - float(phi.negator(a.strength))) for a in explanation.arguments_against]
    upper = 1.0 - explanation.rest_against - sum(against)
    lower, upper = min(lower, upper), max(lower, upper)  # rows may contradict each other, if constraints are left out
    np.testing.assert_allclose(phi([lower, upper]), phi([explanation.lower, explanation.upper]), atol=CLOSE)
    middle = (phi(explanation.lower) + phi(explanation.upper)) / 2
    np.testing.assert_allclose(phi(explanation.degree), middle, atol=CLOSE)
    for _, arguments in sides(explanation):
        weights = [a.weight for a in arguments]
        assert all(0.0 <= weight <= 1.0 for weight in weights)
        assert sum(weights) <= 1.0 + CLOSE
        if not soft:
            assert weights == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0][: len(weights)]
            assert explanation.rest_for == explanation.rest_against == 0.0
    assert explanation.rest_for >= 0.0
    assert explanation.rest_against >= 0.0


def assert_true_numbers(explanation, brute, positions, beta):
    """Check every number of every argument against the formulas; ``positions`` of the rows in the training table."""
    number = {int(position): u for u, position in enumerate(positions)}
    to_row = brute.to_training[explanation.index]
    for side, arguments in sides(explanation):
        strengths = brute.strengths(explanation.index, explanation.prediction, side)
        degrees = brute.degrees(explanation.prediction, side)
        for a in arguments:
            u = number[a.index]
            assert a.label == brute.labels[u]
            assert a.membership == beta[a.index]
            np.testing.assert_allclose(a.distance, to_row[u], atol=CLOSE)
            np.testing.assert_allclose(a.similarity, brute.similarity(to_row[u]), atol=CLOSE)
            np.testing.assert_allclose(brute.phi(a.degree), brute.phi(degrees[u]), atol=CLOSE)
            np.testing.assert_allclose(brute.phi(a.strength), brute.phi(strengths[u]), atol=CLOSE)
        told = [a.strength for a in arguments]
        assert all(stronger >= weaker - CLOSE for stronger, weaker in pairwise(told))
        assert all(strength > 0.0 for strength in told)


def assert_plain_values(value):
    """Check that a value is made of JSON's own types and nothing like them, such as numpy's numbers."""
    if type(value) is dict:
        assert all(type(key) is str for key in value)
        for part in value.values():
            assert_plain_values(part)
    elif type(value) is list:
        for part in value:
            assert_plain_values(part)
    else:
        assert value is None or type(value) in (str, int, float, bool), f"{value!r} is a {type(value)}"
    json.dumps(value, allow_nan=False)
