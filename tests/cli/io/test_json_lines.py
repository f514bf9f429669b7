"""JSON lines: typed values, keys that come and go, and lines that are none."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.cli.errors import CommandError
from fgac.cli.io.json_lines import parse_lines, records_frame
from fgac.cli.io.streaming import read_batches, read_table


def write(path, *lines):
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    return str(path)


def test_values_keep_their_types(tmp_path):
    path = write(tmp_path / "t.jsonl", {"a": 1, "b": 0.5, "c": True, "d": "x"}, {"a": None, "b": 2, "c": False, "e": 1})
    frame = read_table(path).frame
    assert frame.schema == {"a": pl.Int64, "b": pl.Float64, "c": pl.Boolean, "d": pl.String, "e": pl.Int64}
    assert frame.rows() == [(1, 0.5, True, "x", None), (None, 2.0, False, None, 1)]


def test_mixed_and_large_values_are_text_and_nothing_is_lost(tmp_path):
    path = write(tmp_path / "t.jsonl", {"a": 1, "b": 2**70, "c": {"d": 1}}, {"a": "x", "b": 1, "c": 2})
    assert read_table(path).frame.rows() == [("1", str(2**70), '{"d": 1}'), ("x", "1", "2")]


def test_numbers_that_json_does_not_have_are_read(tmp_path):
    frame = read_table(write(tmp_path / "t.ndjson", '{"a": NaN, "b": 1}', '{"a": 2.5, "b": 2}')).frame
    assert frame["a"].is_nan().to_list() == [True, False]


def test_parts_know_the_columns_of_those_before(tmp_path, small):
    lines = [{"a": i, "b": "x"} for i in range(40)] + [{"a": i + 0.5} for i in range(40)] + [{"b": "y", "c": 1}]
    path = write(tmp_path / "t.jsonl", *lines)
    parts = list(read_batches(path))
    assert len(parts) > 4
    assert all({"a", "b"} <= set(part.names) for part in parts)
    whole = read_table(path).frame
    assert whole.to_dicts() == [{"a": line.get("a"), "b": line.get("b"), "c": line.get("c")} for line in lines]
    assert [part.first_row for part in parts][:2] == [1, 1 + len(parts[0])]


def test_blank_lines_and_a_mark_are_none(tmp_path):
    (tmp_path / "t.jsonl").write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\r\n{"a": 2}')
    assert read_table(str(tmp_path / "t.jsonl")).frame["a"].to_list() == [1, 2]


@pytest.mark.parametrize("block", [30, 2**20])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"a": 1', "line 3: this is no JSON ("),
        ("[1, 2]", "line 3: '[1, 2]' is no JSON object; expected one object per line"),
        ("a,b", "line 3: this is no JSON ("),
        ('{"a": "\udc80"}', "line 3: byte 0x80 is not UTF-8"),
        ('{"a": ' + "[" * 100_000, "line 3: this is no JSON"),
    ],
)
def test_lines_that_are_none_are_named(tmp_path, monkeypatch, line, message, block):
    monkeypatch.setattr("fgac.cli.io.streaming.BLOCK", block)
    data = f'{{"a": 1}}\n{{"a": 2}}\n{line}\n{{"a": 3}}\n'.encode(errors="surrogateescape")
    (tmp_path / "t.jsonl").write_bytes(data)
    with pytest.raises(CommandError) as error:
        read_table(str(tmp_path / "t.jsonl"))
    assert message in str(error.value)


def test_a_line_without_end_does_not_fill_the_memory(tmp_path, small, monkeypatch):
    monkeypatch.setattr("fgac.cli.io.json_lines.LONGEST", 1000)
    (tmp_path / "t.jsonl").write_text('{"a": 1}\n{"a": "' + "x" * 5000)
    with pytest.raises(CommandError, match="has a line of more than"):
        read_table(str(tmp_path / "t.jsonl"))


@pytest.mark.parametrize("text", ["", "\n\n", "{}\n"])
def test_no_rows(tmp_path, text):
    (tmp_path / "t.jsonl").write_text(text)
    with pytest.raises(CommandError, match="no rows"):
        read_table(str(tmp_path / "t.jsonl"))


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.none() | st.text(max_size=5)), min_size=1, max_size=6))
def test_text_survives(records):
    text = "\n".join(json.dumps(record) for record in records)
    names = sorted({key for record in records for key in record})
    frame = records_frame(parse_lines(text, "t.jsonl"), names)
    assert [{key: each for key, each in row.items() if each is not None} for row in frame.to_dicts()] == [
        {key: each for key, each in record.items() if each is not None} for record in records if names
    ]
