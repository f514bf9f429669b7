"""Rows that belong together stay together in every fold, so that scores are of new groups."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, cross_val_score

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifierCV, FGARegressorCV, audit, choose_gamma, evaluate
from fgac.selection.default_folds import default_folds
from fgac.selection.grid import Parts
from fgac.tables.groups import parted_fold
from fgac.tables.reading import ReadTable
from support.subjects import subjects

FEW = {"gammas": [1.0, 10.0], "metric": "euclidean"}
SEARCHES = {
    "classes": FGAClassifierCV(**FEW),
    "path": FGAClassifierCV(gammas="path", metric="euclidean", cv=3),
    "sample": FGAClassifierCV(**FEW, max_rows=100),
    "order": FGAOrdinalClassifierCV(**FEW),
    "numbers": FGARegressorCV(**FEW),
    "interval": FGARegressorCV(**FEW, max_rows=100, interval=0.8),
}

# Whole paths take their time.
EVERY = [pytest.param(each, id=name, marks=[pytest.mark.slow] * (name == "path")) for name, each in SEARCHES.items()]


def target_of(search, y):
    """Return numbers as the search predicts them."""
    return y if isinstance(search, FGARegressorCV) else np.digitize(y, [-0.5, 0.5])


@pytest.fixture
def seen(monkeypatch):
    """The rows to train on and to judge of all parts that folds are made of."""
    parts, of = [], Parts.of

    def spy(self, train, test):
        parts.append((np.array(train), np.array(test)))
        return of(self, train, test)

    monkeypatch.setattr(Parts, "of", spy)
    return parts


def test_scores_are_of_new_subjects():
    """Without groups a model is praised for knowing the subjects again."""
    X, y, subject = subjects(80)
    known = subject < 40
    for search, chance in ((FGARegressorCV(scoring="r2"), 0.0), (FGAClassifierCV(scoring="accuracy"), 0.5)):
        target = y if isinstance(search, FGARegressorCV) else y > 0
        blind = clone(search).fit(X[known], target[known])
        assert blind.best_score_ > chance + 0.35
        told = clone(search).fit(X[known], target[known], groups=subject[known])
        assert told.best_score_ < chance + 0.15
        assert told.score(X[~known], target[~known]) == pytest.approx(told.best_score_, abs=0.25)
        assert told._state.selection.n_groups == 40


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("search", EVERY)
def test_no_group_is_on_both_sides(search, weighted, seen):
    X, y, subject = subjects(30, 6)
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float) if weighted else None
    found = clone(search).fit(X, target_of(search, y), sample_weight=weight, groups=subject)
    assert len(seen) >= found.n_splits_ >= 2
    assert parted_fold(seen, subject) is None
    if weighted:
        assert all((weight[rows] > 0).all() for part in seen for rows in part)


@pytest.mark.parametrize("search", EVERY)
def test_neither_names_nor_the_order_of_rows_matter(search):
    X, y, subject = subjects(24, 5)
    y = target_of(search, y)
    rng = np.random.default_rng(1)
    order, names = rng.permutation(len(y)), np.array([f"{i:x}" for i in rng.permutation(1000)])
    one = clone(search).fit(X, y, groups=subject)
    other = clone(search).fit(X[order], y[order], groups=names[subject][order])
    assert other.gamma_ == one.gamma_
    np.testing.assert_allclose(other.cv_results_["mean_test_score"], one.cv_results_["mean_test_score"], atol=1e-12)


def test_rows_of_weight_0_are_absent():
    X, y, subject = subjects(12, 5)
    there = np.arange(len(y)) % 5 > 0
    names = np.where(there, subject, None)
    one = FGARegressorCV(**FEW).fit(X[there], y[there], groups=subject[there])
    other = FGARegressorCV(**FEW).fit(X, y, sample_weight=there.astype(float), groups=names)
    np.testing.assert_array_equal(other.cv_results_["mean_test_score"], one.cv_results_["mean_test_score"])


def test_samples_hold_whole_groups(seen):
    X, y, subject = subjects(60, 6)
    FGARegressorCV(**FEW, max_rows=150).fit(X, y, groups=subject)
    rows = np.unique(np.concatenate([test for _, test in seen]))
    assert set(np.bincount(subject[rows])) == {0, 6}
    assert len(rows) == 150


def test_fewer_groups_are_fewer_folds():
    X, y, subject = subjects(3, 8)
    assert FGARegressorCV(**FEW).fit(X, y, groups=subject).n_splits_ == 3
    with pytest.raises(ValueError, match="all rows belong to one group"):
        FGARegressorCV(**FEW).fit(X, y, groups=np.ones(len(y)))
    with pytest.raises(ValueError, match="every class occurs in one group only"):
        FGAClassifierCV(**FEW).fit(X, subject, groups=subject)


def test_calibration_and_audit_are_of_new_subjects():
    """What is learned from rows held out is learned from new subjects: nothing is known of these."""
    X, y, subject = subjects(80)
    known = subject < 40
    search = FGAClassifierCV(gammas=[5.0], metric="euclidean")
    blind, told = (clone(search).fit(X[known], y[known] > 0, groups=groups) for groups in (None, subject[known]))
    losses = [log_loss(y[~known] > 0, model.predict_proba(X[~known])) for model in (blind, told)]
    assert losses[1] < losses[0] - 0.1
    held_out = [np.median(model._state.held_out) for model in (blind, told)]
    assert held_out[1] < held_out[0] - 0.1
    assert audit(told, by="held_out").n_rows == 320


def test_intervals_hold_their_share_of_new_subjects():
    X, y, subject = subjects(120, 5, seed=2)
    known = subject < 60
    search = FGARegressorCV(gammas=[1.0], metric="euclidean", interval=0.8)
    shares = []
    for groups in (None, subject[known]):
        found = clone(search).fit(X[known], y[known], groups=groups).predict_interval(X[~known])
        shares.append(np.mean((found.lower <= y[~known]) & (y[~known] <= found.upper)))
    assert shares[1] == pytest.approx(0.8, abs=0.12)
    assert shares[0] < shares[1]


def test_the_same_as_folds_of_groups():
    X, y, subject = subjects(15, 4)
    y = y > 0
    folds = default_folds(ReadTable.of(X, None), y, None, classes=True, groups=subject)
    plain = FGAClassifier(metric="euclidean", class_weight="balanced")
    found = [
        FGAClassifierCV(**FEW).fit(X, y, groups=subject),
        FGAClassifierCV(**FEW, cv=folds).fit(X, y),
        choose_gamma(plain, X, y, gammas=FEW["gammas"], groups=subject),
    ]
    scores = [each.cv_results_["mean_test_score"] for each in found]
    np.testing.assert_array_equal(scores[1:], [scores[0]] * 2)


# ----------------------------------------------------------------------------------------------------
# Splitters of scikit-learn
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("routing", [False, True])
def test_splitters_are_handed_groups(routing, seen):
    X, y, subject = subjects(8, 4)
    with sklearn.config_context(enable_metadata_routing=routing):
        found = FGARegressorCV(**FEW, cv=LeaveOneGroupOut()).fit(X, y, groups=subject)
        assert FGARegressorCV(**FEW).fit(X, y, groups=subject).n_splits_ == 5
    assert found.n_splits_ == 8
    assert [set(subject[test]) for _, test in seen[:8]] == [{i} for i in range(8)]


@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_folds_of_the_callers_own_that_part_groups(routing):
    X, y, subject = subjects(8, 4)
    with (
        sklearn.config_context(enable_metadata_routing=routing),
        pytest.warns(UserWarning, match="both sides of fold 0"),
    ):
        found = FGARegressorCV(**FEW, cv=KFold(3, shuffle=True, random_state=0)).fit(X, y, groups=subject)
    assert found._state.selection.n_groups is None


def test_a_search_that_asks_for_groups_gets_those_of_its_rows():
    X, y, subject = subjects(12, 4)
    with sklearn.config_context(enable_metadata_routing=True):
        search = FGARegressorCV(**FEW).set_fit_request(groups=True)
        found = cross_val_score(search, X, y, cv=GroupKFold(3), params={"groups": subject})
    folds = GroupKFold(3).split(X, y, subject)
    expected = [
        FGARegressorCV(**FEW).fit(X[train], y[train], groups=subject[train]).score(X[test], y[test])
        for train, test in folds
    ]
    np.testing.assert_allclose(found, expected)


# ----------------------------------------------------------------------------------------------------
# Evaluation
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", [FGARegressorCV(**FEW), FGAClassifierCV(**FEW), FGAClassifier()], ids=str)
def test_an_evaluation_holds_out_whole_groups(estimator, monkeypatch, seen):
    from fgac.selection import evaluation

    X, y, subject = subjects(20, 4)
    y = y if isinstance(estimator, FGARegressorCV) else y > 0
    place = {value: i for i, value in enumerate(X[:, 0].tolist())}
    parts, take = [], evaluation.take_rows

    def spy(X, rows):
        parts.append(np.array([place[value] for value in X[rows, 0].tolist()]))
        return take(X, rows)

    monkeypatch.setattr(evaluation, "take_rows", spy)
    found = evaluate(estimator, X, y, n_folds=3, n_repeats=2, groups=subject)
    assert (found.n_groups, found.n_folds, found.n_rows) == (20, 3, 80)
    pairs = parts[-12:]  # a training and a test part, six times
    tests = [set(subject[test]) for test in pairs[1::2]]
    assert all(not set(subject[train]) & test for train, test in zip(pairs[0::2], tests, strict=True))
    assert set.union(*tests[:3]) == set(range(20))
    assert not {frozenset(test) for test in tests[:3]} & {frozenset(test) for test in tests[3:]}


def test_an_evaluation_is_of_new_subjects():
    X, y, subject = subjects()
    blind, told = (
        evaluate(FGARegressorCV(**FEW), pd.DataFrame(X), y, groups=groups).fgac.r2 for groups in (None, subject)
    )
    assert blind.mean > 0.5
    assert told.mean < 0.2
    # Of few subjects less is known than of many rows.
    assert told.high - told.low > blind.high - blind.low


def test_a_fold_may_lack_a_class():
    """Recalls are means over those folds that have rows of the class."""
    X, _, subject = subjects(20, 4)
    y = np.where(np.isin(subject, [3, 4]), "rare", np.where(np.arange(80) % 2, "a", "b"))
    found = evaluate(FGAClassifier(gamma=2.0), X, y, gamma=2.0, n_folds=2, groups=subject)
    assert np.isfinite([found.fgac.balanced_accuracy.mean, *found.fgac.recalls]).all()
    assert found.n_folds == 2


def test_evaluations_that_cannot_be():
    X, y, subject = subjects(12, 4)
    with pytest.raises(ValueError, match="class rare occurs in one group only"):
        evaluate(FGAClassifier(), X, np.where(subject == 3, "rare", np.where(y > 0, "a", "b")), groups=subject)
    with pytest.raises(ValueError, match=r"there are 2 groups.*at least 3"):
        evaluate(FGARegressorCV(**FEW), X, y, groups=subject % 2)
    assert evaluate(FGARegressorCV(**FEW), X, y, gamma=1.0, groups=subject % 2).n_folds == 2
