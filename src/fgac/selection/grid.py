"""Scores of gammas on rows that were held out: those of a grid search, for less work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import count
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from fgac._typing import Floats, Ints
from fgac.granular.judged import Judged
from fgac.metrics.tiles import one_blas_thread
from fgac.selection.folds import KEEP, Fold, FoldModel, Material, Part
from fgac.selection.held_out import HeldOutScore
from fgac.tables.frames import take_rows
from fgac.tables.reading import ReadTable

# The gammas of the paper, and larger ones, which cost next to nothing.
PAPER_GAMMAS = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
GAMMAS = (*PAPER_GAMMAS, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0)

Progress = Callable[[int, int], None]


class GridScores(NamedTuple):
    """What was seen on held-out parts; arrays have a row per gamma and a column per part.

    Attributes
    ----------
    scores : array
    argued_share : array
        Share of the predictions that some training row argues for.
    median_strength : array
        Median of the strengths of the strongest arguments.
    degrees : list of dict of arrays
        Of every part, by gamma, the degrees of the rows held out; empty of numbers.
    numbers : list of dict of arrays
        Of every part, by gamma, the numbers predicted of the rows held out; empty of classes.
    """

    scores: Floats
    argued_share: Floats
    median_strength: Floats
    degrees: list[dict[float, Floats]]
    numbers: Sequence[dict[float, Floats]] = ()


class ModelScore(NamedTuple):
    """The same of one model on one part."""

    score: float
    argued_share: float
    median_strength: float
    degrees: Floats | None
    numbers: Floats | None

    @classmethod
    def of(cls, score: float, judged: Judged, weight: Floats | None) -> ModelScore:
        """A score, and what the predictions rest on."""
        numbers = judged.predicted if judged.degrees is None else None
        return cls(score, judged.argued_share(weight), judged.median_strength(weight), judged.degrees, numbers)


@dataclass(frozen=True)
class Scoring:
    """How predictions of rows held out become one number.

    Attributes
    ----------
    score : function ``score(y, judged, constant, **params)`` or None
        Looks at predictions and what they rest on, see :mod:`~fgac.selection.held_out`. scikit-learn's checks of every
        call take longer than small predictions.
    scorer : function ``scorer(estimator, X, y, **params)`` or None
        What is asked where there is no such function.
    params : dict
        More for either; what has one entry per row is cut to the rows held out.
    sees_all : bool
        Whether the scorer is a function of the caller's, which may ask for anything that a fitted estimator has, and
        look into the table itself.
    """

    score: HeldOutScore | None
    scorer: Callable[..., Any] | None
    params: Mapping[str, Any]
    sees_all: bool = False

    def of(
        self, model: FoldModel, fold: Fold, material: Material, test: Ints, precomputed_to: Ints | None
    ) -> ModelScore:
        """The score of one model on the rows held out, and what its predictions rest on."""
        judged = model.judge()
        score = self._number_of(model, judged, fold, material, test, precomputed_to)
        return ModelScore.of(score, judged, None if material.weight is None else material.weight[test])

    def _number_of(
        self,
        model: FoldModel,
        judged: Judged,
        fold: Fold,
        material: Material,
        test: Ints,
        precomputed_to: Ints | None,
    ) -> float:
        y, n = material.y, len(material.y)
        params = {name: _cut(value, test, n) for name, value in self.params.items()}
        if self.score is not None:
            return float(self.score(y[test], judged, model.constant, **params))
        assert self.scorer is not None
        if self.sees_all:
            return _number(
                self.scorer(model.whole_estimator(), take(material.X, test, precomputed_to), y[test], **params)
            )
        return _number(self.scorer(model.estimator(), fold.test_rows, y[test], **params))


def score_gammas(
    plain: Any,
    make_fold: Callable[[Any, Part], Fold],
    material: Material,
    gammas: Iterable[float],
    scoring: Scoring,
    on_progress: Progress | None = None,
) -> GridScores:
    """Scores of every gamma (rows) on every held-out part (columns), and what the predictions rest on.

    Parameters
    ----------
    plain : estimator
        With all settings but gamma; it is not changed.
    make_fold : function
        Reads the rows of one part.
    material : Material
        Table, targets, weights and folds.
    gammas : numbers
    scoring : Scoring
    on_progress : function of two integers, optional
        Called with the number of models that are done and that there are.
    """
    gammas = [float(gamma) for gamma in gammas]
    done, total = count(1), len(set(gammas)) * len(material.splits)
    # Small folds go to threads of their own; in large ones the threads are within a fold.
    small = all((len(train) + len(test)) ** 2 <= KEEP for train, test in material.splits)
    n_jobs = effective_n_jobs(plain.n_jobs) if small else 1
    plain = copy(plain).set_params(n_jobs=1 if small else plain.n_jobs)
    parts = Parts(material)

    def scores(train: Ints, test: Ints) -> dict[float, ModelScore]:
        fold = make_fold(plain, parts.of(train, test))
        found: dict[float, ModelScore] = {}
        for model in fold.models(set(gammas)):
            found[model.gamma] = scoring.of(model, fold, material, test, train if parts.precomputed else None)
            if on_progress is not None:
                on_progress(next(done), total)
        return found

    with one_blas_thread():
        found = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(scores)(*split) for split in material.splits)
    return gathered(found, gammas)


def gathered(found: Sequence[Mapping[float, ModelScore]], gammas: Iterable[float]) -> GridScores:
    """What was seen on every part, by gamma, as arrays."""
    table = [[part[gamma] for part in found] for gamma in gammas]

    def array(name: str) -> Floats:
        return np.array([[getattr(each, name) for each in row] for row in table])

    def by_part(name: str) -> list[dict[float, Floats]]:
        kept = [{gamma: getattr(each, name) for gamma, each in part.items()} for part in found]
        return [{gamma: values for gamma, values in part.items() if values is not None} for part in kept]

    scores = array("score"), array("argued_share"), array("median_strength")
    return GridScores(*scores, by_part("degrees"), by_part("numbers"))


class Parts:
    """The parts of a table that folds are made of."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.precomputed = not isinstance(material.read, ReadTable)

    def of(self, train: Ints, test: Ints) -> Part:
        """Rows to train on, and rows to judge."""
        columns = train if self.precomputed else None
        material = self.material
        return Part(
            header=material.header._replace(n_features=len(train)) if self.precomputed else material.header,
            X=take(material.read, train, columns),
            y=material.y[train],
            weight=None if material.weight is None else material.weight[train],
            unseen=take(material.read, test, columns),
        )


def take(X: Any, rows: Ints, columns: Ints | None) -> Any:
    """Some rows of a table; of distances, those to some of the rows."""
    return take_rows(X, rows) if columns is None else X[np.ix_(rows, columns)]


def _cut(value: Any, rows: Ints, n: int) -> Any:
    """Some entries of what has one for every row; anything else as it is."""
    return np.asarray(value)[rows] if hasattr(value, "__len__") and len(value) == n else value


def _number(score: Any) -> float:
    if not isinstance(score, Real):
        raise ValueError(f"scoring gave {score!r} of type {type(score).__name__}; expected one number to choose by")
    return float(score)
