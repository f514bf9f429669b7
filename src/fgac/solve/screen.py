"""Rule out most pairs of Euclidean points by one matrix product in single precision.

A pair is violated if its distance is below ``t = (over + under) / gamma``, and then the square of the distance is below
that of t. With ``p = over / gamma`` and ``r = under / gamma``::

    d^2 - t^2  =  -2 x.y  +  (|x|^2 - p^2)  +  (|y|^2 - r^2)  -  2 p r

is one inner product of vectors with three components more than the points. In single precision it comes with an
error of at most ``(components + 4) eps |left| |right|``. So whatever lies above that is certainly not violated, and
what is left, hardly more than the tight pairs, is computed in double precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac.distances import Coordinates, Floats, Metric, Rows

Singles = NDArray[np.float32]

# If rounding may hide this share of the square of the largest distance, a screen lets too much through.
BLURRED = 1e-3
# Columns that are multiplied at a time.
WIDTH = 512
# With more coordinates, as names with very many values would make, points take more room than they are worth.
WIDEST = 256


def embedding(metric: Metric, rows: Rows) -> Floats | None:
    """Points whose Euclidean distances are those of the rows; None where there are none, or too many columns.

    A nominal column becomes one coordinate per category; two different ones are ``mismatch`` apart.

    >>> from fgac.distances import Euclidean
    >>> embedding(Euclidean(), Rows(np.array([[0.5], [0.7]]), np.array([[0], [1]], dtype=np.int32), np.array([1.0])))
    array([[0.5       , 0.70710678, 0.        ],
           [0.7       , 0.        , 0.70710678]])
    """
    if not (isinstance(metric, Coordinates) and metric.name == "euclidean") or (rows.codes < 0).any():
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
    """The factors of the product, the right one in tiles, and the error of every row of it."""

    left: Singles
    right: Singles
    limits: Singles

    @classmethod
    def of(cls, x: Floats, y: Floats, over: Floats, under: Floats, gamma: float) -> Screen | None:
        """Prepare a search among points; None if single precision would blur too much."""
        if not (len(x) and len(y)):
            return None
        centre = 0.5 * (x.mean(axis=0) + y.mean(axis=0))
        x, y, p, r = x - centre, y - centre, over / gamma, under / gamma
        xx, yy = (x**2).sum(axis=1), (y**2).sum(axis=1)
        left = np.column_stack([x, xx - p**2, np.ones(len(p)), p])
        right = np.column_stack([-2 * y, np.ones(len(r)), yy - r**2, -2 * r])
        unit = (left.shape[1] + 4) * float(np.finfo(np.float32).eps)
        limits = unit * np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1).max()
        if not limits.max() <= BLURRED * (xx.max() + yy.max()):
            return None
        return cls(left.astype(np.float32), _tiled(right), np.nextafter(limits.astype(np.float32), np.float32(np.inf)))


def _tiled(right: Floats) -> Singles:
    """Vectors as columns of matrices of ``WIDTH`` columns; those that fill up the last one rule every pair out."""
    n, length = right.shape
    filler = np.zeros((-n % WIDTH, length))
    filler[:, -2] = np.finfo(np.float32).max / 4
    tiles = np.concatenate([right, filler]).astype(np.float32).reshape(-1, WIDTH, length)
    return np.ascontiguousarray(tiles.transpose(0, 2, 1))
