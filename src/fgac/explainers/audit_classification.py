"""Training rows whose label other rows contradict, and the rows that contradict it.

Training gives every row u a membership ``beta_u`` in its own class, 1 unless rows of other classes stand in the way:
``beta_u + beta_v <= 1 + gamma d(u, v)``. Where such a constraint binds, u and v contradict each other, and its
multiplier says how strongly. For squared error the multipliers of a row add up to what it has lost::

    w_u (1 - beta_u) = sum over v of multiplier(u, v)

(w the weight of all rows equal to u; degrees on the scale of the isomorphism, if there is one). For absolute error they
prove the optimum all the same, but add up to ``w_u`` wherever ``beta_u < 1``, however much was lost. Where more
constraints bind than a proof needs, as between rows on a grid, some of them have no multiplier and are left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fgac._progress import steps
from fgac._tolerances import CONFLICT_DIGITS, CONFLICT_TOL
from fgac._typing import Floats, Ints, Label
from fgac.estimators._state import ClassifierState, OrdinalState
from fgac.explainers.base import named_rows
from fgac.explanation.audit import Audit, Opponent, Suspect
from fgac.explanation.audit_ordinal import BoundaryAudit, OrdinalAudit
from fgac.granular.membership import GranularModel
from fgac.query.envelope import Envelope
from fgac.tables.labels import plain_name

BY = ("membership", "rest", "held_out")


def audit_labels(state: ClassifierState, n_rows: int | None, by: str | None = None) -> Audit:
    """The training rows with the most contradicted labels, see :func:`fgac.audit`."""
    if n_rows is not None and (isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 1):
        raise ValueError(f"n_rows={n_rows!r} must be a whole number >= 1, or None for all suspects")
    doubted, conflicts = doubted_nodes(state, by, n_rows), LabelConflicts(state)
    sums = conflicts.sums[doubted.nodes]
    keys = (doubted.nodes, -np.round(sums, CONFLICT_DIGITS), -np.round(doubted.doubts, CONFLICT_DIGITS))
    order = np.lexsort(keys)[:n_rows]
    suspects = tuple(conflicts.suspect(doubted, i) for i in steps("auditing", order.tolist()))
    return Audit(suspects, len(state.records.positions))


def audit_boundaries(state: OrdinalState, n_rows: int | None, by: str | None = None) -> OrdinalAudit:
    """The audit of every boundary between ordered classes, by the name of the classes above it."""
    # A row can be on the wrong side of several boundaries, and have other opponents at each of them.
    each = [(str(boundary.classes[1]), audit_labels(boundary, n_rows, by)) for boundary in state.boundaries]
    return OrdinalAudit(tuple(BoundaryAudit(name, found) for name, found in each))


def ranking(state: ClassifierState, by: str | None) -> str:
    """By what labels are ranked: as asked for, or by the best that the model has; what it does not have is refused."""
    if by is None:
        return "held_out" if state.knows_held_out else "rest"
    if by == "held_out" and not state.knows_held_out:
        raise ValueError(
            "by='held_out' needs what models that had not seen a row say of its label, and this model does not know "
            "that; use FGAClassifierCV or FGAOrdinalClassifierCV with calibrate=True and folds that hold out every row "
            "once (max_rows=None, if gamma was chosen on a sample of many rows), or by='rest'"
        )
    return by


class DoubtedNodes(NamedTuple):
    """Contradicted nodes, the doubt of each, and what else the doubt depends on, if it does.

    That is the support of a node by its own class, and the probability of its label by models that had not seen it.
    """

    nodes: Ints
    doubts: Floats
    support: Floats | None = None
    held_out: Floats | None = None


def doubted_nodes(state: ClassifierState, by: str | None, n_rows: int | None) -> DoubtedNodes:
    """Nodes that have lost membership, and how doubtful their labels are, see :func:`fgac.explainers.audit.doubts`.

    If only ``n_rows`` are wanted, nodes that cannot be among them are left out before support is computed: what the
    rest says against a node is at least what it has lost, and at most what it says without any support.
    """
    by, model, to_user_scale = ranking(state, by), state.predictor.model, state.predictor.model.isomorphism.inverse
    nodes = np.flatnonzero(1.0 - to_user_scale(model.beta) > CONFLICT_TOL)
    lost = 1.0 - to_user_scale(model.beta[nodes])
    if by == "membership":
        return DoubtedNodes(nodes, lost)
    held_out = held_out_by_node(state) if by == "held_out" else None
    if n_rows is not None and n_rows < len(nodes):
        most = _with_held_out(1.0 - to_user_scale(0.5 * model.beta[nodes]), held_out, nodes)
        least = np.partition(_with_held_out(lost, held_out, nodes), -n_rows)[-n_rows]
        nodes = nodes[most >= least - CONFLICT_TOL]
    sizes = np.bincount(state.records.nodes, minlength=len(model.beta))
    support = _support(model, nodes, sizes)
    doubts = _with_held_out(1.0 - to_user_scale(0.5 * (model.beta[nodes] + support)), held_out, nodes)
    return DoubtedNodes(nodes, doubts, to_user_scale(support), None if held_out is None else held_out[nodes])


def held_out_by_node(state: ClassifierState) -> Floats:
    """The probability of its label by models that had not seen a row, in the mean over the rows of every node."""
    assert state.held_out is not None
    nodes, n_nodes = state.records.nodes, len(state.predictor.model.beta)
    sums = np.bincount(nodes, state.held_out[state.records.positions], n_nodes)
    return sums / np.bincount(nodes, minlength=n_nodes)


def _with_held_out(doubts: Floats, held_out: Floats | None, nodes: Ints) -> Floats:
    """The mean of doubts of nodes and of one minus their probabilities, if these count."""
    return doubts if held_out is None else 0.5 * (doubts + 1.0 - held_out[nodes])


def _support(model: GranularModel, nodes: Ints, sizes: Ints) -> Floats:
    """How much the other rows of its own class support each of some nodes, on the scale of the isomorphism.

    Rows of one node support each other (``sizes`` are the numbers of rows). No support exceeds the node's own
    membership, which could only happen where not all constraints were kept in training (``n_neighbors``) or distances
    break the triangle inequality.
    """
    support = np.zeros(len(nodes))
    owners = model.own[nodes]
    for k in np.unique(owners):
        start, stop = int(model.starts[k]), int(model.starts[k + 1])
        mine = owners == k
        envelope = Envelope(
            model.envelope.rows[start:stop], model.envelope.metric, model.envelope.gamma, model.envelope.n_jobs
        )
        # The best is the node itself, or, where something is better, the second best is not below it.
        best, _ = envelope.top(model.envelope.rows[nodes[mine]], model.beta[start:stop], 2)
        support[mine] = np.maximum(0.0, best[:, 1])
    own = model.beta[nodes]
    return np.where(sizes[nodes] > 1, own, np.minimum(support, own))


class LabelConflicts:
    """The binding constraints of a fitted classifier, seen from each of the two nodes that contradict each other.

    Constraints are sorted by the node they are seen from: those of node u are ``starts[u]:starts[u + 1]``, with the
    nodes on the other side in ``others``.
    """

    def __init__(self, state: ClassifierState) -> None:
        model, solution = state.predictor.model, state.solution
        n, to_user_scale = len(model.beta), model.isomorphism.inverse
        self.records, self.gamma, self.threshold = state.records, state.gamma, model.isomorphism.threshold
        self.target = state.target_name
        self.labels = [plain_name(label) for label in state.classes]
        self.own, self.memberships = model.own, to_user_scale(model.beta)
        active, multipliers = solution.active, solution.multipliers
        if model.n_classes != 2:  # node n + u is the second copy of node u, and each pair of copies counts half
            multipliers = 0.5 * multipliers
        u, v = active.tail % n, active.head % n
        sides, others = np.append(u, v), np.append(v, u)
        order = np.argsort(sides, kind="stable")
        self.starts = np.searchsorted(sides[order], np.arange(n + 1))
        self.others = others[order]
        self.multipliers = np.tile(multipliers, 2)[order]
        # A constraint that binds a contradicted row has a bound below 1, from which its similarity can be read.
        bounds = np.tile(active.bound, 2)[order]
        self.similarities = to_user_scale(np.maximum(0.0, 1.0 - bounds))
        self.distances = (1.0 - self.similarities if model.bends_similarity else np.minimum(1.0, bounds)) / self.gamma
        self.sums = np.bincount(sides, np.tile(multipliers, 2), n)

    def suspect(self, doubted: DoubtedNodes, i: int) -> Suspect:
        """Contradicted node number i with its opponents."""
        node = int(doubted.nodes[i])
        opponents = self._opponents(node)
        return Suspect(
            **self._row(node),
            doubt=float(doubted.doubts[i]),
            suggestion=_suggestion(opponents, self.labels),
            contradicted_by=opponents,
            support=None if doubted.support is None else float(doubted.support[i]),
            threshold=self.threshold,
            target_name=self.target,
            held_out=None if doubted.held_out is None else float(doubted.held_out[i]),
        )

    def _opponents(self, node: int) -> tuple[Opponent, ...]:
        """The nodes that contradict one, the strongest first; both copies of a pair are one contradiction."""
        part = slice(self.starts[node], self.starts[node + 1])
        nodes, first, place = np.unique(self.others[part], return_index=True, return_inverse=True)
        multipliers = np.bincount(place, self.multipliers[part], len(nodes))
        similarities, distances = self.similarities[part][first], self.distances[part][first]
        shares = multipliers / (multipliers.sum() or 1.0)
        order = np.lexsort((nodes, -similarities, -np.round(shares, CONFLICT_DIGITS)))
        return tuple(
            Opponent(
                **self._row(int(nodes[i])),
                distance=float(distances[i]),
                similarity=float(similarities[i]),
                multiplier=float(multipliers[i]),
                share=float(shares[i]),
            )
            for i in order
        )

    def _row(self, node: int) -> dict[str, Any]:
        """The fields that suspects and opponents have in common."""
        label, membership = self.labels[self.own[node]], float(self.memberships[node])
        return {**named_rows(self.records, self.records.of_node(node)), "label": label, "membership": membership}


def _suggestion(opponents: tuple[Opponent, ...], labels: list[Label]) -> Label | None:
    """The class that most of the contradiction comes from; of several, the one with the most similar row."""
    best: tuple[float, float] | None = None
    suggestion = None
    for label in labels:
        rows = [row for row in opponents if row.label == label]
        share = round(sum(row.share for row in rows), CONFLICT_DIGITS)
        rank = (share, max((row.similarity for row in rows), default=0.0))
        if rows and (best is None or rank > best):
            best, suggestion = rank, label
    return suggestion
