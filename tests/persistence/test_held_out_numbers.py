"""Predictions of rows held out in files of regressors: audits come back whole, and forged ones are refused."""

import io
import json
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_friedman1

from fgac import FGARegressor, FGARegressorCV, audit, load_model, save_model
from fgac.estimators._state import state_of
from fgac.explainers.audit import doubts
from fgac.persistence import archive as archive_module
from support.model_files import members_of

MEMBER = "held_out.npy"
# A row without weight, and one with.
ABSENT, PRESENT = 5, 6


@cache
def saved():
    """Return a fitted search, and the bytes of its model file."""
    X, y = make_friedman1(60, noise=1.0, random_state=0)
    weight = np.where(np.arange(60) == ABSENT, 0.0, 1.0)
    model = FGARegressorCV(metric="manhattan", gammas=[1.0, 2.0], cv=3).fit(X, y, weight)
    with tempfile.TemporaryDirectory() as folder:
        save_model(model, Path(folder, "model.fgac"))
        return model, Path(folder, "model.fgac").read_bytes()


def forged(change):
    """Return a model file with another array, all sums right; None leaves it out."""
    members = members_of(saved()[1])
    header = json.loads(members.pop("header.json"))
    if change is None:
        del header["model"]["held_out"], members[MEMBER]
    else:
        file = io.BytesIO()
        np.save(file, change(np.load(io.BytesIO(members[MEMBER]))))
        members[MEMBER] = file.getvalue()
    header["sha256"] = {name: archive_module._sha256(content) for name, content in members.items()}
    file = io.BytesIO()
    archive_module.write_archive(file, {"header.json": json.dumps(header).encode(), **members})
    return file.getvalue()


def loaded(data, tmp_path):
    (tmp_path / "model.fgac").write_bytes(data)
    return load_model(tmp_path / "model.fgac")


def test_audits_come_back(tmp_path):
    model, data = saved()
    for content in (data, forged(np.copy)):
        again = loaded(content, tmp_path)
        np.testing.assert_array_equal(state_of(again).held_out, state_of(model).held_out)
        assert np.flatnonzero(np.isnan(state_of(again).held_out)).tolist() == [ABSENT]
        assert audit(again) == audit(model, by="held_out")
        np.testing.assert_array_equal(doubts(again), doubts(model))
        save_model(again, tmp_path / "again.fgac")
        assert audit(load_model(tmp_path / "again.fgac")) == audit(model)


def test_files_without_are_read_and_audited_by_the_rest(tmp_path):
    """As they were before there were any."""
    old = loaded(forged(None), tmp_path)
    assert state_of(old).held_out is None
    assert audit(old) == audit(saved()[0], by="rest")
    with pytest.raises(ValueError, match="by='held_out' needs"):
        audit(old, by="held_out")


def test_a_model_without_writes_none(tmp_path):
    X, y = make_friedman1(20, random_state=0)
    save_model(FGARegressor().fit(X, y), tmp_path / "model.fgac")
    assert MEMBER not in members_of((tmp_path / "model.fgac").read_bytes())


def put(place, value):
    """Return a change of one entry."""
    return lambda found: np.where(np.arange(len(found)) == place, value, found)


FORGED = {
    "far above all targets": put(PRESENT, 1e6),
    "far below all targets": put(PRESENT, -1e300),
    "infinite": put(PRESENT, np.inf),
    "unknown of a row with weight": put(PRESENT, np.nan),
    "known of a row without weight": put(ABSENT, 10.0),
    "one more": lambda found: np.append(found, 10.0),
    "one less": lambda found: found[:-1],
    "none": lambda found: found[:0],
    "two axes": lambda found: found[:, None],
    "single precision": lambda found: found.astype(np.float32),
    "bools": lambda found: found > 0,
    "texts": lambda found: found.astype(str),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_forged_predictions_are_refused(change, refused):
    assert "\n" not in refused(forged(change))
