"""Doubtful values in words: those that are unknown, and what they cost an argument; those beyond all training rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fgac.explanation.arguments import BaseArgument
from fgac.text.arguments import Feature, counts, few_names

# A cost below this would be told as 0.00.
LEAST_COST = 0.005


def unknown_values(unknown: Sequence[str], features: Sequence[Feature]) -> tuple[str, ...]:
    """The features that count and are unknown in the explained row, and a warning if those are most of what counts.

    >>> from fgac.explanation.classification import FeatureValue
    >>> features = [FeatureValue(name, None if name < "c" else 1.0, "", False, 0.0) for name in "abc"]
    >>> unknown_values(("a", "b"), features)
    ("unknown here: 'a' and 'b'", 'the prediction rests on few values: 2 of 3 are unknown')
    """
    counting = [feature for feature in features if counts(feature)]
    found = [feature.name for feature in counting if feature.name in unknown]
    if not found:
        return ()
    n, n_all = len(found), len(counting)
    few = f"the prediction rests on few values: {n} of {n_all} are unknown" if 2 * n > n_all else ""
    if n == n_all:
        few = "nothing that counts is known of this row, and every such row gets this prediction"
    return f"unknown here: {few_names(found)}", few


def doubtful_values(e: Any) -> tuple[str, ...]:
    """What an explained row holds that the model knows little about: unknown values, and values beyond its training."""
    return (*unknown_values(e.unknown, e.attributes), beyond_sentence(e.beyond, e.attributes))


def beyond_sentence(beyond: Sequence[str], features: Sequence[Feature]) -> str:
    """The features that count and whose value lies beyond those of all training rows; "" if there are none.

    >>> from fgac.explanation.classification import FeatureValue
    >>> beyond_sentence(("age",), [FeatureValue("age", 130.0, "", False, 0.0)])
    "beyond all training rows, and compared as if at their edge: 'age'"
    """
    found = [feature.name for feature in features if feature.name in beyond and counts(feature)]
    return f"beyond all training rows, and compared as if at their edge: {few_names(found)}" if found else ""


def cost_sentence(argument: BaseArgument, features: Sequence[Feature], consequence: str) -> str:
    """What unknown values do to an argument: "that 'income' is unknown here weakens this argument by up to 0.16".

    A value that is unknown in both rows, or does not count, keeps them no further apart, and costs nothing.
    """
    here = {feature.name for feature in features if feature.value is None}
    there = {comparison.name for comparison in argument.attributes if comparison.unknown}
    names = [comparison.name for comparison in argument.attributes if comparison.apart > 0]
    parts = []
    for only, place in ((here - there, "here"), (there - here, "there")):
        found = [name for name in names if name in only]
        if found:
            parts.append(f"{few_names(found)} {'is' if len(found) == 1 else 'are'} unknown {place}")
    return f"that {' and '.join(parts)} {consequence}" if parts else ""
