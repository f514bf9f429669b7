"""The paper's made-up data, and how long the border between two decisions is for a gamma."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Floats, Ints

# The text names the first; the others are chosen so that the three panels differ as they do there.
GAMMAS = (10.0, 3.0, 0.5)


def made_up() -> tuple[Floats, Ints]:
    """100 rows of two classes; the text gives the function and the seed, not the other arguments.

    >>> X, y = made_up()
    >>> X.shape, int(y.sum())
    ((100, 2), 50)
    """
    from sklearn.datasets import make_classification

    X, y = make_classification(n_samples=100, n_features=2, n_redundant=0, random_state=10)
    return X, y


def border_length(model: Any, X: Floats, resolution: int = 150) -> int:
    """Pairs of neighbouring points of a grid over the rows that are put into different classes."""
    axes = [np.linspace(column.min(), column.max(), resolution) for column in X.T]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    decisions = model.predict(points).reshape(resolution, resolution)
    return int(np.count_nonzero(np.diff(decisions, axis=0)) + np.count_nonzero(np.diff(decisions, axis=1)))


def border_lengths(gammas: tuple[float, ...] = GAMMAS) -> dict[float, int]:
    """The length for each gamma, on the made-up data."""
    from fgac.estimators.classifier import FGAClassifier

    X, y = made_up()
    return {gamma: border_length(FGAClassifier(gamma=gamma).fit(X, y), X) for gamma in gammas}
