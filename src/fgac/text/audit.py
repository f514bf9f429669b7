"""A training row whose label the rest of the data contradict, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fgac._tolerances import TEXT_TOL
from fgac.text.words import called, named, number, paragraph

if TYPE_CHECKING:
    from fgac.explanation.audit import Opponent, Suspect


# From here on the rest of the data speak rather against the label than for it.
DOUBTFUL = 0.5
# Up to here doubt is not worth a second look.
SLIGHT = 0.1
# Memberships closer than this are told by the same number, or nearly so.
ALIKE = 0.01


def tell_suspect(suspect: Suspect) -> str:
    """Say how much the label of a training row is contradicted, by whom, and what they speak for.

    >>> from fgac.explanation.audit import Opponent, Suspect
    >>> other = Opponent(40, 40, "bad", 0.01, 0.97, 0.91, multiplier=0.88, share=1.0, alike=(41, 42))
    >>> row = Suspect(17, 17, "good", 0.12, 0.88, suggestion="bad", contradicted_by=(other,), alike=())
    >>> print(tell_suspect(row))  # doctest: +NORMALIZE_WHITESPACE
    Row 17 is labelled 'good', but belongs to it only to 0.12: row 40 ('bad', similarity 0.97) and 2 more contradict
    it. The rest of the data speak for 'bad'.
    """
    return paragraph(
        f"row {called(suspect.id)} is labelled {named(suspect.label)}{belonging(suspect)}{contradicted(suspect)}",
        doubted_itself(suspect),
        echoed(suspect),
        supported(suspect),
        suggested(suspect),
    )


def belonging(suspect: Suspect) -> str:
    """How much of the label is left."""
    degree, lost = number(suspect.membership), 1 - suspect.membership
    if lost < TEXT_TOL:
        return f" and fully belongs to it ({degree})"
    if lost <= SLIGHT:
        return f" and belongs to it almost fully ({degree})"
    if lost < DOUBTFUL:
        return f" and belongs to it to {degree}"
    return f", but belongs to it only to {degree}"


def opponents(suspect: Suspect) -> list[Opponent]:
    """The rows that do contradict: constraints may bind without any force."""
    return [opponent for opponent in suspect.contradicted_by if opponent.multiplier > 0]


def contradicted(suspect: Suspect) -> str:
    """The row that contradicts most, and how many others do."""
    if not opponents(suspect):
        return ": nothing contradicts it" if 1 - suspect.membership < TEXT_TOL else ""
    first, *others = opponents(suspect)
    more = len(first.alike) + sum(1 + len(other.alike) for other in others)
    row = f"row {called(first.id)} ({named(first.label)}, similarity {number(first.similarity)})"
    return f": {row} and {more} more contradict it" if more else f": {row} contradicts it"


def echoed(suspect: Suspect) -> str:
    """Rows in the same position."""
    n, equal = len(suspect.alike), f"equal to row {called(suspect.id)}"
    if not n:
        return ""
    return f"the same holds for another row {equal}" if n == 1 else f"the same holds for another {n} rows {equal}"


def supported(suspect: Suspect) -> str:
    """How much the rest of its own class vouches for the row, if that was asked."""
    if suspect.support is None:
        return ""
    only = "only " if suspect.support < DOUBTFUL else ""
    return f"other rows of {named(suspect.label)} support row {called(suspect.id)} {only}to {number(suspect.support)}"


def doubted_itself(suspect: Suspect) -> str:
    """A warning if the row that contradicts most is no more credible."""
    if not opponents(suspect) or suspect.doubt <= SLIGHT:
        return ""
    first = opponents(suspect)[0]
    if first.membership > min(suspect.membership + ALIKE, 1 - SLIGHT):
        return ""
    how = "even more" if first.membership < suspect.membership - ALIKE else "just as much"
    degree = f"it belongs to {named(first.label)} only to {number(first.membership)}"
    return f"but row {called(first.id)} is {how} in doubt: {degree}"


def suggested(suspect: Suspect) -> str:
    """What the label might be instead."""
    if suspect.suggestion is None or not opponents(suspect):
        return ""
    label = named(suspect.suggestion)
    if suspect.doubt <= SLIGHT:
        return "there is little reason to doubt the label"
    if suspect.doubt < DOUBTFUL or doubted_itself(suspect):
        return f"if the label is wrong, it may have to be {label}"
    return f"the rest of the data speak for {label}"
