"""Columns and labels that are awkward, and what is said about them."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier

LABELS = ["a", "a", "b", "b"]
DATES = pd.date_range("2026-01-01", periods=4)


@pytest.mark.parametrize("column", [DATES, DATES - DATES[0]], ids=["dates", "durations"])
def test_dates_have_no_scale(column):
    """Dates are refused by name: as nanoseconds they would be numbers nobody meant."""
    with pytest.raises(ValueError, match=r"column when .*days"):
        FGAClassifier().fit(pd.DataFrame({"when": column, "x": [1.0, 2.0, 3.0, 4.0]}), LABELS)


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
