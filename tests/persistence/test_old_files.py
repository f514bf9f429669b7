"""Model files of earlier versions are read, and give what their models gave when they were written.

A folder ``written_by_...`` holds the files of one version, beside each what its model gave for a few new rows, and the
script that wrote them. The files are never written again.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, load_model, save_model
from fgac.persistence import read_model_file, read_notes
from support.model_files import members_of

# Fields of explanations, and parameters, that there have been since the files were written.
LATER_FIELDS, LATER_PARAMS = {"threshold", "beyond", "is_tested", "contrast"}, {"neighbors_among", "target_scale"}
# Radii are less now, by what degrees that tie may differ by, than when the files were written.
RADII, TIES = {"certified_radius", "radius"}, 1e-6
FILES = sorted(Path(__file__).parent.glob("written_by_*/*.fgac"))


def assert_near(given, expected, where="result"):
    """Assert that values of JSON are the same, numbers up to the rounding of another processor."""
    if isinstance(expected, dict):
        assert list(given) == list(expected), where
        for key, part in expected.items():
            if key in RADII and part is not None:
                assert part * (1 - TIES) <= given[key] <= part * (1 + 1e-12), f"{where}/{key}"
            else:
                assert_near(given[key], part, f"{where}/{key}")
    elif isinstance(expected, list):
        assert len(given) == len(expected), where
        for place, part in enumerate(expected):
            assert_near(given[place], part, f"{where}/{place}")
    elif isinstance(expected, float):
        assert given == pytest.approx(expected, rel=1e-12, abs=1e-12), where
    else:
        assert given == expected, where
        assert type(given) is type(expected), where


def drop(value, names):
    """Remove the entries of these names from a value of JSON, wherever they stand."""
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        drop(part, names)
    if isinstance(value, dict):
        for name in names & value.keys():
            del value[name]


def plain(result):
    """Return an array, or a tuple of arrays, as lists."""
    return [part.tolist() for part in result] if isinstance(result, tuple) else result.tolist()


def expected_of(path):
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def new_rows(expected):
    return pd.DataFrame(expected["X"]) if isinstance(expected["X"], dict) else expected["X"]


def test_there_are_files_of_every_kind_of_model():
    assert {expected_of(path)["class"] for path in FILES} == {"FGAClassifier", "FGAOrdinalClassifier", "FGARegressor"}
    assert len(FILES) >= 9


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_models_of_old_files_predict_as_they_did(path):
    expected, model = expected_of(path), load_model(path)
    assert type(model).__name__ == expected["class"]
    for method, result in expected["results"].items():
        given = getattr(model, method)(new_rows(expected))
        if method == "predict_proba" and hasattr(model, "class_order_"):
            # Version 0.1 had the columns of ordered classes from the lowest to the highest.
            given = given[:, np.searchsorted(model.classes_, model.class_order_)]
        assert_near(plain(given), result, method)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_models_of_old_files_explain_as_they_did(path):
    expected = expected_of(path)
    explanations = load_model(path).explain(new_rows(expected), n_arguments=2)
    given = [e.to_dict() for e in explanations]
    drop(given, LATER_FIELDS)
    assert_near(given, expected["explanations"], "explanations")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_old_files_keep_their_notes(path):
    assert read_model_file(path).notes == expected_of(path)["notes"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_models_of_old_files_are_written_as_they_were(path, tmp_path):
    """The format is the same to the order of the entries, but for what it had not yet, which says nothing new."""
    model, notes = load_model(path), read_notes(path)
    save_model(model, tmp_path / "again.fgac", notes=notes, values=path.stem != "without_values")
    then, now = (members_of(file.read_bytes()) for file in (path, tmp_path / "again.fgac"))
    old, new = (json.loads(members.pop("header.json")) for members in (then, now))
    assert (old.pop("version"), new.pop("version")) == (1, 3)
    assert old.pop("fgac") == "0.1.0"
    del new["fgac"]
    drop(new, LATER_PARAMS | {"middle"})
    assert json.dumps(old) == json.dumps(without(new, SINCE_VERSION_1))
    assert list(then.items()) == list(now.items())


# Fields of columns and solutions that later versions added, as they are where the first said nothing.
SINCE_VERSION_1 = {"origin": 0.0, "unknown_weight": 0.0, "loss_unit": 1.0, "complementarity": 0.0, "rounding": 0.0}


def without(plain, added):
    """Return JSON without fields that have these names and values."""
    if isinstance(plain, dict):
        return {k: without(part, added) for k, part in plain.items() if k not in added or part != added[k]}
    return [without(part, added) for part in plain] if isinstance(plain, list) else plain


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_models_of_old_files_place_unknown_values_in_the_middle_of_their_rows(path):
    """A file of the first version does not say where that is, but it holds the rows."""
    model, rows = load_model(path), new_rows(expected_of(path))
    if model._state.table is None:
        return
    state = model._state.boundaries[0] if hasattr(model._state, "boundaries") else model._state
    kept = dict(zip(state.column_names, state.records.values or (), strict=False))
    for column in model._state.table.columns:
        if column.is_categorical or column.ranks is not None or column.name not in kept:
            continue
        middle = column.origin + column.scale * column.middle
        assert kept[column.name].min() <= middle <= kept[column.name].max()
    unknown = [[None] * len(rows[0])] if isinstance(rows, list) else rows.map(lambda _: None)
    assert len(model.predict(unknown)) == len(unknown)


# ----------------------------------------------------------------------------------------------------
# To the last bit
# ----------------------------------------------------------------------------------------------------

EXACT = sorted(Path(__file__).parent.glob("written_in_format_1/*.fgac"))


@pytest.mark.parametrize("path", EXACT, ids=lambda path: path.stem)
def test_files_of_the_first_version_predict_the_same_to_the_last_bit(path):
    """Their columns have no origin, which is an origin of 0; all numbers of these files are exact on any machine."""
    expected, model = expected_of(path), load_model(path)
    assert all(column.origin == 0.0 for column in model._state.table.columns)
    for method, result in expected["results"].items():
        assert plain(getattr(model, method)(new_rows(expected))) == result, method


def test_an_origin_comes_back(tmp_path):
    """Numbers far from 0 are counted from the least of them, and a file of today's version keeps that."""
    X = [[1e9], [1e9 + 1], [1e9 + 4], [1e9 + 5]]
    model = FGAClassifier(gamma=2.0).fit(X, ["a", "a", "b", "b"])
    save_model(model, tmp_path / "model.fgac")
    loaded = load_model(tmp_path / "model.fgac")
    assert loaded._state.table.columns[0].origin == model._state.table.columns[0].origin == 1e9
    assert plain(loaded.memberships(X)) == plain(model.memberships(X))
