"""What can be said of a fitted model by itself, without any rows to predict, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fgac._typing import Label
from fgac.explanation.held_out import HeldOut

Predicts = Literal["classes", "ordered classes", "numbers"]


@dataclass(frozen=True)
class ColumnFacts:
    """One column that a model compares.

    Attributes
    ----------
    name : str
    kind : str
        "category", or what its numbers are: "number", "whole", "binary", "date", "datetime", "moment", "duration" or
        "time".
    weight : float
        How much a difference in it counts.
    score_weight : float
        By how much it changes the score of a learned distance at most; 0 where there is no score.
    direction : int
        1 if more of it can only speak for more, -1 if for less, 0 if for anything.
    n_categories : int or None
        Of categories, how many training saw.
    """

    name: str
    kind: str
    weight: float
    score_weight: float = 0.0
    direction: int = 0
    n_categories: int | None = None


@dataclass(frozen=True)
class ClassFacts:
    """One class, and how many training rows it has."""

    label: Label
    n_rows: int


@dataclass(frozen=True)
class RangeFacts:
    """From the least to the largest number that a regressor was trained on."""

    least: float
    most: float


@dataclass(frozen=True)
class ProofFacts:
    """Whether all problems that training solved are proved to be, and the worst number of each kind.

    Attributes
    ----------
    is_optimal : bool
    largest_violation, dual_residual, duality_gap, rounding : float
        As :class:`fgac.solve.Solution` has them; of several problems the largest in size.
    n_problems, n_nodes, n_constraints : int
        Problems, and their nodes and generated constraints together.
    """

    is_optimal: bool
    largest_violation: float
    dual_residual: float
    duality_gap: float
    rounding: float
    n_problems: int
    n_nodes: int
    n_constraints: int


@dataclass(frozen=True)
class PathFacts:
    """The gammas of a gamma path.

    Attributes
    ----------
    gamma_min, gamma_max : float
        Below the first nothing is known, above the second nothing changes.
    n_events, n_breakpoints : int
        Constraints that became tight or ceased to be, and the gammas at which memberships bend.
    largest_violation : float
    """

    gamma_min: float
    gamma_max: float
    n_events: int
    n_breakpoints: int
    largest_violation: float


@dataclass(frozen=True)
class ModelFacts:
    """What a fitted model predicts, what it compares, how it was fitted, and what is proved of it.

    Attributes
    ----------
    predicts : str
        "classes", "ordered classes" or "numbers".
    estimator : str
        The class of the model: "FGAClassifier", "FGAOrdinalClassifier", "FGARegressor" or "GammaPath".
    target : str or None
        The name of what is predicted, if the model knows it.
    n_rows : int
        Training rows of positive weight.
    n_columns : int
    classes : tuple of ClassFacts, or None
        From the lowest to the highest where they have an order; None where numbers are predicted.
    numbers : RangeFacts or None
        The range of the training targets; None where classes are predicted.
    columns : tuple of ColumnFacts
        Those that count most come first; none if the model was trained on distances.
    gamma : float
        Of a gamma path the least one.
    metric, loss : str
    scale : str or None
    settings : dict
        Parameters that are not at their defaults.
    interval : float or None
        The share of new values that intervals are to hold.
    selection : HeldOut or None
        How gamma did on rows held out; None if it was given.
    calibrated : bool
        Whether probabilities are those that rows held out have shown.
    holds_values : bool
        Whether the values of the training rows are kept as they were given. The model holds training rows in any case.
    proof : ProofFacts
    path : PathFacts or None
        Of a gamma path, its gammas.
    """

    predicts: Predicts
    estimator: str
    target: str | None
    n_rows: int
    n_columns: int
    classes: tuple[ClassFacts, ...] | None
    numbers: RangeFacts | None
    columns: tuple[ColumnFacts, ...]
    gamma: float
    metric: str
    loss: str
    scale: str | None
    settings: dict[str, Any]
    interval: float | None
    selection: HeldOut | None
    calibrated: bool
    holds_values: bool
    proof: ProofFacts
    path: PathFacts | None = None
