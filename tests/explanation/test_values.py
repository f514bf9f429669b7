"""Explanations are values: frozen, comparable, plain when asked, and the same after a trip through JSON."""

import dataclasses
import json
import pickle

import numpy as np
import pytest
from sklearn.metrics.pairwise import euclidean_distances

from fgac import FGAClassifier
from fgac.explanation.classification import (
    Argument,
    Explanation,
    Explanations,
    FeatureComparison,
    FeatureValue,
    Membership,
)
from support.explained import SETTINGS, assert_plain_values, distances, samples
from support.frames import as_pandas, mixed_columns

FAR = [[40.0, 40.0]]


@pytest.fixture(scope="module")
def explanations():
    """Explanations of ordinary rows and of one that resembles nothing."""
    X, y = samples(30)
    clf = FGAClassifier(gamma=2.0).fit(X, np.array(["low", "mid", "high"])[y], ids=[f"r{i}" for i in range(30)])
    return clf.explain(np.vstack([samples(5, seed=2)[0], FAR]), y=["low"] * 6, units={"x0": "cm"})


# ----------------------------------------------------------------------------------------------------
# Immutability, equality, hashing
# ----------------------------------------------------------------------------------------------------


def test_nothing_can_be_changed(explanations):
    """Neither a field nor a part of one."""
    e = explanations[0]
    parts = [explanations, explanations.model, e, e.memberships[0], e.arguments_for[0], e.attributes[0]]
    for value in [*parts, e.arguments_for[0].attributes[0]]:
        name = dataclasses.fields(value)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, "changed")
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(value, name)


def test_sequences_inside_are_tuples(explanations):
    """At every depth: a list could be changed."""
    for e in explanations:
        kinds = {
            e.memberships: Membership,
            e.arguments_for: Argument,
            e.arguments_against: Argument,
            e.attributes: FeatureValue,
        }
        for parts, kind in kinds.items():
            assert type(parts) is tuple
            assert all(type(part) is kind for part in parts)
        assert type(e.tied) is tuple
        for a in e.arguments_for:
            assert type(a.alike) is tuple
            assert all(type(c) is FeatureComparison for c in a.attributes)
    assert type(explanations.items) is tuple
    assert type(explanations.model.classes) is type(explanations.model.class_sizes) is tuple


def test_equal_explanations_are_equal_and_hash_alike():
    """They can be keys; a changed copy is another value."""
    X, y = samples(30)
    clf = FGAClassifier(gamma=2.0).fit(X, y)
    first, second = clf.explain(X[:3]), clf.explain(X[:3])
    assert first == second
    assert first[0] is not second[0]
    assert [hash(e) for e in first] == [hash(e) for e in second]
    assert len({*first, *second}) == 3
    assert dataclasses.replace(first[0], truth=1) != first[0]


def test_pickling(explanations):
    """To another process and back."""
    assert pickle.loads(pickle.dumps(explanations)) == explanations
    assert pickle.loads(pickle.dumps(explanations[0])) == explanations[0]


# ----------------------------------------------------------------------------------------------------
# A sequence
# ----------------------------------------------------------------------------------------------------


def test_it_is_a_sequence(explanations):
    """Length, order, negative places, membership, iteration."""
    assert len(explanations) == 6
    assert [e.index for e in explanations] == list(range(6))
    assert explanations[-1] is explanations[5]
    assert explanations[2] in explanations
    assert explanations.index(explanations[3]) == 3
    assert next(reversed(explanations)) is explanations[5]
    with pytest.raises(IndexError):
        explanations[6]


def test_a_part_of_them_keeps_the_model(explanations):
    """Slices are Explanations; rows keep their places."""
    part = explanations[1:6:2]
    assert isinstance(part, Explanations)
    assert [e.index for e in part] == [1, 3, 5]
    assert part.model == explanations.model
    assert part.audit == explanations.audit
    assert len(explanations[:0]) == 0
    assert explanations[:] == explanations


# ----------------------------------------------------------------------------------------------------
# Plain values and JSON
# ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_there_and_back(setting):
    """What JSON brings back is equal, in every setting, row by row and all together."""
    X, y = samples(30)
    explanations = FGAClassifier(gamma=2.0, **setting).fit(X, y).explain(np.vstack([X[:4] + 0.03, FAR]), y=y[:5])
    assert_there_and_back(explanations)


def assert_there_and_back(explanations):
    """Check plain values, strict JSON, and what is read from both."""
    assert_plain_values(explanations.to_dict())
    text = explanations.to_json()
    json.loads(text, parse_constant=pytest.fail)  # no NaN, no Infinity
    assert Explanations.from_json(text) == explanations
    assert Explanations.from_dict(explanations.to_dict()) == explanations
    assert Explanations.from_json(text).to_json() == text
    for e in explanations:
        assert Explanation.from_json(e.to_json()) == e
        assert Explanation.from_dict(e.to_dict()) == e
        assert hash(Explanation.from_json(e.to_json())) == hash(e)


@pytest.mark.parametrize(
    "setting",
    [
        {"metric": euclidean_distances},
        {"metric": lambda A, B: euclidean_distances(A, B)},
        {"owa": np.arange(20, 0, -1) / 210},
        {"owa": lambda n: np.arange(n, 0, -1) / (n * (n + 1) / 2)},
        {"isomorphism": (np.square, np.sqrt)},
        {"class_weight": {0: 1.0, 1: np.float64(2.0)}},
        {"gamma": np.float32(2.0)},
        {"n_neighbors": np.int64(3)},
        {"feature_weights": np.array([1, 2])},
        {"categorical_features": np.array([False, True])},
    ],
    ids=lambda setting: next(iter(setting)),
)
def test_settings_of_ones_own_become_plain_too(setting):
    """Functions, arrays and numpy's numbers in the parameters are no obstacle."""
    X, y = samples(20, n_classes=2)
    assert_there_and_back(FGAClassifier(**setting).fit(X, y).explain(X[:2]))


def test_functions_are_told_by_their_names():
    """An address in memory says nothing, and would be another one tomorrow."""
    X, y = samples(20)
    text = (
        FGAClassifier(metric=euclidean_distances, isomorphism=(np.square, np.sqrt)).fit(X, y).explain(X[:1]).to_json()
    )
    assert "euclidean_distances" in text
    assert "0x" not in text


@pytest.mark.parametrize("huge", [1e100, 1e160, 1e300])
def test_absurd_numbers(huge):
    """What predict takes, explain takes; the answer is still JSON."""
    clf = FGAClassifier().fit([[0.0, 0.0], [1.0, 1.0]], ["a", "b"])
    assert clf.predict([[huge, 0.0]])[0] in ("a", "b")
    assert_there_and_back(clf.explain([[huge, 0.0]]))


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "b"],
        [0, 1],
        [False, True],
        [1.0, 2.0],
        np.array([3, 4], dtype=np.int8),
        np.array(["ä<b>", '"\\\n'], dtype=object),
    ],
    ids=str,
)
def test_labels_keep_their_kind(labels):
    """Text stays text, numbers numbers, truth values truth values."""
    X, y = samples(20, n_classes=2)
    named = np.asarray(labels)[y]
    explanations = FGAClassifier().fit(X, named).explain(X[:4], y=named[:4])
    assert_there_and_back(explanations)
    expected = np.asarray(labels).tolist()
    for e in Explanations.from_json(explanations.to_json()):
        for label in (e.prediction, e.truth, e.runner_up, e.arguments_for[0].label):
            assert label in expected
            assert type(label) is type(expected[0])


def test_mixed_tables_and_distances():
    """Nominal values, categories that fit did not see, and no values at all."""
    columns, y = mixed_columns(36)
    asked, _ = mixed_columns(9, seed=3)
    asked["city"][0] = "Oslo"
    assert_there_and_back(FGAClassifier(gamma=0.7).fit(as_pandas(columns), y).explain(as_pandas(asked)))
    X, labels = samples(20)
    D = distances(X, X, X, {})
    assert_there_and_back(FGAClassifier(metric="precomputed").fit(D, labels).explain(D[:3]))


@pytest.mark.parametrize("labels", [["only"], ["only", "only"]], ids=["one row", "one class"])
def test_small_models(labels):
    """One row, or one class."""
    X = np.arange(len(labels), dtype=float)[:, None]
    assert_there_and_back(FGAClassifier().fit(X, labels).explain([[0.3], [99.0]]))


def test_with_an_audit():
    """An audit travels with the explanations."""
    from fgac import audit

    X, y = samples(30)
    clf = FGAClassifier(gamma=2.0).fit(X, y)
    explanations = dataclasses.replace(clf.explain(X[:3]), audit=audit(clf, 5))
    assert len(explanations.audit) == 5
    assert_there_and_back(explanations)
    back = Explanations.from_json(explanations.to_json()).audit
    assert type(back) is type(explanations.audit)
    assert back[0] == explanations.audit[0]
    assert explanations[1:].audit == explanations.audit


def test_a_file_of_json(explanations, tmp_path):
    """The text is also written, in UTF-8, if a path is given."""
    path = tmp_path / "why.json"
    text = explanations.to_json(path)
    assert path.read_text(encoding="utf-8") == text
    assert [file.name for file in tmp_path.iterdir()] == ["why.json"]
    assert Explanations.from_json(path.read_text(encoding="utf-8")) == explanations
    explanations[:1].to_json(str(path))
    assert len(Explanations.from_json(path.read_text(encoding="utf-8"))) == 1


def test_plain_values_are_copies(explanations):
    """Changing them changes no explanation."""
    before = explanations.to_json()
    plain = explanations.to_dict()
    plain["items"][0]["arguments_for"].clear()
    plain["model"]["settings"].clear()
    plain["items"][0]["id"] = "changed"
    assert explanations.to_json() == before


@pytest.mark.parametrize("change", [{"format": 99}, {"format": None}, {"surprise": 1}], ids=str)
def test_foreign_json_is_refused(explanations, change):
    """Another format, or fields that do not belong there."""
    with pytest.raises(ValueError, match=r"format|surprise"):
        Explanations.from_dict({**explanations.to_dict(), **change})


def test_missing_fields_are_named(explanations):
    """An explanation without one of its parts."""
    plain = explanations[0].to_dict()
    del plain["margin"]
    with pytest.raises(ValueError, match="margin"):
        Explanation.from_dict(plain)
