"""The two sides of a class in words: the arguments for it, the arguments against it, and their premises.

One argument reads: a training row is similar AND belongs to the class, SO the explained row belongs to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from fgac._tolerances import SHARE_SUM_TOL, TEXT_TOL
from fgac._typing import Label
from fgac.explanation.classification import Argument, Explanation
from fgac.text.arguments import similarity_clause
from fgac.text.one_sided import is_one_sided, match_clause
from fgac.text.target import target_class
from fgac.text.words import Grades, at_least, at_most, format_degree, grade, row_name

BELONGS: Grades = ((1.0, "fully belongs to {}"), (0.5, "belongs to {}"), (0.0, "belongs only in part to {}"))
DOES_NOT_BELONG: Grades = (
    (1.0, "does not belong to {} at all"),
    (0.5, "does not belong to {}"),
    (0.0, "does not quite belong to {}"),
)


@dataclass(frozen=True)
class Side:
    """The arguments for the class that is explained, or those against it, and the bound that follows from them.

    Attributes
    ----------
    word : "for" or "against"
    arguments : strongest first
    rivals : the arguments of the other side
    rest : what all rows that are no argument here add to ``total`` (OWA only)
    total : what this side makes of the lower bound (for), or of 1 minus the upper bound (against)
    bound : the same in words: "at least 0.80", "at most 0.88"
    """

    word: str
    arguments: tuple[Argument, ...]
    rivals: tuple[Argument, ...]
    rest: float
    total: float
    bound: str


def sides(e: Explanation) -> tuple[Side, Side]:
    """The side for the class that is explained, and the side against it."""
    arguments_for, arguments_against = e.arguments_for, e.arguments_against
    # Where the sides contradict each other, what the one demands is more than the other allows.
    least, most = (e.upper, e.lower) if is_contradictory(e) else (e.lower, e.upper)
    return (
        Side("for", arguments_for, arguments_against, e.rest_for, least, at_least(least)),
        Side("against", arguments_against, arguments_for, e.rest_against, 1 - most, at_most(most)),
    )


def is_contradictory(e: Explanation) -> bool:
    """Whether the strongest argument for the class demands more than the strongest one against it allows.

    That cannot be if training knew all constraints and distances are a metric.
    """
    return any(a.weight >= 1 - TEXT_TOL and a.strength > e.lower + TEXT_TOL for a in e.arguments_for[:1])


def is_averaged(e: Explanation) -> bool:
    """Whether the bounds are averages over many rows (OWA), not the strengths of single arguments."""
    for side in sides(e):
        # Without an average the first argument alone is the bound.
        expected = [1.0, *(0.0 for _ in side.arguments[1:])]
        differ = any(abs(a.weight - w) > TEXT_TOL for a, w in zip(side.arguments, expected, strict=False))
        if differ or abs(side.rest) > TEXT_TOL:
            return True
    return False


def bound_share(argument: Argument) -> float:
    """What an argument adds to a bound that is an average."""
    return argument.weight * argument.strength


def has_bound_shares(e: Explanation, side: Side) -> bool:
    """Whether the bound of this side is an average, and the shares of the arguments add up to it.

    Under an isomorphism an argument against takes away no multiple of its strength: shares then add up to another
    number, and only strengths are shown.
    """
    return is_averaged(e) and abs(sum(map(bound_share, side.arguments)) + side.rest - side.total) < SHARE_SUM_TOL


def premise(argument: Argument, e: Explanation, side: Side) -> str:
    """Similar AND belongs: "training row 203 is similar to this row (0.85) and belongs to 'malignant' (0.95)"."""
    label, membership = membership_clause(argument, e, side)
    labelled = "" if argument.label == label else f", labelled {target_class(argument.label, e.target)},"
    row = f"training row {row_name(argument.id)}{labelled}"
    if is_one_sided(argument):
        # A one-sided model has two classes, the higher one last.
        is_higher = (e.subject == e.memberships[-1].label) == (side.word == "for")
        return f"{row} {membership}, and {match_clause(argument, is_higher=is_higher, threshold=e.threshold)}"
    return f"{row} {similarity_with_degree(argument, e.threshold)} and {membership}"


def similarity_with_degree(argument: Argument, threshold: float) -> str:
    """How similar the training row is to the explained one: "is similar to this row (0.85)"."""
    return f"{similarity_clause(argument, threshold)} ({format_degree(argument.similarity)})"


def membership_clause(argument: Argument, e: Explanation, side: Side) -> tuple[Label, str]:
    """How much the training row belongs to a class, or does not, and which class that is.

    The class is the one that is explained. But with two classes, not to belong to the one is to belong to the other,
    which is easier to understand: "belongs to 'benign' (0.95)".
    """
    other_of_two = len(e.memberships) == 2 and argument.label != e.subject
    label = argument.label if side.word == "against" and other_of_two else e.subject
    grades = BELONGS if side.word == "for" or other_of_two else DOES_NOT_BELONG
    return label, degree_clause(argument.degree, label, grades, e.threshold, e.target)


def degree_clause(
    degree: float, label: Label, grades: Grades = BELONGS, threshold: float = 0.5, target: str | None = None
) -> str:
    """How much a training row belongs to a class, or does not: "belongs to 'benign' (0.95)".

    >>> degree_clause(0.3, "benign"), degree_clause(0.3, "benign", threshold=0.25)
    ("belongs only in part to 'benign' (0.30)", "belongs to 'benign' (0.30)")
    """
    return f"{grade(degree, grades, threshold).format(target_class(label, target))} ({format_degree(degree)})"


def note_with_class(argument: Argument, e: Explanation, note: str) -> str:
    """A note on a training row, after its class where that could be any of several."""
    has_several = len(e.memberships) > 2 and argument.label != e.subject
    return f"{target_class(argument.label, e.target)}, {note}" if has_several else note
