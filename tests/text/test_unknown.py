"""Unknown cells in words: named, counted, and never among what rows agree in."""

import dataclasses

import pytest

from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.classification import FeatureValue
from fgac.explanation.held_out import HeldOut
from fgac.text.held_out import describe as describe_held_out
from fgac.text.unknown import unknown_values
from support.text_examples import AGAINST, argument, lines, two_classes

ROW = (
    FeatureValue("age", 45.0, "years", False, 3.0),
    FeatureValue("income", None, "EUR", False, 0.0),
    FeatureValue("job", None, "", True, None),
)


def compared(*parts):
    return tuple(FeatureComparison(name, *rest) for name, rest in zip(("age", "income", "job"), parts, strict=True))


def told(attributes, cost=0.0):
    first = dataclasses.replace(argument(203, weight=1.0, attributes=attributes), unknown_cost=cost)
    return lines(two_classes((first,), attributes=ROW, unknown=("income", "job")))


def test_what_is_unknown_here():
    said = told(compared((45.0, 0.5, 0.0), (2000.0, 0.2, 0.7), ("nurse", 0.3, 0.3)))
    assert said[0].endswith("Unknown here: 'income' and 'job'. The prediction rests on few values: 2 of 3 are unknown.")
    assert "The two agree in 'age' (45 years)." in said[1]
    assert (
        "Only 'income' (unknown here, 2000 EUR there) and 'job' (unknown here, nurse there) keep them apart" in said[1]
    )
    assert "Whatever 'job' is, it stays." in said[-1]
    assert "'income' alone" not in said[-1]
    assert not any(word in " ".join(said).split() for word in ("nan", "None", "missing"))


def test_what_is_unknown_there_and_in_both():
    both = compared((None, 0.0, 1.0, 0, True), (None, 0.5, 0.0, 0, True), (None, 0.5, 0.0, 0, True))
    said = told(both)
    assert (
        "Only 'age' (45 years here, unknown there) keeps them apart. 'income' and 'job' are unknown in both." in said[1]
    )
    assert "agree" not in said[1]
    assert "closest" not in said[1]
    equal = told(compared((45.0, 1.0, 0.0), (None, 0.0, 0.0, 0, True), (None, 0.0, 0.0, 0, True)))
    assert "The two are equal in every attribute that is known in both. 'income' and 'job' are unknown" in equal[1]


def test_a_model_that_keeps_no_values_calls_none_unknown():
    said = told(compared((None, 0.5, 0.5), (None, 0.5, 0.5), (None, 0.0, 0.0)))
    assert "'age' (45 years here)" in said[1]
    assert "'income' (unknown here)" in said[1]


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (0.16, "That 'income' and 'job' are unknown here weakens this argument by up to 0.16."),
        (0.004, ""),
    ],
)
def test_the_cost(cost, said):
    row = compared((45.0, 0.5, 0.0), (2000.0, 0.2, 0.7), ("nurse", 0.3, 0.3))
    line = told(row, cost=cost)[1]
    assert said in line
    assert ("weakens" in line) == bool(said)


def test_the_cost_of_both_rows():
    row = compared((None, 0.0, 0.3, 0, True), (2000.0, 0.2, 0.7), (None, 0.3, 0.0, 0, True))
    line = told(row, cost=0.16)[1]
    assert "That 'income' is unknown here and 'age' is unknown there weakens this argument by up to 0.16." in line


def test_few_values_are_those_that_count():
    features = [FeatureValue(str(i), None, "", False, None, weight=float(i < 2)) for i in range(9)]
    names = tuple(feature.name for feature in features)
    assert unknown_values(names, features)[1].startswith("nothing that counts is known of this row")
    known = [dataclasses.replace(feature, value=1.0) for feature in features[:1]]
    assert unknown_values(names[1:], [*known, *features[1:]])[1] == ""
    assert unknown_values(names, features)[0] == "unknown here: '0' and '1'", "what does not count is not missed"
    assert unknown_values(names[2:], features) == unknown_values((), features) == ()


def test_what_does_not_count_is_no_part_of_an_argument():
    """A column that was left out is neither said to be unknown in both rows nor to weaken an argument."""
    ignored = dataclasses.replace(ROW[2], weight=0.0)
    for there, place in ((None, True), ("nurse", False)):
        row = compared((45.0, 0.5, 0.0), (2000.0, 0.5, 1.0), (there, 0.0, 0.0, 0, place))
        first = dataclasses.replace(argument(203, weight=1.0, attributes=row), unknown_cost=0.3)
        said = lines(two_classes((first,), attributes=(*ROW[:2], ignored), unknown=("income", "job")))
        assert said[0].endswith("Unknown here: 'income'.")
        assert "That 'income' is unknown here weakens this argument by up to 0.30." in said[1]
        assert "'job'" not in said[1]


def test_against_without_attributes_is_no_problem():
    assert "weakens" not in " ".join(lines(two_classes(against=(dataclasses.replace(AGAINST, unknown_cost=0.5),))))


def test_held_out_scores():
    found = HeldOut("balanced_accuracy", 0.8149, 5, 1000, argued_share=0.99999)
    assert describe_held_out(found) == (
        "cross-validated balanced accuracy 0.81 (5 folds, 1000 rows); 99.9 % of predictions had an argument"
    )
    assert describe_held_out(HeldOut("r2", 0.5, 5, 10)) == "cross-validated R2 0.50 (5 folds, 10 rows)"
