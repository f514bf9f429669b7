"""The audit by rows held out: what a model says that had not seen a row counts as much as the other rows do."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.model_selection import RepeatedKFold, StratifiedKFold

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, audit
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import state_of
from fgac.explainers.audit import doubts
from fgac.explanation.audit import Audit
from support.property_tests import examples
from support.strategies import overlapping, table_cases

# A row of class high among four of class low, and two more of class high far away, the last of them twice.
LINE = [[0.0], [0.1], [0.2], [0.3], [0.9], [1.0], [1.0]]
LABELS = ["low", "low", "high", "low", "high", "high", "high"]
CHANCES = [0.9, 0.8, 0.2, 0.7, 1.0, 0.4, 0.2]
PLAIN = {"metric": "manhattan", "gammas": [2.0, 5.0]}


def knowing(clf, chances):
    """Return a fitted classifier that has these probabilities of rows held out."""
    return plain_estimator(replace(state_of(clf), held_out=np.array(chances)))


def on_the_line(chances=CHANCES):
    return knowing(FGAClassifier(gamma=2.0).fit(LINE, LABELS), chances)


def search(X, y, weight=None, **settings):
    return FGAClassifierCV(**{**PLAIN, **settings}).fit(X, y, weight)


def close(value):
    return pytest.approx(value, abs=1e-9)


# Doubts


def test_the_doubt_is_the_mean_of_what_the_rest_says_and_of_what_a_model_says_that_had_not_seen_the_row():
    """Worked by hand: doubts by the rest are 0.25, 0.25, 0.775, 0.45 and 0; equal rows share 0.3."""
    clf = on_the_line()
    assert doubts(clf, by="rest").tolist() == close([0.25, 0.25, 0.775, 0.45, 0, 0, 0])
    assert doubts(clf, by="held_out").tolist() == close([0.175, 0.225, 0.7875, 0.375, 0, 0.35, 0.35])
    np.testing.assert_array_equal(doubts(clf), doubts(clf, by="held_out"))


def test_suspects_are_the_rows_that_others_contradict():
    """The rows at 1 have a larger doubt than some suspects, but an audit names who contradicts."""
    found = audit(on_the_line())
    assert [s.id for s in found] == [2, 3, 1, 0]
    assert [s.doubt for s in found] == close([0.7875, 0.375, 0.225, 0.175])
    assert [s.held_out for s in found] == close([0.2, 0.7, 0.8, 0.9])
    assert found[0].support == close(0.0)
    assert [o.id for o in found[0].contradicted_by] == [1, 3, 0]


def test_equal_rows_are_one_suspect_of_their_mean_probability():
    clf = FGAClassifier().fit([[1.0]] * 3 + [[2.0]], ["a", "b", "b", "a"], ids=["p", "q", "r", "s"])
    found = {s.id: s for s in audit(knowing(clf, [0.5, 0.1, 0.5, 1.0]))}
    assert (found["q"].alike, found["q"].held_out) == (("r",), close(0.3))
    assert "Models that had not seen one of these 2 rows gave its label a probability of 0.30" in found["q"].text()


def test_rows_of_weight_zero_have_no_doubt():
    clf = FGAClassifier(gamma=2.0).fit([*LINE, [0.2]], [*LABELS, "low"], [1, 1, 1, 1, 1, 1, 1, 0])
    found = doubts(knowing(clf, [*CHANCES, np.nan]))
    np.testing.assert_allclose(found, [*doubts(on_the_line()), np.nan])


@given(table_cases(), st.integers(0, 10**6))
@examples(20)
def test_fewer_suspects_are_the_first_of_all(case, seed):
    """Whatever is left out before support is computed; doubts fall, and agree with those of all rows."""
    clf = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, case.weights)
    clf = knowing(clf, np.random.default_rng(seed).random(len(case.y)) ** 3)
    found, every = audit(clf), doubts(clf)
    values = [s.doubt for s in found]
    assert values == close([every[s.index] for s in found])
    assert values == close(sorted(values, reverse=True))
    for n_rows in (1, 2, 5, 1000):
        assert audit(clf, n_rows).items == found.items[:n_rows]


# Where they come from


def test_a_search_keeps_the_probability_of_every_label_by_the_model_that_had_not_seen_the_row():
    """As scikit-learn's folds and the models that are trained on them give them, one by one."""
    X, y = overlapping(90)
    folds = StratifiedKFold(3)
    model = search(X, y, cv=folds)
    expected = np.empty(len(y))
    for train, test in folds.split(X, y):
        state = state_of(
            FGAClassifier(gamma=model.gamma_, metric="manhattan", class_weight="balanced").fit(X[train], y[train])
        )
        degrees = state.judged(state.table.rows(state.table.read(X[test]))).degrees
        expected[test] = state_of(model).calibration.probabilities(degrees)[np.arange(len(test)), y[test]]
    np.testing.assert_allclose(state_of(model).held_out, expected, atol=1e-8)
    assert audit(model) == audit(model, by="held_out") == audit(model.best_estimator_)
    np.testing.assert_allclose(doubts(model), (doubts(model, by="rest") + 1 - expected) / 2, atol=1e-8)


def test_neither_the_order_of_rows_nor_names_of_classes_matter():
    X, y = overlapping(90)
    X[30:36] = X[:6]
    found, order = search(X, y), np.random.default_rng(0).permutation(len(y))
    permuted, renamed = search(X[order], y[order]), search(X, 2 - y)
    np.testing.assert_allclose(doubts(permuted), doubts(found)[order], atol=1e-8)
    np.testing.assert_allclose(doubts(renamed), doubts(found), atol=1e-8)
    names = [(s.id, *s.alike) for s in audit(found)]
    assert [tuple(sorted(order[[s.id, *s.alike]])) for s in audit(permuted)] == names
    assert [(s.id, *s.alike) for s in audit(renamed)] == names


def test_a_row_without_weight_is_absent():
    X, y = overlapping(80)
    weight = np.where(np.arange(80) % 7 == 0, 0.0, 1.0)
    y[0] = 7  # a class that the model does not know
    found, there = doubts(search(X, y, weight)), weight > 0
    np.testing.assert_allclose(found[there], doubts(search(X[there], y[there])), atol=1e-8)
    assert np.isnan(found[~there]).all()


@given(st.integers(0, 10**6), st.integers(0, 89))
@examples(10)
def test_a_flipped_label_of_separated_classes_is_the_first_suspect(seed, wrong):
    X, y = make_blobs(90, centers=[[0, 0], [6, 0], [0, 6]], cluster_std=0.5, random_state=seed)
    y[wrong] = (y[wrong] + 1) % 3
    found = FGAClassifierCV(metric="euclidean", gammas=[1.0, 3.0]).fit(X, y)
    assert audit(found, 1, by="held_out")[0].index == wrong
    assert doubts(found, by="held_out").argmax() == wrong


# Models without


def folds_without(X, y):
    """Return settings of searches that do not hold out every row exactly once."""
    halves = list(StratifiedKFold(2).split(X, y))
    return {
        "sample": {"max_rows": 60},
        "no calibration": {"calibrate": False},
        "twice": {"cv": RepeatedKFold(n_splits=2, n_repeats=2, random_state=0)},
        "one half": {"cv": halves[:1]},
        "seen": {"cv": [(np.arange(len(y)), test) for _, test in halves]},
    }


@pytest.mark.parametrize("setting", ["sample", "no calibration", "twice", "one half", "seen"])
def test_without_rows_held_out_once_the_rest_decides(setting):
    X, y = overlapping(90)
    model = search(X, y, **folds_without(X, y)[setting])
    assert audit(model) == audit(model, by="rest")
    assert audit(model)[0].held_out is None
    np.testing.assert_array_equal(doubts(model), doubts(model, by="rest"))
    for ask in (audit, doubts):
        with pytest.raises(ValueError, match=r"^by='held_out' needs what .* calibrate=True .*max_rows=None"):
            ask(model, by="held_out")


def test_folds_may_count_rows_from_the_end():
    X, y = overlapping(90)
    splits = [(np.arange(45), np.arange(-45, 0)), (np.arange(45, 90), np.arange(45))]
    assert not np.isnan(state_of(search(X, y, cv=splits)).held_out).any()
    assert state_of(search(X, y, cv=[(np.arange(90), np.arange(-45, 0)), splits[1]])).held_out is None


def test_few_rows_teach_nothing():
    X, y = overlapping(18)
    model = search(X, y, cv=2)
    assert audit(model) == audit(model, by="rest")


def test_plain_classifiers_have_none():
    X, y = overlapping(60)
    for model in (FGAClassifier().fit(X, y), FGAOrdinalClassifier().fit(X, y)):
        assert audit(model) == audit(model, by="rest")
        with pytest.raises(ValueError, match=r"^by='held_out' needs .* or by='rest'$"):
            audit(model, by="held_out")


def test_states_that_are_older_have_none():
    """A pickle of theirs lacks the field."""
    state = state_of(search(*overlapping(60)))
    old = object.__new__(type(state))
    vars(old).update({name: value for name, value in vars(state).items() if name != "held_out"})
    assert audit(plain_estimator(old)) == audit(plain_estimator(state), by="rest")


# How they are told


def test_probabilities_are_in_json_and_frames():
    found = audit(on_the_line())
    assert Audit.from_json(found.to_json()) == found
    assert found.to_dict()["items"][0]["held_out"] == close(0.2)
    assert "held_out" not in audit(on_the_line(), by="rest").to_dict()["items"][0]
    assert found.to_frame()["held_out"].tolist() == close([0.2, 0.7, 0.8, 0.9])
    assert audit(on_the_line(), by="rest").to_frame()["held_out"].isna().all()


def test_explanations_come_with_the_same_audit():
    X, y = overlapping(60)
    model = search(X, y)
    assert model.explain(X[:1], audit=True).audit == audit(model, 10, by="held_out")
    assert "A model that had not seen row" in audit(model)[0].text()
