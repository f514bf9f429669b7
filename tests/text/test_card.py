"""The card of an explanation: why, why not, how sure, what would change it, what is unknown."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, FGARegressorCV
from fgac.explanation.base import BaseExplanation
from fgac.explanation.counterfactual import Change, Counterfactual, Goal
from fgac.explanation.reliability import Reliability
from fgac.text.cards import card_of
from support.report_examples import argument, explanation, stranger

GOAL = Goal(1, "p9", "bad")


def flips(*changes, prediction="bad"):
    """Return one counterfactual for each group of changes."""
    return tuple(Counterfactual(tuple(group), {}, 0.1, prediction, GOAL, 0.05) for group in changes)


# --- How sure


def test_how_often_such_cases_were_right_comes_first():
    card = explanation(reliability=Reliability(0.9, 40, 37)).card()
    assert f"{card.sure}{card.sure_of}" == "92 of 100 such cases were right (37 of 40 rows held out)."
    assert card.remarks == ()  # of two classes, the other one is next
    card = explanation().card()
    assert f"{card.sure}{card.sure_of}" == "Not known. How often such cases are right, nobody has tested."
    assert card.remarks == ("Clearly ahead of 'bad'.",)


def test_a_probability_that_is_far_from_the_count_is_told_beside_it():
    """They are two numbers: of the row itself, and of a group of rows held out that were about as probable."""
    item = explanation(reliability=Reliability(0.29, 31, 13))
    said = "such are rows of similar probability, and this row's own is 0.29."
    assert item.card().sure_of == f" such cases were right (13 of 31 rows held out). {said.capitalize()}"
    assert f"Of 100 such cases, 42 were right (13 of 31 rows held out); {said}" in item.text()


def test_a_guess_is_called_a_guess():
    card = stranger().card()
    assert card.sure == "A guess"
    assert card.favour.heading == "No comparable case; the nearest row"
    assert card.favour.case.row == "n1"
    assert not card.favour.is_argument
    assert card.against.text() == "No comparable case, either."
    assert card.stays == ("The slightest change may change it.",)


def test_a_tie_is_decided_by_nothing():
    card = explanation(margin=0.0, tied=("good", "bad"), certified_radius=0.0).card()
    assert (card.sure, card.sure_of) == ("A tie", ". How often such cases are right, nobody has tested.")
    assert card.remarks == ("Nothing but a rule for ties decides between 'good' and 'bad'.",)
    assert card.stays == ("The slightest change may change it.",)


def test_the_truth_is_told_where_it_is_known():
    assert explanation(truth="bad").card().outcome == "In fact it is 'bad', so the prediction is wrong."
    assert (
        explanation(truth="good", target="mood").card().outcome
        == "In fact it is mood = good, so the prediction is right."
    )


# --- Why, and why not


def test_the_strongest_cases_stand_on_both_sides():
    card = explanation(target="loan status").card()
    assert card.prediction == "loan status = good"
    assert card.favour.heading == "Why loan status = good"
    assert card.favour.text().startswith("Training row p1 (loan status = good): similar to this row. ")
    assert card.against.case.row == "c1"
    assert card.against.case.says == "loan status = bad"


def test_a_side_without_a_case_says_so():
    card = explanation(arguments_against=()).card()
    assert card.against.case is None
    assert card.against.text() == "Nothing does."
    assert "no other class fits better" in explanation(arguments_for=()).card().favour.text()


def test_a_doubted_label_is_told():
    doubted = argument("p1", "good", 0.2, membership=0.3)
    assert "Other rows contradict its label." in explanation(arguments_for=(doubted,)).card().favour.text()
    own = argument("c1", "good", 0.2)
    said = explanation(arguments_against=(own,)).card().against.text()
    assert "It has this label itself, but other rows contradict it." in said


def test_only_distances():
    plain = {f"arguments_{side}": (argument("p1", "good"),) for side in ("for", "against")}
    card = explanation(attributes=(), **plain).card()
    assert card.favour.case.groups == ()
    assert card.stays == ("Only how alike rows are is known, so no single value can be named.",)


# --- What would change it, and what is unknown


def test_small_changes_that_were_found_come_first():
    found = flips(
        [Change("age", 31, 35, "years")],
        [Change("town", None, "Gent"), Change("debt", 1200.0, 1349.0602, "EUR")],
        [Change("town", "a", "b")],
    )
    card = explanation(counterfactuals=found).card()
    assert [flip.text() for flip in card.flips] == [
        "age 31 years -> 35 years: then bad.",
        "town unknown -> Gent, debt 1200 EUR -> 1349.0602 EUR: then bad.",  # in full: less might not do it
    ]
    assert dict(card.parts())["What would change it"].startswith("age 31 years -> 35 years: then bad. town unknown")


def test_else_it_is_told_what_would_not():
    stays = explanation().card().stays
    assert stays[0] == "It is sure to stay if 'age' alone changes by less than 3.2 years."
    assert stays[1] == "Another category in 'town' alone might already change it."
    assert explanation(certified_radius=None).card().stays == (
        "Under these settings nothing is promised about changes.",
    )


def test_unknown_values_and_values_beyond_training_rows_are_told():
    item = explanation(unknown=("age",), beyond=("town",))
    assert item.card().unknown == (
        "Unknown here: 'age'.",
        "Beyond all training rows, and compared as if at their edge: 'town'.",
    )
    assert dict(explanation().card().parts())["What is unknown"] == "Nothing that counts."


# --- Other kinds


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.uniform(0, 10, 60), "b": rng.choice(["x", "y"], 60)})


def test_ordered_classes_are_told_at_the_closer_boundary(frame):
    y = pd.Series(np.digitize(frame["a"], [3, 7]), name="grade")
    model = FGAOrdinalClassifier(gamma=2.0).fit(frame, y)
    item = next(e for e in model.explain(frame) if e.prediction == 1)
    card = item.card()
    asked = {item.at_least.prediction, item.at_most.prediction} - {item.closest.prediction}
    assert card.prediction == "grade = 1"
    assert card.remarks[0].startswith("The closer call is whether it is grade ")
    assert len(card.alternatives) == len(asked) == 1
    assert card.alternatives[0].favour.case is not None


def test_a_single_ordered_class_needs_no_reason(frame):
    card = FGAOrdinalClassifier().fit(frame, np.ones(60, dtype=int)).explain(frame[:1])[0].card()
    assert "no other class" in card.favour.text()
    assert card.stays == ()


def test_numbers_are_told_from_both_sides(frame):
    y = pd.Series(frame["a"] * 10, name="rent")
    card = FGARegressor(gamma=2.0).fit(frame, y).explain(frame[:1], y=[40.0], units={"y": "EUR"})[0].card()
    assert card.prediction.startswith("rent = ")
    assert card.sure_of == " is what training rows leave room for. How often that holds, nobody has tested."
    assert card.favour.heading.startswith("Why not less than ")
    assert card.against.heading.startswith("Why not more than ")
    assert card.outcome.startswith("In fact it is 40")


def test_intervals_that_were_tested_say_what_they_should_hold(frame):
    model = FGARegressorCV(gammas=[1.0, 2.0], interval=0.8).fit(frame, frame["a"])
    card = model.explain(frame[:1])[0].card()
    assert card.sure_of == " should hold 80 % of such values."
    assert card.remarks[0].startswith("Such predictions were off by ")


def test_a_number_without_a_comparable_case_is_a_guess():
    card = FGARegressor(gamma=50.0).fit([[0.0], [1.0]], [1.0, 2.0]).explain([[0.5]])[0].card()
    assert card.sure == "A guess"


def test_monotone_columns_are_matched_or_exceeded(frame):
    y = np.where(frame["a"] > 5, "yes", "no")
    model = FGAClassifier(gamma=2.0, monotonic_cst={"a": 1}).fit(frame, y)
    item = next(e for e in model.explain(frame[:20]) if e.prediction == "yes" and e.arguments_for)
    said = item.card().favour.text()
    assert "this row fully matches or exceeds it" in said or "matches or exceeds it" in said
    assert "It stays however much 'a' rises." in item.card().stays


def test_missing_cells_dates_and_categories_are_shown_as_they_are(frame):
    table = frame.assign(day=pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(60), unit="D"))
    model = FGAClassifier(gamma=1.0).fit(table, np.where(frame["a"] > 5, "yes", "no"))
    new = table[:1].assign(b=None)
    card = model.explain(new)[0].card()
    told = {
        f.name: f for side in (card.favour, card.against) if side.case for g in side.case.groups for f in g.features
    }
    assert told["day"].here == "2024-01-01"
    assert card.unknown == ("Unknown here: 'b'.",)


def test_there_are_cards_of_explanations_only():
    with pytest.raises(TypeError, match="got BaseExplanation"):
        card_of(BaseExplanation())


def test_equal_explanations_have_equal_cards():
    assert explanation().card() == replace(explanation()).card()
    assert str(explanation().card()) == explanation().card().text()
