"""Small parts of a search: rows of folds, finite scores, who takes weights, and a line that tells how far it is."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from fgac._typing import Ints
from fgac.selection.folds import Material
from fgac.selection.grid import Progress
from fgac.tables.groups import NO_GROUP, parted_fold


def finite(score: float) -> float:
    """A score that files can hold: infinite ones become the largest number, and -0 becomes 0.

    >>> finite(-0.0), finite(float("inf")) > 1e308
    (0.0, True)
    """
    return float(np.nan_to_num(score)) + 0.0


def positions(rows: Any) -> Ints:
    """Positions of rows, which a splitter may also give as a mask."""
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer can be given weights of rows."""
    parameters = inspect.signature(scorer).parameters.values()
    return any(p.name == "sample_weight" or p.kind is p.VAR_KEYWORD for p in parameters)


def n_held_out(material: Material) -> int:
    """Number of rows that some fold holds out."""
    return len(np.unique(np.concatenate([test for _, test in material.splits])))


def n_groups_held_out(material: Material) -> int | None:
    """Number of groups that some fold holds out, none of which it trains on; None if rows are held out one by one."""
    if material.groups is None or parted_fold(material.splits, material.groups) is not None:
        return None
    held_out = np.concatenate([material.groups[test] for _, test in material.splits])
    return len(np.unique(held_out[held_out != NO_GROUP]))


def progress_line(material: Material) -> Progress:
    """A function that prints a line for every tenth of the models that gamma is chosen by."""
    n_rows = n_held_out(material)

    def tell(done: int, total: int) -> None:
        if 10 * done // total > 10 * (done - 1) // total:
            rows = f"{n_rows} of {len(material.y)} rows"
            print(f"[fgac] choosing gamma on {rows}: {done} of {total} models")  # noqa: T201

    return tell
