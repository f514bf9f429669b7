"""The card of a predicted number: who says that it is not less, and who that it is not more."""

from __future__ import annotations

from fgac._tolerances import TEXT_TOL
from fgac.explanation.regression import RegressionArgument, RegressionExplanation
from fgac.text.arguments import similarity_clause
from fgac.text.card import UNTESTED, Card, CardSide
from fgac.text.case import Case, case
from fgac.text.changes import MOST_FLIPS, ONLY_DISTANCES, flips
from fgac.text.one_sided import is_one_sided
from fgac.text.regression import (
    WIDE,
    Side,
    amount,
    contradicted_target,
    guaranteed_changes,
    match_clause,
    monotone_features,
    sides,
)
from fgac.text.target import bare_number
from fgac.text.unknown import doubtful_values
from fgac.text.words import format_value, sentence


def card(e: RegressionExplanation) -> Card:
    """Lay out an explanation of a predicted number for a first look.

    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> print(card(model.explain([[2.0]], units={"y": "kg"})[0]))  # doctest: +NORMALIZE_WHITESPACE
    Row 0: 22.5 kg
    How sure: 15 kg to 30 kg is what training rows leave room for. How often that holds, nobody has tested.
    Why not less than 15 kg: Training row 1 (20 kg): similar to this row. Different: x0 (2 here, 3 there). Its own
    target, 20 kg, is contradicted by other rows. It counts as 25 kg; this row can be at most 10 kg below that.
    Why not more than 30 kg: Training row 0 (10 kg): similar to this row. Different: x0 (2 here, 0 there). This row
    can be at most 20 kg above it.
    What would change it: The prediction changes by at most 5 kg if 'x0' alone changes by 0.5.
    What is unknown: Nothing that counts.
    """
    sure, sure_of = _sureness(e)
    low, high = (_side(e, side) for side in sides(e))
    changes = guaranteed_changes(e) if e.attributes or e.slope is None else ONLY_DISTANCES
    return Card(
        row=format_value(e.id),
        prediction=bare_number(e.prediction, e.target, e.unit),
        outcome=_outcome(e),
        sure=sure,
        sure_of=sure_of,
        remarks=tuple(map(sentence, filter(None, _remarks(e)))),
        favour=low,
        against=high,
        flips=flips(e)[:MOST_FLIPS],
        stays=tuple(map(sentence, (changes, *monotone_features(e)))),
        unknown=tuple(map(sentence, filter(None, doubtful_values(e)))),
    )


def _sureness(e: RegressionExplanation) -> tuple[str, str]:
    """The interval of the number, and what is known of it."""
    if e.resembles_nothing:
        return "A guess", ": there is no comparable case."
    if e.interval is None:
        ends = f"{amount(e, e.lower)} to {amount(e, e.upper)}"
        return ends, f" is what training rows leave room for. How often that holds, {UNTESTED}."
    span = e.interval
    ends, share = f"{amount(e, span.lower)} to {amount(e, span.upper)}", f"{100 * span.share:.0f} %"
    if span.is_tested:
        return ends, f" should hold {share} of such values."
    return ends, f" holds {share} of the training rows. How many new ones it holds, {UNTESTED}."


def _remarks(e: RegressionExplanation) -> tuple[str, ...]:
    """How far off such predictions were, and that the evidence is weak where it is."""
    span = e.interval
    off = "" if span is None or span.off is None else f"such predictions were off by {amount(e, span.off)} on average"
    wider = "" if span is None or not span.room else "it is wider because the row lies beyond all training rows"
    weak = "the training rows hardly narrow it down" if e.width > WIDE and not e.resembles_nothing else ""
    nobody = "no training row is similar enough to say how much it is" if e.resembles_nothing else ""
    return off, wider, weak, nobody


def _outcome(e: RegressionExplanation) -> str:
    """What the number really is, if that is known."""
    if e.truth is None:
        return ""
    error = e.prediction - e.truth
    if abs(error) <= TEXT_TOL * max(abs(e.truth), abs(e.ends[1] - e.ends[0])):
        return f"In fact it is {amount(e, e.truth)}, as predicted."
    return f"In fact it is {amount(e, e.truth)}: {amount(e, abs(error))} too {'high' if error > 0 else 'low'}."


def _side(e: RegressionExplanation, side: Side) -> CardSide:
    """Who says that the number is not less, or not more."""
    word = "less" if side.is_lower else "more"
    heading = f"Why not {word} than {amount(e, side.bound)}"
    end = "smallest" if side.is_lower else "largest"
    nothing = f"No row near it says so; it is the {end} value that a training row is taken to have."
    return CardSide(heading, _case(e, side.arguments[0], side) if side.arguments else None, nothing)


def _case(e: RegressionExplanation, argument: RegressionArgument, side: Side) -> Case:
    """A training row beside the explained row, and how far the two numbers may be apart."""
    clause = match_clause(argument, side) if is_one_sided(argument) else similarity_clause(argument)
    contradicted = contradicted_target(e, argument)
    taken = f"it counts as {amount(e, argument.fitted)}; " if contradicted else ""
    beside = f"{'below' if side.is_lower else 'above'} {'that' if contradicted else 'it'}"
    differ = f"{taken}this row can be at most {amount(e, argument.allowance)} {beside}"
    return case(
        argument,
        e.attributes,
        says=bare_number(argument.target, e.target, e.unit),
        resembles=clause.removeprefix("is "),
        notes=(contradicted, differ),
        rival=side.rivals[0] if side.rivals else None,
    )
