"""The models of ``ordinal.py``: everyone's defaults, once plain and once with classes that count alike.

Peers predict ordered classes in the ways that people use: an ordinal regression (``mord.LogisticAT``, all thresholds),
a forest of classes without an order, and regressions on the places of the classes, rounded to the nearest class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.class_weight import compute_sample_weight

from fgac import FGAOrdinalClassifierCV
from tables_models import encoded, standardised

SUBJECT, FOREST = "FGAOrdinalClassifierCV", "forest"


class Places(BaseEstimator):
    """A model of the places of classes, whose predictions are rounded to the nearest class.

    With ``balanced``, rows are weighted such that all classes count alike.
    """

    def __init__(self, model: Any, *, balanced: bool = False) -> None:
        self.model = model
        self.balanced = balanced

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to the places of classes."""
        last = f"{self.model.steps[-1][0]}__" if isinstance(self.model, Pipeline) else ""
        weights = {f"{last}sample_weight": compute_sample_weight("balanced", y)} if self.balanced else {}
        self.model_ = self.model.fit(X, y, **weights)
        self.highest_ = int(np.max(y))
        return self

    def predict(self, X: Any) -> Any:
        """Predict places of classes."""
        return np.clip(np.rint(self.model_.predict(X)), 0, self.highest_).astype(np.int64)


def ordinal_regression(seed: int) -> Any:
    """An ordinal logistic regression with one slope per column and a threshold per boundary."""
    import mord

    return standardised(mord.LogisticAT())


def forest(seed: int, weights: str | None = None) -> Any:
    """A random forest of classes."""
    return make_pipeline(encoded("passthrough"), RandomForestClassifier(random_state=seed, class_weight=weights))


def forest_of_places(seed: int) -> Any:
    """A random forest of numbers."""
    return make_pipeline(encoded("passthrough"), RandomForestRegressor(random_state=seed))


def boosting_of_places(seed: int) -> Any:
    """Gradient boosting of numbers."""
    return HistGradientBoostingRegressor(random_state=seed)


class Contender(NamedTuple):
    """How a model is made for a seed, and whether its classes count alike."""

    make: Callable[[int], Any]
    balanced: bool


def both(name: str, make: Callable[[int], Any]) -> dict[str, Contender]:
    """A model of places, once plain and once balanced."""
    return {
        name: Contender(lambda seed: Places(make(seed)), False),
        f"{name} balanced": Contender(lambda seed: Places(make(seed), balanced=True), True),
    }


CONTENDERS = {
    SUBJECT: Contender(lambda seed: FGAOrdinalClassifierCV(), True),
    **both("ordinal regression", ordinal_regression),
    FOREST: Contender(forest, False),
    f"{FOREST} balanced": Contender(lambda seed: forest(seed, "balanced"), True),
    **both("forest rounded", forest_of_places),
    **both("boosting rounded", boosting_of_places),
}
