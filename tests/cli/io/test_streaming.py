"""Tables that are read in parts: the parts together are the table, cut between records."""

import csv
import io

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.cli import progress as progress_module
from fgac.cli.console import progress
from fgac.cli.errors import CommandError
from fgac.cli.io import streaming
from fgac.cli.io.csv_text import CsvForm
from fgac.cli.io.quotes import last_end, open_mark
from fgac.cli.io.streaming import read_batches, read_table, whole_records
from fgac.cli.io.writing import CsvStyle, write_frames
from support.goods import WAYS, N, many, new, written
from support.property_tests import examples


@pytest.mark.parametrize("kind", WAYS)
def test_parts_together_are_the_table(tmp_path, small, kind):
    (tmp_path / "new.csv").write_bytes(written(kind))
    whole = read_table(str(tmp_path / "new.csv"))
    parts = list(read_batches(str(tmp_path / "new.csv")))
    assert pl.concat(part.frame for part in parts).equals(whole.frame)
    assert [part.first_row for part in parts] == [1, *np.cumsum([len(part) for part in parts])[:-1] + 1]
    assert {part.decimal_comma for part in parts} == {whole.decimal_comma}
    assert len(parts) > 4
    assert max(map(len, parts)) <= 16


def test_parquet_keeps_the_order_of_many_rows(tmp_path):
    """Threads join the parts; versions of polars before 1.25 mixed the rows up."""
    n, size = 400_000, 100_000
    others = {f"degree_{k}": np.random.default_rng(k).random(size) for k in range(6)}
    others |= {"prediction": ["yes", "no"] * (size // 2), "guess": [True, False] * (size // 2)}
    write_frames(
        (pl.DataFrame({"id": [str(i) for i in range(start, start + size)], **others}) for start in range(0, n, size)),
        tmp_path / "out.parquet",
        ".parquet",
        CsvStyle(),
    )
    assert pl.read_parquet(tmp_path / "out.parquet")["id"].to_list() == [str(i) for i in range(n)]


cell = st.text(st.sampled_from('ab",\r\n'), max_size=5)


@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=8), st.integers(1, 12))
@examples(300)
def test_files_are_cut_between_records(records, size):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(records)
    check_cuts(text.getvalue(), size)


@given(st.text(st.sampled_from('ab",\n'), max_size=40), st.integers(1, 12))
@examples(300)
def test_stray_quotation_marks_do_not_move_the_cuts(text, size):
    check_cuts(text, size)


def check_cuts(text, size):
    """What a CSV reader makes of the blocks is what it makes of the whole."""
    form = CsvForm("data.csv", ",", ["a", "b"], "a,b\n", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "BLOCK", size)
        patch.setattr(streaming, "N_ROWS", 0)
        place = open_mark(text.encode(), ",")
        if place is not None:
            line = 2 + text[:place].count("\n")
            with pytest.raises(CommandError, match=rf"data\.csv, line {line}: a quotation mark"):
                list(whole_records(io.BytesIO(text.encode()), b"", form))
            return
        blocks = [(block.decode(), n_lines) for block, n_lines in whole_records(io.BytesIO(text.encode()), b"", form)]
    assert "".join(block for block, _ in blocks) == text
    read = [record for block, _ in blocks for record in csv.reader(io.StringIO(block, newline=""))]
    assert read == list(csv.reader(io.StringIO(text, newline="")))
    assert [n_lines for _, n_lines in blocks] == [
        1 + sum(block.count("\n") for block, _ in blocks[:i]) for i in range(len(blocks))
    ]


def test_blocks_are_no_longer_than_they_must_be():
    text = b"1,2\n" * 1000
    form = CsvForm("data.csv", ",", ["a", "b"], "a,b\n", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "BLOCK", 100)
        assert max(len(block) for block, _ in whole_records(io.BytesIO(text), b"", form)) <= 100


def test_a_mark_at_the_end_may_be_half_of_two():
    assert last_end(b'1,2\n"a"', ",", b"\n") == 4
    assert last_end(b'1,2\n"a"\n', ",", b"\n") == 8
    assert last_end(b'1;2\n;"', ";", b"\n") == 4
    assert last_end(b'1;"2\n', ",", b"\n") == 5


def test_a_quotation_mark_that_is_never_closed_does_not_fill_the_memory(tmp_path, small, monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST", 1000)
    (tmp_path / "new.csv").write_text("a,b\n" + "1,2\n" * 100 + '"1,2\n' + "1,2\n" * 1000)
    with pytest.raises(
        CommandError, match=r"new\.csv, line 102: a quotation mark \(\"\) opens here and is not closed within"
    ):
        list(read_batches(str(tmp_path / "new.csv")))


def test_a_first_line_without_end(tmp_path, small, monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST", 1000)
    (tmp_path / "new.csv").write_text("a" * 5000)
    with pytest.raises(CommandError, match="no line end in its first 1600 bytes"):
        list(read_batches(str(tmp_path / "new.csv")))


@pytest.mark.parametrize("name", ["new.csv", "new.parquet"])
def test_progress_of_a_file_ends_at_its_size(tmp_path, small, name):
    new().write_csv(tmp_path / "new.csv")
    new().write_parquet(tmp_path / "new.parquet")
    reports = []
    for _ in read_batches(str(tmp_path / name), report=lambda *report: reports.append(report)):
        pass
    size = N if name == "new.parquet" else (tmp_path / name).stat().st_size
    assert {total for _, total in reports} == {size}
    done = [done for done, _ in reports]
    assert done == sorted(set(done))
    assert done[-1] == size


def test_progress_of_a_stream_counts_rows(small, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(many().encode())))
    reports = []
    for _ in read_batches("-", report=lambda *report: reports.append(report)):
        pass
    assert reports[-1] == (60, None)
    assert len(reports) > 3


@pytest.mark.parametrize(("total", "shown"), [(100, "50%"), (None, "rows: 50")])
def test_the_bar_is_for_terminals(monkeypatch, capsys, total, shown):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(progress_module, "DELAY", 0)
    for terminal, quiet in ((True, False), (True, True), (False, False)):
        monkeypatch.setenv("FORCE_COLOR" if terminal else "NO_COLOR", "1")
        if not terminal:
            monkeypatch.delenv("FORCE_COLOR")
        with progress("predicting rows", quiet=quiet) as report:
            report(50, total)
        told = capsys.readouterr()
        assert told.out == ""
        assert (shown in told.err) == (terminal and not quiet)
