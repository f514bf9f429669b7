"""The schema says of every field of every part what it is, and its words refuse what they should."""

import dataclasses

import numpy as np
import pytest

from fgac.estimators._plain import DEFAULTS
from fgac.explanation.held_out import HeldOut
from fgac.metrics.distances import Rows
from fgac.persistence import ModelFileError, declarations
from fgac.persistence.parts import RECORD_NAMES, ROW_NAMES
from fgac.persistence.schema import Dict, Either, Many, Maybe, Record, Tuple, check
from fgac.persistence.schema_base import Relation
from fgac.persistence.schema_values import Array, Choice, Flag, Kind, Label, Labels, Number, Text, Whole
from fgac.persistence.states import KINDS
from fgac.solve.solution import Solution
from fgac.tables.columns import Column
from fgac.tables.targets import TargetScale
from fgac.tables.training_rows import TrainingRecords

STORED = {
    Column: (declarations.COLUMN, {}),
    Rows: (declarations.ROWS, ROW_NAMES),
    TrainingRecords: (declarations.RECORDS, RECORD_NAMES),
    Solution: (declarations.solution_of("n"), {}),
    TargetScale: (declarations.REGRESSOR.parts["scale"], {}),
    HeldOut: (declarations.SELECTION, {}),
}


@pytest.mark.parametrize(("kind", "stored"), STORED.items(), ids=lambda one: getattr(one, "__name__", ""))
def test_every_field_is_declared(kind, stored):
    """A new field is one more line of the declaration: optional, with a default, for files that have it not."""
    declared, names = stored
    fields = {names.get(field.name, field.name): field for field in dataclasses.fields(kind)}
    assert set(declared.parts) == set(fields)
    for name in declared.optional:
        assert fields[name].default is not dataclasses.MISSING


@pytest.mark.parametrize("name", KINDS)
def test_every_parameter_is_declared(name):
    assert set(declarations.MODELS[name].parts["params"].parts) == set(DEFAULTS[KINDS[name].state])


PAIR = Record(
    {"a": Array("f8", "n", 0.0, 1.0, also=np.nan), "b": Maybe(Array("i8", "n", numbers="n"))},
    optional=("b",),
    relations=(Relation("a is not rising", lambda parts, _: (np.diff(parts["a"]) >= 0).all()),),
)
HALF = np.array([0.5])
# Declaration, a value that fits, and some that do not.
WORDS = {
    "number": (
        Number(0.0, 1.0),
        [0, 1.0, np.float64(0.5)],
        [True, "1", None, 2, np.nan, -0.1, HALF, 10**400, np.float32(0.5)],
    ),
    "between": (
        Number(0.0, 1e300, between=True, typed=True),
        [0.5, 1e299, np.float32(3e38), np.int8(1)],
        [0.0, 1e300, np.inf, np.nan, np.float32(np.inf)],
    ),
    "whole": (Whole(1, 5, but=(3,)), [1, np.int8(5)], [0, 6, 3, 1.0, True, None, 2**70]),
    "flag": (Flag(), [True, np.bool_(False)], [0, 1, "true", None]),
    "text": (Text(), ["", "a"], [b"a", None, 1, "x" * 1_000_001]),
    "choice": (Choice(("a", None)), ["a", None], ["b", 0, ["a"]]),
    "kind": (Kind(Whole), [Whole(1)], [1, Whole]),
    "label": (Label(), ["a", 1, 1.5, True, np.inf], [None, np.nan, (1,), np.array(["a"])]),
    "array": (Array("f8", "n"), [HALF], [[0.5], HALF.astype("f4"), HALF[None], 0.5, HALF.astype(">f8")]),
    "range": (Array("f8", "n", 0.0, 1.0), [HALF], [2 * HALF + 1, HALF * np.nan]),
    "layout": (Array("f8", "nm"), [np.ones((2, 3))], [np.ones((3, 2)).T]),
    "labels": (Labels(".", "OU", distinct=True), [np.array(["a", "b"])], [np.array(["a", "a"]), np.array([1])]),
    "objects": (Labels(".", "O"), [np.array([1, "a"], dtype=object)], [np.array([1, None], dtype=object)]),
    "either": (Either((Text(), Whole(1))), ["a", 1], [0, None]),
    "maybe": (Maybe(Text()), ["a", None], [1]),
    "many": (Many(Whole(0), low=1, high=2), [[1], (1, 2)], [[], [1, 2, 3], {1}, [None]]),
    "tuple": (Tuple((Text(), Whole(0))), [("a", 1)], [("a",), ["a", 1], (1, "a")]),
    "dict": (Dict(Text(), Whole(0)), [{}, {"a": 1}], [{1: 1}, {"a": "b"}, [("a", 1)]]),
    "record": (
        PAIR,
        [{"a": HALF}, {"a": HALF, "b": np.array([0])}, {"a": HALF * np.nan, "b": None}][:2],
        [{}, {"a": HALF, "c": 1}, {"a": HALF, "b": np.array([1])}, {"a": np.array([1.0, 0.0])}, {"a": 2 * HALF + 1}],
    ),
}


@pytest.mark.parametrize(("declared", "good", "bad"), WORDS.values(), ids=WORDS)
def test_words(declared, good, bad):
    for value in good:
        check(Record({"part": declared}), {"part": value})
    for value in bad:
        with pytest.raises(ModelFileError, match="is inconsistent: ") as caught:
            check(Record({"part": declared}), {"part": value})
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 400


def test_letters_of_a_record_are_its_own_if_it_says_so():
    """Every solution has as many active constraints as it has, and every boundary its own nodes."""
    part = Record({"a": Array("f8", "a"), "b": Array("f8", "a")}, own="a")
    one, two = {"a": HALF, "b": HALF}, {"a": np.ones(2), "b": np.ones(2)}
    check(Many(part), [one, two])
    with pytest.raises(ModelFileError, match=r"1/b is .* expected shape \(2,\)"):
        check(Many(part), [one, {"a": np.ones(2), "b": HALF}])


def test_values_in_errors_are_short_and_in_one_line():
    with pytest.raises(ModelFileError) as caught:
        check(Text(), [[np.ones((20, 20))], "x\ny" * 10_000])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
