"""What an estimator has read before it learns: training rows, their classes or targets, and the nodes they become."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import PROOF_TOL, SLIGHT_ROUNDING
from fgac._typing import Floats, Ints
from fgac.granular.nodes import Nodes
from fgac.metrics.distances import Metric
from fgac.solve import Pairs, Solution
from fgac.solve.solution import warn_if_unproved
from fgac.tables.table import Table
from fgac.tables.targets import TargetScale
from fgac.tables.training_rows import TrainingRows


class Header(NamedTuple):
    """What scikit-learn remembers of the columns of a training table: their number, and names if they have any."""

    n_features: int
    names: NDArray[Any] | None


class TrainingTable(NamedTuple):
    """A training table that has been read.

    Attributes
    ----------
    header : Header
        Number and names of its columns.
    table : Table or None
        How its columns, and those of new tables, become rows of a metric space; None if it holds distances.
    rows : TrainingRows
        Its rows of positive weight.
    target_name : str or None
        What is to be predicted, if y has a name.
    """

    header: Header
    table: Table | None
    rows: TrainingRows
    target_name: str | None = None


class TrainingSet(NamedTuple):
    """What a classifier learns from.

    Attributes
    ----------
    read : TrainingTable
    classes : array of shape (n_classes,)
    ids : array of shape (n_rows,)
        What the rows of positive weight are called.
    nodes : Nodes
        The distinct rows of every class.
    multiplicity : array of shape (n_nodes,)
        How many rows each node stands for.
    """

    read: TrainingTable
    classes: NDArray[Any]
    ids: NDArray[Any]
    nodes: Nodes
    multiplicity: Floats


class OrdinalTrainingSet(NamedTuple):
    """What a classifier of ordered classes learns from: a problem of two classes for every boundary.

    Attributes
    ----------
    read : TrainingTable
    classes : array of shape (n_classes,)
        From the lowest to the highest.
    boundaries : tuple of n_classes - 1 TrainingSets
        Number i is whether rows are of class i + 1 or above.
    """

    read: TrainingTable
    classes: NDArray[Any]
    boundaries: tuple[TrainingSet, ...]


class RegressionTrainingSet(NamedTuple):
    """What a regressor learns from.

    Attributes
    ----------
    read : TrainingTable
    ids : array of shape (n_rows,)
        What the rows of positive weight are called.
    nodes : Nodes
        The distinct pairs of a row and a target.
    targets : array of shape (n_nodes,)
        Targets of the nodes on a scale from 0 to 1.
    observed : array of shape (n_rows,)
        Targets of the rows as they were given.
    scale : TargetScale
        From 0 and 1 to the least and the largest target.
    """

    read: TrainingTable
    ids: NDArray[Any]
    nodes: Nodes
    targets: Floats
    observed: Floats
    scale: TargetScale


def scattered(values: Floats, rows: TrainingRows) -> Floats:
    """Values of the rows of positive weight at their places in the table that was given; nan for all others."""
    found = np.full(rows.n_rows, np.nan)
    found[rows.positions] = values
    return found


def renumbered(solution: Solution, here: Ints, there: Ints, copies: int) -> Solution:
    """A solution whose nodes have other numbers: those of each row ``here`` and ``there``.

    ``copies`` is how many variables nodes have; those of one copy stand together.
    """
    n, m = len(solution.values) // copies, int(there.max()) + 1
    number = np.empty(n, dtype=np.int64)
    number[here] = there
    variables = np.concatenate([number + copy * m for copy in range(copies)])
    values = np.empty(copies * m)
    values[variables] = solution.values
    tail, head, bound = solution.active
    return replace(solution, values=values, active=Pairs(variables[tail], variables[head], bound))


def proved_for(read: TrainingTable, solution: Solution, metric: Metric, gamma: float, tol: float) -> Solution:
    """A solution with a proof for the table as it was given, whose numbers rounding may have changed.

    The proof that the engine has written takes rows without a distance for equal. If scaling, or the metric, has made
    them so, which only a very large gamma would notice, the distance of any two rows may be wrong by all that rounding
    can do. Whole numbers beyond 2**53 were rounded when they were read.
    """
    if read.table is None:
        return solution
    hidden = gamma * read.table.rounding_of_integers(read.rows.values)
    of_scaling = metric.rounding(read.rows.rows).bound(gamma, 2 * solution.scale)
    if of_scaling > SLIGHT_ROUNDING * PROOF_TOL * solution.scale and (
        read.table.merges_numbers(read.rows.values) or metric.merges(read.rows.rows)
    ):
        hidden += of_scaling
    if hidden == 0:
        return solution
    solution = replace(solution, rounding=solution.rounding + hidden)
    warn_if_unproved(solution, tol)
    return solution
