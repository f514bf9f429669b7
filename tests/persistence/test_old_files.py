"""Model files of earlier versions are read, and give what their models gave when they were written.

A folder ``written_by_...`` holds the files of one version, beside each what its model gave for a few new rows, and the
script that wrote them. The files are never written again.
"""

import json
from pathlib import Path

import pandas as pd
import pytest

from fgac import load_model, save_model
from fgac.persistence import read_model_file, read_notes
from support.model_files import members_of

# Fields of explanations, and parameters, that there have been since the files were written.
LATER_FIELDS, LATER_PARAMS = {"threshold"}, {"neighbors_among"}
FILES = sorted(Path(__file__).parent.glob("written_by_*/*.fgac"))


def assert_near(given, expected, where="result"):
    """Assert that values of JSON are the same, numbers up to the rounding of another processor."""
    if isinstance(expected, dict):
        assert list(given) == list(expected), where
        for key, part in expected.items():
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
        assert_near(plain(getattr(model, method)(new_rows(expected))), result, method)


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
    """The format is the same to the order of the entries, but for the version that wrote and later parameters."""
    model, notes = load_model(path), read_notes(path)
    save_model(model, tmp_path / "again.fgac", notes=notes, values=path.stem != "without_values")
    then, now = (members_of(file.read_bytes()) for file in (path, tmp_path / "again.fgac"))
    headers = [json.loads(members.pop("header.json")) for members in (then, now)]
    for header in headers:
        del header["fgac"]
        drop(header, LATER_PARAMS)
    assert json.dumps(headers[0]) == json.dumps(headers[1])
    assert list(then.items()) == list(now.items())
