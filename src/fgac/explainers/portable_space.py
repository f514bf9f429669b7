"""How a fitted model reads rows and compares them, as one plain JSON value that other programs can compute with.

Numbers travel exactly: arrays as base64 of little-endian doubles, single ones in the shortest decimals that give the
same double again. Coordinates are stored column by column, because that is how they are compared.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fgac._typing import Bools, Ints
from fgac.metrics.distances import FARTHEST, UNKNOWN, UNSEEN, Rows
from fgac.tables.labels import plain_name
from fgac.tables.scores import Score
from fgac.tables.table import Table
from fgac.tables.value_kinds import UNITS


def packed(values: ArrayLike, dtype: str = "<f8") -> str:
    """The numbers of an array, row by row, as base64; doubles unless said otherwise.

    >>> packed([1.0]), packed([1, 2], "<i4")
    ('AAAAAAAA8D8=', 'AQAAAAIAAAA=')
    """
    return base64.b64encode(np.ascontiguousarray(values, dtype=dtype).tobytes()).decode()


def portable_space(table: Table, metric: str, rows: Rows) -> dict[str, Any]:
    """Everything that tells how far a row is from some training rows.

    Parameters
    ----------
    table : Table
        How columns become coordinates.
    metric : str
        The name of the metric.
    rows : Rows
        The training rows, whatever their orientation.

    >>> from fgac.tables.columns import Column
    >>> table = Table((Column("age", scale=40.0),), 0.5, keeps_column_order=False)
    >>> space = portable_space(table, "manhattan", Rows.from_numeric([[0.25], [0.5]]))
    >>> space["columns"][0]["factor"], space["points"]["n"], space["points"]["numeric"] == packed([0.25, 0.5])
    (0.5, 2, True)
    """
    numeric, codes = _places_that_count(table, rows)
    return {
        "metric": metric,
        "columns": [portable_column(table, j) for j in range(len(table.columns))],
        "marked": list(table.marked),
        "farthest": FARTHEST,
        "unknown": UNKNOWN,
        "unseen": UNSEEN,
        "score": None if table.score is None else portable_score(table.score),
        "points": {
            "n": len(rows),
            "numeric_places": numeric.tolist(),
            "numeric": packed(rows.numeric[:, numeric].T),
            "code_places": codes.tolist(),
            "codes": packed(rows.codes[:, codes].T, "<i4"),
            "mismatch": rows.mismatch[codes].tolist(),
            "n_ordered": 0 if rows.ordered is None else rows.ordered.shape[1],
            "ordered": "" if rows.ordered is None else packed(rows.ordered.T),
        },
    }


def _places_that_count(table: Table, rows: Rows) -> tuple[Ints, Ints]:
    """Numeric coordinates and codes that can make a difference: a column without weight is 0 in every row."""
    numeric = np.ones(rows.numeric.shape[1], dtype=np.bool_)
    for j, places in enumerate(table.places):
        part, place = places[0]
        if part == "numeric" and not table.factor(j):
            numeric[place] = False
    counting: Bools = rows.mismatch != 0
    return np.flatnonzero(numeric), np.flatnonzero(counting)


def n_bytes(table: Table, rows: Rows) -> int:
    """How many bytes the coordinates of rows have that can make a difference."""
    numeric, codes = _places_that_count(table, rows)
    n_ordered = 0 if rows.ordered is None else rows.ordered.shape[1]
    return len(rows) * (8 * (len(numeric) + n_ordered) + 4 * len(codes))


def portable_column(table: Table, j: int) -> dict[str, Any]:
    """How one column is read; ``counts`` says whether any value in it can change a prediction."""
    column = table.columns[j]
    factor, mark = table.factor(j), column.unknown_weight * table.column_factor
    return {
        "name": column.name,
        "kind": column.kind,
        "unit": UNITS.get(column.kind, ""),
        "categories": None if column.categories is None else [plain_name(value) for value in column.categories],
        "factor": factor,
        "mark": mark,
        "direction": column.direction,
        "scale": column.scale,
        "origin": column.origin,
        "middle": column.middle,
        "ranks": None if column.ranks is None else [packed(part) for part in column.ranks],
        "ends": None if column.ranks is None else [column.ranks[0][0], column.ranks[0][-1]],
        "beyond": table.moved(j, *table.limits(j)) if column.ranks is not None and column.weight else 0.0,
        "counts": not column.is_empty and bool(factor or mark or _scored(table, j)),
    }


def _scored(table: Table, j: int) -> bool:
    """Whether the score looks at a column."""
    part, place = table.places[j][0]
    if table.score is None or part == "ordered":
        return False
    return bool(table.score.steps[place].any()) if part == "codes" else bool(table.factor(j))


def portable_score(score: Score) -> dict[str, Any]:
    """A score, as :meth:`fgac.tables.scores.Score.sums` evaluates it."""
    return {
        "weight": float(score.weight),
        "is_ordered": bool(score.is_ordered),
        "intercepts": score.intercepts.tolist(),
        "slopes": score.slopes.tolist(),
        "steps": [steps.tolist() for steps in score.steps],
        "knots": [packed(knots) for knots in score.knots],
        # One line of heights after the other for every sum, which is how they are looked up.
        "heights": [packed(heights.T) for heights in score.heights],
    }


def same_rows(one: Rows, other: Rows) -> bool:
    """Whether rows are equal, orientation aside."""
    a, b = one.without_direction(), other.without_direction()
    return np.array_equal(a.numeric, b.numeric) and np.array_equal(a.codes, b.codes)


def shared_rows(parts: list[Rows]) -> tuple[Rows, list[Ints]]:
    """The distinct rows of several sets of rows of one table, and where those of every set are among them.

    >>> rows, places = shared_rows([Rows.from_numeric([[1.0], [2.0]]), Rows.from_numeric([[2.0], [3.0]])])
    >>> rows.numeric.ravel().tolist(), [place.tolist() for place in places]
    ([1.0, 2.0, 3.0], [[0, 1], [1, 2]])
    """
    plain = [part.without_direction() for part in parts]
    keys = np.vstack([np.hstack([part.numeric, part.codes]) for part in plain])
    _, first, where = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    ends = np.cumsum([len(part) for part in parts])
    starts = ends - [len(part) for part in parts]
    which = np.searchsorted(ends, first, side="right")
    picked = [
        parts[part][int(row - starts[part]) : int(row - starts[part]) + 1]
        for part, row in zip(which, first, strict=True)
    ]
    return _stacked(picked, parts[0]), [where.ravel()[a:b] for a, b in zip(starts, ends, strict=True)]


def _stacked(rows: list[Rows], like: Rows) -> Rows:
    numeric, codes = np.vstack([row.numeric for row in rows]), np.vstack([row.codes for row in rows])
    if like.ordered is None:
        return Rows(numeric, codes, like.mismatch)
    ordered = np.vstack([row.ordered for row in rows if row.ordered is not None])
    return Rows(numeric, codes, like.mismatch, ordered, np.ones(len(ordered)))
