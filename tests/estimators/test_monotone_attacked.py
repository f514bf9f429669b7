"""What a sceptic asks of monotone models: laws that need no oracle, for every way in which directions can be given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, load_model, save_model

DIRECTIONS = np.array([1, -1, 0, 0])
SETTINGS = st.fixed_dictionaries(
    {
        "gamma": st.sampled_from([0.1, 1.0, 3.0, 50.0]),
        "metric": st.sampled_from(["euclidean", "manhattan", "chebyshev"]),
        "scale": st.sampled_from(["range", "robust", "rank", None]),
        "loss": st.sampled_from(["squared_error", "absolute_error"]),
        "feature_weights": st.sampled_from([None, [1.0, 0.0, 2.0, 0.5]]),
    }
)


def ordered_table(seed, n=20, n_classes=4):
    """Return rows of two ordered columns, a number and a nominal one, classes with mistakes, and rows to judge."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 5, (n, 2)), rng.normal(size=n), rng.integers(0, 3, n)]).astype(float)
    score = X[:, 0] - X[:, 1] + rng.normal(scale=1.5, size=n)
    y = np.concatenate([np.arange(n_classes), np.digitize(score[n_classes:], np.arange(1, n_classes) - 2.0)])
    low = np.column_stack([rng.uniform(-2, 7, (15, 2)), rng.normal(size=15), rng.integers(0, 4, 15)])
    high = low + DIRECTIONS * rng.choice([0.0, 1e-9, 0.4, 3.0, 1e6], (15, 4))
    return X, y, low, high


def named(frames, table):
    """Return a frame with named columns, the last one nominal."""
    columns = {"income": table[:, 0], "debts": table[:, 1], "age": table[:, 2]}
    frame = frames.DataFrame(columns)
    names = np.array(["north", "south", "west", "abroad"])[table[:, 3].astype(int)]
    if frames.__name__ == "polars":
        return frame.with_columns(frames.Series("town", names.tolist()))
    return frame.assign(town=frames.Categorical(names))


@given(st.integers(0, 9999), SETTINGS)
def test_classes_and_degrees_never_fall(seed, settings):
    X, y, low, high = ordered_table(seed)
    clf = FGAOrdinalClassifier(monotonic_cst=DIRECTIONS, categorical_features=[3], **settings).fit(X, y)
    assert (clf.predict(high) >= clf.predict(low)).all()
    for below, above in zip(clf.at_least(low), clf.at_least(high), strict=True):
        assert (above >= below - 1e-12).all()
        assert (np.diff(below, axis=1) <= 1e-9).all()  # nested


@given(st.integers(0, 9999), SETTINGS)
def test_a_better_label_of_a_training_row_never_lowers_a_prediction(seed, settings):
    """Least values under difference constraints rise with the targets: one more good row cannot hurt anybody."""
    X, y, low, _ = ordered_table(seed)
    raised = y.copy()
    raised[4 + seed % 16] = 3
    for make in (FGAOrdinalClassifier, FGARegressor):
        model = make(monotonic_cst=DIRECTIONS, categorical_features=[3], **settings)
        before, after = model.fit(X, y).predict(low), model.fit(X, raised).predict(low)
        assert (after >= before - 1e-7).all()


@pytest.mark.parametrize("frames", ["pandas", "polars"])
@pytest.mark.parametrize("make", [FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor])
def test_directions_by_name(frames, make):
    frames = pytest.importorskip(frames)
    X, y, low, high = ordered_table(5, n=40)
    y = y if make is FGAOrdinalClassifier else (y > 1).astype(int)
    options = {"gammas": [0.5, 4.0], "cv": 3} if make is FGAClassifierCV else {"gamma": 4.0}
    model = make(monotonic_cst={"debts": -1, "income": 1}, **options).fit(named(frames, X), y)
    below, above = model.predict(named(frames, low)), model.predict(named(frames, high))
    assert (above >= below).all()
    assert (above > below).any()
    by_position = make(monotonic_cst=DIRECTIONS, categorical_features=[3], **options).fit(X, y)
    assert_allclose(by_position.predict(low), below, atol=1e-9)


@pytest.mark.parametrize("frames", ["pandas", "polars"])
def test_names_follow_their_columns_into_another_order_of_a_new_table(frames):
    """Either the same answers, or an error; never directions of other columns."""
    frames = pytest.importorskip(frames)
    X, y, low, _ = ordered_table(6)
    clf = FGAOrdinalClassifier(monotonic_cst={"income": 1}, gamma=4.0).fit(named(frames, X), y)
    turned = named(frames, low)[["town", "age", "debts", "income"]]
    try:
        answers = clf.predict(turned)
    except ValueError as error:
        assert "order" in str(error)  # noqa: PT017
    else:
        assert_array_equal(answers, clf.predict(named(frames, low)))


def test_a_column_is_constant_where_its_weight_is_zero():
    X, y, low, _ = ordered_table(7)
    clf = FGAOrdinalClassifier(monotonic_cst=DIRECTIONS, feature_weights=[0.0, 1.0, 1.0, 1.0], gamma=4.0).fit(X, y)
    moved = low.copy()
    moved[:, 0] += 100.0
    assert_array_equal(clf.at_least(moved).degree, clf.at_least(low).degree)
    assert all(why.attributes[0].radius is None for why in clf.explain(low))


@pytest.mark.parametrize("n_classes", [1, 2, 7])
@pytest.mark.parametrize("scale", ["range", "rank"])
def test_any_number_of_classes_survives_a_file(n_classes, scale, tmp_path):
    X, y, low, high = ordered_table(8, n=30, n_classes=n_classes)
    clf = FGAOrdinalClassifier(monotonic_cst=DIRECTIONS, categorical_features=[3], scale=scale, gamma=4.0).fit(X, y)
    assert len(clf.boundaries_) == n_classes - 1
    assert (clf.predict(high) >= clf.predict(low)).all()
    save_model(clf, tmp_path / "model.fgac")
    assert_array_equal(load_model(tmp_path / "model.fgac").predict(low), clf.predict(low))


def test_a_table_in_which_no_row_contradicts_another_is_learned_by_heart():
    """Where classes never fall along the order, a steep model gives every row its own class, to degree 1."""
    rng = np.random.default_rng(9)
    X = rng.integers(0, 5, (60, 2)).astype(float)
    y = np.digitize(X[:, 0] + X[:, 1], [2.0, 4.0, 6.0])
    clf = FGAOrdinalClassifier(monotonic_cst=[1, 1], gamma=1e9).fit(X, y)
    assert_array_equal(clf.predict(X), y)
    assert_allclose(clf.beta_, 1.0)


def test_rows_better_than_all_training_rows_get_the_class_of_the_best():
    X, y, _, _ = ordered_table(10, n=30)
    y[np.lexsort((X[:, 1], -X[:, 0]))[0]] = 3
    clf = FGAOrdinalClassifier(monotonic_cst=[1, -1, 0, 0], feature_weights=[1, 1, 0, 0], gamma=1e6).fit(X, y)
    answers = clf.predict([[1e9, -1e9, 0.0, 0.0], [4.0, 0.0, 5.0, 1.0]])
    assert answers[0] >= answers[1]
    assert answers[0] == 3
