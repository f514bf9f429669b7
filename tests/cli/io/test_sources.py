"""What a name says of a table: its form, and which options fit it."""

import os

import pytest

from fgac.cli.errors import UsageError
from fgac.cli.io.sources import Reading, is_table, short_name, source_form, source_name


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.csv", "csv"),
        ("A.TSV", "csv"),
        ("a.b.csv.gz", "csv"),
        ("a.txt.xz", "csv"),
        ("a.csv.ZST", "csv"),
        ("-", "csv"),
        ("/dev/stdin", "csv"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson.bz2", "jsonl"),
        ("a.pq", "parquet"),
        ("a.feather", "arrow"),
        ("a.arrow", "arrow"),
        ("a.xlsx", "excel"),
        ("a.ods", "excel"),
        ("sqlite:///a.csv", "sql"),
    ],
)
def test_names_tell_the_form(name, form):
    assert source_form(name) == form
    assert is_table(name)


@pytest.mark.parametrize("name", ["model.fgac", "a", "a.gz", "a.parquet.gz", "a.xlsx.zst", "a.json", "."])
def test_other_names_are_no_tables(name):
    assert not is_table(name)
    with pytest.raises(UsageError, match=r"a table ends in \.csv, "):
        source_form(name)


def test_a_pipe_is_csv(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert source_form(str(tmp_path / "pipe")) == "csv"


def test_a_file_of_a_database_is_told_how_to_address_it():
    with pytest.raises(UsageError, match=r'sqlite:///data/loans\.sqlite --sql "select'):
        source_form("data/loans.sqlite")


def test_names_in_messages():
    assert source_name("-") == source_name("/dev/stdin") == short_name("-") == "standard input"
    assert (source_name("folder/a.csv"), short_name("folder/a.csv")) == ("folder/a.csv", "a.csv")
    for name in (source_name, short_name):
        assert name("postgresql://ann:geheim@db/loans?sslmode=require") == "postgresql://ann@db/loans"


@pytest.mark.parametrize(
    ("reading", "path", "message"),
    [
        (Reading(encoding="latin-1"), "a.parquet", "--encoding is for text"),
        (Reading(encoding="latin-1"), "sqlite:///a.db", "--encoding is for text"),
        (Reading(sheet="1"), "a.csv", "--sheet is for workbooks, and a.csv is none"),
        (Reading(sql="select 1"), "-", "--sql is for databases, and standard input is none"),
        (Reading(), "sqlite:///a.db", "--sql is missing"),
        (Reading(sql=" "), "postgresql://ann:geheim@db/x", "--sql is missing: what is to be read of postgresql://ann@"),
    ],
)
def test_options_that_do_not_fit(reading, path, message):
    with pytest.raises(UsageError) as error:
        reading.check(path)
    assert message in str(error.value)
    assert "geheim" not in str(error.value)


def test_options_that_fit():
    Reading(encoding="latin-1").check("a.csv.gz")
    Reading(encoding="utf-16").check("a.jsonl")
    Reading(sheet="x").check("a.xlsx")
    Reading(sql="select 1").check("duckdb:///a.db")
