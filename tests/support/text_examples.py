"""Hand-made explanations for the tests of the text."""

from __future__ import annotations

from fgac.explanation.classification import Argument, Explanation, FeatureValue, Membership
from fgac.text.classification import describe


def argument(row, label="malignant", similarity=0.85, degree=0.95, *, weight=0.0, attributes=(), alike=()):
    """Return a training row that argues with the Lukasiewicz conjunction."""
    return Argument(
        index=0,
        id=row,
        label=label,
        distance=1 - similarity,
        similarity=similarity,
        membership=degree,
        degree=degree,
        strength=max(0.0, similarity + degree - 1),
        weight=weight,
        attributes=attributes,
        alike=alike,
    )


FOR = argument(203, weight=1.0)
AGAINST = argument(40, "benign", 0.3, 0.82, weight=1.0)


def two_classes(favour=(FOR,), against=(AGAINST,), **changes):
    """Return an explanation of 'malignant' (or what ``changes`` say) against 'benign' whose parts re-add."""
    rest_for, rest_against = changes.pop("rest_for", 0.0), changes.pop("rest_against", 0.0)
    prediction, other = changes.pop("labels", ("malignant", "benign"))
    lower = sum(a.weight * a.strength for a in favour) + rest_for
    upper = 1 - sum(a.weight * a.strength for a in against) - rest_against
    degree = (lower + upper) / 2
    fields = {
        "index": 0,
        "id": 12,
        "prediction": prediction,
        "truth": None,
        "lower": lower,
        "upper": upper,
        "degree": degree,
        "margin": 2 * degree - 1,
        "runner_up": other,
        "certified_radius": 0.129,
        "memberships": (
            Membership(other, 1 - upper, 1 - lower, 1 - degree),
            Membership(prediction, lower, upper, degree),
        ),
        "arguments_for": tuple(favour),
        "arguments_against": tuple(against),
        "rest_for": rest_for,
        "rest_against": rest_against,
        "tied": (),
        "resembles_nothing": False,
        "nearest": None,
        "attributes": (),
    }
    return Explanation(**(fields | changes))


def lines(explanation):
    """Return the lines of the text of an explanation."""
    return describe(explanation).split("\n")


ROW = (
    FeatureValue("age", 45.0, "years", False, 3.279),
    FeatureValue("amount", 2500.0, "", False, 412.0),
    FeatureValue("housing", "own", "", True, 0.0),
    FeatureValue("purpose", "car", "", True, 0.0),
)
