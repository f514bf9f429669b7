"""Explanations of models of directions: certified radii that hold, and sentences that are true."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.estimators._state import state_of
from support.angles import angles, on_sphere

# Of the radius; and the smallest radius that is tried, above the rounding within which degrees count as tied.
JUST_UNDER, WORTH_TRYING = 0.9999, 1e-5


def turned(x, towards, angle):
    """Return a row turned by an angle (as a share of pi) towards each of some others; those along it are left out."""
    unit = x / np.linalg.norm(x)
    across = towards - np.outer(towards @ unit, unit)
    lengths = np.linalg.norm(across, axis=1)
    across = across[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    return np.cos(np.pi * angle) * unit + np.sin(np.pi * angle) * across


def attacks(x, X, one, rng, factors=1.0):
    """Return rows within the certified radius: turned in the worst directions and at random, and column by column.

    Rows are turned in coordinates that count, which are columns times factors, unless some count for nothing.
    """
    towards = np.vstack([X, -X, rng.normal(size=(30, len(x)))])
    can_turn = np.all(factors) and x.any()
    angle = min(1.0, JUST_UNDER * one.certified_radius)
    found = [turned(factors * x, factors * towards, angle) / factors] if can_turn else []
    for j, feature in enumerate(one.attributes):
        for sign in (-1.0, 1.0):
            step = 1e9 if feature.radius is None else JUST_UNDER * feature.radius
            found.append((x + sign * step * np.eye(len(x))[j])[None])
    return np.vstack(found)


SETTINGS = [
    {},
    {"owa": "additive"},
    {"isomorphism": 2.0},
    {"feature_weights": [1.0, 0.2, 3.0, 0.0, 1.0]},
    {"scale": "range", "class_weight": "balanced"},
    {"loss": "absolute_error"},
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("gamma", [0.4, 2.0, 8.0])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_nothing_within_the_radius_changes_the_label(setting, gamma, n_classes):
    """As a whole in the worst directions, and column by column; also of rows of zeros, axes and unknown cells."""
    X, y = on_sphere(40, 5, n_classes=n_classes, seed=n_classes, spread=1.0)
    X[::10] = np.round(X[::10])
    X[7] = 0.0
    model = FGAClassifier(metric="angular", gamma=gamma, **setting).fit(X, y)
    Q = np.vstack([on_sphere(12, 5, seed=20)[0], X[:4], np.zeros((1, 5)), 3.0 * np.eye(5)[:2], -np.eye(5)[:1]])
    rng, tried = np.random.default_rng(0), 0
    factors = np.array([c.weight / c.scale for c in state_of(model).table.columns])
    for x, one in zip(Q, model.explain(Q), strict=True):
        assert one.certified_radius is not None
        if one.certified_radius > WORTH_TRYING:
            tried += 1
            moved = attacks(x, X, one, rng, factors)
            assert set(model.predict(moved)) == {one.prediction}
    assert tried >= 5


def test_unknown_values_within_the_radius():
    """Where it is said that no value can change the label, none does; and none of those in place of what is known."""
    X, y = on_sphere(40, 4, n_classes=2, seed=1)
    model = FGAClassifier(metric="angular", gamma=0.7).fit(X, y)
    Q = X[:12].copy()
    Q[np.arange(12), np.arange(12) % 4] = np.nan
    for x, one in zip(Q, model.explain(Q), strict=True):
        j = int(np.flatnonzero(np.isnan(x))[0])
        assert one.attributes[j].radius in (None, 0.0)
        if one.attributes[j].radius is None:
            values = np.repeat(x[None], 41, axis=0)
            values[:, j] = np.append(np.linspace(-9, 9, 40), 1e9)
            assert set(model.predict(values)) == {one.prediction}


def test_it_is_sharp():
    """Two axes: the label changes at 45 degrees, and both radii reach exactly there."""
    model = FGAClassifier(metric="angular").fit([[1.0, 0.0], [0.0, 1.0]], ["a", "b"])
    one = model.explain([[4.0, 1.0]])[0]
    assert one.certified_radius == pytest.approx(0.25 - np.arctan(0.25) / np.pi)
    down = 1.0 + 4.0 * np.tan(np.pi * one.certified_radius - np.arctan(0.25))
    assert [feature.radius for feature in one.attributes] == pytest.approx([3.0, down])
    assert model.predict([[1.001, 1.0], [4.0, 3.999]]).tolist() == ["a", "a"]
    assert model.predict([[0.999, 1.0], [4.0, 4.001]]).tolist() == ["b", "b"]


def test_ordered_classes_and_numbers():
    """The smaller of two radii; of numbers, a change of a column changes the prediction by no more than is said."""
    X, y = on_sphere(45, 4, seed=2)
    ordered = FGAOrdinalClassifier(metric="angular", gamma=2.0).fit(X, y)
    rng = np.random.default_rng(0)
    for x, one in zip(X[:15], ordered.explain(X[:15]), strict=True):
        if one.certified_radius > WORTH_TRYING:
            assert set(ordered.predict(attacks(x, X, one, rng))) == {one.prediction}
    target = X[:, 0] / np.linalg.norm(X, axis=1)
    numbers = FGARegressor(metric="angular", gamma=2.0).fit(X, target)
    for x, one in zip(X[:15], numbers.explain(X[:15]), strict=True):
        for j, feature in enumerate(one.attributes):
            steps = np.linspace(-feature.step, feature.step, 9)[:, None] * np.eye(4)[j]
            assert np.abs(numbers.predict(x + steps) - one.prediction).max() <= feature.change + 1e-9
            assert feature.change < np.ptp(target)


def test_shares_are_those_of_the_square_between_unit_rows():
    X, y = on_sphere(30, 4, seed=2)
    argument = FGAClassifier(metric="angular").fit(X, y).explain(7.0 * X[:1] + 0.5)[0].arguments_against[0]
    here, there = (row / np.linalg.norm(row) for row in (7.0 * X[0] + 0.5, X[argument.index]))
    expected = (here - there) ** 2 / ((here - there) ** 2).sum()
    np.testing.assert_allclose([c.apart for c in argument.attributes], expected, atol=1e-12)
    assert sum(c.close for c in argument.attributes) == pytest.approx(1.0)
    assert argument.distance == pytest.approx(angles([7.0 * X[0] + 0.5], [X[argument.index]])[0, 0])


def test_what_all_rows_have_in_common_is_nothing_to_agree_on():
    """A pixel that is 0 in all training rows is no reason for anything."""
    X, y = on_sphere(30, 4, seed=2)
    X = np.column_stack([np.zeros(30), X])
    argument = FGAClassifier(metric="angular").fit(X, y).explain(X[:1])[0].arguments_for[0]
    assert argument.attributes[0].close == 0.0


def test_multiples_are_not_said_to_be_equal():
    """They differ in every value; but nothing keeps them apart."""
    frame = pd.DataFrame({"red": [1.0, 6.0], "blue": [2.0, 1.0]})
    text = FGAClassifier(metric="angular").fit(frame, ["a", "b"]).explain(3 * frame[:1])[0].text()
    assert "nothing that counts keeps the two apart" in text.lower()
    assert "equal in every attribute" not in text
    same = FGAClassifier(metric="angular").fit(frame, ["a", "b"]).explain(frame[:1])[0].text()
    assert "equal in every attribute that counts" in same


def test_equal_values_of_rows_of_different_length():
    """4 of 5 is another direction than 4 of 40; nobody is told that the two agree there and differ there."""
    frame = pd.DataFrame({"red": [4.0, 1.0], "blue": [40.0, 1.0], "green": [0.0, 9.0]})
    text = FGAClassifier(metric="angular").fit(frame, ["a", "b"]).explain(frame[:1].assign(blue=3.0))[0].text()
    assert "'red' (4 in both, of rows of different length)" in text
    assert "agree in 'red'" not in text


def test_what_unknown_values_cost():
    """Were the two rows equal where one is unknown, they would be nearer."""
    frame = pd.DataFrame({"red": [4.0, 0.0], "blue": [3.0, 9.0]})
    model = FGAClassifier(metric="angular").fit(frame, ["a", "b"])
    argument = model.explain(frame[:1].assign(blue=np.nan))[0].arguments_for[0]
    assert argument.distance == pytest.approx(angles([[4.0, 0.0]], [[4.0, 3.0]])[0, 0])
    assert argument.unknown_cost == pytest.approx(argument.distance)


def test_hundreds_of_columns_are_explained(tmp_path):
    """In a sentence or two, and on a page."""
    X, y = on_sphere(60, 400, seed=2, spread=2.0)
    model = FGAClassifier(metric="angular", gamma=3.0).fit(X, y)
    explained = model.explain(on_sphere(3, 400, seed=2, spread=2.0)[0])
    assert max(len(one.text()) for one in explained) < 2000
    assert explained[0].certified_radius > 0
    explained.to_html(tmp_path / "page.html")
    assert "angular" in (tmp_path / "page.html").read_text(encoding="utf-8")
