"""Text that is compressed, or not in UTF-8, is the text that it is; what is broken says why."""

import bz2
import gzip
import io
import lzma
from importlib import import_module

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.cli.errors import CommandError
from fgac.cli.extras import ZSTD_MODULE
from fgac.cli.io.sources import PACKED, Reading
from fgac.cli.io.streaming import read_batches, read_table
from fgac.cli.io.text_files import Transcoded
from support.command_line import run
from support.goods import many, new

PACK = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": import_module(ZSTD_MODULE).compress}


def test_every_form_is_tested():
    assert set(PACK) == set(PACKED)


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_compressed_text_in_parts(tmp_path, small, suffix, form):
    frame = new()
    text = frame.write_csv() if form == "csv" else frame.write_ndjson()
    (tmp_path / f"t.{form}").write_text(text)
    (tmp_path / f"t.{form}{suffix}").write_bytes(PACK[suffix](text.encode()))
    whole = read_table(str(tmp_path / f"t.{form}"))
    reports = []
    parts = list(read_batches(str(tmp_path / f"t.{form}{suffix}"), None, lambda *report: reports.append(report)))
    assert len(parts) > 4
    assert pl.concat([part.frame for part in parts]).equals(whole.frame)
    assert read_table(str(tmp_path / f"t.{form}{suffix}")).frame.equals(whole.frame)
    size = (tmp_path / f"t.{form}{suffix}").stat().st_size
    assert {total for _, total in reports} == {size}
    assert reports[-1] == (size, size)


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("block", [200, 2**21])
def test_broken_files_say_so(tmp_path, monkeypatch, suffix, block):
    monkeypatch.setattr("fgac.cli.io.streaming.BLOCK", block)
    data = PACK[suffix](many(3000).encode())
    path = tmp_path / f"t.csv{suffix}"
    for broken, why in ((data[:-9], "ends too early|end"), (b"no archive at all", ""), (data[:8] + b"x" * 90, "")):
        path.write_bytes(broken)
        with pytest.raises(
            CommandError, match=rf"t\.csv\{suffix} is no {PACKED[suffix]} file that can be read \(.*{why}"
        ):
            read_table(str(path))


def test_a_file_that_is_not_what_it_is_called(tmp_path):
    (tmp_path / "t.csv").write_bytes(gzip.compress(many().encode()))
    with pytest.raises(CommandError, match=r"t\.csv is no text file"):
        read_table(str(tmp_path / "t.csv"))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(CommandError, match=r"t\.csv\.gz is empty"):
        read_table(str(tmp_path / "t.csv.gz"))


ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-32", "latin-1", "windows-1252", "shift_jis", "utf-8-sig"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_encodings_in_parts(tmp_path, small, encoding, suffix):
    letter = "é" if encoding != "shift_jis" else "店"
    text = many(60, at={row: f"r{row},0.5,{letter},TRUE" for row in range(1, 61, 2)})
    (tmp_path / "plain.csv").write_bytes(text.encode())
    data = text.encode(encoding)
    (tmp_path / f"t.csv{suffix}").write_bytes(gzip.compress(data) if suffix else data)
    expected = read_table(str(tmp_path / "plain.csv")).frame
    reading = Reading(encoding=encoding)
    assert read_table(str(tmp_path / f"t.csv{suffix}"), None, reading).frame.equals(expected)
    assert len(list(read_batches(str(tmp_path / f"t.csv{suffix}"), None, None, reading))) > 4


@given(st.text(max_size=60), st.sampled_from(["utf-16", "utf-32", "utf-16-be", "utf-7"]), st.integers(1, 7))
def test_bytes_do_not_depend_on_the_cuts(text, encoding, chunk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fgac.cli.io.text_files.CHUNK", chunk)
        file = io.BufferedReader(Transcoded(io.BytesIO(text.encode(encoding)), encoding, "t.csv"))
        assert file.read() == text.encode(encoding).decode(encoding).encode()


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        ("a,b\n1,2\nü,3\n".encode(), "ascii", "line 3: this is not ascii (ordinal not in range(128)); say with"),
        (b"a,b\n1,\x81\n", "windows-1252", "line 2: this is not windows-1252"),
        (b"a,b\n1,2\n3", "utf-16-le", "line 1: this is not utf-16-le (truncated data)"),
        (b"a,b\n1,2\n34", "utf-16", "tream does not start with BOM); say with"),
        (b"a,b\n1,2\n34", "utf-16", "utf-16-le if no mark begins it"),
    ],
)
def test_text_in_another_encoding_is_named_by_its_line(tmp_path, data, encoding, message):
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(CommandError) as error:
        read_table(str(tmp_path / "t.csv"), None, Reading(encoding=encoding))
    assert message in str(error.value)


def test_utf_16_without_saying_so_is_told(tmp_path):
    (tmp_path / "t.csv").write_bytes(many(3).encode("utf-16-le"))
    with pytest.raises(CommandError, match="text in UTF-16 needs --encoding utf-16"):
        read_table(str(tmp_path / "t.csv"))


@pytest.mark.parametrize("name", ["utf-99", "rot13", "base64", ""])
def test_names_of_no_encoding_are_wrong_usage(tmp_path, name):
    answer = run("fit", "t.csv", "-t", "y", "-o", tmp_path / "m.fgac", "--encoding", name, code=2)
    assert "is no encoding; expected utf-8" in " ".join(answer.stderr.replace("│", " ").split())
