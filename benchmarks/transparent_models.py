"""The models of ``transparent.py``: up to eleven settings each, the same inner folds, classes that count alike.

Settings, distances and inner folds are those of ``accuracy.py`` where it has the model. Ours has nothing to choose: it
is ``FGAClassifierCV()``, which finds its gamma itself. EBM has its defaults, which bag within, and no grid: eleven
settings of it would take ten days. Where it can tell classes apart without a doubt it goes on for a quarter of an hour
and more: it has :data:`EBM_ROUNDS` rounds at most, a tenth of its default.
Categories become columns of 0 and 1, but for EBM, boosting and models of distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import transparent_lengths as lengths
from accuracy_models import (
    BOOSTING,
    CART,
    FOREST,
    NEIGHBOURS,
    SVM,
    Grid,
    Tuned,
    boosting,
    cart,
    forest,
    frnn,
    frnn_order,
    knn,
    one_hot,
    svm,
)
from fgac import FGAClassifierCV, FRNNClassifier
from fgac._typing import Ints
from tables_models import SUBJECT, Weighted, ebm

EBM = "EBM"
EBM_ROUNDS = 5000
DEPTH = 5
RULES = (3, 5, 8, 12, 16, 20, 25, 30, 40, 50, 60)
STRENGTHS = tuple(float(C) for C in np.logspace(-3, 2, 11).round(6))
SMOOTHING = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 1.0)


class Contender(NamedTuple):
    """How a model is tuned, how many settings it has, and how long its explanations are; None: it has none."""

    tune: Callable[[Any, Ints], Tuned]
    n_settings: int
    length: Callable[[Any, Any, int], float] | None

    @property
    def transparent(self) -> bool:
        """Whether a person can redo its predictions."""
        return self.length is not None


@dataclass(frozen=True)
class Untuned:
    """A model that is taken as it is."""

    make: Callable[[], Any]

    def __call__(self, X: Any, y: Ints) -> Tuned:
        """Fit it to all rows."""
        return Tuned(self.make().fit(X, y), None, 0, float("nan"))


def limited_ebm() -> Any:
    """An explainable boosting machine that comes to an end.

    (Its ``callback`` is no way to end a bag: the first bag that stops, stops all.)
    """
    return Weighted(ebm(0).set_params(max_rounds=EBM_ROUNDS))


def figs(rules: int, _: Any) -> Any:
    """A sum of few trees."""
    from imodels import FIGSClassifier

    np.random.seed(0)  # noqa: NPY002 (its stumps break ties by the global generator, whatever its random_state)
    return make_pipeline(one_hot(), FIGSClassifier(max_rules=rules, class_weight="balanced", n_jobs=1))


def logistic(C: float, _: Any) -> Any:
    """Logistic regression on standardised columns."""
    model = LogisticRegression(C=C, class_weight="balanced", max_iter=1000)
    return make_pipeline(one_hot(StandardScaler()), model)


def bayes(smoothing: float, _: Any) -> Any:
    """Gaussian naive Bayes on standardised columns, since variances are smoothed by a share of the largest one."""
    return make_pipeline(one_hot(StandardScaler()), Weighted(GaussianNB(var_smoothing=smoothing)))


def _contenders() -> dict[str, Contender]:
    grids = {
        "FIGS": (Grid(figs, RULES), lengths.figs_length),
        f"CART of depth {DEPTH}": (Grid(partial(cart, depth=DEPTH), CART), lengths.tree_length),
        "CART": (Grid(cart, CART), lengths.tree_length),
        "logistic regression": (Grid(logistic, STRENGTHS), lengths.logistic_length),
        "kNN": (Grid(knn(), NEIGHBOURS, repeat=True), lengths.knn_length),
        "kFRNN": (Grid(frnn(), frnn_order(), repeat=True), lengths.frnn_length),
        "naive Bayes": (Grid(bayes, SMOOTHING), lengths.bayes_length),
        "random forest": (Grid(forest, FOREST), None),
        "gradient boosting": (Grid(boosting, BOOSTING), None),
        "RBF-SVM": (Grid(svm, SVM), None),
    }
    found = {
        SUBJECT: Contender(Untuned(FGAClassifierCV), 1, lengths.our_length),
        EBM: Contender(Untuned(limited_ebm), 1, lengths.ebm_length),
    }
    return found | {name: Contender(grid, len(grid.settings), length) for name, (grid, length) in grids.items()}


CONTENDERS = _contenders()
assert max(contender.n_settings for contender in CONTENDERS.values()) <= 12
NEEDED = {EBM: ("interpret.glassbox", "interpret-core"), "FIGS": ("imodels", "imodels and six, which it imports")}


def make_ready(names: list[str]) -> None:
    """Import and compile what models need before anything is timed; say what is missing before anything is run."""
    for name in names:
        if name in NEEDED:
            module, packages = NEEDED[name]
            try:
                __import__(module)
            except ImportError as error:
                words = f"{name} cannot run ({error}): install {packages}, or leave it out by --models"
                raise SystemExit(words) from error
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.random(60), "b": pd.Categorical(list("xyz") * 20)})
    y = (frame["a"] + rng.random(60) > 1).to_numpy().astype(int)
    for model in (FGAClassifierCV(), FRNNClassifier(n_neighbors=3)):
        model.fit(frame, y).predict_proba(frame)
