"""The program ``fgac``: commands, what they print, and what they write."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import polars as pl
from numpy.random import default_rng

import fgac
from same_results.constants import Plain
from same_results.data import census
from same_results.plain_values import hidden, page


class Program(NamedTuple):
    """Commands that are run one after the other in a folder, and the one that is run again on models read."""

    commands: dict[str, list[str]]
    again: dict[str, str] = {}


def draw_tables(folder: Path) -> None:
    """Write the tables that commands read: people with ids, and what is to be predicted of them."""
    for name, kind, column in (
        ("loans", "two", "decision"),
        ("grades", "grades", "grade"),
        ("rents", "number", "rent"),
    ):
        case, rng = census(kind, n=70, seed=30), default_rng(31)
        names = [f"A{i:03d}" for i in range(70)]
        counts = rng.integers(0, 3, 70)
        known = case.X.assign(**{column: case.y}, times=counts)
        known.insert(0, "applicant", names)
        known.to_csv(folder / f"{name}.csv", index=False)
        new = case.new.assign(applicant=[f"N{i}" for i in range(10)])
        new.to_csv(folder / f"{name}_new.csv", index=False)
        new.to_csv(folder / f"{name}_new.tsv", index=False, sep="\t")
        pl.DataFrame(new.astype({"city": str}).to_dict("list")).write_parquet(folder / f"{name}_new.parquet")
        holes = known.astype(object)
        holes.iloc[4, 1], holes.iloc[9, 3] = None, "?"
        holes.to_csv(folder / f"{name}_holes.csv", index=False)
        known.iloc[:8].to_csv(folder / f"{name}_known.csv", index=False)
    (folder / "broken.fgac").write_bytes(b"PK nothing")


def programs() -> dict[str, Program]:
    """The commands, by what they are about."""
    return {
        "cli_classes": Program(class_commands(), {"predict": "loans"}),
        "cli_options": Program(option_commands(), {"predict": "options"}),
        "cli_order": Program(order_commands(), {"predict": "grades"}),
        "cli_numbers": Program(number_commands(), {"predict": "rents"}),
        "cli_evaluate": Program(evaluate_commands()),
        "cli_misuse": Program(misuse_commands()),
        "cli_help": Program(
            {
                name or "all": [*name.split(), "--help"]
                for name in ("", "fit", "predict", "explain", "audit", "evaluate")
            }
            | {"version": ["--version"], "demo": ["demo"]}
        ),
    }


def split(commands: dict[str, str]) -> dict[str, list[str]]:
    """Commands as lists of words."""
    return {name: command.split() for name, command in commands.items()}


def class_commands() -> dict[str, list[str]]:
    return split(
        {
            "fit": "fit loans.csv -t decision --id applicant --drop times -o loans.fgac",
            "predict": "predict loans.fgac loans_new.csv",
            "predict_json": "predict loans.fgac loans_new.csv -o predicted.json",
            "predict_tsv": "predict loans.fgac loans_new.tsv -o predicted.csv",
            "predict_parquet": "predict loans.fgac loans_new.parquet",
            "predict_stdin": "predict loans.fgac -",
            "explain": "explain loans.fgac loans_new.csv",
            "explain_rows": "explain loans.fgac loans_new.csv --row N1,N3 --n-arguments 2 --unit age=years",
            "explain_doubtful": "explain loans.fgac loans_new.csv --doubtful 3 -o doubtful.txt",
            "explain_json": "explain loans.fgac loans_new.csv --no-audit -o explained.json",
            "explain_audit": "explain loans.fgac loans_new.csv --first 2 -o audited.json",
            "explain_csv": "explain loans.fgac loans_known.csv -o explained.csv",
            "explain_html": "explain loans.fgac loans_known.csv --no-audit -o explained.html",
            "audit": "audit loans.fgac",
            "audit_table": "audit loans.csv -t decision --id applicant --drop times --gamma 1 --by rest -n 5",
            "audit_json": "audit loans.fgac --by rest -o audit.json",
            "audit_html": "audit loans.fgac -o audit.html",
        }
    )


def option_commands() -> dict[str, list[str]]:
    options = "--gamma 2 --metric manhattan --scale rank --class-weight balanced --loss absolute_error --learn-weights"
    directions = "--increasing income --decreasing debt --n-jobs 1"
    return split(
        {
            "fit": f"fit loans.csv -t decision --weight times --drop applicant {options} {directions} --ids-only "
            "-o options.fgac",
            "fit_holes": "fit loans_holes.csv -t decision --id applicant --drop times --drop-missing --nominal age "
            "--gamma 3 --scale none -o holes.fgac -q",
            "predict": "predict options.fgac loans_new.csv",
            "predict_id": "predict options.fgac loans_new.csv --id applicant",
            "predict_holes": "predict holes.fgac loans_holes.csv --drop-missing",
            "explain": "explain options.fgac loans_known.csv --first 2",
            "audit": "audit options.fgac -n 3 -o audit.txt",
        }
    )


def order_commands() -> dict[str, list[str]]:
    common = "-t grade --order poor,fair,good --id applicant --drop times"
    return split(
        {
            "fit": f"fit grades.csv {common} -o grades.fgac",
            "fit_monotone": f"fit grades.csv {common} --increasing income --gamma 3 --class-weight balanced -o up.fgac",
            "predict": "predict grades.fgac grades_new.csv",
            "explain": "explain grades.fgac grades_known.csv",
            "explain_json": "explain up.fgac grades_new.csv --doubtful 4 -o explained.json",
            "explain_html": "explain grades.fgac grades_new.csv -o explained.html",
            "audit": "audit grades.fgac -n 4",
            "audit_json": "audit up.fgac -n 4 --by rest -o audit.json",
        }
    )


def number_commands() -> dict[str, list[str]]:
    common = "-t rent --numbers --id applicant --drop times"
    return split(
        {
            "fit": f"fit rents.csv {common} --interval 0.8 -o rents.fgac",
            "fit_monotone": f"fit rents.csv {common} --gamma 2 --increasing income --learn-weights -o up.fgac",
            "predict": "predict rents.fgac rents_new.csv",
            "predict_monotone": "predict up.fgac rents_new.csv -o predicted.parquet",
            "explain": "explain rents.fgac rents_known.csv --unit rent=EUR",
            "explain_json": "explain up.fgac rents_new.csv --doubtful 4 -o audited.json",
            "explain_csv": "explain up.fgac rents_new.csv -o explained.csv",
            "explain_html": "explain rents.fgac rents_known.csv --no-audit -o explained.html",
            "audit": "audit rents.fgac -n 4",
            "audit_json": "audit up.fgac -n 4 -o audit.json",
        }
    )


def evaluate_commands() -> dict[str, list[str]]:
    shared = "--id applicant --drop times"
    return split(
        {
            "classes": f"evaluate loans.csv -t decision {shared} --folds 3",
            "classes_json": f"evaluate loans.csv -t decision {shared} --gamma 2 --json --quiet",
            "order": f"evaluate grades.csv -t grade --order poor,fair,good {shared} --repeats 1",
            "numbers": f"evaluate rents.csv -t rent --numbers {shared} --repeats 1 --folds 4",
            "numbers_json": f"evaluate rents.csv -t rent --numbers {shared} --gamma 2 --repeats 2 --json",
        }
    )


def misuse_commands() -> dict[str, list[str]]:
    return split(
        {
            "no_command": "forecast loans.csv",
            "no_file": "fit nothing.csv -t decision -o m.fgac",
            "no_column": "fit loans.csv -t decisoin -o m.fgac",
            "no_option": "fit loans.csv -t decision -o m.fgac --colour",
            "no_target": "fit loans.csv -o m.fgac",
            "gamma": "fit loans.csv -t decision --gamma 0 -o m.fgac",
            "metric": "fit loans.csv -t decision --metric cosine -o m.fgac",
            "holes": "fit loans_holes.csv -t decision -o m.fgac",
            "no_folder": "fit loans.csv -t decision -o no/m.fgac",
            "replaces": "fit loans.csv -t decision -o loans.csv",
            "order": "fit grades.csv -t grade --order poor,fair -o m.fgac",
            "interval": "fit loans.csv -t decision --interval 0.9 -o m.fgac",
            "numbers": "fit loans.csv -t decision --numbers -o m.fgac",
            "weights_of_numbers": "fit rents.csv -t rent --numbers --class-weight balanced -o m.fgac",
            "monotone_name": "fit loans.csv -t decision --increasing city -o m.fgac",
            "fit": "fit loans.csv -t decision --id applicant --drop times --gamma 2 -q -o m.fgac",
            "broken": "predict broken.fgac loans_new.csv",
            "no_model": "predict loans.csv loans_new.csv",
            "suffix": "predict m.fgac loans_new.csv -o predicted.xlsx",
            "other_columns": "predict m.fgac broken.fgac",
            "two_choices": "explain m.fgac loans_new.csv --row N1 --first 2",
            "no_row": "explain m.fgac loans_new.csv --row X9",
            "unit": "explain m.fgac loans_new.csv --unit height=cm",
            "audit_target": "audit m.fgac -t decision",
            "audit_by": "audit m.fgac --by luck",
            "folds": "evaluate loans.csv -t decision --folds 1",
        }
    )


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program beside this Python, in a folder, for a terminal of 160 columns without colours."""
    script = shutil.which("fgac", path=str(Path(sys.executable).parent))
    command = [script] if script else [sys.executable, "-m", "fgac.cli"]
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "FGAC_DEBUG")}
    environment |= {"COLUMNS": "160", "TERM": "dumb", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    given = (folder / "loans_new.csv").read_text("utf-8") if "-" in words else ""  # what standard input holds
    return subprocess.run(
        [*command, *words],
        cwd=folder,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def record_program(name: str, program: Program, target: Path, *, with_pages: bool) -> Plain:
    """Run commands one after the other; model files go to the target folder."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        draw_tables(folder)
        found = {}
        for title, words in program.commands.items():
            before = set(folder.iterdir())
            found[title] = told_run(run(words, folder), folder)
            files = sorted(set(folder.iterdir()) - before)
            found[title]["files"] = {path.name: told_file(path) for path in files if path.suffix != ".html"}
            if with_pages:
                found[title]["pages"] = {path.name: told_file(path) for path in files if path.suffix == ".html"}
            for path in files:
                if path.suffix == ".fgac":
                    shutil.copyfile(path, target / f"{name}.{path.stem}.fgac")
    return found


def told_run(done: subprocess.CompletedProcess[str], folder: Path) -> dict[str, Plain]:
    """Exit code and both streams of a command."""
    streams = {name: told_text(getattr(done, name), folder) for name in ("stdout", "stderr")}
    return {"code": done.returncode, **streams}


def told_text(text: str, folder: Path) -> Plain:
    """What a command printed, without folder, version and residuals; JSON and CSV as values."""
    if text.startswith("id,"):
        return cells(text)
    try:
        return hidden(json.loads(text))
    except ValueError:
        pass
    text = text.replace(str(folder), "FOLDER").replace(f"fgac {fgac.__version__}", "fgac VERSION")
    text = re.sub(r"(largest violation|duality gap) (0|at most 1e-\d+)", r"\1", text)
    return [line.rstrip() for line in text.splitlines()]


def cells(text: str) -> Plain:
    """A CSV text cell by cell, those with a decimal point as numbers.

    >>> cells("id,degree\\nA1,0.25\\n")
    [['id', 'degree'], ['A1', 0.25]]
    """

    def cell(text: str) -> Plain:
        return float(text) if re.fullmatch(r"-?\d+\.\d+(e[-+]?\d+)?", text) else text

    return [[cell(part) for part in row] for row in csv.reader(io.StringIO(text, newline=""))]


def told_file(path: Path) -> Plain:
    """What a command wrote."""
    if path.suffix == ".parquet":
        frame = pl.read_parquet(path)
        return {name: [str(column.dtype), column.to_list()] for name, column in frame.to_dict().items()}
    if path.suffix == ".fgac":
        return "a model file"
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        return page(text)
    return cells(text) if path.suffix == ".csv" else told_text(text, path.parent)
