"""A training row as an argument, in words that are the same for classes and for numbers.

How similar it is to the explained row, which near-duplicates it stands for, and how the two rows compare feature by
feature. The explained row is "this row" and "here", the training row is "there".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from fgac._tolerances import TEXT_TOL
from fgac.explanation.arguments import BaseArgument, FeatureComparison
from fgac.explanation.classification import FeatureValue
from fgac.explanation.regression import FeatureEffect
from fgac.text.one_sided import free_side_sentence, is_on_free_side
from fgac.text.words import (
    Grades,
    format_two_numbers,
    format_value,
    grade,
    listed,
    on_one_line,
    quoted,
    row_name,
)

# The features of the explained row: what a change of one can do differs between the kinds, and is not used here.
Feature = FeatureValue | FeatureEffect

# Of the features that keep two rows apart, enough are named to make up this share of the distance ...
SHARE_NAMED = 0.6
# ... but no more than this; of equal features, or such on the free side, one less where that leaves several to count.
MOST_NAMED = 3
# At most this many names of unknown features stand in a sentence.
MOST_UNKNOWN = 5

SIMILAR: Grades = (
    (1.0, "is just like"),
    (0.9, "is very similar to"),
    (0.5, "is similar to"),
    (0.2, "is somewhat similar to"),
    (2 * TEXT_TOL, "is only slightly similar to"),
    (0.0, "is not similar to"),
)


def similarity_clause(argument: BaseArgument, threshold: float = 0.5) -> str:
    """How similar the training row is to the explained one: "is very similar to this row"."""
    return f"{grade(argument.similarity, SIMILAR, threshold)} this row"


def near_duplicates(argument: BaseArgument) -> str:
    """How many other training rows are the same argument: "another 2 rows like training row 7 say the same"."""
    n, like = len(argument.alike), f"like training row {row_name(argument.id)}"
    if not n:
        return ""
    return f"another row {like} says the same" if n == 1 else f"another {n} rows {like} say the same"


def rows_with_notes(arguments: Sequence[BaseArgument], notes: Sequence[str]) -> str:
    """Several training rows, each with a note in brackets: "training rows 5 (0.71) and 9 (0.64)"."""
    rows = [f"{row_name(argument.id)} ({note})" for argument, note in zip(arguments, notes, strict=True)]
    return f"training row{'s' * (len(rows) > 1)} {listed(rows)}"


def comparison_sentences(
    argument: BaseArgument, features: Sequence[Feature], rival: BaseArgument | None = None
) -> tuple[str, ...]:
    """What the two rows have in common, and what keeps them apart; nothing if there are only distances.

    Of the features that the two rows have in common, those come first that the rival, the strongest argument of the
    other side, does not share: they tell the two sides apart.
    """
    if not argument.attributes:
        return ()
    here = {feature.name: feature for feature in features}
    contrast = {c.name: c.apart for c in rival.attributes} if rival else {}
    on_free_side = free_side_features(argument, here, contrast)
    in_both = unknown_in_both(argument, here)
    if any(c.apart > 0 for c in argument.attributes):
        return on_free_side, shared_features(argument, here, contrast), separating_features(argument, here), in_both
    compared = [c for c in argument.attributes if not is_unknown(c, here)]
    counts = "counts" if len(compared) == len(argument.attributes) else "is known in both"
    if not on_free_side and any(differs(c, here) for c in compared):
        return "nothing that counts keeps the two apart", in_both
    if not on_free_side:
        return f"the two are equal in every attribute that {counts}" if compared else "", in_both
    has_others = any(not is_on_free_side(c, here[c.name].value) for c in compared)
    return on_free_side, f"the two are equal in every other attribute that {counts}" if has_others else "", in_both


def unknown_in_both(argument: BaseArgument, here: dict[str, Feature]) -> str:
    """The features that count and are unknown in both rows, and so tell nothing about them."""
    unknown = {name for name, feature in here.items() if feature.value is None and counts(feature)}
    found = [c.name for c in argument.attributes if c.unknown and c.name in unknown]
    return f"{few_names(found)} {'is' if len(found) == 1 else 'are'} unknown in both" if found else ""


def is_equal(comparison: FeatureComparison, here: dict[str, Feature]) -> bool:
    """Whether a feature has the same value in both rows."""
    feature = here.get(comparison.name)
    return feature is not None and comparison.value is not None and comparison.value == feature.value


def differs(comparison: FeatureComparison, here: dict[str, Feature]) -> bool:
    """Whether a feature that counts is known to have different values in the two rows."""
    feature = here.get(comparison.name)
    if feature is None or comparison.value is None:
        return False
    return feature.weight > 0 and comparison.value != feature.value


def counts(feature: Feature) -> bool:
    """Whether the values of a feature have a say: not if it is left out, or has learned no weight."""
    return feature.weight > 0 or feature.score > 0


def is_unknown(comparison: FeatureComparison, here: dict[str, Feature]) -> bool:
    """Whether the value of a feature is unknown in one of the two rows."""
    feature = here.get(comparison.name)
    return comparison.unknown or (feature is not None and feature.value is None)


def free_side_features(argument: BaseArgument, here: dict[str, Feature], contrast: dict[str, float]) -> str:
    """The features in which the explained row is on the free side, first those in which the rival is not."""
    found = free_side_comparisons(argument, here, contrast)
    named = found[: n_named(len(found))]
    shown = {way: [both_values(c, here) for c in named if c.direction == way] for way in (1, -1)}
    return free_side_sentence(shown, len(found) - len(named), len(argument.attributes))


def free_side_comparisons(
    argument: BaseArgument, here: dict[str, Feature], contrast: dict[str, float]
) -> list[FeatureComparison]:
    """The features in which the explained row is on the free side, those of most ``contrast`` first."""
    found = [c for c in argument.attributes if c.name in here and is_on_free_side(c, here[c.name].value)]
    return sorted(found, key=lambda c: (-contrast.get(c.name, 0.0), -c.close))


def shared_features(argument: BaseArgument, here: dict[str, Feature], contrast: dict[str, float]) -> str:
    """The features in which the two rows are equal; if there are none, those in which they are closest."""
    equal, closest = shared_comparisons(argument, here, contrast)
    if not equal:
        return f"the two are closest in {listed(both_values(c, here) for c in closest)}" if closest else ""
    named = equal[: n_named(len(equal))]
    shown = [f"{quoted(c.name)} ({format_value(here[c.name].value, here[c.name].unit)})" for c in named]
    more = len(equal) - len(named)
    if more:
        shown.append(f"{more} more of {len(argument.attributes)} attributes")
    return f"the two agree in {listed(shown)}"


def shared_comparisons(
    argument: BaseArgument, here: dict[str, Feature], contrast: dict[str, float]
) -> tuple[list[FeatureComparison], list[FeatureComparison]]:
    """The features in which two rows are equal, those of most ``contrast`` first; in place of none, the closest two."""
    known = [c for c in argument.attributes if not is_unknown(c, here)]
    close = sorted((c for c in known if c.close > 0 and not c.direction), key=lambda c: -c.close)
    # A feature can be among the closest and the most separating ones where there are few, and rows of different lengths
    # can differ in direction by what is equal in both; it is named once.
    separating = largest_differences(argument)
    others = [c for c in close if c not in separating]
    equal = sorted((c for c in others if is_equal(c, here)), key=lambda c: -contrast.get(c.name, 0.0))
    return equal, [] if equal else others[:2]


def separating_features(argument: BaseArgument, here: dict[str, Feature]) -> str:
    """The features that keep the two rows apart most."""
    separating = largest_differences(argument)
    names = listed(both_values(c, here) for c in separating)
    if len(separating) == sum(c.apart > 0 for c in argument.attributes):
        return f"only {names} keep{'s' * (len(separating) == 1)} them apart"
    return f"what keeps them apart most is {names}"


def largest_differences(argument: BaseArgument) -> list[FeatureComparison]:
    """The features that make up most of the distance, three at most, and all if there are only two."""
    apart = sorted((c for c in argument.attributes if c.apart > 0), key=lambda c: -c.apart)
    if len(apart) <= 2:
        return apart
    before = accumulate((c.apart for c in apart), initial=0.0)
    return [c for c, share in zip(apart[:MOST_NAMED], before, strict=False) if share < SHARE_NAMED]


def n_named(n_found: int) -> int:
    """How many of some features are named: all of three; of more, two, so that "2 more" and not "1 more" remain.

    >>> n_named(3), n_named(4)
    (3, 2)
    """
    return MOST_NAMED if n_found <= MOST_NAMED else MOST_NAMED - 1


def few_names(names: Sequence[str]) -> str:
    """Names of features in quotes, not too many.

    >>> few_names(["a", "b"]), few_names(list("abcdefg"))
    ("'a' and 'b'", "'a', 'b', 'c', 'd' and 3 more")
    """
    if len(names) <= MOST_UNKNOWN:
        return listed(map(quoted, names))
    return listed([*map(quoted, names[: MOST_UNKNOWN - 1]), f"{len(names) - MOST_UNKNOWN + 1} more"])


def both_values(comparison: FeatureComparison, here: dict[str, Feature]) -> str:
    """A feature with its values in both rows, as far as they are known: "'age' (45 years here, 61 years there)"."""
    name, feature = quoted(comparison.name), here.get(comparison.name)
    if feature is None:
        return name
    if is_unknown(comparison, here):
        return f"{name} ({known_side(comparison, feature)})"
    if comparison.value is None:
        return f"{name} ({format_value(feature.value, feature.unit)} here)"
    first, second = two_values(comparison, feature)
    if comparison.direction and feature.value == comparison.value:
        return f"{name} ({first} in both)"
    if feature.value == comparison.value:  # only proportions count
        return f"{name} ({first} in both, of rows of different length)"
    if comparison.direction and not is_on_free_side(comparison, feature.value):
        return f"{name} ({first} here, {'lower' if comparison.direction > 0 else 'higher'} than {second} there)"
    return f"{name} ({first} here, {second} there)"


def two_values(comparison: FeatureComparison, feature: Feature) -> tuple[str, str]:
    """The values of a feature in the explained row and in the training row; a dash where the model keeps none."""
    if feature.value is None or comparison.value is None:
        there = "unknown" if comparison.unknown else format_value(comparison.value, feature.unit)
        return "unknown" if feature.value is None else format_value(feature.value, feature.unit), there
    first, second = map(on_one_line, format_two_numbers(feature.value, comparison.value, feature.unit))
    return first, second


def known_side(comparison: FeatureComparison, feature: Feature) -> str:
    """The values of a feature that is unknown in one of the two rows: "45 years here, unknown there"."""
    if comparison.value is None and not comparison.unknown:  # the model keeps no values
        return "unknown here"
    if comparison.unknown and feature.value is None:
        return "unknown in both"
    values = (
        "unknown" if value is None else format_value(value, feature.unit) for value in (feature.value, comparison.value)
    )
    return "{} here, {} there".format(*values)


def separating_shares(arguments: Iterable[BaseArgument]) -> dict[str, float]:
    """For every feature, its largest share in what keeps one of the training rows apart."""
    shares: dict[str, float] = {}
    for argument in arguments:
        for comparison in argument.attributes:
            shares[comparison.name] = max(shares.get(comparison.name, 0.0), comparison.apart)
    return shares
