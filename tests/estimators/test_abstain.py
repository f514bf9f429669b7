"""Abstaining: how sure predictions are, that guesses are not, and what a least confidence leaves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGAOrdinalClassifierCV

X, CODES = load_iris(return_X_y=True)
X, Y = X[:, :2], np.array(["c", "a", "b"])[CODES]
FAR = np.full((1, 2), 1e3)
NEW = np.vstack([X[1::2] + 0.05, FAR])
ORDER = {"class_order": ["b", "c", "a"]}
MODELS = {
    "plain": FGAClassifier(gamma=5.0),
    "search": FGAClassifierCV(gammas=[3.0, 5.0], cv=3, metric="euclidean"),
    "without calibration": FGAClassifierCV(gammas=[3.0, 5.0], cv=3, metric="euclidean", calibrate=False),
    "order": FGAOrdinalClassifier(gamma=5.0, **ORDER),
    "search of an order": FGAOrdinalClassifierCV(gammas=[3.0, 5.0], cv=3, metric="euclidean", **ORDER),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    return MODELS[request.param].fit(X[::2], Y[::2])


def test_the_confidence_is_the_probability_of_the_predicted_class_and_0_of_a_guess(model):
    predicted, shares = model.predict(NEW), model.predict_proba(NEW)
    place = [model.classes_.tolist().index(label) for label in predicted]
    guess = np.array([why.resembles_nothing for why in model.explain(NEW)])
    assert guess[-1]
    assert guess.mean() < 0.1
    np.testing.assert_array_equal(model.confidence(NEW), np.where(guess, 0, shares[np.arange(len(NEW)), place]))


@pytest.mark.parametrize("least", [0, 0.3, 0.7, np.float64(0.9), 1])
def test_predictions_are_those_of_predict_and_the_mask_is_by_confidence(model, least):
    predictions, confident = model.predict_or_abstain(NEW, min_confidence=least)
    np.testing.assert_array_equal(predictions, model.predict(NEW))
    np.testing.assert_array_equal(confident, model.confidence(NEW) >= least)
    assert confident.all() if least == 0 else not confident[-1]


def test_what_is_sure_is_right_more_often(model):
    truth = Y[1::2]
    predictions, confident = model.predict_or_abstain(X[1::2], min_confidence=0.7)
    assert 0 < confident.sum() < len(truth)
    assert accuracy_score(truth[confident], predictions[confident]) > accuracy_score(truth, predictions)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_larger_least_confidence_leaves_no_more(least, other):
    model = MODELS["plain"]
    if not hasattr(model, "classes_"):
        model.fit(X[::2], Y[::2])
    low, high = (model.predict_or_abstain(NEW, min_confidence=each).confident for each in sorted((least, other)))
    assert not (high & ~low).any()


@pytest.mark.parametrize("least", [-0.1, 1.1, np.nan, 90])
def test_what_is_no_share_is_refused(model, least):
    with pytest.raises(ValueError, match=r"min_confidence=.* must be a number from 0 to 1, such as 0\.9"):
        model.predict_or_abstain(NEW, min_confidence=least)


@pytest.mark.parametrize("least", [None, "0.9", True])
def test_what_is_no_number_is_refused(model, least):
    with pytest.raises(TypeError, match=r"min_confidence=.*; expected a number from 0 to 1"):
        model.predict_or_abstain(NEW, min_confidence=least)


def test_an_unfitted_model_says_so():
    with pytest.raises(NotFittedError):
        FGAClassifier().predict_or_abstain(NEW, min_confidence=0.5)
