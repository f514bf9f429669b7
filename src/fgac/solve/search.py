"""Search all pairs of a group of rows for the constraints that are violated most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fgac.distances import Floats, Ints
from fgac.solve.blocks import Blocks
from fgac.solve.constraints import Pairs, Pricing
from fgac.solve.screen import Screen, embedding
from fgac.tiles import in_threads, spans

# Tails are searched in so many parts, whatever the number of threads, and those of a part so many at a time.
PARTS = 8
HEIGHT = 128
# Groups with fewer pairs are searched in one part, and without a screen: their distances stay in the cache.
WORTHWHILE = 2_000_000


class Lists(NamedTuple):
    """The worst pairs of every tail or head, falling: by how much they are violated, and their other ends."""

    best: Floats
    place: Ints

    @classmethod
    def empty(cls, n: int, length: int, floor: float) -> Lists:
        """Lists that admit what is above the floor."""
        return cls(np.full((n, length), floor), np.zeros((n, length), dtype=np.int64))


class GroupSearch:
    """Finds the worst pairs of every node of a group, by distances or, of many points, by a screen."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, group = blocks, blocks.group
        n, m = len(blocks.tails), len(blocks.heads)
        few = n * m < WORTHWHILE
        points = None if few else embedding(blocks.metric, blocks.rows)
        self.points = None if points is None else (points[group.tail_rows], points[group.head_rows])
        self.parts = spans(n, max(1, n if few else -(-n // PARTS)))

    def price(self, values: Floats, gamma: float, per_node: int, floor: float) -> Pricing:
        """Search all pairs for those that are violated, or nearly: by more than a floor that is not above 0."""
        from fgac.kernels.search import entries, merge

        group = self.blocks.group
        over, under = values[group.tail_nodes], -values[group.head_nodes]
        screen = None if self.points is None else Screen.of(*self.points, over - floor, under, gamma)
        of_tails = Lists.empty(len(over), per_node, floor)
        of_heads: dict[int, Lists] = {}

        def search(part: slice) -> None:
            of_heads[part.start] = Lists.empty(len(under), per_node, floor)
            if screen is None:
                self._compare(part, over, under, gamma, of_tails, of_heads[part.start])
            else:
                self._sift(part, screen, over, under, gamma, of_tails, of_heads[part.start])

        in_threads(search, self.parts, self.blocks.n_jobs, len(over) * len(under))
        heads = of_heads[0] if self.parts else Lists.empty(len(under), per_node, floor)
        for part in self.parts[1:]:
            merge(*heads, *of_heads[part.start])
        i, j, height = entries(*of_tails, floor)
        head, tail, more = entries(*heads, floor)
        i, j, height = np.append(i, tail), np.append(j, head), np.append(height, more)
        pairs = Pairs(group.tail_nodes[i], group.head_nodes[j], over[i] + under[j] - height)
        return Pricing(pairs, max(0.0, float(height.max(initial=0.0))))

    def _compare(
        self, part: slice, over: Floats, under: Floats, gamma: float, of_tails: Lists, of_heads: Lists
    ) -> None:
        from fgac.kernels.search import compare

        for rows, columns, distances in self.blocks.within(part):
            compare(distances, rows.start, columns.start, over, under, gamma, *of_tails, *of_heads)

    def _sift(
        self, part: slice, screen: Screen, over: Floats, under: Floats, gamma: float, of_tails: Lists, of_heads: Lists
    ) -> None:
        from fgac.kernels.search import sift

        assert self.points is not None
        labels = self.blocks.labels or (NO_LABELS, NO_LABELS)
        for first in range(part.start, part.stop, HEIGHT):
            sift(
                *screen, *self.points, first, min(first + HEIGHT, part.stop), *labels,
                over, under, gamma, *of_tails, *of_heads,
            )  # fmt: skip


NO_LABELS = np.empty(0, dtype=np.int64)
