"""Sentences about whole numbers, 0/1 columns and dates."""

import pytest

from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.classification import FeatureValue
from fgac.explanation.regression import FeatureEffect
from fgac.text.certainty import category_changes, numeric_changes, unlimited_changes
from fgac.text.one_sided import is_on_free_side
from fgac.text.regression import feature_step


def whole(name, radius, **changes):
    return FeatureValue(name, 3, "", False, radius, kind="whole", **changes)


def binary(name, radius, **changes):
    return FeatureValue(name, 1, "", False, radius, kind="binary", **changes)


def test_whole_numbers_change_by_whole_steps():
    age = FeatureValue("age", 40, "years", False, 3.0, kind="whole")
    day = FeatureValue("admitted", "2024-01-01", "days", False, 1.0, kind="date")
    income = FeatureValue("income", 7.5, "", False, 0.083)
    assert numeric_changes([age, income]) == (
        "for example, it stays if 'age' alone changes by at most 3 years, or 'income' alone by less than 0.083"
    )
    assert numeric_changes([day]) == "for example, it stays if 'admitted' alone changes by at most 1 day"


def test_no_part_of_a_whole_number_is_spoken_of():
    assert numeric_changes([whole("children", 0.0)]) == ""
    assert category_changes([whole("children", 0.0)]) == "another value in 'children' alone might already change it"


def test_0_and_1_are_spoken_of_as_categories_are():
    city = FeatureValue("city", "Rome", "", True, 0.0)
    assert numeric_changes([binary("smoker", None), binary("owner", 0.0)]) == ""
    assert category_changes([binary("smoker", None)]) == "another value in 'smoker' alone cannot change it"
    assert category_changes([binary("smoker", 0.0), city]) == (
        "another value in 'smoker' or 'city' alone might already change it"
    )
    assert (
        category_changes([binary("smoker", None), city]) == "another category in 'city' alone might already change it"
    )


def test_monotone_whole_numbers():
    rising = whole("age", 0.0, direction=1)
    assert category_changes([rising]) == ""
    assert unlimited_changes([rising, binary("smoker", 0.0, direction=1)]) == "it stays however much 'age' rises"


@pytest.mark.parametrize(
    ("kind", "step", "unit", "said"),
    [
        ("whole", 1.0, "", "'x' alone changes by 1"),
        ("whole", 5.0, "years", "'x' alone changes by 5 years"),
        ("binary", 1.0, "", "'x' alone has another value"),
        ("date", 1.0, "days", "'x' alone changes by 1 day"),
        ("time", 0.5, "hours", "'x' alone changes by 0.5 hours"),
    ],
)
def test_steps_of_numbers(kind, step, unit, said):
    assert feature_step(FeatureEffect("x", 1, unit, False, 0, step, 0.5, kind=kind)) == said


@pytest.mark.parametrize(
    ("here", "there", "is_later"),
    [
        ("2024-03-01", "2024-02-28", True),
        ("2024-03-01", "2024-03-01 06:00", False),
        ("2024-03-01 06:00:30 UTC", "2024-03-01 06:00 UTC", True),
        ("2024-03-01", "2024-03-01", True),
    ],
)
def test_dates_are_compared_as_dates(here, there, is_later):
    later = FeatureComparison("when", there, 0.5, 0.1, direction=1)
    assert is_on_free_side(later, here) == is_later
    if here != there:
        earlier = FeatureComparison("when", there, 0.5, 0.1, direction=-1)
        assert is_on_free_side(earlier, here) != is_later
