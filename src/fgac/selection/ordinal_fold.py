"""A fold for ordered classes: every boundary is a fold of two classes, on the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from fgac.estimators._base import read_rows
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import judged_order
from fgac.estimators._training import OrdinalTrainingSet
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.granular.boundaries import summed_up
from fgac.granular.judged import Judged
from fgac.metrics.distances import Rows
from fgac.selection.classifier_fold import ClassifierFold, ClassifierFoldModel
from fgac.selection.folds import Part, changed


@dataclass(frozen=True)
class OrdinalFold:
    """A fold for ordered classes: one for every boundary, on the same rows."""

    plain: FGAOrdinalClassifier
    training: OrdinalTrainingSet
    boundaries: tuple[ClassifierFold, ...]
    test_rows: Rows

    @classmethod
    def of(cls, plain: FGAOrdinalClassifier, part: Part) -> OrdinalFold:
        """Learn to read as ``fit`` does, and compute the distances that all gammas share."""
        training = plain._prepare(part.X, part.y, part.weight, None)
        training = training._replace(read=training.read._replace(header=part.header))
        test_rows = read_rows(training.read.table, part.unseen)[0]
        binary = plain._binary()
        folds = [ClassifierFold.on(binary, boundary, test_rows) for boundary in training.boundaries]
        return cls(plain, training, tuple(folds), test_rows)

    def models(self, gammas: Iterable[float]) -> Iterator[OrdinalFoldModel]:
        """From large gammas to small ones."""
        gammas = sorted(gammas, reverse=True)
        parts = [boundary.models(gammas) for boundary in self.boundaries]
        for gamma in gammas:
            yield OrdinalFoldModel(self, gamma, tuple(next(models) for models in parts))


@dataclass(frozen=True)
class OrdinalFoldModel:
    """A classifier of ordered classes of one fold: the models of all boundaries for one gamma."""

    fold: OrdinalFold
    gamma: float
    boundaries: tuple[ClassifierFoldModel, ...]
    constant: ClassVar[None] = None

    def judge(self) -> Judged:
        """Classes of the rows held out, how many boundaries each is above, and what they rest on."""
        answers = [boundary.predictor.memberships_and_scores(boundary.fold.test_rows) for boundary in self.boundaries]
        at_least, winners = summed_up(answers, len(self.fold.test_rows))
        return judged_order(at_least, winners, self.fold.training.classes)

    def estimator(self) -> Any:
        """The fitted estimator; the boundaries keep different distances, so it computes its own."""
        return self.whole_estimator()

    def whole_estimator(self) -> Any:
        """The fitted estimator as ``fit`` makes it."""
        states = [b.plain._state_from(b.fold.training, b.beta, b.solution) for b in self.boundaries]
        return plain_estimator(changed(self.fold.plain, gamma=self.gamma)._state_from(self.fold.training, states))
