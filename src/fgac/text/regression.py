"""A predicted number in words: what says that it is no less, what says that it is no more, how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fgac._tolerances import TEXT_TOL
from fgac.text.arguments import SIMILAR, compared, echoed, graded, joined
from fgac.text.feature_weights import weighing
from fgac.text.one_sided import is_directed
from fgac.text.words import called, listed, number, paragraph, quoted, two_values, value

if TYPE_CHECKING:
    from fgac.explanation.audit import RegressionOpponent, RegressionSuspect
    from fgac.explanation.regression import FeatureEffect, RegressionArgument, RegressionExplanation


# A training row differs from its target if the two are further apart than this share of the range of all targets.
NOTABLE = 1e-2
# Bounds that leave room for more than this share of the range say little.
WIDE = 0.5
# How far this row matches or exceeds a training row, where only one side of it counts.
MATCHED = (
    (1.0, "fully matched or {}"),
    (0.9, "nearly matched or {}"),
    (0.5, "largely matched or {}"),
    (0.2, "partly matched or {}"),
    (2 * TEXT_TOL, "hardly matched or {}"),
    (0.0, "neither matched nor {}"),
)


# So many attributes are told when it comes to what a change can do.
MOST_EFFECTS = 2


def tell_number(e: RegressionExplanation) -> str:
    """Say an explanation in plain English, one line for each: verdict, at least, at most, how sure.

    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> print(model.explain([[2.0]], y=[24.0], units={"y": "kg"})[0])  # doctest: +NORMALIZE_WHITESPACE
    Prediction for row 0: 22.5 kg (at least 15 kg, at most 30 kg). The true value is 24 kg: the prediction is 1.5 kg too
    low.
    It should be at least 15 kg: training row 1 has the value 25 kg and is similar to this row (0.75), so that the two
    differ by at most 10 kg. Its own target, 20 kg, is contradicted by other rows. Only 'x0' (2 here, 3 there) keeps
    them apart. Training row 2 (at least 15 kg) says the same.
    It should be at most 30 kg: training row 0 has the value 10 kg and is similar to this row (0.50), so that the two
    differ by at most 20 kg. Only 'x0' (2 here, 0 there) keeps them apart. Training row 1 (at most 35 kg) says so too,
    less strongly.
    The bounds leave room for 15 kg, 38 % of the range of all targets (10 kg to 50 kg). The prediction changes by at
    most 5 kg if 'x0' alone changes by 0.5.
    """
    parts = [verdict(e), argued(e, "at least"), argued(e, "at most"), sureness(e), weighing(e.attributes)]
    return "\n".join(filter(None, parts))


def amount(e: RegressionExplanation, x: float) -> str:
    """A number in the unit of the target."""
    return value(float(x), e.unit)


def verdict(e: RegressionExplanation) -> str:
    """The prediction, its bounds, its interval, and how right it is."""
    bounds = f"at least {amount(e, e.lower)}, at most {amount(e, e.upper)}"
    return paragraph(f"prediction for row {called(e.id)}: {amount(e, e.prediction)} ({bounds})", interval(e), truth(e))


def interval(e: RegressionExplanation) -> str:
    """The prediction interval, if there is one."""
    if e.interval is None:
        return ""
    ends = f"{amount(e, e.interval.lower)} to {amount(e, e.interval.upper)}"
    return f"the interval meant to hold {e.interval.share:.0%} of all values goes from {ends}".replace("%", " %")


def truth(e: RegressionExplanation) -> str:
    """How right the prediction is, if that is known."""
    if e.truth is None:
        return ""
    error = e.prediction - e.truth
    known = f"the true value is {two_values(float(e.truth), float(e.prediction), e.unit)[0]}"
    if abs(error) <= TEXT_TOL * max(abs(e.truth), abs(e.most - e.least)):
        return f"{known}, as predicted"
    return f"{known}: the prediction is {amount(e, abs(error))} too {'high' if error > 0 else 'low'}"


def argued(e: RegressionExplanation, side: str) -> str:
    """Everything on one side: what speaks loudest, at length, and the others shortly."""
    is_lower = side == "at least"
    arguments, bound = (e.at_least, e.lower) if is_lower else (e.at_most, e.upper)
    if not arguments:
        return paragraph(silence(e, side))
    first, *others = arguments
    rival: Any = e.at_most if is_lower else e.at_least
    alike: Any = first  # what is told of a training row and its attributes is the same as in classification
    whole: Any = e
    return paragraph(
        f"it should be {side} {amount(e, bound)}: {premise(e, first, side)}",
        own_target(e, first),
        echoed(alike),
        *compared(alike, whole, rival[:1]),
        also(e, side, first, others),
    )


def silence(e: RegressionExplanation, side: str) -> str:
    """No training row says anything on this side, and the bound is where all fitted values end."""
    where, end, bound = ("below", "smallest", e.lower) if side == "at least" else ("above", "largest", e.upper)
    least = f"{side} {amount(e, bound)}, the {end} value that a training row is taken to have"
    return f"no training row {where} it is near enough to say more than that it should be {least}"


def premise(e: RegressionExplanation, argument: RegressionArgument, side: str) -> str:
    """What the row is, how similar, and how far the two may differ."""
    told: Any = argument
    directed, lower = is_directed(told), "lower" if side == "at least" else "higher"
    row = f"training row {called(argument.id)} has the value {amount(e, argument.fitted)} and"
    if argument.allowance <= TEXT_TOL * max(e.most - e.least, abs(argument.fitted)):
        same = f"is no {lower}" if directed else "has the same value"
        return f"{row} {resembles(argument, side, directed=directed)}, which therefore {same}"
    room = f"this row is {lower} by" if directed else "the two differ by"
    how = f"{resembles(argument, side, directed=directed)} ({number(argument.similarity)})"
    return f"{row} {how}, so that {room} at most {amount(e, argument.allowance)}"


def resembles(argument: RegressionArgument, side: str, *, directed: bool) -> str:
    """How similar the training row is to this one, or how far this one is on the side that does not count."""
    if not directed:
        return f"{graded(argument.similarity, SIMILAR)} this row"
    beyond = "exceeded" if side == "at least" else "undercut"
    return f"is {graded(argument.similarity, MATCHED).format(beyond)} by this row"


def own_target(e: RegressionExplanation, argument: RegressionArgument) -> str:
    """That a row is taken to have another value than was observed, if so."""
    if abs(argument.target - argument.fitted) <= NOTABLE * (e.most - e.least):
        return ""
    return f"its own target, {amount(e, argument.target)}, is contradicted by other rows"


def also(e: RegressionExplanation, side: str, first: RegressionArgument, others: list[RegressionArgument]) -> str:
    """Further arguments, with what they say."""
    if not others:
        return ""
    rows: Any = others
    told = joined(rows, [f"{side} {amount(e, a.says)}" for a in others])
    equal = all(amount(e, a.says) == amount(e, first.says) for a in others)
    says = "says" if len(others) == 1 else "say"
    return f"{told} {says} {'the same' if equal else 'so too, less strongly'}"


def sureness(e: RegressionExplanation) -> str:
    """How much room there is, and what a change of the row can do."""
    return paragraph(room(e), guarantee(e), *ordered(e))


def room(e: RegressionExplanation) -> str:
    """How much room the bounds leave."""
    if e.most <= e.least:
        return f"all training rows have the target {amount(e, e.least)}"
    between = f"{amount(e, e.least)} to {amount(e, e.most)}"
    if e.upper - e.lower <= TEXT_TOL * (e.most - e.least):
        return f"the bounds meet: they leave no room at all (targets range from {between})"
    if e.width >= 1:
        return f"the evidence is weak: the bounds leave room for more than the range of all targets ({between})"
    weak = "the evidence is weak: " if e.width > WIDE else ""
    share = f"{100 * e.width:.0f} %" if e.width >= 0.01 else "less than 1 %"
    left = amount(e, e.upper - e.lower)
    return f"{weak}the bounds leave room for {left}, {share} of the range of all targets ({between})"


def guarantee(e: RegressionExplanation) -> str:
    """What a change of single attributes can do at most."""
    if e.slope is None:
        return "under these settings there is no guarantee of how much the prediction changes if the row changes"
    told = [(effect, effect.change) for effect in by_relevance(e) if effect.change][:MOST_EFFECTS]
    if not told:
        step = f"by at most {amount(e, 0.1 * e.slope)} if the row moves by 0.1 in the model's distance"
        return f"the prediction changes {step}"
    parts = [f"by at most {amount(e, change)} if {changed(effect)}" for effect, change in told]
    return f"the prediction changes {listed(parts)}"


def changed(effect: FeatureEffect) -> str:
    """A change of one attribute."""
    if effect.step is None:
        return f"{quoted(effect.name)} alone has another category"
    return f"{quoted(effect.name)} alone changes by {value(effect.step, effect.unit)}"


def by_relevance(e: RegressionExplanation) -> list[FeatureEffect]:
    """Attributes, first those that keep the row apart from the strongest arguments."""
    apart: dict[str, float] = {}
    for argument in (*e.at_least[:1], *e.at_most[:1]):
        for comparison in argument.attributes:
            apart[comparison.name] = max(apart.get(comparison.name, 0.0), comparison.apart)
    return sorted(e.attributes, key=lambda effect: -apart.get(effect.name, 0.0))


def ordered(e: RegressionExplanation) -> tuple[str, ...]:
    """Which attributes can only raise or only lower the prediction."""
    found = []
    for direction, verb in ((1, "lowers"), (-1, "raises")):
        names = [quoted(effect.name) for effect in e.attributes if effect.direction == direction]
        if names:
            found.append(f"more of {listed(names, 'or')} never {verb} it")
    return tuple(found)


def tell_contradiction(row: RegressionSuspect) -> str:
    """Say how far a training row is from its target, and who holds it there.

    >>> from fgac.explanation.audit import RegressionSuspect, RegressionOpponent
    >>> other = RegressionOpponent(40, 40, 12.0, 15.0, 0.01, share=1.0, alike=(41,))
    >>> print(tell_contradiction(RegressionSuspect(17, 17, 80.0, 16.0, 0.64, (other,), alike=(18,))))
    Row 17 has the target 80, but is taken as 16: row 40 (target 12, taken as 15, distance 0.01) and 1 more contradict
    it. The same holds for another row equal to row 17.
    """
    taken = f"row {called(row.id)} has the target {value(row.target)}, but is taken as {value(row.fitted)}"
    n, equal = len(row.alike), f"equal to row {called(row.id)}"
    same = f"the same holds for another row {equal}" if n == 1 else f"the same holds for another {n} rows {equal}"
    return paragraph(taken + contradicted(row.contradicted_by), same if n else "")


def contradicted(rows: tuple[RegressionOpponent, ...]) -> str:
    """The row that contradicts most, and how many others do."""
    if not rows:
        return ""
    first, *others = rows
    more = len(first.alike) + sum(1 + len(other.alike) for other in others)
    values = f"target {value(first.target)}, taken as {value(first.fitted)}"
    if value(first.target) == value(first.fitted):
        values = f"target {value(first.target)}"
    row = f"row {called(first.id)} ({values}, distance {value(first.distance)})"
    return f": {row} and {more} more contradict it" if more else f": {row} contradicts it"
