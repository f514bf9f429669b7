"""Screens: rows in few bits, by which most pairs are ruled out (:mod:`fgac._kernels.screening`).

**Narrow numbers** serve sums and maxima of differences. Values and coordinates times gamma are whole multiples of a
step, in 16 bits. A tail is rounded upwards, a head downwards, and both by so much more as their coordinates are off:
so the height of a pair, a difference of such numbers, is never less than the truth. Heights end at 0, which stands for
"far from being violated", so that no sum overflows. Coordinates may: a difference that has gone round the 2^16 numbers
is smaller than the true one, which is allowed. Ordered coordinates are cut off instead, for going round would turn a
small excess into a large one.

**Products** serve Euclidean points. A pair is violated if its distance is below ``t = (over + under) / gamma``, and
then the square of the distance is below that of t. With ``p = over / gamma`` and ``r = under / gamma``::

    d^2 - t^2  =  -2 x.y  +  (|x|^2 - p^2)  +  (|y|^2 - r^2)  -  2 p r

is one inner product of vectors with three components more than the points. In single precision it comes with an error
of at most ``(components + 4) eps |left| |right|``. So whatever lies above that is certainly not violated.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.layouts import SIZE, UNKNOWN, Factors, Halves, Narrow, Side
from fgac._typing import Floats, Ints
from fgac.metrics.tiles import aligned

# Steps between the highest pair and one that is far from being violated, and what 16 bits hold.
STEPS, MOST, HALF = 30_000, 65_535, 32_767
# The coordinates of a row may be off by this share of that range together, before differences go round.
COARSE = 1 / 500
# Multiples of a step up to this size are told apart in double precision by far less than a step.
LARGEST_MULTIPLE = 1e10
# If rounding may hide this share of the square of the largest distance, products let too much through.
BLURRED = 1e-3
# A product with this number rules a pair out.
FILLER = float(np.finfo(np.float32).max) / 4


class NarrowScreen:
    """Coordinates in narrow numbers, and heights as the values ask for.

    Parameters
    ----------
    sides : tuple of Side
        Tails and heads.
    gamma, mismatch
        What coordinates are multiplied by, and the differences of categories.
    reach, depth : float
        How high a pair may be, and from how far below 0 on it need not be known how low it is.
    by_maxima : bool
        Whether differences of columns do not add up, but the largest of them counts.
    """

    def __init__(
        self, sides: tuple[Side, Side], gamma: float, mismatch: Floats, reach: float, depth: float, by_maxima: bool
    ) -> None:
        self.sides, self.depth = sides, depth
        n_numbers, n_ordered = sides[0].numeric.shape[1], sides[0].ordered.shape[1]
        numbers, ordered = ([gamma * getattr(side, name) for side in sides] for name in ("numeric", "ordered"))
        self.step = self._step(numbers, reach + depth, 1 if by_maxima else n_numbers + n_ordered)
        steps = np.minimum(gamma * mismatch / self.step, MOST)
        self.parts, self.errors, self.is_safe = [], [], True
        for k, side in enumerate(sides):
            columns: list[Ints] = []
            errors = [np.zeros(len(side.order))]
            for f in range(n_numbers):
                middle = _middle([part[:, f] for part in numbers])
                columns.append(self._whole((numbers[k][:, f] - middle) / self.step, errors).astype(np.int64) & MOST)
            for f in range(n_ordered):
                middle = _middle([part[:, f] for part in ordered])
                multiple = (ordered[k][:, f] - middle) / self.step
                columns.append(self._whole(np.clip(multiple, -HALF, HALF), errors).astype(np.int64) + HALF)
            for codes, step in zip(side.codes.T, steps, strict=True):
                half = np.where(codes == UNKNOWN, 0.5, 1.0)
                columns += [codes.astype(np.int64) & MOST, np.floor(half * step).astype(np.int64)]
            self.errors.append(np.max(errors, axis=0) if by_maxima else np.sum(errors, axis=0))
            self.parts.append(_in_blocks(columns, side, k))
        self.counts = n_numbers, n_ordered

    def _step(self, numbers: list[Floats], height: float, n_columns: int) -> float:
        """The length of a step: short, but where few columns are wide, such that differences do not go round."""
        spans = [np.ptp(np.concatenate([part[:, f] for part in numbers])) for f in range(numbers[0].shape[1])]
        return float(max(height / STEPS, min(max(spans, default=0.0) / HALF, COARSE * height / max(1, n_columns))))

    def _whole(self, multiples: Floats, errors: list[Floats]) -> Floats:
        """Multiples of a step as whole numbers; their errors are noted."""
        self.is_safe &= bool(np.abs(multiples).max(initial=0.0) <= LARGEST_MULTIPLE)  # false for what is not a number
        whole = np.rint(multiples)
        errors.append(np.abs(whole - multiples))
        return whole

    def at(self, over: Floats, under: Floats) -> Narrow | None:
        """The narrow numbers with these values; None if they are too far apart for their steps."""
        top = under.max() + self.errors[1].max() * self.step
        # One step more than the truth, for what has been rounded on the way.
        tails = np.ceil((over + (top + self.depth)) / self.step + self.errors[0]) + 1
        heads = np.floor((top - under) / self.step - self.errors[1])
        largest = max(np.abs(over).max(), np.abs(under).max()) / self.step
        if not (self.is_safe and tails.max() <= MOST and largest <= LARGEST_MULTIPLE):
            return None
        tails = np.where(self.sides[0].order >= 0, np.maximum(tails, 0), 0)
        heads = np.where(self.sides[1].order >= 0, np.clip(heads, 0, MOST), MOST)
        self.parts[0][:, :, 0] = tails.reshape(-1, SIZE)
        self.parts[1][:, 0, :] = heads.reshape(-1, SIZE)
        return Narrow(self.parts[0], self.parts[1], *self.counts, self.step, self.depth)


def _middle(parts: list[Floats]) -> float:
    """The middle of what is in some arrays."""
    low, high = min(part.min() for part in parts), max(part.max() for part in parts)
    return float(0.5 * low + 0.5 * high)


def _in_blocks(columns: list[Ints], side: Side, k: int) -> Halves:
    """Columns of a side, blocks of tails as rows and blocks of heads as columns; the first column stays free."""
    n_blocks, width = len(side.order) // SIZE, len(columns) + 1
    out: Halves = aligned((n_blocks, width, SIZE) if k else (n_blocks, SIZE, width), np.uint16)
    for f, column in enumerate(columns, 1):
        out[(slice(None), f) if k else (slice(None), slice(None), f)] = column.reshape(-1, SIZE)
    return out


class ProductScreen:
    """The factors of the products of points, and a bound of the error of every tail."""

    def __init__(self, sides: tuple[Side, Side], gamma: float) -> None:
        self.sides, self.gamma = sides, gamma
        x, y = sides[0].numeric, sides[1].numeric
        centre = 0.5 * (x.mean(axis=0) + y.mean(axis=0))  # no digits are spent on where the data lie
        x, y = x - centre, y - centre
        self.squares = (x**2).sum(axis=1), (y**2).sum(axis=1)
        p = x.shape[1]
        self.left, self.right = aligned((len(x), p + 3), np.float32), aligned((len(y) // SIZE, p + 3, SIZE), np.float32)
        with np.errstate(over="ignore"):  # then the error has no bound, and nothing is screened
            self.left[:, :p] = x
            self.right[:, :p] = (-2 * y).reshape(len(self.right), SIZE, p).transpose(0, 2, 1)
        self.left[:, p + 1] = self.right[:, p] = 1.0
        self.padded = tuple(side.order < 0 for side in sides)

    def at(self, over: Floats, under: Floats) -> Factors | None:
        """The factors for these values; None if single precision would blur them too much."""
        (xx, yy), p, r = self.squares, over / self.gamma, under / self.gamma
        a, b = xx - p**2, yy - r**2
        width = self.left.shape[1]
        unit = (width + 4) * float(np.finfo(np.float32).eps)
        lengths = np.sqrt(xx + a**2 + 1 + p**2), np.sqrt(4 * yy + 1 + b**2 + 4 * r**2)
        # Lists that are full lower the limit of a product by less than the square of t, in single precision as well.
        limits = unit * (lengths[0] * lengths[1].max() + (np.abs(p) + np.abs(r).max()) ** 2)
        if not limits.max() <= BLURRED * (xx.max() + yy.max()):
            return None
        for column, numbers in ((width - 3, a), (width - 1, p)):
            self.left[:, column] = numbers
        blocks = self.right.reshape(len(self.right), width, SIZE)
        for column, numbers in ((width - 2, b), (width - 1, -2 * r)):
            blocks[:, column] = numbers.reshape(-1, SIZE)
        self._fill(width)
        # Limits are rounded up: rounded down they might rule out a violated pair.
        upwards = np.nextafter(limits.astype(np.float32), np.float32(np.inf)).reshape(-1, SIZE)
        return Factors(self.left.reshape(-1, SIZE, width), self.right, upwards, p.astype(np.float32).reshape(-1, SIZE))

    def _fill(self, width: int) -> None:
        """Let no pair with a row that fills up a block pass."""
        tails, heads = self.padded
        self.left[tails] = 0.0
        self.left[tails, width - 3] = FILLER
        block, place = np.divmod(np.flatnonzero(heads), SIZE)
        self.right[block, :, place] = 0.0
        self.right[block, width - 3, place] = 1.0
        self.right[block, width - 2, place] = FILLER
