"""Columns that name what several rows belong to, such as a person with many visits; and a warning of folds that forget.

Folds that part the rows of a person measure how well further rows of the same people are predicted. Whether that is
meant, nobody but the user knows. So a column that looks like the name of a group is pointed out, by a rule that would
rather miss one than be wrong: where its name says so, or where all of its many values occur equally often, as they do
in tables of repeated measurements.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac._warnings import warn_caller
from fgac.tables.column_values import CategoricalColumn, ReadColumn
from fgac.tables.containers import listed
from fgac.tables.labels import plain_name
from fgac.tables.reading import ReadTable

# A word of the name of a column by which it names people, or what is like people.
UNITS = {
    *("subject", "subj", "participant", "respondent", "patient", "person", "individual", "customer", "client"),
    *("user", "member", "employee", "student", "pupil", "household", "hid", "animal"),
}
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Identifiers of anything.
IDENTIFIER = re.compile(r"(?i:id|idno|pid|uid|uuid|guid|key)$|.*[\s_.-](?i:id|key)$|.*[a-z]I[dD]$")
# What is the same for many rows, and equally often, because all of them were measured at the same times.
TIME = re.compile(r"(?i).*(year|month|week|day|date|time|hour|wave|period|visit|trial|round|age)")
# Of fewer values, they may be categories; of fewer rows, it may be chance, or a plan, that all occur equally often.
FEWEST_VALUES, FEWEST_EQUAL, FEWEST_ROWS = 10, 20, 200
# If more values than this part of the rows are different, hardly any row belongs to another one.
HARDLY_ANY = 0.95
# Kinds of whole numbers that may be names; days and hours are not.
NAMING = ("number", "whole")
# A column that is unknown in more than this part of the rows names nothing.
MOST_UNKNOWN = 0.1


def repeats_like_a_group(name: str, counts: Ints) -> bool:
    """Whether a column with such a name names what rows belong to, by how many rows have each of its values.

    >>> repeats_like_a_group("patient_id", np.full(40, 8)), repeats_like_a_group("city", np.array([300, 70, 12]))
    (True, False)
    >>> repeats_like_a_group("firm", np.full(90, 7)), repeats_like_a_group("firm", np.arange(2, 92))
    (True, False)
    """
    n_values, n_rows = len(counts), int(counts.sum())
    if n_values < FEWEST_VALUES or n_values > HARDLY_ANY * n_rows:
        return False
    if any(word.lower() in UNITS for word in WORDS.findall(name)):
        return True
    # There are more people than rows of each; of what numbers the rows of each person, it is the other way round.
    if n_rows > n_values**2:
        return False
    if IDENTIFIER.match(name):
        return True
    is_equal = bool(counts.min() == counts.max())
    return is_equal and n_values >= FEWEST_EQUAL and n_rows >= FEWEST_ROWS and not TIME.match(name)


def told_repeats(counts: Ints) -> str:
    """How often values repeat, in words.

    >>> told_repeats(np.full(40, 8)), told_repeats(np.array([1, 2]))
    ('40 values with 8 rows each', '2 values with 1.5 rows each in the mean')
    """
    each = f"{counts.mean():.3g} rows each{'' if counts.min() == counts.max() else ' in the mean'}"
    return f"{len(counts)} values with {each}"


def warn_of_repeated_identifiers(X: Any, read: ReadTable, ids: Any, named: Any, weight: Floats | None) -> None:
    """Warn of the first column that seems to name what rows belong to, or else of names of rows that do.

    Parameters
    ----------
    X : frame
    read : ReadTable
        The same, as it was read.
    ids : what the caller calls the rows, or None
    named : the estimators' ``categorical_features``
        What the user names there is meant to be a feature.
    weight : weights of the rows, or None; those of weight 0 are absent
    """
    present = np.arange(len(read)) if weight is None else np.flatnonzero(weight > 0)
    meant = () if named is None or isinstance(named, str) else tuple(named)
    for name, column in zip(read.names, read.columns, strict=True):
        counts = None if name in meant else value_counts(column[present])
        if counts is not None and repeats_like_a_group(name, counts):
            _warn(f"column {name!r}", counts, f"groups=X[{name!r}]; the column should then be no feature")
            return
    what, name, names = ("ids", "id", ids) if ids is not None else _named_index(X)
    if names is not None and len(names) == len(read):
        values = listed(names, "ids")
        counts = np.array(list(Counter(plain_name(values[row]) for row in present.tolist()).values()))
        if repeats_like_a_group(name, counts):
            _warn(what, counts, "them as groups")


def _warn(what: str, counts: Ints, give: str) -> None:
    warn_caller(f"{what} may name what rows belong to: {told_repeats(counts)}. {without('groups', f'give {give}')}")


def without(groups: str, advice: str) -> str:
    """What it means that nobody said what rows belong together; the command line says the same."""
    return (
        f"Without {groups}, rows of one are on both sides of a fold, and scores are of those that are known already. "
        f"If new ones are to be predicted, {advice}"
    )


def _named_index(X: Any) -> tuple[str, str, Any]:
    """The index of a pandas frame, if it has a name: what to call it, its name, and its values."""
    name = getattr(getattr(X, "index", None), "name", None) if hasattr(type(X), "iloc") else None
    return (f"the index {name!r}", name, X.index) if isinstance(name, str) else ("", "", None)


def value_counts(column: ReadColumn) -> Ints | None:
    """How many rows have each value of a column; None if it measures something, or is not known in many rows."""
    if isinstance(column, CategoricalColumn):
        known: Any = column.codes[~column.unknown]
    else:
        known = column.known_values
        if column.kind not in NAMING or (known != np.round(known)).any():
            return None
    if len(known) < (1.0 - MOST_UNKNOWN) * len(column):
        return None
    return np.unique(known, return_counts=True)[1]
