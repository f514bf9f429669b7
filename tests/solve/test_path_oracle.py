"""The gamma path against the engine at many gammas, against its own proof, and against POT's path."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ot.regpath import regularization_path
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise_distances

import fgac
from fgac import FGAClassifier
from support.frames import as_pandas, mixed_columns
from support.oracles import beta_oracle, has_cycle, ordered_pairs, recompute_certificate
from support.property_tests import examples
from support.strategies import overlapping, table_cases

pytestmark = pytest.mark.slow  # whole paths, each compared with the engine at many gammas

PUBLISHED = ["glass", "haberman", "breast", "mammographic", "balance", "flare"]


def gammas_of(path, n, seed=0):
    """Return n random gammas: from the floor to beyond the last event, some of them at events themselves."""
    rng = np.random.default_rng(seed)
    top = 1.5 * max(path.gamma_max, path.gamma_min)
    anywhere = np.exp(rng.uniform(np.log(path.gamma_min), np.log(top), n))
    bends = path.breakpoints
    if bends.size:
        anywhere[: n // 4] = rng.choice(bends, n // 4)
        anywhere[0] = bends[0]
    anywhere[-1] = path.gamma_min
    return anywhere


def assert_like_the_engine(X, y, n=20, gamma_min=0.5, sample_weight=None, **parameters):
    """At n gammas the path gives what a fit gives, and proves it over all pairs."""
    path = fgac.path(X, y, gamma_min=gamma_min, sample_weight=sample_weight, **parameters)
    assert path.largest_violation <= 1e-9
    for gamma in gammas_of(path, n):
        engine = FGAClassifier(gamma=gamma, **parameters).fit(X, y, sample_weight=sample_weight)
        assert engine.solution_.is_optimal(1e-9)
        np.testing.assert_allclose(path.beta(gamma), engine.beta_, atol=1e-9, err_msg=f"gamma = {gamma!r}")
        solution = path.solution(gamma)
        np.testing.assert_allclose(solution.values, engine.solution_.values, atol=1e-9, err_msg=f"gamma = {gamma!r}")
        assert solution.is_optimal(1e-9), (gamma, solution.largest_violation, solution.duality_gap)
        assert solution.largest_violation <= 1e-9
        assert solution.objective == pytest.approx(engine.solution_.objective, abs=1e-8)
    return path


# ----------------------------------------------------------------------------------------------------
# Against the engine
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 12])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", pairwise_distances])
def test_real_numbers(metric, n_classes):
    X, y = overlapping(n=80, n_classes=n_classes, seed=n_classes)
    assert_like_the_engine(X, y, metric=metric, gamma_min=0.2)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_precomputed_distances_that_obey_no_triangle(n_classes):
    """Any symmetric matrix will do: the path needs no metric."""
    rng = np.random.default_rng(n_classes)
    matrix = rng.uniform(0.05, 1.0, size=(60, 60))
    matrix = np.triu(matrix, 1) + np.triu(matrix, 1).T
    assert_like_the_engine(matrix, np.arange(60) % n_classes, metric="precomputed", gamma_min=0.1)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_a_grid_with_rows_of_several_classes_at_one_place(metric, n_classes):
    """200 rows at 25 places: equal distances everywhere, and distance 0 across classes."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, size=(200, 2)).astype(float), rng.integers(0, n_classes, 200)
    assert_like_the_engine(X, y, metric=metric, gamma_min=0.1, n=12)


def test_a_line_of_equal_steps():
    """Labels in turns on a line: every event comes with many others."""
    assert_like_the_engine(np.arange(40.0)[:, None], np.arange(40) % 2, gamma_min=0.1)
    assert_like_the_engine(np.arange(40.0)[:, None], np.arange(40) % 3, gamma_min=0.1)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_all_distances_are_one(n_classes):
    """One event for every pair at the same gamma, with unequal weights."""
    y = np.arange(20) % n_classes
    weights = 1.0 + np.arange(20) % 3
    assert_like_the_engine(1.0 - np.eye(20), y, metric="precomputed", gamma_min=0.1, sample_weight=weights)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_all_rows_at_one_place(n_classes):
    """Constant columns only: nothing but duplicates across classes."""
    weights = 1.0 + np.arange(12) % 3
    assert_like_the_engine(np.ones((12, 3)), np.arange(12) % n_classes, n=4, sample_weight=weights)


def test_a_constant_column():
    X, y = overlapping()
    assert_like_the_engine(np.column_stack([X, np.full(len(y), 7.0)]), y, n=20)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_duplicates_across_classes_among_others(n_classes):
    """A third of the rows has a twin of another class: pooled from infinity on, and torn apart or joined later."""
    X, y = overlapping(n=60, n_classes=n_classes)
    X, y = np.vstack([X, X[:20]]), np.append(y, (y[:20] + 1) % n_classes)
    path = assert_like_the_engine(X, y, gamma_min=0.2)
    assert path.beta(1e9)[:20] == pytest.approx(np.full(20, 0.5), abs=1e-12)
    assert path.beta(1e9)[20:60] == pytest.approx(np.ones(40), abs=1e-12)


@examples(40)
@given(table_cases(), st.integers(0, 1000))
def test_grids_of_any_kind(case, seed):
    """Small integer tables with weights, 2 to 6 classes; also against a general solver of the paper's problem."""
    path = assert_like_the_engine(case.X, case.y, n=8, gamma_min=0.1, sample_weight=case.weights)
    gamma = gammas_of(path, 8, seed)[0]
    span = np.where(np.ptp(case.X, axis=0) > 0, np.ptp(case.X, axis=0), 1.0)
    distances = pairwise_distances(case.X / span) / np.sqrt(case.X.shape[1])
    np.testing.assert_allclose(path.beta(gamma), beta_oracle(distances, case.y, gamma, case.weights), atol=1e-7)


@examples(20)
@given(table_cases(), st.sampled_from([1e-6, 1e-3, 3.0, 1e3]))
def test_floors_of_any_height(case, gamma_min):
    assert_like_the_engine(case.X, case.y, n=6, gamma_min=gamma_min)


@pytest.mark.parametrize("class_weight", ["balanced", {0: 5.0, 1: 0.2}])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_of_rows_and_classes(class_weight, n_classes):
    """Weights over four orders of magnitude, a few of them 0."""
    X, y = overlapping(n=70, n_classes=n_classes)
    X, y = X[:60], y[:60]
    weights = 10.0 ** np.random.default_rng(0).uniform(-2, 2, 60)
    weights[::9] = 0.0
    path = assert_like_the_engine(X, y, gamma_min=0.2, sample_weight=weights, class_weight=class_weight)
    assert np.isnan(path.beta(1.0)[::9]).all()


def test_nominal_columns():
    columns, y = mixed_columns(n=80)
    assert_like_the_engine(as_pandas(columns), y, gamma_min=0.2)
    assert_like_the_engine(as_pandas(columns), y == 1, gamma_min=0.2, n=20, metric="manhattan")


def test_columns_that_count_more():
    X, y = overlapping()
    assert_like_the_engine(X, y, n=20, feature_weights=[2.0, 0.1], scale="robust")


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_data(published, name):
    """The paper's data, ties, duplicates and nominal columns as they come."""
    X, y = published(name)
    assert_like_the_engine(X, y, categorical_features=list(X.select_dtypes("category")))


def test_iris():
    """Real measurements with many equal values, and classes that hardly touch."""
    X, y = load_iris(return_X_y=True)
    assert_like_the_engine(X, y)


# ----------------------------------------------------------------------------------------------------
# Its own proof, recomputed
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_the_proof_holds_by_hand(n_classes):
    """Values, multipliers and bounds alone give back the proof; the loss falls with gamma by sum of x d."""
    X, y = overlapping(n=30, n_classes=n_classes)
    y = np.sort(y)  # nodes are sorted by class, so that node i is row i
    distances = pairwise_distances(X)
    path = fgac.path(distances, y, metric="precomputed", gamma_min=0.05)
    targets, tail, head = problem_of(y)
    n_nodes = len(targets)
    for gamma in gammas_of(path, 12):
        solution = path.solution(gamma)
        bound = gamma * distances[tail % 30, head % 30]
        proof = recompute_certificate(targets, np.ones(n_nodes), (tail, head, bound), solution)
        assert (solution.multipliers > 0).all()
        assert not has_cycle(n_nodes, solution.active.tail, solution.active.head)
        assert max(proof.violation, proof.dual_residual, abs(proof.gap), proof.complementarity) <= 1e-9
        assert solution.objective == pytest.approx(proof.objective, abs=1e-12)
        apart = distances[solution.active.tail % 30, solution.active.head % 30]
        np.testing.assert_allclose(solution.active.bound, gamma * apart, atol=1e-12)
        step = 1e-6
        fall = (path.solution(gamma + step).objective - solution.objective) / step
        assert fall == pytest.approx(-np.sum(solution.multipliers * apart), abs=1e-3)


def problem_of(y):
    """Return targets of the nodes and the pairs that are constrained: differences for two classes, copies for more."""
    tail, head = ordered_pairs(len(y), y)
    if len(np.unique(y)) == 2:
        return y.astype(float), tail[y[tail] == 1], head[y[tail] == 1]
    return np.repeat([1.0, 0.0], len(y)), tail, head + len(y)


# ----------------------------------------------------------------------------------------------------
# Against POT: unbalanced optimal transport with a quadratic penalty
# ----------------------------------------------------------------------------------------------------
#
# With losses s = 1 - beta and multipliers x the dual of the binary problem is
#     minimise  1/2 |x 1|^2 + 1/2 |x' 1|^2 - sum x + gamma <D, x>    over x >= 0,   s = (x 1, x' 1).
# POT walks along  minimise  1/2 |T 1 - 1|^2 + 1/2 |T' 1 - 1|^2 + g <D, T>  (g = 1 / (2 lambda) in the paper of
# Chapel et al.). Multiplied out, its linear term is -2 sum T; with T = 2 x it is 4 times ours for g = 2 gamma.


def transport_path(distances, y, gamma_min):
    """Return POT's breakpoints as our gammas, and its plans at them as our multipliers."""
    first, second = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    cost = distances[np.ix_(first, second)]
    _, plans, reg = regularization_path(np.ones(len(first)), np.ones(len(second)), cost, reg=2.0 * gamma_min)
    return np.array(reg) / 2.0, [plan.reshape(cost.shape) / 2.0 for plan in plans]


@pytest.mark.parametrize("seed", range(12))
def test_pot_walks_the_same_path(seed):
    """The same breakpoints, memberships and transport plan."""
    rng = np.random.default_rng(seed)
    n_first, n_second = rng.integers(1, 16, 2)
    y = np.repeat([0, 1], [n_first, n_second])
    distances = pairwise_distances(rng.uniform(size=(len(y), 2)))
    path = fgac.path(distances, y, metric="precomputed", gamma_min=0.1)
    gammas, plans = transport_path(distances, y, 0.1)
    inside = path.breakpoints[path.breakpoints > 0.1]
    np.testing.assert_allclose(inside, gammas[:-1], rtol=1e-9)
    middle = (gammas[:-1] + gammas[1:]) / 2.0
    half_way = [(one + other) / 2.0 for one, other in pairwise(plans)]
    for gamma, plan in zip([*gammas, *middle], [*plans, *half_way], strict=True):
        loss = np.append(plan.sum(axis=1), plan.sum(axis=0))
        np.testing.assert_allclose(path.beta(gamma), 1.0 - loss, atol=1e-9)
        solution = path.solution(gamma)
        flow = np.zeros_like(plan)
        flow[solution.active.head, solution.active.tail - n_first] = solution.multipliers
        np.testing.assert_allclose(flow, plan, atol=1e-9)


def test_pot_on_real_columns():
    """A binary problem as a user brings it: scaled columns, the Euclidean distance of the classifier."""
    X, y = overlapping(n=40, n_classes=2)
    path = fgac.path(X, y)
    distances = pairwise_distances(X / np.ptp(X, axis=0)) / np.sqrt(2.0)
    gammas, plans = transport_path(distances, y, 0.5)
    for gamma, plan in zip(gammas, plans, strict=True):
        beta = np.empty(len(y))
        beta[y == 0], beta[y == 1] = 1.0 - plan.sum(axis=1), 1.0 - plan.sum(axis=0)
        np.testing.assert_allclose(path.beta(gamma), beta, atol=1e-9)
