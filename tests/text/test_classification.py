"""Explanations in words: the exact sentences of hand-made cases, and what holds for the text of any explanation."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fgac.explanation.audit import Opponent, Suspect
from fgac.explanation.classification import Argument, Explanation, FeatureComparison, FeatureValue, Membership
from fgac.text import allowance, called, in_line, listed, named, number, tell, tell_suspect, value


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
    return tell(explanation).split("\n")


# The whole text ------------------------------------------------------------------------------------------------------


def test_plain_case_in_full():
    assert lines(two_classes()) == [
        "Prediction for row 12: 'malignant'. The row belongs to this class to a degree of 0.84 out of 1 (at least "
        "0.80, at most 0.88).",
        "The strongest argument for it: training row 203 is similar to this row (0.85) and belongs to 'malignant' "
        "(0.95), so this row belongs to 'malignant' to at least 0.80.",
        "The strongest argument against it: training row 40 is somewhat similar to this row (0.30) and belongs to "
        "'benign' (0.82), so this row belongs to 'malignant' to at most 0.88.",
        "'malignant' is clearly ahead of 'benign' (0.84 against 0.16). The prediction stays as long as the row moves "
        "by less than 0.12 in the model's distance.",
    ]


ROW = (
    FeatureValue("age", 45.0, "years", False, 3.279),
    FeatureValue("amount", 2500.0, "", False, 412.0),
    FeatureValue("housing", "own", "", True, 0.0),
    FeatureValue("purpose", "car", "", True, 0.0),
)
LIKE_IT = (
    FeatureComparison("age", 61.0, 0.1, 0.7),
    FeatureComparison("amount", 2750.5, 0.2, 0.25),
    FeatureComparison("housing", "own", 0.35, 0.0),
    FeatureComparison("purpose", "car", 0.35, 0.0),
)
UNLIKE_IT = (
    FeatureComparison("age", 45.0, 0.5, 0.0),
    FeatureComparison("amount", 9000.0, 0.1, 0.4),
    FeatureComparison("housing", "own", 0.4, 0.0),
    FeatureComparison("purpose", "tv", 0.0, 0.6),
)


def test_attributes_with_units_numbers_and_categories():
    favour = argument("A-7", "good", 0.85, 0.95, weight=1.0, attributes=LIKE_IT, alike=("A-8", "A-9"))
    against = argument("A-3", "bad", 0.4, 0.8, weight=1.0, attributes=UNLIKE_IT, alike=("A-4",))
    others = argument("A-1", "good", 0.8, 0.9), argument("A-2", "good", 0.75, 0.9)
    e = two_classes((favour, *others), (against,), labels=("good", "bad"), id="B-1", truth="bad", attributes=ROW)
    assert lines(e) == [
        "Prediction for row B-1: 'good'. The row belongs to this class to a degree of 0.80 out of 1 (at least 0.80, "
        "at most 0.80). The row is in fact labelled 'bad', so the prediction is wrong.",
        "The strongest argument for it: training row A-7 is similar to this row (0.85) and belongs to 'good' (0.95), "
        "so this row belongs to 'good' to at least 0.80. Another 2 rows like training row A-7 say the same. The two "
        "agree in 'purpose' (car) and 'housing' (own). Only 'age' (45 years here, 61 years there) and 'amount' (2500 "
        "here, 2750 there) keep them apart. Training rows A-1 (0.70) and A-2 (0.65) also speak for it.",
        "The strongest argument against it: training row A-3 is somewhat similar to this row (0.40) and belongs to "
        "'bad' (0.80), so this row belongs to 'good' to at most 0.80. Another row like training row A-3 says the "
        "same. The two agree in 'age' (45 years) and 'housing' (own). Only 'purpose' (car here, tv there) and "
        "'amount' (2500 here, 9000 there) keep them apart.",
        "'good' is clearly ahead of 'bad' (0.80 against 0.20). The prediction stays as long as the row moves by less "
        "than 0.12 in the model's distance. For example, it stays if 'amount' alone changes by less than 410, or "
        "'age' alone by less than 3.2 years. Another category in 'purpose' or 'housing' alone might already change it.",
    ]


def three_classes(**changes):
    """Return an explanation of class 2 against classes 0 and 1."""
    favour = argument(7, 2, 0.9, 1.0, weight=1.0)
    against = argument(5, 1, 0.5, 0.8, weight=1.0), argument(6, 0, 0.4, 1.0), argument(8, 2, 0.7, 0.4)
    memberships = Membership(0, 0.0, 0.1, 0.05), Membership(1, 0.2, 0.1, 0.15), Membership(2, 0.9, 0.7, 0.8)
    fields = {"labels": (2, 1), "memberships": memberships, "margin": 0.65}
    return two_classes((favour,), against, **(fields | changes))


def test_three_classes_say_who_the_opponents_are_and_that_they_do_not_belong():
    _, favour, against, sure = lines(three_classes())
    assert favour == (
        "The strongest argument for it: training row 7 is very similar to this row (0.90) and fully belongs to class "
        "2 (1.00), so this row belongs to class 2 to at least 0.90."
    )
    assert against == (
        "The strongest argument against it: training row 5, labelled class 1, is similar to this row (0.50) and does "
        "not belong to class 2 (0.80), so this row belongs to class 2 to at most 0.70. Training rows 6 (class 0, "
        "0.40) and 8 (0.10) also speak against it."
    )
    assert sure.startswith("Class 2 is clearly ahead of class 1 (0.80 against 0.15).")


@pytest.mark.parametrize(
    ("degree", "words"),
    [
        (1.0, "and does not belong to class 2 at all (1.00)"),
        (0.99, "and does not belong to class 2 (0.99)"),
        (0.4, "and does not quite belong to class 2 (0.40)"),
    ],
)
def test_degrees_of_not_belonging(degree, words):
    assert words in lines(three_classes(arguments_against=(argument(5, 1, 0.8, degree, weight=1.0),)))[2]


@pytest.mark.parametrize(
    ("similarity", "words"),
    [
        (1.0, "is just like this row (1.00)"),
        (0.999, "is very similar to this row (more than 0.99)"),
        (0.9, "is very similar to this row (0.90)"),
        (0.5, "is similar to this row (0.50)"),
        (0.2, "is somewhat similar to this row (0.20)"),
        (0.19, "is only slightly similar to this row (0.19)"),
    ],
)
def test_degrees_of_similarity(similarity, words):
    assert words in lines(two_classes((argument(1, similarity=similarity, degree=1.0, weight=1.0),)))[1]


def test_a_row_that_belongs_only_in_part():
    against = argument(40, "benign", 0.9, 0.3, weight=1.0)
    assert "is very similar to this row (0.90) and belongs only in part to 'benign' (0.30)" in tell(
        two_classes(against=[against])
    )


# Both sides ----------------------------------------------------------------------------------------------------------


def test_nothing_speaks_against_it():
    assert lines(two_classes(against=()))[2] == "Nothing speaks against it."


def test_nothing_speaks_for_it_although_something_speaks_against_it():
    memberships = Membership(0, 0.0, 0.5, 0.25), Membership(1, 0.0, 0.3, 0.15), Membership(2, 0.0, 0.9, 0.45)
    against = argument(5, 1, 0.2, 0.9, weight=1.0)
    e = two_classes((), (against,), labels=(2, 0), memberships=memberships, margin=0.2)
    assert lines(e)[1] == (
        "No training row is similar enough to speak for it; it is predicted because no other class fits better."
    )


def test_one_further_argument_speaks_in_the_singular():
    favour = FOR, argument(9, similarity=0.7)
    assert lines(two_classes(favour))[1].endswith("Training row 9 (0.65) also speaks for it.")


def test_equal_rows_differ_in_nothing():
    same = FeatureComparison("age", 45.0, 1.0, 0.0)
    favour = argument(1, similarity=1.0, degree=1.0, weight=1.0, attributes=(same,))
    said = lines(two_classes((favour,), (), attributes=ROW[:1]))[1]
    assert said.endswith("The two are equal in every attribute that counts.")


def test_values_that_are_not_kept_are_not_told():
    unknown = (
        FeatureComparison("age", None, 0.1, 0.3),
        FeatureComparison("amount", None, 0.2, 0.65),
        FeatureComparison("housing", None, 0.7, 0.05),
    )
    said = lines(two_classes((argument(1, weight=1.0, attributes=unknown),), (), attributes=ROW[:3]))[1]
    assert said.endswith(
        "The two are closest in 'housing' (own here) and 'age' (45 years here). What keeps them apart most is "
        "'amount' (2500 here)."
    )


def test_what_keeps_rows_apart_is_told_until_it_is_most_of_it():
    shares = (0.1, 0.3, 0.15, 0.45)
    different = tuple(FeatureComparison(r.name, "else", 0.0, share) for r, share in zip(ROW, shares, strict=True))
    said = lines(two_classes((argument(1, weight=1.0, attributes=different),), (), attributes=ROW))[1]
    assert said.endswith(
        "0.80. What keeps them apart most is 'purpose' (car here, else there) and 'amount' (2500 here, else there)."
    )


def test_many_equal_attributes_are_counted():
    readings = tuple(FeatureValue(f"q{i}", "yes", "", True, None) for i in range(9))
    answers = tuple(
        FeatureComparison(f"q{i}", "no" if i == 0 else "yes", 0.125 * (i > 0), 1.0 * (i == 0)) for i in range(9)
    )
    said = lines(two_classes((argument(1, weight=1.0, attributes=answers),), (), attributes=readings))[1]
    assert said.endswith(
        "The two agree in 'q1' (yes), 'q2' (yes) and 6 more of 9 attributes. Only 'q0' (yes here, no there) keeps "
        "them apart."
    )


def test_small_differences_are_told_with_as_many_digits_as_they_need():
    near = (FeatureComparison("mass", 17.2004, 0.0, 1.0),)
    reading = FeatureValue("mass", 17.2001, "kg", False, 0.1)
    said = lines(two_classes((argument(1, weight=1.0, attributes=near),), (), attributes=(reading,)))[1]
    assert said.endswith("Only 'mass' (17.2001 kg here, 17.2004 kg there) keeps them apart.")


# How sure, and how far from changing ---------------------------------------------------------------------------------


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


# Rows that resemble nothing ------------------------------------------------------------------------------------------


def lost(nearest, **changes):
    unknown = tuple(Membership(label, 0.0, 1.0, 0.5) for label in ("benign", "malignant"))
    fields = {"memberships": unknown, "tied": ("benign", "malignant"), "margin": 0.0, "certified_radius": 0.0}
    return two_classes((), (), resembles_nothing=True, nearest=nearest, **(fields | changes))


def test_resembling_nothing_is_a_guess_by_the_nearest_row():
    apart = (FeatureComparison("age", 90.0, 0.0, 1.0),)
    nearest = argument(7, similarity=0.0, attributes=apart)
    assert lines(lost(nearest, truth="malignant", attributes=ROW[:1])) == [
        "Prediction for row 12: 'malignant', but only as a guess. The row is in fact labelled 'malignant', so the "
        "guess is right.",
        "No training row is similar enough to say anything about this row, so every degree from 0 to 1 is "
        "possible. Training row 7, labelled 'malignant', comes nearest, but is not similar to this row (0.00). Only "
        "'age' (45 years here, 90 years there) keeps them apart. The prediction merely follows training row 7.",
    ]


def test_a_row_that_is_similar_but_hardly_belongs_is_no_argument():
    said = tell(lost(argument(7, similarity=0.3, degree=0.4)))
    assert (
        "comes nearest, but is somewhat similar to this row (0.30) and belongs only in part to 'malignant' (0.40)."
        in said
    )


def test_a_guess_by_the_rule_for_ties():
    said = tell(lost(argument(7, "benign", 0.0)))
    assert said.endswith("Only the rule for ties makes 'malignant' the prediction.")


def test_a_guess_with_one_class():
    only = (Membership("malignant", 0.0, 1.0, 0.5),)
    said = tell(lost(None, memberships=only, runner_up=None, tied=(), margin=1.0))
    assert said.endswith("is possible. The training data have no other class that could be predicted.")


# Averages ------------------------------------------------------------------------------------------------------------


def test_averages_tell_what_each_row_adds():
    favour = argument(203, weight=0.5), argument(9, similarity=0.65, weight=0.25)
    against = argument(40, "benign", 0.6, 0.9, weight=0.5), argument(41, weight=0.25, similarity=0.5, degree=0.7)
    _, first, second, sure = lines(two_classes(favour, against, rest_for=0.1, rest_against=0.003))
    assert first == (
        "On average over many training rows, this row belongs to 'malignant' to at least 0.65. The strongest argument "
        "for it: training row 203 is similar to this row (0.85) and belongs to 'malignant' (0.95), which adds 0.40. "
        "Training row 9 (adds 0.15) also speaks for it. All other rows together add 0.10."
    )
    assert second == (
        "On average over many training rows, this row belongs to 'malignant' to at most 0.70. The strongest argument "
        "against it: training row 40 is similar to this row (0.60) and belongs to 'benign' (0.90), which takes 0.25 "
        "away. Training row 41 (takes 0.05 away) also speaks against it. All other rows together take less than 0.01 "
        "away."
    )
    assert sure.startswith("'malignant' is somewhat ahead of 'benign' (0.67 against 0.33). The prediction stays")


def test_averages_whose_shares_do_not_add_up_tell_strengths():
    favour = argument(203, weight=0.5), argument(9, similarity=0.65, weight=0.25)
    e = two_classes(favour, (), rest_for=0.1, lower=0.5)
    assert lines(e)[1].endswith("and belongs to 'malignant' (0.95). Training row 9 (0.60) also speaks for it.")


# Doubted labels ------------------------------------------------------------------------------------------------------


def opponent(row, label, similarity, membership, alike=(), multiplier=0.1):
    return Opponent(row, row, label, 1 - similarity, similarity, membership, multiplier, 1.0, alike)


def suspect(membership, *opponents, row=17, label="good", suggestion="bad", alike=(), support=None):
    doubt = 1 - (membership if support is None else (membership + support) / 2)
    return Suspect(0, row, label, membership, doubt, suggestion, opponents, alike, support)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            suspect(0.12, opponent(40, "bad", 0.97, 0.91, (41,)), opponent(50, "bad", 0.9, 0.98)),
            "Row 17 is labelled 'good', but belongs to it only to 0.12: row 40 ('bad', similarity 0.97) and 2 more "
            "contradict it. The rest of the data speak for 'bad'.",
        ),
        (
            suspect(0.12, opponent(40, 3, 0.97, 0.91), row="A 1", label=2, suggestion=3, alike=(18, 19)),
            "Row 'A 1' is labelled class 2, but belongs to it only to 0.12: row 40 (class 3, similarity 0.97) "
            "contradicts it. The same holds for another 2 rows equal to row 'A 1'. The rest of the data speak for "
            "class 3.",
        ),
        (
            suspect(0.5, opponent(40, "bad", 1.0, 0.5), alike=(18,)),
            "Row 17 is labelled 'good', but belongs to it only to 0.50: row 40 ('bad', similarity 1.00) contradicts "
            "it. But row 40 is just as much in doubt: it belongs to 'bad' only to 0.50. The same holds for another "
            "row equal to row 17. If the label is wrong, it may have to be 'bad'.",
        ),
        (
            suspect(0.75, opponent(40, "bad", 0.9, 0.35)),
            "Row 17 is labelled 'good' and belongs to it to 0.75: row 40 ('bad', similarity 0.90) contradicts it. But "
            "row 40 is even more in doubt: it belongs to 'bad' only to 0.35. If the label is wrong, it may have to be "
            "'bad'.",
        ),
        (
            suspect(0.9, opponent(40, "bad", 0.2, 0.91), opponent(41, "bad", 0.2, 0.9, multiplier=0.0), support=0.04),
            "Row 17 is labelled 'good' and belongs to it almost fully (0.90): row 40 ('bad', similarity 0.20) "
            "contradicts it. Other rows of 'good' support row 17 only to 0.04. The rest of the data speak for 'bad'.",
        ),
        (
            suspect(0.75, opponent(40, "bad", 0.6, 0.95)),
            "Row 17 is labelled 'good' and belongs to it to 0.75: row 40 ('bad', similarity 0.60) contradicts it. If "
            "the label is wrong, it may have to be 'bad'.",
        ),
        (
            suspect(0.95, opponent(40, "bad", 0.1, 0.95)),
            "Row 17 is labelled 'good' and belongs to it almost fully (0.95): row 40 ('bad', similarity 0.10) "
            "contradicts it. There is little reason to doubt the label.",
        ),
        (
            suspect(1.0, suggestion=None),
            "Row 17 is labelled 'good' and fully belongs to it (1.00): nothing contradicts it.",
        ),
    ],
)
def test_doubted_labels(row, said):
    assert tell_suspect(row) == said


# Words ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (0, "0.00"),
        (1e-12, "0.00"),
        (0.004999, "less than 0.01"),
        (0.005001, "0.01"),
        (0.5, "0.50"),
        (0.994999, "0.99"),
        (0.995001, "more than 0.99"),
        (1 - 1e-12, "1.00"),
        (1, "1.00"),
        (-1e-12, "0.00"),
        (-0.001, "0.00"),
        (12.345, "12.35"),
    ],
)
def test_numbers(x, said):
    assert number(x) == said


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (3, "3"),
        (3.0, "3"),
        (-0.0, "0"),
        (123456789, "123456789"),
        (1234567.8, "1234568"),
        (12.3456, "12.35"),
        (-0.000123456, "-0.0001235"),
        (0.99996, "1"),
        (0.000000123456, "0.0000001235"),
        (1.23456e-9, "1.235e-09"),
        (6.02214e23, "6.022e+23"),
        (True, "True"),
        ("as it  is", "as it  is"),
        (float("nan"), "missing"),
        (float("inf"), "infinite"),
    ],
)
def test_values(x, said):
    assert value(x) == said


def test_units_follow_a_space():
    assert value(2.5, "mg/l") == "2.5 mg/l"


@given(st.floats(1e-250, 1e250))
def test_allowances_promise_no_more_than_there_is(x):
    assert 0.89 * x <= float(allowance(x)) <= x * (1 + 1e-8)


def test_lists():
    assert [listed([]), listed(["a"]), listed("ab"), listed("abc"), listed("abc", "or")] == [
        "",
        "a",
        "a and b",
        "a, b and c",
        "a, b or c",
    ]


def test_names():
    assert [named(x) for x in ("good", "2", 2, 2.0, True, "it's")] == [
        "'good'",
        "class 2",
        "class 2",
        "class 2",
        "class True",
        '"it\'s"',
    ]
    assert [called(x) for x in (17, 17.0, "A-17", "17.", "Casablanca", "A 17")] == [
        "17",
        "17",
        "A-17",
        "'17.'",
        "'Casablanca'",
        "'A 17'",
    ]


def test_long_and_broken_text_is_made_to_fit():
    assert in_line(" a\n\tb  c ") == "a b c"
    assert in_line("") == "(blank)"
    assert len(in_line("x" * 1000)) == 60


# Any explanation -----------------------------------------------------------------------------------------------------

DEGREES = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1e-17, 1e-3, 0.5, 0.999, 1 - 1e-16, 1.0]))
LABELS = st.one_of(st.integers(-3, 12), st.sampled_from(["good", "bad", "it's {so}", "class 1", "2"]))
WORDS = st.text("abÄß{}% \n\t\u00a0", max_size=8)
IDS = st.one_of(st.integers(0, 10**6), st.sampled_from(["A-17", "x1.5", "Casablanca", "{}", "two words"]))
VALUES = st.one_of(st.floats(-1e9, 1e9), st.integers(-(10**6), 10**6), WORDS, st.booleans())
COLUMNS = ["age", "mean radius", "{0}", "driver's licence", "%s"]


@st.composite
def arguments(draw, labels, n_columns, averaged):
    """Draw the arguments of one side, strongest first, and what the rows that are not shown add."""
    drawn = draw(st.lists(st.tuples(DEGREES, DEGREES, LABELS, IDS), max_size=4))
    made = [argument(row, draw(st.sampled_from(labels)), s, d) for s, d, _, row in drawn if s + d - 1 > 0]
    made.sort(key=lambda a: -a.strength)
    sharp = [1.0] + [0.0] * len(made)
    soft = draw(st.lists(st.floats(0, 1 / 6), min_size=len(made), max_size=len(made)))
    rest = draw(st.floats(0, 0.3)) if averaged and made else 0.0
    weights = soft if averaged else sharp
    comparisons = tuple(draw(st.lists(st.one_of(st.none(), VALUES), min_size=n_columns, max_size=n_columns)))
    shares = [draw(st.lists(DEGREES, min_size=n_columns, max_size=n_columns)) for _ in range(2)]
    shares = [[x / (sum(s) or 1) for x in s] for s in shares]
    attributes = tuple(map(FeatureComparison, COLUMNS, comparisons, *shares))
    alike = tuple(range(draw(st.integers(0, 3))))
    changed = [
        Argument(**(vars(a) | {"weight": w, "attributes": attributes, "alike": alike}))
        for a, w in zip(made, weights, strict=False)
    ]
    return changed, rest


@st.composite
def explanations(draw):
    """Draw an explanation whose parts re-add: of one class or several, sharp or averaged, with attributes or not."""
    labels = draw(st.lists(LABELS, min_size=1, max_size=4, unique_by=named))
    n_columns = draw(st.integers(0, len(COLUMNS)))
    averaged = draw(st.booleans())
    (favour, rest_for), (against, rest_against) = (draw(arguments(labels, n_columns, averaged)) for _ in range(2))
    radii = st.one_of(st.none(), st.sampled_from([0.0, 1e-320, float("inf")]), st.floats(0, 1e6))
    units = st.sampled_from(["", "years"])
    attributes = [FeatureValue(name, draw(VALUES), draw(units), draw(st.booleans()), draw(radii)) for name in COLUMNS]
    prediction, *others = labels
    e = two_classes(favour, against, rest_for=rest_for, rest_against=rest_against, labels=(prediction, ""))
    degrees = [e.degree, *(e.degree * draw(DEGREES) for _ in others)]
    nothing = not favour and not against
    changes = {
        "id": draw(IDS),
        "truth": draw(st.one_of(st.none(), st.sampled_from(labels))),
        "runner_up": others[0] if others else None,
        "margin": degrees[0] - degrees[1] if others else 1.0,
        "certified_radius": draw(st.one_of(st.none(), st.floats(0, 2))),
        "memberships": tuple(Membership(label, 0.0, d, d) for label, d in zip(labels, degrees, strict=True)),
        "tied": tuple(labels) if len(set(degrees)) == 1 and others else (),
        "resembles_nothing": nothing,
        "nearest": argument(3, draw(st.sampled_from(labels)), 0.3, draw(DEGREES)) if nothing else None,
        "attributes": tuple(attributes[:n_columns]),
    }
    return Explanation(**(vars(e) | changes))


@given(explanations())
@example(two_classes())
def test_any_explanation_is_told_in_clean_sentences(e):
    said = tell(e)
    assert not re.search(r"\b(nan|None|inf)\b", said)
    assert not re.search(r"[^\S\n]{2,}|\s[,.;:)]|\.\.|\(\)", said)
    assert all(line.endswith(".") and (line[0].isupper() or line[0] in "'\"") for line in said.split("\n"))
    without_pairs = re.sub(r"\([^()]* here, [^()]* there\)", "", said)  # there digits are told until values differ
    decimals = re.findall(r"(?<![\w.])\d*\.\d+(?![\w.])", without_pairs)
    assert all(len(decimal.replace(".", "").lstrip("0")) <= 4 for decimal in decimals)


ONE = r"(\d\.\d\d)"


@given(explanations())
def test_numbers_that_are_told_re_add(e):
    said = tell(e)
    verdict = re.search(rf"a degree of {ONE} out of 1 \(at least {ONE}, at most {ONE}\)", said)
    if verdict:
        degree, lower, upper = map(float, verdict.groups())
        assert degree == pytest.approx((lower + upper) / 2, abs=0.0101)
    for similarity, membership, bound in re.findall(
        rf"\({ONE}\) and [^()]*belong[^()]*\({ONE}\), so this row [^()]* to at (?:least|most) {ONE}\.", said
    ):
        strength = float(similarity) + float(membership) - 1
        assert min(abs(strength - float(bound)), abs(1 - strength - float(bound))) < 0.0151
    for way, line in zip((r"adds? ", r"takes? "), said.split("\n")[1:3], strict=False):
        total = re.search(rf"On average .* to at (least|most) {ONE}\.", line)
        parts = re.findall(rf"{way}{ONE}", line)
        if total and parts and "than" not in line:
            expected = float(total[2]) if total[1] == "least" else 1 - float(total[2])
            assert sum(map(float, parts)) == pytest.approx(expected, abs=0.0051 * (len(parts) + 1))
