"""One-sided comparisons in words: a row that matches or exceeds another, or matches it or stays below it.

Where more of a feature can only make a higher class or number more likely (``monotonic_cst``), being better than a
training row is no difference from it. So an argument does not depend on how similar the two rows are, but on how far
the explained row matches or exceeds the training row (or matches it or stays below it). The side of the training row's
value on which differences do not count is the *free side* of the feature.
"""

from __future__ import annotations

from fgac._tolerances import TEXT_TOL
from fgac.explanation.arguments import BaseArgument, FeatureComparison, Value
from fgac.text.words import Grades, format_degree, grade, listed

# How far one row matches or exceeds another; the verbs are filled in, in the active or the passive voice.
MATCHES: Grades = (
    (1.0, "fully {} or {}"),
    (0.9, "nearly {} or {}"),
    (0.5, "largely {} or {}"),
    (0.2, "partly {} or {}"),
    (2 * TEXT_TOL, "hardly {} or {}"),
    (0.0, "neither {} nor {}"),
)


def is_one_sided(argument: BaseArgument) -> bool:
    """Whether some feature of the training row has a free side."""
    return any(comparison.direction for comparison in argument.attributes)


def match_clause(argument: BaseArgument, *, is_higher: bool, threshold: float = 0.5) -> str:
    """How far the explained row is on the free side: "this row nearly matches or exceeds it (0.93)".

    ``is_higher`` says that the training row speaks for the higher of two classes, so that it is to be exceeded.
    """
    return f"{match_phrase(argument, is_higher=is_higher, threshold=threshold)} ({format_degree(argument.similarity)})"


def match_phrase(argument: BaseArgument, *, is_higher: bool, threshold: float = 0.5) -> str:
    """The same without the number: "this row nearly matches or exceeds it"."""
    exceeds = "exceeds it" if is_higher else "stays below it"
    return f"this row {grade(argument.similarity, MATCHES, threshold).format('matches', exceeds)}"


def is_on_free_side(comparison: FeatureComparison, value: Value | None) -> bool:
    """Whether a value of the explained row equals that of the training row, or lies on the free side of it.

    >>> from fgac.explanation.arguments import FeatureComparison
    >>> income = FeatureComparison("income", 40.0, 0.5, 0.0, direction=1)
    >>> is_on_free_side(income, 52.0), is_on_free_side(income, 31.0)
    (True, False)
    """
    if not comparison.direction or value is None or comparison.unknown:
        return False
    there = comparison.value
    if isinstance(there, int | float) and isinstance(value, int | float):
        return comparison.direction * (value - there) >= 0
    if isinstance(there, str) and isinstance(value, str):  # dates, whose texts are in the order of time
        return value == there or (value > there) == (comparison.direction > 0)
    return comparison.apart == 0  # the model keeps no values


def free_side_sentence(shown: dict[int, list[str]], n_more: int, n_features: int) -> str:
    """The features in which the explained row is on the free side, upwards (1) and downwards (-1).

    >>> free_side_sentence({1: ["'income' (52 here, 40 there)"], -1: ["'debt' (3 here, 5 there)"]}, 2, 9)
    "this row is at least as high in 'income' (52 here, 40 there), at least as low in 'debt' (3 here, 5 there), and \
at least as far in 2 more of 9 attributes"
    """
    parts = [f"at least as {word} in {listed(shown[way])}" for way, word in ((1, "high"), (-1, "low")) if shown[way]]
    if n_more:
        parts.append(f"at least as far in {n_more} more of {n_features} attributes")
    # The parts hold lists themselves, so a comma sets the last one off.
    together = f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 1 else "".join(parts)
    return f"this row is {together}" if together else ""
