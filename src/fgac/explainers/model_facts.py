"""From the state of a fitted model to what can be said of it by itself: :class:`~fgac.explanation.ModelFacts`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac.estimators._plain import DEFAULTS, HOMES
from fgac.estimators._state import ClassifierState, ClassState, FittedState, OrdinalState, RegressorState
from fgac.explainers.summary import plain_setting, summarise
from fgac.explanation.classification import ModelSummary
from fgac.explanation.model_facts import (
    ClassFacts,
    ColumnFacts,
    ModelFacts,
    PathFacts,
    Predicts,
    ProofFacts,
    RangeFacts,
)
from fgac.explanation.regression import RegressionSummary
from fgac.solve import Solution

if TYPE_CHECKING:
    from fgac.selection.gamma_path import GammaPath

PREDICTS: dict[type[FittedState], Predicts] = {
    ClassifierState: "classes",
    OrdinalState: "ordered classes",
    RegressorState: "numbers",
}


def solutions_of(state: FittedState) -> tuple[Solution, ...]:
    """The problems that training solved: of ordered classes that of every boundary, of numbers those of intervals too.

    >>> from fgac import FGAOrdinalClassifier
    >>> from fgac.estimators._state import state_of
    >>> model = FGAOrdinalClassifier(gamma=2.0).fit([[0.0], [0.5], [1.0]], [1, 2, 3])
    >>> [solution.is_optimal() for solution in solutions_of(state_of(model))]
    [True, True]
    """
    if isinstance(state, OrdinalState):
        return tuple(boundary.solution for boundary in state.boundaries)
    if isinstance(state, RegressorState):
        spread = () if state.spread is None else (state.spread.state.solution,)
        return (state.solution, *state.interval_solutions, *spread)
    assert isinstance(state, ClassifierState)
    return (state.solution,)


def model_facts(state: Any) -> ModelFacts:
    """What is known of a fitted model without any rows to predict.

    Parameters
    ----------
    state : ClassifierState, OrdinalState or RegressorState

    Returns
    -------
    ModelFacts

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> from fgac.estimators._state import state_of
    >>> facts = model_facts(state_of(FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["no", "yes"])))
    >>> facts.predicts, facts.n_rows, facts.columns[0].kind, facts.proof.is_optimal
    ('classes', 2, 'number', True)
    """
    known = {**DEFAULTS[type(state)], **state.params}
    summary = summarise(state)
    return ModelFacts(
        predicts=PREDICTS[type(state)],
        estimator=HOMES[type(state)][1],
        target=state.target_name,
        n_rows=summary.n_rows,
        n_columns=summary.n_features,
        classes=_classes(summary),
        numbers=RangeFacts(summary.least, summary.most) if isinstance(summary, RegressionSummary) else None,
        columns=_columns(state),
        gamma=state.gamma,
        metric=str(plain_setting(known["metric"])),
        loss=str(plain_setting(known["loss"])),
        scale=None if known["scale"] is None else str(known["scale"]),
        settings=summary.settings,
        interval=known.get("interval") if isinstance(state, RegressorState) and state.has_interval else None,
        selection=state.selection,
        calibrated=isinstance(state, ClassState) and state.calibration is not None,
        holds_values=_holds_values(state),
        proof=proof_facts(solutions_of(state)),
    )


def path_facts(path: GammaPath) -> ModelFacts:
    """What is known of a gamma path: that of its model for the least gamma, and its gammas."""
    gammas = PathFacts(
        gamma_min=float(path.gamma_min),
        gamma_max=float(path.gamma_max),
        n_events=int(path.n_events),
        n_breakpoints=len(path.breakpoints),
        largest_violation=float(path.largest_violation),
    )
    return replace(model_facts(path.state), estimator="GammaPath", path=gammas)


def proof_facts(solutions: tuple[Solution, ...]) -> ProofFacts:
    """The worst that is proved of some solutions."""
    # The signed gap is rounding around 0, so the largest in size is the worst; np.max keeps what is not a number.
    worst = {
        name: float(np.max([abs(getattr(solution, name)) for solution in solutions], initial=0.0))
        for name in ("largest_violation", "dual_residual", "duality_gap", "rounding")
    }
    return ProofFacts(
        is_optimal=all(solution.is_optimal() for solution in solutions),
        **worst,
        n_problems=len(solutions),
        n_nodes=sum(len(solution.values) for solution in solutions),
        n_constraints=sum(solution.n_constraints for solution in solutions),
    )


def _classes(summary: ModelSummary | RegressionSummary) -> tuple[ClassFacts, ...] | None:
    if isinstance(summary, RegressionSummary):
        return None
    return tuple(ClassFacts(*pair) for pair in zip(summary.classes, summary.class_sizes, strict=True))


def _columns(state: FittedState) -> tuple[ColumnFacts, ...]:
    """The columns, by falling weight; those of equal weight as they stand in the table."""
    if state.table is None:
        return ()
    columns = [
        ColumnFacts(
            name=name,
            kind="category" if column.is_categorical else column.kind,
            weight=float(column.weight),
            score_weight=float(state.table.score_of_column(j)),
            direction=int(column.direction),
            n_categories=None if column.categories is None else len(column.categories),
        )
        for j, (name, column) in enumerate(zip(state.column_names, state.table.columns, strict=True))
    ]
    return tuple(sorted(columns, key=lambda column: -column.weight))


def _holds_values(state: FittedState) -> bool:
    states = state.boundaries if isinstance(state, OrdinalState) else (state,)
    return any(part.records.values is not None for part in states if isinstance(part, ClassifierState | RegressorState))
