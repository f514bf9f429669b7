"""The two sides of a group, tails and heads, sorted into blocks of rows that lie together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fgac._kernels.layouts import SIZE, Boxes, Side
from fgac._typing import Floats, Ints
from fgac.metrics.distances import UNSEEN, Coordinates, Metric, Rows

# With more coordinates, as names with very many values would make, points take more room than they are worth.
WIDEST = 256
# Rows of a label, on average, from which on a block holds rows of one label only.
ROWS_PER_LABEL = 2 * SIZE
# Bounds by boxes give way by this share of the numbers that they are made of: more than these are rounded by.
BOX_ROUNDING = 1e-12
NO_LABELS: Ints = np.empty(0, dtype=np.int64)


def euclidean_points(metric: Metric, rows: Rows) -> Floats | None:
    """Points whose Euclidean distances are those of the rows; None where there are none, or too many columns.

    A categorical column becomes one coordinate per category; two different ones are ``mismatch`` apart. An unknown
    category has none of them, so that its squared distance from all others is half of that.

    >>> from fgac.metrics.distances import Euclidean
    >>> rows = Rows(np.array([[0.5], [0.7]]), np.array([[0], [1]], dtype=np.int32), np.array([1.0]))
    >>> euclidean_points(Euclidean(), rows)
    array([[0.5       , 0.70710678, 0.        ],
           [0.7       , 0.        , 0.70710678]])
    """
    # A code of -1 would need a coordinate of its own, and a distance that depends on the direction has no points.
    if not (isinstance(metric, Coordinates) and metric.name == "euclidean") or (rows.codes == UNSEEN).any():
        return None
    if rows.ordered is not None:
        return None
    if rows.numeric.shape[1] + (rows.codes.max(axis=0, initial=-1) + 1).sum() > WIDEST:
        return None
    columns = [rows.numeric]
    for codes, mismatch in zip(rows.codes.T, rows.mismatch, strict=True):
        columns.append(np.sqrt(0.5) * mismatch * (codes[:, None] == np.arange(codes.max(initial=-1) + 1)))
    return np.ascontiguousarray(np.column_stack(columns))


def comparable_rows(metric: Metric, rows: Rows, heads: Ints) -> Rows | None:
    """The rows as blocks compare them, with ordered columns turned the way the heads ask for; None if they cannot be.

    Euclidean rows are points. Distances that are a caller's own, or angles, are nothing that blocks know.
    """
    if not isinstance(metric, Coordinates):
        return None
    if metric.name == "euclidean":
        points = euclidean_points(metric, rows)
        return None if points is None else Rows.from_numeric(points)
    if rows.ordered is None or rows.orientation is None:
        return rows
    ways = np.unique(rows.orientation[heads])
    if len(ways) > 1:
        return None
    turned = rows.ordered * (ways[0] if len(ways) else 1.0)
    return Rows(rows.numeric, rows.codes, rows.mismatch, turned, np.ones(len(rows)))


def sorted_side(rows: Rows, labels: Ints | None) -> Side:
    """Sort rows into blocks; labels are numbers from 0 on. Where many rows share a label, so do those of a block."""
    by_label = labels is not None and len(labels) >= ROWS_PER_LABEL * (labels.max(initial=-1) + 1)
    pieces = [np.arange(len(rows))]
    if by_label and labels is not None:
        pieces = [piece for k in range(labels.max(initial=-1) + 1) if len(piece := np.flatnonzero(labels == k))]
    order = _blocks(_spread(rows), pieces)
    kept = np.where(order >= 0, order, _before(order))
    of_block = labels[kept[::SIZE]] if by_label and labels is not None else np.full(len(order) // SIZE, -1)
    n = len(order)
    return Side(
        order=order,
        numeric=np.ascontiguousarray(rows.numeric[kept]),
        ordered=np.empty((n, 0)) if rows.ordered is None else np.ascontiguousarray(rows.ordered[kept]),
        codes=np.ascontiguousarray(rows.codes[kept], dtype=np.int32),
        labels=NO_LABELS if labels is None else labels[kept].astype(np.int64),
        label_of_block=of_block.astype(np.int64),
    )


def _spread(rows: Rows) -> NDArray[np.float32]:
    """Rows in single precision, by which they are sorted; categories as numbers, as wide as a step between them."""
    widths = rows.mismatch / np.maximum(1, rows.codes.max(axis=0, initial=1))
    parts = [rows.numeric, rows.codes * widths, *([] if rows.ordered is None else [rows.ordered])]
    columns = np.column_stack(parts)
    largest = float(np.abs(columns).max(initial=0.0)) or 1.0  # single precision may not hold them as they are
    return np.ascontiguousarray(columns / largest, dtype=np.float32)


def _blocks(vectors: NDArray[np.float32], pieces: Sequence[Ints]) -> Ints:
    """Row numbers in the order of blocks, every piece filled up with -1 to whole blocks."""
    from fgac._kernels.leaves import cut

    weights = np.ones(vectors.shape[1])
    parts = []
    for piece in pieces:
        order = piece.astype(np.int64)
        cut(vectors, weights, SIZE, order)
        parts += [order, np.full(-len(order) % SIZE, -1)]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def spatial_order(rows: Rows) -> Ints:
    """Row numbers in an order in which rows that lie together follow each other."""
    order = _blocks(_spread(rows), [np.arange(len(rows))])
    return order[order >= 0]


def _before(order: Ints) -> Ints:
    """The last number before each place that is not -1."""
    places = np.maximum.accumulate(np.where(order >= 0, np.arange(len(order)), 0))
    return order[places]


def values_of(side: Side, values: Floats) -> Floats:
    """Values of tails or heads in the order of a side."""
    return values[np.where(side.order >= 0, side.order, _before(side.order))]


def boxes_of(side: Side, gamma: float) -> Boxes:
    """The boxes of a side, before values are known."""
    columns = gamma * np.hstack([side.numeric, side.ordered])
    blocks = columns.reshape(len(side.label_of_block), SIZE, columns.shape[1])
    low, high = (np.ascontiguousarray(edge.T) for edge in (blocks.min(axis=1), blocks.max(axis=1)))
    return Boxes(np.zeros(len(blocks)), low, high)


def centres_of(side: Side, gamma: float) -> Boxes:
    """The mean row of every block, as a box without extent."""
    columns = gamma * np.hstack([side.numeric, side.ordered])
    centres = np.ascontiguousarray(columns.reshape(len(side.label_of_block), SIZE, columns.shape[1]).mean(axis=1).T)
    return Boxes(np.zeros(centres.shape[1]), centres, centres)


def with_values(boxes: Boxes, values: Floats) -> Boxes:
    """The same boxes with the values of their rows, plus what rounding may hide."""
    lengths = max(np.abs(boxes.low).max(initial=0.0), np.abs(boxes.high).max(initial=0.0)) * max(1, len(boxes.low))
    slack = BOX_ROUNDING * (lengths + np.abs(values).max(initial=0.0))
    return boxes._replace(highest=highest_of(values) + slack)


def highest_of(values: Floats) -> Floats:
    """The largest value of every block."""
    highest: Floats = values.reshape(-1, SIZE).max(axis=1)
    return highest
