"""Consistency of the training set: every row is drawn at its membership, and the most doubtful ones are named."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError

from fgac import FGAClassifier, FGAClassifierCV, FRNNClassifier
from fgac.plot import ConsistencyDisplay
from fgac.plot._id_labels import spread


@pytest.fixture(scope="module")
def wines():
    X, y = load_wine(return_X_y=True)
    return FGAClassifier(gamma=3.0).fit(X, y, ids=[f"bottle {i}" for i in range(len(y))]), y


def test_points_are_the_memberships(wines):
    model, y = wines
    display = ConsistencyDisplay.from_estimator(model)
    for k, marks in enumerate(display.points_):
        assert np.array_equal(marks.get_offsets()[:, 0], model.beta_[y == k])
        assert (np.abs(marks.get_offsets()[:, 1] - k) < 0.25).all(), "each class has its own line"


def test_boxes_are_the_quartiles(wines):
    model, y = wines
    display = ConsistencyDisplay.from_estimator(model)
    for k, (box, median) in enumerate(zip(display.boxes_, display.medians_, strict=True)):
        low, middle, high = np.quantile(model.beta_[y == k], [0.25, 0.5, 0.75])
        assert np.allclose([box.get_x(), box.get_x() + box.get_width()], [low, high])
        assert np.allclose(median.get_xdata(), middle)


def test_a_chooser_is_drawn_like_the_model_it_chose():
    chooser = FGAClassifierCV(gammas=[1.0, 3.0]).fit(*load_wine(return_X_y=True))
    display, plain = (ConsistencyDisplay.from_estimator(model) for model in (chooser, chooser.best_estimator_))
    assert display.gamma == plain.gamma == chooser.gamma_
    for one, other in zip(display.points_, plain.points_, strict=True):
        assert np.array_equal(one.get_offsets(), other.get_offsets())


def test_classes_are_counted(wines):
    display = ConsistencyDisplay.from_estimator(wines[0])
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["0\nn = 59", "1\nn = 71", "2\nn = 48"]


def test_the_most_doubtful_rows_are_named(wines):
    model, _ = wines
    display = ConsistencyDisplay.from_estimator(model, n_labels=7)
    doubtful = np.argsort(model.beta_)[:7]
    named = {text.get_text() for labels in display.labels_ for text in labels.texts}
    assert named == {f"bottle {i}" for i in doubtful}
    assert np.allclose(np.sort(display.rings_.get_offsets()[:, 0]), model.beta_[doubtful])


def test_ties_join_names_to_their_points(wines):
    display = ConsistencyDisplay.from_estimator(wines[0])
    display.figure_.canvas.draw()
    for labels in display.labels_:
        for point, tie, text in zip(labels.points, labels.ties, labels.texts, strict=True):
            assert np.allclose(tie.get_xydata()[0], display.ax_.transData.transform(point))
            assert np.isclose(tie.get_xydata()[1, 0], text.get_position()[0])


def test_names_that_do_not_fit_are_left_out():
    X = np.linspace(0, 1, 40)[:, None]
    names = [f"a rather long name {i}" for i in range(40)]
    model = FGAClassifier(gamma=0.5).fit(X, np.tile(["a", "b"], 20), ids=names)
    figure, ax = plt.subplots(figsize=(3, 3), layout="constrained")
    display = ConsistencyDisplay.from_estimator(model, n_labels=30, ax=ax)
    figure.canvas.draw()
    hidden = [text for labels in display.labels_ for text in labels.texts if not text.get_visible()]
    assert 0 < len(hidden) < 30
    figure.set_size_inches(30, 3)
    figure.canvas.draw()
    still = [text for labels in display.labels_ for text in labels.texts if not text.get_visible()]
    assert len(still) < len(hidden), "places are found anew when the figure grows"


def test_rows_without_doubt_are_not_named():
    model = FGAClassifier(gamma=100.0).fit([[0.0], [0.1], [1.0]], ["a", "b", "b"])
    display = ConsistencyDisplay.from_estimator(model)
    assert display.rings_ is None
    assert display.labels_ == []
    assert ConsistencyDisplay.from_estimator(model, n_labels=0).labels_ == []


def test_rows_of_weight_zero_are_left_out():
    model = FGAClassifier(gamma=1.0).fit([[0.0], [0.1], [1.0], [0.9]], ["a", "b", "b", "a"], sample_weight=[1, 1, 0, 1])
    display = ConsistencyDisplay.from_estimator(model)
    assert [len(marks.get_offsets()) for marks in display.points_] == [2, 1]


def test_one_class():
    display = ConsistencyDisplay.from_estimator(FGAClassifier().fit([[0.0], [1.0]], ["only", "only"]))
    assert np.array_equal(display.points_[0].get_offsets()[:, 0], [1.0, 1.0])


def test_only_distances():
    X = np.abs(np.subtract.outer([0.0, 0.1, 0.9, 1.0], [0.0, 0.1, 0.9, 1.0]))
    display = ConsistencyDisplay.from_estimator(FGAClassifier(metric="precomputed").fit(X, [0, 1, 1, 0]))
    assert len(display.points_) == 2


def test_given_axes_are_used(wines):
    figure, ax = plt.subplots()
    display = ConsistencyDisplay.from_estimator(wines[0], ax=ax)
    assert display.ax_ is ax
    assert figure.get_layout_engine() is None


def test_errors(wines):
    with pytest.raises(ValueError, match="n_labels=-1 must be a whole number >= 0"):
        ConsistencyDisplay.from_estimator(wines[0], n_labels=-1)
    with pytest.raises(NotFittedError):
        ConsistencyDisplay.from_estimator(FGAClassifier())
    with pytest.raises(TypeError, match="type FRNNClassifier; expected an FGAClassifier"):
        ConsistencyDisplay.from_estimator(FRNNClassifier().fit([[0.0], [1.0]], [0, 1]))


@given(st.lists(st.tuples(st.floats(-50, 150), st.floats(1, 30)), min_size=1, max_size=12))
def test_spread_keeps_order_and_room(pairs):
    wanted, widths = (np.array(column) for column in zip(*pairs, strict=True))
    widths *= min(1.0, 100.0 / widths.sum())
    places = spread(wanted, widths, 0.0, 100.0)
    order = np.argsort(places)
    starts, ends = (places - widths / 2)[order], (places + widths / 2)[order]
    assert (starts[1:] >= ends[:-1] - 1e-6).all(), "no two overlap"
    assert starts[0] >= -1e-6
    assert ends[-1] <= 100 + 1e-6
    assert (np.diff(wanted[order]) >= 0).all(), "none overtakes another"


def test_spread_moves_nothing_without_need():
    wanted = np.array([10.0, 50.0, 30.0])
    assert np.array_equal(spread(wanted, np.full(3, 5.0), 0.0, 100.0), wanted)
