"""What commands import: nothing heavy before it is needed, and no scikit-learn to predict and to explain."""

import json
import shutil
import subprocess
import sys

import pytest

from support import house_grades, house_prices
from support.command_line import run
from support.loans import TARGET, loans

HEAVY = {"numpy", "scipy", "sklearn", "numba", "polars", "pandas", "pyarrow", "jinja2", "matplotlib", "joblib"}
HEAVY |= {"adbc_driver_manager", "duckdb", "fastexcel"}
TRAINERS = HEAVY - {"numpy", "polars", "numba", "scipy", "jinja2"}
CODE = """
import io, json, sys
from contextlib import redirect_stderr
from fgac.cli import main
answers = []
for command in sys.argv[1:]:
    sys.argv[1:], code, said = command.split(), 0, io.StringIO()
    try:
        with redirect_stderr(said):
            main()
    except SystemExit as end:
        code = end.code or 0
    answers.append([code, said.getvalue(), sorted(sys.modules)])
sys.stderr.write(json.dumps(answers))
"""


def run_apart(folder, *commands):
    """Run commands one after the other in a process of their own.

    Return of each its exit code, first line on standard error, and the modules loaded since the first began.
    """
    answer = subprocess.run([sys.executable, "-c", CODE, *commands], capture_output=True, text=True, cwd=folder)
    assert answer.stderr.startswith("["), answer.stderr
    return [(code, (said.splitlines() or [""])[0], set(loaded)) for code, said, loaded in json.loads(answer.stderr)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Training tables, new rows and a model of every kind."""
    folder = tmp_path_factory.mktemp("loaded")
    kinds = {
        "classes": (loans, ["-t", TARGET, "--id", "customer"]),
        "grades": (house_grades.houses, house_grades.COMMON),
        "numbers": (house_prices.houses, house_prices.COMMON),
    }
    for name, (table, options) in kinds.items():
        table().write_csv(folder / f"{name}.csv")
        table(12, seed=1).write_csv(folder / f"{name}_new.csv")
        run("fit", folder / f"{name}.csv", *options, "--gamma", "2", "-o", folder / f"{name}.fgac", "-q")
    shutil.copyfile(folder / "classes.csv", folder / "other.fgac")
    return folder


def test_help_loads_nothing_heavy(tmp_path):
    for _, _, loaded in run_apart(tmp_path, "--help", "fit --help", "--version", "fit --nonsense"):
        assert "typer" in loaded
        assert not HEAVY & loaded


WRONG_NAMES = {
    "predict nothing.fgac classes_new.csv": (1, "nothing.fgac: No such file or directory"),
    "predict classes.fgac nothing.csv": (1, "nothing.csv: No such file or directory"),
    "predict classes.fgac nothing.parquet": (1, "nothing.parquet: No such file or directory"),
    "predict classes.fgac classes_new.docx": (2, "classes_new.docx: a table ends in .csv"),
    "predict classes.fgac nothing.csv.gz": (1, "nothing.csv.gz: No such file or directory"),
    "predict classes.fgac nothing.xlsx": (1, "nothing.xlsx: No such file or directory"),
    "predict classes.fgac nothing.feather": (1, "nothing.feather: No such file or directory"),
    "predict classes.fgac nothing.jsonl": (1, "nothing.jsonl: No such file or directory"),
    "predict classes.fgac sqlite:///nothing.db --sql x": (1, "nothing.db: No such file or directory"),
    "predict classes.fgac duckdb:///nothing.db --sql x": (1, "nothing.db: No such file or directory"),
    "predict classes.fgac sqlite:///nothing.db": (2, "--sql is missing: what is to be read of sqlite:///nothing.db?"),
    "predict classes.fgac mysql://a:b@c/d --sql x": (2, "mysql:// is no database that fgac knows"),
    "explain nothing.fgac classes_new.csv": (1, "nothing.fgac: No such file or directory"),
    "explain classes.fgac nothing.csv": (1, "nothing.csv: No such file or directory"),
    "audit nothing.fgac": (1, "nothing.fgac: No such file or directory"),
    "audit nothing.csv -t approved": (1, "nothing.csv: No such file or directory"),
    "fit nothing.csv -t approved -o m.fgac": (1, "nothing.csv: No such file or directory"),
    "fit nothing.parquet -t rent --numbers -o m.fgac": (1, "nothing.parquet: No such file or directory"),
    "evaluate nothing.csv -t approved": (1, "nothing.csv: No such file or directory"),
}


@pytest.mark.slow
def test_a_wrong_file_name_is_answered_before_anything_heavy_is_loaded(folder):
    """Modules stay loaded: what all of them together do not load, no one does."""
    answers = run_apart(folder, *WRONG_NAMES)
    for (command, expected), (code, first, loaded) in zip(WRONG_NAMES.items(), answers, strict=True):
        assert code == expected[0], command
        assert first.startswith(f"error: {expected[1]}"), command
        assert not (HEAVY | {"rich", "fgac.persistence", "fgac.estimators"}) & loaded, command


def test_a_file_that_is_no_model_is_told_before_the_table_is_looked_at(folder):
    ((code, first, loaded),) = run_apart(folder, "predict other.fgac nothing.csv")
    assert code == 1
    assert first.startswith("error: other.fgac is no model file: it begins with")
    assert not (HEAVY - {"numpy"}) & loaded


@pytest.mark.slow
def test_models_predict_and_explain_without_scikit_learn(folder):
    """Importing scikit-learn takes longer than the rest of a short command."""
    commands = (
        "predict {0}.fgac {0}_new.csv",
        "explain {0}.fgac {0}_new.csv",
        "explain {0}.fgac {0}_new.csv -o {0}.html",
    )
    kinds = ("classes", "grades", "numbers")
    answers = run_apart(folder, *(command.format(kind) for kind in kinds for command in commands))
    assert [code for code, _, _ in answers] == [0] * len(answers)
    assert all((folder / f"{kind}.html").exists() for kind in kinds)
    assert "numba" in answers[-1][2]
    assert not TRAINERS & answers[-1][2]


def test_a_model_is_audited_without_tables(folder):
    """Also without compiled loops, where it need not be known how much rows of their own class support rows."""
    for by, absent in (("", {"polars"}), (" --by membership", {"polars", "numba"})):
        ((code, _, loaded),) = run_apart(folder, f"audit classes.fgac -o audit.json{by}")
        assert code == 0
        assert not (TRAINERS | absent) & loaded


def test_a_model_file_is_read_once(folder, monkeypatch):
    """It is hashed and unpacked whole, so reading it twice takes twice as long."""
    from fgac.persistence import model_file

    read = model_file.unpack
    seen = []
    monkeypatch.setattr(model_file, "unpack", lambda file, size: seen.append(size) or read(file, size))
    run("predict", folder / "classes.fgac", folder / "classes_new.csv")
    assert len(seen) == 1
