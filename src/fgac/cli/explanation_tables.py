"""Explanations as flat records, one per argument: what ``fgac explain`` writes as CSV and Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fgac.explanation.classification import Explanation
from fgac.explanation.ordinal import OrdinalExplanation

if TYPE_CHECKING:
    from fgac.explanation.regression import RegressionExplanation


Record = dict[str, Any]
ABOUT = ("id", "prediction", "truth", "degree", "lower", "upper", "margin", "certified_radius")
ABOUT_NUMBER = ("id", "prediction", "truth", "lower", "upper")
ARGUMENT = ("argument", "class", "similarity", "membership", "argument_degree", "strength", "weight", "alike")
BOUND = ("argument", "target", "fitted", "distance", "similarity", "allowance", "says", "strength", "alike")


def records(item: Explanation | OrdinalExplanation | RegressionExplanation) -> list[Record]:
    """One record per argument; a row without arguments has one record that says so.

    ``argument_degree`` is how much the argument is (for), or is not (against), in the predicted class: with the
    similarity it makes the strength.
    """
    if isinstance(item, Explanation):
        return _all(_about(item, ABOUT), _arguments(item), ARGUMENT)
    if isinstance(item, OrdinalExplanation):
        parts = (("at least", item.at_least), ("at most", item.at_most))
        found = [{"boundary": name} | row for name, part in parts if part is not None for row in _arguments(part)]
        return _all(_about(item, ABOUT) | {"boundary": None}, iter(found), ARGUMENT)
    ends = (None, None) if item.interval is None else (item.interval.lower, item.interval.upper)
    interval = dict(zip(("interval_lower", "interval_upper"), ends, strict=True))
    return _all(_about(item, ABOUT_NUMBER) | interval, _bounds(item), BOUND)


def _about(item: Any, names: tuple[str, ...]) -> Record:
    return {name: getattr(item, name) for name in names}


def _all(about: Record, arguments: Iterator[Record], names: tuple[str, ...]) -> list[Record]:
    return [about | argument for argument in arguments] or [about | {"side": "none", **dict.fromkeys(names)}]


def _arguments(item: Explanation) -> Iterator[Record]:
    for side, part in (("for", item.arguments_for), ("against", item.arguments_against)):
        for argument in part:
            yield {
                "side": side,
                "argument": argument.id,
                "class": argument.label,
                "similarity": argument.similarity,
                "membership": argument.membership,
                "argument_degree": argument.degree,
                "strength": argument.strength,
                "weight": argument.weight,
                "alike": len(argument.alike),
            }


def _bounds(item: RegressionExplanation) -> Iterator[Record]:
    for side, part in (("at least", item.at_least), ("at most", item.at_most)):
        for bound in part:
            told = {name: getattr(bound, name) for name in BOUND[1:-1]}
            yield {"side": side, "argument": bound.id, **told, "alike": len(bound.alike)}
