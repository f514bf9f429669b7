"""Doubts of targets, computed again the slow way, and what must not change them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_friedman1
from sklearn.model_selection import KFold, RepeatedKFold, cross_val_predict

from fgac import FGARegressor, FGARegressorCV, audit
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import state_of
from fgac.explainers.audit import doubts
from fgac.explainers.target_doubts import near_means
from fgac.explanation.audit import RegressionAudit
from support.property_tests import examples
from support.strategies import regression_cases

PLAIN = {"metric": "manhattan", "gammas": [0.5, 2.0]}
# What gamma refers to, the same in every fold; some targets are outside.
ENDS = (5.0, 20.0)


def noisy(n=60):
    X, y = make_friedman1(n, n_features=5, noise=1.0, random_state=0)
    return X, y.round(1)


def knowing(model, numbers):
    """Return a fitted regressor that has these predictions of rows held out."""
    return plain_estimator(replace(state_of(model), held_out=np.array(numbers)))


def close(value):
    return pytest.approx(value, abs=1e-9)


# ----------------------------------------------------------------------------------------------------
# The slow way
# ----------------------------------------------------------------------------------------------------


def slow_doubts(distances, y, gamma, *expected):
    """Return the doubts of rows that all differ, from what is expected of them; the last is what is usual."""
    n, found = len(y), np.zeros(len(y))

    def unit(v):
        return (v - min(y)) / (max(y) - min(y))

    def rank(v):
        levels = sorted(set(y))
        places = [(sum(t < level for t in y) + 0.5 * sum(t == level for t in y)) / n for level in levels]
        return np.interp(v, levels, places)

    for scale in (unit, rank):
        own = np.array([scale(v) for v in y])
        off = np.array([[abs(own[i] - scale(values[i])) for i in range(n)] for values in expected])
        for i in range(n):
            near = np.array([0.0 if j == i else max(0.0, 1.0 - 4.0 * gamma * distances[i, j]) for j in range(n)])
            around = near @ off[-1] / near.sum() if near.sum() > 0 else off[-1].mean()
            found[i] += 0.5 * off[:, i].mean() / (0.5 * off[-1].mean() + 0.5 * around)
    return found


@pytest.fixture(scope="module")
def measured():
    """Distances between rows of a table, their targets, and a search on them."""
    X, y = noisy()
    distances = np.abs(X[:, None] - X[None, :]).mean(axis=2)
    search = FGARegressorCV(metric="precomputed", gammas=[0.5, 2.0], cv=KFold(3), target_scale=ENDS).fit(distances, y)
    return distances, y, search


def test_doubts_are_those_of_the_slow_way(measured):
    """With predictions of scikit-learn's folds by models of the same gamma."""
    distances, y, search = measured
    plain, fitted = FGARegressor(gamma=search.gamma_, metric="precomputed", target_scale=ENDS), search.fitted_values_
    held_out = cross_val_predict(plain, distances, y, cv=KFold(3))
    rest, both = (slow_doubts(distances, y, search.gamma_, *e) for e in ((fitted,), (fitted, held_out)))
    assert doubts(search, by="membership") == close(np.abs(y - fitted) / np.ptp(y))
    assert doubts(search, by="rest") == close(rest)
    assert doubts(search, by="held_out") == close(both)
    np.testing.assert_array_equal(doubts(search), doubts(search, by="held_out"))
    np.testing.assert_array_equal(doubts(plain.fit(distances, y)), doubts(search, by="rest"))


def test_suspects_are_the_contradicted_rows_by_their_doubts(measured):
    distances, y, search = measured
    for by in ("membership", "rest", "held_out", None):
        found, every = audit(search, by=by), doubts(search, by=by)
        assert [row.doubt for row in found] == close([every[row.index] for row in found])
        assert [row.doubt for row in found] == close(sorted((row.doubt for row in found), reverse=True))
        contradicted = doubts(search, by="membership") > 1e-9
        if by in ("held_out", None):
            contradicted |= every > 1.0
        assert {row.index for row in found} == set(np.flatnonzero(contradicted))
        assert audit(search, 3, by=by).items == found.items[:3]
    assert audit(search) == audit(search, by="held_out") == audit(search.best_estimator_)
    plain = FGARegressor(gamma=search.gamma_, metric="precomputed", target_scale=ENDS)
    held_out = cross_val_predict(plain, distances, y, cv=KFold(3))
    assert [row.held_out for row in audit(search)] == close([held_out[row.index] for row in audit(search)])


def test_a_steep_model_believes_a_target_that_models_contradict_that_had_not_seen_it():
    """Then no row is named, and this is said."""
    x = np.arange(40) / 40.0
    y = np.where(np.arange(40) == 13, 0.9, x)
    found = audit(FGARegressorCV(metric="manhattan", gammas=[100.0]).fit(x[:, None], y), 1)[0]
    assert (found.id, found.fitted, found.size, found.contradicted_by) == (13, 0.9, 0.0, ())
    assert found.text().startswith("Row 13 has the target 0.9, and no other row contradicts it. But a model that had")
    assert found.doubt > 5


def test_what_is_usual_is_told_in_units_of_the_target(measured):
    distances, y, search = measured
    ends = tuple(10 * end + 3 for end in ENDS)
    tenfold = FGARegressorCV(**{**search.get_params(), "target_scale": ends}).fit(distances, 10 * y + 3)
    for first, second in zip(audit(search), audit(tenfold), strict=True):
        assert (second.id, second.doubt, second.size) == (first.id, close(first.doubt), close(first.size))
        assert second.usual == pytest.approx(10 * first.usual)
        assert second.held_out == pytest.approx(10 * first.held_out + 3)


def test_tiles_do_not_matter(measured, monkeypatch):
    envelope = state_of(measured[2]).extension.envelope
    values = np.random.default_rng(0).random((2, len(envelope.rows)))
    whole = near_means(envelope, values)
    monkeypatch.setattr("fgac.explainers.target_doubts.tile_shape", lambda *_: (7, 11))
    assert near_means(envelope, values) == close(whole)


def test_a_row_far_from_all_others_is_compared_with_all():
    model = FGARegressor(gamma=2.0).fit([[0.0], [0.1], [0.2], [9.0]], [1.0, 3.0, 2.0, 8.0])
    values = np.array([[1.0, 2.0, 3.0, 6.0]])
    assert near_means(state_of(model).extension.envelope, values)[0, 3] == 3.0


# ----------------------------------------------------------------------------------------------------
# What must not change them
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [PLAIN, {"gammas": [1.0]}], ids=["manhattan", "learned"])
def test_the_order_of_rows_does_not_matter(settings):
    X, y = noisy()
    X[30:36], y[30:33] = X[:6], y[:3]
    order = np.random.default_rng(0).permutation(len(y))
    found, permuted = (FGARegressorCV(**settings).fit(*data) for data in ((X, y), (X[order], y[order])))
    np.testing.assert_allclose(doubts(permuted), doubts(found)[order], atol=1e-7)
    names = [{row.id, *row.alike} for row in audit(found)]
    assert [set(order[[row.id, *row.alike]]) for row in audit(permuted)] == names


def test_a_row_without_weight_is_absent():
    X, y = noisy()
    X[5], y[5] = 0.5, 1e6
    weight = np.where(np.arange(len(y)) % 7 == 5, 0.0, 1.0)
    there = weight > 0
    found = FGARegressorCV(**PLAIN).fit(X, y, weight)
    np.testing.assert_allclose(doubts(found)[there], doubts(FGARegressorCV(**PLAIN).fit(X[there], y[there])), atol=1e-8)
    assert np.isnan(doubts(found)[~there]).all()
    assert np.isnan(state_of(found).held_out[~there]).all()
    assert not {row.index for row in audit(found)} & set(np.flatnonzero(~there))


def test_a_row_of_weight_two_is_two_rows_and_the_unit_of_weights_does_not_matter():
    X, y = noisy(30)
    weight, times = np.where(np.arange(30) < 5, 2.0, 1.0), np.append(np.arange(30), np.arange(5))
    model = FGARegressor(gamma=0.5).fit
    for by in ("membership", "rest"):
        found = doubts(model(X, y, weight), by=by)
        np.testing.assert_allclose(doubts(model(X[times], y[times]), by=by), found[times], atol=1e-8)
        np.testing.assert_allclose(doubts(model(X, y, 3.0 * weight), by=by), found, atol=1e-8)
    numbers = y[::-1].copy()
    weighted, repeated = knowing(model(X, y, weight), numbers), knowing(model(X[times], y[times]), numbers[times])
    np.testing.assert_allclose(doubts(repeated), doubts(weighted)[times], atol=1e-8)


def test_equal_rows_are_one_suspect_of_their_mean_prediction():
    model = FGARegressor(gamma=1.0).fit([[0.0], [0.0], [0.1], [1.0]], [5.0, 5.0, 1.0, 2.0], ids=["p", "q", "r", "s"])
    found = {row.id: row for row in audit(knowing(model, [1.0, 2.0, 3.0, 2.5]))}
    assert (found["p"].alike, found["p"].held_out) == (("q",), 1.5)
    assert "Models that had not seen one of these 2 rows expect" in found["p"].text()


@pytest.mark.parametrize("by", [None, "rest", "membership"])
def test_constant_targets_and_single_rows_have_no_doubt(by):
    X = np.arange(12.0)[:, None]
    models = [FGARegressor().fit(X, np.full(12, 3.0)), FGARegressor().fit([[1.0]], [4.0])]
    models += [FGARegressorCV(**PLAIN).fit(X, np.full(12, 3.0))]
    for model in models:
        assert not doubts(model, by=by).any()
        assert len(audit(model, by=by)) == 0


def test_ties_are_told_in_the_order_of_the_targets():
    """Two rows that contradict each other are equally far off; so are their copies far away."""
    X, y = [[0.0], [0.1], [50.0], [50.1]], [1.0, 2.0, 2.0, 1.0]
    assert [row.id for row in audit(FGARegressor(gamma=0.5, scale=None).fit(X, y))] == [0, 3, 1, 2]


def test_missing_cells_are_no_hindrance():
    X, y = noisy()
    X[::4, 0], X[1::5, 2] = np.nan, np.nan
    search = FGARegressorCV(**PLAIN, cv=KFold(3), target_scale=ENDS).fit(X, y)
    plain = FGARegressor(gamma=search.gamma_, metric="manhattan", target_scale=ENDS)
    held_out = cross_val_predict(plain, X, y, cv=KFold(3))
    assert state_of(search).held_out == close(held_out)
    assert np.isfinite(doubts(search)).all()


def test_monotone_columns_are_no_hindrance():
    X, y = noisy()
    search = FGARegressorCV(**PLAIN, monotonic_cst=[1, 0, 0, 1, 0]).fit(X, y)
    assert np.isfinite(doubts(search)).all()
    assert len(audit(search, 3)) == 3


@given(regression_cases())
@examples(20)
def test_doubts_are_finite_and_never_negative(case):
    model = FGARegressor(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights)
    there = np.isfinite(model.fitted_values_)
    assert (doubts(model)[there] >= 0).all()
    assert np.isfinite(doubts(model)[there]).all()


@given(st.integers(0, 10**6), st.integers(0, 59), st.sampled_from([0.0, 10.0]))
@examples(10)
def test_a_number_that_is_far_off_is_the_first_suspect(seed, wrong, off):
    """Too large by far, or one of the others in the wrong place."""
    x = np.random.default_rng(seed).permutation(60) / 60.0
    y = x + off
    y[wrong] = off + (x[wrong] + 0.5 if x[wrong] < 0.5 else x[wrong] - 0.5)
    found = FGARegressorCV(metric="manhattan", gammas=[1.0, 2.0]).fit(x[:, None], y)
    assert audit(found, 1)[0].index == wrong
    assert doubts(found).argmax() == wrong


# ----------------------------------------------------------------------------------------------------
# Models without predictions of rows held out
# ----------------------------------------------------------------------------------------------------


def folds_without(n):
    """Return settings of searches that do not hold out every row exactly once."""
    halves = list(KFold(2).split(np.zeros(n)))
    return {
        "sample": {"max_rows": 40},
        "twice": {"cv": RepeatedKFold(n_splits=2, n_repeats=2, random_state=0)},
        "one half": {"cv": halves[:1]},
        "seen": {"cv": [(np.arange(n), test) for _, test in halves]},
    }


@pytest.mark.parametrize("setting", ["sample", "twice", "one half", "seen"])
def test_without_rows_held_out_once_the_rest_decides(setting):
    X, y = noisy()
    model = FGARegressorCV(**PLAIN, **folds_without(len(y))[setting]).fit(X, y)
    assert audit(model) == audit(model, by="rest")
    assert audit(model)[0].held_out is None
    for ask in (audit, doubts):
        with pytest.raises(ValueError, match=r"^by='held_out' needs what .* FGARegressorCV .*max_rows=None"):
            ask(model, by="held_out")


def test_an_interval_changes_nothing():
    X, y = noisy()
    plain, wide = (FGARegressorCV(**PLAIN, interval=share).fit(X, y) for share in (None, 0.8))
    assert audit(plain) == audit(wide)


def test_states_that_are_older_have_none():
    """A pickle of theirs lacks the field."""
    state = state_of(FGARegressorCV(**PLAIN).fit(*noisy()))
    old = object.__new__(type(state))
    vars(old).update({name: value for name, value in vars(state).items() if name != "held_out"})
    assert audit(plain_estimator(old)) == audit(plain_estimator(state), by="rest")


# ----------------------------------------------------------------------------------------------------
# How they are told
# ----------------------------------------------------------------------------------------------------


def test_doubts_are_in_json_and_frames(measured):
    found = audit(measured[2])
    assert RegressionAudit.from_json(found.to_json()) == found
    for name in ("doubt", "usual", "held_out"):
        assert found.to_frame()[name].tolist() == [getattr(row, name) for row in found]
    plain = audit(measured[2], by="membership")
    assert plain.to_frame()["held_out"].isna().all()
    assert [row.doubt for row in plain] == close([row.size for row in plain])
    older = plain.to_dict()
    for row in older["items"]:
        del row["doubt"]
    assert RegressionAudit.from_dict(older)[0].text() == plain[0].text()


def test_explanations_come_with_the_same_audit():
    X, y = noisy()
    model = FGARegressorCV(**PLAIN).fit(X, y)
    assert model.explain(X[:1], audit=True).contradictions == audit(model, 10, by="held_out")
