"""Missing values: a clear error that names the columns, in fit and in predict, for every container."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier
from support.frames import NOMINAL, as_codes, as_objects, as_pandas, as_polars, mixed_columns

COLUMNS, LABELS = mixed_columns()


def with_holes(columns, **holes):
    """Put the given value into the third row of each named column."""
    damaged = {name: column.astype(object) for name, column in columns.items()}
    for name, hole in holes.items():
        damaged[name][2] = hole
    return damaged


def pandas_frame(columns):
    """Build a frame whose numeric columns stay numeric around a hole."""
    return as_pandas(columns).astype({"age": float, "income": float})


def assert_names_exactly(error, names, innocent):
    """Check that the message names the damaged columns and no other."""
    message = str(error.value)
    assert all(name in message for name in names), message
    assert not any(name in message for name in innocent), message


@pytest.mark.parametrize("build", [pandas_frame, as_polars])
@pytest.mark.parametrize(
    ("holes", "innocent"),
    [
        ({"income": None}, ["age", "city", "colour", "member"]),
        ({"city": None}, ["age", "income", "colour", "member"]),
        ({"age": None, "colour": None}, ["income", "city", "member"]),
    ],
    ids=["numeric", "nominal", "both"],
)
def test_fit_names_the_columns(build, holes, innocent):
    """Holes in numeric and nominal columns of a frame."""
    with pytest.raises(ValueError, match=r"(?i)missing|nan|null") as caught:
        FGAClassifier().fit(build(with_holes(COLUMNS, **holes)), LABELS)
    assert_names_exactly(caught, list(holes), innocent)


@pytest.mark.parametrize("build", [pandas_frame, as_polars])
@pytest.mark.parametrize("name", ["income", "city"])
def test_predict_names_the_columns(build, name):
    """A hole at predict time is an error too, not an unknown category."""
    model = FGAClassifier().fit(build(COLUMNS), LABELS)
    with pytest.raises(ValueError, match=name):
        model.predict(build(with_holes(COLUMNS, **{name: None})))


def test_polars_nan_is_missing():
    """polars tells null from NaN; both are holes."""
    with pytest.raises(ValueError, match="income"):
        FGAClassifier().fit(as_polars(with_holes(COLUMNS, income=float("nan"))), LABELS)


def test_pandas_nullable_types():
    """pandas' nullable integers and booleans: fine without holes, named with one."""
    frame = as_pandas(COLUMNS).astype({"age": "Int64", "member": "boolean"})
    expected = FGAClassifier().fit(as_pandas(COLUMNS), LABELS).beta_
    np.testing.assert_allclose(FGAClassifier().fit(frame, LABELS).beta_, expected, atol=1e-12)
    frame.loc[2, "age"] = None
    with pytest.raises(ValueError, match="age"):
        FGAClassifier().fit(frame, LABELS)


@pytest.mark.parametrize("hole", [np.nan, None, pd.NA, pd.NaT], ids=str)
@pytest.mark.parametrize("column", [1, 3])
def test_arrays_of_objects_name_the_column_number(hole, column):
    """An array has no names, so the error tells the position."""
    table = as_objects(COLUMNS)
    table[2, column] = hole
    with pytest.raises(ValueError, match=str(column)):
        FGAClassifier(categorical_features=list(NOMINAL)).fit(table, LABELS)


@pytest.mark.parametrize("column", [0, 2])
def test_arrays_of_numbers_name_the_column_number(column):
    """The same for an array of floats, numeric and nominal columns alike."""
    table = as_codes(COLUMNS)
    table[2, column] = np.nan
    with pytest.raises(ValueError, match=rf"(?i)nan|missing.*{column}"):
        FGAClassifier(categorical_features=list(NOMINAL)).fit(table, LABELS)


def test_infinity_is_refused():
    """An infinite value has no place on a scale."""
    table = as_codes(COLUMNS)
    table[2, 1] = np.inf
    with pytest.raises(ValueError, match=r"(?i)inf"):
        FGAClassifier().fit(table, LABELS)


@pytest.mark.parametrize("hole", [np.nan, None])
@pytest.mark.parametrize("kind", [float, object, "text"])
def test_labels_must_be_complete(kind, hole):
    """A missing label is refused, among numbers and among names."""
    labels = LABELS.astype(str).astype(object) if kind == "text" else LABELS.astype(kind)
    labels[3] = hole
    with pytest.raises(ValueError, match=r"(?i)nan|missing|none|unknown label"):
        FGAClassifier().fit(as_codes(COLUMNS), labels)
