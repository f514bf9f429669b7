"""A training row beside the explained row: what they share, and what keeps them apart."""

from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.classification import FeatureValue
from fgac.text.case import Compared, Group, case, groups
from fgac.text.changes import Flip
from support.report_examples import argument

HERE = (
    FeatureValue("age", 40.0, "years", False, 1.0),
    FeatureValue("town", "Gent", "", True, 0.0),
    FeatureValue("debt", 5.0, "EUR", False, 1.0),
    FeatureValue("pets", 2, "", False, 1.0),
)


def row(*comparisons, **changes):
    """Return an argument whose features compare in given ways."""
    return argument("p1", "good", **changes, attributes=tuple(FeatureComparison(*c) for c in comparisons))


def told(found, rival=None):
    return [group.text() for group in groups(found, HERE, rival)]


def test_equal_and_different_features_are_told_apart():
    found = row(("age", 40.0, 0.3, 0.0), ("town", "Gent", 0.3, 0.0), ("debt", 9.0, 0.2, 0.7), ("pets", 1, 0.2, 0.3))
    assert told(found) == [
        "The same: age (40 years), town (Gent).",
        "Different: debt (5 EUR here, 9 EUR there), pets (2 here, 1 there).",
    ]


def test_a_name_with_a_comma_is_not_taken_for_two():
    light, area = Compared("light, lux", "4196", "4761"), Compared("leaf area", "40", "38")
    assert (
        Group("Different", (light, area), 0).text().startswith("Different: 'light, lux' (4196 here, 4761 there), leaf")
    )
    assert Flip((light, area), "thrives").text() == "'light, lux' 4196 -> 4761, leaf area 40 -> 38: then thrives."


def test_what_the_rival_does_not_share_comes_first():
    found = row(("age", 40.0, 0.4, 0.0), ("town", "Gent", 0.3, 0.0), ("debt", 9.0, 0.3, 1.0))
    rival = row(("age", 40.0, 0.4, 0.0), ("town", "Lier", 0.3, 1.0), ("debt", 5.0, 0.3, 0.0))
    assert told(found, rival)[0] == "The same: town (Gent), age (40 years)."


def test_without_equal_features_the_closest_are_told():
    found = row(("age", 41.0, 0.5, 0.1), ("town", "Lier", 0.0, 0.5), ("debt", 9.0, 0.5, 0.4))
    assert told(found)[0] == "Closest: age (40 years here, 41 years there)."


def test_a_few_are_named_and_the_others_counted():
    found = row(*((f.name, f.value, 0.25, 0.0) for f in HERE))
    assert told(found) == ["The same: age (40 years), town (Gent) and 2 more."]
    assert case(found, HERE, says="good", resembles="x").notes == ("The two are equal in everything that counts.",)


def test_the_free_side_is_at_least_as_high_or_low():
    found = row(("age", 30.0, 0.5, 0.0, 1), ("debt", 9.0, 0.3, 0.0, -1), ("pets", 2, 0.2, 0.0, 1))
    assert told(found) == [
        "At least as high: age (40 years here, 30 years there).",
        "At least as low: debt (5 EUR here, 9 EUR there).",
        "The same: pets (2).",
    ]


def test_unknown_values_are_told_on_their_side():
    found = row(("age", None, 0.0, 0.6, 0, True), ("debt", None, 0.0, 0.4))
    assert told(found) == ["Different: age (40 years here, unknown there), debt (5 EUR here, – there)."]


def test_near_duplicates_and_costs_are_noted():
    found = row(("age", None, 0.5, 1.0, 0, True), alike=("a", "b"), unknown_cost=0.2)
    assert case(found, HERE, says="good", resembles="similar to this row", notes=("", "it is old")).text() == (
        "Training row p1 (good): similar to this row. Different: age (40 years here, unknown there). It is old. "
        "Another 2 training rows like it say the same. That 'age' is unknown there makes this case weaker."
    )


def test_features_that_are_not_known_here_are_left_out():
    assert list(groups(row(("age", 40.0, 1.0, 0.0)), ())) == []
