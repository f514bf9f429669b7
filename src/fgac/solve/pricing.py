"""The search of all pairs of a group of rows for the constraints that are violated most.

A small group is searched by its distances, which are kept, and so is one whose metric is the caller's own. A large one
is sorted into blocks and searched by screens (:mod:`fgac.solve.search`).
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.layouts import Levels, WorstPairs
from fgac._typing import Floats, Ints
from fgac.metrics.distances import Coordinates
from fgac.metrics.tiles import in_threads, spans
from fgac.solve.pairs import Blocks
from fgac.solve.problem import Pairs, Pricing, check_largest
from fgac.solve.search import BOTH, BlockSearch, Ends, Sorted
from fgac.solve.sides import comparable_rows

# Tails are searched in so many parts, whatever the number of threads, so that the result does not depend on it.
PARTS = 8
# Groups with fewer pairs are searched in one part, and without a screen: their distances stay in the cache.
MANY_PAIRS = 2_000_000


class GroupSearch:
    """Finds the worst pairs of every node of a group, by distances or, of many rows, by screens."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        n, m = len(blocks.tails), len(blocks.heads)
        few = n * m < max(1, MANY_PAIRS)
        self.sorted: Sorted | None = None
        if not few and isinstance(blocks.metric, Coordinates):
            rows = comparable_rows(blocks.metric, blocks.rows, blocks.group.head_rows)
            self.sorted = None if rows is None else Sorted(blocks, blocks.metric, rows)
        self.parts = spans(n, max(1, n if few else -(-n // PARTS)))

    @property
    def is_kept(self) -> bool:
        """Whether all distances are kept, so that searches are cheap."""
        return self.sorted is None and self.blocks.kept is not None

    def at(self, gamma: float) -> GammaSearch:
        """The search at one gamma."""
        return GammaSearch(self, gamma)


class GammaSearch:
    """A search that knows what it has proved at one gamma."""

    def __init__(self, search: GroupSearch, gamma: float) -> None:
        self.blocks, self.parts, self.gamma = search.blocks, search.parts, gamma
        self.in_blocks = None if search.sorted is None else BlockSearch(search.sorted, gamma)

    def price(self, values: Floats, per_node: int, floor: float, ends: Ends = BOTH) -> Pricing:
        """Search all pairs for those that are violated, or nearly: by more than a floor that is not above 0.

        ``ends`` says whether the worst pairs of tails, of heads, or of both are wanted; others may be found as well.
        """
        found = None if self.in_blocks is None else self.in_blocks.price(values, per_node, floor, ends)
        return self._compared(values, per_node, floor) if found is None else found

    def _compared(self, values: Floats, per_node: int, floor: float) -> Pricing:
        """Search all pairs by their distances."""
        from fgac._kernels.pricing import compare, merge

        group = self.blocks.group
        levels = Levels(values[group.tail_nodes], -values[group.head_nodes], self.gamma)
        over, under = levels.over, levels.under
        of_tails = _empty_lists(len(over), per_node, floor)
        # Parts share no tails, so they write into one list of tails; each has a list of heads of its own.
        of_heads: dict[int, WorstPairs] = {}

        def search(part: slice) -> None:
            of_heads[part.start] = _empty_lists(len(under), per_node, floor)
            for rows, columns, distances in self.blocks.within(part):
                compare(distances, rows.start, columns.start, levels, of_tails, of_heads[part.start])

        in_threads(search, self.parts, self.blocks.n_jobs, len(over) * len(under))
        heads = of_heads[0] if self.parts else _empty_lists(len(under), per_node, floor)
        for part in self.parts[1:]:
            merge(heads, of_heads[part.start])
        i, j, violation = _entries(of_tails, floor)
        head, tail, more = _entries(heads, floor)
        i, j, violation = np.append(i, tail), np.append(j, head), np.append(violation, more)
        # The bounds, gamma times distances that the lists do not hold, follow from the violations.
        pairs = Pairs(group.tail_nodes[i], group.head_nodes[j], over[i] + under[j] - violation)
        return Pricing(pairs, check_largest(violation))


def _empty_lists(n: int, length: int, floor: float) -> WorstPairs:
    """Lists of n nodes that admit what is above the floor."""
    return WorstPairs(np.full((n, length), floor), np.zeros((n, length), dtype=np.int64))


def _entries(lists: WorstPairs, floor: float) -> tuple[Ints, Ints, Floats]:
    """Whose list, which other end, and how much violated, of all entries above the floor."""
    owner, slot = np.nonzero(lists.best > floor)
    return owner, lists.place[owner, slot], lists.best[owner, slot]
