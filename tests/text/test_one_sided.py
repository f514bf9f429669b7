"""What is said about monotone models: one-sided comparisons, one-sided promises."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import Explanations, FGAClassifier
from fgac.report import explanation_html, report_html
from fgac.text.one_sided import match_clause
from support.directed import DIRECTIONS, METRICS, directed_distances, monotone_cases, raised_queries
from support.property_tests import examples

X = pd.DataFrame(
    {
        "income": [10.0, 20.0, 30.0, 40.0, 50.0, 60.0],
        "debt": [30.0, 10.0, 20.0, 20.0, 5.0, 10.0],
        "age": [30.0, 40.0, 50.0, 30.0, 40.0, 50.0],
    },
    index=list("ABCDEF"),
)
Y = ["late", "late", "late", "repaid", "repaid", "repaid"]


def loans(**options):
    """Return a small model: more income and less debt can only speak for repaying."""
    return FGAClassifier(**{"gamma": 2.0, "monotonic_cst": {"income": 1, "debt": -1}, **options}).fit(X, Y)


def row(income, debt, age):
    """Return one applicant."""
    return pd.DataFrame({"income": [income], "debt": [debt], "age": [age]}, index=["new"])


def test_a_row_of_the_higher_class_is_matched_or_exceeded():
    """Being better in ordered columns is told as such, not as a difference."""
    text = loans().explain(row(45.0, 15.0, 32.0))[0].text()
    assert (
        "training row 'D' belongs to 'repaid' (0.90), and this row largely matches or exceeds it (0.88), so this "
        "row belongs to 'repaid' to at least 0.78. This row is at least as high in 'income' (45 here, 40 there), and "
        "at least as low in 'debt' (15 here, 20 there). Only 'age' (32 here, 30 there) keeps them apart."
    ) in text


def test_a_row_of_the_lower_class_is_matched_or_stayed_below():
    """For the lower class it is the other way round."""
    text = loans().explain(row(9.0, 25.0, 30.0))[0].text()
    assert "training row 'A' belongs to 'late' (0.94), and this row largely matches or stays below it (0.77)" in text
    assert "This row is at least as low in 'income' (9 here, 10 there)." in text
    assert "Only 'debt' (25 here, lower than 30 there) keeps them apart." in text
    assert "The two agree in 'age' (30)." in text


def test_what_falls_short_says_in_which_way():
    """Values on the wrong side are told with their side."""
    text = loans(gamma=1.0).explain(row(38.0, 22.0, 30.0))[0].text()
    assert "'income' (38 here, lower than 40 there)" in text
    assert "'debt' (22 here, higher than 20 there)" in text


def test_nothing_keeps_apart_a_row_that_exceeds_in_everything():
    """Equal in plain columns, and at least as far in ordered ones."""
    text = loans().explain(row(45.0, 20.0, 30.0))[0].text()
    assert "this row fully matches or exceeds it (1.00)" in text
    assert "at least as high in 'income' (45 here, 40 there), and at least as low in 'debt' (20 in both)." in text
    assert "The two are equal in every other attribute that counts." in text


def test_the_free_way_is_told():
    """One way an attribute may change without limit, the other way by an allowance."""
    text = loans().explain(row(45.0, 15.0, 32.0))[0].text()
    assert "'income' alone falls by less than" in text
    assert text.endswith("It stays however much 'income' rises and 'debt' falls.")
    low = loans().explain(row(9.0, 25.0, 30.0))[0].text()
    assert low.endswith("It stays however much 'debt' rises and 'income' falls.")


def test_many_free_attributes_are_counted():
    """Three names at most."""
    rng = np.random.default_rng(0)
    table = rng.random((40, 6))
    clf = FGAClassifier(gamma=3.0, monotonic_cst=np.ones(6)).fit(table, (table.sum(axis=1) > 3).astype(int))
    text = clf.explain(np.ones((1, 6)))[0].text()
    assert " and 4 others rise." in text


def test_the_nearest_row_of_a_guess():
    """Where nothing resembles a row, the row that comes nearest is told one-sidedly too."""
    clf = FGAClassifier(gamma=50.0, monotonic_cst=[1, 0]).fit([[0.0, 0.0], [1.0, 1.0]], ["no", "yes"])
    text = clf.explain([[0.4, 0.4]])[0].text()
    assert "comes nearest, but this row neither matches nor stays below it (0.00)" in text


@pytest.mark.parametrize(("similarity", "phrase"), [(1.0, "fully"), (0.9, "nearly"), (0.6, "largely"), (0.1, "hardly")])
def test_grades(similarity, phrase):
    """The more of the way, the stronger the word."""
    why = loans().explain(row(45.0, 15.0, 32.0))[0]
    argument = why.arguments_for[0]
    object.__setattr__(argument, "similarity", similarity)
    assert match_clause(argument, is_higher=True) == f"this row {phrase} matches or exceeds it ({similarity:.2f})"
    assert match_clause(argument, is_higher=False) == f"this row {phrase} matches or stays below it ({similarity:.2f})"


def test_values_are_not_needed():
    """A model that was saved without values tells names only."""
    clf = loans()
    object.__setattr__(clf._state.records, "values", None)
    text = clf.explain(row(45.0, 15.0, 32.0))[0].text()
    assert "This row is at least as high in 'income' (45 here), and at least as low in 'debt' (15 here)." in text


@given(monotone_cases(n_classes=2), raised_queries(n=3))
@examples(40)
def test_comparisons_count_one_side_only(case, queries):
    """An ordered attribute keeps rows apart exactly if it is on the wrong side; distances are the directed ones."""
    metric = case.settings["metric"]
    clf = FGAClassifier(**case.settings).fit(case.X, case.y)
    for i, why in enumerate(clf.explain(queries[0], merge_similarity=1.0)):
        for argument in (*why.arguments_for, *why.arguments_against):
            x, u = queries[0][[i]], case.X[[argument.index]]
            high = argument.label == clf.classes_[1]
            distance = directed_distances(u, x, case.X, metric) if high else directed_distances(x, u, case.X, metric)
            assert argument.distance == pytest.approx(distance[0, 0], abs=1e-12)
            for q in (0, 1):
                comparison = argument.attributes[q]
                assert comparison.direction == (DIRECTIONS[q] if high else -DIRECTIONS[q])
                wrong = comparison.direction * (x[0, q] - u[0, q]) < 0
                assert (comparison.apart > 0) == wrong or (metric == "chebyshev" and wrong)


@given(monotone_cases(n_classes=2), raised_queries(n=4), st.floats(0.0, 0.99), st.integers(0, 1))
@examples(50)
def test_promises_are_kept(case, queries, share, q):
    """Any amount the free way, less than the allowance the other way: the label stays."""
    clf = FGAClassifier(**case.settings).fit(case.X, case.y)
    for i, why in enumerate(clf.explain(queries[0])):
        reading = why.attributes[q]
        assert reading.direction in (-1, 1)
        for step in (reading.direction * 1e6, -reading.direction * share * (reading.radius or 0.0)):
            moved = queries[0][[i]].copy()
            moved[0, q] += step
            if not why.tied or step * reading.direction > 0:
                assert clf.predict(moved)[0] == why.prediction


def test_json_holds_directions_only_where_there_are_any():
    """Explanations of other models are written as ever; those with directions are read again."""
    plain = FGAClassifier(gamma=2.0).fit(X, Y).explain(X)
    assert "direction" not in plain.to_json()
    directed = loans().explain(X)
    attributes = directed.to_dict()["items"][0]["attributes"]
    assert [set(part) - {"name", "value", "unit", "is_nominal", "radius"} for part in attributes] == [
        {"direction"},
        {"direction"},
        set(),
    ]
    assert Explanations.from_json(directed.to_json()) == directed
    assert Explanations.from_json(plain.to_json()) == plain
    broken = directed.to_dict()
    broken["items"][0]["attributes"][0]["way"] = 1
    with pytest.raises(ValueError, match="way"):
        Explanations.from_json(json.dumps(broken))


def test_the_report_shows_directions():
    """Arrows beside ordered attributes, one-sided safe changes, and a line that explains them."""
    pytest.importorskip("jinja2")
    reasons = loans().explain(row(45.0, 15.0, 32.0))
    for page in (report_html(reasons), explanation_html(reasons[0])):
        assert "<th>income ↑<td>" in page
        assert "<th>debt ↓<td>" in page
        assert "<th>age<td>" in page
        assert "+ any, − " in page
        assert "− any, + " in page
        assert "marked ↑" in page
    plain = report_html(FGAClassifier(gamma=2.0).fit(X, Y).explain(X))
    assert "↑" not in plain
    assert "+ any" not in plain


@pytest.mark.parametrize("metric", METRICS)
def test_pictures_can_be_drawn(metric):
    """Every Display works with ordered columns."""
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot as plt

    from fgac import plot

    table = X[["income", "debt"]]
    clf = FGAClassifier(gamma=2.0, metric=metric, monotonic_cst={"income": 1, "debt": -1}).fit(table, Y)
    space = plot.DecisionSpaceDisplay.from_estimator(clf, table)
    plot.ArgumentDisplay.from_estimator(clf, table[:1])
    plot.MembershipDisplay.from_estimator(clf, table)
    plot.ConsistencyDisplay.from_estimator(clf)
    plot.GammaDisplay.from_estimator(clf, table, Y)
    degree = space.spaces[0].degree[:, :, 1]
    assert (np.diff(degree, axis=1) >= -1e-12).all()
    assert (np.diff(degree, axis=0) <= 1e-12).all()
    plt.close("all")
