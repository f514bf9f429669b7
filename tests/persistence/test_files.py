"""Model files: what is loaded equals what was saved to the last bit, and nothing else is ever loaded."""

import builtins
import dataclasses
import io
import json
import os
import pickle
import struct
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from fgac import FGAClassifier, FGAClassifierCV, FRNNClassifier
from fgac.fuzzy.connectives import Isomorphism, power
from fgac.persistence import ModelFileError, load_model, read_notes, save_model
from fgac.persistence import archive as archive_module
from fgac.persistence.encoding import decode, encode
from support.strategies import queries, table_cases

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
    save_model(clf, tmp_path / "model.fgac", **options)
    return load_model(tmp_path / "model.fgac")


def assert_same(left, right, where="model"):
    """Assert that two values are the same to the last bit: types, layouts of arrays, order of dicts and all."""
    assert type(left) is type(right), where
    if isinstance(left, np.ndarray):
        assert (left.dtype, left.shape) == (right.dtype, right.shape), where
        assert left.ndim < 2 or left.flags.c_contiguous == right.flags.c_contiguous, where
        if left.dtype.kind == "O":
            assert_same(left.tolist(), right.tolist(), where)
        else:
            assert left.tobytes() == right.tobytes(), where
    elif dataclasses.is_dataclass(left):
        for field in dataclasses.fields(left):
            assert_same(getattr(left, field.name), getattr(right, field.name), f"{where}.{field.name}")
    elif isinstance(left, dict):
        assert list(left) == list(right), where
        assert [type(key) for key in left] == [type(key) for key in right], where
        for key in left:
            assert_same(left[key], right[key], f"{where}[{key!r}]")
    elif isinstance(left, tuple | list):
        assert len(left) == len(right), where
        for place, (one, other) in enumerate(zip(left, right, strict=True)):
            assert_same(one, other, f"{where}[{place}]")
    elif isinstance(left, float | np.generic):
        assert repr(left) == repr(right), where  # nan is nan, and -0.0 is not 0.0
    else:
        assert left == right, where


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


SETTINGS = {
    "defaults": {},
    "gamma": {"gamma": 3.7},
    "whole gamma": {"gamma": 2},
    "numpy gamma": {"gamma": np.float32(1.3), "verbose": np.int64(0), "n_neighbors": np.int8(2)},
    "absolute": {"loss": "absolute_error"},
    "manhattan": {"metric": "manhattan"},
    "chebyshev": {"metric": "chebyshev"},
    "robust": {"scale": "robust"},
    "unscaled": {"scale": None, "gamma": 0.2},
    "neighbours": {"n_neighbors": 2},
    "share of neighbours": {"n_neighbors": 0.5},
    "owa": {"owa": "additive"},
    "owa of pairs": {"owa": ("exponential", 3)},
    "owa of weights": {"owa": np.full(12, 1 / 12)},
    "owa of a list": {"owa": [0.25] * 4 + [0.0] * 8},
    "owa of a pair with weights": {"owa": (np.full(4, 0.25), 4)},
    "power": {"isomorphism": 2.5},
    "identity": {"isomorphism": "identity"},
    "power below 1": {"isomorphism": 0.5, "owa": "inverse_additive"},
    "power object": {"isomorphism": power(3)},
    "names": {"categorical_features": ["colour", "old"]},
    "positions": {"categorical_features": np.array([1, 2])},
    "objects": {"categorical_features": np.array(["colour", "old"], dtype=object)},
    "mask": {"categorical_features": (False, True, True)},
    "weights": {"feature_weights": [1.0, 0.25, 0.0]},
    "weights array": {"feature_weights": np.array([1, 2, 3])},
    "balanced": {"class_weight": "balanced"},
    "class weights": {"class_weight": {"a": 1, "b": 2.5, "c": np.float64(0.3)}},
    "first": {"ties": "first", "n_jobs": 2, "tol": 1e-8},
}


@pytest.mark.parametrize("two_classes", [False, True])
@pytest.mark.parametrize("params", SETTINGS.values(), ids=SETTINGS)
def test_every_setting_comes_back_to_the_last_bit(params, two_classes, tmp_path):
    X, y = mixed_table()
    if two_classes:
        y = np.where(y == "c", "b", y)
        params = {**params, "class_weight": {"a": 2.0, "b": 1.0}} if "class_weight" in params else params
    clf = FGAClassifier(**params).fit(X, y, sample_weight=[1, 2, 1, 1, 1, 1, 0, 1, 1, 3])
    new = X.assign(height=X["height"] * 1.3 + 0.05).iloc[::-1]
    assert_equal_models(clf, round_trip(clf, tmp_path), new)


@pytest.mark.parametrize("params", [{}, {"owa": "additive"}, {"isomorphism": 2.0}, {"n_neighbors": 3}])
@pytest.mark.parametrize("order", ["C", "F"])
def test_distances_come_back(params, order, tmp_path):
    points = np.random.default_rng(3).uniform(size=(14, 2))
    D = np.asarray(np.abs(points[:, None] - points).sum(axis=2), order=order)
    clf = FGAClassifier(metric="precomputed", **params).fit(D[:9, :9], np.arange(9) % 3, ids=list("abcdefghi"))
    assert_equal_models(clf, round_trip(clf, tmp_path), D[9:, :9])


@given(
    case=table_cases(),
    metric=st.sampled_from(["euclidean", "manhattan", "chebyshev"]),
    isomorphism=st.sampled_from([None, 2.0, 0.7]),
    owa=st.sampled_from([None, "additive"]),
)
def test_random_tables_come_back(tmp_path_factory, case, metric, isomorphism, owa):
    clf = FGAClassifier(gamma=case.gamma, metric=metric, isomorphism=isomorphism, owa=owa)
    clf.fit(case.X, case.y, sample_weight=case.weights)
    assert_equal_models(clf, round_trip(clf, tmp_path_factory.mktemp("files")), queries())


TEXTS = st.text(st.characters(exclude_categories=()), max_size=5)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
NUMPY = (
    SCALARS.filter(lambda value: isinstance(value, bool | float)).map(np.asarray).map(lambda array: array[()])
    | st.floats(width=32).map(np.float32)
    | st.integers(-128, 127).map(np.int8)
    | st.text(max_size=3).map(np.str_)
)
KEYS = st.booleans() | st.integers() | TEXTS


@given(
    st.recursive(
        SCALARS | NUMPY | st.lists(SCALARS, max_size=4).map(lambda parts: np.array([*parts, None], dtype=object)[:-1]),
        lambda parts: (
            st.lists(parts, max_size=3)
            | st.tuples(parts, parts)
            | st.dictionaries(KEYS, parts, max_size=3)
            | st.dictionaries(TEXTS, parts, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_plain_values_come_back_through_json(value):
    arrays = {}
    text = json.dumps(encode(value, "value", arrays), allow_nan=False)
    assert_same(decode(json.loads(text), arrays), value)


LABELS = {
    "texts": np.array(["yes", "no", "yes", "może być"]),
    "objects": np.array(["yes", "no", "yes", "maybe"], dtype=object),
    "ints": np.array([3, -1, 3, 7]),
    "small ints": np.array([3, 1, 3, 7], dtype=np.uint8),
    "bools": np.array([True, False, True, True]),
    "floats": np.array([0.0, 1.0, 0.0, 2.0], dtype=np.float32),
    "one class": np.array(["x"] * 4),
    "pandas": pd.Series(["yes", "no", "yes", "maybe"], dtype="category"),
    "dates": np.array(["2020-01-01", "2021-01-01", "2020-01-01", "2021-01-01"], dtype="datetime64[D]"),
}


@pytest.mark.parametrize("y", LABELS.values(), ids=LABELS)
def test_labels_keep_their_kind(y, tmp_path):
    weights = dict.fromkeys(np.unique(np.asarray(y)).tolist(), 2.0)
    clf = FGAClassifier(class_weight=weights if np.asarray(y).dtype.kind != "M" else None)
    clf.fit([[0.0], [1.0], [2.0], [2.5]], y)
    loaded = round_trip(clf, tmp_path)
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert_equal_models(clf, loaded, [[0.4], [9.0]])


IDS = {
    "ints": [10, 20, 30, 40],
    "texts": ["å", "b\n", "", "d"],
    "bools": [True, False, True, True],
    "floats": [0.5, -0.0, np.inf, np.nan],
    "mixed": [1, "a", (2, 3), None],
    "dates": pd.date_range("2020-01-01", periods=4),
    "long ints": [10**30, 2, 3, 4],
}


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS)
def test_ids_come_back(ids, tmp_path):
    clf = FGAClassifier().fit([[0.0], [1.0], [2.0], [2.5]], [0, 0, 1, 1], ids=ids)
    loaded = round_trip(clf, tmp_path)
    assert_same(clf._records.ids, loaded._records.ids)
    assert loaded.explain([[0.1]])[0].arguments_for[0].id == clf.explain([[0.1]])[0].arguments_for[0].id


CATEGORIES = {
    "texts": ["a", "b", "ż", "a", "'"],
    "ints": [3, -1, 3, 10**20, 2],
    "bools": [True, False, True, True, False],
    "floats": [0.5, np.inf, 0.5, -np.inf, 1e-300],
    "mixed": [1, "1", 2.5, "b", False],
}


@pytest.mark.parametrize("as_frame", [False, True])
@pytest.mark.parametrize("values", CATEGORIES.values(), ids=CATEGORIES)
def test_categories_keep_their_kind(values, as_frame, tmp_path):
    column = np.empty((5, 1), dtype=object)
    column[:, 0] = values
    X = pd.DataFrame(column, columns=["thing"]) if as_frame else column
    clf = FGAClassifier(categorical_features=[0]).fit(X, [0, 1, 0, 1, 1])
    loaded = round_trip(clf, tmp_path)
    assert_equal_models(clf, loaded, X)
    assert_same(clf._table.columns[0].categories, loaded._table.columns[0].categories)


@pytest.mark.parametrize("dtype", ["category", "Int64", "float32", "bool", "string"])
def test_typed_columns_of_pandas_come_back(dtype, tmp_path):
    X = pd.DataFrame({"thing": pd.Series([1, 0, 1, 1]).astype(dtype), "number": [0.1, 0.2, 0.3, 0.4]})
    clf = FGAClassifier(categorical_features=["thing"]).fit(X, [0, 1, 0, 1])
    assert_equal_models(clf, round_trip(clf, tmp_path), X)


def test_frames_of_polars_come_back(tmp_path):
    X = pl.DataFrame({"colour": COLOURS[:4], "number": [1, 2, 3, 4]})
    clf = FGAClassifier().fit(X, [0, 1, 0, 1])
    assert_equal_models(clf, round_trip(clf, tmp_path), X)


@pytest.mark.parametrize("index", [[0, 1], ["b", "a"]], ids=["positions", "names"])
def test_a_series_as_a_parameter_comes_back_as_a_dict(tmp_path, index):
    """Its names decide which column has which weight, so they must not be lost."""
    X = pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 0.0]})
    clf = FGAClassifier(feature_weights=pd.Series([1.0, 2.0], index=index)).fit(X, [0, 1])
    loaded = round_trip(clf, tmp_path)
    assert loaded.feature_weights == dict(zip(index, [1.0, 2.0], strict=True))
    assert_same(clf.predict_proba(X + 0.1), loaded.predict_proba(X + 0.1))
    assert_same(clone(loaded).fit(X, [0, 1]).predict_proba(X + 0.1), loaded.predict_proba(X + 0.1))


def test_a_loaded_model_is_an_estimator_like_any_other(tmp_path):
    X, y = mixed_table()
    clf = FGAClassifier(gamma=2.0).fit(X, y)
    loaded = round_trip(clf, tmp_path)
    assert_same(loaded.beta_, clone(loaded).fit(X, y).beta_)
    assert loaded.solution_.is_optimal()
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.predict(X[["colour", "height", "old"]])
    save_model(loaded, tmp_path / "again.fgac")
    assert (tmp_path / "again.fgac").read_bytes() == (tmp_path / "model.fgac").read_bytes()


def test_parameters_changed_after_fit_do_not_change_what_is_stored(tmp_path):
    X, y = mixed_table()
    clf = FGAClassifier(gamma=2.0, isomorphism=2.0, owa="additive").fit(X, y)
    told = clf.predict_proba(X)
    clf.set_params(gamma=9.0, isomorphism=None, owa=None, metric="manhattan")
    loaded = round_trip(clf, tmp_path)
    assert_same(loaded.predict_proba(X), told)
    assert loaded.get_params() == clf.get_params()


# What cannot be stored


def two_rows(**params):
    return FGAClassifier(**params).fit([[0.0], [1.0]], [0, 1])


def distance(left, right):
    return np.abs(left[:, None, 0] - right[:, 0])


class Pairwise:
    pairwise = staticmethod(distance)


UNSTORABLE = {
    "metric": ({"metric": distance}, "use a named metric"),
    "metric object": ({"metric": Pairwise()}, "use a named metric"),
    "owa": ({"owa": lambda n: np.full(n, 1 / n)}, "weights as an array"),
    "owa pair": ({"owa": (lambda n: np.full(n, 1 / n), 2)}, "weights as an array"),
    "isomorphism": ({"isomorphism": (np.square, np.sqrt)}, "isomorphism=2.0"),
    "isomorphism object": ({"isomorphism": Isomorphism(np.square, np.sqrt)}, "isomorphism=2.0"),
}


@pytest.mark.parametrize(("params", "advice"), UNSTORABLE.values(), ids=UNSTORABLE)
def test_functions_are_refused_before_anything_is_written(params, advice, tmp_path):
    path = tmp_path / "model.fgac"
    path.write_bytes(b"what was there")
    with pytest.raises(ModelFileError, match=advice):
        save_model(two_rows(**params), path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"what was there"]


@pytest.mark.parametrize("name", FGAClassifier().get_params())
def test_functions_are_refused_in_every_parameter(name, tmp_path):
    clf = two_rows().set_params(**{name: {"deep": [distance]}})
    with pytest.raises(ModelFileError, match="distance"):
        save_model(clf, tmp_path / "model.fgac")
    assert not list(tmp_path.iterdir())


def test_unusual_categories_are_refused_by_name(tmp_path):
    X = pd.DataFrame({"age": pd.cut([1, 5, 9, 2], 3)})
    with pytest.raises(ModelFileError, match=r"column age .* Interval; .* into text before fit"):
        save_model(FGAClassifier().fit(X, [0, 1, 1, 0]), tmp_path / "model.fgac")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "other",
    [
        FRNNClassifier(),
        make_pipeline(FGAClassifier()),
        GridSearchCV(FGAClassifier(), {}),
        type("Mine", (FGAClassifier,), {})(),
        type("MyChoice", (FGAClassifierCV,), {})(),
        None,
        "model",
    ],
    ids=lambda other: type(other).__name__,
)
def test_other_objects_are_refused(other, tmp_path):
    with pytest.raises(TypeError, match=f"got {type(other).__name__}"):
        save_model(other, tmp_path / "model.fgac")


def test_of_a_choice_the_chosen_model_is_stored(tmp_path):
    """Not how it was chosen: functions in the choice are no obstacle."""
    X, y = mixed_table()
    folds = [(np.arange(5), np.arange(5, 10)), (np.arange(5, 10), np.arange(5))]
    clf = FGAClassifierCV(gammas=[1.0, 3.0], cv=folds, scoring=lambda model, X, y: 1.0, ties="first").fit(X, y)
    loaded = round_trip(clf, tmp_path)
    assert type(loaded) is FGAClassifier
    assert_equal_models(clf.chosen(), loaded, X)


@pytest.mark.parametrize("clf", [FGAClassifier(), FGAClassifierCV()], ids=repr)
def test_unfitted_models_are_refused(clf, tmp_path):
    with pytest.raises(NotFittedError):
        save_model(clf, tmp_path / "model.fgac")
    assert not list(tmp_path.iterdir())


def test_a_model_whose_second_fit_failed_is_refused(tmp_path):
    clf = two_rows()
    with pytest.raises(ValueError, match="class_weight"):
        clf.set_params(class_weight={"z": 1}).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], list("abc"))
    with pytest.raises(ModelFileError, match="the fitted model is inconsistent"):
        save_model(clf.set_params(class_weight=None), tmp_path / "model.fgac")


# Files that are not what was saved


@cache
def small_file():
    """Return the bytes of a small model file, and its model."""
    X, y = mixed_table()
    clf = FGAClassifier(gamma=2.0, owa="additive", class_weight={"a": 2.0, "b": 1.0, "c": 1.0}).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        save_model(clf, f"{folder}/model.fgac")
        return Path(f"{folder}/model.fgac").read_bytes(), clf


@pytest.fixture
def refused(tmp_path):
    """Return a function that loads bytes and returns the message of the error."""

    def load(data, match=None):
        path = tmp_path / "model.fgac"
        path.write_bytes(data)
        with pytest.raises(ModelFileError, match=match) as caught:
            load_model(path)
        assert str(caught.value).startswith(f"{path} ")
        return str(caught.value)

    return load


def test_a_changed_byte_never_gives_another_model(tmp_path):
    """Bytes that mean nothing (dates, say) may change; everything else is noticed."""
    data, clf = small_file()
    rng, path = np.random.default_rng(0), tmp_path / "model.fgac"
    # The directory and the end of the zip, where its own structure is, besides places everywhere.
    tail = np.arange(len(data) - 400, len(data))
    for place in [*rng.integers(0, len(data), 400), *tail]:
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        try:
            loaded = load_model(path)
        except ModelFileError:
            continue
        assert_same(held(clf), held(loaded))


def test_no_changed_byte_of_a_member_goes_unnoticed(refused):
    data, _ = small_file()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
    rng = np.random.default_rng(1)
    for info in infos:
        start = info.header_offset + 30 + len(info.filename)
        for place in rng.integers(start, start + info.file_size, 3):
            changed = bytearray(data)
            changed[place] ^= 0xFF
            refused(changed)


def test_a_file_that_was_cut_short_is_refused(refused):
    data, _ = small_file()
    for length in [*range(1, 8), *np.linspace(8, len(data) - 1, 60).astype(int), len(data) - 1]:
        refused(data[:length], "cut short|is no model file|changed or damaged")


def zipped(members, compression=zipfile.ZIP_STORED, comment=b""):
    """Return a zip file of some members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, part in members.items():
            archive.writestr(name, part)
        archive.comment = comment
    return file.getvalue()


def npz():
    file = io.BytesIO()
    np.savez(file, beta=np.zeros(3))
    return file.getvalue()


FOREIGN = {
    "empty": (b"", "is no model file: it is empty"),
    "text": (b"height,colour\n1.5,red\n", "is no model file: it begins with b'height,c'"),
    "pickle": (pickle.dumps({"a": 1}), r"is no model file: it begins with b'\\x80"),
    "zip": (zipped({"a.txt": b"text"}), "some other zip file"),
    "npz": (npz(), "some other zip file"),
    "empty zip": (zipped({}), "some other zip file"),
    "other header": (zipped({"header.json": b'{"format": "other"}'}), "some other format"),
    "list": (zipped({"header.json": b"[1, 2]"}), "some other format"),
    "no json": (zipped({"header.json": b"\xff\xfe"}), "damaged"),
    "deep json": (zipped({"header.json": b"[" * 100_000}), "damaged"),
    "only PK": (b"PK", "cut short"),
    "compressed": (zipped({"header.json": b"0" * 10_000}, zipfile.ZIP_DEFLATED), "compressed"),
}


@pytest.mark.parametrize(("data", "match"), FOREIGN.values(), ids=FOREIGN)
def test_foreign_files_are_refused(data, match, refused):
    refused(data, match)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "model.fgac")
    with pytest.raises(ModelFileError, match="is a folder"):
        load_model(str(tmp_path))


def test_a_compressed_copy_is_refused(refused):
    """A member that unfolds could unfold into more than memory holds."""
    refused(zipped(members_of(small_file()[0]), zipfile.ZIP_DEFLATED), "compressed")


def test_a_member_that_claims_to_be_larger_than_the_file_is_refused(refused):
    data, _ = small_file()
    directory = data.index(b"PK\x01\x02")
    changed = bytearray(data)
    changed[directory + 20 : directory + 28] = struct.pack("<LL", 10**9, 10**9)
    refused(changed, "larger than itself")


def members_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_other_members_are_refused(refused):
    data, _ = small_file()
    members = members_of(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        comment = archive.comment
    refused(zipped({**members, "more.npy": b"1"}, comment=comment), "other members")
    refused(zipped({k: v for k, v in members.items() if k != "model/beta.npy"}, comment=comment), "other members")
    twice = {**members, "model/beta.npy": members["model/starts.npy"]}
    refused(zipped(twice, comment=comment), r"changed or damaged: model/beta\.npy")
    refused(zipped(members), "its header differs")
    members["header.json"] = members["header.json"].replace(b'"gamma": 2.0', b'"gamma": 3.0')
    refused(zipped(members, comment=comment), "its header differs")


# Files that were forged: all sums are right


def forged(edit):
    """Return the file after an edit of its header's model and its arrays, with sums that are right again."""
    members = members_of(small_file()[0])
    header = json.loads(members.pop("header.json"))
    edit(header, members)
    header["sha256"] = {name: archive_module._sha256(part) for name, part in members.items()}
    file = io.BytesIO()
    archive_module.write_archive(file, {"header.json": json.dumps(header).encode(), **members})
    return file.getvalue()


def test_forging_nothing_gives_the_same_model(tmp_path):
    """The edits below are what is refused, not the way they are made."""
    (tmp_path / "model.fgac").write_bytes(forged(lambda header, members: None))
    assert_same(held(small_file()[1]), held(load_model(tmp_path / "model.fgac")))


@pytest.mark.parametrize(
    ("version", "advice"),
    [
        (2, "upgrade"),
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
    assert "reads version 1" in message
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


def told(*path):
    """Return an edit: the last of the arguments put at a place of the header's model."""
    *steps, last, value = path

    def edit(header, members):
        place = header["model"]
        for step in steps:
            place = place[step]
        place[last] = value

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
    refused(forged(edit), "inconsistent|damaged|cannot be|unknown kind")


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


# Whole or not at all


@pytest.mark.parametrize("n_members", [0, 1, 5])
def test_a_file_is_never_half_written(n_members, tmp_path, monkeypatch):
    path = tmp_path / "model.fgac"
    save_model(two_rows(), path)
    before, write, count = path.read_bytes(), zipfile.ZipFile.writestr, iter(range(99))

    def failing(self, *args, **kwargs):
        if next(count) >= n_members:
            raise OSError("no space left on device")
        return write(self, *args, **kwargs)

    monkeypatch.setattr(zipfile.ZipFile, "writestr", failing)
    with pytest.raises(OSError, match="no space left"):
        save_model(two_rows(gamma=5.0), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_there_is_replaced(tmp_path):
    for gamma in (1.0, 2.0):
        save_model(two_rows(gamma=gamma), str(tmp_path / "model.fgac"))
    assert load_model(str(tmp_path / "model.fgac")).gamma == 2.0
    assert len(list(tmp_path.iterdir())) == 1


# What the file tells of the rows

SECRET = 5234.567891


def table_with_a_secret():
    X = pd.DataFrame({"income": [1000.5, SECRET, 700.25, 9000.75], "job": ["cook", "spy", "cook", "nurse"]})
    return X, ["no", "yes", "no", "yes"]


def holds(members, number):
    """Whether some member holds a number, as text or as a float."""
    return any(repr(number).encode() in part or struct.pack("<d", number) in part for part in members.values())


def test_without_values_numbers_are_not_stored_as_they_were_given(tmp_path):
    clf = FGAClassifier().fit(*table_with_a_secret())
    contents = {}
    for values in (True, False):
        round_trip(clf, tmp_path, values=values)
        contents[values] = members_of((tmp_path / "model.fgac").read_bytes())
    assert holds(contents[True], SECRET)
    assert not holds(contents[False], SECRET)
    assert not any(name.startswith("records/values") for name in contents[False])
    assert b"spy" in contents[False]["header.json"], "the names of categories are needed to read new rows"


def test_without_values_the_rows_can_still_be_turned_back(tmp_path):
    """What the note says is so: scaled numbers and scales are numbers."""
    loaded = round_trip(FGAClassifier().fit(*table_with_a_secret()), tmp_path, values=False)
    table, rows = loaded._table, loaded._model.envelope.rows
    income = rows.numeric[:, 0] / table.unit * table.columns[0].scale
    assert np.isclose(income, SECRET, rtol=1e-12).any()


def test_without_values_explanations_show_none(tmp_path):
    X, y = table_with_a_secret()
    clf = FGAClassifier().fit(X, y)
    loaded = round_trip(clf, tmp_path, values=False)
    assert loaded._records.values is None
    assert_same(clf.predict_proba(X), loaded.predict_proba(X))
    for full, bare in zip(clf.explain(X), loaded.explain(X), strict=True):
        assert [a.strength for a in full.arguments_for] == [a.strength for a in bare.arguments_for]
        assert [c.value for a in bare.arguments_for for c in a.attributes] == [None, None] * len(bare.arguments_for)
        assert all(c.value is not None for a in full.arguments_for for c in a.attributes)
    save_model(loaded, tmp_path / "again.fgac")
    assert load_model(tmp_path / "again.fgac")._records.values is None


@pytest.mark.parametrize("values", [True, False])
def test_the_header_says_plainly_that_the_rows_are_inside(values, tmp_path):
    round_trip(two_rows(), tmp_path, values=values)
    header = json.loads(members_of((tmp_path / "model.fgac").read_bytes())["header.json"])
    assert (header["format"], header["version"]) == ("fgac model", 1)
    assert header["note"].startswith("This file contains the rows that the model was trained on")
    assert ("no protection" in header["note"]) is not values


# The caller's own notes


def test_notes_are_kept_beside_the_model(tmp_path):
    path = tmp_path / "model.fgac"
    save_model(two_rows(), path)
    assert read_notes(path) == {}
    save_model(two_rows(), path, notes={"target": "größe", "id": ""})
    assert read_notes(path) == {"target": "größe", "id": ""}
    assert_same(held(load_model(path))["beta_"], two_rows().beta_)


@pytest.mark.parametrize("notes", [{"target": 1}, {1: "target"}, {"target": None}])
def test_notes_are_texts(notes, tmp_path):
    with pytest.raises(TypeError, match="notes must be a dict of texts"):
        save_model(two_rows(), tmp_path / "model.fgac", notes=notes)
    path = tmp_path / "forged.fgac"
    path.write_bytes(forged(lambda header, members: header.update(notes=[notes])))
    with pytest.raises(ModelFileError, match="notes that are no texts"):
        read_notes(path)


def test_notes_of_other_files_are_refused_as_models_are(tmp_path):
    path = tmp_path / "model.fgac"
    with pytest.raises(FileNotFoundError):
        read_notes(path)
    data, _ = small_file()
    path.write_bytes(data[:-1])
    with pytest.raises(ModelFileError, match=r"model\.fgac "):
        read_notes(path)
