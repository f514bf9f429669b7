"""What would change a prediction, in words."""

import dataclasses

import pytest

from fgac.explanation import Change, Counterfactual, Counterfactuals, Goal
from fgac.text.counterfactual import change_clause, describe, paragraph_of

OWN = Change("own", "no", "yes")
AGE = Change("age", 30.123456, 41.5, "years")
FOUND = Counterfactual((AGE, OWN), {"age": 41.5, "own": "yes"}, 0.25, "paid", Goal(3, "C-3", "paid"), 0.125)


def test_one_sentence_says_what_changes():
    assert describe(FOUND, "loan") == (
        "The prediction would be loan = paid if 'age' were 41.5 years (30.12 years here) and 'own' were yes (no here), "
        "0.25 away in the model's distance, toward training row C-3."
    )
    number = dataclasses.replace(FOUND, changes=(OWN,), prediction=812.5, is_number=True)
    assert describe(number, "rent", "EUR").startswith("The prediction would be rent = 812.5 EUR if 'own' were yes")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change("x", 17.2001, 17.2004), "'x' were 17.2004 (17.2001 here)"),
        (Change("x", None, 3), "'x' were 3 (unknown here)"),
        (Change("x", 2, 1, "days", "whole"), "'x' were 1 day (2 days here)"),
        (Change("built", "2001-01-01", "2002-02-03", "days", "date"), "'built' were 2002-02-03 (2001-01-01 here)"),
        (Change("x", True, False, "cm"), "'x' were False (True here)"),
        (Change("y\n'z", 1.0, 1.7490031), '"y \'z" were 1.7490031 (1 here)'),
    ],
)
def test_values_are_told_with_the_digits_they_need(change, said):
    assert change_clause(change) == said


def test_a_paragraph_tells_the_others_and_the_bound():
    other = dataclasses.replace(FOUND, changes=(OWN,), prediction="lost")
    text = paragraph_of([FOUND, dataclasses.replace(FOUND, changes=(AGE,)), other])
    assert "It would also be so if 'age' were 41.5 years" in text
    assert "It would be 'lost' if 'own' were yes (no here)." in text
    assert text.endswith("No change of the row by less than 0.12 can do it.")
    assert paragraph_of([]) == ""
    without = dataclasses.replace(FOUND, lower_bound=None)
    assert "can do it" not in paragraph_of([without])
    assert without.gap is None


def test_all_rows_have_a_line():
    found = Counterfactuals(((FOUND,), ()), ("A-1", 7), "loan")
    first, second = found.text().splitlines()
    assert first.startswith("Row A-1: The prediction would be loan = paid if")
    assert second == "Row 7: No change is needed, or none was found."
    assert found[1:] == Counterfactuals(((),), (7,), "loan")
    with pytest.raises(ValueError, match="in format 1, got format 2"):
        Counterfactuals.from_dict({**found.to_dict(), "format": 2})
