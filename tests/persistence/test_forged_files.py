"""Model files that were changed on purpose, with all sums right: refused, and nothing in them is executed."""

import builtins
import io
import os
import pickle

import numpy as np
import pytest

from fgac import FGAClassifier
from fgac.persistence import load_model
from support.model_files import (
    assert_equal_models,
    assert_same,
    forged,
    held,
    mixed_table,
    round_trip,
    small_file,
    told,
)

# Files that were forged: all sums are right


def test_forging_nothing_gives_the_same_model(tmp_path):
    """The edits below are what is refused, not the way they are made."""
    (tmp_path / "model.fgac").write_bytes(forged(lambda header, members: None))
    assert_same(held(small_file()[1]), held(load_model(tmp_path / "model.fgac")))


@pytest.mark.parametrize(
    ("version", "advice"),
    [
        (4, "upgrade"),
        (10**9, "upgrade"),
        (0, "again"),
        ("1", "again"),
        (1.0, "again"),
        (True, "again"),
        (None, "again"),
    ],
)
def test_unknown_versions_are_refused(version, advice, refused):
    message = refused(forged(lambda header, members: header.update(version=version, fgac="9.9")))
    assert f"format version {version!r}, written by fgac 9.9" in message
    assert "reads versions 1 to 3" in message
    assert advice in message


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def replaced(name, array):
    return lambda header, members: members.update({f"{name}.npy": npy(array)})


def lying(shape):
    """Return an edit: an array whose header claims another shape than its bytes have."""

    def edit(header, members):
        file = io.BytesIO()
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": shape})
        members["model/beta.npy"] = file.getvalue() + bytes(80)

    return edit


COLUMN = ("table", "dict", "columns", "list", 1, "dict")


FORGED = {
    "shape": lying((10**12,)),
    "negative shape": lying((-2, -5)),
    "shape too small": lying((9,)),
    "starts": replaced("model/starts", np.array([0, 3, 6, 11])),
    "falling starts": replaced("model/starts", np.array([0, 8, 3, 10])),
    "negative starts": replaced("model/starts", np.array([-5, 3, 6, 10])),
    "short beta": replaced("model/beta", np.zeros(4)),
    "matrix beta": replaced("model/beta", np.zeros((10, 1))),
    "whole beta": replaced("model/beta", np.zeros(10, dtype=int)),
    "rows": replaced("rows/numeric", np.zeros((10, 2))),
    "codes": replaced("rows/codes", np.zeros((9, 2), dtype=np.int32)),
    "large codes": replaced("rows/codes", np.full((10, 2), 7, dtype=np.int32)),
    "mismatch": replaced("rows/mismatch", np.zeros(1)),
    "opposition": replaced("model/opposition", np.zeros((2, 10))),
    "rank": replaced("model/rank", np.array([0, 1, 3])),
    "times": replaced("soft/times", np.ones(3)),
    "tail": replaced("solution/active/tail", np.zeros(99, dtype=int)),
    "nodes": replaced("records/nodes", np.full(10, 10)),
    "same nodes": replaced("records/nodes", np.zeros(10, dtype=int)),
    "positions": replaced("records/positions", np.full(10, -1)),
    "values": replaced("records/values/0", np.zeros(3)),
    "classes": replaced("attributes/classes_", np.array(["a", "b"])),
    "complex": replaced("model/beta", np.zeros(10, dtype=complex)),
    "records": replaced("model/beta", np.zeros(10, dtype=[("a", float)])),
    "no array": told("model", "dict", "beta", 0.5),
    "null": told("rows", "dict", "codes", None),
    "missing array": told("model", "dict", "beta", {"array": "beta"}),
    "unknown kind": told("gamma", {"call": "os.system"}),
    "bare list": told("gamma", [1.0]),
    "object scalar": told("gamma", {"scalar": ["|O", 1]}),
    "bad scalar": told("gamma", {"scalar": ["rubbish", 1]}),
    "metric": told("metric", "fgac.cli"),
    "distances with columns": told("metric", "precomputed"),
    "angles of categories": told("metric", "angular"),
    "columns without distances": told("table", None),
    "in order": told("table", "dict", "in_order", True),
    "fewer columns": told("table", "dict", "columns", {"list": []}),
    "categories": told(*COLUMN, "categories", {"dict": {"red": 0, "green": 9, "blue": 2}}),
    "parameter": told("params", "dict", "_model", 1),
    "unhashable": told("params", "dict", "class_weight", {"items": [[{"list": []}, 1]]}),
    "nothing": lambda header, members: header.update(model={}),
    "no model": lambda header, members: header.pop("model"),
    "number of columns": told("attributes", "dict", "n_features_in_", 99),
}


@pytest.mark.parametrize("edit", FORGED.values(), ids=FORGED)
def test_forged_files_are_refused(edit, refused):
    """The compiled loops check no indices, so whatever they trust is checked before."""
    told = refused(forged(edit), "inconsistent|cannot be|unknown kind|plain array|does not hold|holds no|no part of")
    assert "\n" not in told


# Nothing is executed


class Payload:
    """An object whose unpickling makes a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_objects_in_arrays_are_never_unpickled(refused, tmp_path):
    trace = tmp_path / "trace"
    array = np.array([Payload(trace)] * 10, dtype=object)
    refused(forged(lambda header, members: members.update({"model/beta.npy": npy(array, allow_pickle=True)})))
    refused(npy(array, allow_pickle=True))
    refused(pickle.dumps(Payload(trace)))
    assert not trace.exists()
    pickle.loads(pickle.dumps(Payload(trace)))
    assert trace.exists(), "the payload must work where someone unpickles it"


def test_neither_saving_nor_loading_pickles_or_evaluates(tmp_path, monkeypatch):
    X, y = mixed_table()
    clf = FGAClassifier(isomorphism=2.0, owa=("additive", 3)).fit(X, y)

    def forbidden(*args, **kwargs):
        raise AssertionError("code was run, or an object was pickled")

    with monkeypatch.context() as patch:
        for name in ("load", "loads", "Unpickler", "_Unpickler", "dump", "dumps", "Pickler"):
            patch.setattr(pickle, name, forbidden)
        for name in ("eval", "exec"):
            patch.setattr(builtins, name, forbidden)
        patch.setattr("importlib.import_module", forbidden)
        loaded = round_trip(clf, tmp_path)
    assert_equal_models(clf, loaded, X)
