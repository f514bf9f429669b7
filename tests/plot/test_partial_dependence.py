"""Partial dependence: the lines are the averages of what the model predicts for changed tables."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.inspection import partial_dependence

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, FRNNClassifier
from fgac.plot import PartialDependenceDisplay

N = 40
RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "income": RNG.normal(3000, 800, N),
        "children": RNG.integers(0, 4, N),
        "trade": RNG.choice(["baker", "smith", "$miller"], N, p=[0.6, 0.3, 0.1]),
        "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(RNG.integers(0, 900, N), "D"),
    }
)
X.loc[3, "income"] = np.nan
X.loc[5, "trade"] = None
NUMBERS = X["income"].fillna(3000) / 100 + X["children"] + RNG.normal(0, 1, N)
CLASSES = np.where(NUMBERS.gt(NUMBERS.median()), "yes", "no")
THREE = np.digitize(NUMBERS, np.quantile(NUMBERS, [0.33, 0.66]))
MODELS = {
    "numbers": FGARegressor().fit(X, NUMBERS.rename("rent")),
    "classes": FGAClassifier(gamma=2.0).fit(X, CLASSES),
    "calibrated": FGAClassifierCV(gammas=[1.0, 3.0], cv=2).fit(X, CLASSES),
    "order": FGAOrdinalClassifier(gamma=2.0).fit(X, THREE),
}


def changed_tables(model, feature, values):
    """Predict whole tables in which the user has set a column: the readable twin."""
    found = []
    for value in values:
        table = X.copy()
        table[feature] = pd.Series([pd.Timestamp(value) if feature == "since" else value] * N, index=table.index)
        found.append(model.predict(table)[:, None] if isinstance(model, FGARegressor) else model.predict_proba(table))
    return np.stack(found, axis=1)


@pytest.mark.parametrize("feature", ["income", "children", "trade"])
@pytest.mark.parametrize("name", MODELS)
def test_averages_are_those_of_changed_tables(name, feature):
    """Also with missing cells; calibrated probabilities are those of predict_proba."""
    display = PartialDependenceDisplay.from_estimator(MODELS[name], X, feature=feature, n_points=7)
    expected = changed_tables(MODELS[name], feature, display.feature.values)
    np.testing.assert_allclose(display.average, expected.mean(axis=0), atol=1e-9)
    assert len(display.lines_) == expected.shape[2]
    for k, line in enumerate(display.lines_):
        data = line.get_xdata() if feature == "trade" else line.get_ydata()
        np.testing.assert_array_equal(data, display.average[:, k])
    every = {tuple(curve.ravel().round(9)) for curve in expected}
    assert {tuple(curve.ravel().round(9)) for curve in display.rows} <= every
    assert len(display.rows) == (0 if name == "order" else 12)


def test_it_is_what_scikit_learn_computes():
    rows, targets = RNG.random((30, 2)), RNG.random(30)
    model = FGARegressor(gamma=2.0).fit(rows, targets)
    display = PartialDependenceDisplay.from_estimator(model, rows, feature=1, n_points=15)
    theirs = partial_dependence(model, rows, [1], kind="average", custom_values={1: display.feature.values})
    np.testing.assert_allclose(display.average.ravel(), theirs["average"].ravel(), atol=1e-12)


def test_values_reach_beyond_the_training_rows_and_are_shaded_there():
    display = PartialDependenceDisplay.from_estimator(MODELS["numbers"], X[:10], feature="income")
    low, high = X["income"].min(), X["income"].max()
    assert display.feature.values[0] < low < high < display.feature.values[-1]
    assert len(display.beyond_) == 2
    assert display.beyond_[0].get_bbox().x1 == pytest.approx(low)
    assert display.beyond_[1].get_bbox().x0 == pytest.approx(high)
    assert len(display.rug_.get_xdata()) == N - 1
    words = [text.get_text() for text in display.legend_.get_texts()]
    assert words == ["average", "single rows", "training rows", "beyond all training rows"]
    assert display.ax_.get_ylabel() == "predicted rent"


def test_few_numbers_are_taken_as_they_are():
    display = PartialDependenceDisplay.from_estimator(MODELS["numbers"], X, feature="children")
    assert display.feature.values.tolist() == display.ax_.get_xticks().tolist() == [0, 1, 2, 3]
    assert display.beyond_ == []


def test_categories_stand_by_frequency_with_their_numbers_of_rows():
    display = PartialDependenceDisplay.from_estimator(MODELS["classes"], X, feature="trade")
    counts = X["trade"].value_counts()
    assert display.feature.values.tolist() == counts.index.tolist()
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == [f"{name} ({count})" for name, count in counts.items()]
    few = PartialDependenceDisplay.from_estimator(MODELS["classes"], X, feature="trade", max_categories=2)
    assert "1 rarer" in few.ax_.get_ylabel()
    few.figure_.canvas.draw()


def test_dates():
    display = PartialDependenceDisplay.from_estimator(MODELS["numbers"], X, feature="since", n_points=5)
    days = [np.datetime64(0, "D") + np.timedelta64(round(value), "D") for value in display.feature.values]
    assert days[0] < X["since"].min() < X["since"].max() < days[-1]
    display.figure_.canvas.draw()
    assert "2024" in "".join(label.get_text() for label in display.ax_.get_xticklabels())


def test_one_class():
    display = PartialDependenceDisplay.from_estimator(MODELS["order"], X, feature="income", target=2, n_curves=3)
    every = PartialDependenceDisplay.from_estimator(MODELS["order"], X, feature="income")
    np.testing.assert_array_equal(display.average[:, 0], every.average[:, 2])
    assert len(display.rows_) == 3
    assert display.classes.tolist() == [2]


def test_weights_and_the_order_of_rows():
    """A weight of 2 is a row that stands there twice, of 0 one that does not; their order does not matter."""
    weights = RNG.integers(0, 3, N)
    display = PartialDependenceDisplay.from_estimator(MODELS["numbers"], X, feature="income", sample_weight=weights)
    repeated = X.loc[X.index.repeat(weights)].sample(frac=1, random_state=0)
    other = PartialDependenceDisplay.from_estimator(MODELS["numbers"], repeated, feature="income")
    np.testing.assert_allclose(display.average, other.average, atol=1e-9)
    turned = PartialDependenceDisplay.from_estimator(MODELS["numbers"], X[::-1], feature="income")
    plain = PartialDependenceDisplay.from_estimator(MODELS["numbers"], X, feature="income")
    np.testing.assert_array_equal(turned.rows, plain.rows)


def test_a_model_that_keeps_no_values_takes_those_of_the_rows(tmp_path):
    from fgac import load_model, save_model

    save_model(MODELS["numbers"], tmp_path / "model.fgac", values=False)
    loaded = load_model(tmp_path / "model.fgac")
    display = PartialDependenceDisplay.from_estimator(loaded, X, feature="income")
    assert display.rug_ is None
    assert display.beyond_ == []
    expected = PartialDependenceDisplay.from_estimator(MODELS["numbers"], X, feature="income")
    np.testing.assert_allclose(display.average, expected.average)


def test_polars_and_given_axes():
    figure, ax = plt.subplots()
    known = X.drop(columns="since")
    table = pl.DataFrame({name: [None if pd.isna(value) else value for value in known[name]] for name in known})
    model = FGARegressor().fit(table, NUMBERS.to_list())
    display = PartialDependenceDisplay.from_estimator(model, table, feature=0, ax=ax, legend=False)
    assert display.figure_ is figure
    assert display.legend_ is None
    expected = PartialDependenceDisplay.from_estimator(FGARegressor().fit(known, NUMBERS), known, feature="income")
    np.testing.assert_allclose(display.average, expected.average)


def test_errors():
    draw = PartialDependenceDisplay.from_estimator
    with pytest.raises(TypeError, match=r"of type FRNNClassifier; expected an FGAClassifier"):
        draw(FRNNClassifier(), X, feature=0)
    with pytest.raises(ValueError, match="feature='wage' is no column of the model; expected one of"):
        draw(MODELS["numbers"], X, feature="wage")
    with pytest.raises(ValueError, match="feature=9 is no position of a column; the model has 4"):
        draw(MODELS["numbers"], X, feature=9)
    with pytest.raises(TypeError, match="expected a name or a position"):
        draw(MODELS["numbers"], X, feature=None)
    with pytest.raises(ValueError, match="predicts numbers; leave it out"):
        draw(MODELS["numbers"], X, feature=0, target="yes")
    with pytest.raises(ValueError, match="target='maybe' is no class of the model"):
        draw(MODELS["classes"], X, feature=0, target="maybe")
    distances = FGAClassifier(metric="precomputed").fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"])
    with pytest.raises(ValueError, match="only distances"):
        draw(distances, [[0.0, 1.0]], feature=0)
