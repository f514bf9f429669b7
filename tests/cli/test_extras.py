"""Sources whose packages are not installed say which, and how to get them; nothing else needs them."""

import subprocess
import sys

import polars as pl
import pytest

# A finder that denies them, not None in sys.modules, for which scikit-learn takes a module that was imported.
CODE = """
import sys

class Denied:
    names = sys.argv.pop(1).split(",")

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Denied())
from fgac.cli import main

rest = sys.argv[1:]
while rest:
    sys.argv[1:], rest = (rest[: rest.index("then")], rest[rest.index("then") + 1 :]) if "then" in rest else (rest, [])
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
"""
CHEAP = ("--gamma", "1", "--metric", "euclidean", "-q")
WITHOUT = "fastexcel,duckdb,adbc_driver_manager,adbc_driver_postgresql,pyarrow,backports.zstd"


def run_without(missing, *arguments):
    """Run a command, or several with the word "then" between them, until one fails, in one process."""
    return subprocess.run([sys.executable, "-c", CODE, missing, *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("missing", "source", "message"),
    [
        ("fastexcel", ["t.xlsx"], ("t.xlsx: reading a workbook needs fastexcel, which is", "excel")),
        (
            "backports.zstd",
            ["t.csv.zst"],
            ("t.csv.zst: reading a Zstandard file needs backports.zstd, which is", "zstd"),
        ),
        ("duckdb", ["duckdb:///t.db", "--sql", "x"], ("DuckDB needs duckdb, which is", "sql")),
        (
            "adbc_driver_postgresql,pyarrow",
            ["postgresql://a:geheim@b/c", "--sql", "x"],
            ("PostgreSQL needs adbc-driver-postgresql and pyarrow, which are", "sql"),
        ),
    ],
)
def test_a_missing_package_is_named_with_its_extra(tmp_path, missing, source, message, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("t.xlsx", "t.csv.zst", "t.db"):
        (tmp_path / name).write_bytes(b"x")
    answer = run_without(missing, "fit", *source, "-t", "y", "-o", "m.fgac")
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr == f"error: {message[0]} not installed; run: pip install 'fgac[{message[1]}]'\n"


@pytest.mark.slow
def test_other_sources_need_none_of_them(tmp_path, monkeypatch):
    """Fit to a table of every kind, predict it into a database, and fit to what is there."""
    monkeypatch.chdir(tmp_path)
    frame = pl.DataFrame({"a": list(range(20)), "y": ["x", "z"] * 10})
    tables = {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc}
    commands = []
    for kind, write in (tables | {"jsonl": frame.write_ndjson}).items():
        write(tmp_path / f"t.{kind}")
        commands += [
            *["fit", f"t.{kind}", "-t", "y", *CHEAP, "-o", f"{kind}.fgac", "then"],
            *["predict", f"{kind}.fgac", f"t.{kind}", "-q", "-o", f"sqlite:///{kind}.db", "--table", "p", "then"],
        ]
    query = "select id as a, prediction as y from p"
    commands += ["fit", "sqlite:///csv.db", "--sql", query, "-t", "y", *CHEAP, "-o", "n.fgac"]
    answer = run_without(WITHOUT, *commands)
    assert answer.returncode == 0, answer.stderr
    made = {path.name for path in tmp_path.glob("*.fgac")}
    assert made == {"csv.fgac", "parquet.fgac", "arrow.fgac", "jsonl.fgac", "n.fgac"}
