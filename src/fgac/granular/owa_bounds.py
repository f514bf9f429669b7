"""Bounds of memberships by ordered weighted averages in place of the extreme values.

For a class k with memberships A_k of all training rows::

    lower_k(x) = soft maximum over all u of  T(R(x, u), A_k(u))
    upper_k(x) = soft minimum over all u of  I(R(u, x), A_k(u))

Every training row counts, as often as its weight says; with all weight on the extreme value these are the
bounds of :mod:`fgac.granular.membership`.

The relation need not be symmetric. Where columns are ordered, R(x, u) falls by as much as x is below u: what is at
least as good as a row of the higher class is of that class. For the lower class, which is the complement of the higher
one, the relation is inverted. So a better x raises every T and every I of the higher class, and with them both
averages: predictions are monotone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.fuzzy.connectives import Isomorphism
from fgac.fuzzy.owa import cumulative_owa, soft_max_of_repeated
from fgac.granular.membership import Memberships
from fgac.metrics.distances import Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, rows_per_block, spans
from fgac.query.envelope import Envelope


@dataclass(frozen=True)
class OwaBounds:
    """Soft bounds on all training nodes.

    Attributes
    ----------
    envelope : Envelope
        The nodes, their metric and gamma.
    degrees : (K, n) array
        Membership of every node in every class, on the scale of the isomorphism.
    multiplicity : (n,) array
        How often each node counts.
    owa : str, array or callable, or a pair of one of these and k
        The weights, or only the first k of them; see :mod:`fgac.fuzzy.owa`.
    isomorphism : Isomorphism
        Degrees are averaged on the user's scale, so they are taken back to it first.
    """

    envelope: Envelope
    degrees: Floats
    multiplicity: Floats
    owa: Any
    isomorphism: Isomorphism

    def cumulative(self) -> Callable[[Floats], Floats]:
        """The sum of the first r weights as a function of r."""
        family, k = self.owa if isinstance(self.owa, tuple) else (self.owa, None)
        return cumulative_owa(family, float(self.multiplicity.sum()), k)

    def sides(self) -> tuple[Rows, ...]:
        """The nodes as they are; where columns are ordered, as rows see them that are to be of each of two classes.

        As those of the first class, the lower one, they count by how much a row is above them, as those of the second
        by how much it is below them.
        """
        nodes = self.envelope.rows
        return (nodes,) if nodes.ordered is None else (nodes.oriented(1.0), nodes.oriented(-1.0))

    def _steps(self, points: Rows, nodes: Rows) -> Floats:
        """What the distances from points to nodes take off a degree."""
        steps = np.empty((len(points), len(nodes)))
        self.envelope.metric.block(points, nodes, steps)
        steps *= self.envelope.gamma
        return steps

    def memberships(self, points: Rows) -> Memberships:
        """Bounds and degrees of every query in every class, on the user's scale."""
        n, n_classes = len(self.multiplicity), len(self.degrees)
        cumulative = self.cumulative()
        lower, upper = np.empty((len(points), n_classes)), np.empty((len(points), n_classes))
        phi = self.isomorphism

        def task(span: slice) -> None:
            # On the scale of the isomorphism T is max(0, A + R - 1) and I is min(1, A + 1 - R), with 1 - R = steps.
            steps = [self._steps(points[span], nodes) for nodes in self.sides()]
            for k, degree in enumerate(self.degrees):
                forth, back = steps[k % len(steps)], steps[k % len(steps) - 1]
                both = phi.inverse(np.maximum(0.0, degree - forth))
                lower[span, k] = soft_max_of_repeated(both, self.multiplicity, cumulative)
                implied = phi.inverse(np.minimum(1.0, degree + back))
                # A soft minimum is the soft maximum of the negated values.
                upper[span, k] = -soft_max_of_repeated(-implied, self.multiplicity, cumulative)

        with one_blas_thread():
            blocks = spans(len(points), rows_per_block(n))
            in_threads(task, blocks, self.envelope.n_jobs, len(points) * n)
        return Memberships(lower, upper, phi.average(lower, upper)).in_order()
