"""The models of ``regression.py``: one number, or an interval, for every row; eleven settings each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import QuantileRegressor
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsRegressor, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from fgac.estimators.regressor import FGARegressor
from fgac.selection.regressor_cv import FGARegressorCV

Floats = NDArray[np.float64]
Levels = Sequence[float]

INNER = KFold(3, shuffle=True, random_state=0)
GAMMAS = (0.25, 0.5, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0, 16.0, 25.0, 40.0)
NEIGHBOURS = (1, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50)
FOREST = [*product((0.35, 0.7), (1, 3, 8, 20)), *product((1.0,), (1, 3, 8))]
BOOSTING = [*product((0.1,), (30, 100), (4, 8, 31)), *product((0.03,), (100, 300), (4, 8)), (0.03, 300, 31)]
PENALTIES = tuple(10.0**power for power in np.linspace(-5, 0, 11))
SHARE = 0.9
ENDS = (0.5 - SHARE / 2, 0.5 + SHARE / 2)
FIVE = (0.05, 0.25, 0.5, 0.75, 0.95)
N_TREES = 100
LEARNED = {"metric": "manhattan", "feature_weights": "learned"}


def ours(X: Any, monotone: dict[str, int], **how: Any) -> Any:
    """Our regression, which tunes gamma itself."""
    return FGARegressorCV(gammas=GAMMAS, cv=INNER, n_jobs=1, **how)


def knn(X: Any, monotone: dict[str, int]) -> Any:
    """Means of the nearest neighbours, every column divided by its range."""
    model = make_pipeline(MinMaxScaler(), KNeighborsRegressor())
    return GridSearchCV(model, {"kneighborsregressor__n_neighbors": NEIGHBOURS}, cv=INNER)


class WeightedNeighbours(RegressorMixin, BaseEstimator):
    """Means of the nearest neighbours in the distance that our regression learns from the same rows."""

    def __init__(self, n_neighbors: int = 5) -> None:
        self.n_neighbors = n_neighbors

    def fit(self, X: Any, y: Floats) -> Self:
        """Learn weights of columns, and remember the rows."""
        self.weights_ = FGARegressor(**LEARNED, n_jobs=1).fit(X, y).feature_weights_
        self.scaler_ = MinMaxScaler().fit(X)
        near = KNeighborsRegressor(self.n_neighbors, metric="manhattan")
        self.model_ = near.fit(self.scaler_.transform(X) * self.weights_, y)
        return self

    def predict(self, X: Any) -> Floats:
        """Means of their targets."""
        return self.model_.predict(self.scaler_.transform(X) * self.weights_)


def knn_learned(X: Any, monotone: dict[str, int]) -> Any:
    """The same with learned weights."""
    return GridSearchCV(WeightedNeighbours(), {"n_neighbors": NEIGHBOURS}, cv=INNER)


def forest(X: Any, monotone: dict[str, int]) -> Any:
    """A random forest."""
    grid = [{"max_features": [features], "min_samples_leaf": [leaf]} for features, leaf in FOREST]
    return GridSearchCV(RandomForestRegressor(N_TREES, random_state=0, n_jobs=1), grid, cv=INNER)


def isotonic(X: Any, monotone: dict[str, int]) -> Any:
    """Isotonic regression; it has nothing to tune, and takes a single column."""
    return IsotonicRegression(out_of_bounds="clip") if X.shape[1] == 1 else None


POINTS: dict[str, Callable[..., Any]] = {
    "FGAR": ours,
    "FGAR manhattan": lambda X, monotone: ours(X, monotone, metric="manhattan"),
    "FGAR monotone": lambda X, monotone: ours(X, monotone, metric="manhattan", monotonic_cst=monotone),
    "FGAR learned": lambda X, monotone: ours(X, monotone, **LEARNED),
    "FGAR learned, monotone": lambda X, monotone: ours(X, monotone, **LEARNED, monotonic_cst=monotone),
    "kNN": knn,
    "kNN learned": knn_learned,
    "isotonic": isotonic,
    "random forest": forest,
}


class Quantiles(RegressorMixin, BaseEstimator):
    """Quantiles of the target at some levels; the first and the last are the ends of the interval."""

    levels: Levels

    def predict(self, X: Any) -> Floats:
        """The quantiles of every row, one column per level."""
        raise NotImplementedError

    def predict_interval(self, X: Any) -> tuple[Floats, Floats]:
        """Both ends."""
        found = self.predict(X)
        return found[:, 0], found[:, -1]


class OnePerLevel(Quantiles):
    """A model of its own for every level."""

    def make(self, level: float) -> Any:
        """Return a model of this quantile."""
        raise NotImplementedError

    def fit(self, X: Any, y: Floats) -> Self:
        """Fit all of them."""
        self.models_ = [self.make(level).fit(X, y) for level in self.levels]
        return self

    def predict(self, X: Any) -> Floats:
        """Ask all of them."""
        return np.column_stack([model.predict(X) for model in self.models_])


class Lipschitz(OnePerLevel):
    """Our quantile fits; the interval is from the lower bound of the first to the upper bound of the last."""

    def __init__(self, setting: float = 1.0, weights: Any = None, levels: Levels = ENDS, middle: bool = False):
        self.setting = setting
        self.weights = weights
        self.levels = levels
        self.middle = middle

    def make(self, level: float) -> Any:
        """Fit this quantile."""
        return self.plain(loss="quantile", quantile=level)

    def plain(self, **what: Any) -> FGARegressor:
        """Our regression with this gamma."""
        return FGARegressor(gamma=self.setting, metric="manhattan", feature_weights=self.weights, n_jobs=1, **what)

    def predict_interval(self, X: Any) -> tuple[Floats, Floats]:
        """Envelopes, as of ``FGARegressor(interval=...)``, or the quantiles themselves if ``middle``."""
        if self.middle:
            return super().predict_interval(X)
        return self.whole_.predict_interval(X)

    def fit(self, X: Any, y: Floats) -> Self:
        """Fit the quantiles that are asked for, or the interval."""
        if self.middle:
            return super().fit(X, y)
        self.whole_ = self.plain(interval=SHARE).fit(X, y)
        return self


class Boosted(OnePerLevel):
    """Gradient boosting of the quantile loss."""

    def __init__(self, setting: tuple[float, int, int] = BOOSTING[0], levels: Levels = ENDS):
        self.setting = setting
        self.levels = levels

    def make(self, level: float) -> Any:
        """Boost this quantile."""
        rate, iterations, leaves = self.setting
        how: dict[str, Any] = {"early_stopping": False, "random_state": 0}
        return HistGradientBoostingRegressor(
            loss="quantile", quantile=level, learning_rate=rate, max_iter=iterations, max_leaf_nodes=leaves, **how
        )


class Linear(OnePerLevel):
    """Linear quantile regression on standardised columns."""

    def __init__(self, setting: float = PENALTIES[0], levels: Levels = ENDS):
        self.setting = setting
        self.levels = levels

    def make(self, level: float) -> Any:
        """Fit this quantile."""
        return make_pipeline(StandardScaler(), QuantileRegressor(quantile=level, alpha=self.setting))


class NearTargets(Quantiles):
    """Quantiles of the targets of the nearest rows."""

    def __init__(self, setting: int = 20, levels: Levels = ENDS):
        self.setting = setting
        self.levels = levels

    def fit(self, X: Any, y: Floats) -> Self:
        """Remember the rows, every column divided by its range."""
        self.scaler_ = MinMaxScaler().fit(X)
        self.near_ = NearestNeighbors(n_neighbors=self.setting).fit(self.scaler_.transform(X))
        self.y_ = y
        return self

    def predict(self, X: Any) -> Floats:
        """Quantiles of their targets."""
        near = self.near_.kneighbors(self.scaler_.transform(X), return_distance=False)
        return np.quantile(self.y_[near], self.levels, axis=1).T


class ForestTargets(Quantiles):
    """Quantiles of the targets in the leaves of a random forest (Meinshausen's quantile regression forest)."""

    def __init__(self, setting: tuple[float, int] = FOREST[0], levels: Levels = ENDS):
        self.setting = setting
        self.levels = levels

    def fit(self, X: Any, y: Floats) -> Self:
        """Grow the trees, and see which leaf each training row is in."""
        features, leaf = self.setting
        how: dict[str, Any] = {"max_features": features, "min_samples_leaf": leaf, "random_state": 0, "n_jobs": 1}
        self.forest_ = RandomForestRegressor(N_TREES, **how).fit(X, y)
        order = np.argsort(y)
        self.y_, self.leaves_ = y[order], self.forest_.apply(X)[order]
        return self

    def predict(self, X: Any) -> Floats:
        """Weighted quantiles: a training row weighs as often as it shares a leaf, over the size of that leaf."""
        weight = np.zeros((len(X), len(self.y_)))
        for own, leaves in zip(self.forest_.apply(X).T, self.leaves_.T, strict=True):
            together = own[:, None] == leaves
            weight += together / together.sum(axis=1, keepdims=True)
        below = np.cumsum(weight, axis=1) / N_TREES
        places = [np.argmax(below >= level - 1e-9, axis=1) for level in self.levels]
        return self.y_[np.column_stack(places)]


def interval_score(model: Any, X: Any, y: Floats) -> float:
    """Minus the interval score: width, and 2 / (1 - share) times what a target lies outside.

    >>> class Always:
    ...     def predict_interval(self, X):
    ...         return np.zeros(2), np.ones(2)
    >>> interval_score(Always(), None, np.array([0.5, 1.1]))
    -2.0
    """
    lower, upper = model.predict_interval(X)
    outside = np.maximum(lower - y, 0.0) + np.maximum(y - upper, 0.0)
    return -round(float(np.mean(upper - lower + 2 / (1 - SHARE) * outside)), 12)


INTERVALS: dict[str, tuple[Quantiles, Sequence[Any]]] = {
    "FGAR envelope": (Lipschitz(), GAMMAS),
    "FGAR quantiles": (Lipschitz(middle=True), GAMMAS),
    "FGAR envelope, learned": (Lipschitz(weights="learned"), GAMMAS),
    "FGAR quantiles, learned": (Lipschitz(weights="learned", middle=True), GAMMAS),
    "kNN quantiles": (NearTargets(), (7, 10, 15, 20, 25, 30, 40, 50, 70, 100, 150)),
    "linear quantiles": (Linear(), PENALTIES),
    "quantile forest": (ForestTargets(), FOREST),
    "quantile boosting": (Boosted(), BOOSTING),
}


def tuned_interval(name: str) -> GridSearchCV:
    """The model with the setting that has the best interval score in the inner folds."""
    model, settings = INTERVALS[name]
    return GridSearchCV(model, {"setting": list(settings)}, cv=INNER, scoring=interval_score)


assert {len(settings) for settings in (GAMMAS, NEIGHBOURS, FOREST, BOOSTING, PENALTIES)} == {11}
