"""What a table says several times counts once: copies of a column change neither weights nor predictions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris, load_wine

from fgac import FGAClassifierCV, FGARegressorCV
from fgac.tables.repeated_columns import n_copies, repeated

GAMMAS = [0.5, 1.0, 2.0, 5.0]


@pytest.mark.parametrize("copy", [lambda x: x, np.log, lambda x: 32 + 1.8 * x], ids=["itself", "logarithm", "unit"])
@pytest.mark.parametrize("times", [1, 4])
def test_copies_of_a_number_change_nothing(copy, times):
    X, y = load_wine(return_X_y=True)
    more = np.column_stack([X, *[copy(X[:, 10])] * times])
    alone, several = (FGAClassifierCV(gammas=GAMMAS, cv=3).fit(part[::2], y[::2]) for part in (X, more))
    assert several.gamma_ == alone.gamma_
    # Between two training values a logarithm is elsewhere, of course.
    rows = slice(0, None, 2) if copy is np.log else slice(1, None, 2)
    np.testing.assert_allclose(several.memberships(more[rows]), alone.memberships(X[rows]), atol=1e-9)
    share, shares = (model.feature_weights_ / model.feature_weights_.sum() for model in (alone, several))
    np.testing.assert_allclose(shares[[10, *range(13, 13 + times)]].sum(), share[10])


def test_what_is_turned_round_has_its_share_once():
    """Age and year of birth: weights are shared, and predictions hardly change."""
    X, y = load_iris(return_X_y=True)
    born = np.column_stack([X, 2000.0 - X[:, 2]])
    alone, several = (FGAClassifierCV(gammas=GAMMAS, cv=3).fit(part, y) for part in (X, born))
    share, shares = (model.feature_weights_ / model.feature_weights_.sum() for model in (alone, several))
    np.testing.assert_allclose(shares[2] + shares[4], share[2])
    assert np.mean(several.predict(born) == alone.predict(X)) > 0.98


def test_numbers_are_predicted_alike():
    X, y = load_diabetes(return_X_y=True)
    more = np.column_stack([X, X[:, 2], X[:, 2]])
    alone, several = (FGARegressorCV(gammas=GAMMAS, cv=3).fit(part[:200], y[:200]) for part in (X, more))
    np.testing.assert_allclose(several.predict(more[200:]), alone.predict(X[200:]), rtol=1e-7)


def test_categories_under_other_names_have_their_share_once():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 150)
    X = pd.DataFrame({"x": rng.normal(size=150), "z": rng.normal(size=150), "colour": pd.Categorical(colour)})
    y = (X["x"] + 2 * (colour == "red") + 0.3 * rng.normal(size=150) > 1).to_numpy().astype(int)
    more = X.assign(farbe=pd.Categorical(pd.Series(colour).map({"red": "rot", "green": "grün", "blue": "blau"})))
    alone, several = (FGAClassifierCV(gammas=GAMMAS, cv=3).fit(part, y) for part in (X, more))
    share, shares = (model.feature_weights_ / model.feature_weights_.sum() for model in (alone, several))
    np.testing.assert_allclose(shares[2:].sum(), share[2])


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.booleans())
def test_what_says_the_same_is_found_and_nothing_else(seed, n_values, is_categorical):
    rng = np.random.default_rng(seed)
    column = rng.integers(0, n_values, 40)
    other = rng.integers(0, n_values, 40)
    renamed = rng.permutation(n_values)[column] if is_categorical else column**3
    found = repeated(np.column_stack([column, other, renamed]), np.full(3, is_categorical))
    assert found[2] == (0 if np.ptp(column) else 2)
    same = len(np.unique(np.column_stack([column, other]), axis=0)) == len(np.unique(column)) == len(np.unique(other))
    if not same:
        assert found[1] == 1


def test_constant_columns_are_no_copies_of_each_other():
    np.testing.assert_array_equal(n_copies(np.zeros((5, 3)), is_categorical=False), [1, 1, 1])


def test_numbers_are_no_copies_of_categories():
    column = np.array([0.0, 1.0, 1.0, 0.0])
    np.testing.assert_array_equal(repeated(np.column_stack([column, column]), np.array([False, True])), [0, 1])
