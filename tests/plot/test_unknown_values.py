"""Displays of models whose rows have unknown cells: what is known is drawn, and nothing else."""

import numpy as np
import pytest

from fgac import FGAClassifier, FGARegressor
from fgac.plot import ArgumentDisplay, DecisionSpaceDisplay, NumberLineDisplay, RegressionDisplay
from support.unknown import small_survey

X, Y, SCORE = small_survey(40)
PLANE = X[["age", "income"]]


def test_a_plane_spans_what_is_known():
    model = FGAClassifier(gamma=2.0).fit(PLANE, Y)
    found = DecisionSpaceDisplay.from_estimator(model, PLANE, grid_resolution=12)
    left, right, bottom, top = found.surfaces_[0].get_extent()
    assert left < PLANE["age"].min() < PLANE["age"].max() < right
    assert bottom < PLANE["income"].min() < PLANE["income"].max() < top
    assert np.isfinite(found.surfaces_[0].get_array()).all()
    with pytest.raises(ValueError, match="no known value in column income"):
        DecisionSpaceDisplay.from_estimator(model, PLANE.assign(income=np.nan), grid_resolution=12)


@pytest.mark.parametrize("columns", [["age"], ["age", "income", "city"]])
def test_a_curve_follows_a_row_of_which_nothing_is_known(columns):
    model = FGARegressor(gamma=2.0, interval=0.8).fit(X[columns], SCORE)
    unknown = X[columns][:1].map(lambda _: None)
    for row in (unknown, X[columns][:1], *([None] if len(columns) == 1 else [])):
        found = RegressionDisplay.from_estimator(model, row, feature="age")
        (line,) = [one for one in found.ax_.get_lines() if len(one.get_xdata()) > 20][:1]
        assert np.isfinite(line.get_xdata()).all()
        assert np.isfinite(line.get_ydata()).all()
        assert line.get_xdata().min() < X["age"].min() < X["age"].max() < line.get_xdata().max()


def test_arguments_with_unknown_cells_are_drawn():
    rows = X[X.isna().any(axis=1)][:2]
    assert ArgumentDisplay.from_estimator(FGAClassifier(gamma=2.0).fit(X, Y), rows[:1]).ax_ is not None
    assert NumberLineDisplay.from_estimator(FGARegressor(gamma=2.0).fit(X, SCORE), rows[:1]).ax_ is not None
