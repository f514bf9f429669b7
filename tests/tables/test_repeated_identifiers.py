"""Columns that name what rows belong to are pointed out where folds would part the rows; few others are."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

from fgac import FGAClassifier, FGAClassifierCV, evaluate
from fgac.tables.repeated_identifiers import repeats_like_a_group
from support.subjects import table_of_subjects

MESSAGE = "may name what rows belong to: 30 values with 4 rows each"
SEARCH = FGAClassifierCV(gammas=[1.0], metric="euclidean", calibrate=False)


@pytest.fixture
def table():
    return table_of_subjects(n=30, n_rows=4).drop("number").to_pandas()


@pytest.mark.parametrize(
    ("name", "counts", "expected"),
    [
        ("subject", [8] * 40, True),
        ("Subject", [50] * 12, True),  # more rows than subjects
        ("patientNumber", [1] * 30 + [4] * 10, True),
        ("visit_id", [3, 2] * 40, True),
        ("ID", [2] * 20 + [1] * 100, True),
        ("ID", [2] * 2 + [1] * 100, False),  # hardly any
        ("choice_id", [200] * 20, False),  # numbers the rows of every person
        ("party_id", [50, 40, 20, 10], False),  # categories
        ("subjects", [3] * 40, False),  # how many there were
        ("paid", [3, 4] * 40, False),
        ("humid", [3, 4] * 40, False),
        ("firm", [7] * 90, True),
        ("firm", [7] * 89 + [6], False),
        ("year", [30] * 40, False),
        ("education", [2] * 21, False),  # a small table, made by a plan
        ("city", [300, 100, 20, 7, 7, 5, 5, 4, 4, 3, 2, 1], False),
    ],
)
def test_the_rule(name, counts, expected):
    assert repeats_like_a_group(name, np.array(counts)) is expected


def test_a_column_of_a_frame(table):
    y = table.pop("mood")
    with pytest.warns(UserWarning, match=rf"column 'subject' {MESSAGE}.*groups=X\['subject'\]") as told:
        SEARCH.fit(table, y)
    assert len(told) == 1


def test_whole_numbers(table):
    y, table["subject"] = table.pop("mood"), table["subject"].str[2:].astype(int)
    with pytest.warns(UserWarning, match=f"column 'subject' {MESSAGE}"):
        SEARCH.fit(table, y)


def test_names_of_the_rows(table):
    y, names = table.pop("mood"), table.pop("subject")
    with pytest.warns(UserWarning, match=f"ids {MESSAGE}"):
        SEARCH.fit(table, y, ids=names)
    with pytest.warns(UserWarning, match=f"the index 'subject' {MESSAGE}"):
        SEARCH.fit(table.set_index(names), y)


def test_an_evaluation_says_it_once(table):
    y = table.pop("mood")
    with pytest.warns(UserWarning, match=f"column 'subject' {MESSAGE}") as told:
        evaluate(SEARCH, table, y, n_folds=2)
    assert len(told) == 1


def test_silence(table):
    """Where groups are given, folds are the caller's own, nothing is held out, or the column is wanted as a feature."""
    y, groups = table.pop("mood"), table["subject"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SEARCH.fit(table, y, groups=groups)
        FGAClassifier().fit(table, y)
        FGAClassifierCV(gammas=[1.0], metric="euclidean", cv=StratifiedKFold(3)).fit(table, y)
        FGAClassifierCV(gammas=[1.0], metric="euclidean", categorical_features=["subject"]).fit(table, y)
        SEARCH.fit(table[["a", "b", "c"]].to_numpy(), y)
        # Rows that come from several tables have the same numbers, and nothing in common.
        SEARCH.fit(pd.concat([table[["a", "b"]]] * 3), pd.concat([y] * 3))


def test_rows_of_weight_0_do_not_repeat_anything(table):
    y = table.pop("mood")
    weight = (np.arange(len(y)) % 4 == 0).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SEARCH.fit(table.drop(columns="subject"), y, sample_weight=weight, ids=table["subject"])
