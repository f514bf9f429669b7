"""Training and predicting with unknown cells: the proof, independent solvers, bounds, and what must not matter."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, FRNNClassifier
from support.directed import monotone_oracle
from support.oracles import beta_oracle, difference_oracle, highs, ordered_pairs
from support.property_tests import examples
from support.unknown import slow_distances, small_survey, unknown_cases

LEARNED = {"metric": "learned", "scale": "auto", "feature_weights": None}


def fit(case, kind=FGAClassifier, X=None, y=None, weights=None, **more):
    """Fit the case, or a variant of it; columns in which nothing is known are no surprise here."""
    X, y = case.X if X is None else X, case.y if y is None else y
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "nothing is known in columns")
        return kind(**case.settings | more).fit(X, y, sample_weight=case.weights if weights is None else weights)


def all_rows(case):
    """Return training rows and new ones in one frame."""
    return pd.concat([case.X, case.new], ignore_index=True)


# ----------------------------------------------------------------------------------------------------
# The optimum
# ----------------------------------------------------------------------------------------------------


@examples(50)
@given(case=unknown_cases())
def test_memberships_are_those_of_a_general_solver(case):
    model = fit(case)
    assert model.solution_.is_optimal()
    expected = beta_oracle(slow_distances(case.X, case.X, case), case.y, case.settings["gamma"], case.weights)
    np.testing.assert_allclose(model.beta_, expected, atol=1e-6)


@examples(20)
@given(case=unknown_cases(directed=True))
def test_monotone_memberships_are_those_of_a_general_solver(case):
    model = fit(case)
    assert model.solution_.is_optimal()
    directed = slow_distances(case.X, case.X, case)
    values = monotone_oracle(directed, case.y.astype(float), case.settings["gamma"], case.weights)
    np.testing.assert_allclose(model.beta_, np.where(case.y == 1, values, 1.0 - values), atol=1e-6)


@examples(20)
@given(case=unknown_cases(n_classes=2))
def test_the_least_absolute_error_is_that_of_a_linear_program(case):
    model = fit(case, loss="absolute_error")
    assert model.solution_.is_optimal()
    tail, head = ordered_pairs(len(case.y))
    bound = case.settings["gamma"] * slow_distances(case.X, case.X, case)[tail, head]
    expected = highs(case.y.astype(float), case.weights, 1.0, 1.0, tail, head, bound)
    assert np.sum(case.weights * (1.0 - model.beta_)) == pytest.approx(expected, abs=1e-7)


@examples(25)
@given(case=unknown_cases())
def test_fitted_numbers_are_those_of_a_general_solver(case):
    targets = np.round(np.cos(np.arange(len(case.y)) + case.y), 2)
    model = fit(case, FGARegressor, y=targets)
    assert model.solution_.is_optimal()
    span = np.ptp(targets) or 1.0
    tail, head = ordered_pairs(len(targets))
    bound = case.settings["gamma"] * span * slow_distances(case.X, case.X, case)[tail, head]
    np.testing.assert_allclose(
        model.fitted_values_, difference_oracle(targets, tail, head, bound, case.weights), atol=1e-6
    )


# ----------------------------------------------------------------------------------------------------
# Bounds
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"loss": "absolute_error"}, {"owa": "additive"}, LEARNED], ids=str)
@examples(15)
@given(case=unknown_cases())
def test_bounds_do_not_cross(settings, case):
    lower, upper, degree = fit(case, **settings).memberships(all_rows(case))
    assert lower.min() >= 0.0
    assert upper.max() <= 1.0
    assert (lower <= degree + 1e-9).all()
    assert (degree <= upper + 1e-9).all()


@examples(25)
@given(case=unknown_cases())
def test_memberships_are_no_steeper_than_gamma(case):
    """Also between rows that differ in what is known of them."""
    model, rows = fit(case), all_rows(case)
    allowed = case.settings["gamma"] * slow_distances(rows, rows, case) + 1e-9
    for part in model.memberships(rows):
        assert (np.abs(part[:, None, :] - part[None, :, :]).max(axis=2) <= allowed).all()


@examples(20)
@given(case=unknown_cases())
def test_training_rows_keep_their_memberships(case):
    model = fit(case)
    lower = model.memberships(case.X).lower
    np.testing.assert_allclose(lower[np.arange(len(case.y)), case.y], model.beta_, atol=1e-8)


@examples(20)
@given(case=unknown_cases())
def test_bounds_of_numbers_do_not_cross(case):
    bounds = fit(case, FGARegressor, y=np.sin(np.arange(len(case.y)))).predict_bounds(all_rows(case))
    assert (bounds.lower <= bounds.upper + 1e-9).all()


@examples(20)
@given(case=unknown_cases(directed=True))
def test_raising_a_known_value_still_only_helps(case):
    """In columns with a direction, whatever else is unknown."""
    model = fit(case)
    low = all_rows(case)
    high = low.assign(e=low["e"] + 1.0, a=low["a"] - 2.0)  # nan stays nan
    for before, after in zip(model.memberships(low), model.memberships(high), strict=True):
        assert (after[:, 1] >= before[:, 1] - 1e-9).all()


# ----------------------------------------------------------------------------------------------------
# What must not matter
# ----------------------------------------------------------------------------------------------------

BOTH = pytest.mark.parametrize("settings", [{}, LEARNED], ids=["given", "learned"])


@BOTH
@examples(15)
@given(case=unknown_cases())
def test_repetition_is_weight(settings, case):
    times = case.weights.astype(int)
    X = case.X.loc[case.X.index.repeat(times)].reset_index(drop=True)
    ones = np.ones(times.sum())
    repeated, weighted = fit(case, X=X, y=np.repeat(case.y, times), weights=ones, **settings), fit(case, **settings)
    np.testing.assert_allclose(repeated.beta_, np.repeat(weighted.beta_, times), atol=1e-9)
    np.testing.assert_allclose(repeated.memberships(case.new).degree, weighted.memberships(case.new).degree, atol=1e-9)


@BOTH
@examples(15)
@given(case=unknown_cases())
def test_a_row_without_weight_is_not_there(settings, case):
    """Not even as a row that knows something of a column, or nothing."""
    more = pd.concat([case.X, case.new, case.X[:1].map(lambda _: None)], ignore_index=True).astype(case.X.dtypes)
    extra = len(more) - len(case.X)
    y, weights = np.append(case.y, np.zeros(extra, dtype=int)), np.append(case.weights, np.zeros(extra))
    with_them, without = fit(case, X=more, y=y, weights=weights, **settings), fit(case, **settings)
    np.testing.assert_array_equal(with_them.beta_[: len(case.y)], without.beta_)
    for a, b in zip(with_them.memberships(case.new), without.memberships(case.new), strict=True):
        np.testing.assert_array_equal(a, b)


@BOTH
@examples(15)
@given(case=unknown_cases(), random=st.randoms(use_true_random=False))
def test_order_of_rows_and_names_of_classes(settings, case, random):
    order = np.array(random.sample(range(len(case.y)), len(case.y)))
    names = np.array(["c", "a", "b"])
    plain = fit(case, **settings)
    other = fit(case, X=case.X.iloc[order], y=names[case.y[order]], weights=case.weights[order], **settings)
    np.testing.assert_allclose(other.beta_, plain.beta_[order], atol=1e-9)
    columns = np.searchsorted(other.classes_, names[plain.classes_])
    for a, b in zip(other.memberships(case.new), plain.memberships(case.new), strict=True):
        np.testing.assert_allclose(a[:, columns], b, atol=1e-9)


KINDS = [
    (FGAClassifier, {}, "memberships"),
    (FGAClassifier, LEARNED, "memberships"),
    (FGAOrdinalClassifier, {}, "at_least"),
    (FRNNClassifier, {}, "memberships"),
    (FGARegressor, {"interval": 0.8}, "predict_bounds"),
    (FGARegressor, LEARNED, "predict_interval"),
]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize(("kind", "settings", "method"), KINDS, ids=lambda part: getattr(part, "__name__", str(part)))
def test_no_row_changes_the_prediction_of_another(kind, settings, method, metric):
    """Whatever is unknown in whatever other row of a batch, or of other batches."""
    X, y, score = small_survey(70)
    model = kind(**{"gamma": 2.0, "metric": metric} | settings)
    if kind is FRNNClassifier:
        model.set_params(n_neighbors=3)
    model.fit(X, score if kind is FGARegressor else y)
    new = small_survey(25, seed=1)[0]

    def results(rows):
        found = getattr(model, method)(rows)
        return [np.asarray(part) for part in (found if isinstance(found, tuple) else (found,))]

    together, labels = results(new), model.predict(new)
    for i in (0, 11, 24):
        others = np.arange(len(new)) != i
        for cells in ({}, {"age": np.nan}, {"city": None}, {"age": np.nan, "income": np.nan, "city": None}):
            changed = new.copy()
            for name, cell in cells.items():
                changed.loc[i, name] = cell
            for a, b in zip(results(changed), together, strict=True):
                np.testing.assert_array_equal(a[others], b[others])
    alone = [results(new.iloc[[i]]) for i in range(len(new))]
    for j, part in enumerate(together):
        np.testing.assert_array_equal(np.concatenate([each[j] for each in alone]), part)
    if hasattr(model, "predict_batches"):
        batches = [new[:1], new[1:9], new[9:9], new[9:]]
        np.testing.assert_array_equal(np.concatenate(list(model.predict_batches(batches))), labels)


def test_no_row_changes_another_where_there_are_many_columns():
    """There a distance may depend on the block in its last digits, but not on what is unknown elsewhere."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 14))
    y = (X[:, 0] > 0).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    model = FGAClassifier(gamma=0.4).fit(X, y)
    new = rng.normal(size=(40, 14))
    before = model.memberships(new).degree
    changed = np.where(np.arange(40)[:, None] == 7, np.nan, new)
    after = model.memberships(changed).degree
    np.testing.assert_array_equal(np.delete(after, 7, axis=0), np.delete(before, 7, axis=0))
    alone = np.concatenate([model.memberships(new[[i]]).degree for i in range(40)])
    np.testing.assert_allclose(alone, before, rtol=0, atol=1e-12)


# ----------------------------------------------------------------------------------------------------
# Metrics of one's own, and distances
# ----------------------------------------------------------------------------------------------------


def test_a_metric_of_ones_own_sees_the_middle_and_a_number_for_an_unknown_name():
    """Numbers stand in the middle of their column, categories that are unknown have the number -2."""
    seen = []

    def metric(A, B):
        seen.extend([A, B])
        return np.abs(A[:, None] - B[None]).max(axis=2) / 9

    frame = pd.DataFrame({"size": [0.0, 2.0, 8.0, np.nan], "city": ["u", "v", None, "u"]})
    model = FGAClassifier(metric=metric, scale=None).fit(frame, [0, 1, 1, 0])
    model.predict(pd.DataFrame({"size": [np.nan], "city": ["w"]}))
    rows = np.vstack(seen)
    assert not np.isnan(rows).any()
    assert set(rows[:, 0]) == {0.0, 2.0, 8.0}
    assert set(rows[:, 1]) == {0.0, 1.0, -1.0, -2.0}


def test_unknown_distances_are_refused():
    distances = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    model = FGAClassifier(metric="precomputed").fit(distances, [0, 0, 1, 1])
    unknown = np.where(np.eye(4, k=1) > 0, np.nan, distances)
    for call in (
        lambda: model.predict(unknown),
        lambda: FGAClassifier(metric="precomputed").fit(unknown, [0, 0, 1, 1]),
    ):
        with pytest.raises(ValueError, match=r"X contains NaN"):
            call()


def test_the_tag_says_whether_nan_is_welcome():
    for kind in (FGAClassifier, FGAOrdinalClassifier, FGARegressor, FRNNClassifier):
        assert kind().__sklearn_tags__().input_tags.allow_nan
        assert kind(metric="learned").__sklearn_tags__().input_tags.allow_nan
        assert not kind(metric="precomputed").__sklearn_tags__().input_tags.allow_nan
