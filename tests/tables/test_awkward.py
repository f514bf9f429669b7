"""Columns and labels that are awkward, and what is said about them."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier

LABELS = ["a", "a", "b", "b"]


def test_a_range_that_overflows_is_named():
    """The range of -1e308 to 1e308 is no float."""
    with pytest.raises(ValueError, match=r"column 0 ranges from"):
        FGAClassifier().fit([[1e308], [-1e308], [0.0], [1.0]], LABELS)


def test_a_tiny_range_is_a_range():
    """A column of subnormal numbers is scaled like any other."""
    tiny = FGAClassifier().fit([[0.0], [1e-320], [3e-320], [4e-320]], LABELS)
    plain = FGAClassifier().fit([[0.0], [1.0], [3.0], [4.0]], LABELS)
    np.testing.assert_allclose(tiny.beta_, plain.beta_, atol=1e-3)


def test_nullable_integers_stay_integers():
    """Labels of pandas' Int64 come back as integers."""
    model = FGAClassifier().fit([[0.0], [1.0]], pd.Series([1, 2], dtype="Int64"))
    assert model.predict([[0.1]]).dtype.kind == "i"


@pytest.mark.parametrize(
    "parameters",
    [{"verbose": "loud"}, {"class_weight": [1, 2]}, {"class_weight": "even"}],
    ids=str,
)
def test_parameters_are_named(parameters):
    """A wrong parameter is named in the error."""
    with pytest.raises(ValueError, match=next(iter(parameters))):
        FGAClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("parameters", [{"feature_weights": [1.0, 2.0]}, {"categorical_features": [0]}], ids=str)
def test_distances_have_no_columns(parameters):
    """What speaks of columns is refused with precomputed distances, not ignored."""
    with pytest.raises(ValueError, match=r"precomputed"):
        FGAClassifier(metric="precomputed", **parameters).fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])


def table(column):
    """Return 60 rows with one numeric column and the given one."""
    return pd.DataFrame({"x": np.arange(60.0), "doubtful": column}), np.arange(60) % 2


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ([str(i % 5) for i in range(60)], "numbers written as text"),
        ([f"2024-01-{1 + i % 20:02d}" for i in range(60)], "dates written as text"),
        ([f"2024-{1 + i % 12}-{1 + i % 25} 10:30" for i in range(60)], "dates written as text"),
        ([f"id{i}" for i in range(60)], "identifier"),
        ([*(str(i) for i in range(59)), "unknown"], "numbers, but for 'unknown'"),
    ],
)
def test_doubtful_names_are_mentioned(column, reason):
    """Numbers read as text and identifiers are nominal by their type, but hardly by intention."""
    X, y = table(column)
    with pytest.warns(UserWarning, match=rf"column 'doubtful' .*{reason}") as caught:
        FGAClassifier().fit(X, y)
    assert caught[0].filename == __file__
    FGAClassifier(categorical_features=["doubtful"]).fit(X, y)


def test_text_in_an_array():
    """An array with text is refused with the way out."""
    with pytest.raises(ValueError, match="categorical_features"):
        FGAClassifier().fit(np.array([["rent", 1.0], ["own", 2.0]], dtype=object), [0, 1])


def test_a_metric_of_two_rows_is_refused():
    """A metric in the manner of nearest neighbours, which takes two rows, is told what is expected."""
    with pytest.raises(ValueError, match="two blocks"):
        FGAClassifier(metric=lambda a, b: float(np.abs(a - b).sum())).fit([[0.0], [1.0], [2.0]], [0, 1, 1])


def test_lazy_frames_must_be_collected():
    """A lazy frame has no rows yet."""
    pl = pytest.importorskip("polars")
    with pytest.raises(TypeError, match="collect"):
        FGAClassifier().fit(pl.LazyFrame({"x": [0.0, 1.0]}), [0, 1])


@pytest.mark.parametrize("weights", [{"a": -1.0, "b": 1.0}, {"a": 1.0, "b": 1.0, "z": 2.0}], ids=str)
def test_class_weights_that_make_no_sense(weights):
    """Negative weights and weights of classes that do not exist are named."""
    with pytest.raises(ValueError, match=r"positive|\['z'\]"):
        FGAClassifier(class_weight=weights).fit([[0.0], [1.0]], ["a", "b"])


def test_one_weight_for_all_rows():
    """A single number is the weight of every row."""
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
    one = FGAClassifier().fit(X, y, sample_weight=2.0)
    np.testing.assert_allclose(one.beta_, FGAClassifier().fit(X, y).beta_, atol=1e-12)


def test_every_argument_adds_up():
    """strength = max(0, similarity + degree - 1), for and against, with three classes."""
    X = np.random.default_rng(0).random((40, 2))
    model = FGAClassifier(gamma=3.0).fit(X, np.arange(40) % 3)
    for side in model.arguments(X[:9] + 0.05):
        np.testing.assert_allclose(side.strengths, np.maximum(0, side.similarities + side.degrees - 1), atol=1e-12)
