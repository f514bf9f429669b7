"""Saving a model: what cannot be stored, what the file tells of the rows, notes, and no half-written file."""

import json
import struct
import zipfile
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from fgac import FGAClassifier, FGAClassifierCV, FRNNClassifier
from fgac.fuzzy.connectives import Isomorphism
from fgac.persistence import ModelFileError, load_model, model_file, read_model_file, read_notes, save_model
from support.model_files import (
    assert_equal_models,
    assert_same,
    forged,
    members_of,
    mixed_table,
    round_trip,
    small_file,
)

# What cannot be stored


def two_rows(**params):
    return FGAClassifier(**params).fit([[0.0], [1.0]], [0, 1])


def distance(left, right):
    return np.abs(left[:, None, 0] - right[:, 0])


class Pairwise:
    pairwise = staticmethod(distance)


UNSTORABLE = {
    "metric": ({"metric": distance}, "use a named metric"),
    "metric object": ({"metric": Pairwise()}, "use a named metric"),
    "owa": ({"owa": lambda n: np.full(n, 1 / n)}, "weights as an array"),
    "owa pair": ({"owa": (lambda n: np.full(n, 1 / n), 2)}, "weights as an array"),
    "isomorphism": ({"isomorphism": (np.square, np.sqrt)}, "isomorphism=2.0"),
    "isomorphism object": ({"isomorphism": Isomorphism(np.square, np.sqrt)}, "isomorphism=2.0"),
}


@pytest.mark.parametrize(("params", "advice"), UNSTORABLE.values(), ids=UNSTORABLE)
def test_functions_are_refused_before_anything_is_written(params, advice, tmp_path):
    path = tmp_path / "model.fgac"
    path.write_bytes(b"what was there")
    with pytest.raises(ModelFileError, match=advice):
        save_model(two_rows(**params), path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"what was there"]


@pytest.mark.parametrize("name", FGAClassifier().get_params())
def test_functions_are_refused_in_every_parameter(name, tmp_path):
    clf = two_rows().set_params(**{name: {"deep": [distance]}})
    with pytest.raises(ModelFileError, match="distance"):
        save_model(clf, tmp_path / "model.fgac")
    assert not list(tmp_path.iterdir())


def test_unusual_categories_are_refused_by_name(tmp_path):
    X = pd.DataFrame({"age": pd.cut([1, 5, 9, 2], 3)})
    with pytest.raises(ModelFileError, match=r"column age .* Interval; .* into text before fit"):
        save_model(FGAClassifier().fit(X, [0, 1, 1, 0]), tmp_path / "model.fgac")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "other",
    [
        FRNNClassifier(),
        make_pipeline(FGAClassifier()),
        GridSearchCV(FGAClassifier(), {}),
        type("Mine", (FGAClassifier,), {})(),
        type("MyChoice", (FGAClassifierCV,), {})(),
        None,
        "model",
    ],
    ids=lambda other: type(other).__name__,
)
def test_other_objects_are_refused(other, tmp_path):
    with pytest.raises(TypeError, match=f"got {type(other).__name__}"):
        save_model(other, tmp_path / "model.fgac")


def test_of_a_choice_the_chosen_model_is_stored(tmp_path):
    """Not how it was chosen: functions in the choice are no obstacle."""
    X, y = mixed_table()
    folds = [(np.arange(5), np.arange(5, 10)), (np.arange(5, 10), np.arange(5))]
    clf = FGAClassifierCV(gammas=[1.0, 3.0], cv=folds, scoring=lambda model, X, y: 1.0, ties="first").fit(X, y)
    loaded = round_trip(clf, tmp_path)
    assert type(loaded) is FGAClassifier
    assert_equal_models(clf.best_estimator_, loaded, X)


@pytest.mark.parametrize("clf", [FGAClassifier(), FGAClassifierCV()], ids=repr)
def test_unfitted_models_are_refused(clf, tmp_path):
    with pytest.raises(NotFittedError):
        save_model(clf, tmp_path / "model.fgac")
    assert not list(tmp_path.iterdir())


def test_a_model_whose_second_fit_failed_is_stored_as_it_was_before(tmp_path):
    clf = two_rows()
    before = deepcopy(clf)
    with pytest.raises(ValueError, match="class_weight"):
        clf.set_params(class_weight={"z": 1}).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], list("abc"))
    save_model(clf.set_params(class_weight=None), tmp_path / "model.fgac")
    assert_equal_models(before, load_model(tmp_path / "model.fgac"), [[0.2], [0.9]])


def test_a_state_whose_parts_do_not_fit_is_refused(tmp_path):
    clf = two_rows()
    clf._set_state(replace(clf._state, beta=clf._state.beta.astype(int)))
    with pytest.raises(ModelFileError, match="the fitted model is inconsistent"):
        save_model(clf, tmp_path / "model.fgac")


# Whole or not at all


@pytest.mark.parametrize("n_members", [0, 1, 5])
def test_a_file_is_never_half_written(n_members, tmp_path, monkeypatch):
    path = tmp_path / "model.fgac"
    save_model(two_rows(), path)
    before, write, count = path.read_bytes(), zipfile.ZipFile.writestr, iter(range(99))

    def failing(self, *args, **kwargs):
        if next(count) >= n_members:
            raise OSError("no space left on device")
        return write(self, *args, **kwargs)

    monkeypatch.setattr(zipfile.ZipFile, "writestr", failing)
    with pytest.raises(OSError, match="no space left"):
        save_model(two_rows(gamma=5.0), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_there_is_replaced(tmp_path):
    for gamma in (1.0, 2.0):
        save_model(two_rows(gamma=gamma), str(tmp_path / "model.fgac"))
    assert load_model(str(tmp_path / "model.fgac")).gamma == 2.0
    assert len(list(tmp_path.iterdir())) == 1


# What the file tells of the rows

SECRET = 5234.567891


def table_with_a_secret():
    X = pd.DataFrame({"income": [1000.5, SECRET, 700.25, 9000.75], "job": ["cook", "spy", "cook", "nurse"]})
    return X, ["no", "yes", "no", "yes"]


def holds(members, number):
    """Whether some member holds a number, as text or as a float."""
    return any(repr(number).encode() in part or struct.pack("<d", number) in part for part in members.values())


def test_without_values_numbers_are_not_stored_as_they_were_given(tmp_path):
    clf = FGAClassifier().fit(*table_with_a_secret())
    contents = {}
    for values in (True, False):
        round_trip(clf, tmp_path, values=values)
        contents[values] = members_of((tmp_path / "model.fgac").read_bytes())
    assert holds(contents[True], SECRET)
    assert not holds(contents[False], SECRET)
    assert not any(name.startswith("records/values") for name in contents[False])
    assert b"spy" in contents[False]["header.json"], "the names of categories are needed to read new rows"


def test_without_values_the_rows_can_still_be_turned_back(tmp_path):
    """What the note says is so: scaled numbers and scales are numbers."""
    loaded = round_trip(FGAClassifier().fit(*table_with_a_secret()), tmp_path, values=False)
    table, rows = loaded._state.table, loaded._state.predictor.model.envelope.rows
    income = rows.numeric[:, 0] / table.column_factor * table.columns[0].scale
    assert np.isclose(income, SECRET, rtol=1e-12).any()


def test_without_values_explanations_show_none(tmp_path):
    X, y = table_with_a_secret()
    clf = FGAClassifier().fit(X, y)
    loaded = round_trip(clf, tmp_path, values=False)
    assert loaded._state.records.values is None
    assert_same(clf.predict_proba(X), loaded.predict_proba(X))
    for full, bare in zip(clf.explain(X), loaded.explain(X), strict=True):
        assert [a.strength for a in full.arguments_for] == [a.strength for a in bare.arguments_for]
        assert [c.value for a in bare.arguments_for for c in a.attributes] == [None, None] * len(bare.arguments_for)
        assert all(c.value is not None for a in full.arguments_for for c in a.attributes)
    save_model(loaded, tmp_path / "again.fgac")
    assert load_model(tmp_path / "again.fgac")._state.records.values is None


@pytest.mark.parametrize("values", [True, False])
def test_the_header_says_plainly_that_the_rows_are_inside(values, tmp_path):
    round_trip(two_rows(), tmp_path, values=values)
    header = json.loads(members_of((tmp_path / "model.fgac").read_bytes())["header.json"])
    assert (header["format"], header["version"]) == ("fgac model", 3)
    assert header["note"].startswith("This file contains the rows that the model was trained on")
    assert ("no protection" in header["note"]) is not values


# The caller's own notes


def test_notes_are_kept_beside_the_model(tmp_path):
    path = tmp_path / "model.fgac"
    save_model(two_rows(), path)
    assert read_notes(path) == {}
    save_model(two_rows(), path, notes={"target": "größe", "id": ""})
    assert read_notes(path) == {"target": "größe", "id": ""}
    assert_same(load_model(path).beta_, two_rows().beta_)


def test_a_file_is_read_once_for_its_model_and_its_notes(tmp_path, monkeypatch):
    path, unpacked = tmp_path / "model.fgac", []
    save_model(two_rows(), path, notes={"target": "y"})
    unpack = model_file.unpack
    monkeypatch.setattr(model_file, "unpack", lambda file, size: unpacked.append(file) or unpack(file, size))
    file = read_model_file(path)
    assert len(unpacked) == 1
    assert file.notes == {"target": "y"} == read_notes(path)
    assert_same(file.state.beta, two_rows().beta_)


@pytest.mark.parametrize("notes", [{"target": 1}, {1: "target"}, {"target": None}])
def test_notes_are_texts(notes, tmp_path):
    with pytest.raises(TypeError, match="notes must be a dict of texts"):
        save_model(two_rows(), tmp_path / "model.fgac", notes=notes)
    path = tmp_path / "forged.fgac"
    path.write_bytes(forged(lambda header, members: header.update(notes=[notes])))
    with pytest.raises(ModelFileError, match="notes that are no texts"):
        read_notes(path)


def test_notes_of_other_files_are_refused_as_models_are(tmp_path):
    path = tmp_path / "model.fgac"
    with pytest.raises(FileNotFoundError):
        read_notes(path)
    data, _ = small_file()
    path.write_bytes(data[:-1])
    with pytest.raises(ModelFileError, match=r"model\.fgac "):
        read_notes(path)
