"""A whole explanation in words: the verdict, what speaks for it, what against, how sure it is."""

from __future__ import annotations

from fgac._tolerances import SHARE_SUM_TOL, TEXT_TOL
from fgac.explanation.classification import Argument, Explanation
from fgac.text.arguments import (
    BELONGS,
    Side,
    compared,
    echoed,
    graded,
    is_averaged,
    joined,
    noted,
    premise,
    sides,
    similar,
)
from fgac.text.certainty import lone_class, sureness
from fgac.text.feature_weights import weighing
from fgac.text.one_sided import is_directed, matched
from fgac.text.words import at_least, at_most, called, named, number, paragraph


def tell(explanation: Explanation) -> str:
    r"""Say an explanation in plain English, one line for each: verdict, argument for, argument against, how sure.

    >>> from fgac.explanation.classification import Argument, Explanation, Membership
    >>> row = Argument(203, 203, "malignant", 0.05, 0.85, 0.95, 0.95, 0.8, 1.0, attributes=(), alike=(204,))
    >>> degrees = Membership("benign", 0.0, 0.2, 0.1), Membership("malignant", 0.8, 1.0, 0.9)
    >>> print(tell(Explanation(
    ...     index=0, id=12, prediction="malignant", truth=None, lower=0.8, upper=1.0, degree=0.9, margin=0.8,
    ...     runner_up="benign", certified_radius=0.13, memberships=degrees, arguments_for=(row,),
    ...     arguments_against=(), rest_for=0.0, rest_against=0.0, tied=(), resembles_nothing=False, nearest=None,
    ...     attributes=())))  # doctest: +NORMALIZE_WHITESPACE
    Prediction for row 12: 'malignant'. The row belongs to this class to a degree of 0.90 out of 1 (at least 0.80, at
    most 1.00).
    The strongest argument for it: training row 203 is similar to this row (0.85) and belongs to 'malignant' (0.95),
    so this row belongs to 'malignant' to at least 0.80. Another row like training row 203 says the same.
    Nothing speaks against it.
    'malignant' is clearly ahead of 'benign' (0.90 against 0.10). The prediction stays as long as the row moves by less
    than 0.13 in the model's distance.
    """
    e = explanation
    if e.resembles_nothing:
        parts = [verdict(e), guess(e)]
    else:
        parts = [verdict(e), *(argued(e, side) for side in sides(e)), sureness(e)]
    return "\n".join(filter(None, [*parts, weighing(e.attributes)]))


def verdict(e: Explanation) -> str:
    """The predicted class, its degree and bounds, and whether that is right."""
    if e.resembles_nothing:
        return paragraph(f"prediction for row {called(e.id)}: {named(e.prediction)}, but only as a guess", truth(e))
    bounds = f"{at_least(e.lower)}, {at_most(e.upper)}"
    degree = f"the row belongs to this class to a degree of {number(e.degree)} out of 1 ({bounds})"
    return paragraph(f"prediction for row {called(e.id)}: {named(e.prediction)}", degree, truth(e))


def truth(e: Explanation) -> str:
    """Whether the prediction is right, if that is known."""
    if e.truth is None:
        return ""
    outcome = "right" if e.truth == e.prediction else "wrong"
    what = "guess" if e.resembles_nothing else "prediction"
    return f"the row is in fact labelled {named(e.truth)}, so the {what} is {outcome}"


def argued(e: Explanation, side: Side) -> str:
    """Everything on one side: what speaks loudest, at length, and the others shortly."""
    if not side.arguments:
        return paragraph(silence(side))
    first, *others = side.arguments
    average, shares = is_averaged(e), has_shares(e, side)
    conclusion = f", which {effect(side, share(first))}" if shares else ""
    return paragraph(
        f"on average over many training rows, {bounded(e, side)}" if average else "",
        f"the strongest argument {side.word} it: {premise(first, e, side)}"
        + (conclusion if average else f", so {bounded(e, side)}"),
        echoed(first),
        *compared(first, e, side.rivals),
        also(e, side, others, shares),
        f"all other rows together {effect(side, side.rest, plural=True)}" if shares and side.rest > TEXT_TOL else "",
    )


def bounded(e: Explanation, side: Side) -> str:
    """The bound that follows: "this row belongs to 'malignant' to at least 0.80"."""
    return f"this row belongs to {named(e.prediction)} to {side.bound}"


def silence(side: Side) -> str:
    """There is no argument on this side."""
    if side.word == "against":
        return "nothing speaks against it"
    return "no training row is similar enough to speak for it; it is predicted because no other class fits better"


def also(e: Explanation, side: Side, others: list[Argument], shares: bool) -> str:
    """Further arguments, with their strengths, or with what they add to an average."""
    if not others:
        return ""
    notes = [effect(side, share(a)) if shares else number(a.strength) for a in others]
    told = joined(others, [noted(a, e, note) for a, note in zip(others, notes, strict=True)])
    return f"{told} also speak{'s' * (len(others) == 1)} {side.word} it"


def effect(side: Side, x: float, plural: bool = False) -> str:
    """What something does to a bound that is an average: "adds 0.24", "takes 0.24 away"."""
    verb, after = ("add", "") if side.word == "for" else ("take", " away")
    return f"{verb}{'s' * (not plural)} {number(x)}{after}"


def share(argument: Argument) -> float:
    """What an argument adds to a bound that is an average."""
    return argument.weight * argument.strength


def has_shares(e: Explanation, side: Side) -> bool:
    """Whether the bound is an average that the arguments' shares add up to.

    Under an isomorphism what is taken away is no multiple of the strength; then only strengths are told.
    """
    return is_averaged(e) and abs(sum(map(share, side.arguments)) + side.rest - side.total) < SHARE_SUM_TOL


def guess(e: Explanation) -> str:
    """No training row says anything about the row."""
    nothing = "no training row is similar enough to say anything about this row"
    return paragraph(f"{nothing}, so every degree from 0 to 1 is possible", *nearest(e), followed(e))


def nearest(e: Explanation) -> tuple[str, ...]:
    """The training row that comes nearest to being an argument."""
    if e.nearest is None:
        return ()
    label = named(e.nearest.label)
    partly = f"{graded(e.nearest.degree, BELONGS).format(label)} ({number(e.nearest.degree)})"
    also = e.nearest.similarity > TEXT_TOL
    if is_directed(e.nearest):
        far = f"{matched(e.nearest, e)}{f', and it {partly}' * also}"
    else:
        far = f"{similar(e.nearest)}{f' and {partly}' * also}"
    return (
        f"training row {called(e.nearest.id)}, labelled {label}, comes nearest, but {far}",
        *compared(e.nearest, e),
    )


def followed(e: Explanation) -> str:
    """What a guess goes by."""
    if len(e.memberships) < 2:
        return lone_class()
    if e.nearest is not None and e.nearest.label == e.prediction:
        return f"the prediction merely follows training row {called(e.nearest.id)}"
    return f"only the rule for ties makes {named(e.prediction)} the prediction"
