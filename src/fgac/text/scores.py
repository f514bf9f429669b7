"""The score of a model in words: what it adds up, and how much of a distance it is."""

from __future__ import annotations

from collections.abc import Sequence

from fgac.explanation.arguments import BaseArgument
from fgac.text.arguments import Feature
from fgac.text.words import format_number, listed, paragraph, quoted

# At most this many features are named with what they add.
MOST_NAMED = 3
# Features that add less than this part of what the first one adds are not worth a word.
LEAST = 0.01


def describe(features: Sequence[Feature], arguments: Sequence[BaseArgument], unit: str | None = None) -> str:
    """What the score adds up, and its part in the distance to the first argument; nothing if there is no score.

    The score of a number has its unit, and that of classes, None, adds up log-odds.

    >>> from fgac.explanation.classification import FeatureValue
    >>> added = {"a": 0.2, "b": 1.31}
    >>> describe([FeatureValue(name, 1.0, "", False, None, score=odds) for name, odds in added.items()], [])
    "Rows differ by their scores, too, which are sums: log-odds change with 'b' by up to 1.3 and 'a' by up to 0.2."
    """
    ranked = sorted(features, key=lambda feature: -feature.score)
    ranked = [feature for feature in ranked if feature.score > LEAST * ranked[0].score]
    if not ranked:
        return ""
    what = "log-odds change" if unit is None else "they change"
    added = [format_number(feature.score, unit or "", digits=2) for feature in ranked[:MOST_NAMED]]
    parts = [f"{quoted(feature.name)} by up to {most}" for feature, most in zip(ranked, added, strict=False)]
    more = len(ranked) - MOST_NAMED
    if more > 0:
        parts.append(f"{more} more attribute{'s' * (more > 1)} by less")
    share = sum(feature.scored for feature in arguments[0].attributes) if arguments else 0.0
    part = f"they make up {round(100 * share)} % of the distance to the strongest argument" if share else ""
    return paragraph(f"rows differ by their scores, too, which are sums: {what} with {listed(parts)}", part)
