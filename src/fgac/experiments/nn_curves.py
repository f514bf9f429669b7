"""The study of ``nn``: what is lost and what is saved by using a part of the constraints, averaged over data sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

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
