"""One mixed table, many containers: pandas and polars frames and arrays all give the paper's distances."""

import numpy as np
import pytest

from fgac import FGAClassifier
from fgac.tables.frames import take_rows
from support.frames import NAMES, NOMINAL, as_codes, as_objects, as_pandas, as_polars, mixed_columns
from support.oracles import NaiveModel, beta_oracle, table_distances

COLUMNS, LABELS = mixed_columns()
NEW_COLUMNS, _ = mixed_columns(n=15, seed=1)
MASK = [False, False, True, True, True]

FORMS = {
    "pandas category": (lambda columns: as_pandas(columns, "category"), "from_dtype"),
    "pandas object": (lambda columns: as_pandas(columns, object), "from_dtype"),
    "pandas string": (lambda columns: as_pandas(columns, "string"), "from_dtype"),
    "pandas str": (lambda columns: as_pandas(columns, str), "from_dtype"),
    "pandas by name": (as_pandas, ["city", "colour", "member"]),
    "pandas by index": (as_pandas, list(NOMINAL)),
    "pandas by mask": (as_pandas, MASK),
    "polars strings": (as_polars, "from_dtype"),
    "polars categories": (lambda columns: as_polars(columns, "Categorical"), "from_dtype"),
    "polars by name": (as_polars, ["city", "colour", "member"]),
    "polars by index": (as_polars, list(NOMINAL)),
    "objects by index": (as_objects, list(NOMINAL)),
    "objects by mask": (as_objects, np.array(MASK)),
    "codes by index": (as_codes, np.array(NOMINAL)),
    "codes by mask": (as_codes, MASK),
}


@pytest.fixture(params=FORMS)
def form(request):
    """Return a way to build the table and the matching ``categorical_features``."""
    return FORMS[request.param]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_training_in_every_form(form, metric):
    """A nominal mismatch is 1, and |Q| is as after one-hot encoding (2 + 4 + 3 + 2)."""
    build, categorical = form
    table = as_objects(COLUMNS)
    expected = beta_oracle(table_distances(table, table, table, nominal=NOMINAL, metric=metric), LABELS, 2.0)
    model = FGAClassifier(gamma=2.0, metric=metric, categorical_features=categorical).fit(build(COLUMNS), LABELS)
    np.testing.assert_allclose(model.beta_, expected, atol=1e-7)
    assert model.n_features_in_ == 5


def test_prediction_in_every_form(form):
    """Memberships of new rows equal the formulas on the same distances."""
    build, categorical = form
    table, new = as_objects(COLUMNS), as_objects(NEW_COLUMNS)
    model = FGAClassifier(gamma=2.0, categorical_features=categorical).fit(build(COLUMNS), LABELS)
    naive = NaiveModel(model.beta_, LABELS, table_distances(table, table, table, nominal=NOMINAL), 2.0)
    to_training = table_distances(new, table, table, nominal=NOMINAL)
    np.testing.assert_allclose(model.memberships(build(NEW_COLUMNS)).lower, naive.lower(to_training), atol=1e-9)
    np.testing.assert_allclose(model.memberships(build(NEW_COLUMNS)).upper, naive.upper(to_training), atol=1e-9)


@pytest.mark.parametrize("build", [as_pandas, as_polars])
def test_frames_give_their_names(build):
    """feature_names_in_ holds the frame's column names."""
    np.testing.assert_array_equal(FGAClassifier().fit(build(COLUMNS), LABELS).feature_names_in_, NAMES)


def test_arrays_have_no_names():
    """An array of numbers leaves feature_names_in_ undefined, as scikit-learn does."""
    assert not hasattr(FGAClassifier().fit(as_codes(COLUMNS), LABELS), "feature_names_in_")


def test_polars_and_pandas_may_be_mixed():
    """A model trained on one kind of frame reads the other."""
    model = FGAClassifier(gamma=2.0).fit(as_pandas(COLUMNS), LABELS)
    np.testing.assert_allclose(
        model.predict_proba(as_polars(NEW_COLUMNS)), model.predict_proba(as_pandas(NEW_COLUMNS)), atol=1e-12
    )


@pytest.mark.parametrize("container", [list, tuple, np.array])
def test_labels_in_any_container(container):
    """Labels may come as a list, an array or a Series."""
    import pandas as pd

    expected = FGAClassifier().fit(as_pandas(COLUMNS), LABELS).beta_
    frame = as_pandas(COLUMNS)
    np.testing.assert_array_equal(FGAClassifier().fit(frame, container(LABELS.tolist())).beta_, expected)
    np.testing.assert_array_equal(FGAClassifier().fit(frame, pd.Series(LABELS)).beta_, expected)


def test_the_index_of_a_frame_does_not_matter():
    """Rows are taken by position: a shuffled or repeated index changes nothing."""
    frame = as_pandas(COLUMNS)
    other = frame.set_axis([7] * len(frame), axis=0)
    np.testing.assert_array_equal(FGAClassifier().fit(frame, LABELS).beta_, FGAClassifier().fit(other, LABELS).beta_)


def test_the_frame_is_left_alone():
    """Fitting and predicting do not write into the caller's frame."""
    frame = as_pandas(COLUMNS)
    before = frame.copy(deep=True)
    FGAClassifier().fit(frame, LABELS).predict(frame)
    assert frame.equals(before)


def test_rows_are_taken_in_the_order_of_their_positions():
    """As many positions as rows need not be all of them, nor in order."""
    X = np.arange(6.0).reshape(3, 2)
    for positions in ([2, 1, 0], [1, 1, 2], [0, 1, 2], [2]):
        np.testing.assert_array_equal(take_rows(X, np.array(positions)), X[positions])
