"""The models of ``accuracy.py``: eleven settings each, and the same help for small classes.

Every model sees the same table of numbers and categories. Distances get what ours are made of: differences in numbers
over the range of the training part, 1 for two different categories. Small classes count as much as large ones: by
``class_weight="balanced"`` where a model has it, by repeating their rows where it has not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fgac import FGAClassifier, FGAClassifierCV, FRNNClassifier
from fgac._typing import Floats, Ints
from fgac.experiments.methods.protocol import oversampled
from fgac.experiments.methods.published import NEIGHBOURS, NEIGHBOURS_FRNN
from fgac.selection.baselines import coordinates
from fgac.tables.table import learn_table
from path import GRID

INNER = StratifiedKFold(3, shuffle=True, random_state=0)
# How distances are measured where weights of columns are learned.
LEARNED = {"metric": "manhattan", "scale": "rank"}
N_TREES = 200


class Tuned(NamedTuple):
    """A model fitted with the setting that was best in the inner folds, whose number it has among all."""

    model: Any
    setting: Any
    number: int
    inner_score: float
    weights: Floats | None = None


class Contender(NamedTuple):
    """What is compared: how it is tuned, how many settings it has, whether a person can follow it."""

    tune: Callable[[Any, Ints], Tuned]
    n_settings: int
    transparent: bool


@dataclass(frozen=True)
class Grid:
    """An estimator of anyone, tuned over a list of settings, simple ones first: of equal scores the first wins.

    Parameters
    ----------
    make : function of a setting and of weights of columns (None unless ``learned``), which returns an estimator
    settings : what is tried
    repeat : whether rows of small classes are repeated, since the estimator has no weights of classes
    learned : whether columns are weighted as our classifier learns it from the same rows
    """

    make: Callable[[Any, Any], Any]
    settings: Sequence[Any]
    repeat: bool = False
    learned: bool = False

    def __call__(self, X: Any, y: Ints) -> Tuned:
        """Choose a setting by the inner folds, and fit it to all rows."""
        mean = np.mean([self._scores(X, y, *fold) for fold in INNER.split(X, y)], axis=0)
        best = int(np.argmax(mean >= mean.max() - 1e-12))
        setting, weights = self.settings[best], self._weights(X, y)
        return Tuned(self._fit(setting, X, y, weights), setting, best, float(mean[best]), weights)

    def _scores(self, X: Any, y: Ints, train: Ints, test: Ints) -> list[float]:
        """Scores of all settings on one inner fold; weights, too, are learned without what is held out."""
        weights = self._weights(X.iloc[train], y[train])
        models = (self._fit(setting, X.iloc[train], y[train], weights) for setting in self.settings)
        return [float(balanced_accuracy_score(y[test], model.predict(X.iloc[test]))) for model in models]

    def _weights(self, X: Any, y: Ints) -> Floats | None:
        return learned_weights(X, y) if self.learned else None

    def _fit(self, setting: Any, X: Any, y: Ints, weights: Floats | None) -> Any:
        if self.repeat:
            rows = oversampled(np.arange(len(y))[:, None], y)[0][:, 0]
            X, y = X.iloc[rows], y[rows]
        return self.make(setting, weights).fit(X, y)


@dataclass(frozen=True)
class Ours:
    """Our classifier, which tunes gamma itself."""

    metric: str = "euclidean"
    scale: str = "range"
    feature_weights: Any = None

    def __call__(self, X: Any, y: Ints) -> Tuned:
        """Choose gamma by the inner folds, and fit to all rows."""
        how: dict[str, Any] = {"gammas": GRID, "cv": INNER, "scoring": "balanced_accuracy"}
        distance = {"metric": self.metric, "scale": self.scale, "feature_weights": self.feature_weights}
        model = FGAClassifierCV(class_weight="balanced", n_jobs=1, **how, **distance).fit(X, y)
        learned = model.feature_weights_ if "learned" in (self.metric, self.feature_weights) else None
        return Tuned(model, model.gamma_, GRID.index(model.gamma_), model.best_score_, learned)


def learned_weights(X: Any, y: Ints) -> Floats:
    """The weights of columns that our classifier learns from these rows."""
    model = FGAClassifier(**LEARNED, feature_weights="learned", class_weight="balanced", n_jobs=1)
    return np.asarray(model.fit(X, y).feature_weights_)


class Coordinates(TransformerMixin, BaseEstimator):
    """Rows as points whose Euclidean or Manhattan distance is ours."""

    def __init__(self, metric: str = "euclidean", scale: str = "range", weights: Any = None) -> None:
        self.metric = metric
        self.scale = scale
        self.weights = weights

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the scales of the numeric columns."""
        self.table_, values = learn_table(
            X,
            metric=self.metric,
            scale=self.scale,
            categorical_features="from_dtype",
            feature_weights=self.weights,
            sample_weight=np.ones(len(X)),
        )
        self.sizes_ = self.table_.rows(values).codes.max(axis=0, initial=-1) + 1
        return self

    def transform(self, X: Any) -> Floats:
        """Scale, encode and weight."""
        return coordinates(self.table_.rows(self.table_.read(X)), self.sizes_, self.metric)


class RelativeSVC(ClassifierMixin, BaseEstimator):
    """A support vector machine with a Gaussian kernel, its width a multiple of scikit-learn's default."""

    def __init__(self, C: float = 1.0, width: float = 1.0) -> None:
        self.C = C
        self.width = width

    def fit(self, X: Floats, y: Ints) -> Self:
        """Fit with ``gamma = width / (columns * variance)``."""
        gamma = self.width / (X.shape[1] * X.var())
        self.model_ = SVC(C=self.C, gamma=gamma, class_weight="balanced").fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Floats) -> Ints:
        """Predict classes."""
        return self.model_.predict(X)


def one_hot(numbers: Any = "passthrough") -> Any:
    """One column per category, numbers as this step makes them."""
    categories = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (categories, make_column_selector(dtype_include="category")),
    )


def knn(metric: str = "euclidean", scale: str = "range") -> Callable[[Any, Any], Any]:
    """Nearest neighbours in our distance."""
    return lambda k, weights: make_pipeline(Coordinates(metric, scale, weights), KNeighborsClassifier(k, metric=metric))


def frnn(metric: str = "euclidean", scale: str = "range") -> Callable[[Any, Any], Any]:
    """Fuzzy rough nearest neighbours, as in the paper."""
    how: dict[str, Any] = {"metric": metric, "scale": scale, "n_jobs": 1}
    return lambda k, weights: FRNNClassifier(n_neighbors=None if k == "all" else k, feature_weights=weights, **how)


def cart(setting: tuple[int, float], _: Any, depth: int | None = None) -> Any:
    """A decision tree, pruned, and of a largest depth if there is one."""
    leaf, alpha = setting
    how: dict[str, Any] = {"class_weight": "balanced", "random_state": 0, "max_depth": depth}
    return make_pipeline(one_hot(), DecisionTreeClassifier(min_samples_leaf=leaf, ccp_alpha=alpha, **how))


def forest(setting: tuple[Any, int], _: Any) -> Any:
    """A random forest."""
    features, leaf = setting
    how: dict[str, Any] = {"class_weight": "balanced", "random_state": 0, "n_jobs": 1}
    return make_pipeline(
        one_hot(), RandomForestClassifier(N_TREES, max_features=features, min_samples_leaf=leaf, **how)
    )


def boosting(setting: tuple[float, int, int], _: Any) -> Any:
    """Gradient boosting, which knows categories."""
    rate, iterations, leaves = setting
    how: dict[str, Any] = {"class_weight": "balanced", "random_state": 0, "early_stopping": False}
    return HistGradientBoostingClassifier(
        learning_rate=rate, max_iter=iterations, max_leaf_nodes=leaves, categorical_features="from_dtype", **how
    )


def svm(setting: tuple[float, float], _: Any) -> Any:
    """A support vector machine on standardised columns."""
    C, width = setting
    return make_pipeline(one_hot(StandardScaler()), RelativeSVC(C, width))


def frnn_order() -> tuple[Any, ...]:
    return (*(k for k in NEIGHBOURS_FRNN if k != "all"), "all")


CART = [(leaf, alpha) for leaf, alpha in product((15, 5, 1), (0.03, 0.01, 0.003, 0.0)) if (leaf, alpha) != (15, 0.003)]
FOREST = [("sqrt", leaf) for leaf in (1, 3, 8, 20)] + [(0.4, leaf) for leaf in (1, 3, 8, 20)]
FOREST += [(0.8, leaf) for leaf in (1, 3, 8)]
BOOSTING = [(0.1, n, leaves) for n, leaves in product((30, 100), (4, 8, 31))]
BOOSTING += [(0.03, 100, leaves) for leaves in (4, 8, 31)] + [(0.03, 300, leaves) for leaves in (4, 8)]
SVM = [(C, width) for C, width in product((1.0, 0.1, 10.0, 100.0), (0.5, 0.1, 2.0)) if (C, width) != (0.1, 2.0)]


def _contenders() -> dict[str, Contender]:
    ours = {
        "FGAC": Ours(),
        "FGAC manhattan": Ours("manhattan"),
        "FGAC ranks": Ours(**LEARNED),
        "FGAC learned": Ours(**LEARNED, feature_weights="learned"),
        "FGAC learned, ranges": Ours("manhattan", feature_weights="learned"),
        "FGAC score": Ours("learned", "auto"),
    }
    transparent = {
        "kFRNN": Grid(frnn(), frnn_order(), repeat=True),
        "kFRNN manhattan": Grid(frnn("manhattan"), frnn_order(), repeat=True),
        "kFRNN ranks": Grid(frnn(**LEARNED), frnn_order(), repeat=True),
        "kFRNN learned": Grid(frnn(**LEARNED), frnn_order(), repeat=True, learned=True),
        "kNN": Grid(knn(), NEIGHBOURS, repeat=True),
        "kNN manhattan": Grid(knn("manhattan"), NEIGHBOURS, repeat=True),
        "kNN ranks": Grid(knn(**LEARNED), NEIGHBOURS, repeat=True),
        "kNN learned": Grid(knn(**LEARNED), NEIGHBOURS, repeat=True, learned=True),
        "CART": Grid(cart, CART),
    }
    black = {
        "random forest": Grid(forest, FOREST),
        "gradient boosting": Grid(boosting, BOOSTING),
        "RBF-SVM": Grid(svm, SVM),
    }
    found = {name: Contender(tune, len(GRID), True) for name, tune in ours.items()}
    found |= {name: Contender(grid, len(grid.settings), True) for name, grid in transparent.items()}
    return found | {name: Contender(grid, len(grid.settings), False) for name, grid in black.items()}


CONTENDERS = _contenders()
assert {contender.n_settings for contender in CONTENDERS.values()} == {11}
