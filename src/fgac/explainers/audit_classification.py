"""Training rows whose label the rest of the data contradicts, and the rows that contradict it.

Training gives every row u a membership ``beta_u`` in its own class, 1 unless rows of other classes stand in the way:
``beta_u + beta_v <= 1 + gamma d(u, v)``. Where such a constraint binds, u and v contradict each other, and its
multiplier says how strongly. For squared error the multipliers of a row add up to what it has lost::

    w_u (1 - beta_u) = sum over v of multiplier(u, v)

(w the weight of all rows equal to u; degrees on the scale of the isomorphism, if there is one). For absolute error they
prove the optimum all the same, but add up to ``w_u`` wherever ``beta_u < 1``, however much was lost. Where more
constraints bind than a proof needs, as between rows on a grid, some of them have no multiplier and are not told.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fgac._tolerances import CONFLICT_DIGITS, CONFLICT_TOL
from fgac._typing import Floats, Ints, Label
from fgac.estimators.classifier import FGAClassifier
from fgac.explanation.audit import Audit, Opponent, Suspect
from fgac.granular.membership import GranularModel
from fgac.query.envelope import Envelope
from fgac.tables.labels import plain_name
from fgac.tables.validation import check_option

BY = ("membership", "rest")


def audit_labels(clf: FGAClassifier, n_rows: int | None, by: str) -> Audit:
    """The training rows with the most contradicted labels, see :func:`fgac.audit`."""
    if n_rows is not None and (isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 1):
        raise ValueError(f"n_rows={n_rows!r} must be a whole number >= 1, or None for all suspects")
    nodes, doubt, support = _ranked_by(clf._state.predictor.model, _node_sizes(clf), by, n_rows)
    conflicts = _Conflicts(clf)
    order = np.lexsort((nodes, -np.round(conflicts.sums[nodes], CONFLICT_DIGITS), -np.round(doubt, CONFLICT_DIGITS)))[
        :n_rows
    ]
    items = [
        conflicts.suspect(int(nodes[i]), float(doubt[i]), None if support is None else float(support[i])) for i in order
    ]
    return Audit(tuple(items), len(clf._state.records.positions))


def doubts(clf: FGAClassifier, *, by: str = "membership") -> Floats:
    """How doubtful the label of every training row is, between 0 and 1; 0 if nothing contradicts it.

    By "membership" it is ``1 - beta_``: what the rows of other classes take away from the label. By "rest" it is one
    minus the degree that the model would give to the label if the row itself had no say: the mean of what the rows
    of other classes leave (its membership) and of what the other rows of its own class support, the largest
    ``max(0, beta_v - gamma d(u, v))``, but no more than its membership. Equal rows support each other; a row of
    weight 2 is still one row. A row among strangers is then more doubtful than one on a border that others of its
    class share. This finds wrong labels better, and costs about as much as predicting the rows that are contradicted.

    Parameters
    ----------
    clf : FGAClassifier
        A fitted one.
    by : {"membership", "rest"}, default="membership"

    Returns
    -------
    array of shape (n_samples,)
        In the order of the rows given to fit; nan for rows of weight 0.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> from fgac.explainers.audit_classification import doubts
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.9], [1.0]]
    >>> clf = FGAClassifier(gamma=2.0).fit(X, ["low", "low", "high", "low", "high", "high"])
    >>> doubts(clf).round(3)
    array([0.05, 0.25, 0.55, 0.25, 0.  , 0.  ])
    >>> doubts(clf, by="rest").round(3)
    array([0.25 , 0.25 , 0.775, 0.45 , 0.   , 0.   ])
    """
    _check(clf, by)
    model, records = clf._state.predictor.model, clf._state.records
    nodes, doubt, _ = _ranked_by(model, _node_sizes(clf), by, None)
    per_node = np.zeros(len(model.beta))
    per_node[nodes] = doubt
    per_row = np.full(len(clf.beta_), np.nan)
    per_row[records.positions] = per_node[records.nodes]
    return per_row


def _check(clf: Any, by: Any) -> None:
    if not isinstance(clf, FGAClassifier):
        raise TypeError(
            f"an audit reads a fitted FGAClassifier, got {type(clf).__name__}; of a pipeline or search, give its last "
            "step or best_estimator_, of an FGAOrdinalClassifier one of its boundaries_. A regressor has "
            "contradictions()"
        )
    check_is_fitted(clf)
    check_option("by", by, BY)


def _node_sizes(clf: FGAClassifier) -> Ints:
    """How many training rows each node stands for."""
    return np.bincount(clf._state.records.nodes, minlength=len(clf._state.predictor.model.beta))


def _ranked_by(model: GranularModel, sizes: Ints, by: str, n_rows: int | None) -> tuple[Ints, Floats, Floats | None]:
    """Contradicted nodes, their doubts, and their support if that was asked for.

    If only ``n_rows`` are wanted, nodes that cannot be among them are left out before support is computed: by "rest"
    the doubt of a node is at least that by membership, and at most what it is without any support.
    """
    told = model.isomorphism.inverse
    nodes = np.flatnonzero(1.0 - told(model.beta) > CONFLICT_TOL)
    doubt = 1.0 - told(model.beta[nodes])
    if by == "membership":
        return nodes, doubt, None
    if n_rows is not None and n_rows < len(nodes):
        least = np.partition(doubt, -n_rows)[-n_rows]
        nodes = nodes[1.0 - told(0.5 * model.beta[nodes]) >= least - CONFLICT_TOL]
    support = _support(model, nodes, sizes)
    return nodes, 1.0 - told(0.5 * (model.beta[nodes] + support)), told(support)


def _support(model: GranularModel, nodes: Ints, sizes: Ints) -> Floats:
    """How much the other rows of its own class vouch for each of some nodes, on the scale of the isomorphism.

    Rows of one node vouch for each other. Nothing is vouched for beyond its own membership, which could only happen
    where not all constraints were kept in training (``n_neighbors``) or distances break the triangle inequality.
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


class _Conflicts:
    """The binding constraints of a fitted model, seen from each of the two nodes that contradict each other."""

    def __init__(self, clf: FGAClassifier) -> None:
        model, told = clf._state.predictor.model, clf._state.predictor.model.isomorphism.inverse
        n = len(model.beta)
        self.records, self.gamma = clf._state.records, model.gamma
        self.labels = [plain_name(label) for label in clf.classes_]
        self.own, self.memberships = model.own, told(model.beta)
        active, multipliers = clf.solution_.active, clf.solution_.multipliers
        if model.n_classes != 2:  # node n + u is the second copy of node u, and each pair of copies counts half
            multipliers = 0.5 * multipliers
        u, v = active.tail % n, active.head % n
        sides, others = np.append(u, v), np.append(v, u)
        order = np.argsort(sides, kind="stable")
        self.starts = np.searchsorted(sides[order], np.arange(n + 1))
        self.others = others[order]
        self.multipliers = np.tile(multipliers, 2)[order]
        # A constraint that binds a contradicted row has a bound below 1, from which its similarity can be read.
        self.similarities = told(np.maximum(0.0, 1.0 - np.tile(active.bound, 2)[order]))
        self.sums = np.bincount(sides, np.tile(multipliers, 2), n)

    def suspect(self, node: int, doubt: float, support: float | None) -> Suspect:
        """Tell of one node."""
        opponents = self._opponents(node)
        return Suspect(
            **self._row(node),
            doubt=doubt,
            suggestion=_suggestion(opponents, self.labels),
            contradicted_by=opponents,
            support=support,
        )

    def _opponents(self, node: int) -> tuple[Opponent, ...]:
        """The nodes that contradict one, the strongest first; both copies of a pair are one contradiction."""
        part = slice(self.starts[node], self.starts[node + 1])
        nodes, first, place = np.unique(self.others[part], return_index=True, return_inverse=True)
        multipliers = np.bincount(place, self.multipliers[part], len(nodes))
        similarities = self.similarities[part][first]
        shares = multipliers / (multipliers.sum() or 1.0)
        order = np.lexsort((nodes, -similarities, -np.round(shares, CONFLICT_DIGITS)))
        return tuple(
            Opponent(
                **self._row(int(nodes[i])),
                distance=float(1.0 - similarities[i]) / self.gamma,
                similarity=float(similarities[i]),
                multiplier=float(multipliers[i]),
                share=float(shares[i]),
            )
            for i in order
        )

    def _row(self, node: int) -> dict[str, Any]:
        """What is told of every row, suspect or opponent: the first of its node, and the others."""
        first, *others = self.records.of_node(node)
        return {
            "index": int(self.records.positions[first]),
            "id": plain_name(self.records.ids[first]),
            "label": self.labels[self.own[node]],
            "membership": float(self.memberships[node]),
            "alike": tuple(plain_name(self.records.ids[row]) for row in others),
        }


def _suggestion(opponents: tuple[Opponent, ...], labels: list[Label]) -> Label | None:
    """The class that most of the contradiction comes from; of several, the one with the most similar row."""
    best: tuple[float, float] | None = None
    suggestion = None
    for label in labels:
        rows = [row for row in opponents if row.label == label]
        rank = (
            round(sum(row.share for row in rows), CONFLICT_DIGITS),
            max((row.similarity for row in rows), default=0.0),
        )
        if rows and (best is None or rank > best):
            best, suggestion = rank, label
    return suggestion
