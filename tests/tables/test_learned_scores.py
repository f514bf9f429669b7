"""Scores are learned from the rows as a weighted set, by models that scikit-learn has."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge

from fgac.metrics.distances import Rows
from fgac.tables import learned_bends, learned_lines, learned_scores
from fgac.tables.learned_bends import learn_bends
from fgac.tables.learned_scores import learn_score
from fgac.tables.scores import Score


def training(seed=0, n=120, n_classes=2):
    """Rows, classes that follow from a sum, and weights."""
    rng = np.random.default_rng(seed)
    rows = Rows(rng.normal(size=(n, 2)), rng.integers(0, 3, (n, 1)).astype(np.int32), np.array([0.5]))
    total = rows.numeric @ [2.0, -1.0] + (rows.codes[:, 0] == 1) + rng.normal(size=n)
    return rows, np.digitize(total, np.quantile(total, np.linspace(0, 1, n_classes + 1)[1:-1])), np.ones(n)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_its_lines_are_what_scikit_learn_finds(n_classes, monkeypatch):
    monkeypatch.setattr(learned_scores, "BENT", 0.0)
    monkeypatch.setattr(learned_lines, "PENALTIES", (100.0,))
    rows, classes, weight = training(n_classes=n_classes)
    found = learn_score(rows, [3], classes, weight).probabilities(rows)
    X = (rows.numeric - rows.numeric.mean(axis=0)) / rows.numeric.std(axis=0)
    model = LogisticRegression(C=0.01, tol=1e-8)
    model.fit(np.hstack([X, rows.codes == np.arange(3)]), classes)
    expected = model.predict_proba(np.hstack([X, rows.codes == np.arange(3)]))
    apart, as_expected = (np.abs(p[:, None] - p[None]).sum(axis=2) for p in (found, expected))
    np.testing.assert_allclose(apart, as_expected, atol=1e-3)


@pytest.mark.parametrize("target", ["classes", "number"])
def test_its_bends_are_what_scikit_learn_finds(target, monkeypatch):
    """The sums of a boosted model that sees bins, at every training row, if all rows are seen at once."""
    monkeypatch.setattr(learned_bends, "halves", lambda classes, n_pairs: [np.arange(len(classes))])
    rows, classes, weight = training(n=400, n_classes=3)
    weight = np.random.default_rng(5).uniform(0.5, 2.0, len(weight))
    number = rows.numeric[:, 0] ** 2 + (rows.codes[:, 0] == 1)
    settings = {
        "max_iter": learned_bends.N_ROUNDS,
        "max_leaf_nodes": 4,
        "min_samples_leaf": learned_bends.SMALLEST_LEAF,
        "l2_regularization": 1.0,
    }
    settings |= {"interaction_cst": "no_interactions", "early_stopping": False, "categorical_features": [2]}
    numbers = [np.searchsorted(learned_bends.bins_of(x, weight), x, side="right") for x in rows.numeric.T]
    inputs = np.column_stack([*numbers, rows.codes])
    kept = [np.arange(3)]
    if target == "number":
        found = learn_bends(rows, kept, [3], number, weight, regression=True)
        model = HistGradientBoostingRegressor(**settings).fit(inputs, number, weight / weight.mean())
        expected = model.predict(inputs)[:, None]
    else:
        found = learn_bends(rows, kept, [3], classes, weight, regression=False)
        model = HistGradientBoostingClassifier(**settings).fit(inputs, classes, weight / weight.mean())
        expected = model.decision_function(inputs)
    n_sums = expected.shape[1]
    score = Score(1.0, found.intercepts, np.zeros((2, n_sums)), found.steps, found.knots, found.heights)
    np.testing.assert_allclose(score.sums(rows), expected, atol=1e-6)  # scikit-learn counts in single precision


@pytest.mark.parametrize("n_classes", [1, 3])
def test_every_row_is_in_one_of_two_halves(n_classes):
    """And every class has as many rows in both, or one more in one."""
    classes = np.random.default_rng(0).integers(0, n_classes, 41)
    cut = list(learned_bends.halves(classes, 3))
    for one, other in zip(cut[::2], cut[1::2], strict=True):
        np.testing.assert_array_equal(np.sort(np.append(one, other)), np.arange(41))
        counts = [np.bincount(classes[half], minlength=n_classes) for half in (one, other)]
        assert np.abs(counts[0] - counts[1]).max() <= 1
    assert len({tuple(half) for half in cut}) == 6


def test_a_hill_is_seen():
    """What no line shows: a class in the middle of a column."""
    rng = np.random.default_rng(0)
    rows = Rows.from_numeric(rng.uniform(-1, 1, (400, 2)))
    inside = np.abs(rows.numeric[:, 0]) < 0.5
    found = learn_score(rows, [], inside.astype(int), np.ones(400)).probabilities(rows)
    agree = (found[:, 1] > 0.5) == inside  # classes are numbered by the rows they hold
    assert max(agree.mean(), 1 - agree.mean()) > 0.95


def test_bins_are_of_about_equal_weight():
    values = np.random.default_rng(0).normal(size=3000)
    starts = learned_bends.bins_of(values, np.ones(3000))
    counts = np.bincount(np.searchsorted(starts, values, side="right") - 1)
    assert len(counts) == learned_bends.N_BINS
    assert counts.min() > 0.9 * counts.max()
    heavy = np.where(values < 0, 2.0, 1.0)
    twice = np.repeat(values, heavy.astype(int))
    np.testing.assert_array_equal(
        learned_bends.bins_of(values, heavy), learned_bends.bins_of(twice, np.ones(len(twice)))
    )


def test_being_unknown_says_something():
    """Where a category is missing in one class only, rows without it have the scores of that class."""
    codes = np.repeat([0, 1, -2], [40, 40, 40]).astype(np.int32)[:, None]
    rows = Rows(np.empty((120, 0)), codes, np.ones(1))
    classes = np.append(np.tile([0, 1], 40), np.ones(40, dtype=int))
    found = learn_bends(rows, [np.arange(2)], [2], classes, np.ones(120), regression=False)
    score = Score(1.0, found.intercepts, np.zeros((0, 2)), found.steps, found.knots, found.heights)
    chances = score.probabilities(rows)[:, 1]
    assert chances[-1] > 0.7 > 0.6 > chances[:80].max()


def test_rare_categories_beyond_number_count_as_unknown():
    """Of more than the trees take, the most frequent ones have steps."""
    rng = np.random.default_rng(0)
    codes = np.sort(np.append(rng.integers(0, 400, 3000), np.repeat([7, 300], 200))).astype(np.int32)[:, None]
    rows = Rows(np.empty((len(codes), 0)), codes, np.ones(1))
    target = np.isin(codes[:, 0], [7, 300]).astype(int)
    found = learn_bends(rows, [np.arange(400)], [400], target, np.ones(len(codes)), regression=False)
    assert (found.steps[0].any(axis=1)).sum() <= learned_bends.MOST_CATEGORIES
    highest = np.argsort(found.steps[0][:, 1])[-2:]
    assert set(highest.tolist()) == {7, 300}


def test_it_has_its_share_of_the_mean_distance():
    rows, classes, weight = training(n=400)
    score = learn_score(rows, [3], classes, weight)
    own = np.abs(rows.numeric[:, None] - rows.numeric[None]).sum(axis=2) + 0.5 * (rows.codes != rows.codes.T)
    added = score.added(rows).numeric[:, 2:]
    part = np.abs(added[:, None] - added[None]).sum(axis=2)
    assert part.mean() / (part.mean() + own.mean()) == pytest.approx(learned_scores.SHARE, abs=1e-9)


def test_a_score_that_says_nothing_counts_for_little():
    rng = np.random.default_rng(3)
    rows = Rows.from_numeric(rng.normal(size=(2000, 3)))
    score = learn_score(rows, [], rng.integers(0, 2, 2000), np.ones(2000))
    own = np.abs(rows.numeric[:, None] - rows.numeric[None]).sum(axis=2).mean()
    part = score.added(rows).numeric[:, 3]
    assert np.abs(part[:, None] - part).mean() < 0.4 * own  # others count as much as the columns


def test_no_score_drowns_the_columns():
    """Neither where one class counts for next to nothing, nor with one number far from all others."""
    rows, classes, _ = training()
    own = np.abs(rows.numeric[:, None] - rows.numeric[None]).sum(axis=2).mean()
    light = learn_score(rows, [3], classes, np.where(classes == 0, 1e3, 1e-4))
    assert light.weight < 20 * own
    target = rows.numeric[:, 0].copy()
    target[0] = 1e9
    far = learn_score(rows, [3], target, np.ones(len(target)), regression=True)
    assert far.weight < 2000 * own


@pytest.mark.parametrize("n_classes", [2, 3])
def test_neither_order_nor_names_nor_repetition_matter(n_classes):
    rows, classes, weight = training(n_classes=n_classes)
    rows = rows[np.r_[:100, :20]]  # some rows are there twice
    classes, weight = classes[np.r_[:100, :20]], np.r_[np.full(100, 2.0), np.full(20, 1.0)]
    first = learn_score(rows, [3], classes, weight)
    order = np.random.default_rng(1).permutation(120)
    shuffled = learn_score(rows[order], [3], classes[order], weight[order])
    names = np.random.default_rng(2).permutation(n_classes)
    renamed = learn_score(rows, [3], names[classes], weight)
    twice = np.repeat(np.arange(120), weight.astype(int))
    repeated = learn_score(rows[twice], [3], classes[twice], np.full(len(twice), 7.0))
    for other in (shuffled, renamed):
        assert other.weight == first.weight
        np.testing.assert_array_equal(other.slopes, first.slopes)
        np.testing.assert_array_equal(other.steps[0], first.steps[0])
        for one, two in zip((*other.knots, *other.heights), (*first.knots, *first.heights), strict=True):
            np.testing.assert_array_equal(one, two)
    assert repeated.weight == pytest.approx(first.weight, rel=1e-12)
    np.testing.assert_allclose(repeated.slopes, first.slopes, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("regression", [False, True])
def test_nothing_to_tell_apart_is_no_score(regression):
    """One class, or one number; and rows that are all alike."""
    rows = Rows.from_numeric([[0.0], [1.0]])
    assert learn_score(rows, [], np.zeros(2, dtype=int), np.ones(2), regression=regression) is None
    same = Rows.from_numeric([[1.0], [1.0]])
    assert learn_score(same, [], np.arange(2), np.ones(2), regression=regression) is None


def test_lines_predict_numbers_as_scikit_learn_does(monkeypatch):
    monkeypatch.setattr(learned_scores, "BENT", 0.0)
    monkeypatch.setattr(learned_lines, "PENALTIES", (100.0,))
    rows, _, weight = training()
    target = rows.numeric @ [2.0, -1.0] + (rows.codes[:, 0] == 1)
    found = learn_score(rows, [3], target, weight, regression=True).sums(rows)[:, 0]
    X = (rows.numeric - rows.numeric.mean(axis=0)) / rows.numeric.std(axis=0)
    X = np.hstack([X, rows.codes == np.arange(3)])
    expected = Ridge(alpha=100.0).fit(X, target).predict(X)
    np.testing.assert_allclose(found, (expected - target.min()) / np.ptp(target), atol=1e-9)


def test_order_and_units_of_numbers_do_not_matter():
    rows, _, weight = training()
    target = rows.numeric @ [2.0, -1.0]
    first = learn_score(rows, [3], target, weight, regression=True)
    order = np.random.default_rng(1).permutation(len(target))
    shuffled = learn_score(rows[order], [3], target[order], weight, regression=True)
    np.testing.assert_array_equal(shuffled.slopes, first.slopes)
    assert shuffled.weight == first.weight
    other = learn_score(rows, [3], 1e3 * target + 7, 5 * weight, regression=True)
    np.testing.assert_allclose(other.slopes, first.slopes, rtol=1e-9)
    assert other.weight == pytest.approx(first.weight)
