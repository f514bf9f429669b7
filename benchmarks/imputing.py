"""What ``missing.py`` compares: cells taken out of a table, and ways of filling in those that are missing.

Every way of filling in sees the training rows only and returns a table as it came: numbers as numbers, categories as
categories, so that the same model can stand behind all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer

MOST = 0.9  # of the cells of a class are taken out


def remove_cells(frame: Any, y: Any, share: float, *, by_class: bool, seed: int) -> Any:
    """Return the table with a share of its cells missing, at random or more of them in some classes than in others.

    By class, the probability of a cell grows evenly from none in the first class to its most in the last; which class
    comes first is drawn. So what is missing tells something about the class, in rows to learn from and in others.

    >>> frame = pd.DataFrame({"a": np.arange(1000.0), "b": np.arange(1000.0)})
    >>> y = np.repeat([0, 1], 500)
    >>> cut = remove_cells(frame, y, 0.2, by_class=True, seed=0)
    >>> float(cut.isna().to_numpy().mean().round(1)), sorted(cut.isna().any(axis=1).groupby(y).mean().round(1))
    (0.2, [0.0, 0.7])
    """
    rng = np.random.default_rng([seed, int(100 * share), by_class])
    rates = np.full(len(frame), share)
    if by_class:
        rates = class_rates(y, share, rng)[y]
    return frame.mask(rng.random(frame.shape) < rates[:, None])


def class_rates(y: Any, share: float, rng: np.random.Generator) -> Any:
    """Return the probability of a missing cell in every class; their mean over the rows is the share."""
    counts = np.bincount(y)
    steps = rng.permutation(len(counts)).astype(float)
    rates = share * steps / np.average(steps, weights=counts)
    return np.minimum(rates, MOST)


class Filled(TransformerMixin, BaseEstimator):
    """Missing cells filled in, all columns at once.

    Numbers are standardised and categories become columns of 0 and 1, missing where they are; ``imputer`` fills these
    in, numbers are scaled back, and of the columns of a category the largest decides. With None, numbers get their
    median and categories the most frequent one.

    Parameters
    ----------
    imputer : imputer of scikit-learn or None
    """

    def __init__(self, imputer: Any = None) -> None:
        self.imputer = imputer

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what cells are filled with."""
        self.numbers_ = list(X.select_dtypes("number").columns)
        self.categories_ = {name: list(X[name].cat.categories) for name in X.select_dtypes("category").columns}
        self.mean_ = X[self.numbers_].mean().fillna(0.0)
        self.spread_ = X[self.numbers_].std(ddof=0).fillna(1.0).replace(0.0, 1.0)
        self.median_ = X[self.numbers_].median().fillna(0.0)
        self.common_ = {name: X[name].value_counts().index[0] for name in self.categories_}
        if self.imputer is not None:
            self.imputer.fit(self._coded(X))
        return self

    def transform(self, X: Any) -> Any:
        """Fill in."""
        if self.imputer is None:
            return X.fillna({**self.median_.to_dict(), **self.common_})
        found = self.imputer.transform(self._coded(X))
        values, at = X.copy(), len(self.numbers_)
        values[self.numbers_] = found[:, :at] * self.spread_.to_numpy() + self.mean_.to_numpy()
        for name, categories in self.categories_.items():
            best = found[:, at : at + len(categories)].argmax(axis=1)
            filled = pd.Series(pd.Categorical.from_codes(best, categories=categories), index=X.index)
            values[name] = X[name].where(X[name].notna(), filled)
            at += len(categories)
        return values[X.columns]

    def _coded(self, X: Any) -> Any:
        parts = [((X[self.numbers_] - self.mean_) / self.spread_).to_numpy(dtype=float)]
        for name, categories in self.categories_.items():
            block = (X[name].to_numpy(dtype=object)[:, None] == np.array(categories, dtype=object)).astype(float)
            block[X[name].isna().to_numpy()] = np.nan
            parts.append(block)
        return np.hstack(parts)


def imputers() -> dict[str, Callable[[int], Any]]:
    """Return scikit-learn's imputers by name, with their defaults, made for a seed."""
    whole = {"keep_empty_features": True}
    return {
        "median": lambda seed: Filled(),
        "kNN": lambda seed: Filled(KNNImputer(**whole)),
        "iterative": lambda seed: Filled(IterativeImputer(random_state=seed, **whole)),
    }
