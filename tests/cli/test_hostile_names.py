"""No command sends control characters of the user's to a terminal, whatever the table, its columns and files hold."""

import io
import os

import pytest
from typer.testing import CliRunner

from fgac.cli.app import app
from fgac.cli.io.writing import _pour
from support.hostile_tables import BAD, CONTROL, STYLE, bad, shows_safely, write_hostile

CLASSES, NUMBERS = (
    ["-t", bad("class"), "--drop", bad("price")],
    ["-t", bad("price"), "--drop", bad("class"), "--numbers"],
)
ORDER = [*CLASSES, "--order", bad("no").strip(), "--order", bad("yes").strip()]
ID, GAMMA = ["--id", bad("id")], ["--gamma", "2"]

# What every command is called with; a new command must be added here. Words in braces are files of the folder.
CALLS = {
    "fit": [
        ["{data.csv}", *CLASSES, *ID, *GAMMA, "-o", "{new.fgac}"],
        ["{data.parquet}", *NUMBERS, *ID, "--increasing", bad("size"), "-o", "{new.fgac}"],
        ["{data.csv}", *ORDER, *ID, *GAMMA, "--learn-weights", "-o", "{new.fgac}"],
        ["{data.csv}", "-t", bad("clas"), "-o", "{new.fgac}"],
        ["{data.csv}", *CLASSES, "-o", "{nowhere/new.fgac}"],
        ["{none.csv}", *CLASSES, "-o", "{new.fgac}"],
        ["{open.csv}", *CLASSES, "-o", "{new.fgac}"],
        ["{data.csv}", *CLASSES, "--numeric", bad("colour"), "-o", "{new.fgac}"],
        ["{data.csv}", *CLASSES, "--metric", BAD, "-o", "{new.fgac}"],
        ["{data.csv}", *CLASSES, f"--{BAD}", "-o", "{new.fgac}"],
        ["{data.csv}", *CLASSES, "--order", BAD, "-o", "{new.fgac}"],
        ["{data.csv}", BAD],
    ],
    "predict": [
        ["{model.fgac}", "{unseen.csv}", "-o", "{out.json}"],
        ["{model.fgac}", "{twice.csv}", "-o", "{out.csv}"],
        ["{model.fgac}", "{text.csv}"],
        ["{model.fgac}", "{short.csv}"],
        ["{model.fgac}", "{open.csv}"],
        ["{data.csv}", "{data.csv}"],
        ["{model.fgac}", "{data.csv}", "-o", "{out.odd}"],
        ["{model.fgac}", "{data.csv}", "--encoding", BAD],
        ["{model.fgac}", "{data.csv}", "--sheet", BAD],
        ["{model.fgac}", "{none.xlsx}", "--sheet", BAD],
        ["{model.fgac}", f"sqlite:///{BAD}", "--sql", BAD],
        ["{model.fgac}", "{data.csv}", "-o", "sqlite:///hostile.db", "--table", BAD, "--spreadsheet-safe"],
    ],
    "explain": [
        ["{model.fgac}", "{unseen.csv}"],
        ["{model.fgac}", "{data.csv}", "--row", bad(3), "-o", "{out.html}"],
        ["{model.fgac}", "{data.csv}", "--row", BAD],
        ["{model.fgac}", "{data.csv}", "--unit", f"{bad('size')}={BAD}"],
        ["{model.fgac}", "{data.csv}", "--unit", BAD],
        ["{model.fgac}", "{data.csv}", "--about", BAD],
        ["{model.fgac}", "{data.csv}", "--target", bad("yes"), "--fixed", bad("size")],
        ["{model.fgac}", "{data.csv}", "--first", "2", "--json"],
    ],
    "plot": [
        ["membership", "{model.fgac}", "{unseen.csv}", "-o", "{out.svg}"],
        ["argument", "{model.fgac}", "{data.csv}", "--row", BAD, "-o", "{out.svg}"],
        ["argument", "{model.fgac}", "{data.csv}", "--about", BAD, "-o", "{out.svg}"],
        ["partial-dependence", "{model.fgac}", "{data.csv}", "--feature", BAD, "-o", "{out.svg}"],
        ["residuals", "{model.fgac}", "{data.csv}", "-o", "{out.svg}"],
        ["membership", "{model.fgac}", "{data.csv}", "--size", BAD, "-o", "{out.svg}"],
        [BAD, "{model.fgac}", "-o", "{out.svg}"],
        ["--list"],
    ],
    "audit": [
        ["{model.fgac}"],
        ["{data.csv}", *ORDER, *ID, *GAMMA],
        ["{data.csv}", *NUMBERS, *ID, *GAMMA],
        ["{model.fgac}", "-o", "{out.html}"],
        ["{model.fgac}", "-o", "{out.csv}", "--json"],
    ],
    "evaluate": [
        ["{data.csv}", *CLASSES, *ID, *GAMMA, "--repeats", "1"],
        ["{data.csv}", *CLASSES, *ID, *GAMMA, "--repeats", "1", "--json"],
    ],
    "info": [["{model.fgac}"], ["{model.fgac}", "--json"], ["{data.csv}"], ["{none.fgac}"], ["{model.fgac}", BAD]],
    "reproduce": [["--data", "{nowhere}", "-o", "{out}"], ["--report-only", "-o", "{out}"], ["-o", "{data.csv}"]],
    "demo": [[], [BAD]],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of a bad name with tables and a model."""
    folder = tmp_path_factory.mktemp("hostile") / bad("folder")
    folder.mkdir()
    paths = write_hostile(folder)
    call("fit", [str(paths["data.csv"]), *CLASSES, *ID, *GAMMA, "-o", str(paths["model.fgac"])])
    return folder


def call(command, arguments, **variables):
    return CliRunner().invoke(app, [command, *arguments], env={"COLUMNS": "80", **variables})


def filled(arguments, folder):
    """Put the paths of files in the place of their names in braces."""
    return [str(folder / bad(a[1:-1])) if a.startswith("{") else a for a in arguments]


def test_every_command_is_called():
    registered = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert set(CALLS) == registered


@pytest.mark.skipif(os.name == "nt", reason="such names of files are POSIX's")
@pytest.mark.parametrize(("command", "arguments"), [(name, call) for name, calls in CALLS.items() for call in calls])
def test_nothing_commands_the_terminal(folder, command, arguments):
    answer = call(command, filled(arguments, folder))
    if command != "predict":  # whose CSV in a pipe is data
        assert shows_safely(answer.stdout), ascii(answer.stdout)
    assert shows_safely(answer.stderr), ascii(answer.stderr)
    assert answer.output.strip()
    assert "fault of fgac" not in answer.stderr
    assert "Traceback" not in answer.output


@pytest.mark.skipif(os.name == "nt", reason="such names of files are POSIX's")
@pytest.mark.parametrize("command", ["fit", "explain", "audit", "evaluate", "info"])
def test_a_terminal_gets_styles_of_ours_only(folder, command):
    answer = call(command, filled(CALLS[command][0], folder), FORCE_COLOR="1", TERM="xterm-256color")
    assert answer.exit_code == 0, answer.output
    assert "\x1b[31m[bold]" not in answer.output
    assert r"\x1b[31m" in STYLE.sub("", answer.output)
    assert not CONTROL.search(STYLE.sub("", answer.output))


@pytest.mark.skipif(os.name == "nt", reason="such names of files are POSIX's")
def test_escapes_are_shown_and_markup_is_text(folder):
    answer = call("evaluate", filled(CALLS["evaluate"][0], folder), COLUMNS="300")
    assert r"\x1b[31m[bold]:smile:\x07\x9b2J\u202e\u2066\x7f\u2028\r\nerror: forged\tyes" in answer.output


class Terminal(io.BytesIO):
    """Bytes that say that they are a terminal."""

    def isatty(self):
        """Yes."""
        return True


def test_csv_is_shown_on_a_terminal_and_written_as_it_is_elsewhere():
    parts = ["id,class\n1,\x1b[2J\x9b\n".encode()]
    shown, written = Terminal(), io.BytesIO()
    _pour(parts, shown)
    _pour(parts, written)
    assert shown.getvalue() == rb"id,class" + b"\n" + rb"1,\x1b[2J\x9b" + b"\n"
    assert written.getvalue() == parts[0]
