"""How sure a prediction is in words: how far ahead, on how much evidence, how far from changing."""

from __future__ import annotations

from fgac._tolerances import TEXT_TOL
from fgac.explanation.classification import Explanation, FeatureValue
from fgac.text.arguments import Grades, graded, is_averaged
from fgac.text.words import allowance, listed, named, number, paragraph, quoted

# A lead smaller than this hardly decides.
CLOSE = 0.1
AHEAD: Grades = ((0.4, "clearly"), (CLOSE, "somewhat"), (0.0, "barely"))
# An interval wider than this says little.
WIDE = 0.5
# Smaller steps cannot be told from none, larger ones are no limit.
STEPS = 1e-300, 1e300


def sureness(e: Explanation) -> str:
    """How sure the prediction is, and how far from changing."""
    if e.runner_up is None:
        return paragraph(lone_class(), weakness(e))
    if e.tied:
        return paragraph(draw(e), weakness(e))
    return paragraph(lead(e), weakness(e), reach(e), *alone(e))


def lone_class() -> str:
    """There is no other class."""
    return "the training data have no other class that could be predicted"


def draw(e: Explanation) -> str:
    """Several classes have the largest degree."""
    names = listed(named(label) for label in e.tied)
    return f"{names} tie at {number(e.degree)}: only the rule for ties makes {named(e.prediction)} the prediction"


def lead(e: Explanation) -> str:
    """The runner-up, and how far behind it is."""
    second = next(m.degree for m in e.memberships if m.label == e.runner_up)
    degrees = number(e.degree), number(second)
    by = f"{degrees[0]} against {degrees[1]}" if degrees[0] != degrees[1] else f"by {number(e.margin)}"
    return f"{named(e.prediction)} is {graded(e.margin, AHEAD)} ahead of {named(e.runner_up)} ({by})"


def weakness(e: Explanation) -> str:
    """A warning where the evidence is thin, undecided, or fits no class."""
    average = is_averaged(e)  # averages over many rows leave room even where single rows are sure
    if e.upper - e.lower > WIDE and not average:
        room = f"any degree between {number(e.lower)} and {number(e.upper)}"
        but = "" if e.tied or e.runner_up is None or e.margin < CLOSE else "but "
        return f"{but}the evidence is weak: the training rows leave room for {room}"
    if len(e.memberships) > 2 and e.degree < 0.5 and not average:
        return "no class fits well: this row belongs to none of them even to 0.50"
    if e.margin < CLOSE and not e.tied:
        return "the training rows hardly decide between the two"
    return ""


def reach(e: Explanation) -> str:
    """How far the row may move before the prediction can change."""
    if e.certified_radius is None:
        return "under these settings there is no guarantee of how much the row may change before the prediction does"
    if e.certified_radius < TEXT_TOL:
        return "the row lies on the edge: the slightest change may change the prediction"
    step = f"less than {allowance(e.certified_radius)} in the model's distance"
    return f"the prediction stays as long as the row moves by {step}"


def alone(e: Explanation) -> tuple[str, ...]:
    """What a change in a single attribute can do."""
    if e.certified_radius is None:
        return ()
    readings = by_relevance(e)
    if e.certified_radius < TEXT_TOL:
        return (unlimited(readings),)
    return moved(readings), switched(readings), unlimited(readings)


def by_relevance(e: Explanation) -> list[FeatureValue]:
    """Attributes, first those that keep the row apart from the strongest argument against it."""
    opponent = e.arguments_against[0].attributes if e.arguments_against else ()
    apart = {comparison.name: comparison.apart for comparison in opponent}
    return sorted(e.attributes, key=lambda reading: (-apart.get(reading.name, 0.0), relative(reading)))


def relative(reading: FeatureValue) -> float:
    """How far a number may move, relative to itself."""
    size = 0.0 if isinstance(reading.value, str) else abs(reading.value)
    return reading.radius / size if reading.radius and size else float("inf")


def moved(readings: list[FeatureValue]) -> str:
    """By how much single numbers may change."""
    least, most = STEPS
    free = [(r, r.radius) for r in readings if not r.is_nominal and r.radius is not None and least < r.radius < most]
    told, before = [], ""
    for r, radius in free[:2]:
        verb = {0: " changes", 1: " falls", -1: " rises"}[r.direction]
        told.append(f"{quoted(r.name)} alone{verb * (verb != before)} by less than {allowance(radius, r.unit)}")
        before = verb
    return f"for example, it stays if {', or '.join(told)}" if told else ""


def unlimited(readings: list[FeatureValue]) -> str:
    """Ordered attributes, which one way may change by any amount."""
    ways = {way: [r for r in readings if r.direction == way and r.radius is not None] for way in (1, -1)}
    parts = []
    for way, verb in ((1, "rise"), (-1, "fall")):
        names = [quoted(r.name) for r in ways[way][:3]]
        if len(ways[way]) > 3:
            names[2:] = [f"{len(ways[way]) - 2} others"]
        if names:
            parts.append(f"{listed(names)} {verb}{'s' * (len(names) == 1)}")
    return f"it stays however much {' and '.join(parts)}" if parts else ""


def switched(readings: list[FeatureValue]) -> str:
    """What another category in a single attribute can do."""
    nominal = [reading for reading in readings if reading.is_nominal]
    risky = [reading for reading in nominal if reading.radius is not None]
    told, can = (risky, "might already change it") if risky else (nominal, "cannot change it")
    if not told:
        return ""
    if len(told) <= 3:
        return f"another category in {listed((quoted(r.name) for r in told), 'or')} alone {can}"
    such = listed(quoted(r.name) for r in told[:2])
    return f"another category in any one of {len(told)} attributes alone, such as {such}, {can}"
