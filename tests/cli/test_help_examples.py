"""Examples in the help of every command: all of them are real lines, and run on small tables."""

import os
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from fgac.cli.app import app
from fgac.cli.examples import EXAMPLES
from support import house_grades, house_prices
from support.command_line import run
from support.loans import loans

LINES = [(name, example.line) for name, examples in EXAMPLES.items() for example in examples]
# What needs data sets that are not ours, a network or a whole run of the experiments.
NOT_RUN = {"reproduce"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The tables that examples name, and the models that the first examples of ``fgac fit`` make of them."""
    folder = tmp_path_factory.mktemp("examples")
    loans().write_csv(folder / "loans.csv")
    loans(12, seed=1).write_csv(folder / "new.csv")
    house_prices.houses().rename({"price": "rent"}).write_csv(folder / "rents.csv")
    house_grades.houses().write_csv(folder / "grades.csv")
    before = Path.cwd()
    os.chdir(folder)
    for line in (EXAMPLES["fit"][0].line, EXAMPLES["fit"][1].line):
        run(*shlex.split(line)[1:], "--quiet")
    yield folder
    os.chdir(before)


def test_every_command_has_examples():
    assert set(EXAMPLES) == {command.name or command.callback.__name__ for command in app.registered_commands}
    assert all(len(examples) >= 2 for examples in EXAMPLES.values())


@pytest.mark.parametrize(("name", "line"), LINES)
def test_examples_stand_whole_in_the_help_and_have_options_that_exist(name, line):
    told = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "80"}).stdout
    assert f"    {line}\n" in f"{told}\n"
    assert len(line) <= 96
    program, command, *words = shlex.split(line)
    assert (program, command) == ("fgac", name)
    known = {option for param in get_command(app).commands[name].params for option in param.opts}
    assert {word for word in words if word.startswith("-") and word != "-"} <= known


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line"), [(name, line) for name, line in LINES if name not in NOT_RUN])
def test_examples_run(folder, name, line):
    if name == "plot":
        pytest.importorskip("matplotlib")
    if name == "predict" and "sqlite" in line:
        (folder / "results.db").touch()
    answer = run(*shlex.split(line)[1:])
    words = shlex.split(line)
    outputs = [words[i + 1] for i, word in enumerate(words) if word == "-o"]
    assert all((folder / output.removeprefix("sqlite:///")).stat().st_size for output in outputs)
    assert answer.stdout or outputs
