"""Marks of unknown values count only where they go with the target."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from fgac import FGAClassifier
from fgac.tables.unknown_marks import chance_of_classes, chance_of_means, telling


def drawn(seed: int, n: int = 300):
    rng = np.random.default_rng(seed)
    return rng, rng.integers(0, 3, n), rng.random(n) < 0.3


@pytest.mark.parametrize("seed", range(5))
def test_the_test_of_classes_is_that_of_scipy(seed):
    _, classes, mark = drawn(seed)
    table = [np.bincount(classes, side) for side in (mark, ~mark)]
    assert chance_of_classes(mark, classes, np.ones(len(mark))) == pytest.approx(chi2_contingency(table)[1])


def test_marks_at_random_pass_about_as_often_as_said():
    passed = []
    for seed in range(400):
        rng, classes, mark = drawn(seed)
        passed.append(telling(mark[:, None].astype(float), classes, np.ones(len(mark)), regression=False)[0])
        passed.append(
            telling(mark[:, None].astype(float), rng.random(len(mark)), np.ones(len(mark)), regression=True)[0]
        )
    assert np.mean(passed) < 0.03


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("unit", [1.0, 1e-6, 1e6])
def test_the_unit_of_weights_does_not_matter(regression, unit):
    rng, classes, mark = drawn(0)
    weights = rng.random(len(mark)) + 0.5
    chance = chance_of_means if regression else chance_of_classes
    one = telling(mark[:, None].astype(float), classes, weights, regression)
    assert (telling(mark[:, None].astype(float), classes, unit * weights, regression) == one).all()
    assert 0 <= chance(mark, classes, weights) <= 1


@pytest.mark.parametrize("mark", [np.zeros(6, dtype=bool), np.ones(6, dtype=bool)])
def test_a_mark_that_is_never_or_always_set_says_nothing(mark):
    assert chance_of_classes(mark, np.array([0, 1] * 3), np.ones(6)) == 1.0
    assert chance_of_means(mark, np.arange(6.0), np.ones(6)) == 1.0


def test_missing_at_random_is_no_coordinate_and_missing_by_class_is_one():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 150)
    X = rng.random((300, 3)) + y[:, None] * [0.5, 0.1, 0.1]
    X[rng.random(300) < 0.2, 1] = np.nan
    X[rng.random(300) < 0.1 + 0.5 * y, 2] = np.nan
    table = FGAClassifier(metric="learned").fit(X, y)._state.table
    assert [column.unknown_weight > 0 for column in table.columns] == [False, False, True]
