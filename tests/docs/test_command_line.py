"""What docs/command_line.md says of the command line is so: commands, fields, exit codes, variables, completion."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from fgac.cli import process
from fgac.cli.app import app

PAGE = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text(encoding="utf-8")
COMMANDS = get_command(app).commands


def section(name):
    return PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def first_cells(text):
    return re.findall(r"^\| ([^|]*) \|", text, flags=re.M)


def test_all_commands_are_listed():
    assert [cell.strip("`") for cell in first_cells(section("Commands"))[1:]] == [f"fgac {name}" for name in ORDER]


ORDER = ["fit", "predict", "explain", "evaluate", "audit", "plot", "info", "demo", "reproduce"]


def test_the_help_has_them_in_this_order_with_the_first_five_apart():
    told = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).stdout
    begin, _, more = told.partition("Commands to begin with")[2].partition("More commands")
    found = [re.findall(r"^│ (\w+) ", part, flags=re.M) for part in (begin, more)]
    assert found == [ORDER[:5], ORDER[5:]]


def test_every_command_has_json_and_is_listed_there():
    listed = [cell for cell in first_cells(section("JSON")) if cell.startswith("`fgac")]
    for name in ORDER:
        assert any("--json" in param.opts for param in COMMANDS[name].params), name
        assert any(cell.startswith(f"`fgac {name}") for cell in listed), name


def test_suffixes_are_those_that_commands_take():
    from fgac.cli.commands import audit, explain, plot
    from fgac.cli.prediction_output import SUFFIXES

    taken = {"predict": SUFFIXES, "explain": explain.SUFFIXES, "audit": audit.SUFFIXES, "plot": plot.SUFFIXES}
    for name, suffixes in taken.items():
        (line,) = re.findall(rf"^\| `fgac {name}` \|.*$", section("Commands"), flags=re.M)
        assert set(re.findall(r"`(\.\w+)`", line)) == set(suffixes), name


def run_main(*arguments, before=""):
    code = f"import sys\n{before}\nfrom fgac.cli import main\nmain()"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)


ENDS = "import fgac.cli.commands.demo as d, os, signal\nd.run = lambda: signal.raise_signal(signal.{})"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "arguments", "before"),
    [
        (0, ["--version"], ""),
        (1, ["info", "nothing.fgac"], ""),
        (2, ["nonsense"], ""),
        (2, ["info", "--nonsense"], ""),
        (128 + 2, ["demo"], ENDS.format("SIGINT")),
        (128 + 15, ["demo"], ENDS.format("SIGTERM")),
    ],
)
def test_exit_codes(code, arguments, before):
    answer = run_main(*arguments, before=before)
    assert answer.returncode == code
    told = section("Exit codes")
    assert f"| {code} |" in told if code < 128 else f"{code} " in told


def test_codes_of_signals_are_those_of_the_program():
    told = section("Exit codes")
    assert f"{process.INTERRUPTED} Ctrl-C" in told
    assert f"{process.PIPE_CLOSED} nobody reads" in told


def test_environment_variables_exist():
    from fgac.cli import errors
    from fgac.persistence import limits

    ours = set(re.findall(r"`(FGAC_\w+)`", section("Environment")))
    assert ours == {errors.DEBUG, limits.SIZE_VARIABLE}


def test_options_on_the_page_exist():
    known = {option for command in COMMANDS.values() for param in command.params for option in param.opts}
    known |= {option for param in get_command(app).params for option in param.opts} | {"--help"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE)) <= known


def test_completion_is_as_described():
    assert 'eval "$(_FGAC_COMPLETE=source_bash fgac)"' in section("Completion")
    for option in ("--install-completion", "--show-completion"):
        assert option in section("Completion")
        assert any(option in param.opts for param in get_command(app).params)
