"""Classes of new rows: bounds and degrees from one model, ordered weighted averages or not, ties broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac.fuzzy.connectives import IDENTITY, Isomorphism
from fgac.granular.dissimilarity import bent_metric
from fgac.granular.membership import GranularModel, Memberships, granular_model
from fgac.granular.nodes import Nodes
from fgac.granular.owa_bounds import OwaBounds
from fgac.metrics.distances import Metric, Rows
from fgac.query.envelope import Envelope


@dataclass(frozen=True)
class ClassPredictor:
    """Predicts classes of rows that have been read.

    Attributes
    ----------
    model : GranularModel
        Bounds by the strongest argument on each side, and how ties are broken.
    owa_bounds : OwaBounds or None
        Bounds by ordered weighted averages over all training rows, where these replace the strongest arguments.
    ties : {"nearest", "first"}
        Who wins when two classes have the same degree.
    """

    model: GranularModel
    owa_bounds: OwaBounds | None
    ties: str

    def memberships(self, rows: Rows) -> Memberships:
        """Bounds and degrees of every row in every class."""
        return self.model.memberships(rows)[0] if self.owa_bounds is None else self.owa_bounds.memberships(rows)

    def memberships_and_scores(self, rows: Rows) -> tuple[Memberships, Floats]:
        """Memberships, and the degrees in which ties have been broken: their largest entry is the prediction."""
        if self.owa_bounds is None:
            memberships, support = self.model.memberships(rows)
            return memberships, self.model.break_ties(memberships.degree, self.ties, lambda tied: support[tied])
        memberships = self.owa_bounds.memberships(rows)
        # Averages do not say which class is nearer, so the few rows that tie are asked about again.
        ask = self.model.support
        return memberships, self.model.break_ties(memberships.degree, self.ties, lambda tied: ask(rows[tied]))

    def winners(self, rows: Rows) -> Ints:
        """Number of the predicted class of every row."""
        if self.owa_bounds is None:
            return self.model.winners(rows, self.ties)
        return np.argmax(self.memberships_and_scores(rows)[1], axis=1)


def class_predictor(
    nodes: Nodes,
    beta: Floats,
    rows: Rows,
    metric: Metric,
    gamma: float,
    *,
    coordinates: bool,
    multiplicity: Floats,
    isomorphism: Isomorphism = IDENTITY,
    owa: Any = None,
    ties: str = "nearest",
    n_jobs: int | None = None,
) -> ClassPredictor:
    """Build what prediction needs from the memberships of the training nodes.

    Parameters
    ----------
    nodes : Nodes
        The training nodes, sorted by class.
    beta : array of shape (n_nodes,)
        Their memberships in their own classes, on the scale of the isomorphism.
    rows, metric : Rows, Metric
        The nodes as the metric knows them; where distances have been computed before, these, with Precomputed.
    gamma : float
    coordinates : bool
        Whether the nodes have coordinates of their own, not only distances.
    multiplicity : array of shape (n_nodes,)
        How many rows each node stands for, which ordered weighted averages count.
    isomorphism, owa, ties, n_jobs
        See :class:`fgac.FGAClassifier`.
    """
    bent, factor = bent_metric(metric, gamma, isomorphism)
    envelope = Envelope(rows, bent, factor, n_jobs)
    model = granular_model(envelope, beta, nodes, coordinates=coordinates, isomorphism=isomorphism)
    if owa is None:
        return ClassPredictor(model, None, ties)
    return ClassPredictor(model, OwaBounds(envelope, model.degrees(), multiplicity, owa, isomorphism), ties)
