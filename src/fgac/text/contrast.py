"""What decides between two classes in words: the strongest row of each, and what brings a row nearer to one of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from fgac._tolerances import TEXT_TOL
from fgac.explanation.classification import FeatureValue
from fgac.explanation.contrast import Contrast, ContrastFeature, DecidingRow
from fgac.text.arguments import MOST_NAMED, SHARE_NAMED
from fgac.text.target import target_class
from fgac.text.words import format_degree, format_value, listed, paragraph, quoted, row_name

# Features that speak for the other row are named if the first of them makes up at least this part of the main one.
LEAST_PART = 0.25
# Memberships that differ by more than this are told: the one row then says less, however near it is.
LEAST_LEAD = 0.05


def describe(contrast: Contrast | None, features: Sequence[FeatureValue], target: str | None = None) -> str:
    """What decides between the two classes of a contrast, for a row with these features; nothing without a contrast.

    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5]], ["low", "high"])
    >>> why = clf.explain([[0.25, 5.5]])[0]
    >>> print(describe(why.contrast, why.attributes))  # doctest: +NORMALIZE_WHITESPACE
    What decides between 'high' and 'low': no training row speaks for either, and training row 1 comes nearest to the
    one, 0 to the other. 'x1' (5.5 here, 5.5 and 5 there) brings this row nearer to training row 1, and 'x0' (0.25 here,
    1 and 0 there) to training row 0.
    """
    if contrast is None:
        return ""
    return paragraph(strengths(contrast, target), nearness(contrast, features), memberships(contrast))


def strengths(contrast: Contrast, target: str | None) -> str:
    """The two rows, and which of them speaks more strongly."""
    first, second = contrast.first_row, contrast.second_row
    names = target_class(contrast.first, target), target_class(contrast.second, target)
    question = f"what decides between {names[0]} and {names[1]}"
    speaking = [speaks(row, name) for row, name in zip((first, second), names, strict=True)]
    nearest = [f"{reference(row)} comes nearest" for row in (first, second)]
    lead = first.strength - second.strength
    # With more than two classes the prediction can be the one that less speaks against.
    but = f", but more speaks against {names[1]}" if lead <= -TEXT_TOL else ""
    if max(first.strength, second.strength) < TEXT_TOL:
        pair = f"{nearest[0]} to the one, {row_name(second.id)} to the other"
        return f"{question}: no training row speaks for either, and {pair}"
    if second.strength < TEXT_TOL:
        return f"{question}: {speaking[0]}, none for {names[1]}, to which {nearest[1]}"
    if first.strength < TEXT_TOL:
        return f"{question}: {speaking[1]}, none for {names[0]}, to which {nearest[0]}{but}"
    how = "as strongly as" if abs(lead) < TEXT_TOL else f"{'more' if lead > 0 else 'less'} strongly than"
    other = f"{reference(second)} for {names[1]} ({format_degree(second.strength)})"
    return f"{question}: {speaking[0]} {how} {other}{but}"


def speaks(row: DecidingRow, name: str) -> str:
    """A training row that is an argument for a class."""
    return f"{reference(row)} speaks for {name} ({format_degree(row.strength)})"


def nearness(contrast: Contrast, features: Sequence[FeatureValue]) -> str:
    """The features that bring the explained row nearer to one of the two rows than to the other."""
    here = {feature.name: feature for feature in features}
    sides = [
        (contrast.first_row, [f for f in contrast.features if f.nearer > TEXT_TOL]),
        (contrast.second_row, [f for f in contrast.features if f.nearer < -TEXT_TOL]),
    ]
    sides.sort(key=lambda side: -sum(abs(f.nearer) for f in side[1]))
    (row, main), (other_row, others) = sides
    if not main:
        return "the two rows are equally far away, feature by feature" if contrast.features else ""
    named = largest(main)
    text = f"{bringing(named, here)} this row nearer to {reference(row)}"
    if others and max(abs(f.nearer) for f in others) >= LEAST_PART * abs(named[0].nearer):
        text += f", and {listed(three_values(f, here) for f in largest(others))} to {reference(other_row)}"
    return text


def bringing(named: Sequence[ContrastFeature], here: dict[str, FeatureValue]) -> str:
    """Features with their values, and a verb: "'age' (45 here, 44 and 61 there) brings"."""
    return f"{listed(three_values(f, here) for f in named)} bring{'s' * (len(named) == 1)}"


def reference(row: DecidingRow) -> str:
    """A training row by its name."""
    return f"training row {row_name(row.id)}"


def largest(features: Sequence[ContrastFeature]) -> list[ContrastFeature]:
    """The features that make up most of what brings two rows together, three at most."""
    ranked = sorted(features, key=lambda feature: -abs(feature.nearer))
    total = sum(abs(feature.nearer) for feature in ranked)
    before = accumulate((abs(feature.nearer) for feature in ranked), initial=0.0)
    return [f for f, sum_before in zip(ranked[:MOST_NAMED], before, strict=False) if sum_before < SHARE_NAMED * total]


def three_values(feature: ContrastFeature, here: dict[str, FeatureValue]) -> str:
    """A feature with its values in the explained row and in both training rows, as far as these are kept."""
    name, own = quoted(feature.name), here.get(feature.name)
    if own is None or (feature.first is None and feature.second is None):
        return name
    values = [
        "unknown" if value is None else format_value(value, unit)
        for value, unit in ((own.value, own.unit), (feature.first, ""), (feature.second, own.unit))
    ]
    if values[1] == values[2].removesuffix(f" {own.unit}"):
        return f"{name} ({values[0]} here, {values[2]} in both)"
    return "{} ({} here, {} and {} there)".format(name, *values)


def memberships(contrast: Contrast) -> str:
    """Which of the two rows others contradict more, so that it belongs to its class less, if that tells."""
    less, more = sorted((contrast.first_row, contrast.second_row), key=lambda row: row.membership)
    if more.membership - less.membership < LEAST_LEAD:
        return ""
    belongs = f"it belongs to its class to {format_degree(less.membership)}"
    return f"other rows contradict {reference(less)} more: {belongs}, the other one to {format_degree(more.membership)}"
