"""How long is an explanation? The numbers that a reader must read to redo one prediction of a model.

:data:`RULE` holds for all, :data:`COUNTED` says what it means for each. Every function takes a fitted model, rows that
it predicts and the number of rows that it was fitted to, and returns the mean over the rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

RULE = """\
Every value of the row that takes part counts once, and so does every number of the model that it meets. Scales are no
numbers of their own (a coefficient can be told in the units of its column), and it is believed, not checked, which rows
are the nearest or argue the strongest. What is said of every class counts K times with K > 2 classes, once with two.
"""
COUNTED = {
    "CART": "2 for every split on the path (value and threshold), and the leaf's share of the class",
    "FIGS": "2 for every split on the paths of all its trees, and the addends of their leaves (K each)",
    "logistic regression": "value and coefficients (K) of every column, of categories of those that the row has; K "
    "intercepts; columns whose coefficients are 0 do not count",
    "EBM": "the values of the columns in its terms, the scores of all terms (K each), K intercepts",
    "naive Bayes": "of every column, after one-hot encoding, the value, and mean and variance in each class",
    "kNN": "the row's values; values and class of k rows",
    "kFRNN": "the row's values; values and class of k rows of every class, or of all rows",
    "FGAClassifierCV": "the row's values in the columns that count (whose weight or score is not 0); of the strongest "
    "argument for and the strongest against, of which the stronger decides, these values, similarity, membership and "
    "strength",
}


def tree_length(model: Any, X: Any, n_rows: int) -> float:
    """A decision tree behind its encoding."""
    steps = model[-1].decision_path(model[:-1].transform(X)).sum(axis=1) - 1
    return float(2 * np.mean(steps) + 1)


def figs_length(model: Any, X: Any, n_rows: int) -> float:
    """A sum of trees behind its encoding."""
    rows = np.asarray(model[:-1].transform(X))
    trees = model[-1].trees_
    splits = np.mean([sum(splits_on_path(root, row) for root in trees) for row in rows])
    return float(2 * splits + len(trees) * said(len(model.classes_)))


def splits_on_path(node: Any, row: Any) -> int:
    """Count the splits that a row passes."""
    count = 0
    while node.left is not None:
        node = node.left if row[node.feature] <= node.threshold else node.right
        count += 1
    return count


def logistic_length(model: Any, X: Any, n_rows: int) -> float:
    """Logistic regression behind its encoding, numbers first."""
    rows, coefficients = model[:-1].transform(X), np.atleast_2d(model[-1].coef_)
    is_number = np.arange(rows.shape[1]) < X.select_dtypes("number").shape[1]
    read = (is_number | (rows != 0)) & (coefficients != 0).any(axis=0)
    return float(read.sum(axis=1).mean() * (1 + len(coefficients)) + len(coefficients))


def ebm_length(model: Any, X: Any, n_rows: int) -> float:
    """An explainable boosting machine within its weights of rows."""
    terms = model.model_.term_features_
    values = {column for term in terms for column in term}
    return float(len(values) + (len(terms) + 1) * said(len(model.classes_)))


def bayes_length(model: Any, X: Any, n_rows: int) -> float:
    """Gaussian naive Bayes behind its encoding and weights of rows, which make priors equal."""
    classes, columns = model[-1].model_.theta_.shape
    return float(columns * (1 + 2 * classes))


def knn_length(model: Any, X: Any, n_rows: int) -> float:
    """Nearest neighbours behind their coordinates."""
    return neighbours_length(model[-1].n_neighbors, X.shape[1])


def frnn_length(model: Any, X: Any, n_rows: int) -> float:
    """Fuzzy rough nearest neighbours."""
    k = model.n_neighbors
    return neighbours_length(n_rows if k is None else min(n_rows, k * len(model.classes_)), X.shape[1])


def neighbours_length(rows: int, columns: int) -> float:
    """The row, and some others with their classes.

    >>> neighbours_length(3, 4)
    19.0
    """
    return float(columns + rows * (columns + 1))


def our_length(model: Any, X: Any, n_rows: int) -> float:
    """Our classifier: what its explanations say; a guess says the row only."""
    return float(np.mean([argued_length(why) for why in model.explain(X, n_arguments=1)]))


def argued_length(why: Any) -> int:
    """One explanation."""
    columns = sum(feature.weight != 0 or feature.score != 0 for feature in why.attributes)
    arguments = len(why.arguments_for[:1]) + len(why.arguments_against[:1])
    return columns + arguments * (columns + 3)


def said(n_classes: int) -> int:
    """How often what is said of every class counts.

    >>> said(2), said(3)
    (1, 3)
    """
    return 1 if n_classes == 2 else n_classes
