"""How sure a prediction is, and how far from changing: the sentences of hand-made cases."""

from __future__ import annotations

import pytest

from fgac.explanation.classification import FeatureValue, Membership
from support.text_examples import ROW, argument, lines, two_classes


def sureness(lower, upper, **changes):
    favour, against = (
        argument(1, degree=1.0, similarity=lower, weight=1.0),
        argument(2, "benign", 1 - upper, 1.0, weight=1.0),
    )
    return lines(two_classes((favour,), (against,) if upper < 1 else (), **changes))[-1]


def test_somewhat_ahead():
    assert sureness(0.5, 0.7).startswith("'malignant' is somewhat ahead of 'benign' (0.60 against 0.40).")


def test_barely_ahead():
    assert sureness(0.5, 0.504, certified_radius=0.00004) == (
        "'malignant' is barely ahead of 'benign' (by less than 0.01). The training rows hardly decide between the "
        "two. The prediction stays as long as the row moves by less than 0.00004 in the model's distance."
    )


def test_weak_evidence():
    assert sureness(0.1, 1.0) == (
        "'malignant' is somewhat ahead of 'benign' (0.55 against 0.45). But the evidence is weak: the training rows "
        "leave "
        "room for any degree between 0.10 and 1.00. The prediction stays as long as the row moves by less than 0.12 "
        "in the model's distance."
    )


def test_no_class_fits_well():
    memberships = Membership(0, 0.1, 0.3, 0.2), Membership(1, 0.0, 0.3, 0.15), Membership(2, 0.3, 0.5, 0.4)
    said = sureness(0.3, 0.5, labels=(2, 0), memberships=memberships, margin=0.2)
    assert said.startswith(
        "Class 2 is somewhat ahead of class 0 (0.40 against 0.20). No class fits well: this row belongs to none of "
        "them even to 0.50."
    )


def test_ties_are_told_as_ties():
    assert sureness(0.4, 0.6, tied=("benign", "malignant"), certified_radius=0.0) == (
        "'benign' and 'malignant' tie at 0.50: only the rule for ties makes 'malignant' the prediction."
    )


def test_one_class_only():
    only = (Membership("malignant", 0.8, 1.0, 0.9),)
    assert sureness(0.8, 1.0, memberships=only, runner_up=None, margin=1.0) == (
        "The training data have no other class that could be predicted."
    )


def test_on_the_edge():
    assert sureness(0.8, 0.9, certified_radius=0.0, attributes=ROW).endswith(
        "(0.85 against 0.15). The row lies on the edge: the slightest change may change the prediction."
    )


def test_no_guarantee():
    assert sureness(0.8, 0.9, certified_radius=None, attributes=ROW).endswith(
        "Under these settings there is no guarantee of how much the row may change before the prediction does."
    )


def nominal(n, radius):
    return tuple(FeatureValue(f"q{i}", "yes", "", True, radius) for i in range(n))


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        (nominal(1, None), " Another category in 'q0' alone cannot change it."),
        (nominal(3, 0.0), " Another category in 'q0', 'q1' or 'q2' alone might already change it."),
        (
            nominal(13, 0.0),
            " Another category in any one of 13 attributes alone, such as 'q0' and 'q1', might already change it.",
        ),
        ((FeatureValue("weightless", 3.0, "", False, None),), ""),
        (
            (FeatureValue("far", 1.0, "", False, 5.0), FeatureValue("close", 100.0, "", False, 5.0)),
            " For example, it stays if 'close' alone changes by less than 5, or 'far' alone by less than 5.",
        ),
    ],
)
def test_changes_in_one_attribute(attributes, said):
    assert sureness(0.8, 1.0, attributes=attributes) == (
        "'malignant' is clearly ahead of 'benign' (0.90 against 0.10). The prediction stays as long as the row moves "
        f"by less than 0.12 in the model's distance.{said}"
    )
