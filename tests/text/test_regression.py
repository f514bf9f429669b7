"""The text of a predicted number, of values that are made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.audit import RegressionOpponent, RegressionSuspect
from fgac.explanation.regression import FeatureEffect, RegressionArgument, RegressionExplanation
from fgac.text import audit
from fgac.text.regression import describe

LOWER = RegressionArgument(3, "A-3", 40.0, 40.0, 0.1, 0.8, 10.0, 30.0, 0.3, attributes=(), alike=())
UPPER = RegressionArgument(7, "A-7", 55.0, 50.0, 0.1, 0.8, 10.0, 60.0, 0.4, attributes=(), alike=())
NUMBER = RegressionExplanation(
    index=0,
    id="new",
    prediction=45.0,
    truth=None,
    lower=30.0,
    upper=60.0,
    interval=None,
    least=0.0,
    most=100.0,
    floor=None,
    ceiling=None,
    slope=100.0,
    at_least=(LOWER,),
    at_most=(UPPER,),
    attributes=(),
    unit="kg",
)


def test_plain_case_in_full():
    assert describe(NUMBER).split("\n") == [
        "Prediction for row 'new': 45 kg (at least 30 kg, at most 60 kg).",
        "It should be at least 30 kg: training row A-3 has the value 40 kg and is similar to this row (0.80), so that "
        "the two differ by at most 10 kg.",
        "It should be at most 60 kg: training row A-7 has the value 50 kg and is similar to this row (0.80), so that "
        "the two differ by at most 10 kg. Its own target, 55 kg, is contradicted by other rows.",
        "The bounds leave room for 30 kg, 30 % of the range of all targets (0 kg to 100 kg). The prediction changes by "
        "at most 10 kg if the row moves by 0.1 in the model's distance.",
    ]


def test_a_side_without_arguments_ends_where_the_fitted_values_do():
    text = describe(replace(NUMBER, at_least=(), at_most=()))
    lower = "at least 30 kg, the smallest value that a training row is taken to have"
    upper = "at most 60 kg, the largest value that a training row is taken to have"
    assert f"No training row below it is near enough to say more than that it should be {lower}." in text
    assert f"No training row above it is near enough to say more than that it should be {upper}." in text


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ([30.00001], "Training row A-3 (at least 30 kg) says the same."),
        ([29.0], "Training row A-3 (at least 29 kg) says so too, less strongly."),
        ([30.0, 29.0], "Training rows A-3 (at least 30 kg) and A-3 (at least 29 kg) say so too, less strongly."),
    ],
)
def test_further_arguments_are_compared_as_they_are_shown(bounds, words):
    others = [replace(LOWER, says=bound) for bound in bounds]
    assert words in describe(replace(NUMBER, at_least=(LOWER, *others)))


@pytest.mark.parametrize(
    ("similarity", "words"),
    [(1.0, "fully matched or"), (0.95, "nearly matched or"), (0.3, "partly matched or"), (0.0, "neither matched nor")],
)
def test_where_one_side_counts_rows_are_matched_or_exceeded(similarity, words):
    higher = (FeatureComparison("income", 40.0, 0.0, 1.0, direction=1),)
    lower = (FeatureComparison("income", 40.0, 0.0, 1.0, direction=-1),)
    text = describe(
        replace(
            NUMBER,
            at_least=(replace(LOWER, similarity=similarity, attributes=higher),),
            at_most=(replace(UPPER, similarity=similarity, attributes=lower),),
            attributes=(FeatureEffect("income", 30.0, "", False, 1, 0.5, 2.0),),
        )
    )
    assert f"is {words} exceeded by this row ({similarity:.2f}), so that this row is lower by at most 10 kg" in text
    assert f"is {words} undercut by this row ({similarity:.2f}), so that this row is higher by at most 10 kg" in text
    assert "Only 'income' (30 here, lower than 40 there) keeps them apart." in text
    assert "More of 'income' never lowers it." in text


def test_near_duplicates_are_counted():
    text = describe(replace(NUMBER, at_least=(replace(LOWER, alike=("A-4", "A-5")),)))
    assert "Another 2 rows like training row A-3 say the same." in text


@pytest.mark.parametrize(
    ("suspect", "words"),
    [
        (RegressionSuspect(1, 1, 20.0, 25.0, 0.05, (), ()), "Row 1 has the target 20, but is taken as 25."),
        (
            RegressionSuspect(1, 1, 20.0, 25.0, 0.05, (RegressionOpponent(2, 2, 40.0, 40.0, 0.1, 1.0, ()),), (5, 6)),
            "Row 1 has the target 20, but is taken as 25: row 2 (target 40, distance 0.1) contradicts it. The same "
            "holds for another 2 rows equal to row 1.",
        ),
        (
            RegressionSuspect(1, 1, 40.0, 25.0, 0.05, (), (), None, 4.26, 1.5, 13.5),
            "Row 1 has the target 40, but is taken as 25. A model that had not seen row 1 expects 12 to 15. Row 1 is "
            "4.3 times as far off as rows usually are.",
        ),
        (
            RegressionSuspect(1, 1, 40.0, 39.0, 0.05, (), (7,), None, 0.9, 2.0, 38.0),
            "Row 1 has the target 40, but is taken as 39. The same holds for another row equal to row 1. Models that "
            "had not seen one of these 2 rows expect 36 to 40 on average. Rows are usually as far off: there is little "
            "reason to doubt the target.",
        ),
        (
            RegressionSuspect(1, 1, 40.0, 40.0, 0.0, (), (), "rent", 4.26, 1.5, 13.5),
            "Row 1 has rent = 40, and no other row contradicts it. But a model that had not seen row 1 expects 12 to "
            "15. Row 1 is 4.3 times as far off as rows usually are.",
        ),
        (
            RegressionSuspect(1, 1, 40.0, 39.0, 0.05, (), (), None, 2.0, 0.5),
            "Row 1 has the target 40, but is taken as 39. Row 1 is 2.0 times as far off as rows usually are.",
        ),
        (
            RegressionSuspect(1, 1, 40.0, 39.0, 0.05, (), (), None, 2.0, 0.0, 30.0),
            "Row 1 has the target 40, but is taken as 39. A model that had not seen row 1 expects 30. Row 1 is 2.0 "
            "times as far off as rows usually are.",
        ),
    ],
)
def test_contradicted_targets(suspect, words):
    assert audit.describe(suspect) == words
