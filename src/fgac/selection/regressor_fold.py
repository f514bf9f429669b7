"""A fold for regressors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac.estimators._base import read_rows
from fgac.estimators._plain import plain_estimator
from fgac.estimators._training import RegressionTrainingSet
from fgac.estimators.regressor import FGARegressor
from fgac.granular.judged import Judged, is_guess
from fgac.metrics.distances import Rows
from fgac.selection.folds import Part, changed
from fgac.solve import Solution


@dataclass(frozen=True)
class RegressorFold:
    """A fold for regressors."""

    plain: FGARegressor
    training: RegressionTrainingSet
    test_rows: Rows

    @classmethod
    def of(cls, plain: FGARegressor, part: Part) -> RegressorFold:
        """Learn to read as ``fit`` does."""
        plain = changed(plain, interval=None)  # intervals are fitted once, with the gamma that is chosen
        training = plain._prepare(part.X, part.y, part.weight, None)
        training = training._replace(read=training.read._replace(header=part.header))
        return cls(plain, training, read_rows(training.read.table, part.unseen)[0])

    def models(self, gammas: Iterable[float]) -> Iterator[RegressorFoldModel]:
        """From large gammas to small ones, each with the solution of the last as a start."""
        first = self.plain._constraints(self.training)
        before: tuple[float, Solution] | None = None
        for gamma in sorted(gammas, reverse=True):
            plain = changed(self.plain, gamma=gamma)
            start = None if before is None else before[1].active.scaled(gamma / before[0])
            solution = plain._solve(self.training, first.at(gamma), start)
            before = gamma, solution
            yield RegressorFoldModel(self, plain, solution)


@dataclass(frozen=True)
class RegressorFoldModel:
    """A regressor of one fold: its settings with their gamma, and the solved problem."""

    fold: RegressorFold
    plain: FGARegressor
    solution: Solution

    @property
    def gamma(self) -> float:
        """The gamma."""
        return float(self.plain.gamma)

    @property
    def constant(self) -> float:
        """The mean of the training targets, as they are learned."""
        training = self.fold.training
        return float(np.average(training.scale.near(training.observed), weights=training.read.rows.weights))

    def judge(self) -> Judged:
        """Numbers for the rows held out, and what they rest on."""
        training = self.fold.training
        extension = self.plain._extension(training, self.solution.values)
        bounds, strength = extension.bounds_and_strength(self.fold.test_rows)
        return Judged(training.scale.to_user_scale(bounds.prediction), is_guess(strength), strength)

    def estimator(self) -> Any:
        """The fitted estimator."""
        return self.whole_estimator()

    def whole_estimator(self) -> Any:
        """The fitted estimator as ``fit`` makes it."""
        return plain_estimator(self.plain._state_from(self.fold.training, self.solution))
