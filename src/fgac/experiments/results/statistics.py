"""The tests by which the paper compares models over data sets, as it describes them.

Wilcoxon's signed-rank test compares two models, Friedman's test several; if these differ, the model with the best
average rank is set against each of the others by Wilcoxon's test, with Holm's correction, and the largest of the
corrected p-values is the answer (Demšar 2006; Benavoli, Corani and Mangili 2016).

The exact form of Wilcoxon's test is not in the text. The p-values of the comparison of five models come out as
stated (three of four to the last digit) if differences of 0 are left out, the distribution is exact without and normal
with such differences; its ranks come out exactly if equal scores are ranked in the order of the columns. Both
are what older versions of SciPy and pandas did by default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from fgac._tolerances import TABLE_SCORE_DIGITS
from fgac._typing import Floats
from fgac.experiments.results.published import Statement
from fgac.experiments.results.score_table import ScoreTable, Tables, together

# Up to so many differences, none of them 0, the distribution of Wilcoxon's statistic is taken exactly.
MOST_EXACT = 25
# Fewer data sets than this tell nothing.
LEAST_ROWS = 5
SIGNIFICANT = 0.05


def wilcoxon(first: Floats, second: Floats) -> float:
    """Two-sided p-value of Wilcoxon's signed-rank test; NaN for too few rows, 1 if all scores are equal.

    >>> round(wilcoxon(np.array([5.0, 6.0, 7.0, 8.0, 9.0]), np.array([4.0, 4.5, 5.0, 5.5, 6.0])), 4)
    0.0625
    """
    differences = np.round(np.asarray(first) - np.asarray(second), TABLE_SCORE_DIGITS)
    if len(differences) < LEAST_ROWS or not np.isfinite(differences).all():
        return float("nan")
    nonzero = differences[differences != 0]
    if not len(nonzero):
        return 1.0
    exact = len(nonzero) == len(differences) <= MOST_EXACT
    return float(stats.wilcoxon(nonzero, method="exact" if exact else "approx").pvalue)


def friedman(values: Floats) -> float:
    """p-value of Friedman's test that the columns are alike; equal scores share their ranks.

    >>> round(friedman(np.array([[1, 2, 3], [2, 4, 5], [1, 3, 7], [3, 5, 6], [0, 1, 2]])), 4)
    0.0067
    """
    values = np.round(values, TABLE_SCORE_DIGITS)
    if len(values) < LEAST_ROWS or not np.isfinite(values).all():
        return float("nan")
    if (values == values[:, :1]).all():
        return 1.0
    return float(stats.friedmanchisquare(*values.T).pvalue)


def average_ranks(values: Floats, *, ties: str = "average") -> Floats:
    """Mean over rows of the rank of each column, 1 for the largest score.

    Parameters
    ----------
    values : array of shape (n_rows, n_columns)
    ties : {"average", "first"}
        Whether equal scores share their ranks, or the first column gets the better one, as in the paper.

    Examples
    --------
    >>> average_ranks(np.array([[0.9, 0.9, 0.1]]))
    array([1.5, 1.5, 3. ])
    >>> average_ranks(np.array([[0.9, 0.9, 0.1]]), ties="first")
    array([1., 2., 3.])
    """
    if not len(values):
        return np.full(values.shape[1], np.nan)
    method = {"average": "average", "first": "ordinal"}[ties]
    return np.asarray(stats.rankdata(-np.round(values, TABLE_SCORE_DIGITS), method=method, axis=1).mean(axis=0))


def holm(p_values: Sequence[float]) -> Floats:
    """p-values corrected by Holm's procedure.

    The smallest is multiplied by their number, the next by one less, and so on; none becomes smaller than one before.

    >>> holm([0.04, 0.01, 0.02])
    array([0.04, 0.03, 0.04])
    """
    raw = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(raw, kind="stable")
    corrected = np.empty(len(raw))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1)))
    return corrected


@dataclass(frozen=True)
class PostHoc:
    """One model against others: p-values, corrected ones, and the largest of these."""

    subject: str
    others: tuple[str, ...]
    p_values: tuple[float, ...]
    corrected: tuple[float, ...]

    @property
    def final(self) -> float:
        """The p-value of the claim that the model differs from every other one."""
        return float(np.max(self.corrected))


def against_others(table: ScoreTable, subject: str) -> PostHoc:
    """Set one column of a table against each of the others: Wilcoxon's test with Holm's correction."""
    others = tuple(column for column in table.columns if column != subject)
    p_values = [wilcoxon(table.column(subject), table.column(other)) for other in others]
    return PostHoc(subject, others, tuple(p_values), tuple(holm(p_values).tolist()))


def pairwise(table: ScoreTable) -> Floats:
    """Corrected p-values of all pairs of columns, as a symmetric matrix with ones on the diagonal."""
    n = len(table.columns)
    left, right = np.triu_indices(n, 1)
    raw = [wilcoxon(table.values[:, i], table.values[:, j]) for i, j in zip(left, right, strict=True)]
    matrix = np.ones((n, n))
    matrix[left, right] = matrix[right, left] = holm(raw)
    return matrix


def recompute(statement: Statement, tables: Tables) -> float:
    """The number of a statement from tables of scores, those of the paper or ours; NaN where scores are missing."""
    columns = statement.columns
    if statement.kind in ("wilcoxon", "holm"):
        columns = (statement.subject, *columns)
    if any(column.split(".")[0] not in tables for column in columns):
        return float("nan")
    table = together(tables, columns)
    if len(table.rows) < LEAST_ROWS:
        return float("nan")
    if statement.kind == "friedman":
        return friedman(table.values)
    if statement.kind == "rank":
        return float(average_ranks(table.values, ties="first")[columns.index(statement.subject)])
    return against_others(table, statement.subject).final
