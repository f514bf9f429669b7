"""Missing values are unknown values, in every container and however they are written; labels must be known."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fgac import FGAClassifier
from support.frames import NOMINAL, as_codes, as_objects, as_pandas, as_polars, mixed_columns

COLUMNS, LABELS = mixed_columns()
HOLES = {"income": 2, "city": 5, "age": 7, "colour": 7}


def with_holes(columns, hole=None, **holes):
    """Put a marker into one row of each named column."""
    damaged = {name: column.astype(object) for name, column in columns.items()}
    for name, row in holes.items():
        damaged[name][row] = hole
    return damaged


def pandas_frame(columns):
    """Build a frame whose numeric columns stay numeric around a hole."""
    return as_pandas(columns).astype({"age": float, "income": float})


def unknown_in(model):
    """Return the cells of the training rows that a model takes as unknown, by column."""
    kept = model._state.records.values
    return [[i for i, value in enumerate(part) if value is None or value != value] for part in kept]


@pytest.fixture(scope="module")
def expected():
    """The memberships of the table with holes, as pandas holds it."""
    return FGAClassifier().fit(pandas_frame(with_holes(COLUMNS, **HOLES)), LABELS).beta_


def test_holes_are_where_they_are():
    model = FGAClassifier().fit(pandas_frame(with_holes(COLUMNS, **HOLES)), LABELS)
    assert unknown_in(model) == [[HOLES[name]] if name in HOLES else [] for name in COLUMNS]


def test_polars(expected):
    found = FGAClassifier().fit(as_polars(with_holes(COLUMNS, **HOLES)), LABELS)
    np.testing.assert_allclose(found.beta_, expected, atol=1e-12)


def test_polars_nan_is_missing():
    """polars tells null from NaN; both are holes."""
    null, nan = (FGAClassifier().fit(as_polars(with_holes(COLUMNS, hole, income=2)), LABELS) for hole in (None, np.nan))
    assert unknown_in(null) == unknown_in(nan)
    np.testing.assert_array_equal(null.beta_, nan.beta_)


def test_pandas_nullable_types(expected):
    """pandas' nullable numbers, truth values and texts, with and without holes."""
    types = {"age": "Int64", "income": "Float64", "member": "boolean", "city": "string"}
    frame = as_pandas(COLUMNS).astype(types)
    np.testing.assert_allclose(
        FGAClassifier().fit(frame, LABELS).beta_, FGAClassifier().fit(as_pandas(COLUMNS), LABELS).beta_, atol=1e-12
    )
    for name, row in HOLES.items():
        frame.loc[row, name] = pd.NA
    np.testing.assert_allclose(FGAClassifier().fit(frame, LABELS).beta_, expected, atol=1e-12)


def test_masked_categories(expected):
    """A category that a row does not have, declared or not, is unknown; declared ones that no row has count nothing."""
    frame = pandas_frame(with_holes(COLUMNS, **HOLES))
    for name in ("city", "colour"):
        values = frame[name].astype(object)
        frame[name] = pd.Categorical(values, categories=[*sorted(set(values.dropna())), "never seen"])
    np.testing.assert_allclose(FGAClassifier().fit(frame, LABELS).beta_, expected, atol=1e-12)


@pytest.mark.parametrize("hole", [np.nan, None, pd.NA, pd.NaT, float("nan"), np.float32("nan")], ids=repr)
@pytest.mark.parametrize("column", [1, 3])
def test_arrays_of_objects(hole, column):
    table = as_objects(COLUMNS)
    table[2, column] = hole
    model = FGAClassifier(categorical_features=list(NOMINAL)).fit(table, LABELS)
    assert unknown_in(model) == [[2] if j == column else [] for j in range(table.shape[1])]
    assert model.predict(table).shape == (len(table),)


@pytest.mark.parametrize("hole", [np.nan, None, pd.NA], ids=repr)
def test_arrays_of_objects_that_are_numbers(hole):
    """Numbers without a word about nominal columns; the caller's array stays as it is."""
    numbers = as_codes(COLUMNS).astype(object)
    numbers[2, 1] = hole
    model = FGAClassifier().fit(numbers, LABELS)
    assert numbers[2, 1] is hole
    assert unknown_in(model)[1] == [2]


@pytest.mark.parametrize("column", [0, 2])
def test_arrays_of_numbers(column):
    table = as_codes(COLUMNS)
    table[2, column] = np.nan
    model = FGAClassifier(categorical_features=list(NOMINAL)).fit(table, LABELS)
    assert unknown_in(model)[column] == [2]


def test_lists():
    model = FGAClassifier().fit([[0.0, None], [1.0, 2.0], [None, 3.0]], ["a", "b", "b"])
    assert unknown_in(model) == [[2], [0]]
    assert model.predict([[None, 2.5], [0.0, None]]).tolist() == ["b", "a"]


EMPTY = {
    "None": lambda: pd.DataFrame({name: [None, None] for name in COLUMNS}),
    "nan": lambda: pd.DataFrame(np.full((2, len(COLUMNS)), np.nan), columns=list(COLUMNS)),
    "texts": lambda: pd.DataFrame({name: pd.array([None] * 2, dtype="string") for name in COLUMNS}),
    "truth values": lambda: pd.DataFrame({name: pd.array([None] * 2, dtype="boolean") for name in COLUMNS}),
    "whole numbers": lambda: pd.DataFrame({name: pd.array([None] * 2, dtype="Int64") for name in COLUMNS}),
    "polars null": lambda: pl.DataFrame({name: [None, None] for name in COLUMNS}),
    "polars texts": lambda: pl.DataFrame(
        {name: [None] * 2 for name in COLUMNS}, schema=dict.fromkeys(COLUMNS, pl.String)
    ),
    "arrow null": lambda: pytest.importorskip("pyarrow").table({name: [None, None] for name in COLUMNS}),
}


@pytest.mark.parametrize("build", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("learned_from_holes", [False, True])
def test_rows_of_which_nothing_is_known_are_judged(build, learned_from_holes):
    """As in a batch in which a column happens to be empty: it then has whatever type its library likes."""
    columns = with_holes(COLUMNS, **HOLES) if learned_from_holes else COLUMNS
    model = FGAClassifier().fit(pandas_frame(columns), LABELS)
    expected = model.predict_proba(EMPTY["None"]())
    np.testing.assert_array_equal(model.predict_proba(build()), expected)
    assert (expected[0] == expected[1]).all()


def test_large_whole_numbers_with_a_hole():
    """What no float equals is refused as it is without a hole."""
    numbers = pd.DataFrame({"id": pd.array([2**60, 2**60 + 1, None, 2**60 + 3], dtype="Int64")})
    with pytest.raises(ValueError, match=r"whole numbers beyond 2\*\*53"):
        FGAClassifier().fit(numbers, list("abab"))


@pytest.mark.parametrize("hole", [None, np.nan])
def test_infinity_is_refused(hole):
    """An infinite value has no place on a scale; an unknown one beside it does not hide it."""
    table = as_codes(COLUMNS).astype(object)
    table[2, 1], table[3, 1] = np.inf, hole
    with pytest.raises(ValueError, match=r"infinity .*columns \['1'\].*or nan where one is unknown"):
        FGAClassifier().fit(table, LABELS)
    with pytest.raises(ValueError, match=r"infinity .*columns \['1'\]"):
        FGAClassifier().fit(as_codes(COLUMNS), LABELS).predict(table)


@pytest.mark.parametrize("hole", [np.nan, None])
@pytest.mark.parametrize("kind", [float, object, "text"])
def test_labels_must_be_complete(kind, hole):
    """A missing label is refused, among numbers and among names."""
    labels = LABELS.astype(str).astype(object) if kind == "text" else LABELS.astype(kind)
    labels[3] = hole
    with pytest.raises(ValueError, match=r"(?i)nan|missing|none|unknown label"):
        FGAClassifier().fit(as_codes(COLUMNS), labels)
