"""The constraints of a problem whose nodes are on a cluster: a round sends values, and gets violated pairs back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from distributed import Client

from fgac._typing import Floats
from fgac.dask import guess as guessing
from fgac.dask.cells import CellFacts
from fgac.dask.clients import sent
from fgac.dask.search import Form, Question, Side, distinct, hidden, reduced, search
from fgac.metrics.distances import Metric
from fgac.metrics.rounding import Rounding
from fgac.solve.constraints import FIRST_NEAR_SHARE, NEAR_SHARE
from fgac.solve.problem import Pairs, Pricing, Problem


class CellConstraints:
    """Constraints ``a_u - a_v <= gamma * d(u, v)`` between nodes that stand in cells on the workers.

    One task searches the pairs between two cells. The worst pairs of every node over all cells are found on the
    workers, too, so that no more of them come back than a search in memory would give.

    Parameters
    ----------
    client : Client
    cells : list of futures of :class:`~fgac.dask.cells.Cell`
    facts : list of CellFacts
        What is known of each cell here.
    metric : Metric
    gamma : float
    form : {"two classes", "many classes", "numbers"}
        Which nodes constrain which.
    """

    def __init__(
        self, client: Client, cells: list[Any], facts: list[CellFacts], metric: Metric, gamma: float, form: Form
    ) -> None:
        kept = [i for i, fact in enumerate(facts) if len(fact.weights)]
        self.client, self.cells, self.facts = client, [cells[i] for i in kept], [facts[i] for i in kept]
        self.metric, self.gamma, self.form = metric, float(gamma), form
        sizes = [len(fact.weights) for fact in self.facts]
        self.starts = [0, *np.cumsum(sizes).tolist()]
        self.n = self.starts[-1]
        self._margin: float | None = None
        self.sent = self.received = 0  # numbers of values and of pairs, of all rounds

    @property
    def n_nodes(self) -> int:
        """Variables of the problem: with more than two classes two of every node."""
        return 2 * self.n if self.form == "many classes" else self.n

    def start_again(self) -> None:
        """Forget what was nearly violated: another problem with the same constraints comes next."""
        self._margin = None

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search all pairs of all cells for those that are violated, or nearly."""
        margin = FIRST_NEAR_SHARE * float(np.ptp(values)) if self._margin is None else self._margin
        found = self._price(values, per_node, -margin)
        largest = max(one.largest for one in found)
        self._margin = NEAR_SHARE * largest
        self.received += sum(len(one.pairs.bound) for one in found)
        return Pricing(distinct(Pairs.joined([one.pairs for one in found])), largest)

    def _price(self, values: Floats, per_node: int, floor: float) -> list[Pricing]:
        asked = Question(self.metric, self.gamma, self.form, per_node, floor)
        table = self._all_pairs(search, values, asked)
        n = len(self.cells)
        rows = [self._submit(reduced, "tails", table[i], per_node) for i in range(n)]
        columns = [self._submit(reduced, "heads", [table[i][j] for i in range(n)], per_node) for j in range(n)]
        found: list[Pricing] = self.client.gather([*rows, *columns])
        return found

    def rounding(self, values: Floats, slight: float) -> float:
        """How much more a constraint may be violated by the distances of the caller's table than by ours."""
        share = max(fact.share for fact in self.facts)
        errors = Rounding(np.array([max(fact.rounding for fact in self.facts)]), share)
        cheap = errors.bound(self.gamma, float(np.ptp(values)))
        if cheap <= slight:
            return cheap
        asked = Question(self.metric, self.gamma, self.form, 1, 0.0)
        found = self.client.gather(self._all_pairs(hidden, values, asked))
        return max(max(row) for row in found)

    def guess(self, problem: Problem) -> Floats | None:
        """Values near the solution, from some of the nodes; None where that does not pay."""
        return guessing.guess(self, problem)

    def sides(self, values: Floats) -> list[tuple[Side, Side]]:
        """The values of the tails and of the heads of every cell."""
        n = self.n if self.form == "many classes" else 0
        spans = list(zip(self.starts[:-1], self.starts[1:], strict=True))
        return [(Side(values[s:e], s), Side(values[n + s : n + e], n + s)) for s, e in spans]

    def _all_pairs(self, task: Callable[..., Any], values: Floats, asked: Question) -> list[list[Any]]:
        """Futures of what a task makes of the tails of one cell and the heads of another, cell by cell."""
        sides = self.sides(values)
        flat = [side for both in sides for side in both] if self.form == "many classes" else [s[0] for s in sides]
        self.sent += sum(len(side.values) for side in flat)
        there = sent(self.client, flat)
        over, under = (there[::2], there[1::2]) if self.form == "many classes" else (there, there)
        cells = list(enumerate(self.cells))
        return [
            [self._submit(task, tails, heads, over[i], under[j], i == j, asked) for j, heads in cells]
            for i, tails in cells
        ]

    def _submit(self, task: Callable[..., Any], *args: Any) -> Any:
        return self.client.submit(task, *args, pure=False, retries=2)
