"""Metrics: small objects that compute a block of distances between two sets of rows.

A metric sees rows that a table has already scaled and weighted (:mod:`fgac.tables.table`);
it knows nothing of classes, gamma or values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fgac._kernels import layouts
from fgac._kernels.layouts import CANCELLATION, DIRECT
from fgac._typing import Floats
from fgac.metrics.angular import Angular
from fgac.metrics.rounding import Rounding, rounding_of_points

# What counts (coordinates of training rows and their distances, and gammas with their inverses) is at most this large,
# and what does not count any more, coordinates and distances of new rows, is no larger than that. So all products of
# two of them, and sums of these, are finite, and a new row that is far from everything stays so for every gamma.
LARGEST = 2.0**250
FARTHEST = 2.0**500
# Codes of a category that training did not see, which differs from all others, and of a value that is missing.
UNSEEN, UNKNOWN = -1, layouts.UNKNOWN
# The order of the norm in which every metric measures, in the order of the kernels' numbers of kinds.
NORMS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}


@dataclass(frozen=True)
class Rows:
    """Rows as points of a metric space.

    Attributes
    ----------
    numeric : (n, p) float array
        Coordinates whose differences count as they are.
    codes : (n, q) int array
        Numbers of categories; ``UNSEEN`` (-1) is a category that differs from all others, ``UNKNOWN`` (-2) a value
        that is missing.
    mismatch : (q,) float array
        What two different codes of a column count as a difference; if one is ``UNKNOWN``, the metric adds half of what
        it adds for two others.
    ordered : (n, o) float array, optional
        Coordinates in which only one side counts as a difference. They have the direction of their column (a table
        turns the sign of decreasing columns), so that more is always better.
    orientation : (n,) float array, optional
        Which side counts when the distance from another row to this one is computed, in all ordered coordinates: by
        how much the other row is above this one (1), or below it (-1). It belongs to rows, not to columns.
    """

    numeric: Floats
    codes: NDArray[np.int32]
    mismatch: Floats
    ordered: Floats | None = None
    orientation: Floats | None = None

    @classmethod
    def from_numeric(cls, X: Any) -> Rows:
        """Wrap a plain matrix of numbers.

        >>> len(Rows.from_numeric([[0.0, 1.0], [2.0, 3.0]]))
        2
        """
        numeric = np.ascontiguousarray(X, dtype=np.float64)
        if numeric.ndim != 2:
            raise ValueError(f"rows must be a matrix, got an array of shape {numeric.shape}")
        if not np.abs(numeric).max(initial=0.0) <= FARTHEST:
            raise ValueError(
                f"rows must hold finite numbers of at most {FARTHEST:.0e}, whose distances are finite too, "
                f"got {np.abs(numeric).max()}"
            )
        return cls(numeric, np.empty((len(numeric), 0), dtype=np.int32), np.empty(0))

    def __len__(self) -> int:
        return len(self.numeric)

    def __getitem__(self, index: Any) -> Rows:
        if self.ordered is None or self.orientation is None:
            return Rows(self.numeric[index], self.codes[index], self.mismatch)
        return Rows(self.numeric[index], self.codes[index], self.mismatch, self.ordered[index], self.orientation[index])

    def oriented(self, orientation: float | Floats) -> Rows:
        """The same rows with another orientation; nothing changes where no column is ordered.

        >>> rows = Rows(np.empty((1, 0)), np.empty((1, 0), dtype=np.int32), np.empty(0), np.array([[0.5]]), np.ones(1))
        >>> rows.oriented(-1.0).orientation
        array([-1.])
        """
        if self.ordered is None:
            return self
        return replace(
            self, orientation=np.ascontiguousarray(np.broadcast_to(orientation, len(self)), dtype=np.float64)
        )

    def without_direction(self) -> Rows:
        """The same rows with ordered coordinates as plain ones, where being above and being below both count."""
        if self.ordered is None:
            return self
        return Rows(np.hstack([self.numeric, self.ordered]), self.codes, self.mismatch)


def code_differences(row: Rows, others: Rows, metric: str | None) -> Floats:
    """How much one row differs from others in its codes, as the metric of a name counts it.

    >>> rows = Rows(np.empty((3, 0)), np.array([[0], [1], [UNKNOWN]], dtype=np.int32), np.array([1.0]))
    >>> code_differences(rows[:1], rows, "manhattan").ravel()
    array([0. , 1. , 0.5])
    """
    unequal = (others.codes != row.codes) | (others.codes == UNSEEN)
    half = unequal & ((others.codes == UNKNOWN) | (row.codes == UNKNOWN))
    part = np.sqrt(0.5) if metric == "euclidean" else 0.5
    return np.where(half, part, unequal) * others.mismatch


class Metric(Protocol):
    """Computes blocks of distances; ``tile`` is the shape of a block it likes to work on.

    Examples
    --------
    >>> import numpy as np
    >>> from fgac.metrics.distances import Manhattan, Metric, Rows
    >>> rows = Rows.from_numeric([[0.0, 0.0], [3.0, 4.0]])
    >>> metric: Metric = Manhattan()
    >>> out = np.empty((2, 2))
    >>> metric.block(rows, rows, out)
    >>> out
    array([[0., 7.],
           [7., 0.]])
    """

    @property
    def tile(self) -> tuple[int, int]:
        """Rows and columns of a block that is cheap to compute and to reduce."""

    def block(self, left: Rows, right: Rows, out: Floats) -> None:
        """Write the distances between every row of ``left`` and of ``right`` into ``out``."""

    def rounding(self, rows: Rows) -> Rounding:
        """How far distances between these rows may be from those of the caller's table."""

    def merges(self, rows: Rows) -> bool:
        """Whether rounding may put rows at distance 0 that have other coordinates."""


# Half a megabyte of distances stays in a core's cache while it is reduced.
TILE = (128, 512)


@dataclass(frozen=True)
class Coordinates:
    """A metric on numeric coordinates and codes of categories, computed by the kernel of its own name.

    Ordered coordinates make it directed: what counts is by how much the left row is above the right one if the
    orientation of the right one is 1, or below it if that is -1. The triangle inequality still holds.

    Attributes
    ----------
    name : {"euclidean", "manhattan", "chebyshev"}
        Its name.
    tile : tuple of two ints
        Rows and columns of a block.
    only_sums : bool
        Whether squares are always added up one after the other. Where there are many coordinates a matrix product is
        faster, but its last digits depend on the block in which a pair of rows is computed.
    """

    name: str
    tile: tuple[int, int] = TILE
    only_sums: bool = False

    def block(self, left: Rows, right: Rows, out: Floats) -> None:
        """Write a block of distances into ``out``."""
        from fgac._kernels import distances as kernels

        kernel = getattr(kernels, f"{self.name}_by_product" if self._by_product(left) else self.name)
        kernel(left.numeric, right.numeric, left.codes, right.codes, left.mismatch, out)
        if left.ordered is not None:
            getattr(kernels, f"{self.name}_above")(left.ordered, right.ordered, right.orientation, out)

    def _by_product(self, rows: Rows) -> bool:
        """Whether squares of differences come from one matrix product."""
        return self.name == "euclidean" and rows.numeric.shape[1] > DIRECT and not self.only_sums

    def rounding(self, rows: Rows) -> Rounding:
        """Errors of coordinates and of sums; a product of many columns also loses digits of near rows."""
        points = rows.without_direction().numeric
        n_sums = points.shape[1] + len(rows.mismatch)
        loss = 1.0 / CANCELLATION if self._by_product(rows) else 1.0
        return rounding_of_points(points, NORMS[self.name], n_sums, loss)

    def merges(self, rows: Rows) -> bool:
        """Rows at distance 0 are equal."""
        return False


def Euclidean() -> Coordinates:
    """Root of the sum of squared differences."""
    return Coordinates("euclidean")


def Manhattan() -> Coordinates:
    """Sum of absolute differences."""
    return Coordinates("manhattan")


def Chebyshev() -> Coordinates:
    """Largest absolute difference: the paper's supremum."""
    return Coordinates("chebyshev")


@dataclass(frozen=True)
class Precomputed:
    """Distances that the caller has: a row holds its distances, its one code is its own column."""

    tile: tuple[int, int] = (128, 2048)

    def block(self, left: Rows, right: Rows, out: Floats) -> None:
        """Look a block of distances up."""
        np.take(left.numeric, right.codes[:, 0], axis=1, out=out)

    def rounding(self, rows: Rows) -> Rounding:
        """Distances are the caller's own."""
        return Rounding.none(len(rows))

    def merges(self, rows: Rows) -> bool:
        """A distance of 0 is what the caller says."""
        return False

    def ready(self, left: Rows, right: Rows) -> Floats | None:
        """The same block without a copy, if it is all that the rows hold, in order."""
        columns = right.codes[:, 0]
        whole = len(columns) == left.numeric.shape[1] and columns[0] == 0 and bool((np.diff(columns) == 1).all())
        return left.numeric if whole else None


@dataclass(frozen=True)
class Blockwise:
    """A function of the caller's, ``function(A, B)`` -> distances of shape (len(A), len(B))."""

    function: Callable[[Floats, Floats], Any]
    tile: tuple[int, int] = (256, 4096)

    def block(self, left: Rows, right: Rows, out: Floats) -> None:
        """Call the caller's function for a block and check what it returns."""
        try:
            block = np.asarray(self.function(left.numeric, right.numeric), dtype=np.float64)
        except Exception as error:
            raise ValueError(
                f"metric failed on blocks of {out.shape[0]} and {out.shape[1]} rows ({error}); it must take two blocks "
                "of rows and return all distances between them, not the distance of two rows"
            ) from error
        if block.shape != out.shape:
            raise ValueError(
                f"metric returned an array of shape {block.shape} for blocks of {out.shape[0]} and {out.shape[1]} "
                f"rows; expected shape {out.shape}: it must take two blocks of rows and return all distances "
                "between them"
            )
        if not ((block >= 0) & (block <= FARTHEST)).all():
            raise ValueError(
                "metric returned distances that are negative, not finite or too large; expected numbers between 0 and "
                f"{FARTHEST:.0e}"
            )
        out[:] = block

    def rounding(self, rows: Rows) -> Rounding:
        """Distances are what the caller's function makes of scaled rows."""
        return Rounding.none(len(rows))

    def merges(self, rows: Rows) -> bool:
        """A distance of 0 is what the caller's function says."""
        return False


NAMED: dict[str, Callable[[], Metric]] = {
    "euclidean": Euclidean,
    "manhattan": Manhattan,
    "chebyshev": Chebyshev,
    "precomputed": Precomputed,
    # What makes it a learned distance are the coordinates: ranks, and weights that are learned (fgac.tables).
    "learned": Manhattan,
    "angular": Angular,
}


def resolve_metric(metric: Any) -> Metric:
    """Turn the ``metric`` parameter of an estimator into a metric object.

    >>> resolve_metric("manhattan").name
    'manhattan'
    """
    if isinstance(metric, str) and metric in NAMED:
        return NAMED[metric]()
    if hasattr(metric, "pairwise"):
        return Blockwise(metric.pairwise)
    if callable(metric):
        return Blockwise(metric)
    options = ", ".join(repr(name) for name in NAMED)
    raise ValueError(
        f"metric={metric!r} is unknown; expected one of {options}, a callable metric(A, B) that returns all "
        "distances between two blocks of rows, or an object with such a method named pairwise"
    )
