"""Explanations as frames: one row per argument."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier
from support.explained import samples

FIELDS = ["index", "id", "label", "distance", "similarity", "membership", "degree", "strength", "weight"]
FAR = [[40.0, 40.0]]


@pytest.fixture(scope="module")
def explanations():
    """Explanations of ordinary rows and of one that resembles nothing."""
    X, y = samples(30)
    clf = FGAClassifier(gamma=2.0).fit(X, np.array(["low", "mid", "high"])[y], ids=[f"r{i}" for i in range(30)])
    return clf.explain(np.vstack([samples(5, seed=2)[0], FAR]))


def test_a_frame_of_arguments(explanations):
    """One row per argument, those in favour first, strongest first."""
    e = explanations[0]
    frame = e.to_frame()
    assert frame.columns.tolist() == ["side", *FIELDS, "alike"]
    arguments = e.arguments_for + e.arguments_against
    assert frame["side"].tolist() == ["for"] * len(e.arguments_for) + ["against"] * len(e.arguments_against)
    for name in FIELDS:
        assert frame[name].tolist() == [getattr(a, name) for a in arguments]
    assert frame["alike"].tolist() == [len(a.alike) for a in arguments]
    for name in ("distance", "similarity", "membership", "degree", "strength", "weight"):
        assert frame[name].dtype == float
    for name in ("index", "alike"):
        assert frame[name].dtype.kind == "i"


def test_a_frame_of_all_arguments(explanations):
    """With the explained row and its prediction beside each; a row without arguments adds none and spoils none."""
    frame = explanations.to_frame()
    assert frame.columns.tolist() == ["row", "prediction", "subject", "side", *FIELDS, "alike"]
    assert explanations[5].resembles_nothing
    expected = [(e.id, e.prediction, a.id) for e in explanations for a in e.arguments_for + e.arguments_against]
    assert list(zip(frame["row"], frame["prediction"], frame["id"], strict=True)) == expected
    assert frame.index.tolist() == list(range(len(expected)))
    for name in ("distance", "similarity", "membership", "degree", "strength", "weight"):
        assert frame[name].dtype == float
    for name in ("index", "alike"):
        assert frame[name].dtype.kind == "i"


def test_frames_without_arguments_have_the_same_columns(explanations):
    """Of a row that resembles nothing, of several, and of no rows."""
    alone = explanations[5].to_frame()
    assert len(alone) == 0
    assert alone.columns.tolist() == ["side", *FIELDS, "alike"]
    for part in (explanations[5:], explanations[:0]):
        frame = part.to_frame()
        assert isinstance(frame, pd.DataFrame)
        assert len(frame) == 0
        assert frame.columns.tolist() == ["row", "prediction", "subject", "side", *FIELDS, "alike"]
