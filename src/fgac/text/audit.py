"""A training row that others contradict, in words: its label or target, its strongest opponent, the likely label."""

from __future__ import annotations

from collections.abc import Sequence

from fgac._tolerances import TEXT_TOL
from fgac.explanation.arguments import RowReference
from fgac.explanation.audit import Opponent, RegressionOpponent, RegressionSuspect, Suspect
from fgac.text.target import target_class, target_number
from fgac.text.words import format_degree, format_number, paragraph, row_name

# A doubt up to this is not worth a second look.
SLIGHT = 0.1
# A target that is so many times as far off as usual is not, either.
USUAL = 1.25
# Two memberships closer than this are shown by the same number, or nearly so.
SAME_MEMBERSHIP = 0.01


def describe(suspect: Suspect | RegressionSuspect) -> str:
    """How much the label, or target, of a training row is contradicted, by which rows, and what it may have to be.

    >>> from fgac.explanation.audit import Opponent, RegressionOpponent, RegressionSuspect, Suspect
    >>> other = Opponent(40, 40, "bad", 0.01, 0.97, 0.91, multiplier=0.88, share=1.0, alike=(41, 42))
    >>> row = Suspect(17, 17, "good", 0.12, 0.88, suggestion="bad", contradicted_by=(other,), alike=())
    >>> print(describe(row))  # doctest: +NORMALIZE_WHITESPACE
    Row 17 is labelled 'good', but belongs to it only to 0.12: row 40 ('bad', similarity 0.97) and 2 more contradict
    it. The rest of the data speak for 'bad'.

    >>> other = RegressionOpponent(40, 40, 12.0, 15.0, 0.01, share=1.0, alike=(41,))
    >>> print(describe(RegressionSuspect(17, 17, 80.0, 16.0, 0.64, (other,), alike=(18,))))
    Row 17 has the target 80, but is taken as 16: row 40 (target 12, taken as 15, distance 0.01) and 1 more contradict
    it. The same holds for another row equal to row 17.

    >>> row = RegressionSuspect(17, 17, 80.0, 16.0, 0.64, (other,), (), doubt=9.25, usual=1.5, held_out=13.5)
    >>> print(describe(row))  # doctest: +NORMALIZE_WHITESPACE
    Row 17 has the target 80, but is taken as 16: row 40 (target 12, taken as 15, distance 0.01) and 1 more contradict
    it. A model that had not seen row 17 expects 12 to 15. Row 17 is 9.2 times as far off as rows usually are.
    """
    if isinstance(suspect, RegressionSuspect):
        return paragraph(doubted_target(suspect), equal_rows(suspect), expected(suspect), how_far(suspect))
    return paragraph(
        doubted_label(suspect),
        doubted_opponent(suspect),
        equal_rows(suspect),
        support(suspect),
        held_out(suspect),
        likely_label(suspect),
    )


def doubted_label(suspect: Suspect) -> str:
    """The label of a training row, its membership in that class, and the rows that contradict it."""
    found = opponents(suspect)
    if found:
        first = found[0]
        about = f"{target_class(first.label, suspect.target_name)}, similarity {format_degree(first.similarity)}"
        contradiction = contradicting_rows(found, about)
    else:
        contradiction = ": nothing contradicts it" if 1 - suspect.membership < TEXT_TOL else ""
    label = target_class(suspect.label, suspect.target_name)
    return f"row {row_name(suspect.id)} is labelled {label}{membership(suspect)}{contradiction}"


def membership(suspect: Suspect) -> str:
    """The membership of a training row in its own class, as the middle of a sentence."""
    degree, lost = format_degree(suspect.membership), 1 - suspect.membership
    if lost < TEXT_TOL:
        return f" and fully belongs to it ({degree})"
    if lost <= SLIGHT:
        return f" and belongs to it almost fully ({degree})"
    if suspect.membership > suspect.threshold:
        return f" and belongs to it to {degree}"
    return f", but belongs to it only to {degree}"


def doubted_target(suspect: RegressionSuspect) -> str:
    """The target of a training row, the value it is taken to have, and the rows that contradict the target."""
    row = f"row {row_name(suspect.id)} has {observed(suspect.target, suspect)}"
    if is_believed(suspect):
        return f"{row}, and no other row contradicts it"
    taken = f"{row}, but is taken as {format_number(suspect.fitted)}"
    if not suspect.contradicted_by:
        return taken
    first = suspect.contradicted_by[0]
    target, fitted = format_number(first.target), format_number(first.fitted)
    seen = f"target {target}" if suspect.target_name is None else observed(first.target, suspect)
    values = seen if target == fitted else f"{seen}, taken as {fitted}"
    return taken + contradicting_rows(suspect.contradicted_by, f"{values}, distance {format_number(first.distance)}")


def is_believed(suspect: RegressionSuspect) -> bool:
    """Whether a training row is taken to have its target; then only models that had not seen it contradict that."""
    return suspect.size < TEXT_TOL


def expected(suspect: RegressionSuspect) -> str:
    """What a model expected that had not seen the row, give or take what it is usually off by."""
    if suspect.held_out is None or suspect.usual is None:
        return ""
    ends = [format_number(suspect.held_out + sign * suspect.usual) for sign in (-1.0, 1.0)]
    numbers = " to ".join(dict.fromkeys(ends))
    but = "but " if is_believed(suspect) else ""
    if not suspect.alike:
        return f"{but}a model that had not seen row {row_name(suspect.id)} expects {numbers}"
    return f"{but}models that had not seen one of these {1 + len(suspect.alike)} rows expect {numbers} on average"


def how_far(suspect: RegressionSuspect) -> str:
    """How far off the row is, beside how far off rows usually are, if the audit was made with that."""
    if suspect.usual is None or suspect.doubt is None:
        return ""
    if suspect.doubt <= USUAL:
        return "rows are usually as far off: there is little reason to doubt the target"
    return f"row {row_name(suspect.id)} is {suspect.doubt:.1f} times as far off as rows usually are"


def boundary_question(boundary: str, target: str | None) -> str:
    """What is asked at a boundary between ordered classes.

    >>> boundary_question("fair or above", None), boundary_question("fair or above", "grade")
    ('Is it fair or above?', 'Is grade >= fair?')
    """
    return f"Is {f'it {boundary}' if target is None else target_class(boundary, target)}?"


def observed(target: float, suspect: RegressionSuspect) -> str:
    """A target: "the target 80", or "rent = 80" where it has a name."""
    name = suspect.target_name
    return f"the target {format_number(target)}" if name is None else target_number(target, name)


def opponents(suspect: Suspect) -> list[Opponent]:
    """The opponents that do contradict: a constraint may be tight by chance, and then has no force."""
    return [opponent for opponent in suspect.contradicted_by if opponent.multiplier > 0]


def contradicting_rows(found: Sequence[Opponent] | Sequence[RegressionOpponent], about: str) -> str:
    """The opponent that contradicts most, with something about it, and how many others do, as the end of a sentence."""
    first, *others = found
    more = len(first.alike) + sum(1 + len(other.alike) for other in others)
    row = f"row {row_name(first.id)} ({about})"
    return f": {row} and {more} more contradict it" if more else f": {row} contradicts it"


def equal_rows(suspect: RowReference) -> str:
    """How many other training rows are equal to the suspect: "the same holds for another row equal to row 17"."""
    n, equal = len(suspect.alike), f"equal to row {row_name(suspect.id)}"
    if not n:
        return ""
    return f"the same holds for another row {equal}" if n == 1 else f"the same holds for another {n} rows {equal}"


def support(suspect: Suspect) -> str:
    """How much other rows of its own class confirm the label, if the audit was made with that."""
    if suspect.support is None:
        return ""
    only = "only " if suspect.support < suspect.threshold else ""
    rows = f"other rows of {target_class(suspect.label, suspect.target_name)}"
    return f"{rows} support row {row_name(suspect.id)} {only}to {format_degree(suspect.support)}"


def held_out(suspect: Suspect) -> str:
    """How probable the label was to a model that had not seen the row, if the audit was made with that."""
    if suspect.held_out is None:
        return ""
    chance = f"a probability of {format_degree(suspect.held_out)}"
    if not suspect.alike:
        return f"a model that had not seen row {row_name(suspect.id)} gave its label {chance}"
    n = 1 + len(suspect.alike)
    return f"models that had not seen one of these {n} rows gave its label {chance} on average"


def doubted_opponent(suspect: Suspect) -> str:
    """A warning if the strongest opponent belongs no more to its own class than the suspect does to its own."""
    found = opponents(suspect)
    if not found or suspect.doubt <= SLIGHT:
        return ""
    first = found[0]
    # An opponent that belongs almost fully to its class is not in doubt, whatever the suspect's membership.
    if first.membership > min(suspect.membership + SAME_MEMBERSHIP, 1 - SLIGHT):
        return ""
    how = "even more" if first.membership < suspect.membership - SAME_MEMBERSHIP else "just as much"
    degree = f"it belongs to {target_class(first.label, suspect.target_name)} only to {format_degree(first.membership)}"
    return f"but row {row_name(first.id)} is {how} in doubt: {degree}"


def likely_label(suspect: Suspect) -> str:
    """The label that the opponents suggest, as firmly as the doubt allows."""
    if suspect.suggestion is None or not opponents(suspect):
        return ""
    label = target_class(suspect.suggestion, suspect.target_name)
    if suspect.doubt <= SLIGHT:
        return "there is little reason to doubt the label"
    # Below the threshold a label is contradicted rather than confirmed by the other rows.
    if 1 - suspect.doubt > suspect.threshold or doubted_opponent(suspect):
        return f"if the label is wrong, it may have to be {label}"
    return f"the rest of the data speak for {label}"
