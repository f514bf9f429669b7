"""Training rows whose targets other rows contradict, and who does.

Training takes every row u to have a value ``a_u`` near its target, and no two values further apart than their rows
allow: ``a_u - a_v <= gamma d(u, v)``. Where such a constraint binds, it holds u down and v up, and its multiplier says
how strongly. For squared error ``w_u (y_u - a_u)`` is the sum of the multipliers that hold u down minus those that hold
it up. The row behind a constraint need not have an extreme target itself: it may be held by another one in turn.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fgac.collection import Collection
from fgac.distances import Ints
from fgac.records import Label, plain_name

if TYPE_CHECKING:
    from fgac.regressor import FGARegressor

# A value that differs by less, as a share of the range of the targets, differs by rounding.
NOTHING = 1e-9
# Shares that differ by less are equal.
DIGITS = 12


@dataclass(frozen=True)
class Contradictor:
    """A training row that keeps the value of another one away from its target.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target, fitted : what was observed for it, and the value it is taken to have
    distance : to the contradicted row
    share : its multiplier as a part of all that push the contradicted row the same way
    alike : ids of the rows equal to it, target included
    """

    index: int
    id: Label
    target: float
    fitted: float
    distance: float
    share: float
    alike: tuple[Label, ...]


@dataclass(frozen=True)
class Contradiction:
    """A training row whose target others contradict.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target, fitted : what was observed for it, and the value it is taken to have
    size : how much the two differ, as a share of the range of all targets
    contradicted_by : the rows behind it, the strongest first
    alike : ids of the rows equal to it, target included: whatever is said of one holds for all
    """

    index: int
    id: Label
    target: float
    fitted: float
    size: float
    contradicted_by: tuple[Contradictor, ...]
    alike: tuple[Label, ...]

    def text(self) -> str:
        """What is odd about the row, in plain English."""
        from fgac.language.regression import tell_contradiction

        return tell_contradiction(self)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class Contradictions(Collection[Contradiction]):
    """Contradicted rows, the largest difference first, and the number of training rows that were looked at.

    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> found = model.contradictions()
    >>> [(row.id, row.target, row.fitted) for row in found]
    [(1, 20.0, 25.0), (2, 40.0, 35.0)]
    >>> print(found[0])
    Row 1 has the target 20, but is taken as 25: row 2 (target 40, taken as 35, distance 0.125) contradicts it.
    """

    items: tuple[Contradiction, ...]
    n_rows: int

    def text(self) -> str:
        """All of them in plain English."""
        return super().text() if self.items else "No training row contradicts the target of another."

    def to_frame(self) -> Any:
        """One line per contradicted row as a pandas frame, with the strongest contradictor."""
        import pandas as pd

        fields = [f.name for f in dataclasses.fields(Contradiction) if f.name not in ("contradicted_by", "alike")]
        strongest = ("id", "target", "fitted", "distance", "share")
        rows = []
        for item in self.items:
            first = item.contradicted_by[0] if item.contradicted_by else None
            told = {f"by_{name}": getattr(first, name, None) for name in strongest}
            counts = {"contradictors": len(item.contradicted_by), "alike": len(item.alike)}
            rows.append({**{name: getattr(item, name) for name in fields}, **told, **counts})
        return pd.DataFrame(rows, columns=[*fields, *(f"by_{name}" for name in strongest), "contradictors", "alike"])


def find_contradictions(model: FGARegressor, n_rows: int | None = None) -> Contradictions:
    """Rank training rows by how far they are from their targets; see :meth:`fgac.FGARegressor.contradictions`."""
    check_is_fitted(model)
    if n_rows is not None and (isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 1):
        raise ValueError(f"n_rows={n_rows!r} must be a whole number >= 1, or None for all contradicted rows")
    gaps = model._model.values - model._target_scale.unit(model._targets)
    sizes = np.abs(gaps)
    nodes = np.flatnonzero(sizes > NOTHING)
    order = np.lexsort((nodes, -np.round(sizes[nodes], DIGITS)))[:n_rows]
    forces = _Forces(model)
    items = tuple(forces.contradiction(int(node), float(gaps[node])) for node in nodes[order])
    return Contradictions(items, len(model._records.positions))


class _Forces:
    """The binding constraints of a fitted model, seen from the nodes that they hold down, and from those held up."""

    def __init__(self, model: FGARegressor) -> None:
        self.records, self.gamma = model._records, model._model.cones.gamma
        self.targets, self.values = model._targets, model._target_scale.told(model._model.values)
        self.active, self.multipliers = model.solution_.active, model.solution_.multipliers
        n = len(self.values)
        self.down, self.up = (_grouped(ends, n) for ends in (self.active.tail, self.active.head))

    def contradiction(self, node: int, gap: float) -> Contradiction:
        """Tell of one node."""
        row = self._row(node)
        return Contradiction(**row, size=abs(gap), contradicted_by=self._behind(node, held_down=gap < 0))

    def _behind(self, node: int, *, held_down: bool) -> tuple[Contradictor, ...]:
        """The nodes that push one towards where it is, the strongest first."""
        order, starts = self.down if held_down else self.up
        edges = order[starts[node] : starts[node + 1]]
        others = (self.active.head if held_down else self.active.tail)[edges]
        shares = self.multipliers[edges] / (self.multipliers[edges].sum() or 1.0)
        ranked = np.lexsort((others, self.active.bound[edges], -np.round(shares, DIGITS)))
        ranked = ranked[shares[ranked] > NOTHING]  # what rounding has left contradicts nobody
        return tuple(
            Contradictor(
                **self._row(int(others[i])),
                distance=float(self.active.bound[edges[i]]) / self.gamma,
                share=float(shares[i]),
            )
            for i in ranked
        )

    def _row(self, node: int) -> dict[str, Any]:
        """What is told of every row: the first of its node, and the others."""
        first, *others = self.records.of_node(node)
        return {
            "index": int(self.records.positions[first]),
            "id": plain_name(self.records.ids[first]),
            "target": float(self.targets[node]),
            "fitted": float(self.values[node]),
            "alike": tuple(plain_name(self.records.ids[row]) for row in others),
        }


def _grouped(ends: Ints, n: int) -> tuple[Ints, Ints]:
    """Numbers of the edges sorted by one of their ends, and where each node's begin."""
    order = np.argsort(ends, kind="stable")
    return order, np.searchsorted(ends[order], np.arange(n + 1))
