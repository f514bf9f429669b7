"""Nominal columns: which they are, which categories count, and what a new category means."""

import numpy as np
import pytest

from fgac import FGAClassifier
from support.frames import NOMINAL, as_codes, as_objects, as_pandas, as_polars, mixed_columns
from support.oracles import NaiveModel, beta_oracle, table_distances

COLUMNS, LABELS = mixed_columns()
NEW_COLUMNS, _ = mixed_columns(n=15, seed=1)


def with_unknown_city(columns):
    """Replace every second city by one that no training row has."""
    city = columns["city"].copy()
    city[::2] = "Atlantis"
    return {**columns, "city": city}


@pytest.mark.parametrize("build", [as_pandas, as_polars, as_objects])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_an_unknown_category_differs_from_everything(build, metric):
    """A category first seen in predict is a mismatch (1) with every training row, and does not change |Q|."""
    table, new = as_objects(COLUMNS), as_objects(with_unknown_city(NEW_COLUMNS))
    parameters = {"categorical_features": list(NOMINAL)} if build is as_objects else {}
    model = FGAClassifier(gamma=1.5, metric=metric, **parameters).fit(build(COLUMNS), LABELS)
    distances = table_distances(table, table, table, nominal=NOMINAL, metric=metric)
    naive = NaiveModel(model.beta_, LABELS, distances, 1.5)
    to_training = table_distances(new, table, table, nominal=NOMINAL, metric=metric)
    degree = model.memberships(build(with_unknown_city(NEW_COLUMNS))).degree
    np.testing.assert_allclose(degree, naive.degree(to_training), atol=1e-9)


def test_an_unknown_code_differs_from_everything():
    """The same for a nominal column of numbers, also for a code between known ones."""
    X, y = np.array([[0.0, 1.0], [0.0, 3.0], [1.0, 1.0]]), [0, 1, 1]
    model = FGAClassifier(categorical_features=[1], metric="manhattan").fit(X, y)
    arguments = model.arguments([[0.0, 2.0]], n_arguments=1)
    np.testing.assert_allclose(arguments.arguments_for.similarities[0, 0, 0], 1.0 - 1.0 / 3.0)


def test_categories_are_known_by_value_not_by_code():
    """Reordered, added or dropped levels of a pandas category at predict time change nothing."""
    model = FGAClassifier(gamma=1.5).fit(as_pandas(COLUMNS), LABELS)
    new = as_pandas(NEW_COLUMNS)
    expected = model.predict_proba(new)
    reordered = new.assign(city=new["city"].cat.set_categories(["Oslo", "Portsmouth", "Poznan", "Catania", "Ghent"]))
    np.testing.assert_array_equal(model.predict_proba(reordered), expected)
    np.testing.assert_array_equal(model.predict_proba(as_pandas(NEW_COLUMNS, object)), expected)


def test_codes_may_change_their_number_type():
    """A nominal column of whole numbers in fit may come as floats in predict."""
    columns = {"a": np.arange(6), "b": np.array([1, 2, 3, 1, 2, 3])}
    import pandas as pd

    frame, y = pd.DataFrame(columns), [0, 1, 0, 1, 0, 1]
    model = FGAClassifier(categorical_features=["b"]).fit(frame, y)
    as_float = frame.astype({"b": float})
    np.testing.assert_array_equal(model.predict_proba(as_float), model.predict_proba(frame))


def test_levels_nobody_has_do_not_count():
    """|Q| counts categories seen in fit, not the unused levels of a pandas category."""
    frame = as_pandas(COLUMNS)
    padded = frame.assign(city=frame["city"].cat.add_categories(["Oslo", "Atlantis"]))
    np.testing.assert_array_equal(
        FGAClassifier(gamma=2.0).fit(padded, LABELS).beta_, FGAClassifier(gamma=2.0).fit(frame, LABELS).beta_
    )


def test_categories_of_weightless_rows_do_not_count():
    """A row of weight 0 is absent, and so is a category that only it has."""
    columns, labels = with_unknown_city(NEW_COLUMNS), np.arange(15) % 2
    weights = (columns["city"] != "Atlantis").astype(float)
    present = weights > 0
    padded = FGAClassifier(gamma=2.0).fit(as_pandas(columns), labels, sample_weight=weights)
    plain = FGAClassifier(gamma=2.0).fit(as_pandas(columns)[present], labels[present])
    np.testing.assert_allclose(padded.beta_[present], plain.beta_, atol=1e-9)


def test_nominal_columns_only():
    """A table without any numeric column."""
    frame = as_pandas(COLUMNS)[["city", "colour", "member"]]
    table = as_objects(COLUMNS)[:, 2:]
    expected = beta_oracle(table_distances(table, table, table, nominal=(0, 1, 2)), LABELS, 1.0)
    np.testing.assert_allclose(FGAClassifier().fit(frame, LABELS).beta_, expected, atol=1e-7)


def test_a_constant_nominal_column_counts_once():
    """One category is one column after one-hot encoding."""
    columns = {**COLUMNS, "colour": np.full(36, "grey", dtype=object)}
    table = as_objects(columns)
    expected = beta_oracle(table_distances(table, table, table, nominal=NOMINAL), LABELS, 2.0)
    np.testing.assert_allclose(FGAClassifier(gamma=2.0).fit(as_pandas(columns), LABELS).beta_, expected, atol=1e-7)


def test_numeric_columns_can_be_declared_nominal():
    """categorical_features overrules the dtype: ages become categories."""
    table = as_objects(COLUMNS)
    model = FGAClassifier(categorical_features=["age", "city", "colour", "member"]).fit(as_pandas(COLUMNS), LABELS)
    expected = beta_oracle(table_distances(table, table, table, nominal=(0, 2, 3, 4)), LABELS, 1.0)
    np.testing.assert_allclose(model.beta_, expected, atol=1e-7)


def test_none_means_no_nominal_columns():
    """With categorical_features=None an array of codes is read as numbers."""
    codes = as_codes(COLUMNS)
    expected = beta_oracle(table_distances(codes, codes, codes), LABELS, 1.0)
    np.testing.assert_allclose(FGAClassifier(categorical_features=None).fit(codes, LABELS).beta_, expected, atol=1e-7)


def test_text_cannot_be_read_as_numbers():
    """categorical_features=None with columns of text: an error that names one of them."""
    with pytest.raises(ValueError, match=r"city|colour"):
        FGAClassifier(categorical_features=None).fit(as_pandas(COLUMNS, object), LABELS)


@pytest.mark.parametrize(
    ("categorical", "word"),
    [
        (["city", "town"], "town"),
        ([True, False, True], "(?i)mask|3"),
        ([1, 5], "5"),
        ([-9], "9"),
        ("from_type", "from_type"),
        ([0.5], "categorical_features"),
    ],
    ids=[
        "unknown name",
        "short mask",
        "index too large",
        "index too small",
        "misspelt option",
        "not an index",
    ],
)
def test_nominal_columns_that_do_not_exist(categorical, word):
    """The error says what was asked for and names the parameter."""
    with pytest.raises((ValueError, TypeError), match=word) as caught:
        FGAClassifier(categorical_features=categorical).fit(as_pandas(COLUMNS), LABELS)
    assert "categorical_features" in str(caught.value)


def test_names_need_a_frame():
    """An array has no names to choose by."""
    with pytest.raises((ValueError, TypeError), match="categorical_features"):
        FGAClassifier(categorical_features=["city"]).fit(as_codes(COLUMNS), LABELS)


@pytest.mark.parametrize(
    ("seen", "later"),
    [
        ([True, False], ["True", "False"]),
        (["true", "false"], [True, False]),
        ([1, 2], ["1", "2"]),
        (["1", "2"], [1, 2.0]),
        (["1", "2"], np.array([1, 2])),
    ],
)
def test_a_category_may_be_text_in_one_table_and_a_value_in_the_next(seen, later):
    """Files hold texts where frames hold numbers and truth values; a loaded model must not take them for new."""
    import pandas as pd

    frame = pd.DataFrame({"own": pd.Series(seen * 10, dtype=object), "n": np.arange(20.0)})
    model = FGAClassifier(categorical_features=["own"]).fit(frame, [0, 1] * 10)
    new = frame.assign(own=pd.Series([*later] * 10, dtype=object))
    np.testing.assert_array_equal(model.memberships(new).degree, model.memberships(frame).degree)


def test_texts_that_differ_are_not_taken_for_each_other():
    """Nor is a value that several categories are written like."""
    import pandas as pd

    frame = pd.DataFrame({"own": pd.Series(["true", "false", 1, "1", 2], dtype=object)})
    model = FGAClassifier(categorical_features=["own"]).fit(frame, [0, 1, 0, 1, 0])
    column = model._state.table.columns[0]
    assert [column.category_number(value) for value in ("TRUE", "True", "2.0", "02", None, (1, 2))] == [-1] * 6
    assert column.category_number("2") == column.category_number(2)
    assert column.category_number(1) != column.category_number("1")
