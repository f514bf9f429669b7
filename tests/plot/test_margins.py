"""Many rows in bins of their margin: counts, shares and exact intervals."""

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest

from fgac import FGAClassifier
from fgac.plot import MembershipDisplay
from fgac.plot._margins import Bins, binned
from support.explained import samples
from support.property_tests import examples

mpl.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def model():
    X, y = samples(60)
    return FGAClassifier(gamma=2.0).fit(X, np.array(["low", "mid", "high"])[y])


@pytest.fixture(scope="module")
def many():
    X, y = samples(150, seed=4)
    return X, np.array(["low", "mid", "high"])[y]


@examples(30)
@given(arrays(float, st.integers(1, 60), elements=st.floats(-1, 1)), st.randoms(use_true_random=False))
def test_every_row_is_in_one_bin(margins, random):
    is_true = np.array([random.random() < 0.5 for _ in margins])
    bins = binned(margins, is_true)
    assert bins.counts.sum() == len(margins)
    assert bins.n_right.sum() == is_true.sum()
    assert (bins.n_right <= bins.counts).all()
    assert (bins.edges[0], bins.edges[-1]) == (-1.0 if margins.min() < 0 else 0.0, 1.0)
    low, high = bins.interval()
    share = np.nan_to_num(bins.share, nan=0.5)
    assert (low <= share).all()
    assert (share <= high).all()


@pytest.mark.parametrize(("k", "n"), [(0, 5), (5, 5), (3, 7), (1, 200), (0, 0)])
def test_intervals_are_exact(k, n):
    low, high = Bins(np.array([0.0, 1.0]), np.array([n]), np.array([k])).interval()
    expected = (0.0, 1.0) if n == 0 else tuple(binomtest(k, n).proportion_ci(0.95, method="exact"))
    assert (low[0], high[0]) == pytest.approx(expected)


def test_many_rows_are_drawn_by_margin(model, many):
    display = MembershipDisplay.from_estimator(model, *many)
    degrees = np.sort(model.memberships(many[0]).degree, axis=1)
    np.testing.assert_allclose(display.margin, degrees[:, -1] - degrees[:, -2])
    right = model.predict(many[0]) == many[1]
    assert display.bins_.counts.sum() == 150
    assert display.bins_.n_right.sum() == right.sum()
    assert display.intervals_ is None
    heights = [patch.get_height() for patch in display.bars_[0]]
    np.testing.assert_allclose(heights, display.bins_.share[display.bins_.counts > 0])
    assert [text.get_text() for text in display.legend_.get_texts()] == [
        f"wrong ({(~right).sum()} of 150)",
        f"right ({right.sum()} of 150)",
    ]
    assert [t.get_text() for t in display.ax_.texts] == [str(n) for n in display.bins_.counts if n]
    assert display.ax_.get_title() == "Accuracy by margin, of 150 rows"


def test_without_truth_there_are_counts(model, many):
    display = MembershipDisplay.from_estimator(model, many[0])
    assert [patch.get_height() for patch in display.bars_[0]] == display.bins_.counts.tolist()
    assert display.whiskers_ is None
    assert display.legend_ is None
    assert display.ax_.get_ylabel() == "number of rows"


def test_a_class_may_be_behind(model, many):
    """Its margin is then below 0."""
    display = MembershipDisplay.from_estimator(model, *many, target="low")
    assert display.bins_.edges[0] == -1
    assert display.bins_.n_right.sum() == (many[1] == "low").sum()
    assert ((display.margin > 0) == (model.predict(many[0]) == "low")).all()


def test_the_choice_can_be_overruled(model, many):
    X, y = many[0][:20], many[1][:20]
    assert MembershipDisplay.from_estimator(model, X, y).bins_ is None
    assert MembershipDisplay.from_estimator(model, X, y, by_margin=True).bins_.counts.sum() == 20
    display = MembershipDisplay.from_estimator(model, *many, by_margin=False)
    assert display.bins_ is None
    assert len(display.intervals_.get_segments()) == 150
    without = MembershipDisplay(lower=np.zeros(200), upper=np.ones(200), degree=np.full(200, 0.5))
    assert without.plot().bins_ is None
    with pytest.raises(ValueError, match="by_margin=True needs the margins of the rows"):
        without.plot(by_margin=True)


def test_explanations_are_drawn_alike(model, many):
    explanations = model.explain(many[0], y=many[1])
    one = MembershipDisplay.from_explanations(explanations)
    other = MembershipDisplay.from_estimator(model, *many)
    np.testing.assert_array_equal(one.bins_.counts, other.bins_.counts)
    np.testing.assert_array_equal(one.bins_.n_right, other.bins_.n_right)


def test_all_rows_of_one_margin():
    model = FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["a", "b"])
    display = MembershipDisplay.from_estimator(model, np.full((120, 1), 0.5), ["a"] * 120)
    assert np.count_nonzero(display.bins_.counts) == 1
