"""Every command reads every source, and says the same of it; no password is shown or kept."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
import xlsxwriter

from support.command_line import run
from support.databases import Database
from support.loans import TARGET, loans

FIT = ["-t", TARGET, "--id", "customer", "--gamma", "2"]


def write(frame, folder, name):
    """Write a frame in the form that the name says; return what commands are given for it."""
    path = folder / name
    if name.endswith(".csv.gz"):
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    elif name.endswith(".txt"):
        path.write_bytes(frame.write_csv().encode("utf-16"))
        return [path, "--encoding", "utf-16"]
    elif name.endswith(".xlsx"):
        with xlsxwriter.Workbook(path) as book:
            for sheet in ("loans", "copy"):
                frame.write_excel(book, sheet)
        return [path, "--sheet", "loans"]
    elif name.endswith(".db"):
        kind = name.partition(".")[0]
        database = Database(f"{kind}:///{folder / name}")
        database.put(frame, "loans")
        return [database.url, "--sql", "select * from loans"]
    else:
        {".jsonl": frame.write_ndjson, ".feather": frame.write_ipc, ".csv": frame.write_csv}[path.suffix](path)
    return [path]


SOURCES = ["t.csv.gz", "t.txt", "t.xlsx", "t.jsonl", "t.feather", "sqlite.db", "duckdb.db"]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What the commands say of CSV."""
    folder = tmp_path_factory.mktemp("plain")
    loans().write_csv(folder / "t.csv")
    loans(12, seed=1).write_csv(folder / "new.csv")
    run("fit", folder / "t.csv", *FIT, "-q", "-o", folder / "m.fgac")
    return folder, run("predict", folder / "m.fgac", folder / "new.csv").stdout


@pytest.mark.parametrize("name", SOURCES)
def test_models_and_predictions_are_those_of_csv(plain, tmp_path, name):
    run("fit", *write(loans(), tmp_path, name), *FIT, "-q", "-o", tmp_path / "m.fgac")
    assert run("predict", tmp_path / "m.fgac", plain[0] / "new.csv").stdout == plain[1]
    (tmp_path / "new").mkdir()
    new = write(loans(12, seed=1), tmp_path / "new", name)
    assert run("predict", plain[0] / "m.fgac", *new).stdout == plain[1]


@pytest.mark.parametrize("name", ["t.txt", "t.xlsx", "sqlite.db"])
@pytest.mark.parametrize("command", ["audit", "evaluate"])
def test_other_commands_that_train(plain, tmp_path, name, command):
    options = [*FIT, "--repeats", "1", "--json"] if command == "evaluate" else FIT
    expected = run(command, plain[0] / "t.csv", *options).stdout
    assert run(command, *write(loans(), tmp_path, name), *options).stdout == expected


@pytest.mark.parametrize("name", SOURCES)
def test_explanations(plain, tmp_path, name):
    new = write(loans(12, seed=1), tmp_path, name)
    expected = run("explain", plain[0] / "m.fgac", plain[0] / "new.csv", "--first", "2").stdout
    assert run("explain", plain[0] / "m.fgac", *new, "--first", "2").stdout == expected


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="there is no /dev/stdin")
@pytest.mark.parametrize("name", ["/dev/stdin", "-", "/dev/fd/0"])
def test_standard_input_by_any_name(plain, name):
    folder, expected = plain
    code = "from fgac.cli import main; main()"
    text = (folder / "new.csv").read_text()
    command = [sys.executable, "-c", code, "predict", folder / "m.fgac", name]
    assert subprocess.run(command, input=text, text=True, capture_output=True).stdout == expected
    with (folder / "new.csv").open() as file:
        assert subprocess.run(command, stdin=file, text=True, capture_output=True).stdout == expected
    wrong = subprocess.run(command, input="a,b\n", text=True, capture_output=True)
    shown = "standard input" if name != "/dev/fd/0" else name
    assert wrong.stderr == f"error: {shown} has column names but no rows\n"


@pytest.mark.parametrize("name", ["m.fgac", "data.db"])
def test_a_model_is_not_written_over_the_database_that_is_read(tmp_path, name):
    Database(f"sqlite:///{tmp_path / name}").put(loans(), "loans")
    url = f"sqlite:///{tmp_path / name}"
    answer = run("fit", url, "--sql", "select * from loans", *FIT, "-o", tmp_path / name, code=2)
    assert "this is the file that is read" in answer.stderr


@pytest.mark.parametrize("option", [["--sql", "select 1"], ["--encoding", "latin-1"], ["--sheet", "1"]])
def test_a_model_has_no_sheets(plain, option):
    answer = run("audit", plain[0] / "m.fgac", *option, code=2)
    assert f"leave {option[0]} out, or give a table" in answer.stderr


def test_no_password_is_shown_or_kept(plain, server, tmp_path):
    Database(server).put(loans(), "loans")
    source = [server, "--sql", "select * from loans"]
    said = [
        run("fit", *source, *FIT, "-o", tmp_path / "m.fgac"),
        run("evaluate", *source, *FIT, "--repeats", "1", "-o", tmp_path / "e.json"),
        run("audit", *source, *FIT, "-o", tmp_path / "a.html"),
        run("explain", tmp_path / "m.fgac", *source, "-o", tmp_path / "x.html"),
        run("explain", tmp_path / "m.fgac", *source, "-o", tmp_path / "x.json"),
        run("predict", tmp_path / "m.fgac", *source, "-o", server, "--table", "p", "--replace"),
        run("explain", tmp_path / "m.fgac", *source, "-o", server, code=2),
        run("fit", server, "-t", "y", "-o", server, code=2),
        run("fit", *source, "-t", "y", "-o", tmp_path / "n.fgac", code=2),
        run("fit", server, "more", server, "-t", "y", "-o", tmp_path / "n.fgac", code=2),
        run("audit", server, code=2),
    ]
    texts = [answer.output.encode() for answer in said] + [path.read_bytes() for path in tmp_path.iterdir()]
    assert not any(b"s3cret" in text for text in texts)
    assert all("s3cret" not in ascii(answer.exception) for answer in said)
    assert b"postgresql://ann@127.0.0.1:" in (tmp_path / "x.html").read_bytes()
