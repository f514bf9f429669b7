"""Distances between rows of which some cells are unknown: by hand, beside a slow twin, and as a pseudometric."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from fgac import FGAClassifier, FGARegressor
from fgac.tables import learned_scores
from fgac.tables.columns import UNKNOWN_SHARE
from fgac.tables.learned_weights import learn_weights
from fgac.tables.table import learn_table
from support.property_tests import examples
from support.unknown import METRICS, SCALES, SHARE, slow_distances, small_survey, unknown_cases

LEFT_OUT = "ignore:nothing is known in columns:UserWarning"


def fitted(case, **more):
    """Fit the case; columns in which nothing is known are no surprise here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "nothing is known in columns")
        return FGAClassifier(**case.settings, **more).fit(case.X, case.y, sample_weight=case.weights)


def distances(model, left, right, orientation=1.0):
    """Return the distances that a fitted model computes between the rows of two frames."""
    u, v = model._read_rows(left), model._read_rows(right).oriented(orientation)
    out = np.empty((len(u), len(v)))
    model._state.metric.block(u, v, out)
    return out


def all_rows(case):
    """Return training rows and new ones in one frame."""
    return pd.concat([case.X, case.new], ignore_index=True)


# ----------------------------------------------------------------------------------------------------
# By hand
# ----------------------------------------------------------------------------------------------------


def test_the_share_is_what_the_twin_takes_it_for():
    assert UNKNOWN_SHARE == SHARE


@pytest.mark.parametrize(
    ("metric", "to_known", "to_unknown"),
    [("manhattan", 0.25 + 0.1, 0.0), ("euclidean", np.hypot(0.25, 0.1), 0.0), ("chebyshev", 0.25, 0.0)],
)
def test_an_unknown_number_by_hand(metric, to_known, to_unknown):
    """The middle of 0, 3, 4 is 3, of a range of 4; 2 is a quarter of the range below it."""
    model = FGAClassifier(metric=metric).fit([[0.0], [3.0], [4.0], [np.nan]], [0, 1, 1, 0])
    new = np.array([[2.0], [np.nan]])
    np.testing.assert_allclose(distances(model, [[np.nan]], new)[0], [to_known, to_unknown], atol=1e-15)


def test_an_unknown_number_by_rank():
    """It is as far from the least of many values as from the greatest."""
    X = np.append(np.exp(np.arange(9.0)), np.nan)[:, None]
    model = FGAClassifier(metric="manhattan", scale="rank").fit(X, np.arange(10) % 2)
    to_ends = distances(model, [[np.nan]], X[[0, 4, 8]])[0]
    np.testing.assert_allclose(to_ends, [4 / 9 + 0.1, 0.1, 4 / 9 + 0.1], atol=1e-12)


def test_a_column_that_is_complete_in_training_marks_nothing():
    """An unknown number of a new row then is the middle one."""
    model = FGAClassifier().fit([[0.0], [3.0], [4.0]], [0, 1, 1])
    assert model._state.table.marked == ()
    assert distances(model, [[np.nan]], [[3.0]])[0, 0] == 0.0


@pytest.mark.parametrize(("metric", "half"), [("manhattan", 0.5), ("euclidean", np.sqrt(0.5)), ("chebyshev", 0.5)])
def test_an_unknown_category_by_hand(metric, half):
    frame = pd.DataFrame({"c": ["x", "y", "z", None]}, dtype=object)
    model = FGAClassifier(metric=metric).fit(frame, [0, 1, 1, 0])
    one = {"manhattan": 1 / 3, "euclidean": 1 / np.sqrt(3), "chebyshev": 1.0}[metric]
    new = pd.DataFrame({"c": ["x", "z", "never seen", None]}, dtype=object)
    found = distances(model, frame, new) / one
    np.testing.assert_allclose(found[3], [half, half, half, 0.0], atol=1e-15)
    np.testing.assert_allclose(found[0], [0.0, 1.0, 1.0, half], atol=1e-15)


# ----------------------------------------------------------------------------------------------------
# Beside a slow twin, and as a pseudometric
# ----------------------------------------------------------------------------------------------------


@examples(80)
@given(case=unknown_cases())
def test_distances_are_those_of_the_slow_twin(case):
    model, rows = fitted(case), all_rows(case)
    expected = slow_distances(rows, rows, case)
    np.testing.assert_allclose(distances(model, rows, rows), expected, atol=1e-9 * max(1.0, expected.max()), rtol=1e-9)


@examples(30)
@given(case=unknown_cases(directed=True))
def test_directed_distances_are_those_of_the_slow_twin(case):
    model, rows = fitted(case), all_rows(case)
    for orientation in (1, -1):
        expected = slow_distances(rows, rows, case, orientation=orientation)
        found = distances(model, rows, rows, float(orientation))
        np.testing.assert_allclose(found, expected, atol=1e-9 * max(1.0, expected.max()), rtol=1e-9)


def assert_pseudometric(d, *, symmetric=True):
    """Check d(x, x) = 0, symmetry, and the triangle inequality for all triples, but for rounding."""
    rounding = 1e-13 * max(1.0, d.max())
    assert (np.diag(d) == 0).all()
    assert (d >= 0).all()
    if symmetric:
        np.testing.assert_allclose(d, d.T, rtol=0, atol=rounding)
    assert (d[:, None, :] <= d[:, :, None] + d[None, :, :] + rounding).all()


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("metric", METRICS)
@examples(10)
@given(case=unknown_cases())
def test_a_pseudometric(metric, scale, case):
    """Training rows and new ones, with unseen categories, unknown cells, and rows of which nothing is known."""
    case = case._replace(settings=case.settings | {"metric": metric, "scale": scale})
    rows = all_rows(case)
    assert_pseudometric(distances(fitted(case), rows, rows))


@examples(15)
@given(case=unknown_cases(metrics=["learned"], scales=["auto", "rank", "range"]))
def test_a_learned_pseudometric(case):
    """The same with weights that are learned, of columns and of being unknown in them, and with a score."""
    case = case._replace(settings=case.settings | {"feature_weights": None})
    model, rows = fitted(case), all_rows(case)
    found = distances(model, rows, rows)
    assert_pseudometric(found)
    table = model._state.table
    columns = table.columns
    scale = "rank" if case.settings["scale"] == "auto" else case.settings["scale"]
    expected = slow_distances(
        rows,
        rows,
        case._replace(settings=case.settings | {"scale": scale}),
        weights={column.name: column.weight for column in columns},
        unknown_weights={column.name: column.unknown_weight for column in columns},
    )
    if table.score is not None:  # columns then count less, by a share that does not depend on them
        odds = np.exp(table.score.sums(table.rows(table.read(rows))))
        apart = np.abs(odds[:, None] / odds.sum(axis=1)[:, None, None] - (odds / odds.sum(axis=1)[:, None])[None])
        expected = (1 - learned_scores.SHARE) * expected + 0.5 * table.score.weight * apart.sum(axis=2)
    np.testing.assert_allclose(found, expected, atol=1e-9 * max(1.0, expected.max()), rtol=1e-9)


@examples(40)
@given(case=unknown_cases(directed=True))
def test_directed_distances_keep_the_triangle_inequality(case):
    model, rows = fitted(case), all_rows(case)
    above, below = (distances(model, rows, rows, orientation) for orientation in (1.0, -1.0))
    for d in (above, below):
        assert_pseudometric(d, symmetric=False)
    # Being above is the other's being below.
    np.testing.assert_allclose(above, below.T, rtol=0, atol=1e-13 * max(1.0, above.max()))


# ----------------------------------------------------------------------------------------------------
# Learned weights of being unknown
# ----------------------------------------------------------------------------------------------------


def learned(X, y, *, regression=False, metric="learned"):
    """Weights of columns, and of being unknown in them."""
    table, values = learn_table(
        X,
        metric=metric,
        scale="rank",
        categorical_features="from_dtype",
        feature_weights=None,
        sample_weight=np.ones(len(X)),
    )
    return learn_weights(table, values, np.asarray(y), np.ones(len(X)), metric, regression=regression)


def test_being_unknown_counts_where_it_tells_something():
    """Whether the first column is known is the class; of the second, some cells are missing for no reason."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), np.arange(200) % 2
    X[y == 1, 0], X[rng.random(200) < 0.3, 1] = np.nan, np.nan
    for target, regression in ((y, False), (y + 0.0, True)):
        unknown = learned(X, target, regression=regression)[1]
        assert unknown[0] > 10 * UNKNOWN_SHARE
        assert unknown[1] == 0.0


def test_being_unknown_counts_for_nothing_where_it_tells_nothing():
    """Neither where the column counts nor where it does not: an unknown value is in the middle, and that is all."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] > 0).astype(int)
    X[rng.random(300) < 0.2, 0], X[rng.random(300) < 0.2, 1] = np.nan, np.nan
    weights, unknown = learned(X, y)
    assert weights.argmax() == 0
    np.testing.assert_array_equal(unknown, 0.0)


def test_unknown_categories_count_as_a_category():
    """They have no mark, for being unknown has a place among the categories already."""
    X, y, score = small_survey(120)
    for target, regression in ((y, False), (score, True)):
        weights, unknown = learned(X, target, regression=regression)
        assert unknown[2] == 0.0
        assert np.isfinite(weights).all()


# ----------------------------------------------------------------------------------------------------
# Columns in which nothing is known
# ----------------------------------------------------------------------------------------------------

EMPTY = {
    "nan": lambda n: np.full(n, np.nan),
    "None": lambda n: np.array([None] * n, dtype=object),
    "whole": lambda n: pd.array([pd.NA] * n, dtype="Int64"),
    "text": lambda n: pd.array([pd.NA] * n, dtype="string"),
    "category": lambda n: pd.Categorical([None] * n, categories=["never seen"]),
}
SETTINGS = [
    *({"metric": metric} for metric in (*METRICS, "learned")),
    {"scale": "robust"},
    {"scale": None, "gamma": 0.01},
]


METHODS = {FGAClassifier: ["predict", "memberships"], FGARegressor: ["predict", "predict_bounds"]}


def said_of_all(kind, settings, X, target):
    """Return the estimator, fitted, and what it says of the rows that it was fitted to."""
    model = kind(**settings).fit(X, target)
    return model, [getattr(model, method)(X) for method in METHODS[kind]]


@pytest.fixture(scope="module", params=SETTINGS, ids=str)
def without_notes(request):
    """Settings, and for every kind of estimator what it says of a table without the column."""
    X, y, score = small_survey(50)
    targets = {FGAClassifier: y, FGARegressor: score}
    return request.param, {kind: (y, said_of_all(kind, request.param, X, y)[1]) for kind, y in targets.items()}


@pytest.mark.parametrize("empty", EMPTY.values(), ids=EMPTY)
def test_a_column_without_a_known_value_changes_no_bit(without_notes, empty):
    """Whatever its type and place, and whatever new rows hold there."""
    settings, known = without_notes
    wide = small_survey(50)[0]
    wide.insert(0, "notes", empty(len(wide)))
    wide.insert(3, "more", empty(len(wide)))
    for kind, (target, expected) in known.items():
        with pytest.warns(UserWarning, match=r"nothing is known in columns \['notes', 'more'\]: they are left out"):
            model, found = said_of_all(kind, settings, wide, target)
        for notes in (1.5, "something", None):
            found += [getattr(model, method)(wide.assign(notes=notes, more=notes)) for method in METHODS[kind]]
        for results, as_before in zip(found, 4 * expected, strict=True):
            for a, b in zip(results, as_before, strict=True):
                np.testing.assert_array_equal(a, b)


def test_many_columns_of_numbers_and_one_without_any():
    """Beyond a number of coordinates distances are computed in another way: a column that is none does not count."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 8)), np.arange(40) % 2
    wide = np.column_stack([X, np.full(40, np.nan)])
    with pytest.warns(UserWarning, match="nothing is known"):
        found = FGAClassifier(gamma=0.3).fit(wide, y)
    np.testing.assert_array_equal(found.beta_, FGAClassifier(gamma=0.3).fit(X, y).beta_)


@pytest.mark.filterwarnings(LEFT_OUT)
def test_a_metric_of_ones_own_sees_a_constant_column():
    def metric(A, B):
        return np.abs(A[:, None] - B[None]).sum(axis=2) / 9

    X, y, _ = small_survey(30)
    numbers = X[["age", "income"]]
    found = FGAClassifier(metric=metric).fit(numbers.assign(notes=np.nan), y)
    expected = FGAClassifier(metric=metric).fit(numbers, y)
    for notes in (np.nan, 3.0, "text"):
        np.testing.assert_array_equal(found.predict_proba(numbers.assign(notes=notes)), expected.predict_proba(numbers))


@pytest.mark.filterwarnings(LEFT_OUT)
def test_a_direction_of_a_column_without_a_known_value_means_nothing():
    X, y, _ = small_survey(30)
    found = FGAClassifier(monotonic_cst={"notes": 1}).fit(X.assign(notes=np.nan), y)
    expected = FGAClassifier().fit(X, y)
    np.testing.assert_array_equal(found.predict_proba(X.assign(notes=7.0)), expected.predict_proba(X))


@pytest.mark.parametrize("cell", [np.nan, None, pd.NA], ids=repr)
@pytest.mark.parametrize("settings", [{}, {"metric": "learned"}, {"metric": lambda A, B: np.zeros((len(A), len(B)))}])
def test_a_table_in_which_nothing_is_known_is_refused(settings, cell):
    frame = pd.DataFrame({"a": [cell] * 4, "b": [cell] * 4})
    for kind in (FGAClassifier, FGARegressor):
        with pytest.raises(ValueError, match="nothing is known in any of the 2 columns; expected some values"):
            kind(**settings).fit(frame, [0, 1, 0, 1])
