"""A wrong parameter is refused in words: which one, what came, what would be right."""

import numpy as np
import pytest

from fgac import FGAClassifier

X, Y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]

OPTIONS = {
    "loss": ["squared_error"],
    "metric": ["euclidean", "chebyshev", "manhattan", "learned", "precomputed"],
    "scale": ["auto", "range", "robust", "rank", "None"],
    "ties": ["nearest", "first"],
    "class_weight": ["balanced"],
    "categorical_features": ["from_dtype"],
}


def message_of_fit(**parameters):
    """Fit with these parameters and return the message of the error that must come."""
    model = FGAClassifier(**parameters)  # constructing never fails: only fit looks at the parameters
    with pytest.raises((ValueError, TypeError)) as caught:
        model.fit(X, Y)
    return str(caught.value)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_unknown_option(name):
    """The message names the parameter, repeats the value and lists every option."""
    message = message_of_fit(**{name: "nonsense"})
    assert name in message
    assert "nonsense" in message
    for option in OPTIONS[name]:
        assert option in message, f"the message does not offer {option!r}: {message}"


@pytest.mark.parametrize("name", ["loss", "metric", "scale", "ties"])
@pytest.mark.parametrize("value", [3, 1.5])
def test_an_option_of_the_wrong_type(name, value):
    """A number where a word is expected."""
    message = message_of_fit(**{name: value})
    assert name in message
    assert str(value) in message


@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf, "1", None, [1.0]])
def test_gamma_is_a_positive_number(gamma):
    """Zero, negative, not a number, infinite, text, nothing, a list: all refused by name and value."""
    message = message_of_fit(gamma=gamma)
    assert "gamma" in message
    assert str(gamma) in message


@pytest.mark.parametrize("tol", [0, -1e-9, np.nan, "small"])
def test_tol_is_a_positive_number(tol):
    """The tolerance of the proof."""
    assert "tol" in message_of_fit(tol=tol)


@pytest.mark.parametrize("n_jobs", ["two", 1.5, 0])
def test_n_jobs_is_a_number_of_threads(n_jobs):
    """joblib's convention: a whole number other than 0, or None."""
    assert "n_jobs" in message_of_fit(n_jobs=n_jobs)


@pytest.mark.parametrize("gamma", [1, np.float32(1.0), np.int64(1)])
def test_any_real_number_will_do_for_gamma(gamma):
    """Whole numbers and numpy's numbers are numbers."""
    np.testing.assert_allclose(FGAClassifier(gamma=gamma).fit(X, Y).beta_, FGAClassifier().fit(X, Y).beta_, atol=1e-7)


def test_regression_targets_are_refused():
    """Real-valued targets are no classes."""
    with pytest.raises(ValueError, match=r"(?i)continuous|label"):
        FGAClassifier().fit(X, [0.1, 0.2, 0.35, 0.7])
