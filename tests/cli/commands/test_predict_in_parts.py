"""fgac predict on tables that are read in parts: the same result as in one piece, and nothing half-written."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest

from fgac.cli.io.streaming import read_batches
from support.command_line import run
from support.goods import WAYS, N, goods, many, new, written


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("goods")
    goods().write_csv(folder / "data.csv")
    common = ["-t", "y", "--id", "name", "--gamma", "2", "-q"]
    run("fit", folder / "data.csv", *common, "-o", folder / "model.fgac")
    return folder / "model.fgac"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("kind", WAYS)
def test_the_result_does_not_depend_on_the_parts(model, tmp_path, kind, request):
    data = written(kind)
    whole = run("predict", model, "-", stdin=data)
    request.getfixturevalue("small")
    parts = run("predict", model, "-", stdin=data)
    assert parts.stdout == whole.stdout
    assert parts.stderr == whole.stderr == ""
    run("predict", model, "-", "-o", tmp_path / "out.csv", stdin=data)
    assert (tmp_path / "out.csv").read_bytes() == whole.stdout_bytes


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
@pytest.mark.parametrize("source", ["new.csv", "new.parquet"])
def test_files_do_not_depend_on_the_parts(model, tmp_path, suffix, source, request):
    new().write_csv(tmp_path / "new.csv")
    new().write_parquet(tmp_path / "new.parquet", row_group_size=11)
    run("predict", model, tmp_path / source, "-o", tmp_path / f"whole{suffix}", "-q")
    request.getfixturevalue("small")
    assert len(list(read_batches(str(tmp_path / source)))) > 3
    run("predict", model, tmp_path / source, "-o", tmp_path / f"parts{suffix}", "-q")
    whole, parts = (tmp_path / f"{name}{suffix}" for name in ("whole", "parts"))
    if suffix == ".json":
        records = json.loads(parts.read_text())
        assert parts.read_text() == json.dumps(records, indent=1) + "\n"
        frames = [pl.DataFrame(json.loads(path.read_text())) for path in (whole, parts)]
    else:
        frames = [pl.read_parquet(path) for path in (whole, parts)]
    assert frames[0].schema == frames[1].schema
    others = [frame.select(pl.exclude(pl.Float64)) for frame in frames]
    assert others[0].equals(others[1])
    np.testing.assert_allclose(*(frame.select(pl.col(pl.Float64)).to_numpy() for frame in frames), atol=1e-12)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["new.csv", "new.parquet", f"whole{suffix}", f"parts{suffix}"]
    )


@pytest.mark.parametrize("text", ["name,size,colour,sold\n", "name,size,colour,sold\n" + "\n" * 400])
def test_a_table_without_rows(model, tmp_path, small, text):
    answer = run("predict", model, "-", "-o", tmp_path / "out.csv", stdin=text, code=1)
    assert answer.stderr == "error: standard input has column names but no rows\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r50,lots,red,TRUE", "column 'size' must hold numbers, got 'lots' in row 50; correct it"),
        ("r50,0.5,red,TRUE,more", "line 51: 5 fields, but there are 4 column names"),
        (",0.5,red,TRUE", "id column 'name' is empty in row 50 (1 in rows "),
        ("r50,inf,red,TRUE", "column 'size' holds infinite numbers"),
        (b"r50,0.5,\xfc,TRUE", "line 51: byte 0xfc is not UTF-8"),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_an_error_in_a_late_part_is_located_and_leaves_nothing(model, tmp_path, small, text, message, suffix):
    data = many(at={50: "HERE"}).encode().replace(b"HERE", text if isinstance(text, bytes) else text.encode())
    out = tmp_path / f"out{suffix}"
    answer = run("predict", model, "-", "-o", out, stdin=data, code=1)
    assert message in answer.stderr
    assert not list(tmp_path.iterdir())
    out.write_text("old")
    run("predict", model, "-", "-o", out, stdin=data, code=1)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_a_missing_value_changes_no_other_row(model, small):
    whole, holes = (rows_of(run("predict", model, "-", stdin=many(at=at)).stdout) for at in ({}, {50: "r50,,red,TRUE"}))
    assert len(holes) == 60
    assert [row for row in holes if row["id"] != "r50"] == [row for row in whole if row["id"] != "r50"]


def test_rows_that_are_left_out_are_counted_over_all_parts(model, small):
    gone = {row: f"r{row},NA,red,TRUE" for row in range(2, 22)}
    answer = run("predict", model, "-", "--drop-missing", "-q", stdin=many(at=gone))
    assert answer.stderr == (
        "warning: --drop-missing leaves out 20 of 60 rows (33 %), because of 'size' (20); without it, missing values "
        "count as unknown\n"
    )


def test_rows_are_numbered_and_left_out_through_all_parts(model, small):
    gone = {row: f"r{row},NA,red,TRUE" for row in (3, *range(20, 45))}  # some parts have no complete row
    lines = many(at=gone).splitlines()
    nameless = "\n".join(line.partition(",")[2] for line in lines) + "\n"
    for text, called in ((many(at=gone), "r"), (nameless, "")):
        answer = run("predict", model, "-", "--drop-missing", stdin=text)
        kept = [row for row in range(1, 61) if row not in gone]
        assert [row["id"] for row in rows_of(answer.stdout)] == [f"{called}{row}" for row in kept]
        assert answer.stderr.endswith("26 incomplete rows were left out.\n")


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_a_part_without_complete_rows_is_no_row_of_the_result(model, tmp_path, small, suffix):
    gone = {row: f"r{row},NA,red,TRUE" for row in range(1, 45)}
    out = tmp_path / f"out{suffix}"
    run("predict", model, "-", "--drop-missing", "-o", out, "-q", stdin=many(at=gone))
    if suffix == ".csv":
        ids = [row["id"] for row in rows_of(out.read_text())]
    elif suffix == ".json":
        ids = [row["id"] for row in json.loads(out.read_text())]
    else:
        ids = pl.read_parquet(out)["id"].to_list()
    assert ids == [f"r{row}" for row in range(45, 61)]


@pytest.mark.parametrize("n", [3, 60])
def test_a_table_without_complete_rows_is_an_error(model, tmp_path, small, n):
    text = many(n, at={row: f"r{row},NA,red,TRUE" for row in range(1, n + 1)})
    answer = run("predict", model, "-", "--drop-missing", "-o", tmp_path / "out.csv", stdin=text, code=1)
    assert answer.stderr.startswith("error: standard input: every row has a missing value")
    assert not list(tmp_path.iterdir())


def test_unseen_values_are_told_once(model, small):
    unseen = {row: f"r{row},0.5,{colour},TRUE" for row, colour in zip(range(1, 60, 7), "abcabcabc", strict=True)}
    told = "column 'colour' has values that training did not see ('a', 'b', 'c'); they differ from all others\n"
    assert run("predict", model, "-", stdin=many(at=unseen)).stderr.count(told) == 1
    many_unseen = {row: f"r{row},0.5,c{row},TRUE" for row in range(1, 60)}
    answer = run("predict", model, "-", "-q", stdin=many(at=many_unseen))
    assert answer.stderr.count("('c1', 'c2', 'c3', 'c4', 'c5', ...)") == answer.stderr.count("column 'colour'") == 1


def test_guesses_of_all_parts_are_counted(tmp_path, small):
    """Of distances that grow without end: by ranks, no row is farther off than the extremes."""
    model = tmp_path / "model.fgac"
    how = ["--gamma", "2", "--metric", "euclidean", "--scale", "range"]
    run("fit", "-", "-t", "y", "--id", "name", *how, "-o", model, "-q", stdin=goods().write_csv())
    far = {row: f"r{row},9,red,TRUE" for row in (1, 30, 60)}
    assert run("predict", model, "-", stdin=many(at=far)).stderr == (
        "warning: 3 of 60 rows have no comparable case: their predictions are guesses (column guess)\n"
    )


@pytest.mark.parametrize(("remembered", "told"), [(100, "58 names"), (1, "at most 59 names")])
def test_names_that_come_again_are_found(model, small, monkeypatch, remembered, told):
    """Wherever they are; if there are too many names to remember, at least within a part."""
    monkeypatch.setattr("fgac.cli.io.new_rows.N_NAMES", remembered)
    twice = {6: "r5,0.5,red,TRUE"} | ({60: "r2,0.5,red,TRUE"} if remembered > 1 else {})
    message = f"warning: id column 'name' gives several rows the same name: {told}, 60 rows\n"
    assert run("predict", model, "-", stdin=many(at=twice)).stderr == message


def test_how_a_row_is_read_does_not_depend_on_the_others(model, small):
    """That all values of a column are true or false may hold in one part and not in the next."""
    answer = run("predict", model, "-", stdin=many(at={60: "r60,0.5,red,perhaps"}))
    assert "'sold' has values that training did not see ('perhaps');" in answer.stderr
    rows = rows_of(answer.stdout)
    assert len({row["degree"] for row in rows[:-1]}) == 1
    alone = run("predict", model, "-", stdin=many(1))
    assert rows_of(alone.stdout)[0]["degree"] == rows[-2]["degree"]


def test_names_that_begin_as_numbers_stay_text(model, tmp_path, small):
    """Whatever the first rows look like, every id is text."""
    numbered = {row: f"{row:03d},0.5,red,TRUE" for row in range(1, 50)}
    run("predict", model, "-", "-q", "-o", tmp_path / "out.parquet", stdin=many(at=numbered))
    expected = [f"{row:03d}" if row < 50 else f"r{row}" for row in range(1, 61)]
    assert pl.read_parquet(tmp_path / "out.parquet")["id"].to_list() == expected
    answer = run("predict", model, "-", stdin=many(at=numbered))
    assert [row["id"] for row in rows_of(answer.stdout)] == expected


def test_whole_number_names_of_parquet_stay_whole_numbers(model, tmp_path, small):
    new().with_columns(name=pl.int_range(N, dtype=pl.Int32)).write_parquet(tmp_path / "new.parquet")
    run("predict", model, tmp_path / "new.parquet", "-o", tmp_path / "out.json", "-q")
    assert [row["id"] for row in json.loads((tmp_path / "out.json").read_text())] == list(range(N))


def test_a_broken_parquet_file(model, tmp_path):
    (tmp_path / "new.parquet").write_bytes(b"not parquet")
    answer = run("predict", model, tmp_path / "new.parquet", code=1)
    assert "is no Parquet file that can be read" in answer.stderr
    answer = run("predict", model, tmp_path / "none.parquet", code=1)
    assert answer.stderr == f"error: {tmp_path / 'none.parquet'}: No such file or directory\n"


def test_a_name_is_no_pattern(model, tmp_path):
    """A file is called as it is called, also if its name could match others."""
    new().write_parquet(tmp_path / "[ab]*.parquet")
    new(3).write_parquet(tmp_path / "a.parquet")
    run("predict", model, tmp_path / "[ab]*.parquet", "-o", tmp_path / "[ab]*.out.parquet", "-q")
    assert len(pl.read_parquet((tmp_path / "[ab]*.out.parquet").read_bytes())) == N


@pytest.mark.usefixtures("small")
def test_json_lines_may_lack_a_key_for_a_while(model, tmp_path):
    """What is not in the first part may be in a later one; what is in no line is an error, as a misspelt name is."""
    records = new().to_dicts()
    for record in records[: N // 2]:
        del record["size"], record["sold"]
    (tmp_path / "new.jsonl").write_text("\n".join(map(json.dumps, records)))
    pl.DataFrame([{"size": None, "sold": None, **record} for record in records], infer_schema_length=None).select(
        new().columns
    ).write_csv(tmp_path / "new.csv")
    found, expected = (run("predict", model, tmp_path / name) for name in ("new.jsonl", "new.csv"))
    assert found.stdout == expected.stdout
    (tmp_path / "none.jsonl").write_text("\n".join(map(json.dumps, records[: N // 2])))
    failed = run("predict", model, tmp_path / "none.jsonl", "-o", tmp_path / "out.csv", code=1)
    assert "lacks columns of the model: 'size', 'sold'; the columns are" in failed.stderr
    assert not (tmp_path / "out.csv").exists()
