"""Files that were signed again by someone who knows the format: nothing in them crashes, hangs or fills memory.

Each of these did one of the three before everything in a file was declared. What is refused is refused by what it is,
before anything is built of it, so that these tests need no clock.
"""

import numpy as np
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, save_model
from fgac.estimators._state import state_of
from fgac.persistence import ModelFileError
from fgac.persistence.encoding import Decoder, encode
from fgac.persistence.states import describe, rebuild
from support.model_files import forged, mixed_table, told

X = np.array([[0.0, 1.0], [0.2, 0.5], [0.4, 0.1], [0.7, 0.9], [0.9, 0.3], [1.0, 0.6]])
LABELS = ["a", "a", "b", "b", "c", "c"]
MODELS = {
    "two": FGAClassifier(gamma=2.0).fit(X, ["a", "a", "a", "b", "b", "b"]),
    "three": FGAClassifier(gamma=2.0).fit(X, LABELS),
    "monotone": FGAClassifier(monotonic_cst=[1, 0]).fit(X, ["a", "a", "a", "b", "b", "b"]),
    "family": FGAClassifier(owa="additive").fit(X, LABELS),
    "weights": FGAClassifier(owa=(np.full(3, 1 / 3), 3)).fit(X, LABELS),
    "distances": FGAClassifier(metric="precomputed").fit(np.abs(X[:, :1] - X[:, 0]), LABELS),
    "ordinal": FGAOrdinalClassifier().fit(X, LABELS),
    "regressor": FGARegressor(gamma=2.0, interval=0.5).fit(X, X[:, 0] ** 2),
    "rank": FGARegressor(scale="rank").fit(X, X[:, 0] ** 2),
    "nominal": FGAClassifier().fit(*mixed_table()),
}
HUGE = 2**62


def changed(name, path, value):
    """Return the parts of a model with another value at a path."""
    parts = describe(state_of(MODELS[name]), values=True)
    *steps, last = path.split("/")
    place = parts
    for step in steps:
        place = place[int(step) if isinstance(place, list | tuple) else step]
    place[int(last) if isinstance(place, list) else last] = value(place.get(last)) if callable(value) else value
    return parts


def entry(place, value):
    """Return a change of one entry of an array."""

    def change(array):
        array = array.copy()
        array[place] = value
        return array

    return change


# A model, a part, its new value, and what is said of it.
HOSTILE = {
    # Differences of 64 bits wrap around: these fall, and np.repeat was asked for more than memory.
    "wrapped starts": ("three", "model/starts", np.array([0, HUGE, -HUGE, 6]), "do not start one after the other"),
    "wrapped starts of two": ("two", "model/starts", np.array([0, -(2**63), 6]), "do not start one after the other"),
    "an empty class": ("three", "model/starts", np.array([0, 2, 2, 6]), "do not start one after the other"),
    # Compiled loops read as many ordered coordinates as the rows of the table have.
    "ordered without columns": ("two", "rows/ordered", np.zeros((6, 9)), "expected nothing"),
    "facing without columns": ("two", "rows/facing", np.ones(6), "expected nothing"),
    "no ordered": ("monotone", "rows/ordered", None, "expected something"),
    "few ordered": ("monotone", "rows/ordered", np.zeros((2, 1)), r"expected shape \(6, 1\)"),
    "short facing": ("monotone", "rows/facing", np.ones(2), r"expected shape \(6,\)"),
    "odd facing": ("monotone", "rows/facing", np.full(6, 0.5), "do not face each other"),
    "by column": ("two", "rows/numeric", np.asfortranarray, "lies in memory as no rows do"),
    # The sum of these is the length of an array.
    "many times": ("weights", "soft/times", np.full(6, 1e12), "no weights for as many rows"),
    "no times": ("family", "soft/times", np.zeros(6), "do not lie between"),
    "negative times": ("family", "soft/times", entry(0, -5.0), "do not lie between"),
    "long owa": ("weights", "soft/owa", (np.full(3, 1 / 3), 10**9), "no weights for as many rows"),
    "nan owa": ("weights", "soft/owa", (np.array([np.nan, 0.5, 0.5]), 3), "no weights for as many rows"),
    # Numbers that predict nothing.
    "gamma nan": ("two", "gamma", np.nan, "gamma is nan"),
    "gamma -1": ("two", "gamma", -1.0, "gamma is -1.0"),
    "gamma text": ("two", "gamma", "2", "gamma is '2'"),
    "gamma in half precision": ("two", "gamma", np.float16(2.0), "gamma is np.float16"),
    "gamma bool": ("two", "gamma", True, "gamma is True"),
    "parameter gamma": ("regressor", "params/gamma", np.inf, "params/gamma is inf"),
    "ties": ("two", "params/ties", "last", "params/ties is 'last'"),
    "threads": ("two", "n_jobs", 10**9, "n_jobs is"),
    "exponent": ("two", "exponent", 1e9, "exponent is"),
    "unit": ("two", "table/unit", 0.0, "table/unit is"),
    "scale": ("two", "table/columns/0/scale", 0.0, "scale is 0.0"),
    "origin": ("two", "table/columns/0/origin", np.nan, "origin is nan"),
    "weight": ("two", "table/columns/0/weight", -1.0, "weight is -1.0"),
    "direction": ("two", "table/columns/0/direction", 2, "direction is 2"),
    "beta nan": ("two", "model/beta", entry(0, np.nan), "do not lie between 0 and 1"),
    "beta 2": ("two", "model/beta", entry(0, 2.0), "do not lie between 0 and 1"),
    "coordinate": ("two", "rows/numeric", entry((0, 0), np.inf), "do not lie between"),
    "opposition": ("three", "model/opposition", lambda array: np.zeros_like(array), "oppose their own class"),
    "rank": ("three", "model/rank", np.array([0, 0, 1]), "same rank"),
    "negative distance": ("distances", "rows/numeric", entry((0, 1), -1.0), "no distances"),
    "row of distances": ("distances", "rows/codes", np.full((6, 1), 6, dtype=np.int32), "points outside"),
    "negative codes": ("nominal", "rows/codes", lambda array: array - 1, "points outside"),
    "codes of nothing": ("nominal", "rows/codes", lambda array: array - 3, "do not lie between"),
    "negative row of distances": ("distances", "rows/codes", np.full((6, 1), -2, dtype=np.int32), "points outside"),
    "middle": ("two", "table/columns/0/middle", np.inf, "middle is inf"),
    "unknown weight": ("two", "table/columns/0/unknown_weight", -1.0, "unknown_weight is -1.0"),
    "marks that rows do not have": ("two", "table/columns/0/unknown_weight", 1.0, r"expected shape \(6, 3\)"),
    "unknown weight of names": ("nominal", "table/columns/1/unknown_weight", 1.0, "neither ranks nor a direction"),
    "mismatch": ("nominal", "rows/mismatch", lambda array: array * 2, "not what the weights of its columns say"),
    "categories": ("nominal", "table/columns/1/categories", {}, "not numbered as they should be"),
    "ranks": ("rank", "table/columns/0/ranks", ((1.0, 0.0), (0.2, 0.8)), "do not rise"),
    "shares": ("rank", "table/columns/0/ranks", ((0.0, 1.0), (0.2, 8.0)), "is 8.0"),
    "long ranks": ("rank", "table/columns/0/ranks", ((0.0,) * 300, (0.2,) * 300), "300 entries"),
    "active": ("two", "solution/active/tail", lambda array: array - HUGE, "points outside"),
    "bound": ("two", "solution/active/bound", lambda array: array - 9.0, "do not lie between"),
    "multipliers": ("two", "solution/multipliers", lambda array: array - 9.0, "do not lie between"),
    "nodes": ("two", "records/nodes", lambda array: array * 0, "nodes that stand for no row"),
    "positions": ("two", "records/positions", np.zeros(6, dtype=int), "order of their table"),
    "row classes": ("two", "records/codes", lambda array: array[::-1].copy(), "other classes than their nodes"),
    "values": ("nominal", "records/values", lambda values: values[::-1], "not what its columns hold"),
    "membership": ("two", "attributes/beta_", entry(0, np.nan), "those of the rows trained on"),
    "same classes": ("two", "attributes/classes_", np.array(["a", "a"]), "holds a name twice"),
    "no classes": ("two", "attributes/classes_", np.array([np.nan, 1.0]), "holds a name twice, or what is no name"),
    "names": ("nominal", "attributes/feature_names_in_", np.array(["x", "y", "z"], dtype=object), "other names"),
    "targets": ("regressor", "targets", lambda array: array * 2, "not scaled as it says"),
    "width": ("regressor", "scale/width", 0.0, "scale/width is 0.0"),
    "interval": ("regressor", "params/interval", None, "its interval lacks"),
    "more": ("two", "more", 1, "a part 'more' too much"),
    "boundary": ("ordinal", "boundaries/1/attributes/n_features_in_", 1, "n_features_in_|columns has"),
}


@pytest.mark.parametrize(("name", "path", "value", "said"), HOSTILE.values(), ids=HOSTILE)
def test_parts_that_bite_are_refused(name, path, value, said):
    with pytest.raises(ModelFileError, match=said) as caught:
        rebuild(changed(name, path, value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", MODELS)
def test_parts_that_were_not_changed_are_read(name):
    assert type(rebuild(describe(state_of(MODELS[name]), values=True))) is type(state_of(MODELS[name]))


@pytest.mark.parametrize("name", MODELS)
def test_every_part_is_needed(name):
    """No part may be missing, but for those that older files have not."""
    for part in set(describe(state_of(MODELS[name]), values=True)) - {"kind"}:
        parts = describe(state_of(MODELS[name]), values=True)
        del parts[part]
        with pytest.raises(ModelFileError):
            rebuild(parts)


# ----------------------------------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------------------------------


def nested(kind, depth):
    """Return a value within a value within a value."""
    value = 1.0
    for _ in range(depth):
        value = {"objects": [[value], "a"]} if kind == "objects" else {kind: [value]}
    return value


@pytest.mark.parametrize("kind", ["list", "tuple", "objects"])
def test_values_within_values_end_somewhere(kind):
    with pytest.raises(ModelFileError, match=r"nested more than|unknown kind"):
        Decoder({"a": np.zeros(1000, dtype=int)}).value(nested(kind, 40))


VALUES = {
    "two kinds": {"list": [], "tuple": []},
    "no kind": {},
    "a list": [1],
    "objects in objects": {"objects": [[{"list": [1]}], "a"]},
    "objects outside": {"objects": [[1.0], "a"]},
    "floats as numbers": {"objects": [[1.0], "b"]},
    "scalar out of range": {"scalar": ["|i1", 300]},
    "scalar of another type": {"scalar": ["<i8", 1.5]},
    "bool as number": {"scalar": ["<i8", True]},
    "empty scalar": {"scalar": ["|V0", 1]},
    "power": {"power": 1e9},
    "odd float": {"float": "1e5"},
    "same key": {"items": [[1, 2], [True, 3]]},
    "no pair": {"items": [[1]]},
    "long text": "x" * 2_000_000,
    "long number": 10**50,
    "many long numbers": {"list": [2**70 + i for i in range(2000)]},
    "many powers": {"list": [{"power": 2.0}] * 2000},
    "twice": {"list": [{"array": "a"}, {"array": "a"}]},
    "nowhere": {"array": "z"},
}


@pytest.mark.parametrize("plain", VALUES.values(), ids=VALUES)
def test_odd_values_are_refused(plain):
    with pytest.raises(ModelFileError) as caught:
        Decoder({"a": np.array([0, 1, 2]), "b": np.array([0.0])}).value(plain)
    assert len(str(caught.value)) < 300


def test_what_stands_beside_the_model_is_refused(refused):
    refused(forged(told("gamma", {"array": "model/beta"})), "does not hold, or holds once only")
    beside = encode(np.zeros(3), "spare", spare := {})
    assert (beside, list(spare)) == ({"array": "spare"}, ["spare"])
    refused(forged(lambda header, members: members.update({"spare.npy": members["model/beta.npy"]})), "no part of its")
    refused(forged(lambda header, members: header.update(model=[])), "unknown kind of value")
    refused(forged(told("kind", "forest")), "unknown kind 'forest'")
    refused(forged(told("kind", {"list": []})), "unknown kind")


def test_a_model_beyond_the_limits_is_not_written(tmp_path):
    """It says which part, and nothing is written."""
    model = FGAClassifier().fit([[0.0], [1.0]], [0, 1]).set_params(n_jobs=0)
    with pytest.raises(ModelFileError, match="the fitted model is inconsistent: params/n_jobs is 0"):
        save_model(model, tmp_path / "model.fgac")
    assert not list(tmp_path.iterdir())
