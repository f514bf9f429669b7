"""Distances between rows, recomputed in extended precision from the caller's table and the documented definition.

Nothing of the library is used but what it documents as decided in ``fit``: the scale of a robust column, whose
percentiles have many definitions, the knots of ranks of a column of many values, and scores. A long double has 64
bits of mantissa and a huge range: it holds every integer of 64 bits, and squares of all doubles.
"""

from dataclasses import dataclass

import numpy as np

from fgac.tables.learned_scores import SHARE

Long = np.longdouble
ONE = Long(1)
EXTENDED = np.finfo(Long).nmant >= 63
N_KNOTS = 256


@dataclass
class Column:
    """One column: numbers in extended precision, or codes of categories, and how differences count."""

    is_name: bool
    scale: Long = ONE
    weight: Long = ONE
    direction: int = 0
    n_categories: int = 1
    known: dict | None = None
    ranks: tuple | None = None

    def read(self, values):
        """Values as numbers in extended precision, as shares of the rows, or as codes."""
        if self.is_name:
            return np.array([self.known.get(value, -1 - i) for i, value in enumerate(values)])
        values = to_long(values)
        return values if self.ranks is None else interpolated(values, *self.ranks)

    def difference(self, left, right):
        """How far values are apart: signed for numbers, 0 or 1 for names."""
        if self.is_name:
            return (left[:, None] != right[None, :]).astype(Long) * self.weight
        # Differences first: values divided by their scale would have lost the digits that differ.
        scale = self.scale if self.ranks is None else 1
        return (left[:, None] - right[None, :]) / scale * self.weight


def to_long(values):
    """Numbers of any type in extended precision, without a detour through doubles."""
    values = np.asarray(values)
    return values.astype(Long)


def interpolated(values, knots, shares):
    """The share of rows below values, linear between knots, in extended precision."""
    place = np.clip(np.searchsorted(knots, values, side="right") - 1, 0, max(0, len(knots) - 2))
    if len(knots) == 1:
        return np.full(len(values), shares[0], dtype=Long)
    width = knots[place + 1] - knots[place]
    inside = shares[place] + (values - knots[place]) / width * (shares[place + 1] - shares[place])
    return np.clip(inside, shares[0], shares[-1])


def columns_of(X):
    """Columns of a frame or a matrix, with their types."""
    if hasattr(X, "get_columns"):
        return [np.array(c.to_list(), dtype=object) if c.dtype == str else c.to_numpy() for c in X.get_columns()]
    return [X.iloc[:, j].to_numpy() for j in range(X.shape[1])] if hasattr(X, "iloc") else list(np.asarray(X).T)


def name_columns(X):
    """Which columns are compared as names: by the types of a frame."""
    if hasattr(X, "get_columns"):
        return [not dtype.is_numeric() for dtype in X.dtypes]
    if not hasattr(X, "iloc"):
        return [False] * X.shape[1]
    return [getattr(dtype, "kind", "O") not in "iuf" for dtype in X.dtypes]


class Geometry:
    """Distances of the rows of a table, as the settings of an estimator define them."""

    def __init__(self, X, settings, weight, fitted_columns, table=None):
        # Coordinates of a score are doubles, and what they are was decided in fit: a share, coefficients, a weight.
        self.scored = table if table is not None and table.score is not None else None
        if settings.get("metric") == "learned":  # a name for three settings
            settings = settings | {"metric": "manhattan", "scale": "rank", "feature_weights": "learned"}
        self.metric = settings.get("metric", "euclidean")
        self.precomputed = isinstance(self.metric, str) and self.metric == "precomputed"
        self.D = to_long(X) if self.precomputed else None
        if self.precomputed:
            return
        present = weight > 0
        scale = settings.get("scale", None if self.metric == "angular" else "range")
        weights = settings.get("feature_weights") or [1.0] * X.shape[1]
        if weights == "learned":
            weights = [column.weight for column in fitted_columns]
        cst = settings.get("monotonic_cst") or [0] * X.shape[1]
        self.columns = [
            learn(values[present], is_name, scale, Long(w), c, weight[present], fitted)
            for values, is_name, w, c, fitted in zip(
                columns_of(X), name_columns(X), weights, cst, fitted_columns, strict=True
            )
        ]
        self.size = Long(sum(column.n_categories for column in self.columns))

    def points(self, X):
        """Rows of numbers on the scales of their columns; beyond 2^500, as documented, all are alike."""
        parts = [c.read(v) / c.scale * c.weight for c, v in zip(self.columns, columns_of(X), strict=True)]
        return np.clip(np.column_stack(parts), -(Long(2) ** 500), Long(2) ** 500)

    def distances(self, A, B):
        """d(a -> b): in ordered columns by how much a is above b counts."""
        parts = []
        for column, left, right in zip(self.columns, columns_of(A), columns_of(B), strict=True):
            difference = column.difference(column.read(left), column.read(right))
            if column.direction:
                difference = np.maximum(0, column.direction * difference)
            parts.append(np.abs(difference))
        if isinstance(self.metric, str) and self.metric == "angular":
            return angles(self.points(A), self.points(B))
        kind = self.metric if isinstance(self.metric, str) else self.metric.__name__.removeprefix("plain_")
        known = isinstance(self.metric, str)
        if kind == "euclidean":
            return np.sqrt(sum(p * p for p in parts)) / (np.sqrt(self.size) if known else 1)
        if kind == "manhattan" and self.scored is not None:
            left, right = (to_long(score_of(self.scored, X)) for X in (A, B))
            return (1 - Long(SHARE)) * sum(parts) / self.size + np.abs(left[:, None] - right[None, :]).sum(axis=2)
        if kind == "manhattan":
            return sum(parts) / (self.size if known else 1)
        return np.maximum.reduce(parts)

    def rounding(self, X):
        """By how much a metric of the caller's may err: it sees rounded coordinates, of a size that we know."""
        if isinstance(self.metric, str):
            return Long(0)
        return 1e-14 * sum(
            np.abs(c.read(v)).max() / c.scale * c.weight for c, v in zip(self.columns, columns_of(X), strict=True)
        )


def angles(A, B):
    """Angles between rows, as shares of a half turn; a row of zeros is perpendicular to all but its like."""
    lengths = [np.sqrt((rows * rows).sum(axis=1)) for rows in (A, B)]
    A, B = (rows / np.where(length > 0, length, ONE)[:, None] for rows, length in zip((A, B), lengths, strict=True))
    across, along = (np.sqrt(((A[:, None] + sign * B[None]) ** 2).sum(axis=2)) for sign in (-1, 1))
    return np.arctan2(across, along) / np.arctan(ONE) / 2


def score_of(table, X):
    """The coordinates that the score of a table adds to rows."""
    return table.rows(table.read(X)).numeric[:, len(table.score.slopes) :]


def learn(values, is_name, scale, weight, direction, sample_weight, fitted):
    """What fit decides about a column, by the documentation."""
    if is_name:
        known = {value: code for code, value in enumerate(dict.fromkeys(values.tolist()))}
        return Column(True, weight=weight, n_categories=len(known), known=known)
    numbers = to_long(values)
    spread = numbers.max() - numbers.min() if scale in ("range", "rank") else Long(1)
    if scale == "robust":
        spread = Long(fitted.scale)
    ranks = None
    if scale == "rank":
        knots, which = np.unique(numbers, return_inverse=True)
        held = np.zeros(len(knots), dtype=Long)
        np.add.at(held, which, to_long(sample_weight))
        shares = (np.cumsum(held) - held / 2) / held.sum()
        ranks = (knots, shares)
        if len(knots) > N_KNOTS and fitted.ranks is not None:
            ranks = tuple(to_long(part) for part in fitted.ranks)
    return Column(False, scale=spread or Long(1), weight=weight, direction=direction, ranks=ranks)
