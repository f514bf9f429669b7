"""The explanation of a predicted number in words: prediction, lower bound, upper bound, and what changes can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fgac._tolerances import TEXT_TOL
from fgac.explanation.regression import FeatureEffect, RegressionArgument, RegressionExplanation
from fgac.text import counterfactual, feature_weights, scores
from fgac.text.arguments import (
    comparison_sentences,
    near_duplicates,
    rows_with_notes,
    separating_shares,
    similarity_clause,
)
from fgac.text.one_sided import MATCHES, is_one_sided
from fgac.text.target import target_number, target_word
from fgac.text.unknown import LEAST_COST, cost_sentence, doubtful_values
from fgac.text.words import (
    format_degree,
    format_number,
    format_two_numbers,
    grade,
    lines,
    listed,
    paragraph,
    quoted,
    row_name,
)

# The fitted value of a training row differs from its target if the two are further apart than this share of the range
# of all targets: a smaller difference is not worth a sentence.
NOTABLE = 1e-2
# Bounds further apart than this share of the range of all targets hardly restrict the number.
WIDE = 0.5
# The guarantee names at most this many features.
MOST_EFFECTS = 2


@dataclass(frozen=True)
class Side:
    """The arguments that bound the number from below, or those that bound it from above.

    Attributes
    ----------
    word : "at least" or "at most"
    arguments : strongest first
    rivals : the arguments of the other side
    bound : the bound that follows from them
    """

    word: str
    arguments: tuple[RegressionArgument, ...]
    rivals: tuple[RegressionArgument, ...]
    bound: float

    @property
    def is_lower(self) -> bool:
        """Whether this is the side of the lower bound."""
        return self.word == "at least"


def describe(e: RegressionExplanation) -> str:
    """An explanation in plain English, one line for each: prediction, lower bound, upper bound, certainty.

    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> why = model.explain([[2.0]], y=[24.0], units={"y": "kg"})[0]
    >>> print(describe(why))  # doctest: +NORMALIZE_WHITESPACE
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
    return lines(
        prediction_paragraph(e),
        *(side_paragraph(e, side) for side in sides(e)),
        paragraph(room_between_bounds(e), guaranteed_changes(e), *monotone_features(e)),
        counterfactual.paragraph_of(e.counterfactuals, e.target, e.unit),
        feature_weights.describe(e.attributes),
        scores.describe(e.attributes, e.at_least or e.at_most, unit=e.unit),
    )


def sides(e: RegressionExplanation) -> tuple[Side, Side]:
    """The side of the lower bound, and the side of the upper bound."""
    return Side("at least", e.at_least, e.at_most, e.lower), Side("at most", e.at_most, e.at_least, e.upper)


def amount(e: RegressionExplanation, x: float) -> str:
    """A number in the unit of the target: "22.5 kg"."""
    return format_number(float(x), e.unit)


def prediction_paragraph(e: RegressionExplanation) -> str:
    """The prediction, its bounds, its interval, and how far it is from the truth."""
    bounds = f"at least {amount(e, e.lower)}, at most {amount(e, e.upper)}"
    number = target_number(float(e.prediction), e.target, e.unit)
    predicted = f"prediction for row {row_name(e.id)}: {number} ({bounds})"
    return paragraph(predicted, interval_sentence(e), truth_sentence(e), *doubtful_values(e))


def interval_sentence(e: RegressionExplanation) -> str:
    """The prediction interval, if the model has one."""
    if e.interval is None:
        return ""
    span = e.interval
    ends, share = f"{amount(e, span.lower)} to {amount(e, span.upper)}", f"{100 * span.share:.0f} %"
    if not span.is_tested:
        return (
            f"the interval fitted to hold {share} of the training rows goes from {ends}; how many new rows such "
            "intervals hold, nobody has tested"
        )
    off = "" if span.off is None else f"; predictions of rows like it were off by {amount(e, span.off)} when held out"
    wider = f", and is wider by {amount(e, span.room)} on both sides, beyond all training rows" if span.room else ""
    return f"the interval meant to hold {share} of all values goes from {ends}{wider}{off}"


def truth_sentence(e: RegressionExplanation) -> str:
    """How far the prediction is from the true value, if that is known."""
    if e.truth is None:
        return ""
    error = e.prediction - e.truth
    # With enough digits to differ from the prediction, which stands one sentence before.
    truth = format_two_numbers(float(e.truth), float(e.prediction), e.unit)[0]
    known = f"the true {target_word(e.target, 'value')} is {truth}"
    if abs(error) <= TEXT_TOL * max(abs(e.truth), abs(e.ends[1] - e.ends[0])):
        return f"{known}, as predicted"
    return f"{known}: the prediction is {amount(e, abs(error))} too {'high' if error > 0 else 'low'}"


def side_paragraph(e: RegressionExplanation, side: Side) -> str:
    """All arguments of one side: the strongest at length, the others by name."""
    if not side.arguments:
        return paragraph(no_argument(e, side))
    first, *others = side.arguments
    return paragraph(
        f"it should be {side.word} {amount(e, side.bound)}: {premise(e, first, side)}",
        contradicted_target(e, first),
        near_duplicates(first),
        unknown_cost(e, first),
        *comparison_sentences(first, e.attributes, side.rivals[0] if side.rivals else None),
        further_arguments(e, side, others),
    )


def no_argument(e: RegressionExplanation, side: Side) -> str:
    """The sentence in place of the arguments of a side that has none: the bound is where all fitted values end."""
    where, end = ("below", "smallest") if side.is_lower else ("above", "largest")
    bound = f"{side.word} {amount(e, side.bound)}, the {end} value that a training row is taken to have"
    return f"no training row {where} it is near enough to say more than that it should be {bound}"


def premise(e: RegressionExplanation, argument: RegressionArgument, side: Side) -> str:
    """The value of the training row, how similar the two rows are, and by how much their values may differ."""
    one_sided, lower = is_one_sided(argument), "lower" if side.is_lower else "higher"
    value = f"the value {amount(e, argument.fitted)}"
    if e.target is not None:
        value = target_number(float(argument.fitted), e.target, e.unit)
    row = f"training row {row_name(argument.id)} has {value} and"
    resembles = match_clause(argument, side) if one_sided else similarity_clause(argument)
    if argument.allowance <= TEXT_TOL * max(e.ends[1] - e.ends[0], abs(argument.fitted)):
        same = f"is no {lower}" if one_sided else "has the same value"
        return f"{row} {resembles}, which therefore {same}"
    differ = f"this row is {lower} by" if one_sided else "the two differ by"
    degree = format_degree(argument.similarity)
    return f"{row} {resembles} ({degree}), so that {differ} at most {amount(e, argument.allowance)}"


def match_clause(argument: RegressionArgument, side: Side) -> str:
    """How far the explained row is on the free side: "is nearly matched or exceeded by this row"."""
    exceeded = "exceeded" if side.is_lower else "undercut"
    return f"is {grade(argument.similarity, MATCHES).format('matched', exceeded)} by this row"


def is_contradicted(e: RegressionExplanation, argument: RegressionArgument) -> bool:
    """Whether a training row is taken to have another value than its target, by a notable difference."""
    return abs(argument.target - argument.fitted) > NOTABLE * (e.ends[1] - e.ends[0])


def contradicted_target(e: RegressionExplanation, argument: RegressionArgument) -> str:
    """The target of a training row that is taken to have another value; nothing if it has its target."""
    if not is_contradicted(e, argument):
        return ""
    own = target_word(e.target, "target")
    return f"its own {own}, {amount(e, argument.target)}, is contradicted by other rows"


def unknown_cost(e: RegressionExplanation, argument: RegressionArgument) -> str:
    """How much further out a bound is because values are unknown, in the unit of the target."""
    if argument.unknown_cost < LEAST_COST:
        return ""
    further = amount(e, argument.unknown_cost * (e.ends[1] - e.ends[0]))
    return cost_sentence(argument, e.attributes, f"moves this bound out by up to {further}")


def further_arguments(e: RegressionExplanation, side: Side, others: Sequence[RegressionArgument]) -> str:
    """The arguments after the strongest, with their bounds."""
    if not others:
        return ""
    bounds = [amount(e, argument.says) for argument in others]
    rows = rows_with_notes(others, [f"{side.word} {bound}" for bound in bounds])
    # Bounds are compared as they are shown: a reader who sees the same number should read "the same".
    are_equal = all(bound == amount(e, side.arguments[0].says) for bound in bounds)
    says = "says" if len(others) == 1 else "say"
    return f"{rows} {says} {'the same' if are_equal else 'so too, less strongly'}"


def room_between_bounds(e: RegressionExplanation) -> str:
    """How far the bounds are apart, beside the range of all targets."""
    if e.most <= e.least:
        return f"all training rows have the target {amount(e, e.least)}"
    low, high = e.ends
    targets, what = f"{amount(e, low)} to {amount(e, high)}", all_targets(e)
    if e.upper - e.lower <= TEXT_TOL * (high - low):
        return f"the bounds meet: they leave no room at all ({what.removeprefix('all ')} range from {targets})"
    if e.resembles_nothing:
        return f"there is no comparable case among the training rows: the bounds leave room for {what} ({targets})"
    if e.width >= 1:
        return f"the evidence is weak: the bounds leave room for more than the range of {what} ({targets})"
    weak = "the evidence is weak: " if e.width > WIDE else ""
    share = f"{100 * e.width:.0f} %" if e.width >= 0.01 else "less than 1 %"
    room = amount(e, e.upper - e.lower)
    return f"{weak}the bounds leave room for {room}, {share} of the range of {what} ({targets})"


def all_targets(e: RegressionExplanation) -> str:
    """Which targets the room between the bounds is compared with."""
    return "all targets" if e.usual is None else "the usual targets"


def guaranteed_changes(e: RegressionExplanation) -> str:
    """By how much the prediction changes at most if a single feature changes, for the most relevant features."""
    if e.slope is None:
        return "under these settings there is no guarantee of how much the prediction changes if the row changes"
    effects = [(effect, effect.change) for effect in features_by_relevance(e) if effect.change]
    # Of an unknown value nobody can say by how much it changes.
    effects = [(effect, change) for effect, change in effects if effect.value is not None][:MOST_EFFECTS]
    if not effects:
        # Only distances are known, so the guarantee is about a distance.
        step = f"by at most {amount(e, 0.1 * e.slope)} if the row moves by 0.1 in the model's distance"
        return f"the prediction changes {step}"
    parts = [f"by at most {amount(e, change)} if {feature_step(effect)}" for effect, change in effects]
    return f"the prediction changes {listed(parts)}"


def feature_step(effect: FeatureEffect) -> str:
    """The change of one feature to which a guarantee applies: "'age' alone changes by 5 years"."""
    if effect.step is None:
        return f"{quoted(effect.name)} alone has another category"
    if effect.kind == "binary":
        return f"{quoted(effect.name)} alone has another value"
    return f"{quoted(effect.name)} alone changes by {format_number(effect.step, effect.unit)}"


def features_by_relevance(e: RegressionExplanation) -> list[FeatureEffect]:
    """The features, first those that keep the row apart from the strongest arguments."""
    apart = separating_shares((*e.at_least[:1], *e.at_most[:1]))
    return sorted(e.attributes, key=lambda effect: -apart.get(effect.name, 0.0))


def monotone_features(e: RegressionExplanation) -> tuple[str, ...]:
    """The features that can only raise the prediction, and those that can only lower it."""
    found = []
    for direction, verb in ((1, "lowers"), (-1, "raises")):
        names = [quoted(effect.name) for effect in e.attributes if effect.direction == direction]
        if names:
            found.append(f"more of {listed(names, 'or')} never {verb} it")
    return tuple(found)
