"""Explanations as flat records, one per argument: what ``fgac explain`` writes as CSV and Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fgac.explanation.classification import Explanation


Record = dict[str, Any]
# What every record says about the explained row, and about an argument, where classes are predicted.
PREDICTION = ("id", "prediction", "truth", "subject", "degree", "lower", "upper", "margin", "certified_radius")
ARGUMENT = ("argument", "class", "similarity", "membership", "argument_degree", "strength", "weight", "alike")


def fields_of(value: Any, names: Sequence[str]) -> Record:
    """Some attributes of a value, by name."""
    return {name: getattr(value, name) for name in names}


def joined(about: Record, arguments: Iterable[Record], names: Sequence[str]) -> list[Record]:
    """What is known of a row beside each of its arguments; a row without arguments has one record that says so.

    ``names`` are the columns that describe an argument.
    """
    return [about | argument for argument in arguments] or [about | {"side": "none", **dict.fromkeys(names)}]


def with_changes(records: list[Record], item: Any) -> list[Record]:
    """What would change the prediction, in words, beside every record of a row: one text for all of its changes.

    The changes as values are in the JSON.
    """
    from fgac.text.changes import flips

    told = " ".join(flip.text() for flip in flips(item))
    return [record | {"changes": told} for record in records]


def class_arguments(item: Explanation) -> Iterator[Record]:
    """The arguments for and against a class.

    ``argument_degree`` is how much the argument is (for), or is not (against), in the class that is explained, the
    subject: with the similarity it makes the strength.
    """
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
