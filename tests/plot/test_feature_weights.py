"""The weights of columns: one bar each, the largest on top, and one line for those that are left out."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FRNNClassifier
from fgac.plot import WeightsDisplay


def labels(display):
    return [label.get_text() for label in display.ax_.get_yticklabels()]


@pytest.mark.parametrize("make", [FGAClassifier, FRNNClassifier])
def test_bars_are_the_weights_of_columns(make):
    X = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [1.0, 0.0, 1.0], "c": [5.0, 5.0, 6.0]})
    model = make(feature_weights={"a": 0.5, "b": 2.0, "c": 0.0}).fit(X, ["x", "y", "y"])
    display = WeightsDisplay.from_estimator(model)
    assert labels(display) == ["b", "a", "1 more does not count"]
    assert [bar.get_width() for bar in display.bars_] == [2.0, 0.5]
    assert display.ax_.get_title() == "2 of 3 columns count"


def test_many_columns_share_a_line():
    display = WeightsDisplay([f"column {j}" for j in range(30)], np.linspace(3.0, 0.1, 30)).plot()
    assert len(display.bars_) == 25
    assert labels(display)[-1] == "5 more, at most 0.5"


def test_given_axes_are_used():
    ax = plt.subplots()[1]
    display = WeightsDisplay(["a"], np.array([1.0])).plot(ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
