"""A fitted model in one place, made of the cells of a cluster: on a worker to predict, in this process to be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.dask.blocks import Block, ids_of, joined_tables
from fgac.dask.cells import Cell, Members, joined_rows
from fgac.dask.learning import with_marks
from fgac.estimators import _classifier_steps as classifying
from fgac.estimators import _regressor_steps as regressing
from fgac.estimators._plain import plain_estimator
from fgac.estimators._training import Header, TrainingTable
from fgac.granular.calibration import Calibration
from fgac.solve import Solution
from fgac.tables.table import Table
from fgac.tables.targets import TargetScale
from fgac.tables.training_rows import TrainingRows


class Recipe(NamedTuple):
    """What is known of a fitted model besides its rows and values: the plain estimator, and what fit has decided."""

    estimator: Any
    header: Header
    table: Table
    marks: list[Any]
    target_name: str | None
    classes: NDArray[Any] | None
    factors: Floats | None
    scale: TargetScale | None
    calibration: Calibration | None
    selection: Any


def thin(solution: Solution) -> Solution:
    """A solution without its multipliers, which prediction has no need of."""
    none = np.empty(0, dtype=np.int64)
    return replace(
        solution, active=solution.active._replace(tail=none, head=none, bound=np.empty(0)), multipliers=np.empty(0)
    )


def predictor(recipe: Recipe, cells: Sequence[Cell], solutions: Sequence[Solution]) -> Any:
    """The plain fitted estimator of the nodes: it predicts, and knows no rows besides them."""
    rows = joined_rows([cell.rows for cell in cells])
    levels, weights = (np.concatenate(column) for column in zip(*(cell[1:] for cell in cells), strict=True))
    every = np.arange(len(rows))
    codes = levels if recipe.classes is not None else every
    read = TrainingRows(rows, [], codes, weights, every, len(rows))
    return _assembled(recipe, read, every, levels, solutions, every)


def whole(
    recipe: Recipe,
    blocks: Sequence[tuple[Block, NDArray[Any]]],
    cells: Sequence[Cell],
    members: Sequence[Members],
    solutions: Sequence[Solution],
) -> Any:
    """The plain fitted estimator, as a fit in memory makes it of the whole table; ``blocks`` come with their ids."""
    firsts = np.cumsum([0, *(block.n_rows for block, _ in blocks)])
    positions = np.concatenate([first + block.positions for first, (block, _) in zip(firsts, blocks, strict=False)])
    some = [block for block, _ in blocks if len(block.targets)]
    read = with_marks(joined_tables([block.read for block in some]), recipe.table, recipe.marks)
    targets, weights = (np.concatenate([getattr(block, name) for block in some]) for name in ("targets", "weights"))
    solved = np.empty(int(firsts[-1]), dtype=np.int64)
    starts = np.cumsum([0, *(len(cell.rows) for cell in cells)])
    for start, member in zip(starts, members, strict=False):
        solved[member.positions] = start + member.nodes
    ids = np.concatenate([ids for _, ids in blocks if len(ids)])[positions]
    rows = recipe.table.rows(read.columns)
    codes = targets if recipe.classes is None else np.searchsorted(recipe.classes, targets)
    found = TrainingRows(rows, read.columns, codes, weights, positions, int(firsts[-1]))
    return _assembled(recipe, found, ids, targets, solutions, solved[positions])


def _assembled(
    recipe: Recipe, rows: TrainingRows, ids: Any, targets: Any, solutions: Sequence[Solution], solved: Ints
) -> Any:
    read = TrainingTable(recipe.header, recipe.table, rows, recipe.target_name)
    if recipe.classes is not None and recipe.factors is not None:
        state: Any = classifying.solved_elsewhere(
            recipe.estimator, read, recipe.classes, ids, recipe.factors, solutions[0], solved
        )
        state = replace(state, calibration=recipe.calibration, selection=recipe.selection)
    else:
        assert recipe.scale is not None
        state = regressing.solved_elsewhere(recipe.estimator, read, ids, targets, recipe.scale, solutions, solved)
    return plain_estimator(state)


def with_ids(block: Block, table: Any, first: int) -> tuple[Block, NDArray[Any]]:
    """A block and what its rows are called, those of weight 0 included."""
    return block, ids_of(table, first)
