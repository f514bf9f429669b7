"""Tables that are too wide, too long in a line, or whose quotation marks stay open: refused early, and said why."""

import csv
import io
import tracemalloc

import numpy as np
import polars as pl
import pytest

from fgac.cli.errors import CommandError
from fgac.cli.io import reading, streaming
from fgac.cli.io.csv_text import column_names, parse_csv
from fgac.cli.io.streaming import read_batches, read_table
from support.command_line import run, table

# Weights need not be learned of a table that is only read.
PLAIN = ("--gamma", "1", "--metric", "euclidean")
READERS = {"whole": read_table, "parts": lambda path: list(read_batches(path))}


@pytest.fixture(params=READERS)
def read(request):
    """Both ways to read a table."""
    return READERS[request.param]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n1,2\n3,"4\n5,6\n', 3),
        ('a,b\n1,2\n"3,4\n5,6\n', 3),
        ('a,"b\n1,2\n', 1),
        ('"a,b\n1,2\n', 1),
        ('a;b\r\n1;2\r\n"x\r\ny";2\r\n1;"\r\n', 5),
        ('a,b\r1,2\r1,"2\r', 3),
        ('a,b\n1,"2""\n', 2),
    ],
)
@pytest.mark.parametrize("block", [4, 2**20])
def test_an_open_quotation_mark_is_named_by_its_line(tmp_path, read, monkeypatch, text, line, block):
    monkeypatch.setattr(streaming, "BLOCK", block)
    monkeypatch.setattr(streaming, "N_ROWS", 0)
    (tmp_path / "t.csv").write_bytes(text.encode())
    with pytest.raises(CommandError, match=rf'line {line}: a quotation mark \("\) opens here and is never closed'):
        read(str(tmp_path / "t.csv"))


def test_marks_within_values_open_nothing():
    assert parse_csv(b'a,b\n6" tall,5"\n', "t.csv").frame.rows() == [('6" tall', '5"')]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a,b\n1,2\n3," + "x" * 5000 + "\n5,6\n", "line 3: the line that begins here is longer than"),
        (
            'a,b\n1,2\n3,"' + "x\n" * 5000 + '"\n5,6\n',
            'line 3: a quotation mark \\("\\) opens here and is not closed within',
        ),
        ("a,b" * 5000, "no line end in its first"),
    ],
)
def test_what_does_not_end_is_refused_before_it_fills_the_memory(tmp_path, read, monkeypatch, text, why):
    monkeypatch.setattr(streaming, "BLOCK", 100)
    monkeypatch.setattr(streaming, "LONGEST", 1000)
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(CommandError, match=why):
        read(str(tmp_path / "t.csv"))


def test_a_giant_cell_is_not_multiplied(tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST", 2**20)
    monkeypatch.setattr(streaming, "BLOCK", 2**16)
    (tmp_path / "t.csv").write_bytes(b"a,b\n1," + b"x" * 2**26 + b"\n")
    tracemalloc.start()
    with pytest.raises(CommandError, match="longer than 1 MB"):
        read_table(str(tmp_path / "t.csv"))
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


def test_a_giant_cell_of_parquet_is_refused(tmp_path, read, monkeypatch):
    monkeypatch.setattr(reading, "LONGEST", 1000)
    pl.DataFrame({"n": [1, 2], "text": ["a", "x" * 5000], "empty": [None, None]}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(CommandError, match="a value of column 'text' has 5,000 bytes, more than 1,000"):
        read(str(tmp_path / "t.parquet"))


def test_a_file_of_numbers_only_is_read(tmp_path, read):
    """No text, nothing to measure."""
    pl.DataFrame({"a": [1, 2], "y": [0, 1]}).write_parquet(tmp_path / "t.parquet")
    found = read(str(tmp_path / "t.parquet"))
    assert (found[0] if isinstance(found, list) else found).frame.rows() == [(1, 0), (2, 1)]


def test_a_long_cell_is_read_whichever_reader_reads_it():
    long = "x" * 200_000
    assert parse_csv(f"a,b\n{long},1\n".encode(), "t.csv").frame.rows() == [(long, "1")]
    assert parse_csv(f"a,b\n{long},1\n2\n".encode(), "t.csv").frame.rows() == [(long, "1"), ("2", None)]


def test_too_many_columns_are_refused(tmp_path, read, monkeypatch):
    monkeypatch.setattr(reading, "MOST_COLUMNS", 5)
    (tmp_path / "t.csv").write_text("a,b,c,d,e,f\n1,2,3,4,5,6\n")
    pl.DataFrame({name: [1] for name in "abcdef"}).write_parquet(tmp_path / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        with pytest.raises(CommandError, match="has 6 columns, more than 5; are rows and columns swapped"):
            read(str(tmp_path / name))
    (tmp_path / "t.csv").write_text("a,b,c,d,e\r1,2,3,4,5\r" * 10)  # other line ends: five columns in each
    assert parse_csv(b"a,b,c,d,e\r1,2,3,4,5\r", "t.csv").names == list("abcde")


def test_names_that_come_twice_in_a_wide_table():
    names = [f"c{i}" for i in range(50_000)]
    assert column_names(names, "t.csv") == names
    with pytest.raises(CommandError, match="several columns are called 'c7'"):
        column_names([*names, "c7"], "t.csv")


@pytest.mark.slow
def test_a_wide_table_is_handled(tmp_path):
    random = np.random.default_rng(0)
    n_columns = 5_000
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["y", *(f"column{i}" for i in range(n_columns))])
    for i in range(6):
        writer.writerow(["ab"[i % 2], *np.round(random.random(n_columns), 3) + i % 2])
    (tmp_path / "t.csv").write_text(file.getvalue())
    fitted = run("fit", tmp_path / "t.csv", "-t", "y", *PLAIN, "-o", tmp_path / "m.fgac")
    assert "and 4960 more: 4960 numeric" in fitted.stderr
    answer = run("predict", tmp_path / "m.fgac", tmp_path / "t.csv")
    assert [row["prediction"] for row in table(answer.stdout)] == list("ababab")


def test_messages_quote_the_ends_of_what_is_long(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "\n".join(f"{i},{i % 2}" for i in range(5)) + f"\n{'x' * 100_000},1\n")
    answer = run("fit", tmp_path / "t.csv", "-t", "y", "--numeric", "a", "-o", tmp_path / "m.fgac", code=1)
    assert len(answer.stderr) < 2100
    assert answer.stderr.startswith("error: column 'a' must hold numbers, got 'xxx")
    assert "[...]" in answer.stderr
    assert answer.stderr.endswith("leave the column out\n")
