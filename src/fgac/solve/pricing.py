"""The search of all pairs of a group of rows for the constraints that are violated most.

A small group is searched by its distances. Of a large one, most pairs of Euclidean points are ruled out by one matrix
product in single precision, the :class:`Screen`. A pair is violated if its distance is below
``t = (over + under) / gamma``, and then the square of the distance is below that of t. With ``p = over / gamma`` and
``r = under / gamma``::

    d^2 - t^2  =  -2 x.y  +  (|x|^2 - p^2)  +  (|y|^2 - r^2)  -  2 p r

is one inner product of vectors with three components more than the points. In single precision it comes with an
error of at most ``(components + 4) eps |left| |right|``. So whatever lies above that is certainly not violated, and
what is left, hardly more than the tight pairs, is computed in double precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fgac._kernels.layouts import Levels, Singles, WorstPairs
from fgac._typing import Floats, Ints
from fgac.metrics.distances import UNSEEN, Coordinates, Metric, Rows
from fgac.metrics.tiles import in_threads, spans
from fgac.solve.pairs import Blocks
from fgac.solve.problem import Pairs, Pricing, check_largest

# If rounding may hide this share of the square of the largest distance, a screen lets too much through.
BLURRED = 1e-3
# Columns that are multiplied at a time: a tile of the product stays in the cache.
WIDTH = 512
# With more coordinates, as names with very many values would make, points take more room than they are worth.
WIDEST = 256
# Tails are searched in so many parts, whatever the number of threads, so that the result does not depend on it.
PARTS = 8
# Tails that are screened at a time.
HEIGHT = 128
# Groups with fewer pairs are searched in one part, and without a screen: their distances stay in the cache.
MANY_PAIRS = 2_000_000

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


class Screen(NamedTuple):
    """The factors of the product, the right one in tiles, and a bound of the error of every row of the product."""

    left: Singles
    right: Singles
    limits: Singles

    @classmethod
    def of(cls, x: Floats, y: Floats, over: Floats, under: Floats, gamma: float) -> Screen | None:
        """Prepare a search among points; None if single precision would blur too much."""
        if not (len(x) and len(y)):
            return None
        centre = 0.5 * (x.mean(axis=0) + y.mean(axis=0))  # no digits are spent on where the data lie
        x, y, p, r = x - centre, y - centre, over / gamma, under / gamma
        xx, yy = (x**2).sum(axis=1), (y**2).sum(axis=1)
        left = np.column_stack([x, xx - p**2, np.ones(len(p)), p])
        right = np.column_stack([-2 * y, np.ones(len(r)), yy - r**2, -2 * r])
        unit = (left.shape[1] + 4) * float(np.finfo(np.float32).eps)
        limits = unit * np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1).max()
        if not limits.max() <= BLURRED * (xx.max() + yy.max()):
            return None
        # Limits are rounded up: rounded down they might rule out a violated pair.
        return cls(left.astype(np.float32), _tiled(right), np.nextafter(limits.astype(np.float32), np.float32(np.inf)))


def _tiled(right: Floats) -> Singles:
    """Vectors as columns of matrices of ``WIDTH`` columns; those that fill up the last one rule every pair out."""
    n, length = right.shape
    filler = np.zeros((-n % WIDTH, length))
    filler[:, -2] = np.finfo(np.float32).max / 4
    tiles = np.concatenate([right, filler]).astype(np.float32).reshape(-1, WIDTH, length)
    return np.ascontiguousarray(tiles.transpose(0, 2, 1))


class GroupSearch:
    """Finds the worst pairs of every node of a group, by distances or, of many points, by a screen."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, group = blocks, blocks.group
        n, m = len(blocks.tails), len(blocks.heads)
        few = n * m < MANY_PAIRS
        points = None if few else euclidean_points(blocks.metric, blocks.rows)
        self.points = None if points is None else (points[group.tail_rows], points[group.head_rows])
        self.parts = spans(n, max(1, n if few else -(-n // PARTS)))

    def price(self, values: Floats, gamma: float, per_node: int, floor: float) -> Pricing:
        """Search all pairs for those that are violated, or nearly: by more than a floor that is not above 0."""
        from fgac._kernels.pricing import merge

        group = self.blocks.group
        levels = Levels(values[group.tail_nodes], -values[group.head_nodes], gamma)
        over, under = levels.over, levels.under
        screen = None if self.points is None else Screen.of(*self.points, over - floor, under, gamma)
        of_tails = _empty_lists(len(over), per_node, floor)
        # Parts share no tails, so they write into one list of tails; each has a list of heads of its own.
        of_heads: dict[int, WorstPairs] = {}

        def search(part: slice) -> None:
            of_heads[part.start] = _empty_lists(len(under), per_node, floor)
            if screen is None:
                self._compare(part, levels, of_tails, of_heads[part.start])
            else:
                self._sift(part, screen, levels, of_tails, of_heads[part.start])

        in_threads(search, self.parts, self.blocks.n_jobs, len(over) * len(under))
        heads = of_heads[0] if self.parts else _empty_lists(len(under), per_node, floor)
        for part in self.parts[1:]:
            merge(heads, of_heads[part.start])
        i, j, violation = _entries(of_tails, floor)
        head, tail, more = _entries(heads, floor)
        i, j, violation = np.append(i, tail), np.append(j, head), np.append(violation, more)
        # The bounds, gamma times distances that the lists do not hold, follow from the violations.
        pairs = Pairs(group.tail_nodes[i], group.head_nodes[j], over[i] + under[j] - violation)
        return Pricing(pairs, check_largest(violation))

    def _compare(self, part: slice, levels: Levels, of_tails: WorstPairs, of_heads: WorstPairs) -> None:
        """Search some of the tails by their distances."""
        from fgac._kernels.pricing import compare

        for rows, columns, distances in self.blocks.within(part):
            compare(distances, rows.start, columns.start, levels, of_tails, of_heads)

    def _sift(self, part: slice, screen: Screen, levels: Levels, of_tails: WorstPairs, of_heads: WorstPairs) -> None:
        """Search some of the tails by a screen."""
        from fgac._kernels.pricing import sift

        assert self.points is not None
        labels = self.blocks.labels or (NO_LABELS, NO_LABELS)
        for first in range(part.start, part.stop, HEIGHT):
            last = min(first + HEIGHT, part.stop)
            sift(screen, self.points, labels, first, last, levels, of_tails, of_heads)


def _empty_lists(n: int, length: int, floor: float) -> WorstPairs:
    """Lists of n nodes that admit what is above the floor."""
    return WorstPairs(np.full((n, length), floor), np.zeros((n, length), dtype=np.int64))


def _entries(lists: WorstPairs, floor: float) -> tuple[Ints, Ints, Floats]:
    """Whose list, which other end, and how much violated, of all entries above the floor."""
    owner, slot = np.nonzero(lists.best > floor)
    return owner, lists.place[owner, slot], lists.best[owner, slot]
