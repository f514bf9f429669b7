"""How much the granular approximation changes, and how much work is saved, if only near rows are constrained.

The paper's Section 5: on a whole data set, scaled as published, the granular approximation with all constraints
(``nn = 1``) is compared with those on a fraction nn of nearest rows.

The study of ``nn``: what is lost and what is saved by using a part of the constraints, averaged over data sets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from fgac._typing import Floats
from fgac.experiments.datasets.files import DataSet
from fgac.experiments.methods.approximate import Training
from fgac.experiments.methods.protocol import scaled

# Differences of memberships below this cannot be seen in a figure.
VISIBLE = 0.0005
# What a line of the study may tell besides the difference, as a share of what all constraints take.
MEASURES = ("difference", "constraints", "seconds")


class Point(NamedTuple):
    """One mean over data sets.

    ``difference`` is the mean absolute difference of the memberships to those with all constraints; ``constraints`` and
    ``seconds`` are shares of what all constraints take, NaN where that is not known.
    """

    nn: float
    difference: float
    constraints: float
    seconds: float


class Panel(NamedTuple):
    """A loss and a relation: one row of the paper's figure."""

    loss: str
    relation: str

    @property
    def title(self) -> str:
        """How a figure calls it.

        >>> Panel("mae", "euclidean").title
        'MAE, Euclidean'
        """
        return f"{self.loss.upper()}, {'Euclidean' if self.relation == 'euclidean' else 'supremum'}"


PANELS = tuple(Panel(loss, relation) for loss in ("mae", "mse") for relation in ("supremum", "euclidean"))
Curves = dict[Panel, dict[float, list[Point]]]


@dataclass(frozen=True)
class Study:
    """For every panel and gamma the points from the largest nn to the smallest."""

    curves: Curves
    datasets: tuple[str, ...]

    def at(self, nn: float, measure: str) -> list[float]:
        """One measure at one nn, over all panels and gammas."""
        points = [point for gammas in self.curves.values() for curve in gammas.values() for point in curve]
        return [getattr(point, measure) for point in points if point.nn == nn]

    @property
    def smallest(self) -> float:
        """The smallest nn of the study."""
        return min(point.nn for gammas in self.curves.values() for curve in gammas.values() for point in curve)


def study_of(records: Iterable[dict[str, Any]]) -> Study | None:
    """Average the lines of a study over data sets; None if there are none."""
    latest = {tuple(record[name] for name in KEY): record for record in records}
    if not latest:
        return None
    groups: dict[tuple[Panel, float, float], list[dict[str, Any]]] = defaultdict(list)
    for record in latest.values():
        panel = Panel(record["loss"], record["relation"])
        groups[panel, float(record["gamma"]), float(record["nn"])].append(record)
    curves: Curves = {panel: defaultdict(list) for panel in PANELS if any(panel == key[0] for key in groups)}
    for (panel, gamma, nn), found in sorted(groups.items(), key=lambda item: (item[0][1], -item[0][2])):
        curves[panel][gamma].append(Point(nn, *(_mean(found, measure) for measure in MEASURES)))
    return Study(curves, tuple(sorted({record["dataset"] for record in latest.values()})))


KEY = ("dataset", "loss", "relation", "gamma", "nn")


def _mean(records: list[dict[str, Any]], measure: str) -> float:
    values = [_value(record, measure) for record in records]
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else float("nan")


def _value(record: dict[str, Any], measure: str) -> float | None:
    if measure == "difference":
        return float(record[measure])
    part, whole = record.get(measure), record.get(f"{measure}_all")
    return None if part is None or not whole else float(part) / float(whole)


def growing(curve: list[Point]) -> bool:
    """Whether the difference grows as nn falls; what cannot be seen does not count.

    >>> growing([Point(0.5, 0.0001, 1, 1), Point(0.1, 0.0, 1, 1), Point(0.02, 0.03, 1, 1)])
    True
    """
    return bool(np.all(np.diff([point.difference for point in curve]) >= -VISIBLE))


FRACTIONS = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)
STUDY_GAMMAS = (0.5, 1.0, 2.0, 5.0, 10.0)


def study(data: DataSet, loss: str, relation: str, gamma: float) -> list[dict[str, Any]]:
    """One line per fraction.

    ``difference`` is the mean of ``|beta_nn - beta_1|`` over all rows, ``constraints`` counts pairs of distinct rows.
    ``seconds`` are those of choosing the near rows and solving, given the distances, ``seconds_solve`` those of solving
    alone. All but the difference are also told for all constraints.
    """
    X = data.encoded()
    training = Training.of(scaled(X, X, relation)[0], data.y, relation)
    exact, whole = _solved(training, 1.0, gamma, loss)
    task = {"dataset": data.name, "loss": loss, "relation": relation, "gamma": gamma}
    lines = []
    for nn in FRACTIONS:
        beta, part = _solved(training, nn, gamma, loss)
        difference = float(np.mean(abs(beta - exact)[training.nodes.node_of_row]))
        of_all = {f"{name}_all": value for name, value in whole.items()}
        lines.append(task | {"nn": nn, "difference": difference} | part | of_all)
    return lines


def effort(data: DataSet) -> float:
    """About how long a study takes; comparable with that of a fold of a method."""
    return float(len(data.y) ** 2 * len(data.labels))


def _solved(training: Training, nn: float, gamma: float, loss: str) -> tuple[Floats, dict[str, Any]]:
    """Beta of the nodes, and what it took."""
    start = perf_counter()
    chosen = training.chosen(nn)
    chosen_at = perf_counter()
    beta, _ = chosen.solve(gamma, loss)
    end = perf_counter()
    return beta, {"constraints": len(chosen), "seconds": end - start, "seconds_solve": end - chosen_at}
