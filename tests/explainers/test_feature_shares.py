"""Attributes: the row itself, its arguments beside it, and what brings them close or keeps them apart."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import euclidean_distances

from fgac import FGAClassifier
from support.explained import assert_plain_values, samples
from support.frames import NAMES, as_objects, as_pandas, as_polars, mixed_columns
from support.property_tests import examples

METRICS = ["euclidean", "manhattan", "chebyshev"]
NEAR = {"gamma": 0.01, "scale": None}  # everything resembles everything


def only_argument(train, query, **setting):
    """Explain a row by a model of one row, and return that row's attributes."""
    clf = FGAClassifier(**{**NEAR, **setting}).fit([train], ["only"])
    (argument,) = clf.explain([query])[0].arguments_for
    return argument.attributes


def all_arguments(explanations):
    """Yield every argument of every explanation, the nearest rows included."""
    for e in explanations:
        yield from (*e.arguments_for, *e.arguments_against, *([e.nearest] if e.nearest else []))


# ----------------------------------------------------------------------------------------------------
# Shares
# ----------------------------------------------------------------------------------------------------


def test_euclidean_shares_are_squared_parts():
    """Differences of 3 and 4 are 9 and 16 of 25."""
    first, second = only_argument([0.0, 0.0], [3.0, 4.0])
    assert (first.name, second.name) == ("x0", "x1")
    assert (first.value, second.value) == (0.0, 0.0)
    assert (first.apart, second.apart) == pytest.approx((9 / 25, 16 / 25))


def test_manhattan_shares_are_parts():
    """Differences of 1, 3 and 4 are eighths."""
    assert [c.apart for c in only_argument([0.0] * 3, [1.0, -3.0, 4.0], metric="manhattan")] == pytest.approx(
        [1 / 8, 3 / 8, 4 / 8]
    )


def test_chebyshev_hears_the_largest_difference_only():
    """That one keeps rows apart; the others could be anything smaller."""
    shares = [c.apart for c in only_argument([0.0] * 3, [1.0, -3.0, 2.0], metric="chebyshev")]
    assert shares == pytest.approx([0.0, 1.0, 0.0])


def test_chebyshev_with_several_largest_differences():
    """They share."""
    shares = [c.apart for c in only_argument([0.0] * 3, [3.0, -3.0, 2.0], metric="chebyshev")]
    assert shares == pytest.approx([0.5, 0.5, 0.0])


@pytest.mark.parametrize("metric", METRICS)
def test_equal_rows_have_nothing_apart(metric):
    """All shares of what keeps them apart are 0; those of what they agree on still sum to 1."""
    attributes = only_argument([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], metric=metric)
    assert [c.apart for c in attributes] == [0.0, 0.0, 0.0]
    assert sum(c.close for c in attributes) == pytest.approx(1.0)
    assert len({c.close for c in attributes}) == 1


@pytest.mark.parametrize("metric", METRICS)
def test_rows_that_differ_entirely_have_nothing_close(metric):
    """Opposite ends of every range, another category: nothing is agreed on."""
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": [5.0, 9.0], "c": ["u", "v"]})
    clf = FGAClassifier(gamma=0.3, metric=metric).fit(frame, ["x", "x"])
    far = clf.explain(frame[:1], merge_similarity=1.0)[0].arguments_for[1]
    assert far.index == 1
    assert [c.close for c in far.attributes] == [0.0, 0.0, 0.0]
    assert sum(c.apart for c in far.attributes) == pytest.approx(1.0)


@pytest.mark.parametrize("metric", METRICS)
def test_what_is_nearer_brings_closer(metric):
    """Of columns that count alike, the smaller difference has the larger share in what is agreed on."""
    clf = FGAClassifier(gamma=0.1, metric=metric).fit([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], ["x", "x"])
    (argument,) = clf.explain([[0.1, 0.2, 0.4]], 1)[0].arguments_for
    close = [c.close for c in argument.attributes]
    assert close == sorted(close, reverse=True)
    assert min(close) >= 0.0
    assert close[0] > 0.0
    assert sum(close) == pytest.approx(1.0)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("setting", [{}, {"feature_weights": [2.0, 0.0, 1.0, 0.5, 1.0]}, {"scale": "robust"}], ids=str)
def test_shares_sum_to_one(metric, setting):
    """On a mixed table, arguments and nearest rows alike, but for rows that are equal or entirely different."""
    columns, y = mixed_columns(36)
    asked, _ = mixed_columns(9, seed=3)
    asked["city"][0] = "Oslo"
    asked["age"] = asked["age"] * np.r_[np.ones(8), 40.0]
    clf = FGAClassifier(gamma=0.7, metric=metric, **setting).fit(as_pandas(columns), y)
    checked = 0
    for a in all_arguments(clf.explain(pd.concat([as_pandas(asked, "object"), as_pandas(columns, "object")[:3]]))):
        assert [c.name for c in a.attributes] == NAMES
        apart, close = sum(c.apart for c in a.attributes), sum(c.close for c in a.attributes)
        assert apart == pytest.approx(1.0 if a.distance > 0 else 0.0)
        assert close == pytest.approx(1.0) or close == 0.0
        assert all(0.0 <= share <= 1.0 for c in a.attributes for share in (c.apart, c.close))
        checked += apart > 0 and close > 0
    assert checked > 20


@examples(25)
@given(
    differences=st.lists(st.integers(-4, 4), min_size=1, max_size=5),
    metric=st.sampled_from(METRICS),
    data=st.data(),
)
def test_shares_are_the_parts_of_the_distance(differences, metric, data):
    """Weighted and scaled differences, squared for Euclid, over their sum."""
    n = len(differences)
    weights = np.array(data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n, max_size=n)))
    attributes = only_argument([0.0] * n, differences, metric=metric, feature_weights=weights)
    parts = np.abs(differences) * weights
    parts = {"euclidean": parts**2, "manhattan": parts, "chebyshev": 1.0 * (parts == parts.max()) * (parts > 0)}[metric]
    expected = parts / parts.sum() if parts.any() else np.zeros(n)
    np.testing.assert_allclose([c.apart for c in attributes], expected, atol=1e-12)


def test_scales_count():
    """A difference of 1 in a column of range 10 is a tenth of a difference of 1 in a column of range 1."""
    clf = FGAClassifier(gamma=0.1).fit([[0.0, 0.0], [10.0, 1.0]], ["x", "x"])
    near = clf.explain([[1.0, 0.3]], 1)[0].arguments_for[0]
    assert [c.apart for c in near.attributes] == pytest.approx([0.1, 0.9])


@pytest.mark.parametrize("metric", METRICS)
def test_a_column_without_weight_never_matters(metric):
    """It neither brings close nor keeps apart."""
    setting = {"metric": metric, "feature_weights": [1.0, 0.0]}
    for query in ([0.5, 100.0], [0.5, 0.0], [0.0, 100.0]):
        _, second = only_argument([0.0, 0.0], query, **setting)
        assert (second.apart, second.close) == (0.0, 0.0)


@pytest.mark.parametrize("metric", METRICS)
def test_nominal_columns_differ_or_not(metric):
    """Another category keeps apart, the same one brings close, a category that fit did not see is another one."""
    frame = pd.DataFrame({"size": [1.0, 2.0], "city": ["Ghent", "Rome"], "colour": ["red", "red"]})
    clf = FGAClassifier(gamma=0.2, metric=metric).fit(frame, ["x", "x"])
    for city in ("Rome", "Oslo"):
        (argument,) = clf.explain(frame[:1].assign(city=city), 1, merge_similarity=0.1)[0].arguments_for
        other = clf.explain(frame[:1].assign(city=city), 5, merge_similarity=1.0)[0].arguments_for
        first = next(a for a in other if a.index == 0)
        size, where, colour = first.attributes
        assert (size.apart, where.apart, colour.apart) == (0.0, 1.0, 0.0)
        assert where.close == 0.0
        assert size.close > 0.0
        assert colour.close > 0.0
        assert where.value == "Ghent"
        assert argument.attributes


def test_one_nominal_and_one_numeric_difference_by_hand():
    """A mismatch counts as a difference of 1 beside half a range: 1 and 1/4 of 5/4."""
    frame = pd.DataFrame({"size": [0.0, 2.0], "city": ["Ghent", "Rome"]})
    clf = FGAClassifier(gamma=0.2).fit(frame, ["x", "x"])
    explained = clf.explain(pd.DataFrame({"size": [1.0], "city": ["Ghent"]}), merge_similarity=1.0)[0]
    rome = next(a for a in explained.arguments_for if a.index == 1)
    assert [c.apart for c in rome.attributes] == pytest.approx([0.2, 0.8])


def test_a_metric_of_ones_own_has_no_contradictory_shares():
    """Whatever is told about a function's distances, shares lie in [0, 1] and sum to 1, or nothing is told."""
    X, y = samples(20)
    clf = FGAClassifier(metric=euclidean_distances, gamma=0.5).fit(X, y)
    for a in all_arguments(clf.explain(samples(5, seed=3)[0])):
        assert [c.value for c in a.attributes] == X[a.index].tolist()
        for shares in ([c.apart for c in a.attributes], [c.close for c in a.attributes]):
            assert all(0.0 <= share <= 1.0 for share in shares)
            assert sum(shares) == pytest.approx(1.0) or not any(shares)


def test_a_metric_of_ones_own_that_hears_one_difference_of_several():
    """If making any one attribute equal brings the rows no closer, the differences still keep them apart."""
    setting = {"metric": lambda A, B: np.abs(A[:, None] - B[None]).max(axis=2)}
    assert [c.apart for c in only_argument([0.0, 0.0], [1.0, 1.0], **setting)] == pytest.approx([0.5, 0.5])


# ----------------------------------------------------------------------------------------------------
# Names, values, units
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [as_pandas, as_polars])
def test_values_are_those_of_the_table(form):
    """Both of the row and of its arguments, in the caller's own words and order."""
    columns, y = mixed_columns(36)
    explanations = FGAClassifier(gamma=0.7).fit(form(columns), y).explain(form(columns))
    assert_plain_values(explanations.to_dict())
    for e in explanations:
        assert [r.name for r in e.attributes] == NAMES
        assert [r.value for r in e.attributes] == [column[e.index] for column in columns.values()]
        assert [r.is_nominal for r in e.attributes] == [False, False, True, True, True]
        assert type(e.attributes[4].value) is bool
        assert type(e.attributes[2].value) is str
        for a in e.arguments_for:
            assert [c.value for c in a.attributes] == [column[a.index] for column in columns.values()]


def test_values_of_an_array_of_objects():
    """Nominal columns by position; the columns are numbered as scikit-learn numbers them."""
    columns, y = mixed_columns(36)
    table = as_objects(columns)
    e = FGAClassifier(gamma=0.7, categorical_features=[2, 3, 4]).fit(table, y).explain(table[:1])[0]
    assert [r.name for r in e.attributes] == ["x0", "x1", "x2", "x3", "x4"]
    assert [r.value for r in e.attributes] == table[0].tolist()


def test_odd_names_and_categories():
    """Columns that are no text, categories that are intervals, dates or numbers: all told, all JSON."""
    ages = pd.cut([1, 20, 50, 70], [0, 30, 100])
    days = pd.to_datetime(["2024-01-01", "2024-01-02"] * 2)
    codes = pd.Categorical([7, 8, 7, 8])
    frame = pd.DataFrame({"age": ages, "day": pd.Categorical(days), "code": codes, "<b>": [1.0, 2.0, 3.0, 4.0]})
    explanations = FGAClassifier(gamma=0.5).fit(frame, [0, 0, 1, 1]).explain(frame)
    assert_plain_values(explanations.to_dict())
    assert [r.name for r in explanations[0].attributes] == ["age", "day", "code", "<b>"]
    assert explanations[0].attributes[0].value == "(0, 30]"
    assert explanations[0].attributes[2].value == 7


def test_a_model_that_keeps_no_values(tmp_path):
    """Its arguments tell shares, but no values; the explained row still has its own."""
    from fgac.persistence import load_model, save_model

    frame = pd.DataFrame({"a": [0.0, 1.0], "c": ["u", "v"]})
    save_model(FGAClassifier(gamma=0.3).fit(frame, ["x", "y"]), tmp_path / "model.fgac", values=False)
    e = load_model(tmp_path / "model.fgac").explain(frame.assign(a=[0.25, 0.0]))[0]
    assert [(c.name, c.value) for c in e.arguments_for[0].attributes] == [("a", None), ("c", None)]
    assert [c.apart for c in e.arguments_for[0].attributes] == [1.0, 0.0]
    assert [r.value for r in e.attributes] == [0.25, "u"]


def test_values_of_a_frame_that_changes_later():
    """The model keeps what it was given at the time."""
    frame = pd.DataFrame({"a": [0.0, 1.0], "c": ["u", "v"]})
    clf = FGAClassifier(gamma=0.3).fit(frame, ["x", "y"])
    query = frame.copy()
    frame.loc[:, "a"] = 99.0
    assert [c.value for c in clf.explain(query)[0].arguments_for[0].attributes] == [0.0, "u"]


def test_values_of_an_array_that_changes_later():
    """Also of an array of numbers."""
    X = np.array([[0.0], [1.0]])
    clf = FGAClassifier().fit(X, ["x", "y"])
    X[:] = 99.0
    assert clf.explain([[0.1]])[0].arguments_for[0].attributes[0].value == 0.0


def test_units_are_told():
    """Where given; otherwise they are empty."""
    frame = pd.DataFrame({"age": [20.0, 60.0], "height": [170.0, 180.0], "city": ["u", "v"]})
    clf = FGAClassifier().fit(frame, ["x", "y"])
    assert [r.unit for r in clf.explain(frame, units={"age": "years", "height": "cm"})[0].attributes] == [
        "years",
        "cm",
        "",
    ]
    assert [r.unit for r in clf.explain(frame)[0].attributes] == ["", "", ""]


def test_units_of_an_array_by_the_names_that_are_told():
    """As they stand in explanations."""
    clf = FGAClassifier().fit([[0.0, 1.0], [1.0, 0.0]], ["x", "y"])
    assert [r.unit for r in clf.explain([[0.1, 0.9]], units={"x1": "m"})[0].attributes] == ["", "m"]


@pytest.mark.parametrize("units", [{"weight": "kg"}, {"age": "years", "heigth": "cm"}], ids=str)
def test_units_of_unknown_columns(units):
    """A typing error is named, with the columns there are."""
    frame = pl.DataFrame({"age": [20.0, 60.0], "height": [170.0, 180.0]})
    clf = FGAClassifier().fit(frame, ["x", "y"])
    with pytest.raises(ValueError, match=r"(weight|heigth)[\s\S]*age"):
        clf.explain(frame, units=units)


def test_distances_have_no_units():
    """Precomputed distances have no columns."""
    clf = FGAClassifier(metric="precomputed").fit([[0.0, 1.0], [1.0, 0.0]], ["x", "y"])
    with pytest.raises(ValueError, match="units"):
        clf.explain([[0.1, 0.9]], units={"x0": "m"})
