"""Queries on databases of every kind: typed rows, in parts, that change nothing; and errors in a line."""

import datetime as dt
import sqlite3

import polars as pl
import pytest

from fgac.cli.errors import CommandError
from fgac.cli.io.arrow_batches import regrouped
from fgac.cli.io.sources import Reading
from fgac.cli.io.streaming import read_batches, read_table
from support.databases import Database
from support.goods import N, goods, new


def read(database, sql):
    return read_table(database.url, None, Reading(sql=sql))


@pytest.mark.parametrize("end", ["", " ; ", " -- all of them"])
def test_parts_together_are_the_result(database, small, end):
    database.put(goods(), "goods")
    sql = f"select * from goods order by name{end}"
    reports = []
    parts = list(read_batches(database.url, ["?"], lambda *report: reports.append(report), Reading(sql=sql)))
    assert len(parts) > 4
    assert max(map(len, parts)) <= 7
    assert pl.concat([part.frame for part in parts]).rows() == sorted(goods().rows())
    assert [part.first_row for part in parts][:2] == [1, 1 + len(parts[0])]
    assert {part.missing for part in parts} == {("?",)}
    assert reports[-1] == (N, None)
    assert read(database, sql).frame.rows() == sorted(goods().rows())


def test_values_keep_their_types(database):
    frame = pl.DataFrame({"n": [1, None], "x": [0.5, None], "text": ["ü", None], "ok": [True, None]})
    database.put(frame, "t")
    found = read(database, "select * from t order by n").frame
    expected = frame if database.address.kind != "sqlite" else frame.with_columns(pl.col("ok").cast(pl.Int64))
    assert found.sort("n", nulls_last=True).equals(expected)
    assert found.schema == expected.schema


def test_other_types_of_duckdb_and_postgresql(database):
    if database.address.kind == "sqlite":
        pytest.skip("SQLite has no such types")
    code = "0b8e8d4e-5c5c-4d52-8a1c-3a1f7a0f0c11"
    sql = f"select date '2024-02-29' as d, 12.50::numeric(10, 2) as x, '{code}'::uuid as u, 7::smallint as i"
    frame = read(database, sql).frame
    assert frame["d"].to_list() == [dt.date(2024, 2, 29)]
    assert float(frame["x"][0]) == 12.5
    assert frame["u"].to_list() == [code]
    assert frame["i"].dtype == pl.Int16
    with pytest.raises(CommandError, match="column 'v' holds values of type month_day_nano_interval, which cannot"):
        read(database, "select interval '1 day' as v")


def test_sqlite_columns_of_mixed_types_are_text(tmp_path, small):
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.execute("create table t (a, b)")
        rows = [(i, i) for i in range(50)] + [(0.5, "many"), (None, None)]
        connection.executemany("insert into t values (?, ?)", rows)
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    frame = read(database, "select * from t").frame
    assert frame["a"].to_list() == [*map(float, range(50)), 0.5, None]
    assert frame["b"].to_list() == [*map(str, range(50)), "many", None]


def test_reading_changes_nothing(database):
    database.put(new(), "goods")
    statements = ["drop table goods", "delete from goods", "update goods set size = 0", "create table other (a int)"]
    for statement in statements:
        with pytest.raises(CommandError) as told:
            read(database, statement)
        assert "fault" not in str(told.value)
    assert "goods" in database.tables()
    assert "other" not in database.tables()
    assert database.rows("select count(*), min(size) > 0 from goods") == [(N, True)]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select * from nothing", "nothing"),
        ("selec 1", "syntax error"),
        ("select nothing from goods", "nothing"),
        ("select 1 as a, 2 as a", "several columns of the query are called 'a'; rename them with as"),
        ("select * from goods where 1 = 0", "has column names but no rows"),
        ("-- nothing", "the query gives no table"),
        (" /* nothing\n */ ; ", "the query gives no table"),
    ],
)
def test_wrong_queries_are_told_in_a_line(database, sql, message):
    database.put(new(), "goods")
    with pytest.raises(CommandError) as told:
        read(database, sql)
    assert str(told.value).startswith(database.address.shown)
    assert message in str(told.value)
    assert "\n" not in str(told.value)
    assert not any(secret in str(told.value) for secret in database.address.secrets)


def test_an_error_in_a_late_row_is_told(database, small):
    if database.address.kind == "sqlite":
        pytest.skip("SQLite makes null of it")
    database.put(pl.DataFrame({"a": [str(i) for i in range(3000)] + ["x"]}), "t")
    with pytest.raises(CommandError, match=r"x"):
        read(database, "select cast(a as integer) as a from t")


def test_files_that_are_no_databases(tmp_path):
    (tmp_path / "t.db").write_bytes(b"certainly no database " * 100)
    for kind in ("sqlite", "duckdb"):
        with pytest.raises(CommandError, match=r"(?i)not a (valid DuckDB )?database"):
            read(Database(f"{kind}:///{tmp_path / 't.db'}"), "select * from goods")
        with pytest.raises(FileNotFoundError):
            read(Database(f"{kind}:///{tmp_path / 'none.db'}"), "select 1 as a")


def test_a_server_that_refuses(server):
    wrong = server.replace("s3cret", "guessed")
    with pytest.raises(CommandError, match='password authentication failed for user "ann"') as told:
        read(Database(wrong), "select 1 as a")
    assert "guessed" not in str(told.value)
    with pytest.raises(CommandError, match='database "nowhere" does not exist'):
        read(Database(server.replace("/postgres", "/nowhere")), "select 1 as a")
    with pytest.raises(CommandError, match="Connection refused"):
        read(Database("postgresql://ann:geheim@127.0.0.1:1/x"), "select 1 as a")


@pytest.mark.parametrize("sizes", [[0], [3, 4], [10], [1] * 9, [5, 0, 5, 1], [25, 2]])
@pytest.mark.parametrize("n_rows", [1, 4, 100])
def test_batches_are_regrouped(sizes, n_rows):
    import pyarrow as pa

    values = list(range(sum(sizes)))
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    batches = [
        pa.record_batch({"a": pa.array(values[e - n : e], pa.int64())}) for n, e in zip(sizes, ends, strict=True)
    ]
    tables = list(regrouped(batches, n_rows))
    assert [value for table in tables for value in table["a"].to_pylist()] == values
    assert all(len(table) == n_rows for table in tables[:-1])
