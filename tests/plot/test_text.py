"""Texts in pictures overlap neither each other nor the edge of the figure, whatever the names, sizes and styles."""

from functools import cache
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text
from sklearn.datasets import make_blobs

from fgac import FGAClassifier
from fgac.plot import ArgumentDisplay, ConsistencyDisplay, DecisionSpaceDisplay, GammaDisplay, MembershipDisplay

pytestmark = pytest.mark.slow  # many figures are drawn in full

NAMES = {
    "short": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"],
    "long": [f"_the {k}. class of a $long$ list, _with_ λ, Ł and more than all that" for k in range(11)],
    "odd": ["", " ", "$x^2$", "$", "two\nlines", "\x01", "Ж" * 40, "_", "__", "a\tb", "%s{}"],
}


@cache
def model_of(names, n_classes, gamma=3.0):
    X, codes = make_blobs(12 * n_classes, centers=n_classes, cluster_std=2.0, random_state=0)
    y = np.array(NAMES[names], dtype=object)[codes]
    ids = [f"{NAMES[names][k]} no. {i}" for i, k in enumerate(codes)]
    return FGAClassifier(gamma=gamma).fit(X, y, ids=ids), X, y, ids


def argument(names, n_classes, ax):
    model, X, y, ids = model_of(names, n_classes)
    return ArgumentDisplay.from_estimator(model, X[:1] + 0.3, y=y[:1], ids=ids[:1], ax=ax)


def decision_space(names, n_classes, ax):
    model, X, y, _ = model_of(names, n_classes)
    return DecisionSpaceDisplay.from_estimator(model, X, y, gammas=[1, 10], grid_resolution=15, ax=ax)


def membership(names, n_classes, ax):
    model, X, y, _ = model_of(names, n_classes)
    return MembershipDisplay.from_estimator(model, X, y, target=y[0], ax=ax)


def consistency(names, n_classes, ax):
    return ConsistencyDisplay.from_estimator(model_of(names, n_classes)[0], n_labels=12, ax=ax)


def gamma(names, n_classes, ax):
    model, X, y, _ = model_of(names, n_classes)
    return GammaDisplay.from_estimator(model, X, y, gammas=[0.5, 3, 10], cv=2 if n_classes > 1 else None, ax=ax)


DRAW = [argument, decision_space, membership, consistency, gamma]


def texts_drawn(figure, monkeypatch):
    """All texts that a figure draws, with their boxes in pixels; drawing lays it out first."""
    drawn, draw = [], Text.draw
    with monkeypatch.context() as patch:
        patch.setattr(Text, "draw", lambda self, renderer: (drawn.append(self), draw(self, renderer))[1])
        figure.draw_without_rendering()
    shown = [text for text in drawn if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent()) for text in shown]


def check_texts(figure, monkeypatch):
    texts = texts_drawn(figure, monkeypatch)
    assert len(texts) > 5
    width, height = figure.bbox.size
    for text, box in texts:
        inside = box.x0 > -1 and box.y0 > -1 and box.x1 < width + 1 and box.y1 < height + 1
        assert inside, f"{text!r} reaches beyond the figure: {box}"
    for (one, box), (other, rival) in combinations(texts, 2):
        across = min(box.x1, rival.x1) - max(box.x0, rival.x0)
        up = min(box.y1, rival.y1) - max(box.y0, rival.y0)
        assert across < 1 or up < 1, f"{one!r} overlaps {other!r}"


@pytest.mark.parametrize(("names", "n_classes"), [("short", 1), ("short", 2), ("long", 3), ("odd", 11), ("long", 11)])
@pytest.mark.parametrize("draw", DRAW)
def test_on_a_figure_of_its_own(draw, names, n_classes, monkeypatch):
    check_texts(draw(names, n_classes, None).figure_, monkeypatch)


@pytest.mark.parametrize("names", ["short", "long"])
@pytest.mark.parametrize(
    ("draw", "size"),
    [
        (argument, (4.5, 3)),
        (decision_space, (6, 3)),
        (membership, (3.6, 2.6)),
        (consistency, (4.5, 3)),
        (gamma, (6, 5)),
    ],
)
def test_on_small_axes_that_are_given(draw, size, names, monkeypatch):
    figure, ax = plt.subplots(figsize=size, layout="constrained")
    assert draw(names, 2, ax).figure_ is figure
    check_texts(figure, monkeypatch)


@pytest.mark.parametrize("style", ["dark_background", "seaborn-v0_8-poster"])
@pytest.mark.parametrize("draw", DRAW)
def test_in_other_styles(draw, style, monkeypatch):
    with plt.style.context(style):
        display = draw("short", 3, None)
        check_texts(display.figure_, monkeypatch)


@pytest.mark.parametrize("draw", DRAW)
def test_writes_light_on_dark(draw):
    with plt.style.context("dark_background"):
        _, ax = plt.subplots(layout="constrained")
    display = draw("short", 2, ax)  # outside of the style, as in the next cell of a notebook
    texts = [*ax.texts, ax.title, *(display.legend_.get_texts() if getattr(display, "legend_", None) else [])]
    for text in texts:
        if text.get_text() and not text.get_path_effects():
            assert np.mean(mpl.colors.to_rgb(text.get_color())) > 0.5, f"{text.get_text()!r} is dark on dark"


@pytest.mark.parametrize("draw", DRAW)
def test_leaves_the_settings_alone(draw):
    before = dict(mpl.rcParams)
    draw("short", 2, None)
    assert dict(mpl.rcParams) == before
