"""Columns of ordered classes: sorted, as scikit-learn expects them, whatever the order of the classes is."""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fgac import FGAOrdinalClassifier, FGAOrdinalClassifierCV, load_model, save_model
from fgac.plot import MembershipDisplay

ORDERS = (["low", "middle", "high"], ["high", "middle", "low"], ["middle", "low", "high"])
FOLDS = StratifiedKFold(3)


def levels(order, n=120, seed=0):
    """Return rows, and classes that rise with the first column in this order."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    return X, np.array(order)[np.digitize(X[:, 0] + 0.2 * rng.standard_normal(n), [0.35, 0.65])]


def estimators(order):
    """Return a plain classifier, and one that has chosen gamma and is calibrated."""
    return [FGAOrdinalClassifier(class_order=order), FGAOrdinalClassifierCV(class_order=order, gammas=[1.0, 3.0])]


def log_loss_by_hand(y, classes, probabilities):
    """Return the mean of minus the logarithm of what the true class gets."""
    place = {label: k for k, label in enumerate(classes)}
    least = np.finfo(float).eps
    return -np.mean([np.log(max(row[place[label]], least)) for label, row in zip(y, probabilities, strict=True)])


def area_by_hand(y, classes, probabilities):
    """Return the mean over the classes of the share of pairs of a member and another row that are ranked rightly."""
    areas = []
    for k, label in enumerate(classes):
        ours, others = probabilities[y == label, k], probabilities[y != label, k]
        apart = ours[:, None] - others[None, :]
        areas.append(np.mean((apart > 0) + 0.5 * (apart == 0)))
    return np.mean(areas)


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("which", [0, 1], ids=["plain", "search"])
def test_scorers_of_probabilities_are_right_for_any_order(order, which):
    """The same as by hand, where the label of every column is looked up."""
    X, y = levels(order)
    model = estimators(order)[which]
    by_hand = []
    for train, test in FOLDS.split(X, y):
        fitted = model.fit(X[train], y[train])
        found = fitted.predict_proba(X[test])
        by_hand.append([f(y[test], fitted.classes_, found) for f in (log_loss_by_hand, area_by_hand)])
    losses, areas = np.transpose(by_hand)
    np.testing.assert_allclose(cross_val_score(model, X, y, cv=FOLDS, scoring="neg_log_loss"), -losses)
    np.testing.assert_allclose(cross_val_score(model, X, y, cv=FOLDS, scoring="roc_auc_ovr"), areas)
    assert areas.min() > 0.65  # far better than chance, so that no two columns have changed places


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_columns_belong_to_the_sorted_classes(order):
    """The largest entry of degrees without calibration is the prediction; the order of the classes is kept apart."""
    X, y = levels(order)
    clf = FGAOrdinalClassifier(class_order=order, gamma=3.0).fit(X, y)
    assert clf.classes_.tolist() == sorted(order)
    assert clf.class_order_.tolist() == order
    np.testing.assert_array_equal(clf.classes_[clf.decision_function(X).argmax(axis=1)], clf.predict(X))
    at_least = clf.at_least(X)
    lowest, highest = (clf.classes_.tolist().index(order[k]) for k in (0, -1))
    np.testing.assert_array_equal(clf.memberships(X).degree[:, lowest], 1 - at_least.degree[:, 0])
    np.testing.assert_array_equal(clf.memberships(X).lower[:, highest], at_least.lower[:, -1])
    np.testing.assert_allclose(clf.predict_proba(X)[:, highest], at_least.degree[:, -1])
    batches = np.vstack(list(clf.predict_batches([X[:50], X[50:]], method="predict_proba")))
    np.testing.assert_allclose(batches, clf.predict_proba(X))


def test_of_two_classes_a_positive_decision_is_for_the_second_by_name():
    """Scikit-learn's area under the curve reads it so, whichever class is the higher one."""
    X, y = levels(["no", "yes", "yes"])
    for order in (["no", "yes"], ["yes", "no"]):
        clf = FGAOrdinalClassifier(class_order=order, gamma=2.0).fit(X, y)
        assert clf.classes_.tolist() == ["no", "yes"]
        np.testing.assert_array_equal(clf.decision_function(X) > 0, clf.predict(X) == "yes")
        assert roc_auc_score(y, clf.decision_function(X)) > 0.8


def test_other_tools_of_scikit_learn_find_the_columns():
    """Its own calibration, for one, takes columns for those of the sorted classes."""
    order = ORDERS[0]
    X, y = levels(order)
    clf = FGAOrdinalClassifier(class_order=order, gamma=2.0)
    calibrated = CalibratedClassifierCV(clf, cv=FOLDS).fit(X, y)
    assert np.mean(calibrated.predict(X) == y) > 0.6


def test_files_and_pictures_keep_both_orders(tmp_path):
    order = ORDERS[2]
    X, y = levels(order)
    for clf in estimators(order):
        save_model(clf.fit(X, y), tmp_path / "model.fgac")
        loaded = load_model(tmp_path / "model.fgac")
        assert loaded.class_order_.tolist() == order
        assert loaded.classes_.tolist() == sorted(order)
        np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
        display = MembershipDisplay.from_estimator(clf, X, y, target=order[0])
        np.testing.assert_array_equal(display.degree, 1 - clf.at_least(X).degree[:, 0])
        assert display.is_true.tolist() == (y == order[0]).tolist()
