"""How doubtful the targets of training rows are: how far off they are, beside how far off rows usually are.

A row is off by the difference between its target and what is expected of it. Training expects its fitted value; a model
that had not seen the row expects what it predicted. Where both are known, the mean of the two differences counts: the
first has seen all rows, the second not this one.

A difference is much where others are small. So it is compared with the *usual* one: the mean of the differences of all
rows, and of those of similar rows. It is also taken twice: in the target itself, which shows a slip that makes a target
larger than any other, and in ranks, as the share of the targets that lie between the two, which shows a target that
belongs to another row where most targets are close together. The doubt is the mean of both comparisons: 1 is usual.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fgac._tolerances import CONFLICT_TOL, DEGREE_TOL
from fgac._typing import Floats
from fgac.estimators._state import RegressorState
from fgac.metrics.tiles import in_threads, one_blas_thread, row_of_tiles, spans, tile_shape
from fgac.query.envelope import Envelope
from fgac.tables.targets import TargetScale

# Rows are similar whose values may differ by less than this share of the scale of the targets; the nearer, the more.
NEAR = 0.25


class TargetDoubts(NamedTuple):
    """The doubts of the nodes of a regressor, and what they are made of.

    Attributes
    ----------
    doubts : array of shape (n_nodes,)
        By which rows are ranked.
    usual : array of shape (n_nodes,) or None
        How far off rows usually are, in units of the target; None if the difference itself is the doubt.
    held_out : array of shape (n_nodes,) or None
        What models predicted that had not seen the row, in units of the target; None if that does not count.
    """

    doubts: Floats
    usual: Floats | None = None
    held_out: Floats | None = None


def ranking_of_targets(state: RegressorState, by: str | None) -> str:
    """By what targets are ranked: as asked for, or by the best that the model has; what it does not have is refused."""
    if by is None:
        return "rest" if state.held_out is None else "held_out"
    if by == "held_out" and state.held_out is None:
        raise ValueError(
            "by='held_out' needs what models that had not seen a row predicted of it, and this model does not know "
            "that; use FGARegressorCV with folds that hold out every row once (max_rows=None, if gamma was chosen on a "
            "sample of many rows), or by='rest'"
        )
    return by


def target_doubts(state: RegressorState, by: str) -> TargetDoubts:
    """How doubtful the target of every node is, see :func:`fgac.explainers.audit.doubts`."""
    # Whatever scale gamma refers to, differences are told as shares of the range of the targets.
    scale, fitted = TargetScale.of(state.targets), state.scale.to_user_scale(state.extension.values)
    targets, fitted = scale.to_unit_scale(state.targets), scale.to_unit_scale(fitted)
    if by == "membership":
        return TargetDoubts(np.abs(targets - fitted))
    held_out = held_out_by_node(state) if by == "held_out" else None
    expected = [fitted] if held_out is None else [fitted, scale.to_unit_scale(held_out)]
    scales = [(targets, expected), (ranks(targets, targets), [ranks(targets, values) for values in expected])]
    differences = np.array([[np.abs(own - values) for values in others] for own, others in scales])
    differences[differences < DEGREE_TOL] = 0.0  # what is solved for is known to so many digits
    # What is usual is what is known best: how far off predictions are of rows that were held out.
    known = differences[:, -1]
    usual = np.maximum(0.5 * (known.mean(axis=1)[:, None] + near_means(state.extension.envelope, known)), CONFLICT_TOL)
    return TargetDoubts((differences.mean(axis=1) / usual).mean(axis=0), scale.span * usual[0], held_out)


def held_out_by_node(state: RegressorState) -> Floats:
    """What models predicted that had not seen a row, in the mean over the rows of every node."""
    assert state.held_out is not None
    nodes, n_nodes = state.records.nodes, len(state.targets)
    sums = np.bincount(nodes, state.held_out[state.records.positions], n_nodes)
    return sums / np.bincount(nodes, minlength=n_nodes)


def ranks(targets: Floats, values: Floats) -> Floats:
    """The share of the targets below some values; of targets that equal them half counts, between targets it rises.

    >>> ranks(np.array([1.0, 2.0, 2.0, 10.0]), np.array([1.0, 2.0, 6.0, 10.0]))
    array([0.125 , 0.5   , 0.6875, 0.875 ])
    """
    levels, counts = np.unique(targets, return_counts=True)
    return np.interp(values, levels, (np.cumsum(counts) - 0.5 * counts) / len(targets))


def near_means(envelope: Envelope, values: Floats) -> Floats:
    """Means of values over the nodes near to every other, each weighted by how near it is; of all if none is near.

    Parameters
    ----------
    envelope : Envelope
        The nodes, their distance and gamma.
    values : array of shape (kinds, n_nodes)

    Returns
    -------
    array of shape (kinds, n_nodes)
    """
    rows, metric, steepness = envelope.rows.without_direction(), envelope.metric, envelope.gamma / NEAR
    # One more column counts the weights themselves.
    columns = np.vstack([values, np.ones(len(rows))]).T
    sums = np.zeros(columns.shape)
    height, width = tile_shape(metric, envelope.n_jobs)

    def task(span: slice) -> None:
        own = np.arange(len(rows))[span]
        for first, distances in row_of_tiles(metric, rows[span], rows, width):
            weights = np.maximum(0.0, 1.0 - steepness * distances)
            inside = np.flatnonzero((own >= first) & (own < first + weights.shape[1]))
            weights[inside, own[inside] - first] = 0.0  # what is usual is a matter of the others
            sums[span] += weights @ columns[first : first + weights.shape[1]]

    with one_blas_thread():
        in_threads(task, spans(len(rows), height), envelope.n_jobs, len(rows) ** 2)
    weight = sums[:, -1]
    return np.where(weight > DEGREE_TOL, sums[:, :-1].T / np.maximum(weight, DEGREE_TOL), values.mean(axis=1)[:, None])
