"""How certain a predicted class is, in words: its lead, the evidence for it, and how far the row is from another class.

All changes that are promised to be harmless come from radii of the explanation, which are certified.
"""

from __future__ import annotations

from collections.abc import Sequence

from fgac._tolerances import TEXT_TOL
from fgac.explanation.classification import Explanation, FeatureValue
from fgac.explanation.reliability import Reliability
from fgac.text.arguments import separating_shares
from fgac.text.sides import is_averaged, is_contradictory
from fgac.text.target import target_class
from fgac.text.words import Grades, class_name, format_degree, format_radius, grade, listed, paragraph, quoted

# A lead smaller than this hardly decides.
CLOSE = 0.1
AHEAD: Grades = ((0.4, "clearly"), (CLOSE, "somewhat"), (0.0, "barely"))
# Bounds of a degree that are further apart than this hardly restrict it.
WIDE = 0.5
# Radii beyond these are practically 0, or no limit at all; rounding them could leave the range of a double.
SMALLEST_RADIUS, LARGEST_RADIUS = 1e-300, 1e300

ONLY_CLASS = "the training data have no other class that could be predicted"


def certainty(e: Explanation) -> str:
    """How far the predicted class is ahead, on how much evidence, and what keeps the prediction as it is."""
    if e.runner_up is None:
        return paragraph(ONLY_CLASS, weakness(e))
    if e.subject in e.tied or (e.tied and e.about is None):
        return paragraph(tie(e), weakness(e))
    return paragraph(lead(e), weakness(e), *safe_changes(e))


def tie(e: Explanation) -> str:
    """The classes that have the largest degree, and why one of them is predicted."""
    names = listed(target_class(label, e.target) for label in e.tied)
    rule = f"only the rule for ties makes {target_class(e.prediction, e.target)} the prediction"
    # A sentence begins with a capital, which the name of a target may not have.
    begin = "" if e.target is None else "the classes "
    return f"{begin}{names} tie at {format_degree(e.predicted.degree)}: {rule}"


def lead(e: Explanation) -> str:
    """The runner-up, or the class that was asked about, and how far behind it is."""
    behind = e.runner_up if e.about is None else e.about
    second = next(m.degree for m in e.memberships if m.label == behind)
    degrees = format_degree(e.predicted.degree), format_degree(second)
    margin = e.margin if e.about is None else e.predicted.degree - second
    # Two degrees that look the same with two decimals say less than their difference.
    by = f"{degrees[0]} against {degrees[1]}" if degrees[0] != degrees[1] else f"by {format_degree(margin)}"
    first = class_name(e.prediction) if e.target is None else f"the class {target_class(e.prediction, e.target)}"
    return f"{first} is {grade(margin, AHEAD)} ahead of {target_class(behind, e.target)} ({by})"


def weakness(e: Explanation) -> str:
    """A warning where the evidence is contradictory, thin, undecided, or fits no class; else nothing."""
    if is_contradictory(e):
        least, most = format_degree(e.upper), format_degree(e.lower)
        return f"the training rows contradict each other: some say at least {least}, others at most {most}"
    if e.about is not None:  # the rest is about the prediction
        return ""
    average = is_averaged(e)  # averages over many rows leave room even where single rows are sure
    if e.upper - e.lower > WIDE and not average:
        room = f"any degree between {format_degree(e.lower)} and {format_degree(e.upper)}"
        but = "" if e.tied or e.runner_up is None or e.margin < CLOSE else "but "
        return f"{but}the evidence is weak: the training rows leave room for {room}"
    if len(e.memberships) > 2 and e.degree < e.threshold and not average:
        return f"no class fits well: this row belongs to none of them even to {format_degree(e.threshold)}"
    if e.margin < CLOSE and not e.tied:
        return "the training rows hardly decide between the two"
    return ""


def reliability_sentence(found: Reliability | None) -> str:
    """How often such predictions were right, with the number of cases behind it.

    >>> reliability_sentence(Reliability(0.9, 40, 37))
    'of 100 such cases, 92 were right (37 of 40 rows held out)'
    >>> reliability_sentence(Reliability(0.29, 31, 13)).partition("); ")[2]
    "such are rows of similar probability, and this row's own is 0.29"
    """
    if found is None:
        return ""
    counted = f"of 100 such cases, {found.right_of_100} were right ({found.n_right} of {found.n_cases} rows held out)"
    return "; ".join(filter(None, (counted, own_probability(found))))


def own_probability(found: Reliability) -> str:
    """What kind of cases were counted, and the probability of the row itself, where that is another number."""
    if not found.is_apart:
        return ""
    return f"such are rows of similar probability, and this row's own is {format_degree(found.probability)}"


def safe_changes(e: Explanation) -> tuple[str, ...]:
    """How far the row, or a single feature of it, may change before the prediction can."""
    if e.certified_radius is None:
        return ("under these settings there is no guarantee of how much the row may change before the prediction does",)
    # Of an unknown value nobody can say by how much it changes, but perhaps that it does not matter.
    features = [feature for feature in features_by_relevance(e) if feature.value is not None]
    whatever = harmless_unknowns(e.attributes)
    if e.certified_radius < TEXT_TOL:
        edge = "the row lies on the edge: the slightest change may change the prediction"
        return edge, unlimited_changes(features)
    step = f"less than {format_radius(e.certified_radius)} in the model's distance"
    moves = f"the prediction stays as long as the row moves by {step}"
    return moves, numeric_changes(features), category_changes(features), unlimited_changes(features), whatever


def features_by_relevance(e: Explanation) -> list[FeatureValue]:
    """The features, first those that keep the row apart from the strongest argument against it."""
    apart = separating_shares(e.arguments_against[:1])
    return sorted(e.attributes, key=lambda feature: (-apart.get(feature.name, 0.0), relative_radius(feature)))


def relative_radius(feature: FeatureValue) -> float:
    """How far a number may move, relative to its size; infinite for categories, and where there is no limit."""
    size = 0.0 if feature.value is None or isinstance(feature.value, str) else abs(feature.value)
    return feature.radius / size if feature.radius and size else float("inf")


def numeric_changes(features: Sequence[FeatureValue]) -> str:
    """By how much each of the first two numeric features alone may change."""
    numeric = [(feature, feature.radius) for feature in features if not is_either_or(feature)]
    limits = [(f, radius) for f, radius in numeric if radius is not None and SMALLEST_RADIUS < radius < LARGEST_RADIUS]
    parts, verb_before = [], ""
    for feature, radius in limits[:2]:
        verb = {0: " changes", 1: " falls", -1: " rises"}[feature.direction]
        # "if 'age' alone changes by less than 3, or 'income' alone by less than 7": an equal verb is not repeated.
        shown_verb = verb if verb != verb_before else ""
        # The largest safe step of whole numbers and dates is safe itself.
        limit = "at most" if feature.is_whole else "less than"
        parts.append(f"{quoted(feature.name)} alone{shown_verb} by {limit} {format_radius(radius, feature.unit)}")
        verb_before = verb
    return f"for example, it stays if {', or '.join(parts)}" if parts else ""


def unlimited_changes(features: Sequence[FeatureValue]) -> str:
    """The monotone features that may change by any amount in one direction."""
    parts = []
    for direction, verb in ((1, "rise"), (-1, "fall")):
        free = [f for f in features if f.direction == direction and f.radius is not None and not is_either_or(f)]
        names = [quoted(feature.name) for feature in free[:3]]
        if len(free) > 3:
            names[2:] = [f"{len(free) - 2} others"]
        if names:
            parts.append(f"{listed(names)} {verb}{'s' * (len(names) == 1)}")
    return f"it stays however much {' and '.join(parts)}" if parts else ""


def harmless_unknowns(features: Sequence[FeatureValue]) -> str:
    """The features whose unknown value cannot change the prediction, whatever it is."""
    found = [f for f in features if f.value is None and f.radius is None and f.weight > 0]
    if not found:
        return ""
    if len(found) > 3:
        return f"whatever the value of any one of {len(found)} unknown attributes is, it stays"
    return (
        f"whatever {listed((quoted(f.name) for f in found), 'or')} {'is' if len(found) == 1 else 'alone is'}, it stays"
    )


def category_changes(features: Sequence[FeatureValue]) -> str:
    """The features in which another category, or any other whole number, alone can change the prediction.

    If there are none, that another category cannot in any.
    """
    categorical = [feature for feature in features if is_either_or(feature)]
    # A monotone feature may still change one way, as another sentence says.
    steps = [f for f in features if f.is_whole and f.radius == 0 and not f.direction]
    risky = [f for f in features if f.radius is not None and (is_either_or(f) or f in steps)]
    named, can = (risky, "might already change it") if risky else (categorical, "cannot change it")
    if not named:
        return ""
    another = "another category" if all(feature.is_nominal for feature in named) else "another value"
    if len(named) <= 3:
        return f"{another} in {listed((quoted(f.name) for f in named), 'or')} alone {can}"
    such = listed(quoted(f.name) for f in named[:2])
    return f"{another} in any one of {len(named)} attributes alone, such as {such}, {can}"


def is_either_or(feature: FeatureValue) -> bool:
    """Whether a feature does not move, but is one thing or another: a category, or 0 or 1."""
    return feature.is_nominal or feature.kind == "binary"
