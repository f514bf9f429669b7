"""Whole numbers and 0/1 columns: what is certified about them are whole changes, and those hold."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.tables.value_kinds import learned_kind
from support.property_tests import examples

N = 60


def people(seed=0, n=N):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "children": rng.integers(0, 4, n).astype(float),
            "smoker": rng.integers(0, 2, n),
            "weight": rng.normal(70, 10, n),
        }
    )
    return frame, (frame["age"] + 20 * frame["smoker"] + rng.normal(0, 5, n) > 65).to_numpy()


X, Y = people()


def test_kinds_of_columns():
    model = FGAClassifier(gamma=2.0).fit(X, Y)
    assert [column.kind for column in model._state.table.columns] == ["whole", "whole", "binary", "number"]
    assert [feature.kind for feature in model.explain(X[:1])[0].attributes] == ["whole", "whole", "binary", "number"]


@pytest.mark.parametrize(
    ("values", "said", "kind"),
    [
        ([0.0, 1.0] * 10, "number", "binary"),
        ([0.0, 2.0] * 10, "number", "whole"),
        ([0.0, 1.0], "number", "number"),  # too few to tell
        ([0.0, 1.0], "whole", "binary"),
        ([0.0, 0.5] * 10, "number", "number"),
        ([np.nan, 1.0] * 20, "number", "binary"),
        ([np.nan] * 20, "number", "number"),
        ([1e300] * 30, "number", "number"),
        ([], "whole", "number"),
    ],
)
def test_values_tell_what_they_are(values, said, kind):
    assert learned_kind(np.array(values), said) == kind


def test_values_are_told_as_whole_numbers():
    first, second, third, fourth = FGAClassifier(gamma=2.0).fit(X, Y).explain(X[:1])[0].attributes
    assert all(type(part.value) is int for part in (first, second, third))
    assert type(fourth.value) is float


@pytest.mark.parametrize("setting", [{}, {"scale": "rank"}, {"monotonic_cst": {"age": 1, "smoker": 1}}], ids=str)
@pytest.mark.parametrize("gamma", [0.5, 3.0])
def test_certified_changes_keep_the_label(setting, gamma):
    """Every whole change up to the radius, and the other of 0 and 1 if it is said to be safe."""
    model = FGAClassifier(gamma=gamma, **setting).fit(X, Y)
    new, _ = people(seed=1, n=15)
    seen = set()
    for i, e in enumerate(model.explain(new)):
        if e.certified_radius < 1e-6:
            continue
        row = new.iloc[[i]]
        for feature in e.attributes[:3]:
            seen.add((feature.kind, feature.radius is None or feature.radius > 0))
            if feature.kind == "binary":
                assert feature.radius in (None, 0.0)
                changes = [1 - 2 * feature.value] if feature.radius is None else []
            else:
                assert feature.radius is None or feature.radius == round(feature.radius)
                steps = np.arange(1, 1 + min(30, 30 if feature.radius is None else feature.radius))
                changes = [sign * step for step in steps for sign in (-1, 1)]
            moved = [row.assign(**{feature.name: row[feature.name] + change}) for change in changes]
            assert not moved or set(model.predict(pd.concat(moved))) == {e.prediction}, feature
    assert ("whole", True) in seen


def test_no_whole_change_may_be_certified():
    """An allowance below 1 is none, and nothing is said of a part of a child."""
    model = FGAClassifier(gamma=20.0).fit(X, Y)
    found = [e for e in model.explain(X) if e.attributes[1].radius == 0 and e.certified_radius > 1e-6]
    assert found
    for e in found:
        assert "'children' alone changes by" not in e.text()
        assert "another value in" in e.text().lower()


def test_an_unheard_of_part_of_a_whole_is_a_number():
    model = FGAClassifier(gamma=2.0).fit(X, Y)
    feature = model.explain(X[:1].assign(children=1.5))[0].attributes[1]
    assert feature.value == 1.5
    assert feature.radius != round(feature.radius)


def test_ordered_classes():
    grades = np.digitize(X["age"], [40, 65])
    e = FGAOrdinalClassifier(gamma=2.0, monotonic_cst={"smoker": 1}).fit(X, grades).explain(X[:20])
    for feature in (feature for item in e for feature in item.attributes[:3]):
        assert feature.radius is None or feature.radius == round(feature.radius)


def test_steps_of_numbers_are_whole():
    e = FGARegressor(gamma=2.0).fit(X, X["weight"] + X["age"]).explain(X[:1])[0]
    steps = {effect.name: effect.step for effect in e.attributes}
    assert steps["age"] == 5.0
    assert steps["children"] == steps["smoker"] == 1.0
    assert steps["weight"] != round(steps["weight"]) or steps["weight"] >= 1
    moved = [X[:1].assign(smoker=1 - X["smoker"][0]), X[:1].assign(children=X["children"][0] + 1)]
    model = FGARegressor(gamma=2.0).fit(X, X["weight"] + X["age"])
    for row, effect in zip(moved, (e.attributes[2], e.attributes[1]), strict=True):
        assert abs(model.predict(row)[0] - e.prediction) <= effect.change + 1e-9


@examples(25)
@given(st.integers(0, 10_000), st.floats(0.2, 20.0))
def test_whole_changes_hold_on_any_table(seed, gamma):
    rng = np.random.default_rng(seed)
    table, y = rng.integers(0, 4, (24, 3)), rng.integers(0, 3, 24)
    table[:, 2] = table[:, 2] > 1
    model = FGAClassifier(gamma=gamma).fit(table, y)
    for row, e in zip(table[:6], model.explain(table[:6]), strict=True):
        if e.certified_radius < 1e-5:
            continue
        for j, feature in enumerate(e.attributes):
            other = [1 - 2 * row[2]] if feature.kind == "binary" else [-1, 1, -2, 2]
            limit = np.inf if feature.radius is None else feature.radius
            for change in (change for change in other if abs(change) <= limit):
                assert model.predict([row + change * np.eye(3)[j]])[0] == e.prediction
