"""Scores: no faster than they promise, the same for equal rows, and told in the explanations of models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import interp1d
from scipy.special import softmax
from scipy.stats import wasserstein_distance

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor
from fgac.metrics.distances import UNKNOWN, UNSEEN, Rows
from fgac.tables.scores import Score
from support.property_tests import examples

SEEDS = st.integers(0, 2**32 - 1)


def random_score(rng, n_classes, ordered=False):
    """A score of two numeric coordinates and one column of three categories, of small or large coefficients."""
    size = rng.choice([0.1, 1.0, 10.0])
    n_knots = rng.integers(0, 6, 2)
    return Score(
        float(rng.uniform(0.1, 3.0)),
        rng.normal(size=n_classes),
        size * rng.normal(size=(2, n_classes)) * rng.integers(0, 2),
        (size * rng.normal(size=(3, n_classes)),),
        tuple(np.sort(rng.normal(size=n)) for n in n_knots),
        tuple(size * rng.normal(size=(n, n_classes)) for n in n_knots),
        is_ordered=ordered and n_classes > 2,
    )


def random_rows(rng, n):
    """Rows of two numeric coordinates and one code, which may be unseen or unknown."""
    codes = rng.choice([0, 1, 2, UNSEEN, UNKNOWN], (n, 1)).astype(np.int32)
    return Rows(rng.normal(size=(n, 2)), codes, np.array([0.5]))


def scored(score, rows):
    """The coordinates that a score adds."""
    return score.added(rows).numeric[:, 2:]


def test_it_is_half_the_sum_of_absolute_differences_of_probabilities():
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 7):
        score, rows = random_score(rng, n_classes), random_rows(rng, 30)
        found = scored(score, rows)
        assert found.shape == (30, 1 if n_classes == 2 else n_classes)
        steps = np.vstack([score.steps[0], np.zeros((2, n_classes))])  # -1 and -2 are the last ones
        logits = score.intercepts + rows.numeric @ score.slopes + steps[rows.codes[:, 0]]
        for place, (knots, heights) in enumerate(zip(score.knots, score.heights, strict=True)):
            if len(knots) > 1:
                logits += interp1d(knots, heights, axis=0)(rows.numeric[:, place].clip(knots[0], knots[-1]))
            elif len(knots):
                logits += heights
        p = softmax(logits, axis=1)
        expected = 0.5 * score.weight * np.abs(p[:, None] - p[None]).sum(axis=2)
        np.testing.assert_allclose(np.abs(found[:, None] - found[None]).sum(axis=2), expected, atol=1e-12)


def test_of_ordered_classes_it_is_the_earth_movers_distance():
    """As a part of the largest: between rows that are surely of the lowest and of the highest class."""
    rng = np.random.default_rng(0)
    for n_classes in (3, 7):
        score, rows = random_score(rng, n_classes, ordered=True), random_rows(rng, 10)
        found, p, places = scored(score, rows), score.probabilities(rows), np.arange(n_classes)
        assert found.shape == (10, n_classes - 1)
        for i in range(10):
            for j in range(10):
                moved = wasserstein_distance(places, places, p[i], p[j])
                apart = np.abs(found[i] - found[j]).sum()
                assert apart == pytest.approx(score.weight * moved / (n_classes - 1), abs=1e-12)
                assert apart <= 0.5 * score.weight * np.abs(p[i] - p[j]).sum() + 1e-12


@examples(100)
@given(seed=SEEDS, n_classes=st.sampled_from([1, 2, 3, 5]), ordered=st.booleans())
def test_it_moves_no_faster_than_it_promises(seed, n_classes, ordered):
    """Of one coordinate, and of one category; with one sum, of a number."""
    rng = np.random.default_rng(seed)
    score, rows = random_score(rng, n_classes, ordered), random_rows(rng, 20)
    for place in range(2):
        moved = Rows(rows.numeric.copy(), rows.codes, rows.mismatch)
        moved.numeric[:, place] += rng.normal(size=20) * rng.choice([0.01, 1.0, 100.0])
        apart = np.abs(scored(score, moved) - scored(score, rows)).sum(axis=1)
        ways = list(zip(rows.numeric[:, place], moved.numeric[:, place], strict=True))
        most = np.array([score.moved(place, here, there) for here, there in ways])
        assert (apart <= most * (1 + 1e-9) + 1e-12).all()
        assert score.is_number or (most <= score.weight).all()
        widest = score.distance(score.widest_change(place, min(map(min, ways)), max(map(max, ways))))
        assert (most <= widest * (1 + 1e-9) + 1e-12).all()
    other = Rows(rows.numeric, random_rows(rng, 20).codes, rows.mismatch)
    assert (np.abs(scored(score, other) - scored(score, rows)).sum(axis=1) <= score.step(0) + 1e-12).all()


@examples(100)
@given(seed=SEEDS, n_classes=st.sampled_from([1, 2, 3]))
def test_there_is_no_more_room_than_the_radius_leaves(seed, n_classes):
    """Nowhere on the way has a row moved further, and a step beyond the room would be too far."""
    rng = np.random.default_rng(seed)
    score = random_score(rng, n_classes)
    for place, way in ((0, 1), (1, -1)):
        here, radius = float(rng.normal()), float(rng.exponential())
        room = score.room(place, here, way, radius)
        assert 0 <= room <= radius
        for far in room * rng.uniform(size=20):
            assert far + score.moved(place, here, here + way * far) <= radius * (1 + 1e-9)
        beyond = room * (1 + 1e-6) + 1e-12
        assert room == radius or beyond + score.moved(place, here, here + way * beyond) > radius


def test_the_bounds_are_reached():
    """In the middle of the logistic curve, for small steps and for categories."""
    score = Score(2.0, np.zeros(2), np.array([[-1.5, 1.5]]), (np.array([[0.0, 1.0], [1.0, 0.0]]),))
    rows = Rows(np.array([[-5e-4], [5e-4]]), np.full((2, 1), UNKNOWN, dtype=np.int32), np.ones(1))
    assert np.ptp(score.added(rows).numeric[:, 1]) == pytest.approx(score.moved(0, -5e-4, 5e-4), rel=1e-6)
    rows = Rows(np.zeros((2, 1)), np.array([[0], [1]], dtype=np.int32), np.ones(1))
    assert np.ptp(score.added(rows).numeric[:, 1]) == pytest.approx(score.step(0))


@examples(50)
@given(seed=SEEDS, n_classes=st.sampled_from([1, 2, 4]), ordered=st.booleans())
def test_a_row_has_the_same_score_alone_and_among_others(seed, n_classes, ordered):
    """To the last digit, so that a new row which equals a training row is at distance 0."""
    rng = np.random.default_rng(seed)
    score, rows = random_score(rng, n_classes, ordered), random_rows(rng, 50)
    together = scored(score, rows)
    for i in (0, 17, 49):
        np.testing.assert_array_equal(scored(score, rows[i : i + 1]), together[i : i + 1])
    np.testing.assert_array_equal(score.added(score.added(rows)).numeric, score.added(rows).numeric)


# ----------------------------------------------------------------------------------------------------
# In models
# ----------------------------------------------------------------------------------------------------


def lines(n=200, seed=0):
    """A table whose classes differ along a line that is not parallel to any column."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(["x", "y", "z"], n)})
    return X, np.where(X["a"] + X["b"] + (X["c"] == "x") > 0.3, "yes", "no")


def test_who_has_one():
    X, y = lines()
    learned = {"metric": "learned", "gamma": 2.0}
    assert FGAClassifier(**learned).fit(X, y)._state.table.score is not None
    assert FGAOrdinalClassifier(class_order=["no", "yes"], **learned).fit(X, y)._state.table.score is not None
    for settings in ({"feature_weights": {"a": 2.0}}, {"monotonic_cst": {"a": 1}}):
        assert FGAClassifier(**learned, **settings).fit(X, y)._state.table.score is None
    parts = FGAClassifier(metric="manhattan", scale="rank", feature_weights="learned", gamma=2.0).fit(X, y)
    assert parts._state.table.score is None
    assert (parts.score_weights_ == 0).all()
    assert FGARegressor(**learned).fit(X, X["a"] + X["b"] + 2 * (X["c"] == "x")).score_weights_.min() > 0
    assert FGAClassifier(**learned).fit(X, y).score_weights_[:2].min() > 0


def test_classes_along_a_line_are_told_apart_better():
    X = np.random.default_rng(0).normal(size=(800, 8))
    y = X.sum(axis=1) > 0
    train, test = slice(None, 200), slice(200, None)
    parts = {"metric": "manhattan", "scale": "rank", "feature_weights": "learned"}
    right = [(FGAClassifierCV(**s).fit(X[train], y[train]).predict(X[test]) == y[test]).mean() for s in ({}, parts)]
    assert right[0] > right[1] + 0.02


@pytest.mark.parametrize("n_classes", [2, 3])
def test_explanations_tell_the_part_of_the_score(n_classes):
    """Shares add up to 1, and the score's are parts of them."""
    X, _ = lines()
    y = np.digitize(X["a"] + X["b"], [0.0, 1.0][: n_classes - 1])
    model = FGAClassifier(metric="learned", gamma=2.0).fit(X[:150], y[:150])
    for e in model.explain(X[150:]):
        for argument in (*e.arguments_for, *e.arguments_against):
            apart = sum(feature.apart for feature in argument.attributes)
            assert apart == pytest.approx(1.0)
            assert all(0 <= f.scored <= f.apart + 1e-12 for f in argument.attributes)
            assert sum(feature.scored for feature in argument.attributes) > 0
    assert "log-odds change with 'a' by up to" in e.text() or "log-odds change with 'b' by up to" in e.text()
    assert "% of the distance to the strongest argument" in e.text()


def test_changes_of_numbers_that_are_told_are_not_exceeded():
    """By a step of one column, through the score as well."""
    X, _ = lines()
    X["b"] *= 40
    y = X["a"] + X["b"] / 20 + (X["c"] == "x")
    model = FGARegressor(metric="learned", gamma=2.0).fit(X[:150], y[:150])
    assert model._state.table.score is not None
    new = X[150:]
    before = model.predict(new)
    for i, e in enumerate(model.explain(new)):
        assert sum(f.apart for f in e.at_least[0].attributes) == pytest.approx(1.0)
        assert "which are sums: they change with" in e.text()
        for effect in e.attributes:
            values = ["x", "y", "z"] if effect.is_nominal else [effect.value - effect.step, effect.value + effect.step]
            after = model.predict(pd.concat([new.iloc[[i]].assign(**{effect.name: value}) for value in values]))
            assert (np.abs(after - before[i]) <= effect.change * (1 + 1e-9) + 1e-9).all()


def test_the_share_told_is_that_of_the_distance():
    """Of a new row and a training row, computed from the score itself."""
    X, y = lines()
    model = FGAClassifier(metric="learned", gamma=2.0).fit(X[:150], y[:150])
    table = model._state.table
    argument = model.explain(X[150:151])[0].arguments_for[0]
    here, there = (scored_part(table, X.iloc[[i]]) for i in (150, argument.index))
    part = np.abs(here - there).sum() / argument.distance
    assert sum(feature.scored for feature in argument.attributes) == pytest.approx(part)


def scored_part(table, X):
    """The coordinates that the score of a table adds to a row."""
    return table.rows(table.read(X)).numeric[:, len(table.score.slopes) :]


def test_ordered_classes_share_one_score_in_their_order():
    """All boundaries have it; turned around, or under other names, distances are the same."""
    X, _ = lines()
    y = np.digitize(X["a"] + X["b"], [-0.5, 0.5])
    settings = {"metric": "learned", "gamma": 2.0}
    model = FGAOrdinalClassifier(**settings).fit(X, y)
    table = model._state.table
    assert table.score.is_ordered
    assert all(boundary.table is table for boundary in model._state.boundaries)
    found = scored_part(table, X)
    assert found.shape == (len(X), 2)
    assert (np.diff(found, axis=1) <= 0).all()  # at least the highest class is at least the one below
    names = np.array(["poor", "fair", "good"])
    others = (
        FGAOrdinalClassifier(class_order=[2, 1, 0], **settings).fit(X, y),
        FGAOrdinalClassifier(class_order=names.tolist(), **settings).fit(X, names[y]),
    )
    for other in others:
        again = scored_part(other._state.table, X)
        for i in range(5):
            ours, theirs = (np.abs(part - part[i]).sum(axis=1) for part in (found, again))
            np.testing.assert_allclose(ours, theirs, atol=1e-9)
    assert (others[1].predict(X) == names[model.predict(X)]).all()


@examples(20)
@given(seed=SEEDS, n_classes=st.sampled_from([2, 3]))
def test_no_change_within_the_radius_changes_the_label(seed, n_classes):
    """Of a column alone, and of all together."""
    rng = np.random.default_rng(seed)
    X, _ = lines(60, seed % 1000)
    y = np.digitize(X["a"] + 0.5 * X["b"] * (X["c"] == "x"), [0.0, 1.0][: n_classes - 1])
    model = FGAClassifier(metric="learned", gamma=float(rng.choice([0.5, 2.0, 8.0]))).fit(X, y)
    new = lines(12, seed % 1000 + 1)[0]
    for i, e in enumerate(model.explain(new)):
        row = new.iloc[[i]]
        trials = []
        for feature in e.attributes:
            if feature.radius is None:
                cells = ["x", "y", "z", "never seen"] if feature.is_nominal else [-9.0, 0.0, 9.0]
                trials += [row.assign(**{feature.name: cell}) for cell in cells]
            elif not feature.is_nominal and feature.radius > 1e-9:
                steps = feature.radius * 0.999999 * np.array([-1.0, 1.0, -0.5, 0.5])
                trials += [row.assign(**{feature.name: feature.value + step}) for step in steps]
        if trials:
            assert set(model.predict(pd.concat(trials))) == {e.prediction}


def test_rows_equal_to_training_rows_are_at_distance_0():
    X, y = lines()
    model = FGAClassifier(metric="learned", gamma=2.0).fit(X, y)
    for e in model.explain(X[:20]):
        nearest = min((*e.arguments_for, *e.arguments_against), key=lambda argument: argument.distance)
        assert nearest.distance == 0.0
