"""Which attributes count in the distances of a model, and how much, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from fgac._tolerances import TEXT_TOL
from fgac.text.words import listed, paragraph, quoted

# So many attributes are told with their weights.
MOST = 5


class Weighed(Protocol):
    """An attribute with a weight."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def weight(self) -> float:
        """How much a difference in it counts."""


def weighing(attributes: Iterable[Weighed]) -> str:
    """How much attributes count, those that count most first; nothing where all count the same.

    >>> from fgac.explanation.classification import FeatureValue
    >>> weights = {"age": 0.8, "income": 2.2, "city": 0.0}
    >>> weighing(FeatureValue(name, 1.0, "", False, None, weight=weight) for name, weight in weights.items())
    "In the distances of this model differences are weighted: 'income' by 2.2 and 'age' by 0.8; 'city' does not count."
    """
    ranked = sorted(attributes, key=lambda attribute: -attribute.weight)
    if not ranked or ranked[0].weight - ranked[-1].weight <= TEXT_TOL * ranked[0].weight:
        return ""
    heard = [attribute for attribute in ranked if attribute.weight > 0]
    silent = ranked[len(heard) :]
    told = [f"{quoted(attribute.name)} by {attribute.weight:.2g}" for attribute in heard[:MOST]]
    if len(heard) > MOST:
        told.append(f"{len(heard) - MOST} more attribute{'s' * (len(heard) > MOST + 1)} by less")
    return paragraph(f"in the distances of this model differences are weighted: {listed(told)}{_ignored(silent)}")


def _ignored(silent: list[Weighed]) -> str:
    """Attributes of weight 0."""
    if not silent:
        return ""
    one = len(silent) == 1
    names = listed([quoted(a.name) for a in silent]) if len(silent) <= 3 else f"{len(silent)} attributes"
    return f"; {names} {'does' if one else 'do'} not count"
