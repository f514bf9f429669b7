"""Hand-made explanations for the tests of the report."""

from __future__ import annotations

import dataclasses

from fgac.explanation.audit import Audit, Opponent, Suspect
from fgac.explanation.classification import (
    Argument,
    Explanation,
    Explanations,
    FeatureComparison,
    FeatureValue,
    Membership,
    ModelSummary,
)

NASTY = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style></script><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}&amp;&lt;",
)


def argument(id=10, label="good", strength=0.6, *, comparisons=(), **changes):
    """A training row that argues."""
    attributes = tuple(FeatureComparison(*comparison) for comparison in comparisons)
    found = Argument(10, id, label, 0.1, 0.7, 0.9, 0.9, strength, 1.0, attributes, alike=())
    return dataclasses.replace(found, **changes)


def explanation(id=1, prediction="good", **changes):
    """A row with two attributes, an argument for it and one against it."""
    lower, upper, other = 0.6, 0.9, "bad" if prediction != "bad" else "good"
    pro = [("age", 41.0, 0.7, 0.2), ("town", "Ghent", 0.3, 0.8)]
    contra = [("age", 70.0, 0.1, 0.95), ("town", "Paris", 0.9, 0.05)]
    found = Explanation(
        index=0,
        id=id,
        prediction=prediction,
        truth=None,
        lower=lower,
        upper=upper,
        degree=0.75,
        margin=0.5,
        runner_up=other,
        certified_radius=0.25,
        memberships=(Membership(prediction, lower, upper, 0.75), Membership(other, 0.1, 0.4, 0.25)),
        arguments_for=(argument("p1", prediction, 0.6, comparisons=pro),),
        arguments_against=(argument("c1", other, 0.1, comparisons=contra),),
        rest_for=0.0,
        rest_against=0.0,
        tied=(),
        resembles_nothing=False,
        nearest=None,
        attributes=(FeatureValue("age", 40.0, "years", False, 3.29), FeatureValue("town", "Ghent", "", True, 0.0)),
    )
    return dataclasses.replace(found, **changes)


def stranger(id="lonely"):
    """A row that resembles nothing."""
    nearest = argument("n1", "good", 0.0, comparisons=[("age", 1.0, 0.5, 0.5), ("town", "Rome", 0.5, 0.5)], weight=0.0)
    degrees = (Membership("good", 0.0, 1.0, 0.5), Membership("bad", 0.0, 1.0, 0.5))
    return explanation(
        id,
        lower=0.0,
        upper=1.0,
        degree=0.5,
        margin=0.0,
        certified_radius=0.0,
        memberships=degrees,
        tied=("good", "bad"),
        resembles_nothing=True,
        nearest=nearest,
        arguments_for=(),
        arguments_against=(),
    )


def wide(id, n_columns=60, n_arguments=3, name="measurement {:02d}"):
    """A row with many attributes."""
    names = [name.format(q) for q in range(n_columns)]
    share = 2 / (n_columns * (n_columns + 1))
    comparisons = [(name, 1.2345, 1 / n_columns, share * (q + 1)) for q, name in enumerate(names)]
    sides = [
        tuple(argument(f"{side}{i}", label, comparisons=comparisons, weight=float(i == 0)) for i in range(n_arguments))
        for side, label in (("p", "good"), ("c", "bad"))
    ]
    readings = tuple(FeatureValue(name, 1.2345, "mm", False, 0.1234) for name in names)
    return explanation(id, arguments_for=sides[0], arguments_against=sides[1], attributes=readings)


def audit(id="a1", label="bad", n_opponents=5):
    """One suspect with several opponents."""
    opponents = tuple(Opponent(i, f"o{i}", "good", 0.1, 0.9, 1.0, 0.5, 0.2, ()) for i in range(n_opponents))
    return Audit((Suspect(3, id, label, 0.36, 0.64, "good", opponents, alike=("a2",)),), n_rows=99)


def explanations(items, *, classes=("bad", "good"), audit=None, **settings):
    """Explanations by a model of two classes."""
    model = ModelSummary(
        classes=tuple(classes),
        class_sizes=(40, 60, 7, 8, 9)[: len(classes)],
        n_rows=100,
        n_features=2,
        gamma=3.0,
        settings=settings,
        is_optimal=True,
        largest_violation=1.5e-16,
        dual_residual=0.0,
        duality_gap=-2.5e-15,
    )
    return Explanations(tuple(items), model, audit)


def nasty_explanations():
    """Markup in every place that the user fills."""
    items = []
    for number, text in enumerate(NASTY):
        side = [argument(text, text, comparisons=[(text, text, 1.0, 1.0)], alike=(text,))]
        reading = FeatureValue(text, text, text, True, 0.0)
        items.append(
            explanation(
                text,
                text,
                truth=NASTY[number - 1],
                runner_up=NASTY[number - 1],
                memberships=tuple(Membership(label, 0.1, 0.4, 0.25) for label in NASTY),
                arguments_for=tuple(side),
                arguments_against=tuple(side),
                attributes=(reading,),
            )
        )
    return explanations(items, classes=NASTY, audit=audit(NASTY[0], NASTY[1]), metric=NASTY[2], weights={NASTY[3]: 1})
