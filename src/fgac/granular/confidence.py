"""How sure a prediction is: one number from 0 to 1, by which models abstain and by which coverage is measured.

It is the probability of the predicted class: calibrated where rows held out have shown what degrees mean, else its
degree as a share of all. A guess has none, whatever is most frequent: no training row speaks for it.
"""

from __future__ import annotations

import numpy as np

from fgac._typing import Bools, Floats, Ints
from fgac.granular.boundaries import degrees_by_class
from fgac.granular.calibration import Calibration


def class_probabilities(degrees: Floats, n_classes: int, calibration: Calibration | None = None) -> Floats:
    """One number per row and class; those of a row add up to 1.

    Parameters
    ----------
    degrees : array of shape (rows, degrees)
        Degrees in every class, ties broken; of ordered classes, those of "at least this class" for every class but the
        lowest.
    n_classes : int
    calibration : Calibration, optional
        What degrees mean as probabilities.

    Returns
    -------
    array of shape (rows, n_classes)
    """
    if calibration is not None:
        return calibration.probabilities(degrees)
    if degrees.shape[1] < n_classes:
        return degrees_by_class(degrees)
    return degrees / degrees.sum(axis=1, keepdims=True)


def confidence(
    degrees: Floats, winners: Ints, guess: Bools, *, n_classes: int, calibration: Calibration | None = None
) -> Floats:
    """How sure predictions are, from 0 to 1; guesses have 0.

    Parameters
    ----------
    degrees, n_classes, calibration
        As in :func:`class_probabilities`.
    winners : array of shape (rows,)
        Numbers of the predicted classes.
    guess : array of shape (rows,)
        Which predictions no training row argues for.

    Returns
    -------
    array of shape (rows,)

    Examples
    --------
    >>> degrees, guess = np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([False, True])
    >>> confidence(degrees, np.array([0, 0]), guess, n_classes=2)
    array([0.75, 0.  ])
    """
    shares = class_probabilities(degrees, n_classes, calibration)
    return np.where(guess, 0.0, shares[np.arange(len(winners)), winners])
