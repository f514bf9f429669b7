"""Scores in model files: they come back as they were, and those that cannot be are refused."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.persistence import ModelFileError, load_model, save_model


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    return FGAClassifier(metric="learned", gamma=2.0).fit(X, (X[:, :2] > 0).sum(axis=1))


def with_score(model, **changes):
    """The same model with something else in its score."""
    table = model._state.table
    changed = copy(model)
    changed._state = replace(model._state, table=replace(table, score=replace(table.score, **changes)))
    return changed


def through_a_file(model, path):
    save_model(model, path)
    return load_model(path)


def test_they_come_back_as_they_were(model, tmp_path):
    X = np.random.default_rng(1).normal(size=(20, 3))
    numbers = FGARegressor(metric="learned", gamma=2.0).fit(X, X[:, 0] ** 2)
    ordered = FGAOrdinalClassifier(metric="learned", gamma=2.0).fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    for one in (model, numbers, ordered):
        other = through_a_file(one, tmp_path / "model.fgac")
        first, second = one._state.table.score, other._state.table.score
        assert first.is_ordered == second.is_ordered == (one is ordered)
        assert any(map(len, first.knots))
        for a, b in zip((*first.knots, *first.heights), (*second.knots, *second.heights), strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(one.predict(X), other.predict(X))


def test_lines_without_bends_are_read(model, tmp_path):
    """As files had them before there were bends."""
    straight = with_score(model, knots=(), heights=())
    assert through_a_file(straight, tmp_path / "model.fgac")._state.table.score.knots == ()


BROKEN = {
    "no sums": lambda score: {
        "intercepts": np.empty(0),
        "slopes": np.empty((3, 0)),
        "heights": tuple(part[:, :0] for part in score.heights),
    },
    "an order, but coordinates of classes without one": lambda score: {"is_ordered": True},
    "falling knots": lambda score: {"knots": tuple(part[::-1] for part in score.knots)},
    "equal knots": lambda score: {"knots": tuple(0 * part for part in score.knots)},
    "knots without heights": lambda score: {"heights": tuple(part[1:] for part in score.heights)},
    "heights of other classes": lambda score: {"heights": tuple(part[:, :2] for part in score.heights)},
    "knots of too few columns": lambda score: {"knots": score.knots[1:], "heights": score.heights[1:]},
    "knots that are no numbers": lambda score: {"knots": tuple(part + np.nan for part in score.knots)},
    "slopes of too few columns": lambda score: {"slopes": score.slopes[1:]},
    "steps of a column that is not there": lambda score: {"steps": (np.zeros((2, 3)),)},
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_is_refused(model, change, tmp_path):
    broken = with_score(model, **change(model._state.table.score))
    with pytest.raises(ModelFileError):
        through_a_file(broken, tmp_path / "model.fgac")
