"""From degrees of membership to probabilities, as rows that were held out have shown them to be.

A degree says how far the training rows let a row belong to a class. How often rows of such degrees were of the class is
another question, answered by rows that the model had not seen (:mod:`fgac.selection.class_calibration`): with two
classes and many rows by a rising curve, otherwise by a logistic model of the degrees, which many rows let bend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fgac._typing import Floats, Ints
from fgac.explanation.reliability import Reliability

# Where logits may bend.
BENDS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Calibration:
    """Probabilities of classes from degrees, and how often predictions of each confidence were right.

    Attributes
    ----------
    coefficients, intercepts : arrays of shape (degrees, classes) and (classes,)
        Of a logistic model of the degrees; with more coefficients, of what :func:`bent` makes of them.
    knots, levels : arrays of the same length
        With two classes: by how much the degree of the second exceeds that of the first, and how often rows were of the
        second; linear in between. Empty if the logistic model is used.
    confidences : array
        Groups of held-out predictions: the largest confidence in each, rising, but for the last group.
    cases, right : arrays, one longer
        Number of predictions in each group, and of those that were right.

    >>> curve = Calibration(*np.empty((2, 0)), np.array([-1.0, 1.0]), np.array([0.1, 0.7]), *np.empty((3, 0)))
    >>> curve.probabilities(np.array([[0.5, 0.5]]))
    array([[0.6, 0.4]])
    """

    coefficients: Floats
    intercepts: Floats
    knots: Floats
    levels: Floats
    confidences: Floats
    cases: Ints
    right: Ints

    def probabilities(self, degrees: Floats) -> Floats:
        """One probability per row and class; those of a row add up to 1."""
        if self.knots.size:
            second = np.interp(excess(degrees), self.knots, self.levels)
            return np.column_stack([1.0 - second, second])
        seen = degrees if len(self.coefficients) == degrees.shape[1] else bent(degrees)
        from scipy.special import softmax  # takes long to import, and only models of more than two classes need it

        return np.asarray(softmax(seen @ self.coefficients + self.intercepts, axis=1))

    def reliability(self, confidence: float) -> Reliability:
        """How often held-out predictions of about this confidence, the probability of their class, were right."""
        group = int(np.searchsorted(self.confidences, confidence))
        return Reliability(float(confidence), int(self.cases[group]), int(self.right[group]))


def excess(degrees: Floats) -> Floats:
    """By how much the degree of the second class exceeds that of the first; of one degree, by how much one half."""
    return degrees[:, -1] - (degrees[:, 0] if degrees.shape[1] > 1 else 1.0 - degrees[:, 0])


def bent(degrees: Floats) -> Floats:
    """Degrees, and by how much they exceed each of some limits: what is linear in these is a polygon of the degrees.

    >>> bent(np.array([[0.5], [1.0]]))
    array([[0.5 , 0.25, 0.  , 0.  ],
           [1.  , 0.75, 0.5 , 0.25]])
    """
    return np.hstack([degrees, *(np.maximum(0.0, degrees - limit) for limit in BENDS)])
