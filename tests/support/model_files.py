"""Model files for tests: a small one, its members, edits of it, and what makes two models the same."""

import io
import json
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from fgac import FGAClassifier
from fgac.persistence import archive as archive_module
from fgac.persistence import load_model, save_model
from support.comparison import assert_same

COLOURS = ["red", "green", "blue", "red", "green", "blue", "red", "red", "blue", "green"]


def mixed_table():
    """Return a frame of numbers and names, with labels of three classes that contradict each other somewhere."""
    X = pd.DataFrame(
        {
            "height": [1.5, 2.25, 0.1, 1.5, 9.0, 4.0, 4.5, 0.3, 7.7, 1.5],
            "colour": COLOURS,
            "old": [True, False, True, True, False, False, True, False, True, True],
        },
        index=[f"row {i}" for i in range(10)],
    )
    return X, np.array(["a", "b", "a", "c", "c", "b", "c", "a", "b", "b"])


def round_trip(clf, tmp_path, **options):
    """Save a model, and return what is loaded from the file."""
    save_model(clf, tmp_path / "model.fgac", **options)
    return load_model(tmp_path / "model.fgac")


def held(clf):
    """Return everything that a classifier holds."""
    return dict(sorted(vars(clf).items()))


def assert_equal_models(clf, loaded, X):
    """Assert that nothing distinguishes two fitted classifiers: neither what they hold, nor what they say."""
    assert_same(held(clf), held(loaded))
    assert_same(clf.get_params(), loaded.get_params())
    for method in ("predict", "predict_proba", "decision_function", "memberships", "arguments"):
        assert_same(tuple(getattr(clf, method)(X)), tuple(getattr(loaded, method)(X)), method)
    assert clf.explain(X) == loaded.explain(X)


@cache
def small_file():
    """Return the bytes of a small model file, and its model."""
    X, y = mixed_table()
    clf = FGAClassifier(gamma=2.0, owa="additive", class_weight={"a": 2.0, "b": 1.0, "c": 1.0}).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        save_model(clf, f"{folder}/model.fgac")
        return Path(f"{folder}/model.fgac").read_bytes(), clf


def members_of(data):
    """Return the members of a model file: name -> bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(edit):
    """Return the file after an edit of its header's model and its arrays, with sums that are right again."""
    members = members_of(small_file()[0])
    header = json.loads(members.pop("header.json"))
    edit(header, members)
    header["sha256"] = {name: archive_module._sha256(part) for name, part in members.items()}
    file = io.BytesIO()
    archive_module.write_archive(file, {"header.json": json.dumps(header).encode(), **members})
    return file.getvalue()


def told(*path):
    """Return an edit: the last of the arguments put at a place of the header's model."""
    *steps, last, value = path

    def edit(header, members):
        place = header["model"]
        for step in steps:
            place = place[step]
        place[last] = value

    return edit
