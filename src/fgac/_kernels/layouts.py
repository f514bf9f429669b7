"""What compiled loops and their callers share: tuples of arrays, each under its name, and numbers with a meaning.

A kernel takes a few such tuples in place of twenty arrays in a fixed order. They are made by the callers, which import
this module early: it does without numba.

All trees list the edges at their nodes in the same way (:mod:`fgac._kernels.lists`): half-edge ``2e`` sits at the tail
of edge e, ``2e + 1`` at its head; ``first[node]`` is the first half-edge at a node, or -1; ``after`` and ``before``
link those at one node both ways. A free slot for an edge has ``tail == -1``; ``spare`` is a stack of the free slots,
with its height as the last entry.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Bools, Floats, Ints

Shorts = NDArray[np.int32]
Singles = NDArray[np.float32]
Halves = NDArray[np.uint16]
Bytes = NDArray[np.uint8]

# How the pivots of a method end: every candidate holds, no values satisfy the constraints, or there were too many.
SOLVED, INFEASIBLE, EXHAUSTED = 0, 1, 2
# Why events of the gamma path are no longer processed: at the gamma asked for, out of room, or turning in a circle.
ARRIVED, FULL, CIRCLING = 0, 1, 2
# Entries of the counts of the gamma path: intervals and breakpoints recorded, events, time (events since the queue was
# built), events since gamma last fell, visited nodes.
INTERVALS, BREAKPOINTS, EVENTS, TIME, STANDING, VISITS = 0, 1, 2, 3, 4, 5
# Columns of EdgeHistory.intervals.
TAIL, HEAD, LENGTH, START, STOP = 0, 1, 2, 3, 4
# |x|^2 + |y|^2 - 2 x.y loses digits when x and y are close. Below this share of |x|^2 + |y|^2 the sum of
# squared differences is taken instead, so that no more than two digits of any distance are lost.
CANCELLATION = 1e-2
# Up to so many coordinates the sum of squared differences is taken at once: it is exact, and no slower.
DIRECT = 8
# The code of an unknown category: half a mismatch away from every other code, and none from itself. (-1 is a category
# that training did not see, a whole mismatch away from all others.)
UNKNOWN = -2
# Rows of a block, of envelopes and of tails or heads, whose numbers lie side by side: four vectors of sixteen numbers
# in single precision.
SIZE = 64
# Rows of a leaf, a quarter of a block; leaves and blocks of a node.
LEAF = 16
PER_NODE = 64
BLOCKS = LEAF * PER_NODE // SIZE
# A proof of the room of two blocks is kept in a byte; this and more does not fit.
NO_PROOF = 255


class Tree(NamedTuple):
    """The forest of the active-forest method: n nodes, and slots for n edges."""

    a: Floats  # value of every node
    y: Floats  # target
    w: Floats  # weight
    tail: Shorts  # edge e says a[tail[e]] - a[head[e]] <= bound[e]
    head: Shorts
    bound: Floats
    flow: Floats  # multiplier of every edge
    first: Shorts
    after: Shorts
    before: Shorts
    spare: Shorts
    counts: Ints  # pivots, visited nodes
    order: Shorts  # room to work: nodes of a tree, parents first
    other_order: Shorts  # the same of a second tree
    via: Shorts  # edge from a node to its parent
    below: Floats  # weight, then share of weight, of the subtree of a node


class SpanningTree(NamedTuple):
    """The tree of the network simplex method: n nodes and the ground, n ground arcs, slots for n + 1 constraints."""

    a: Floats  # potential of every node, 0 of the ground
    y: Floats  # target of every node but the ground
    tail: Shorts  # arc e says a[tail[e]] - a[head[e]] <= bound[e]
    head: Shorts
    bound: Floats
    flow: Floats
    lower: Floats  # limits of the flow
    upper: Floats
    is_basic: Bools  # whether an arc is in the tree
    parent: Shorts  # next node on the way to the ground
    via: Shorts  # arc to the parent
    depth: Shorts  # number of arcs to the ground
    first: Shorts
    after: Shorts
    before: Shorts
    spare: Shorts
    counts: Ints  # pivots, moved nodes
    order: Shorts  # room to work: nodes of a subtree, parents first


class PathTrees(NamedTuple):
    """The trees of the gamma path: n nodes whose values are lines in gamma, ``mean + gamma * slope``."""

    y: Floats  # target of every node
    w: Floats  # weight
    tail: Shorts  # edge e says a[tail[e]] - a[head[e]] <= gamma * length[e]
    head: Shorts
    length: Floats
    first: Shorts
    after: Shorts
    before: Shorts
    spare: Shorts
    interval: Ints  # line of EdgeHistory.intervals that belongs to an edge
    mean: Floats  # the line of every node
    slope: Floats
    tree: Shorts  # root of the tree of every node
    chain: Shorts  # next node of the same tree, -1 at the end
    size: Shorts  # at a root: number of nodes of its tree
    order: Shorts  # room to work: nodes of a tree, parents first
    via: Shorts  # edge to the parent
    constant: Floats  # flow to the parent, a line as well: constant + gamma * linear
    linear: Floats


class Candidates(NamedTuple):
    """Pairs that may become tight, listed at both ends: those of node z are ``start[z]:start[z + 1]``."""

    start: Ints
    owner: Shorts  # the node that lists the pair
    other: Shorts  # the other end
    length: Floats
    is_tail: Bools  # of every node: whether it is the tail of all its pairs, or the head


class EventQueue(NamedTuple):
    """The next event of every tree, kept at its root: the largest gamma at which something happens to it."""

    keys: Floats  # a tournament of these gammas: entry k is the larger one of 2k and 2k + 1
    event: Ints  # an edge that runs dry, or -2 - k for candidate k
    dry_at: Floats  # the part of it that concerns the tree alone: the gamma at which an edge runs dry
    dry: Shorts  # that edge, or -1
    searched: Ints  # when the event was searched for
    changed: Ints  # when the tree came to be


class EdgeHistory(NamedTuple):
    """What has happened: intervals of gamma in which edges were tight, and breakpoints of the lines of nodes."""

    intervals: Floats  # tail, head, length, start and stop of an edge in every line
    node: Shorts  # the node of a breakpoint
    gamma: Floats
    value: Floats


class Levels(NamedTuple):
    """How high the ends of pairs are: tail i and head j violate by ``over[i] + under[j] - gamma * distance``."""

    over: Floats  # values of the tails
    under: Floats  # values of the heads with the sign turned
    gamma: float


class WorstPairs(NamedTuple):
    """The most violated pairs of every tail, or of every head: falling lists, one per line."""

    best: Floats  # by how much they are violated
    place: Ints  # the other end of each pair


class Side(NamedTuple):
    """The tails, or the heads, of a group of pairs, sorted into L blocks of SIZE rows that lie together."""

    order: Ints  # (L * SIZE) which tail, or head; -1 where a block was filled up
    numeric: Floats  # (L * SIZE, coordinates)
    ordered: Floats  # turned so that what counts is by how much a tail is above a head
    codes: Shorts
    labels: Ints  # numbers of labels; empty if there are none
    label_of_block: Ints  # (L) the label of all rows of a block, or -1


class Boxes(NamedTuple):
    """What holds for all rows of each block, lengths multiplied by gamma."""

    highest: Floats  # (L) largest ``over`` or ``under``
    low: Floats  # (coordinates, L) smallest coordinates, those of ordered columns last
    high: Floats


class Certificates(NamedTuple):
    """What earlier searches have proved: no pair of two blocks was violated by more than ``room * unit - depth``."""

    seen: Bytes  # (blocks of tails, blocks of heads) in which search; 0 if there is no proof
    room: Bytes
    rise_of_tails: Floats  # (searches, blocks) by how much values have risen since then at most
    rise_of_heads: Floats
    unit: float
    depth: float


class Narrow(NamedTuple):
    """Tails as rows of 16 bits, heads as columns, and what the heights are that they make."""

    tails: Halves  # (L, SIZE, columns)
    heads: Halves  # (L, columns, SIZE)
    n_numbers: int
    n_ordered: int
    step: float  # a pair is violated by no more than ``height * step - depth``
    depth: float


class Factors(NamedTuple):
    """Vectors whose products are squared distances minus squared limits of them, and how far these may be off."""

    tails: Singles  # (L, SIZE, columns)
    heads: Singles  # (L, columns, SIZE)
    limits: Singles  # (L, SIZE) of tails
    reaches: Singles  # (L, SIZE) the tails' part of the distance at which a pair is at the floor


class Leaves(NamedTuple):
    """Rows sorted into B blocks of SIZE rows that lie together, as vectors in single precision, and boxes around them.

    A block holds the rows of a few leaves, and ``BLOCKS`` blocks in turn are a node: N nodes.
    """

    order: Ints  # (B, SIZE) row numbers
    vectors: Singles  # (B, coordinates, SIZE)
    mismatch: Singles  # steps between different codes of a column, squared if Euclidean
    low: Singles  # (N, coordinates, PER_NODE) smallest coordinates in each leaf
    high: Singles  # the largest ones
    node_low: Singles  # (1, coordinates, N) smallest coordinates in each node
    node_high: Singles  # the largest ones


class LeafValues(NamedTuple):
    """The values of the rows in Leaves, for every query, raised by what rounding may take off them.

    They are minus infinity where a row is left out, and where a block was filled up.
    """

    values: Singles  # (queries, B, SIZE)
    maxima: Singles  # (queries, N, PER_NODE) the largest of each leaf
    node_maxima: Singles  # (queries, N) the largest of each node
    slack: Singles  # (B,) by how much values were raised in a block at most


class LeafPoints(NamedTuple):
    """Points at which the leaves are searched, in single and in double precision."""

    vectors: Singles
    slack: Singles  # more than the rounding of all that is compared at a point, but for what values were raised by
    numeric: Floats
    codes: Shorts


class ExactRows(NamedTuple):
    """The rows themselves, in double precision."""

    numeric: Floats
    codes: Shorts
    mismatch: Floats
    values: Floats  # (queries, rows)


class BoxRoom(NamedTuple):
    """Room to work for a search by boxes."""

    near: Singles  # (points, N) steps to the box of each node
    floors: Singles  # (points, segments) what bounds have to reach, their slack taken off
    box: Singles  # (PER_NODE,) steps to the boxes of leaves
    steps: Singles  # (SIZE,) steps to rows
    active: Ints  # (segments,) those that a node may matter to
    listed: Ints  # (BLOCKS,) blocks of a node that may matter
    reached: Bools  # (BLOCKS,) whether each does
