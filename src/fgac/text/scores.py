"""The score of a model in words: what it adds up, and how much of a distance it is."""

from __future__ import annotations

from collections.abc import Sequence

from fgac.explanation.arguments import BaseArgument
from fgac.explanation.classification import FeatureValue
from fgac.text.words import listed, paragraph, quoted

# At most this many features are named with what they add.
MOST_NAMED = 3
# Log-odds below this are not worth a word.
LEAST = 0.005


def describe(features: Sequence[FeatureValue], arguments: Sequence[BaseArgument]) -> str:
    """What the score adds up, and its part in the distance to the first argument; nothing if there is no score.

    >>> added = {"a": 0.2, "b": 1.31}
    >>> describe([FeatureValue(name, 1.0, "", False, None, score=odds) for name, odds in added.items()], [])
    "Rows differ by their scores, too, which are sums: log-odds change with 'b' by up to 1.3 and 'a' by up to 0.2."
    """
    ranked = sorted((feature for feature in features if feature.score >= LEAST), key=lambda feature: -feature.score)
    if not ranked:
        return ""
    parts = [f"{quoted(feature.name)} by up to {feature.score:.2g}" for feature in ranked[:MOST_NAMED]]
    more = len(ranked) - MOST_NAMED
    if more > 0:
        parts.append(f"{more} more attribute{'s' * (more > 1)} by less")
    sums = f"rows differ by their scores, too, which are sums: log-odds change with {listed(parts)}"
    share = sum(feature.scored for feature in arguments[0].attributes) if arguments else 0.0
    return paragraph(
        sums, f"they make up {round(100 * share)} % of the distance to the strongest argument" if share else ""
    )
