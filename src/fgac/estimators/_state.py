"""What a fitted model knows, as one frozen value per kind of model.

``fit`` makes a state, and assigns it whole and last: an estimator has all of it or what it had before. Explanations,
audits, model files and pictures are made from a state; none of them looks into an estimator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Bools, Floats, Ints
from fgac.estimators._training import Header
from fgac.explanation.held_out import HeldOut
from fgac.granular.boundaries import AtLeast, nested, summed_up
from fgac.granular.calibration import Calibration
from fgac.granular.confidence import class_probabilities, confidence
from fgac.granular.extension import Bounds, Extension, Interval
from fgac.granular.judged import Judged, is_guess
from fgac.granular.predictor import ClassPredictor
from fgac.metrics.distances import Metric, Rows
from fgac.solve import Solution
from fgac.tables.column_values import ReadColumn
from fgac.tables.table import Table
from fgac.tables.targets import TargetScale
from fgac.tables.training_rows import TrainingRecords

if TYPE_CHECKING:
    from fgac.estimators._spread import Spread


@dataclass(frozen=True, kw_only=True)
class FittedState:
    """What all kinds of fitted models know.

    Attributes
    ----------
    params : dict
        Parameters of the plain estimator of this kind (FGAClassifier, say, also if FGAClassifierCV made it), as they
        were in ``fit``; gamma is the one in use.
    header : Header
        Number and names of the columns of the training table.
    table : Table or None
        How columns become rows of a metric space; None if the training table held distances.
    target_name : str or None
        What is predicted: the name of the column y, if it had one.
    selection : HeldOut or None
        How gamma was chosen; None if it was given.
    """

    params: Mapping[str, Any]
    header: Header
    table: Table | None
    target_name: str | None = None
    selection: HeldOut | None = None

    def judged(self, rows: Rows) -> Judged:
        """Predictions of rows, which of them are guesses, and how strong the strongest arguments are."""
        raise NotImplementedError

    @property
    def gamma(self) -> float:
        """How fast similarity falls with distance."""
        return float(self.params["gamma"])

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns, those of an array numbered as scikit-learn does; none of distances."""
        return column_names(self.header, self.table)


@dataclass(frozen=True, kw_only=True)
class ClassState(FittedState):
    """What all fitted classifiers know.

    Attributes
    ----------
    classes : array of shape (n_classes,)
        Labels of the classes.
    calibration : Calibration or None
        What degrees mean as probabilities, where rows held out have shown it.
    """

    classes: NDArray[Any]
    calibration: Calibration | None = None

    def probabilities(self, degrees: Floats) -> Floats:
        """One number per row and class from degrees as ``judged`` has them: calibrated, or made to sum to 1."""
        return class_probabilities(degrees, len(self.classes), self.calibration)

    def confidence(self, judged: Judged) -> Floats:
        """How sure predictions are, from 0 to 1; guesses have 0."""
        assert judged.degrees is not None  # of classes
        assert judged.winners is not None
        n_classes = len(self.classes)
        return confidence(
            judged.degrees, judged.winners, judged.guess, n_classes=n_classes, calibration=self.calibration
        )


@dataclass(frozen=True, kw_only=True)
class ClassifierState(ClassState):
    """A fitted classifier.

    Attributes
    ----------
    metric : Metric
        The distance, before an isomorphism bends it.
    records : TrainingRecords
        The training rows as the caller knows them.
    predictor : ClassPredictor
        Memberships and classes of new rows; its ``model`` has the memberships of the training nodes.
    solution : Solution
        The solved problem, with its proof.
    beta : array of shape (n_samples,)
        Membership of every training row in its own class, nan for rows of weight 0.
    held_out : array of shape (n_samples,) or None
        The calibrated probability that every training row has its own class, by a model that had not seen the row; nan
        for rows of weight 0. None unless cross-validation held out every other row exactly once. Of a boundary between
        ordered classes, the probability of its own side, by the calibration of all of them.
    """

    metric: Metric
    records: TrainingRecords
    predictor: ClassPredictor
    solution: Solution
    beta: Floats
    held_out: Floats | None = None

    @property
    def knows_held_out(self) -> bool:
        """Whether it knows what models that had not seen a row say of its label."""
        return getattr(self, "held_out", None) is not None  # pickles of older versions lack the field

    def judged(self, rows: Rows) -> Judged:
        """Predicted classes, which of them are guesses, and the strength of their arguments."""
        return judged_classes(self.predictor, self.classes, rows)


@dataclass(frozen=True, kw_only=True)
class OrdinalState(ClassState):
    """A fitted classifier of ordered classes, which stand from the lowest to the highest.

    Attributes
    ----------
    boundaries : tuple of n_classes - 1 ClassifierState
        Number i tells rows of class i + 1 or above, its second class, from those below.
    beta : array of shape (n_samples,)
        The least membership of every training row in its side of any boundary, nan for rows of weight 0.
    """

    boundaries: tuple[ClassifierState, ...]
    beta: Floats

    @property
    def knows_held_out(self) -> bool:
        """Whether every boundary knows what models that had not seen a row say of its side."""
        return all(boundary.knows_held_out for boundary in self.boundaries)

    def at_least(self, rows: Rows) -> AtLeast:
        """How much rows are above every boundary."""
        return nested([boundary.predictor.memberships(rows) for boundary in self.boundaries], len(rows))

    def at_least_and_winners(self, rows: Rows) -> tuple[AtLeast, Ints]:
        """The same, and the numbers of the predicted classes, by looking at the rows once."""
        return summed_up([boundary.predictor.memberships_and_scores(rows) for boundary in self.boundaries], len(rows))

    def sorted_columns(self, by_class: Floats) -> Floats:
        """Columns of the classes from the lowest to the highest in the order of their labels, as scikit-learn does."""
        return by_class[:, np.argsort(self.classes)]

    def judged(self, rows: Rows) -> Judged:
        """Predicted classes, which of them are guesses, and the strength of their arguments."""
        at_least, winners = self.at_least_and_winners(rows)
        return judged_order(at_least, winners, self.classes)

    def winners(self, rows: Rows) -> Ints:
        """How many boundaries a row is above, which is monotone because every single answer is."""
        counts = np.zeros(len(rows), dtype=np.int64)
        for boundary in self.boundaries:
            counts += boundary.predictor.winners(rows)
        return counts


@dataclass(frozen=True, kw_only=True)
class RegressorState(FittedState):
    """A fitted regressor.

    Attributes
    ----------
    records : TrainingRecords
        The training rows as the caller knows them.
    scale : TargetScale
        Everything below but ``targets``, ``fitted_values``, ``interval_margin`` and ``held_out`` is on a scale from 0
        to 1.
    targets : array of shape (n_nodes,)
        Targets of the nodes as they were given.
    extension : Extension
        From the values of the nodes to bounds of new rows.
    solution : Solution
        The solved problem, with its proof.
    fitted_values : array of shape (n_samples,)
        Value of every training row, nan for rows of weight 0.
    interval_ends : tuple of no or two Extensions
        The fitted quantiles at both ends of the interval.
    interval_solutions : tuple of no or two Solutions
    interval_margin : float
        By how much the interval is widened on both sides, or narrowed, if negative.
    held_out : array of shape (n_samples,) or None
        The number that a model predicted of every training row without having seen it; nan for rows of weight 0. None
        unless cross-validation held out every other row exactly once.
    spread : Spread or None
        How far predictions are off, where rows held out have shown it: the interval is made of it.
    """

    records: TrainingRecords
    scale: TargetScale
    targets: Floats
    extension: Extension
    solution: Solution
    fitted_values: Floats
    interval_ends: tuple[Extension, ...] = ()
    interval_solutions: tuple[Solution, ...] = ()
    interval_margin: float = 0.0
    held_out: Floats | None = None
    spread: Spread | None = None

    @property
    def metric(self) -> Metric:
        """The distance between rows."""
        return self.extension.envelope.metric

    @property
    def has_interval(self) -> bool:
        """Whether it was fitted with an interval."""
        return bool(self.interval_ends) or self.spread is not None

    @property
    def slope(self) -> float:
        """By how much predictions change at most over a distance of 1, in the unit of the targets."""
        return self.gamma * self.scale.span

    def bounds(self, rows: Rows) -> Bounds:
        """What the training rows leave room for, on the user's scale."""
        return self.bounds_and_guesses(rows)[0]

    def bounds_and_guesses(self, rows: Rows) -> tuple[Bounds, Bools]:
        """The same, and which predictions are guesses, because no training row rules out any target."""
        bounds, strength = self.extension.bounds_and_strength(rows)
        return Bounds(*(self.scale.to_user_scale(part) for part in bounds)), is_guess(strength)

    def judged(self, rows: Rows) -> Judged:
        """Predicted numbers, which of them are guesses, and the strength of their arguments."""
        bounds, strength = self.extension.bounds_and_strength(rows)
        return Judged(self.scale.to_user_scale(bounds.prediction), is_guess(strength), strength)

    def prediction_interval(self, rows: Rows, values: Sequence[ReadColumn]) -> Interval:
        """From the least to the most that values may be, on the user's scale; without an interval, the bounds.

        ``values`` are the columns that the rows were read from, none of distances.
        """
        if self.spread is not None:
            return self.spread.around(self, rows, values).interval
        to_user_scale = self.scale.to_user_scale
        ends = [extension.bounds(rows) for extension in self.interval_ends or (self.extension,)]
        margin = self.interval_margin if self.interval_ends else 0.0
        lower, upper = to_user_scale(ends[0].lower) - margin, to_user_scale(ends[-1].upper) + margin
        middle = 0.5 * lower + 0.5 * upper  # a negative margin must not turn an interval around
        least, most = self.targets.min(), self.targets.max()
        return Interval(
            np.clip(np.minimum(lower, middle), least, most), np.clip(np.maximum(upper, middle), least, most)
        )


def judged_classes(predictor: ClassPredictor, classes: NDArray[Any], rows: Rows) -> Judged:
    """What a predictor says of rows, by looking at them once."""
    memberships, scores = predictor.memberships_and_scores(rows)
    winners = np.argmax(scores, axis=1)
    return Judged(classes[winners], memberships.resembles_nothing(), memberships.strongest(), scores, winners)


def judged_order(at_least: AtLeast, winners: Ints, classes: NDArray[Any]) -> Judged:
    """What the boundaries of ordered classes say of rows that are above so many of them."""
    strength = at_least.strongest(winners)
    return Judged(classes[winners], is_guess(strength), strength, at_least.degree, winners)


def column_names(header: Header, table: Table | None) -> tuple[str, ...]:
    """Names of columns, those of an array numbered as scikit-learn does; none of distances."""
    if table is None:
        return ()
    if header.names is not None:
        return tuple(str(name) for name in header.names)
    return tuple(column.name if not column.name.isdigit() else f"x{column.name}" for column in table.columns)


def with_target_name(state: FittedState, name: str) -> FittedState:
    """A state that knows what it predicts, as do its boundaries, if it has any."""
    if isinstance(state, OrdinalState):
        state = replace(state, boundaries=tuple(replace(each, target_name=name) for each in state.boundaries))
    return replace(state, target_name=name)


def state_of(model: Any) -> Any:
    """The state of a fitted estimator of this library."""
    # A state that was read from a file answers without scikit-learn, which takes longer to import than all else.
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    return model._state
