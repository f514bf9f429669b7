"""One-sided arguments in words: a row that matches or exceeds one of the higher class, or stays below one of the lower.

Where more of an attribute can only speak for one of two classes (``monotonic_cst``), being better than a row of that
class is no difference. So an argument does not ask how similar the two rows are, but how far the explained row
matches or exceeds the training row of the higher class, or matches or stays below that of the lower class.
"""

from __future__ import annotations

from fgac._tolerances import TEXT_TOL
from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.classification import Argument, Explanation, FeatureValue
from fgac.text.words import listed, number

# How far one row matches or exceeds another: the first phrase whose number is reached.
MATCHES = (
    (1.0, "fully matches or {}"),
    (0.9, "nearly matches or {}"),
    (0.5, "largely matches or {}"),
    (0.2, "partly matches or {}"),
    (2 * TEXT_TOL, "hardly matches or {}"),
    (0.0, "neither matches nor {}"),
)


def is_directed(argument: Argument) -> bool:
    """Whether being on one side of the training row does not count, in some attribute."""
    return any(c.direction for c in argument.attributes)


def matched(argument: Argument, e: Explanation) -> str:
    """How far the explained row is on the right side: "this row nearly matches or exceeds it (0.93)"."""
    beyond = "exceeds it" if argument.label == e.memberships[-1].label else "stays below it"
    phrase = next(p for least, p in MATCHES if argument.similarity >= least - TEXT_TOL)
    return f"this row {phrase.format(beyond)} ({number(argument.similarity)})"


def surpasses(comparison: FeatureComparison, reading: FeatureValue) -> bool:
    """Whether the explained row is at least as far on the side that does not count."""
    if not comparison.direction:
        return False
    there, here = comparison.value, reading.value
    if isinstance(there, int | float) and isinstance(here, int | float):
        return comparison.direction * (here - there) >= 0
    return comparison.apart == 0  # the model keeps no values


def as_far(shown: dict[int, list[str]], n_more: int, n_attributes: int) -> str:
    """Attributes in which the explained row is at least as far as the training row, upwards (1) and downwards (-1).

    >>> as_far({1: ["'income' (52 here, 40 there)"], -1: ["'debt' (3 here, 5 there)"]}, 2, 9)
    "this row is at least as high in 'income' (52 here, 40 there), at least as low in 'debt' (3 here, 5 there), and \
at least as far in 2 more of 9 attributes"
    """
    parts = [f"at least as {word} in {listed(shown[way])}" for way, word in ((1, "high"), (-1, "low")) if shown[way]]
    if n_more:
        parts.append(f"at least as far in {n_more} more of {n_attributes} attributes")
    together = f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 1 else "".join(parts)
    return f"this row is {together}" if together else ""
