"""The columns of predict must be the columns of fit."""

import numpy as np
import pytest

from fgac import FGAClassifier
from support.frames import as_codes, as_pandas, as_polars, mixed_columns

COLUMNS, LABELS = mixed_columns()
METHODS = ["predict", "predict_proba", "decision_function", "memberships", "arguments"]


@pytest.mark.parametrize("method", METHODS)
def test_renamed_columns_are_refused(method):
    """Another name is another column."""
    frame = as_pandas(COLUMNS)
    model = FGAClassifier().fit(frame, LABELS)
    with pytest.raises(ValueError, match="wage"):
        getattr(model, method)(frame.rename(columns={"income": "wage"}))


def test_renamed_columns_of_a_polars_frame_are_refused():
    """The same for polars."""
    frame = as_polars(COLUMNS)
    model = FGAClassifier().fit(frame, LABELS)
    with pytest.raises(ValueError, match="wage"):
        model.predict(frame.rename({"income": "wage"}))


def test_reordered_columns_are_refused():
    """Columns in another order are refused, as everywhere in scikit-learn."""
    frame = as_pandas(COLUMNS)
    model = FGAClassifier().fit(frame, LABELS)
    with pytest.raises(ValueError, match=r"(?i)order"):
        model.predict(frame[frame.columns[::-1]])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_columns", [4, 6])
def test_wrong_number_of_columns(method, n_columns):
    """An array of another width is refused with both numbers."""
    codes = as_codes(COLUMNS)
    model = FGAClassifier().fit(codes, LABELS)
    with pytest.raises(ValueError, match=rf"{n_columns}.*5"):
        getattr(model, method)(np.ones((3, n_columns)))


def test_one_row_without_brackets_is_refused():
    """A one-dimensional X is ambiguous."""
    model = FGAClassifier().fit(as_codes(COLUMNS), LABELS)
    with pytest.raises(ValueError, match=r"(?i)1D|reshape|2D"):
        model.predict(as_codes(COLUMNS)[0])


def test_a_frame_without_columns_is_refused():
    """There is nothing to compare rows by."""
    with pytest.raises(ValueError, match=r"(?i)feature|column"):
        FGAClassifier().fit(as_pandas(COLUMNS)[[]], LABELS)


def test_rows_and_labels_must_match():
    """As many labels as rows."""
    with pytest.raises(ValueError, match=r"(?i)inconsistent|length|rows"):
        FGAClassifier().fit(as_pandas(COLUMNS), LABELS[:-1])


def test_refitting_forgets_the_old_table():
    """A second fit on another table replaces names, width and classes."""
    model = FGAClassifier().fit(as_pandas(COLUMNS), LABELS)
    model.fit(np.array([[0.0], [1.0]]), ["a", "b"])
    assert model.n_features_in_ == 1
    assert not hasattr(model, "feature_names_in_")
    np.testing.assert_array_equal(model.predict([[0.0], [1.0]]), ["a", "b"])


def test_names_that_are_no_texts():
    """scikit-learn keeps no such names; in another order they are refused all the same."""
    import pandas as pd

    frame, y = pd.DataFrame(as_codes(COLUMNS)), LABELS
    model = FGAClassifier().fit(frame, y)
    assert not hasattr(model, "feature_names_in_")
    np.testing.assert_array_equal(model.predict(frame), model.predict(frame.to_numpy()))
    with pytest.raises(ValueError, match="must be in the same order"):
        model.predict(frame[[4, 3, 2, 1, 0]])
    pairs = frame.set_axis(pd.MultiIndex.from_product([["u"], range(5)]), axis=1)
    model = FGAClassifier().fit(pairs, y)
    with pytest.raises(ValueError, match="must be in the same order"):
        model.predict(pairs.iloc[:, ::-1])


def test_names_of_several_types_are_refused():
    frame = as_pandas(COLUMNS).rename(columns={"age": 7})
    with pytest.raises(TypeError, match=r"str and int.*convert"):
        FGAClassifier().fit(frame, LABELS)


def test_names_that_come_twice_are_refused():
    """An error or an explanation could not say which of them is meant."""
    frame = as_pandas(COLUMNS).rename(columns={"age": "income"})
    with pytest.raises(ValueError, match="more than one column called 'income'"):
        FGAClassifier().fit(frame, LABELS)


def test_columns_may_have_the_names_of_methods():
    """What a frame is depends on its type, not on its columns."""
    frame = as_pandas(COLUMNS).set_axis(["collect", "get_columns", "to_native", "execute", "column_names"], axis=1)
    expected = FGAClassifier().fit(as_pandas(COLUMNS), LABELS).beta_
    np.testing.assert_array_equal(FGAClassifier().fit(frame, LABELS).beta_, expected)


def test_warnings_about_names_point_at_the_caller():
    frame = as_pandas(COLUMNS)[["age", "income"]]
    with pytest.warns(UserWarning, match="X does not have valid feature names") as caught:
        FGAClassifier().fit(frame, LABELS).predict(frame.to_numpy())
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        FGAClassifier().fit(frame.to_numpy(), LABELS).predict(frame)
