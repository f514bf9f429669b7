"""Calibrations in model files: they come back whole, and forged ones are refused."""

import io
import json
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fgac import FGAClassifierCV, FGAOrdinalClassifierCV, load_model, save_model
from fgac.persistence import archive as archive_module
from support.model_files import members_of
from support.strategies import overlapping

PLAIN = {"metric": "manhattan", "gammas": [2.0, 5.0], "cv": 3}
SEARCHES = {
    "classes": (FGAClassifierCV(**PLAIN), overlapping(90)),
    "two classes": (FGAClassifierCV(**PLAIN), overlapping(90, n_classes=2)),
    "curve": (FGAClassifierCV(**PLAIN), overlapping(1100, n_classes=2)),
    "bent": (FGAClassifierCV(**PLAIN), overlapping(1100)),
    "ordered": (FGAOrdinalClassifierCV(**PLAIN), overlapping(90)),
    "two ordered": (FGAOrdinalClassifierCV(**PLAIN), overlapping(90, n_classes=2)),
}


@cache
def saved(name):
    """Return a fitted search, and the bytes of its model file."""
    search, (X, y) = SEARCHES[name]
    model = search.fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        save_model(model, Path(folder, "model.fgac"))
        return model, Path(folder, "model.fgac").read_bytes()


def forged(name, **changes):
    """Return a model file with other arrays in its calibration, all sums right."""
    members = members_of(saved(name)[1])
    header = json.loads(members.pop("header.json"))
    for part, change in changes.items():
        member = f"calibration/{part}.npy"
        file = io.BytesIO()
        np.save(file, change(np.load(io.BytesIO(members[member]))))
        members[member] = file.getvalue()
    header["sha256"] = {name: archive_module._sha256(part) for name, part in members.items()}
    file = io.BytesIO()
    archive_module.write_archive(file, {"header.json": json.dumps(header).encode(), **members})
    return file.getvalue()


@pytest.mark.parametrize("name", SEARCHES)
def test_probabilities_and_explanations_come_back(name, tmp_path):
    model, data = saved(name)
    X = SEARCHES[name][1][0][:30]
    for content in (data, forged(name, cases=np.copy)):
        (tmp_path / "model.fgac").write_bytes(content)
        loaded = load_model(tmp_path / "model.fgac")
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        assert loaded.explain(X[:3]) == model.best_estimator_.explain(X[:3])
        assert loaded.explain(X[:1])[0].reliability is not None


def negative(array):
    return -array


def one_more(array):
    return np.concatenate([array, array[-1:]])


FORGED = {
    "falling knots": ("curve", {"knots": negative}),
    "equal knots": ("curve", {"knots": np.zeros_like}),
    "falling levels": ("curve", {"levels": lambda levels: levels[::-1].copy()}),
    "large levels": ("curve", {"levels": lambda levels: levels + 1.0}),
    "more levels": ("curve", {"levels": one_more}),
    "nan levels": ("curve", {"levels": lambda levels: levels * np.nan}),
    "curve of three classes": ("classes", {"knots": lambda _: np.zeros(1), "levels": lambda _: np.zeros(1)}),
    "nothing": ("curve", {"knots": lambda knots: knots[:0], "levels": lambda levels: levels[:0]}),
    "curve and model": ("curve", {"intercepts": lambda _: np.zeros(2)}),
    "fewer coefficients": ("classes", {"coefficients": lambda found: found[:-1]}),
    "more coefficients": ("bent", {"coefficients": one_more}),
    "classes of coefficients": ("classes", {"coefficients": lambda found: found[:, :-1].copy()}),
    "coefficients of ordered classes": ("ordered", {"coefficients": one_more}),
    "infinite coefficients": ("classes", {"coefficients": lambda found: found + np.inf}),
    "more intercepts": ("classes", {"intercepts": one_more}),
    "more right than cases": ("classes", {"right": lambda right: right + 10**6}),
    "less than none right": ("classes", {"right": lambda right: -right - 1}),
    "no cases": ("classes", {"cases": np.zeros_like, "right": np.zeros_like}),
    "more groups": ("classes", {"cases": one_more, "right": one_more}),
    "groups of one kind": ("classes", {"right": one_more}),
    "falling confidences": ("classes", {"confidences": lambda found: np.linspace(0.9, 0.1, len(found))}),
    "confidences above 1": ("classes", {"confidences": lambda found: found + 1.0}),
    "cases in parts": ("classes", {"cases": lambda found: found + 0.5}),
}


@pytest.mark.parametrize(("name", "changes"), FORGED.values(), ids=FORGED)
def test_forged_calibrations_are_refused(name, changes, refused):
    assert "\n" not in refused(forged(name, **changes))
