"""Gamma paths in model files: they come back as they were, and what is no path is refused."""

import json

import numpy as np
import pytest

import fgac
from fgac.persistence import ModelFileError, load_model, read_model_file, read_notes, save_model
from fgac.persistence import archive as archive_module
from support.comparison import assert_same
from support.model_files import members_of, mixed_table
from support.strategies import overlapping

GAMMAS = [0.5, 0.9, 2.0, 7.0]


@pytest.fixture(scope="module")
def path():
    """Return the path of a table with numbers, categories, three classes and weights, one of them 0."""
    X, y = mixed_table()
    return fgac.path(X, y, sample_weight=[1, 2, 1, 1, 0, 1, 3, 1, 1, 1], class_weight={"a": 2.0}, metric="manhattan")


@pytest.fixture
def stored(path, tmp_path):
    """Return the name of a file that holds the path."""
    save_model(path, tmp_path / "path.fgac", notes={"by": "me"})
    return tmp_path / "path.fgac"


def test_a_path_comes_back_as_it_was(path, stored):
    X, _ = mixed_table()
    loaded = load_model(stored)
    assert repr(loaded) == repr(path)
    assert_same(vars(loaded.edges), vars(path.edges))
    assert_same(loaded.beta(GAMMAS), path.beta(GAMMAS))
    assert_same(loaded.breakpoints, path.breakpoints)
    for gamma in GAMMAS:
        one, other = path.classifier(gamma), loaded.classifier(gamma)
        assert one.get_params() == other.get_params()
        assert_same(one.predict_proba(X), other.predict_proba(X))
        assert one.explain(X) == other.explain(X)
        assert other.solution_.is_optimal()
    assert read_notes(stored) == {"by": "me"}


@pytest.mark.parametrize("metric", ["euclidean", "learned", "precomputed"])
def test_two_classes_and_other_distances(metric, tmp_path):
    rows, y = overlapping()
    table = np.abs(rows[:, None] - rows[None]).sum(axis=2) if metric == "precomputed" else rows
    path = fgac.path(table, y, metric=metric)
    save_model(path, tmp_path / "path.fgac")
    loaded = load_model(tmp_path / "path.fgac")
    assert_same(loaded.beta(GAMMAS), path.beta(GAMMAS))
    assert_same(loaded.classifier(2.0).predict_proba(table), path.classifier(2.0).predict_proba(table))


def test_values_may_be_left_out(path, tmp_path):
    save_model(path, tmp_path / "path.fgac", values=False)
    loaded = load_model(tmp_path / "path.fgac")
    assert loaded.state.records.values is None
    assert_same(loaded.beta(GAMMAS), path.beta(GAMMAS))


def test_the_same_path_is_the_same_file(path, stored, tmp_path):
    before = stored.read_bytes()
    save_model(load_model(stored), tmp_path / "again.fgac", notes={"by": "me"})
    # Times of the proof are stored, but not measured again.
    assert (tmp_path / "again.fgac").read_bytes() == before


def test_a_path_is_no_single_model(stored):
    with pytest.raises(ModelFileError, match=r"holds a gamma path.*classifier\(gamma\)"):
        read_model_file(stored)


def test_code_is_not_stored(tmp_path):
    rows, y = overlapping()
    path = fgac.path(rows, y, metric=lambda a, b: np.abs(a[:, None] - b[None]).sum(axis=2))
    with pytest.raises(ModelFileError, match="is code"):
        save_model(path, tmp_path / "path.fgac")
    assert list(tmp_path.iterdir()) == []


# ----------------------------------------------------------------------------------------------------
# Files that were changed, with sums that are right
# ----------------------------------------------------------------------------------------------------


def forged(stored, edit):
    """Change the edges of a stored path: a function gets their arrays and numbers by name."""
    members = members_of(stored.read_bytes())
    header = json.loads(members.pop("header.json"))
    prefix = "edges/"
    arrays = {
        name[len(prefix) : -len(".npy")]: archive_module.read_array(part, name)
        for name, part in members.items()
        if name.startswith(prefix)
    }
    edit(arrays, header["model"]["edges"]["dict"])
    members |= {f"{prefix}{name}.npy": archive_module.array_bytes(array) for name, array in arrays.items()}
    header["sha256"] = {name: archive_module._sha256(part) for name, part in members.items()}
    with stored.open("wb") as file:
        archive_module.write_archive(file, {"header.json": json.dumps(header).encode(), **members})
    return stored


def test_forging_nothing_gives_the_same_path(path, stored):
    assert_same(load_model(forged(stored, lambda arrays, numbers: None)).beta(GAMMAS), path.beta(GAMMAS))


def change(name, value):
    def edit(arrays, numbers):
        arrays[name] = value(arrays[name])

    return edit


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        (change("tail", lambda tail: tail + 1000), "points outside"),
        (change("tail", lambda tail: tail[:-1]), "does not fit"),
        (change("head", lambda head: head[::-1].copy() * 0), "between rows of different classes"),
        (change("weights", lambda weights: weights[:-1]), "does not fit"),
        (change("weights", lambda weights: -weights), "numbers that do not lie between"),
        (change("stop", lambda stop: stop + 1e6), "cease to be tight before"),
        (change("distance", lambda distance: distance * np.nan), "numbers that do not lie between"),
        (lambda arrays, numbers: numbers.update(n_events=-1), "n_events"),
        (lambda arrays, numbers: numbers.update(code="import os"), "too much"),
        (lambda arrays, numbers: numbers.pop("n_stages"), "lacks the part"),
    ],
)
def test_forged_paths_are_refused(stored, edit, complaint):
    with pytest.raises(ModelFileError, match=complaint):
        load_model(forged(stored, edit))


def test_edges_in_a_circle_are_refused_when_they_are_asked_for(stored):
    """The compiled loops would never come to an end."""

    def repeat(arrays, numbers):
        for name in ("tail", "head", "distance", "start", "stop"):
            arrays[name] = np.append(arrays[name], arrays[name])

    path = load_model(forged(stored, repeat))
    with pytest.raises(ValueError, match="circle"):
        path.beta(0.5)


def test_a_model_without_a_path_is_refused(stored):
    members = members_of(stored.read_bytes())
    header = json.loads(members["header.json"])
    header["model"]["model"]["dict"]["params"]["dict"]["loss"] = "absolute_error"
    members["header.json"] = json.dumps(header).encode()
    with stored.open("wb") as file:
        archive_module.write_archive(file, members)
    with pytest.raises(ModelFileError, match="no path"):
        load_model(stored)
