"""Rows are called what the caller calls them: positions, an index, or ids of one's own."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.model_selection import cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler

from fgac import FGAClassifier
from fgac.explanation.classification import Explanations
from support.explained import assert_plain_values

X = np.array([[0.0], [0.05], [0.5], [1.0]])
Y = np.array(["a", "a", "a", "b"])
Q = np.array([[0.1], [0.9]])


def names(explanations):
    """Return the ids of the explained rows, and of the strongest arguments for and of the rows alike."""
    return (
        [e.id for e in explanations],
        [e.arguments_for[0].id for e in explanations],
        [e.arguments_for[0].alike for e in explanations],
    )


def fitted(table, ids=None, **weights):
    """Return a model of the four rows above."""
    return FGAClassifier(gamma=1.0, scale=None).fit(table, Y, ids=ids, **weights)


def test_positions_are_the_default():
    """Of arrays, on both sides; they are plain whole numbers."""
    rows, arguments, alike = names(fitted(X).explain(Q, merge_similarity=0.9))
    assert (rows, arguments, alike) == ([0, 1], [1, 3], [(0,), ()])
    assert all(type(name) is int for name in [*rows, *arguments, *alike[0]])


@pytest.mark.parametrize(
    ("train", "test", "expected"),
    [
        ([10, 20, 30, 40], [7, 8], ([7, 8], [20, 40], [(10,), ()])),
        (list("pqrs"), ["n1", "n2"], (["n1", "n2"], ["q", "s"], [("p",), ()])),
        ([0.5, 1.5, 2.5, 3.5], [9.5, 8.5], ([9.5, 8.5], [1.5, 3.5], [(0.5,), ()])),
        ([False, True, False, True], [True, False], ([True, False], [True, True], [(False,), ()])),
    ],
    ids=["whole numbers", "text", "numbers", "bools"],
)
def test_the_index_of_pandas_names_rows(train, test, expected):
    """In fit and in explain, in the type it has."""
    explanations = fitted(pd.DataFrame(X, index=train, columns=["x"])).explain(
        pd.DataFrame(Q, index=test, columns=["x"]), merge_similarity=0.9
    )
    told = names(explanations)
    assert told == expected
    assert [type(name) for name in told[1]] == [type(name) for name in expected[1]]
    assert_plain_values(explanations.to_dict())


def test_dates_and_several_levels_become_text():
    """What JSON has no type for is told as its text."""
    dates = pd.date_range("2024-01-30", periods=4)
    levels = pd.MultiIndex.from_tuples([("north", 1), ("north", 2), ("south", 1), ("south", 2)])
    by_date = fitted(pd.DataFrame(X, index=dates, columns=["x"])).explain(pd.DataFrame(Q, columns=["x"]))
    by_level = fitted(pd.DataFrame(X, index=levels, columns=["x"])).explain(pd.DataFrame(Q, columns=["x"]))
    assert by_date[0].arguments_for[0].id.startswith("2024-01-31")
    assert by_level[0].arguments_for[0].id == "('north', 2)"
    for explanations in (by_date, by_level):
        assert_plain_values(explanations.to_dict())
        assert Explanations.from_json(explanations.to_json()) == explanations


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, pd.Series, pd.Index, pl.Series], ids=lambda kind: kind.__name__
)
@pytest.mark.parametrize("form", ["array", "pandas", "polars"])
def test_given_ids_win_over_index_and_positions(kind, form):
    """In any form, for any table."""
    make = {"array": lambda rows: rows, "pandas": lambda rows: pd.DataFrame(rows, columns=["x"])}.get(
        form, lambda rows: pl.DataFrame(rows, schema=["x"])
    )
    clf = fitted(make(X), ids=kind(["p", "q", "r", "s"]))
    rows, arguments, alike = names(clf.explain(make(Q), ids=kind(["n1", "n2"]), merge_similarity=0.9))
    assert (rows, arguments, alike) == (["n1", "n2"], ["q", "s"], [("p",), ()])
    assert all(type(name) is str for name in [*rows, *arguments])


def test_polars_frames_have_no_index():
    """Their rows are numbered."""
    clf = fitted(pl.DataFrame(X, schema=["x"]))
    assert names(clf.explain(pl.DataFrame(Q, schema=["x"]), merge_similarity=0.9)) == ([0, 1], [1, 3], [(0,), ()])


def test_ids_need_not_be_different_or_of_one_kind():
    """They are names, not keys; a mixture is told as text."""
    assert names(fitted(X, ids=["same"] * 4).explain(Q, ids=["x", "x"]))[0] == ["x", "x"]
    mixed = fitted(X, ids=[1, "two", 3.5, True]).explain(Q)
    assert mixed[0].arguments_for[0].id == "two"
    assert_plain_values(mixed.to_dict())


@pytest.mark.parametrize("missing", [np.nan, None, pd.NaT, float("inf")], ids=str)
def test_a_missing_id_is_no_obstacle(missing):
    """An index may have holes; what is told is still JSON."""
    index = pd.Index([5.0, missing, 7.0, missing])
    clf = fitted(pd.DataFrame(X, index=index, columns=["x"]))
    explanations = clf.explain(pd.DataFrame(Q, index=index[:2], columns=["x"]), merge_similarity=0.9)
    assert_plain_values(explanations.to_dict())
    assert Explanations.from_json(explanations.to_json()) == explanations


def test_whole_numbers_of_any_length():
    """BaseExplanation numbers do not fit into 64 bits, and must not be rounded."""
    long = [10**25 + i for i in range(4)]
    told = fitted(X, ids=long).explain(Q, ids=[2**70, 3])
    assert str(told[0].arguments_for[0].id) == str(10**25 + 1)
    assert str(told[0].id) == str(2**70)
    assert [a.id for a in fitted(X, ids=np.arange(4) + 2**62).explain(Q)[1].arguments_for] == [2**62 + 3]


def test_leading_zeros_and_long_text_are_kept():
    """Ids are text if the caller's are."""
    ids = ["007", "0" * 200, "é\n", ""]
    assert names(fitted(X, ids=ids).explain(Q, ids=["00", "01"]))[:2] == (["00", "01"], ["0" * 200, ""])


@pytest.mark.parametrize("n", [0, 3, 5])
def test_as_many_ids_as_rows(n):
    """Another number is refused, by the parameter's name."""
    with pytest.raises(ValueError, match="ids"):
        fitted(X, ids=range(n))
    with pytest.raises(ValueError, match="ids"):
        fitted(X).explain(Q, ids=range(n))


def test_ids_of_rows_of_weight_zero_are_skipped():
    """Ids are given for all rows, also those that do not count."""
    clf = fitted(X, ids=list("pqrs"), sample_weight=[1.0, 0.0, 1.0, 1.0])
    e = clf.explain([[0.04]], merge_similarity=0.9)[0]
    assert [(a.id, a.index, a.alike) for a in e.arguments_for] == [("p", 0, ()), ("r", 2, ())]


def test_the_callers_list_is_not_kept():
    """Changing it afterwards changes nothing."""
    ids = np.array(["p", "q", "r", "s"], dtype=object)
    clf = fitted(X, ids=ids)
    ids[:] = "changed"
    assert clf.explain(Q)[0].arguments_for[0].id == "q"


def test_ids_change_neither_model_nor_prediction():
    """They are names only."""
    plain, named = fitted(X), fitted(X, ids=list("zyxw"))
    np.testing.assert_array_equal(plain.beta_, named.beta_)
    np.testing.assert_array_equal(plain.predict_proba(Q), named.predict_proba(Q))


# ----------------------------------------------------------------------------------------------------
# scikit-learn hands them on
# ----------------------------------------------------------------------------------------------------


def test_a_pipeline_hands_ids_to_fit():
    """By the name of the step."""
    pipe = Pipeline([("scale", MinMaxScaler()), ("fgac", FGAClassifier())]).fit(X, Y, fgac__ids=list("pqrs"))
    assert pipe[-1].explain(pipe[:-1].transform(Q))[0].arguments_for[0].id == "q"


def test_metadata_routing_hands_ids_to_every_fold():
    """Each fold gets the ids of its own rows."""
    rng = np.random.default_rng(0)
    rows, y = rng.random((20, 2)), np.arange(20) % 2
    ids = np.array([f"row {i}" for i in range(20)])
    with sklearn.config_context(enable_metadata_routing=True):
        clf = FGAClassifier(gamma=0.1).set_fit_request(ids=True)
        done = cross_validate(clf, rows, y, cv=4, params={"ids": ids}, return_estimator=True, return_indices=True)
    for model, train in zip(done["estimator"], done["indices"]["train"], strict=True):
        e = model.explain(rows[:1], 50)[0]
        arguments = e.arguments_for + e.arguments_against
        assert len(arguments) > 2
        assert all(a.id == ids[train][a.index] for a in arguments)


def test_routing_through_a_pipeline():
    """A pipeline passes on what its step has asked for."""
    with sklearn.config_context(enable_metadata_routing=True):
        clf = FGAClassifier().set_fit_request(ids=True)
        pipe = Pipeline([("scale", MinMaxScaler()), ("fgac", clf)]).fit(X, Y, ids=list("pqrs"))
    assert pipe[-1].explain(pipe[:-1].transform(Q))[1].arguments_for[0].id == "s"
