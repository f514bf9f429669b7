"""Two models in words: by how much one is better, how sure that is, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fgac.text.words import on_one_line

# How a score is spoken of, by its name; all others by the name itself.
SPOKEN = {"classes off": "classes that predictions are off by"}
MEANINGS = {"better": "clearly better", "worse": "clearly worse", "no clear difference": "no clear difference"}


def describe(differences: Sequence[Any], model: str, other: str) -> str:
    """A sentence for every score of a comparison, the most important first.

    >>> from fgac.selection.scores import ScoreInterval
    >>> from types import SimpleNamespace
    >>> lead = ScoreInterval(0.012, -0.004, 0.028)
    >>> one = SimpleNamespace(score="balanced accuracy", lead=lead, verdict="no clear difference")
    >>> print(describe([one], "the new model", "the old one"))
    Balanced accuracy: the new model is better than the old one by 0.012 (95 % interval -0.004 to 0.028): no clear \
difference.
    """
    return "\n".join(_sentence(difference, on_one_line(model), on_one_line(other)) for difference in differences)


def _sentence(difference: Any, model: str, other: str) -> str:
    name = SPOKEN.get(difference.score, difference.score)
    head = name[0].upper() + name[1:]
    if difference.verdict == "no difference":
        return f"{head}: {model} and {other} are equal in every part: no difference."
    lead = difference.lead
    # By how much it is worse, if it is: the interval then is one of that.
    side, ends = ("worse", (-lead.mean, -lead.high, -lead.low)) if lead.mean < 0 else ("better", _ends(lead))
    mean, low, high = _written(ends)
    how = f"{model} is {side} than {other} by {mean} (95 % interval {low} to {high})"
    return f"{head}: {how}: {MEANINGS[difference.verdict]}."


def _ends(lead: Any) -> tuple[float, float, float]:
    return lead.mean, lead.low, lead.high


def _written(numbers: Sequence[float]) -> list[str]:
    """Numbers of one size with three decimals; large ones, errors in the unit of the target, with four digits.

    >>> _written((0.0124, -0.0004, 0.028)), _written((975.53, 1593.2, 35.81))
    (['0.012', '0.000', '0.028'], ['975.5', '1593', '35.81'])
    """
    form = ".3f" if max(map(abs, numbers)) < 10 else ".4g"
    # Adding 0 after rounding makes -0.000 a plain zero.
    return [f"{float(format(number, form)) + 0.0:{form}}" for number in numbers]
