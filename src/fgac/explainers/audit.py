"""Training rows that other training rows contradict: one door for all kinds of models."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.estimators._state import ClassifierState, OrdinalState, RegressorState, state_of
from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.explainers.audit_classification import (
    BY,
    audit_boundaries,
    audit_labels,
    doubted_nodes,
    held_out_by_node,
    ranking,
)
from fgac.explainers.audit_regression import audit_targets
from fgac.explainers.target_doubts import ranking_of_targets, target_doubts
from fgac.explanation.audit import Audit, Opponent, Suspect
from fgac.tables.training_rows import TrainingRecords
from fgac.tables.validation import check_option

# The values that the two functions deal in can be imported from here, too.
__all__ = ["Audit", "Opponent", "Suspect", "audit", "doubts"]


def audit(model: Any, n_rows: int | None = None, *, by: str | None = None) -> Any:
    """Rank training rows by how much others contradict their label or target, and name the rows that do.

    A label or target may be wrong, or the row an exception: the audit shows where to look. It works with every setting
    of an estimator, and best with those that choose gamma (:class:`~fgac.FGAClassifierCV`,
    :class:`~fgac.FGAOrdinalClassifierCV`, :class:`~fgac.FGARegressorCV`), which know what models say of a row that had
    not seen it. Of a classifier without that, if gamma is so large that many rows have no opponent at all, a smaller
    one makes the better audit; and ``class_weight="balanced"`` trusts the rows of small classes more, where stray
    labels weigh most. Of numbers, the gamma that predicts best is best.

    Parameters
    ----------
    model : FGAClassifier, FGAOrdinalClassifier or FGARegressor
        A fitted one, or a fitted one that has chosen gamma itself. Of ordered classes every boundary is audited.
    n_rows : int, optional
        The largest number of suspects, at every boundary of ordered classes; all by default. Rows that nothing
        contradicts are never suspects, and rows that are equal, label or target included, are one suspect. Targets are
        contradicted, too, by models that had not seen the row: where these count ("held_out"), rows that are further
        off than usual are suspects, even if no other row contradicts them.
    by : {"membership", "rest", "held_out"} or None, default=None
        The number by which labels or targets are ranked, see :func:`doubts`. None is "held_out" where the model has
        it, else "rest".

    Returns
    -------
    Audit, OrdinalAudit or RegressionAudit
        A sequence of :class:`~fgac.explanation.Suspect`, of one audit per boundary, or of
        :class:`~fgac.explanation.RegressionSuspect`. Print it, or use ``to_frame()``, ``to_json()`` and, of classes,
        ``to_html()``.

    Examples
    --------
    The row at 0.2 has a label that its neighbours contradict:

    >>> from fgac import FGAClassifier, FGARegressor, audit
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.9], [1.0]]
    >>> clf = FGAClassifier(gamma=2.0).fit(X, ["low", "low", "high", "low", "high", "high"])
    >>> found = audit(clf, n_rows=1)
    >>> suspect = found[0]
    >>> suspect.id, suspect.label, round(suspect.doubt, 3), suspect.suggestion
    (2, 'high', 0.775, 'low')
    >>> [(row.id, round(row.multiplier, 3)) for row in suspect.contradicted_by]
    [(1, 0.25), (3, 0.25), (0, 0.05)]

    The two rows in the middle of a steep rise contradict each other:

    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> [(row.id, row.target, row.fitted) for row in audit(model)]
    [(1, 20.0, 25.0), (2, 40.0, 35.0)]
    """
    if not isinstance(model, FGAClassifier | FGAOrdinalClassifier | FGARegressor):
        raise TypeError(
            f"an audit reads a fitted FGAClassifier, FGAOrdinalClassifier or FGARegressor, got {type(model).__name__}; "
            "of a pipeline or search, give its last step or best_estimator_"
        )
    state = state_of(model)
    if by is not None:
        check_option("by", by, BY)
    if isinstance(state, RegressorState):
        return audit_targets(state, n_rows, by)
    return audit_boundaries(state, n_rows, by) if isinstance(state, OrdinalState) else audit_labels(state, n_rows, by)


def doubts(model: FGAClassifier | FGAOrdinalClassifier | FGARegressor, *, by: str | None = None) -> Floats:
    """How doubtful the label or the target of every training row is.

    **Labels**, between 0 and 1. By "membership" it is ``1 - beta_``: what the rows of other classes take away from
    the label. By "rest" it is one minus the degree that the model would give to the label if the row itself did not
    count: the mean of what the rows of other classes leave (its membership) and of what the other rows of its own
    class support, the largest ``max(0, beta_v - gamma d(u, v))``, but no more than its membership. Equal rows support
    each other; a row of weight 2 is still one row. A row among strangers is then more doubtful than one on a border
    that others of its class share. This finds wrong labels better, and costs about as much as predicting the rows
    that are contradicted. By both, a row that nothing contradicts has no doubt at all.

    By "held_out" it is the mean of the doubt by "rest" and of one minus the probability of the label, calibrated, by
    the model of the fold in which the row was held out. So a row that nothing contradicts has half of one minus that
    probability. The two know different things: the first has seen all rows, the second not this one. Together they
    find wrong labels best. Rows that are equal, label included, share the mean of their probabilities.

    **Targets**. By "membership" it is how far the fitted value is from the target, as a share of the range of the
    targets. By "rest" it is that difference in multiples of what is usual: the mean difference of all rows and of those
    near to it, in halves. The same is done in ranks, with the share of the targets that lie between the two, and the
    mean of both multiples counts. So 1 is usual, whatever the unit. By "held_out" the difference is the mean of two,
    from the fitted value and from what a model predicted that had not seen the row, and the latter are what is usual.
    This finds wrong targets best. Rows that are equal, target included, count once, and share the mean of what was
    predicted.

    Parameters
    ----------
    model : FGAClassifier, FGAOrdinalClassifier or FGARegressor
        A fitted one. Of ordered classes it is the largest doubt at any boundary.
    by : {"membership", "rest", "held_out"} or None, default=None
        "held_out" takes a fitted FGAClassifierCV or FGAOrdinalClassifierCV with ``calibrate=True``, a fitted
        FGARegressorCV, or what they made
        (``best_estimator_``, a model read from its file), whose folds held out every row exactly once: with more than
        ``max_rows`` rows, they hold out only a sample. None is "held_out" where the model has it, else "rest".

    Returns
    -------
    array of shape (n_samples,)
        In the order of the rows given to fit; nan for rows of weight 0.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> from fgac.explainers.audit import doubts
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.9], [1.0]]
    >>> clf = FGAClassifier(gamma=2.0).fit(X, ["low", "low", "high", "low", "high", "high"])
    >>> doubts(clf, by="membership").round(3)
    array([0.05, 0.25, 0.55, 0.25, 0.  , 0.  ])
    >>> doubts(clf).round(3)
    array([0.25 , 0.25 , 0.775, 0.45 , 0.   , 0.   ])
    """
    if not isinstance(model, FGAClassifier | FGAOrdinalClassifier | FGARegressor):
        raise TypeError(
            "doubts are those of a fitted FGAClassifier, FGAOrdinalClassifier or FGARegressor, got "
            f"{type(model).__name__}; of a pipeline or search, give its last step or best_estimator_"
        )
    if by is not None:
        check_option("by", by, BY)
    state: ClassifierState | OrdinalState | RegressorState = state_of(model)
    if isinstance(state, RegressorState):
        per_node = target_doubts(state, ranking_of_targets(state, by)).doubts
        return _of_rows(per_node, state.records, len(state.fitted_values))
    if isinstance(state, ClassifierState):
        return _doubts_of_rows(state, by)
    each = [_doubts_of_rows(boundary, by) for boundary in state.boundaries]
    # A single class has no boundaries, and no doubts.
    return np.max(each, axis=0) if each else np.where(np.isnan(state.beta), np.nan, 0.0)


def _doubts_of_rows(state: ClassifierState, by: str | None) -> Floats:
    """How doubtful the label of every row is, or at a boundary its side; nan for rows of weight 0."""
    by = ranking(state, by)
    found = doubted_nodes(state, by, None)
    n_nodes = len(state.predictor.model.beta)
    per_node = 0.5 * (1.0 - held_out_by_node(state)) if by == "held_out" else np.zeros(n_nodes)
    per_node[found.nodes] = found.doubts
    return _of_rows(per_node, state.records, len(state.beta))


def _of_rows(per_node: Floats, records: TrainingRecords, n_rows: int) -> Floats:
    """What is known of nodes for every row of the table; nan for rows of weight 0."""
    per_row = np.full(n_rows, np.nan)
    per_row[records.positions] = per_node[records.nodes]
    return per_row
