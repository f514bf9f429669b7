"""The text of an explained class: the exact sentences of hand-made cases."""

from __future__ import annotations

import pytest

from fgac.explanation.classification import FeatureComparison, FeatureValue, Membership
from fgac.text.classification import describe
from support.text_examples import FOR, ROW, argument, lines, two_classes

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
    assert "is very similar to this row (0.90) and belongs only in part to 'benign' (0.30)" in describe(
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
        "There is no comparable case among the training rows, so every degree from 0 to 1 is possible. "
        "Training row 7, labelled 'malignant', comes nearest, but is not similar to this row (0.00). Only "
        "'age' (45 years here, 90 years there) keeps them apart. The prediction merely follows training row 7.",
    ]


def test_a_row_that_is_similar_but_hardly_belongs_is_no_argument():
    said = describe(lost(argument(7, similarity=0.3, degree=0.4)))
    assert (
        "comes nearest, but is somewhat similar to this row (0.30) and belongs only in part to 'malignant' (0.40)."
        in said
    )


def test_a_guess_by_the_rule_for_ties():
    said = describe(lost(argument(7, "benign", 0.0)))
    assert said.endswith("Only the rule for ties makes 'malignant' the prediction.")


def test_a_guess_with_one_class():
    only = (Membership("malignant", 0.0, 1.0, 0.5),)
    said = describe(lost(None, memberships=only, runner_up=None, tied=(), margin=1.0))
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
