"""Sources whose packages are not installed say which, and how to get them; nothing else needs them."""

import subprocess
import sys

import polars as pl
import pytest

from support.command_line import run

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
main()
"""
CHEAP = ("--gamma", "1", "--metric", "euclidean")
WITHOUT = "fastexcel,duckdb,adbc_driver_manager,adbc_driver_postgresql,pyarrow,backports.zstd"


def run_without(missing, *arguments):
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
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow", ".jsonl"])
def test_other_files_need_none_of_them(tmp_path, suffix):
    frame = pl.DataFrame({"a": list(range(20)), "y": ["x", "z"] * 10})
    path = tmp_path / f"t{suffix}"
    {".csv": frame.write_csv, ".parquet": frame.write_parquet, ".arrow": frame.write_ipc, ".jsonl": frame.write_ndjson}[
        suffix
    ](path)
    answer = run_without(WITHOUT, "fit", path, "-t", "y", *CHEAP, "-q", "-o", tmp_path / "m.fgac")
    assert answer.returncode == 0, answer.stderr


@pytest.mark.slow
def test_databases_of_sqlite_need_none_of_them(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "1,x\n2,z\n" * 10)
    run("fit", tmp_path / "t.csv", "-t", "y", *CHEAP, "-q", "-o", tmp_path / "m.fgac")
    url = f"sqlite:///{tmp_path / 't.db'}"
    answer = run_without(WITHOUT, "predict", tmp_path / "m.fgac", tmp_path / "t.csv", "-q", "-o", url, "--table", "p")
    assert answer.returncode == 0, answer.stderr
    query = "select id as a, prediction as y from p"
    answer = run_without(WITHOUT, "fit", url, "--sql", query, "-t", "y", *CHEAP, "-q", "-o", tmp_path / "n.fgac")
    assert answer.returncode == 0, answer.stderr
