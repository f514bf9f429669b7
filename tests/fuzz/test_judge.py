"""The judge itself: planted faults are found, and what is right is not blamed."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import fgac
from fuzz.cases import Case, make_case
from fuzz.geometry import EXTENDED, Geometry
from fuzz.judge import Outcome, check_model, judge
from fuzz.shrink import reproducer, shrink

pytestmark = pytest.mark.skipif(not EXTENDED, reason="long doubles of this machine are no more precise than doubles")


def a_case(**changes):
    """Six rows of two classes, on a line."""
    column = np.array([0.0, 0.1, 0.4, 0.5, 0.9, 1.0])
    return replace(Case("FGAClassifier", (column,), np.array([0, 1, 0, 1, 0, 1]), None, {"gamma": 2.0}), **changes)


def judged(case, solution=None):
    """Faults of a model whose solution may be forged."""
    X = case.X()
    model = getattr(fgac, case.kind)(**case.settings).fit(X, case.answers, sample_weight=case.weight)
    if solution is not None:
        model._state = replace(model._state, solution=solution(model._state.solution))
    outcome = Outcome(case.kind, case.table, case.seed)
    check_model(case, X, model, outcome)
    return outcome.faults


@pytest.mark.parametrize("kind", ["FGAClassifier", "FGARegressor", "FGAOrdinalClassifier"])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
def test_right_solutions_are_not_blamed(kind, loss):
    assert judge(a_case(kind=kind, settings={"gamma": 2.0, "loss": loss})).faults == []


@pytest.mark.parametrize("kind", ["FGAClassifier", "FGARegressor"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_values_that_violate_are_found(kind, n_classes):
    case = a_case(kind=kind, answers=np.arange(6) % n_classes)
    found = judged(case, lambda s: replace(s, values=s.values + np.linspace(-1e-6, 1e-6, len(s.values))))
    assert "false proof" in dict(found)


def test_multipliers_that_prove_nothing_are_found():
    found = judged(a_case(), lambda s: replace(s, multipliers=0.5 * s.multipliers))
    assert [kind for kind, _ in found] == ["false proof"]


def test_values_that_are_feasible_but_not_optimal_are_found():
    found = judged(a_case(), lambda s: replace(s, values=np.full(6, 0.5)))
    assert [kind for kind, _ in found] == ["false proof"]


def test_light_rows_count_as_much_as_heavy_ones():
    weight = np.where(np.arange(6) == 2, 1e-12, 1.0)
    case = a_case(kind="FGARegressor", answers=np.array([0.0, 3.0, 1.0, 5.0, 2.0, 4.0]), weight=weight)
    assert judged(case) == []
    # Too light to change the objective, and not moved out of its bounds.
    light = 1  # nodes are sorted by targets
    found = judged(case, lambda s: replace(s, values=s.values + 1e-6 * (np.arange(6) == light)))
    assert "values are off" in dict(found).get("false proof", "")


@pytest.mark.parametrize("start", [1.7e15, 2**62, -(2**53) - 7])
def test_distances_are_those_of_the_raw_table(start):
    X = np.array([[start], [start + 3], [start + 10]], dtype=np.int64)
    geometry = Geometry(X, {}, np.ones(3), (None,))
    exact = [[Fraction(abs(a - b), 10) for b in X[:, 0].tolist()] for a in X[:, 0].tolist()]
    assert np.abs(geometry.distances(X, X) - np.array(exact, dtype=float)).max() < 1e-15


def test_the_same_seed_is_the_same_problem():
    assert reproducer(make_case(7)) == reproducer(make_case(7))


def test_a_failing_problem_is_made_small():
    case = make_case(3)
    small = shrink(case, lambda candidate: len(candidate) >= 2)
    assert len(small) == 2
    assert len(small.columns) == 1
    assert set(small.settings) <= {"cv", "metric"}
