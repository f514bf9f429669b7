"""fgac predict into a table of a database: whole or not at all, in parts, and never over another table unasked."""

import polars as pl
import pytest

from fgac.cli.io import database_tables
from support.command_line import run, table
from support.databases import Database
from support.goods import N, goods, new


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("goods")
    goods().write_csv(folder / "data.csv")
    run("fit", folder / "data.csv", "-t", "y", "--id", "name", "--gamma", "2", "-q", "-o", folder / "model.fgac")
    return folder / "model.fgac"


@pytest.fixture
def expected(model):
    """What standard output would have, as text of every row."""
    return table(run("predict", model, "-", stdin=new().write_csv().encode()).stdout)


def predict(model, database, *options, sql="select * from new", **how):
    return run("predict", model, database.url, "--sql", sql, "-o", database.url, *options, **how)


def test_source_and_sink_may_be_one_database(model, database, small, expected):
    database.put(new(), "new")
    answer = predict(model, database, "--table", "predictions")
    assert answer.stdout == ""
    assert answer.stderr == f"Predicted {N} rows: table 'predictions' of {database.address.shown}\n"
    rows = database.rows("select * from predictions")
    assert {row[0]: row[1] for row in rows} == {
        row["name" if "name" in row else "id"]: row["prediction"] for row in expected
    }
    degrees = {row[0]: row[2] for row in rows}
    assert [degrees[row["id"]] for row in expected] == pytest.approx(
        [float(row["degree"]) for row in expected], abs=1e-6
    )
    assert database.tables() == {"new", "predictions"}


def test_columns_have_types(model, database):
    database.put(new(), "new")
    predict(model, database, "--table", "predictions", "-q")
    text, flag = {
        "sqlite": ("TEXT", "INTEGER"), "duckdb": ("VARCHAR", "BOOLEAN"), "postgresql": ("text", "boolean")
    }[database.address.kind]  # fmt: skip
    if database.address.kind == "sqlite":
        kinds = {row[1]: row[2] for row in database.rows("pragma table_info(predictions)")}
    else:
        query = "select column_name, data_type from information_schema.columns where table_name = 'predictions'"
        kinds = dict(database.rows(query))
    assert (kinds["id"], kinds["prediction"], kinds["guess"]) == (text, text, flag)
    assert kinds["degree"].lower() in ("real", "double", "double precision")


def test_a_table_is_not_replaced_unasked(model, database):
    database.put(new(), "new")
    database.put(pl.DataFrame({"precious": [1]}), "p")
    answer = predict(model, database, "--table", "p", code=1)
    assert answer.stderr == (
        f"error: there is already a table 'p' of {database.address.shown}; give another name with --table, or replace "
        "it with --replace\n"
    )
    assert database.rows("select * from p") == [(1,)]
    predict(model, database, "--table", "p", "--replace")
    assert database.rows("select count(*) from p") == [(N,)]


@pytest.mark.parametrize("replace", [True, False])
def test_an_error_in_a_late_part_leaves_the_database_as_it_was(model, database, small, replace):
    wrong = new().with_columns(size=pl.when(pl.int_range(N) == N - 1).then(None).otherwise("size"))
    database.put(wrong.with_columns(size=pl.col("size").fill_null(float("inf"))), "new")
    database.put(pl.DataFrame({"precious": [1]}), "p")
    options = ["--table", "p", "--replace"] if replace else ["--table", "q"]
    answer = predict(model, database, *options, code=1)
    assert "infinite" in answer.stderr
    assert database.tables() == {"new", "p"}
    assert database.rows("select * from p") == [(1,)]


@pytest.mark.parametrize("replace", [True, False])
def test_an_error_while_the_table_is_filled_undoes_all(model, database, small, monkeypatch, replace):
    """The transaction holds the drop, the table and its rows."""
    database.put(new(), "new")
    database.put(pl.DataFrame({"precious": [1]}), "p")
    read = database_tables._put_aside

    def broken(frames, folder):
        parts = read(frames, folder)
        parts[-1].write_bytes(b"")
        return parts

    monkeypatch.setattr(database_tables, "_put_aside", broken)
    options = ["--table", "p", "--replace"] if replace else ["--table", "q"]
    predict(model, database, *options, code=1)
    assert database.tables() == {"new", "p"}
    assert database.rows("select * from p") == [(1,)]


def test_names_are_names_and_no_sql(model, database):
    database.put(new(), "new")
    name = 'x"; drop table new; --'
    predict(model, database, "--table", name, "-q")
    assert database.tables() == {"new", name}


def test_classes_are_names_and_no_sql(database, tmp_path):
    """They are in the names of columns."""
    awkward = 'good" integer); drop table new; --'
    goods().with_columns(y=pl.col("y").replace("good", awkward)).write_csv(tmp_path / "data.csv")
    run("fit", tmp_path / "data.csv", "-t", "y", "--id", "name", "--gamma", "2", "-q", "-o", tmp_path / "m.fgac")
    database.put(new(), "new")
    predict(tmp_path / "m.fgac", database, "--table", "p", "-q")
    assert database.tables() == {"new", "p"}
    assert {row[0] for row in database.rows("select prediction from p")} <= {"bad", awkward}


@pytest.mark.parametrize("kind", ["duckdb", "postgresql"])
def test_schemas(model, kind, tmp_path, request):
    database = Database(request.getfixturevalue("server") if kind == "postgresql" else f"duckdb:///{tmp_path / 'x.db'}")
    database.do("drop schema if exists results cascade", "create schema results")
    database.put(new(), "new")
    predict(model, database, "--table", "results.p", "-q")
    assert database.rows("select count(*) from results.p") == [(N,)]
    assert "there is already a table 'results.p'" in predict(model, database, "--table", "results.p", code=1).stderr
    predict(model, database, "--table", "results.p", "--replace", "-q")
    predict(model, database, "--table", "none.p", code=1)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_new_file_is_there_whole_or_not_at_all(model, tmp_path, kind, monkeypatch):
    new().write_csv(tmp_path / "new.csv")
    new().with_columns(size=pl.lit("lots")).write_csv(tmp_path / "wrong.csv")
    place = Database(f"{kind}:///{tmp_path / 'out.db'}")
    run("predict", model, tmp_path / "wrong.csv", "-o", place.url, "--table", "p", code=1)
    run("predict", model, tmp_path / "new.csv", "-o", place.url, "--table", " ", code=2)
    with monkeypatch.context() as patch:
        patch.setattr(database_tables, "_put_aside", lambda frames, folder: [tmp_path / "none"])
        run("predict", model, tmp_path / "new.csv", "-o", place.url, "--table", "p", code=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "wrong.csv"]
    run("predict", model, tmp_path / "new.csv", "-o", place.url, "--table", "p", "-q")
    assert place.rows("select count(*) from p") == [(N,)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "out.db", "wrong.csv"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "sqlite:///out.db"], "--table is missing: what shall the table in sqlite:///out.db be called?"),
        (["-o", "out.csv", "--table", "p"], "--table is for a database; leave it out, or give the address of one"),
        (["--replace"], "--replace is for a database"),
        (["-o", "sqlite:///nowhere/out.db", "--table", "p"], "-o sqlite:///nowhere/out.db: there is no folder nowhere"),
        (["-o", "sqlite:///out.db", "--table", "p", "--spreadsheet-safe"], "--spreadsheet-safe is for CSV"),
        (["-o", "mysql://ann:geheim@db/x", "--table", "p"], "mysql:// is no database that fgac knows"),
    ],
)
def test_wrong_usage(model, tmp_path, options, message, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new().write_csv("new.csv")
    answer = run("predict", model, "new.csv", *options, code=2)
    assert answer.stderr.startswith(f"error: {message}")
    assert "geheim" not in answer.output


def test_whoever_may_not_write_is_told(model, server):
    database = Database(server)
    database.do("drop schema public cascade", "create schema public")
    database.put(new(), "new")
    database.do("alter role ann set default_transaction_read_only = on")
    try:
        answer = predict(model, database, "--table", "p", code=1)
    finally:
        database.do("set default_transaction_read_only = off", "set transaction read write", "alter role ann reset all")
    assert "read-only transaction" in answer.stderr
