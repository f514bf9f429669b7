"""One argument in words: a training row is similar AND belongs to the class, SO the explained row belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from fgac._tolerances import TEXT_TOL
from fgac._typing import Label
from fgac.explanation.arguments import FeatureComparison, Value
from fgac.explanation.classification import Argument, Explanation, FeatureValue
from fgac.text.one_sided import as_far, is_directed, matched, surpasses
from fgac.text.words import at_least, at_most, called, in_line, listed, named, number, quoted, two_values
from fgac.text.words import value as said

Grades = Sequence[tuple[float, str]]

# The first phrase whose number is reached.
SIMILAR: Grades = (
    (1.0, "is just like"),
    (0.9, "is very similar to"),
    (0.5, "is similar to"),
    (0.2, "is somewhat similar to"),
    (2 * TEXT_TOL, "is only slightly similar to"),
    (0.0, "is not similar to"),
)


BELONGS: Grades = ((1.0, "fully belongs to {}"), (0.5, "belongs to {}"), (0.0, "belongs only in part to {}"))
STAYS_OUT: Grades = (
    (1.0, "does not belong to {} at all"),
    (0.5, "does not belong to {}"),
    (0.0, "does not quite belong to {}"),
)


# Of the attributes that keep two rows apart, enough are named to make up this share, but at most three.
MOST = 0.6


@dataclass(frozen=True)
class Side:
    """The arguments for, or against, and the bound that follows from them."""

    word: str
    arguments: tuple[Argument, ...]
    rivals: tuple[Argument, ...]
    rest: float
    total: float
    bound: str


def sides(e: Explanation) -> tuple[Side, Side]:
    """Both sides of an explanation."""
    favour, against = e.arguments_for, e.arguments_against
    return (
        Side("for", favour, against, e.rest_for, e.lower, at_least(e.lower)),
        Side("against", against, favour, e.rest_against, 1 - e.upper, at_most(e.upper)),
    )


def is_averaged(e: Explanation) -> bool:
    """Whether the bounds are averages over many rows, not single arguments."""
    for side in sides(e):
        expected = [1.0, *(0.0 for _ in side.arguments[1:])]
        differ = any(abs(a.weight - w) > TEXT_TOL for a, w in zip(side.arguments, expected, strict=False))
        if differ or abs(side.rest) > TEXT_TOL:
            return True
    return False


def graded(x: float, grades: Grades) -> str:
    """The phrase for a degree.

    >>> graded(0.95, SIMILAR), graded(0.3, BELONGS)
    ('is very similar to', 'belongs only in part to {}')
    """
    return next((phrase for least, phrase in grades if x >= least - TEXT_TOL), grades[-1][1])


def similar(argument: Argument) -> str:
    """How much the training row is like the explained one: "is similar to this row (0.85)"."""
    return f"{graded(argument.similarity, SIMILAR)} this row ({number(argument.similarity)})"


def belongs(argument: Argument, e: Explanation, side: Side) -> tuple[Label, str]:
    """How much the training row is in the predicted class, or is not, and the class that is spoken of.

    With two classes, not to belong to the one is to belong to the other: "belongs to 'benign' (0.95)".
    """
    other_of_two = len(e.memberships) == 2 and argument.label != e.prediction
    label = argument.label if side.word == "against" and other_of_two else e.prediction
    grades = BELONGS if side.word == "for" or other_of_two else STAYS_OUT
    return label, f"{graded(argument.degree, grades).format(named(label))} ({number(argument.degree)})"


def premise(argument: Argument, e: Explanation, side: Side) -> str:
    """Similar AND belongs: "training row 203 is similar to this row (0.85) and belongs to 'malignant' (0.95)"."""
    spoken_of, belonging = belongs(argument, e, side)
    if is_directed(argument):
        return f"training row {called(argument.id)} {belonging}, and {matched(argument, e)}"
    labelled = "" if argument.label == spoken_of else f", labelled {named(argument.label)},"
    return f"training row {called(argument.id)}{labelled} {similar(argument)} and {belonging}"


def echoed(argument: Argument) -> str:
    """Rows that say the same."""
    n = len(argument.alike)
    like = f"like training row {called(argument.id)}"
    if not n:
        return ""
    return f"another row {like} says the same" if n == 1 else f"another {n} rows {like} say the same"


def compared(argument: Argument, e: Explanation, rivals: Sequence[Argument] = ()) -> tuple[str, ...]:
    """What the two rows share, first what they do not share with the rival, and what keeps them apart."""
    if not argument.attributes:
        return ()
    readings = {reading.name: reading for reading in e.attributes}
    contrast = {c.name: c.apart for c in rivals[0].attributes} if rivals else {}
    beyond = surpassing(argument, readings, contrast)
    if not any(c.apart > 0 for c in argument.attributes):
        plain = [c for c in argument.attributes if not surpasses(c, readings[c.name])]
        if not beyond:
            return ("the two are equal in every attribute that counts",)
        return (beyond, "the two are equal in every other attribute that counts" if plain else "")
    return beyond, shared(argument, readings, contrast), separating(argument, readings)


def surpassing(argument: Argument, readings: dict[str, FeatureValue], contrast: dict[str, float]) -> str:
    """Ordered attributes in which the explained row is at least as far, first those in which the rival is not."""
    found = [c for c in argument.attributes if c.name in readings and surpasses(c, readings[c.name])]
    found.sort(key=lambda c: (-contrast.get(c.name, 0.0), -c.close))
    told = found[: 3 if len(found) < 4 else 2]
    shown = {way: [beside(c, readings) for c in told if c.direction == way] for way in (1, -1)}
    return as_far(shown, len(found) - len(told), len(argument.attributes))


def shared(argument: Argument, readings: dict[str, FeatureValue], contrast: dict[str, float]) -> str:
    """Attributes in which the two rows are equal, or at least closest."""
    close = sorted((c for c in argument.attributes if c.close > 0 and not c.direction), key=lambda c: -c.close)
    equal = [c for c in close if c.value is not None and c.name in readings and c.value == readings[c.name].value]
    if not equal:
        told_later = told_apart(argument)
        nearest = [beside(c, readings) for c in close if c not in told_later][:2]
        return f"the two are closest in {listed(nearest)}" if nearest else ""
    equal.sort(key=lambda c: -contrast.get(c.name, 0.0))
    shown = [f"{quoted(c.name)} ({shown_value(readings[c.name])})" for c in equal[: 3 if len(equal) < 4 else 2]]
    more = len(equal) - len(shown)
    if more:
        shown.append(f"{more} more of {len(argument.attributes)} attributes")
    return f"the two agree in {listed(shown)}"


def separating(argument: Argument, readings: dict[str, FeatureValue]) -> str:
    """The attributes that keep the two rows apart most."""
    told = told_apart(argument)
    names = listed(beside(c, readings) for c in told)
    if len(told) == sum(c.apart > 0 for c in argument.attributes):
        return f"only {names} keep{'s' * (len(told) == 1)} them apart"
    return f"what keeps them apart most is {names}"


def told_apart(argument: Argument) -> list[FeatureComparison]:
    """Those that make up most of the difference, three at most, and all if there are only two."""
    apart = sorted((c for c in argument.attributes if c.apart > 0), key=lambda c: -c.apart)
    if len(apart) <= 2:
        return apart
    before = accumulate((c.apart for c in apart), initial=0.0)
    return [c for c, share in zip(apart[:3], before, strict=False) if share < MOST]


def beside(comparison: FeatureComparison, readings: dict[str, FeatureValue]) -> str:
    """An attribute with the values of both rows, as far as they are known: "'age' (45 years here, 61 years there)"."""
    name, reading = quoted(comparison.name), readings.get(comparison.name)
    if reading is None:
        return name
    if comparison.value is None:
        return f"{name} ({shown_value(reading)} here)"
    here, there = pair(reading.value, comparison.value, reading.unit)
    if comparison.direction and reading.value == comparison.value:
        return f"{name} ({here} in both)"
    if comparison.direction and not surpasses(comparison, reading):
        return f"{name} ({here} here, {'lower' if comparison.direction > 0 else 'higher'} than {there} there)"
    return f"{name} ({here} here, {there} there)"


def pair(here: Value, there: Value, unit: str) -> tuple[str, str]:
    """Two values for a sentence."""
    first, second = two_values(here, there, unit)
    return in_line(first), in_line(second)


def shown_value(reading: FeatureValue) -> str:
    """A value of the explained row for a sentence."""
    return in_line(said(reading.value, reading.unit))


def joined(arguments: Sequence[Argument], notes: Sequence[str]) -> str:
    """Several training rows, each with a note in brackets: "training rows 5 (0.71) and 9 (0.64)"."""
    rows = [f"{called(argument.id)} ({note})" for argument, note in zip(arguments, notes, strict=True)]
    return f"training row{'s' * (len(rows) > 1)} {listed(rows)}"


def noted(argument: Argument, e: Explanation, note: str) -> str:
    """A note on a training row, after its class where that could be any of several."""
    several = len(e.memberships) > 2 and argument.label != e.prediction
    return f"{named(argument.label)}, {note}" if several else note
