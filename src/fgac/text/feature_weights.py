"""The weights of the features in the distances of a model, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fgac._tolerances import TEXT_TOL
from fgac.text.arguments import Feature
from fgac.text.words import listed, paragraph, quoted

# At most this many features are named with their weights, and as many names of features without weight as fit a clause.
MOST_WEIGHTS = 5
MOST_IGNORED = 3


def describe(features: Iterable[Feature]) -> str:
    """How much features count, those that count most first; nothing where all count the same.

    >>> from fgac.explanation.classification import FeatureValue
    >>> weights = {"age": 0.8, "income": 2.2, "city": 0.0}
    >>> describe(FeatureValue(name, 1.0, "", False, None, weight=weight) for name, weight in weights.items())
    "In the distances of this model differences are weighted: 'income' by 2.2 and 'age' by 0.8; 'city' does not count."
    >>> describe(FeatureValue(name, 1.0, "", False, None, weight=float(name < "c")) for name in "abc")
    "In the distances of this model 'c' does not count."
    """
    ranked = sorted(features, key=lambda feature: -feature.weight)
    if not ranked or ranked[0].weight - ranked[-1].weight <= TEXT_TOL * ranked[0].weight:
        return ""
    counting = [feature for feature in ranked if feature.weight > 0]
    ignored = ignored_features(ranked[len(counting) :])
    if counting[0].weight - counting[-1].weight <= TEXT_TOL * counting[0].weight:
        return paragraph(f"in the distances of this model {ignored}")
    weights = [f"{quoted(feature.name)} by {feature.weight:.2g}" for feature in counting[:MOST_WEIGHTS]]
    n_more = len(counting) - MOST_WEIGHTS
    if n_more > 0:
        weights.append(f"{n_more} more attribute{'s' * (n_more > 1)} by less")
    rest = f"; {ignored}" if ignored else ""
    return paragraph(f"in the distances of this model differences are weighted: {listed(weights)}{rest}")


def ignored_features(features: Sequence[Feature]) -> str:
    """The features of weight 0, as a part of a sentence: "'city' does not count"."""
    n = len(features)
    if not n:
        return ""
    names = listed([quoted(feature.name) for feature in features]) if n <= MOST_IGNORED else f"{n} attributes"
    return f"{names} {'does' if n == 1 else 'do'} not count"
