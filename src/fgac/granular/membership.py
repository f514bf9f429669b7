"""Prediction: bounds of a new row's membership in every class, the training rows behind them, and ties.

For a class k, rows of k *support* and rows of other classes *oppose* that x belongs to k::

    support_k(x)    = max over u in k      of  beta_u       - gamma d(x, u)
    opposition_k(x) = max over u not in k  of  1 - A_k(u)   - gamma d(x, u)

where ``A_k(u) = max(0, support_k(u))`` is the membership in k of a training row of another class
(the paper's adjacent granules). The bounds are ``lower = max(0, support)`` and
``upper = 1 - max(0, opposition)``, the degree is their mean. They do not cross if training kept all constraints and
distances obey the triangle inequality. Where either fails (``n_neighbors``, distances of the user's own) rows for and
against can contradict each other; what then follows from each side alone is the interval between the two numbers, and
these change places (:meth:`Memberships.in_order`).

Of several classes with the largest degree, the one with the largest *support* wins: not cut off at 0, it still tells
near from far where no row is similar. If support ties too, the order of :func:`class_tie_order` decides. Neither reads
the names of the classes, so that other names make no other predictions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from fgac._renamed import warn_renamed
from fgac._tolerances import CLEAR_LEAD, STRENGTH_TOL, TIE_NUDGE, TIE_ORDER_DIGITS, TIE_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.fuzzy.connectives import IDENTITY, Isomorphism
from fgac.granular.dissimilarity import Dissimilarity
from fgac.granular.nodes import Nodes
from fgac.metrics.distances import Rows
from fgac.query.envelope import Envelope, Query


class Memberships(NamedTuple):
    """Bounds and degree of membership of every row in every class, arrays of shape (rows, classes)."""

    lower: Floats
    upper: Floats
    degree: Floats

    def resembles_nothing(self) -> Bools:
        """Which rows resemble no training row, so that every class may be theirs: bounds 0 and 1 everywhere.

        >>> lower, upper = np.array([[0.0, 0.0], [0.5, 0.0]]), np.array([[1.0, 1.0], [1.0, 0.5]])
        >>> Memberships(lower, upper, 0.5 * lower + 0.5 * upper).resembles_nothing()
        array([ True, False])
        """
        return (self.lower.max(axis=1) <= STRENGTH_TOL) & (self.upper.min(axis=1) >= 1.0 - STRENGTH_TOL)

    def strongest(self) -> Floats:
        """The strength of the strongest argument for any class: the largest lower bound of every row.

        >>> lower, upper = np.array([[0.0, 0.0], [0.5, 0.0]]), np.array([[1.0, 1.0], [1.0, 0.5]])
        >>> Memberships(lower, upper, 0.5 * lower + 0.5 * upper).strongest()
        array([0. , 0.5])
        """
        strongest: Floats = self.lower.max(axis=1)
        return strongest

    def in_order(self) -> Memberships:
        """The same with bounds that have crossed, by rounding or because rows contradict each other, exchanged.

        "At least 0.4" and "at most 0.3" cannot both hold, but each implies what remains: at least 0.3, at most 0.4.

        >>> Memberships(np.array([[0.4]]), np.array([[0.3]]), np.array([[0.35]])).in_order().upper
        array([[0.4]])
        """
        return Memberships(np.minimum(self.lower, self.upper), np.maximum(self.lower, self.upper), self.degree)


class ArgumentTable(NamedTuple):
    """The strongest arguments of one side, arrays of shape (rows, classes, arguments), strongest first.

    ``indices`` are positions of training rows (-1 where there is none), ``similarities`` to them
    ``max(0, 1 - gamma d)`` (for isomorphisms see :mod:`fgac.granular.dissimilarity`), ``memberships`` their membership
    in their own class, ``strengths`` what the argument contributes: the strongest for a class is its lower bound, the
    strongest against it is one minus its upper bound. A row of strength 0 is the nearest there is, but no argument.
    ``degrees`` say how much the row is in the class (arguments for) or is not (against), so that every argument can be
    checked: ``strengths = max(0, similarities + degrees - 1)`` (or what the isomorphism makes of this t-norm). With two
    classes they are the memberships.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> table = clf.arguments([[0.75, 5.25]], n_arguments=2).arguments_for
    >>> clf.classes_
    array(['high', 'low'], dtype='<U4')
    >>> table.indices[0]
    array([[ 2,  1],
           [ 0, -1]])
    >>> table.strengths[0].round(2)
    array([[0.26, 0.21],
           [0.  , 0.  ]])
    """

    indices: Ints
    similarities: Floats
    memberships: Floats
    strengths: Floats
    degrees: Floats


class Arguments(NamedTuple):
    """Training rows that speak for and against the membership of every row in every class.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> arguments = clf.arguments([[0.75, 5.25]], n_arguments=1)
    >>> arguments.arguments_for.strengths[0, :, 0].round(2)
    array([0.26, 0.  ])
    >>> 1 - arguments.arguments_against.strengths[0, :, 0].round(2)
    array([1.  , 0.74])
    """

    arguments_for: ArgumentTable
    arguments_against: ArgumentTable

    @property
    def favour(self) -> ArgumentTable:
        """The old name of ``arguments_for``."""
        warn_renamed("favour")
        return self.arguments_for

    @property
    def against(self) -> ArgumentTable:
        """The old name of ``arguments_against``."""
        warn_renamed("against")
        return self.arguments_against


@dataclass(frozen=True)
class GranularModel:
    """What prediction needs: the envelope on the training nodes, their memberships, and how they oppose.

    Attributes
    ----------
    envelope : Envelope
        On the nodes, sorted by class.
    beta : (n,) array
        Membership of every node in its own class.
    starts : (K + 1,) array
        The nodes of class k are ``starts[k]:starts[k + 1]``.
    opposition : (K, n) array
        ``1 - A_k(u)``, minus infinity for u in k; empty with two classes, where the other class's beta is it.
    tie_order : (K,) array
        Which class wins when nothing else tells two apart; it does not depend on their names.
    isomorphism : Isomorphism
        Everything above is on its scale; what the user gets is taken back by its inverse.
    """

    envelope: Envelope
    beta: Floats
    starts: Ints
    opposition: Floats
    tie_order: Ints
    isomorphism: Isomorphism = IDENTITY

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.starts) - 1

    def support(self, points: Rows) -> Floats:
        """Unclipped support of every class, an array of shape (points, K)."""
        return self._heights(points, [Query(self.beta, self.starts)])

    def _heights(self, points: Rows, queries: list[Query], within: float = np.inf) -> Floats:
        # Two classes make one query, which may leave out support far below the largest; more make one query per class.
        if self.n_classes == 2:
            return self.envelope.maxima(points, queries, within=within)[0]
        return self.envelope.heights(points, queries)

    def memberships(self, points: Rows, *, within: float = np.inf) -> tuple[Memberships, Floats]:
        """Bounds and degrees, and the unclipped support they come from.

        Support that is more than ``within`` below the largest may come out lower.
        """
        queries = [Query(self.beta, self.starts), *(self.envelope.query(o) for o in self.opposition)]
        best = self._heights(points, queries, within)
        support = best[:, : self.n_classes]
        # The support of one of two classes is the opposition to the other.
        against = support[:, ::-1] if self.n_classes == 2 else best[:, self.n_classes :]
        lower = np.maximum(0.0, support)
        upper = 1.0 - np.maximum(0.0, against)
        degree = 0.5 * (lower + upper)
        return Memberships(*map(self.to_user_scale, (lower, upper, degree))).in_order(), support

    def to_user_scale(self, degrees: Floats) -> Floats:
        """Degrees on the user's scale."""
        return degrees if self.isomorphism == IDENTITY else self.isomorphism.inverse(degrees)

    def degrees(self) -> Floats:
        """Membership of every node in every class, an array of shape (K, n), on the scale of the isomorphism."""
        others = 1.0 - (self.opposition if self.n_classes != 2 else self.beta)
        return np.where(self.own == np.arange(self.n_classes)[:, None], self.beta, others)

    def break_ties(self, degrees: Floats, ties: str, support: Callable[[Ints], Floats]) -> Floats:
        """Degrees in which ties have been broken, by the rule "nearest" or "first".

        ``support`` gives the unclipped support of rows by their numbers; it is asked about tied rows only.
        """
        tied = tied_classes(degrees)
        rows = rows_with_ties(tied)
        if not len(rows):
            return degrees
        first = ties == "first"
        winners = np.argmax(tied[rows], axis=1) if first else nearest_class(tied[rows], support(rows), self.tie_order)
        return nudge_winners(degrees, rows, winners)

    def winners(self, points: Rows, ties: str) -> Ints:
        """Number of the class of every point, ties broken.

        With two classes the support of the loser, if it is more than ``CLEAR_LEAD`` below that of the winner, need not
        be known, because nothing changes if it is lower still. Let s be the larger and t the smaller support, so that
        degrees differ by ``max(0, s) - max(0, t)``. If ``t >= 0``, this is ``s - t > CLEAR_LEAD``, no tie, and only
        grows as t falls. If ``t < 0``, degrees do not depend on t; where they tie, the rule "nearest" compares s and t,
        no tie either, and the rule "first" looks at neither. So rows that can never decide, as those with
        ``beta < 1/2``, need not be looked at, and no label depends on them.
        """
        simple = self.n_classes == 2 and self.isomorphism == IDENTITY
        memberships, support = self.memberships(points, within=CLEAR_LEAD if simple else np.inf)
        return np.argmax(self.break_ties(memberships.degree, ties, lambda tied: support[tied]), axis=1)

    def arguments(self, points: Rows, k: int, first: Ints) -> Arguments:
        """The ``k`` strongest arguments on both sides; ``first`` maps nodes to training rows."""
        tables_for, tables_against = [], []
        for c in range(self.n_classes):
            tables_for.append(self._strongest(points, np.where(self.own == c, self.beta, -np.inf), k, first))
            tables_against.append(self._strongest(points, self.against(c), k, first))
        return Arguments(_stack(tables_for), _stack(tables_against))

    @property
    def gamma(self) -> float:
        """The gamma it was fitted with."""
        metric = self.envelope.metric
        return float(metric.gamma if isinstance(metric, Dissimilarity) else self.envelope.gamma)

    @property
    def bends_similarity(self) -> bool:
        """Whether similarity is ``max(0, 1 - gamma d)`` on the user's scale, and the isomorphism bends it."""
        return isinstance(self.envelope.metric, Dissimilarity)

    @property
    def own(self) -> Ints:
        """Class of every node."""
        return np.repeat(np.arange(self.n_classes), np.diff(self.starts))

    def against(self, c: int) -> Floats:
        """How much every node is not in class c; minus infinity for the nodes of c, which cannot decide."""
        return np.where(self.own == c, -np.inf, self.beta) if self.n_classes == 2 else self.opposition[c]

    def _strongest(self, points: Rows, values: Floats, k: int, first: Ints) -> ArgumentTable:
        best, node = self.envelope.top(points, values, k)
        there = node >= 0  # there may be fewer than k nodes
        node = np.where(there, node, 0)
        steps = np.where(there, values[node], np.inf) - np.where(there, best, 0.0)
        return ArgumentTable(
            indices=np.where(there, first[node], -1),
            similarities=self.to_user_scale(np.maximum(0.0, 1.0 - steps)),
            memberships=self.to_user_scale(np.where(there, self.beta[node], 0.0)),
            strengths=self.to_user_scale(np.maximum(0.0, np.where(there, best, 0.0))),
            degrees=self.to_user_scale(np.where(there, values[node], 0.0)),
        )


def _stack(tables: list[ArgumentTable]) -> ArgumentTable:
    return ArgumentTable(*(np.stack(parts, axis=1) for parts in zip(*tables, strict=True)))


def granular_model(
    envelope: Envelope, beta: Floats, nodes: Nodes, *, coordinates: bool, isomorphism: Isomorphism = IDENTITY
) -> GranularModel:
    """Build the model; with three classes or more this compares all training nodes once.

    ``coordinates`` says that rows have coordinates of their own, not only distances.
    """
    own, n_classes = nodes.classes, len(nodes.starts) - 1
    tie_order = class_tie_order(nodes, beta, coordinates=coordinates)
    model = GranularModel(envelope, beta, nodes.starts, np.empty((0, 0)), tie_order, isomorphism)
    if n_classes == 2:
        return model
    opposition = 1.0 - np.maximum(0.0, model.support(envelope.rows).T)
    # Rows of a class cannot oppose it, however little they belong to it.
    opposition[own, np.arange(len(own))] = -np.inf
    return replace(model, opposition=np.ascontiguousarray(opposition))


def tied_classes(degree: Floats) -> Bools:
    """Which classes of each row have its largest degree."""
    return degree >= degree.max(axis=1, keepdims=True) - TIE_TOL


def rows_with_ties(tied: Bools) -> Ints:
    """Rows in which more than one class has the largest degree."""
    return np.flatnonzero(tied.sum(axis=1) > 1)


def nearest_class(tied: Bools, support: Floats, tie_order: Ints) -> Ints:
    """Among tied classes, the one with the largest unclipped support; if that ties too, the first in their order.

    >>> tied = np.array([[True, True], [True, True]])
    >>> nearest_class(tied, np.array([[-3.0, -7.0], [-2.0, -2.0]]), tie_order=np.array([1, 0]))
    array([0, 1])
    """
    support = np.where(tied, support, -np.inf)
    best = support >= support.max(axis=1, keepdims=True) - TIE_TOL
    return np.argmin(np.where(best & tied, tie_order, len(tie_order)), axis=1)


def nudge_winners(degree: Floats, rows: Ints, winners: Ints) -> Floats:
    """Degrees in which these classes of these rows stand just above all others, so that the argmax is the winner.

    >>> nudged = nudge_winners(np.array([[0.5, 0.5], [0.2, 0.8]]), rows=np.array([0]), winners=np.array([1]))
    >>> np.argmax(nudged, axis=1), nudged.round(6)
    (array([1, 1]), array([[0.5, 0.5],
           [0.2, 0.8]]))
    """
    scores = degree.copy()
    scores[rows, winners] = degree[rows].max(axis=1) + TIE_NUDGE
    return scores


def class_tie_order(nodes: Nodes, beta: Floats, *, coordinates: bool) -> Ints:
    """The place of every class in an order by weight, then by summed membership, then by their rows.

    A last resort for points that are exactly as close to one class as to another. It uses neither the
    names of the classes nor the order of the rows; two classes tie only if they consist of the same rows.
    """
    n_classes = len(nodes.starts) - 1
    weights = nodes.weights / nodes.weights.sum()
    sums = np.stack([np.bincount(nodes.classes, column, n_classes) for column in (weights, weights * beta)])
    keys = [tuple(key) for key in -np.round(sums.T, TIE_ORDER_DIGITS)]

    def rows_of(k: int) -> tuple[float, ...]:
        # Rows are looked at only where weights and memberships leave two classes equal, as in symmetric data.
        if not coordinates or keys.count(keys[k]) == 1:
            return ()
        part = nodes.of_class(k)
        rows = nodes.rows[part].without_direction()
        return tuple(np.round(np.column_stack([rows.numeric, rows.codes, weights[part]]), TIE_ORDER_DIGITS).ravel())

    tie_order = np.empty(n_classes, dtype=np.int64)
    tie_order[sorted(range(n_classes), key=lambda k: (keys[k], rows_of(k)))] = np.arange(n_classes)
    return tie_order
