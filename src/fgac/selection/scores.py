"""Scores of models on rows they have not seen, as frozen values: means over test parts with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from scipy.special import stdtrit

from fgac._serialize import omit_if_default
from fgac._typing import Floats

# Of the intervals.
CONFIDENCE = 0.95

Verdict = Literal["better", "worse", "no clear difference", "no difference"]


@dataclass(frozen=True)
class ScoreInterval:
    """A mean over test parts and its confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class ScoreDifference:
    """One score of two models, and by how much the first is better.

    Attributes
    ----------
    score : str
        What is compared: "balanced accuracy", "accuracy", "classes off", "R2" or "mean absolute error".
    model, other : ScoreInterval
        Means and intervals of both.
    lead : ScoreInterval
        By how much the model is better than the other, part by part: positive if it is, also where less is better.
    """

    score: str
    model: ScoreInterval
    other: ScoreInterval
    lead: ScoreInterval

    @property
    def verdict(self) -> Verdict:
        """Whether the interval of the difference holds 0; "no difference" if the two never differ."""
        if self.lead.low == self.lead.high == 0:
            return "no difference"
        if self.lead.low <= 0 <= self.lead.high:
            return "no clear difference"
        return "better" if self.lead.low > 0 else "worse"


@dataclass(frozen=True)
class Comparison:
    """A model beside another one, both fitted to the same training parts and judged on the same test parts.

    Attributes
    ----------
    differences : tuple of ScoreDifference
        The score by which gamma is chosen comes first.
    gammas : tuple of float
        The gamma of the other model in every part.
    """

    differences: tuple[ScoreDifference, ...]
    gammas: tuple[float, ...]

    def text(self, model: str = "the model", other: str = "the other one") -> str:
        """The comparison in words, a sentence for every score.

        Parameters
        ----------
        model, other : str
            What the two are called.

        Returns
        -------
        str
        """
        from fgac.text.comparison import describe

        return describe(self.differences, model, other)

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_comparison, or_none

        return or_none(of_comparison, self)


@dataclass(frozen=True)
class ClassScores:
    """Scores of one method; ``recalls`` in the order of the classes."""

    balanced_accuracy: ScoreInterval
    accuracy: ScoreInterval
    recalls: tuple[float, ...]


@dataclass(frozen=True)
class OrderedScores(ClassScores):
    """The same of classes that have an order: also by how many of them predictions are off."""

    classes_off: ScoreInterval


@dataclass(frozen=True)
class CoverageScore:
    """Accuracy of the predictions that a model is most confident of.

    Attributes
    ----------
    share : float
        How much of every test part is predicted, the most confident rows first; guesses come last.
    accuracy : ScoreInterval
        Of these predictions.
    min_confidence : float
        The least confidence among them, mean of the test parts.
    """

    share: float
    accuracy: ScoreInterval
    min_confidence: float


@dataclass(frozen=True)
class Evaluation:
    """Cross-validated scores of a model of classes and of what it must beat.

    Attributes
    ----------
    classes, class_sizes : tuple
        Labels of the classes, and the number of rows of each.
    n_rows, n_folds, n_repeats : int
    gammas : tuple of float
        The gamma of every test part.
    fgac, neighbours : ClassScores
        Of the model, and of the nearest neighbours.
    lead : ScoreInterval
        Balanced accuracy minus that of the neighbours, part by part.
    majority : float
        Balanced accuracy of always saying the largest class.
    argued_share : float or None
        Share of the test rows about which some training row has an argument; the other predictions are guesses.
    median_strength : float or None
        Median over the test rows of the strength of the strongest argument, from 0 to 1.
    coverage : tuple of CoverageScore
        How accurate the model is if it abstains from the rows that it is least sure of.
    n_groups : int or None
        Number of groups, if rows belong together: test parts hold whole groups, so scores are of new ones.
    against : Comparison or None
        By how much the model is better than another one, if it was compared.
    """

    classes: tuple[Any, ...]
    class_sizes: tuple[int, ...]
    n_rows: int
    n_folds: int
    n_repeats: int
    gammas: tuple[float, ...]
    fgac: ClassScores
    neighbours: ClassScores
    lead: ScoreInterval
    majority: float
    argued_share: float | None = None
    median_strength: float | None = None
    coverage: tuple[CoverageScore, ...] = ()
    n_groups: int | None = omit_if_default(None)
    against: Comparison | None = omit_if_default(None)  # noqa: RUF009

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_evaluation, or_none

        return or_none(of_evaluation, self)


@dataclass(frozen=True)
class RegressionScores:
    """Scores of one method, or the differences of two."""

    r2: ScoreInterval
    absolute_error: ScoreInterval


@dataclass(frozen=True)
class IntervalScores:
    """How good the intervals of one method are.

    Attributes
    ----------
    coverage : ScoreInterval
        The share of the targets that they hold.
    width, score : ScoreInterval
        How wide they are, and their interval score: the width, and what targets lie outside, times 2 over the share
        that may lie outside. In the unit of the target; the lower, the better.
    coverage_of_widest, coverage_of_smallest, coverage_of_largest : float
        The coverage of the fifth of the rows whose intervals are widest, and of the tenths with the smallest and the
        largest targets.
    """

    coverage: ScoreInterval
    width: ScoreInterval
    score: ScoreInterval
    coverage_of_widest: float
    coverage_of_smallest: float
    coverage_of_largest: float


@dataclass(frozen=True)
class IntervalEvaluation:
    """Intervals that are to hold a share of the targets: of the model, and of boosted trees, conformalised."""

    share: float
    fgac: IntervalScores
    boosting: IntervalScores


@dataclass(frozen=True)
class RegressionEvaluation:
    """Cross-validated scores of a regressor and of what it must beat.

    Attributes
    ----------
    n_rows, n_folds, n_repeats : int
    gammas : tuple of float
        The gamma of every test part.
    fgac, neighbours, mean : RegressionScores
        Of the model, of the nearest neighbours, and of always saying the mean of the training part.
    lead : RegressionScores
        Scores minus those of the neighbours, part by part.
    argued_share, median_strength, n_groups : float or None
        As in :class:`Evaluation`.
    against : Comparison or None
        As in :class:`Evaluation`.
    intervals : IntervalEvaluation or None
        How good the intervals are, if the model has some.
    """

    n_rows: int
    n_folds: int
    n_repeats: int
    gammas: tuple[float, ...]
    fgac: RegressionScores
    neighbours: RegressionScores
    mean: RegressionScores
    lead: RegressionScores
    argued_share: float | None = None
    median_strength: float | None = None
    n_groups: int | None = omit_if_default(None)
    against: Comparison | None = omit_if_default(None)  # noqa: RUF009
    intervals: IntervalEvaluation | None = omit_if_default(None)  # noqa: RUF009

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_evaluation, or_none

        return or_none(of_evaluation, self)


def interval(scores: Floats, ratio: float, limits: tuple[float, float] = (-1.0, 1.0)) -> ScoreInterval:
    """Mean and 95 % interval by the corrected resampled t of Nadeau and Bengio.

    Training parts overlap, so scores vary together and the usual interval is too narrow: the variance of the mean
    of J scores is taken as ``(1 / J + ratio)`` times theirs, where ``ratio`` is that of test to training rows.

    >>> import numpy as np
    >>> found = interval(np.array([0.5, 0.75, 1.0]), ratio=0.25)
    >>> found.mean, round(found.low, 2), found.high
    (0.75, -0.07, 1.0)
    """
    mean = float(scores.mean())
    spread = math.sqrt((1 / len(scores) + ratio) * scores.var(ddof=1))
    reach = float(stdtrit(len(scores) - 1, 0.5 + CONFIDENCE / 2)) * spread
    return ScoreInterval(mean, max(limits[0], mean - reach), min(limits[1], mean + reach))
