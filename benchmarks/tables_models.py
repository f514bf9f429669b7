"""The models of ``tables.py``: everyone's defaults, once plain and once with classes that count alike.

What a model cannot do itself is done before it, as an ordinary user would: missing numbers become the median of the
training rows, categories (an unknown one is a category of its own) columns of 0 and 1, numbers are standardised for
models that compare them. Boosting and EBM know categories and missing cells, the forest missing numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.class_weight import compute_sample_weight

from fgac import FGAClassifierCV

CERTAIN = 1e-9
SUBJECT, FOREST = "FGAClassifierCV", "forest"


class Contender(NamedTuple):
    """How a model is made for a seed, and whether its classes count alike."""

    make: Callable[[int], Any]
    balanced: bool


class Weighted(ClassifierMixin, BaseEstimator):
    """A classifier that has no ``class_weight``: its rows are weighted instead."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Self:
        """Fit with rows of small classes weighted up."""
        self.model_ = self.model.fit(X, y, sample_weight=compute_sample_weight("balanced", y))
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Predict classes."""
        return self.model_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        """Predict probabilities."""
        return self.model_.predict_proba(X)


def encoded(numbers: Any) -> Any:
    """One column per category, numbers as this step makes them."""
    categories = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (categories, make_column_selector(dtype_include="category")),
    )


def standardised(model: Any) -> Any:
    """A model behind imputation, encoding and standard scales."""
    return make_pipeline(encoded(make_pipeline(SimpleImputer(strategy="median"), StandardScaler())), model)


def ebm(seed: int) -> Any:
    """An explainable boosting machine, on one core as everyone."""
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(random_state=seed, n_jobs=1)


def forest(seed: int, weights: str | None = None) -> Any:
    """A random forest."""
    return make_pipeline(encoded("passthrough"), RandomForestClassifier(random_state=seed, class_weight=weights))


def boosting(seed: int, weights: str | None = None) -> Any:
    """Gradient boosting."""
    return HistGradientBoostingClassifier(random_state=seed, class_weight=weights)


def logistic(seed: int, weights: str | None = None) -> Any:
    """Logistic regression."""
    return standardised(LogisticRegression(class_weight=weights))


def argued(model: Any, X: Any) -> float:
    """Return the share of rows with an argument: some bound of some class is not the one that says nothing."""
    lower, upper = model.memberships(X)[:2]
    guesses = (np.max(lower, axis=1) <= CERTAIN) & (np.min(upper, axis=1) >= 1 - CERTAIN)
    return float(1 - guesses.mean())


BALANCED = "balanced"
CONTENDERS = {
    SUBJECT: Contender(lambda seed: FGAClassifierCV(), True),
    "boosting": Contender(boosting, False),
    "boosting balanced": Contender(lambda seed: boosting(seed, BALANCED), True),
    FOREST: Contender(forest, False),
    "forest balanced": Contender(lambda seed: forest(seed, BALANCED), True),
    "EBM": Contender(ebm, False),
    "EBM balanced": Contender(lambda seed: Weighted(ebm(seed)), True),
    "kNN": Contender(lambda seed: standardised(KNeighborsClassifier()), False),
    "logistic": Contender(logistic, False),
    "logistic balanced": Contender(lambda seed: logistic(seed, BALANCED), True),
}
