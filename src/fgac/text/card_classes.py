"""The card of a predicted class, ordered or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fgac._typing import Label
from fgac.explanation.classification import Argument, Explanation
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.text.arguments import similarity_clause
from fgac.text.card import UNTESTED, Alternative, Card, CardSide
from fgac.text.case import Case, case
from fgac.text.certainty import AHEAD, CLOSE, ONLY_CLASS, WIDE, features_by_relevance, own_probability
from fgac.text.changes import MOST_FLIPS, flips, harmless_changes
from fgac.text.one_sided import is_one_sided, match_phrase
from fgac.text.sides import is_averaged, is_contradictory
from fgac.text.target import bare_class, target_class
from fgac.text.unknown import doubtful_values
from fgac.text.words import format_value, grade, listed, on_even_scale, sentence

AGAINST = "What speaks against it"
UNTESTED_CASES = f"how often such cases are right, {UNTESTED}"
NOTHING = "Nothing does."
NEAREST = "No comparable case; the nearest row"
# A training row that belongs to its own class by less than this, on an even scale, is contradicted by others.
DOUBTED = 0.5


def card(e: Explanation) -> Card:
    """Lay out an explanation of a predicted class for a first look."""
    return _card(e, e, remarks(e))


def ordinal_card(e: OrdinalExplanation) -> Card:
    """Lay out an explanation of ordered classes: its two sides are those of the closer boundary."""
    if e.closest is None:
        return _card(e, None, ())
    said = remarks(e.closest)
    if len(e.boundaries) > 1 and not e.resembles_nothing:
        closer = f"the closer call is whether it is {bare_class(e.closest.runner_up, e.target)}"
        said = (closer, *(said if e.closest.tied else said[1:]))
    # The radii are those of the class, which both boundaries limit.
    return _card(e, replace(e.closest, attributes=e.attributes, certified_radius=e.certified_radius), said)


def _card(e: Explanation | OrdinalExplanation, part: Explanation | None, said: Sequence[str]) -> Card:
    """The card of a prediction, whose arguments and safe changes are those of ``part``; None if there is one class."""
    prediction = bare_class(e.prediction, e.target)
    sure, sure_of = _sureness(e, part)
    if part is None:
        favour, against = CardSide(f"Why {prediction}", None, sentence(ONLY_CLASS)), CardSide(AGAINST, None, NOTHING)
    else:
        favour, against = card_sides(part)
    return Card(
        row=format_value(e.id),
        prediction=prediction,
        outcome=_outcome(e.truth, e.prediction, e.target),
        sure=sure,
        sure_of=sure_of,
        remarks=_sentences(*said),
        favour=favour,
        against=against,
        flips=flips(e)[:MOST_FLIPS],
        stays=() if part is None else _stays(part),
        unknown=_sentences(*doubtful_values(e)),
        alternatives=tuple(_alternatives(e)),
        asked=question(e),
    )


def question(e: Explanation | OrdinalExplanation) -> str:
    """What was asked, if it is not why the predicted class is predicted: "Why not approve?"."""
    if e.about is None or e.about == e.prediction:
        return ""
    return f"Why not {bare_class(e.about, e.target)}?"


def card_sides(e: Explanation) -> tuple[CardSide, CardSide]:
    """The strongest case for the class that an explanation is about, and the strongest case against it."""
    about = e.subject
    why, why_not = f"Why {bare_class(about, e.target)}", AGAINST
    if about != e.prediction:
        name = bare_class(about, e.target)
        why, why_not = f"What speaks for {name}", f"Why not {name}"
    if e.resembles_nothing:
        nearest = _case(e, e.nearest, None, is_for=True) if e.nearest else None
        heading = NEAREST if nearest else why
        nobody = "There is no comparable case among the training rows."
        return CardSide(heading, nearest, nobody, is_argument=False), CardSide(
            why_not, None, "No comparable case, either.", is_argument=False
        )
    first_for, first_against = (next(iter(side), None) for side in (e.arguments_for, e.arguments_against))
    nothing = "No similar case; no other class fits better." if about == e.prediction else "No similar case does."
    return (
        CardSide(why, _case(e, first_for, first_against, is_for=True) if first_for else None, nothing),
        CardSide(why_not, _case(e, first_against, first_for, is_for=False) if first_against else None, NOTHING),
    )


def remarks(e: Explanation) -> tuple[str, ...]:
    """How far the predicted class is ahead, and what makes its evidence weak."""
    if e.resembles_nothing:
        return ("no training row is similar enough to argue about it",)
    if e.runner_up is None:
        return (ONLY_CLASS,)
    if e.tied:
        return (f"nothing but a rule for ties decides between {listed(target_class(k, e.target) for k in e.tied)}",)
    runner_up = target_class(e.runner_up, e.target)
    if e.reliability is not None:
        # How often such cases were right says more than a lead, and the two may seem to disagree.
        return (f"next comes {runner_up}",) if len(e.memberships) > 2 else ()
    return f"{grade(e.margin, AHEAD)} ahead of {runner_up}", _weakness(e)


def _weakness(e: Explanation) -> str:
    """Why the evidence is weak, without numbers; they are in :func:`fgac.text.certainty.weakness`."""
    if e.subject != e.prediction:  # the bounds are those of another class
        return ""
    if is_contradictory(e):
        return "similar training rows contradict each other"
    if is_averaged(e):
        return ""
    if e.upper - e.lower > WIDE:
        return "but the evidence is weak" if e.margin >= CLOSE else "the evidence is weak"
    if len(e.memberships) > 2 and e.degree < e.threshold:
        return "no class fits well"
    return ""


def _sureness(e: Explanation | OrdinalExplanation, part: Explanation | None) -> tuple[str, str]:
    """How sure a prediction is, in two or three words, and what they are said of."""
    found, tied = e.reliability, () if part is None else part.tied
    if e.resembles_nothing:
        return "A guess", ": there is no comparable case."
    if found is not None:
        held_out = f"{found.n_right} of {found.n_cases} rows held out"
        own = own_probability(found)
        own = f" {sentence(own)}" if own else ""
        return f"{found.right_of_100} of 100", f" such cases were right ({held_out}).{own}"
    if tied:
        return "A tie", f". {sentence(UNTESTED_CASES)}"
    return "Not known", f". {sentence(UNTESTED_CASES)}"


def _outcome(truth: Label | None, prediction: Label, target: str | None) -> str:
    """What the row really is, if that is known."""
    if truth is None:
        return ""
    verdict = "right" if truth == prediction else "wrong"
    return f"In fact it is {target_class(truth, target)}, so the prediction is {verdict}."


def _case(e: Explanation, argument: Argument, rival: Argument | None, *, is_for: bool) -> Case:
    """A training row beside the explained row, with what is odd about its label."""
    resembles = similarity_clause(argument, e.threshold).removeprefix("is ")
    if is_one_sided(argument):
        # A one-sided model has two classes, the higher one last. A nearest row speaks for its own class.
        higher = e.memberships[-1].label
        is_higher = argument.label == higher if e.resembles_nothing else (e.subject == higher) == is_for
        resembles = match_phrase(argument, is_higher=is_higher, threshold=e.threshold)
    return case(
        argument,
        e.attributes,
        says=bare_class(argument.label, e.target),
        resembles=resembles,
        notes=(_label_note(e, argument, is_for=is_for),),
        rival=rival,
    )


def _label_note(e: Explanation, argument: Argument, *, is_for: bool) -> str:
    """That other rows contradict the label of a training row, where they do."""
    if not is_for and argument.label == e.subject:
        return "it has this label itself, but other rows contradict it"
    return "other rows contradict its label" if on_even_scale(argument.membership, e.threshold) < DOUBTED else ""


def _stays(e: Explanation) -> tuple[str, ...]:
    """What may change without changing the class; nothing can be said of a tie or a guess."""
    if e.runner_up is None:
        return (sentence(ONLY_CLASS),)
    return _sentences(*harmless_changes(features_by_relevance(e), e.certified_radius))


def _alternatives(e: Explanation | OrdinalExplanation) -> Iterator[Alternative]:
    """The classes that are not predicted, where the explanation has arguments about them.

    Of ordered classes these are told at the boundary that the row would have to cross. Without arguments about all of
    them there are still those of the boundary that is not the closer one.
    """
    for other in e.alternatives:
        turned = e.about_class(other.label)
        yield Alternative(bare_class(other.label, e.target), *card_sides(_boundary_in_question(turned)))
    if isinstance(e, OrdinalExplanation) and not e.alternatives:
        for part in e.boundaries:
            if part is not e.closest and part.runner_up is not None:
                yield Alternative(bare_class(part.runner_up, e.target), *card_sides(part))


def _boundary_in_question(e: Explanation | OrdinalExplanation) -> Explanation:
    """Of an explanation about an ordered class that is not predicted, that of the boundary which the row is beyond."""
    if isinstance(e, Explanation):
        return e
    return next((part for part in e.boundaries if part.subject != part.prediction), e.boundaries[0])


def _sentences(*texts: str) -> tuple[str, ...]:
    return tuple(sentence(text) for text in texts if text)
