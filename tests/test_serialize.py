"""Dataclasses to plain values and back; files that are there whole or not at all."""

import dataclasses
import os
import stat
from typing import Any

import pytest

from fgac._atomic import write_safely, write_text
from fgac._serialize import from_plain, to_plain
from fgac.explanation.classification import (
    Argument,
    Explanation,
    FeatureComparison,
    FeatureValue,
    Membership,
    ModelSummary,
)

CLOSER = FeatureComparison("age", 30.0, 0.25, 0.75)
BESIDE = FeatureComparison("city", None, 1.0, 0.0)
ARGUMENT = Argument(3, "r3", "good", 0.1, 0.9, 1.0, 1.0, 0.9, 1.0, (CLOSER, BESIDE), ("r4", "r5"))
EXPLANATION = Explanation(
    index=0,
    id=7,
    prediction="good",
    truth=None,
    lower=0.9,
    upper=1.0,
    degree=0.95,
    margin=0.9,
    runner_up="bad",
    certified_radius=None,
    memberships=(Membership("bad", 0.0, 0.1, 0.05), Membership("good", 0.9, 1.0, 0.95)),
    arguments_for=(ARGUMENT,),
    arguments_against=(),
    rest_for=0.0,
    rest_against=0.0,
    tied=(),
    resembles_nothing=False,
    nearest=None,
    attributes=(FeatureValue("age", 31.0, "years", False, 2.5), FeatureValue("member", True, "", True, None)),
)


def test_dataclasses_become_dicts():
    """Field by field."""
    assert to_plain(CLOSER) == {"name": "age", "value": 30.0, "close": 0.25, "apart": 0.75}


def test_tuples_become_lists_at_every_depth():
    """JSON has no tuples."""
    assert to_plain(((1, (2, 3)), [4], {"a": (5,)})) == [[1, [2, 3]], [4], {"a": [5]}]
    plain = to_plain(ARGUMENT)
    assert type(plain["attributes"]) is list
    assert plain["attributes"][1] == {"name": "city", "value": None, "close": 1.0, "apart": 0.0}
    assert plain["alike"] == ["r4", "r5"]


@pytest.mark.parametrize("value", [None, True, 0, -1.5, "text", ""], ids=repr)
def test_plain_values_stay_as_they_are(value):
    """Nothing to do."""
    assert to_plain(value) is value


def test_a_class_is_not_its_instance():
    """A dataclass as such is handed through, not taken apart."""
    assert to_plain(FeatureComparison) is FeatureComparison


@pytest.mark.parametrize(
    "value", [CLOSER, BESIDE, ARGUMENT, EXPLANATION, dataclasses.replace(EXPLANATION, nearest=ARGUMENT)], ids=repr
)
def test_there_and_back(value):
    """Equal, of the same type, with tuples where tuples were."""
    back = from_plain(type(value), to_plain(value))
    assert back == value
    assert type(back) is type(value)
    assert hash(back) == hash(value)


def test_optional_parts_come_back_as_what_they_were():
    """An argument, or None."""
    told = dataclasses.replace(EXPLANATION, nearest=ARGUMENT)
    assert type(from_plain(Explanation, to_plain(told)).nearest) is Argument
    assert from_plain(Explanation, to_plain(EXPLANATION)).nearest is None


def test_dicts_inside_come_back():
    """Settings of a model are a dict of anything."""
    summary = ModelSummary(("a", "b"), (2, 3), 5, 1, 1.0, {"metric": "euclidean", "owa": None}, True, 0.0, 0.0, 0.0)
    assert from_plain(ModelSummary, to_plain(summary)) == summary


def test_the_order_of_fields_does_not_matter():
    """JSON objects have none."""
    assert from_plain(FeatureComparison, dict(reversed(to_plain(CLOSER).items()))) == CLOSER


@pytest.mark.parametrize("plain", [None, [], "text", 3, [("name", "age")]], ids=repr)
def test_only_dicts_are_read(plain):
    """The error says what came and what was expected."""
    with pytest.raises(ValueError, match=r"FeatureComparison.*dict.*got"):
        from_plain(FeatureComparison, plain)


def test_unknown_fields_are_named():
    """Something that another version may have written."""
    with pytest.raises(ValueError, match="surprise"):
        from_plain(FeatureComparison, {**to_plain(CLOSER), "surprise": 1})


def test_missing_fields_are_named_at_any_depth():
    """Also in a part of a part."""
    plain: dict[str, Any] = to_plain(EXPLANATION)
    del plain["arguments_for"][0]["attributes"][0]["apart"]
    with pytest.raises(ValueError, match=r"FeatureComparison.*apart"):
        from_plain(Explanation, plain)


@pytest.mark.parametrize("wrong", [None, 3, {"a": 1}], ids=repr)
def test_a_list_must_be_a_list(wrong):
    """Something else in its place gets an error of the same kind."""
    with pytest.raises(ValueError, match=r"arguments_for|list"):
        from_plain(Explanation, {**to_plain(EXPLANATION), "arguments_for": wrong})


# ----------------------------------------------------------------------------------------------------
# Files
# ----------------------------------------------------------------------------------------------------


def names(folder):
    """Return what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("as_given", [str, lambda path: path], ids=["str", "Path"])
def test_a_text_file(tmp_path, as_given):
    """In UTF-8, with the ends of lines it has."""
    path = tmp_path / "note.txt"
    write_text(as_given(path), "naïve Łukasiewicz\r\nand\n")
    assert path.read_bytes() == "naïve Łukasiewicz\r\nand\n".encode()
    assert names(tmp_path) == ["note.txt"]


def test_an_empty_file(tmp_path):
    """No text is a text."""
    write_text(tmp_path / "empty", "")
    assert (tmp_path / "empty").read_bytes() == b""


def test_a_file_is_replaced(tmp_path):
    """By the new one, however long the old one was."""
    path = tmp_path / "note.txt"
    path.write_text("old and long")
    write_text(path, "new")
    assert path.read_text() == "new"
    assert names(tmp_path) == ["note.txt"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("was_there", [True, False])
def test_a_file_is_there_whole_or_not_at_all(tmp_path, error, was_there):
    """If writing fails half-way the old file stays, and nothing else is left."""
    path = tmp_path / "model.bin"
    if was_there:
        path.write_bytes(b"old")

    def fail_half_way(file):
        file.write(b"half")
        raise error("no more")

    with pytest.raises(error, match="no more"):
        write_safely(path, fail_half_way)
    assert names(tmp_path) == (["model.bin"] if was_there else [])
    if was_there:
        assert path.read_bytes() == b"old"


def test_nobody_sees_a_half_written_file(tmp_path):
    """While it is written, the name still shows the old file."""
    path = tmp_path / "model.bin"
    path.write_bytes(b"old")

    def look(file):
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"

    write_safely(path, look)
    assert path.read_bytes() == b"new"


def test_bytes_are_written_as_they_are(tmp_path):
    """No ends of lines are translated."""
    write_safely(tmp_path / "b", lambda file: file.write(b"\x00\r\n\xff") and None)
    assert (tmp_path / "b").read_bytes() == b"\x00\r\n\xff"


def test_a_folder_that_is_not_there(tmp_path):
    """The usual error, and no folder is made."""
    with pytest.raises(FileNotFoundError, match="nowhere"):
        write_text(tmp_path / "nowhere" / "note.txt", "text")
    assert names(tmp_path) == []


def test_a_folder_in_the_place_of_the_file(tmp_path):
    """An error, and nothing is left beside it."""
    (tmp_path / "note").mkdir()
    with pytest.raises(OSError, match="note"):
        write_text(tmp_path / "note", "text")
    assert names(tmp_path) == ["note"]


posix = pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are POSIX's")


@posix
def test_a_new_file_has_the_usual_permissions(tmp_path):
    """Those that open() would give it, not those of a temporary file."""
    (tmp_path / "usual").write_text("text")
    write_text(tmp_path / "ours", "text")
    usual, ours = (stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("usual", "ours"))
    assert ours == usual


@posix
def test_a_replaced_file_keeps_its_permissions(tmp_path):
    """A private file stays private."""
    path = tmp_path / "note.txt"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_link_stays_a_link(tmp_path):
    """The file it points to gets the text, as with open()."""
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    write_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_long_names(tmp_path):
    """A name as long as the system allows can be written."""
    name = "n" * 250
    try:
        (tmp_path / name).write_text("old")
    except OSError:
        pytest.skip("this system allows no such name")
    write_text(tmp_path / name, "new")
    assert (tmp_path / name).read_text() == "new"


@posix
def test_the_working_folder(tmp_path, monkeypatch):
    """A bare name is a file in the working folder."""
    monkeypatch.chdir(tmp_path)
    write_text("note.txt", "text")
    assert names(tmp_path) == ["note.txt"]
