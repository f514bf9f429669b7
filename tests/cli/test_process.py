"""Commands as processes: closed streams, full disks, readers who leave, signals, and outputs that are no files."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.command_line import run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="streams and signals of POSIX")]

PROGRAM = [sys.executable, "-c", "from fgac.cli import main; main()"]
PLAIN = "--gamma 2 --metric euclidean"
LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a table and a model."""
    folder = tmp_path_factory.mktemp("process")
    rows = "\n".join(f"{i % 97},{i % 89},{'ab'[i % 97 > 40]}" for i in range(200))
    (folder / "data.csv").write_text(f"p,q,y\n{rows}\n")
    run("fit", folder / "data.csv", "-t", "y", "-o", folder / "m.fgac", *PLAIN.split(), "-q")
    (folder / "out").mkdir()
    return folder


def shell(folder, command):
    """Run a line of bash in the folder, in which fgac is the program; the exit code is that of the program."""
    function = f'fgac() {{ {sys.executable} -c "from fgac.cli import main; main()" "$@"; }}; set -o pipefail; '
    return subprocess.run(["bash", "-c", function + command], cwd=folder, capture_output=True, text=True)


COMMANDS = {
    "fit": f"fit data.csv -t y -o out/new.fgac {PLAIN}",
    "predict": "predict m.fgac data.csv",
    "explain": "explain m.fgac data.csv --row 1",
    "audit": "audit m.fgac -n 3",
    "evaluate": f"evaluate data.csv -t y {PLAIN} --repeats 1 --folds 2 --json",
    "help": "--help",
    "version": "--version",
}


@pytest.mark.parametrize(
    ("stream", "command"),
    [(">&-", "predict"), (">&-", "help")] + [pytest.param(">/dev/full", name, marks=LINUX) for name in COMMANDS],
)
def test_results_that_cannot_be_printed_are_an_error(folder, stream, command):
    answer = shell(folder, f"fgac {COMMANDS[command]} {stream}")
    assert answer.returncode == 1
    told = [line for line in answer.stderr.splitlines() if line.startswith("error")]
    why = "it is closed" if stream == ">&-" else "No space left on device"
    assert told == [f"error: standard output: {why}"]
    assert "Traceback" not in answer.stderr
    assert "Exception" not in answer.stderr


@pytest.mark.parametrize("stream", [">&-", ">&- 2>&- <&-"])
def test_streams_that_are_not_used_may_be_closed(folder, stream):
    answer = shell(folder, f"fgac predict m.fgac data.csv -o out/o.csv {stream}")
    assert answer.returncode == 0, answer.stderr
    assert (folder / "out" / "o.csv").read_text().startswith("id,prediction,degree")
    assert [path.name for path in (folder / "out").iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("command", ["predict m.fgac -", "fit - -t y -o out/new.fgac"])
def test_standard_input_that_is_closed(folder, command):
    answer = shell(folder, f"fgac {command} <&-")
    assert answer.returncode == 1
    assert answer.stderr == "error: standard input: it is closed\n"


def test_nobody_hears_errors_but_the_exit_code(folder):
    for stream in ("2>/dev/full", "2>&-"):
        assert shell(folder, f"fgac predict m.fgac none.csv {stream}").returncode == 1


def test_a_reader_who_leaves_is_no_error(folder):
    answer = shell(
        folder,
        "for i in {1..40}; do tail -n +2 data.csv; done > body; (head -n 1 data.csv; cat body) "
        "> long.csv; fgac predict m.fgac long.csv | head -n 1",
    )
    assert answer.stdout.startswith("id,prediction,degree")
    assert answer.stderr == ""
    assert answer.returncode == 141


@pytest.mark.parametrize("command", ["predict m.fgac data.csv", "explain m.fgac data.csv --row 1", "audit m.fgac"])
def test_standard_output_has_a_name(folder, command):
    named = shell(folder, f"(echo first; fgac {command} -q -o /dev/stdout) > out/named; cat out/named")
    assert named.returncode == 0, named.stderr
    assert named.stdout.startswith("first\n")
    if command.startswith("predict"):
        plain = run("predict", folder / "m.fgac", folder / "data.csv", "-q").stdout
        assert named.stdout == f"first\n{plain}"
    if not command.startswith("explain"):  # which writes as audit does
        piped = shell(folder, f"fgac {command} -q -o /dev/stdout | cat")
        assert piped.stdout == named.stdout.removeprefix("first\n")


@pytest.mark.parametrize("name", ["pipe", "pipe.json", "pipe.parquet"])
def test_a_pipe_takes_results(folder, name):
    command = f"fgac predict m.fgac data.csv -q -o {name}"
    answer = shell(folder, f"mkfifo {name}; cat {name} > out/through & {command} && wait && test -p {name}")
    assert answer.returncode == 0, answer.stderr
    file = folder / "out" / f"file{Path(name).suffix or '.csv'}"
    run("predict", folder / "m.fgac", folder / "data.csv", "-q", "-o", file)
    assert (folder / "out" / "through").read_bytes() == file.read_bytes()


def test_a_model_goes_through_standard_output(folder):
    answer = shell(folder, f"fgac fit data.csv -t y -o /dev/stdout {PLAIN} > out/piped.fgac")
    assert answer.returncode == 0, answer.stderr
    piped, plain = (
        run("predict", folder / model, folder / "data.csv", "-q").stdout for model in ("out/piped.fgac", "m.fgac")
    )
    assert piped == plain
    assert "Model written to /dev/stdout" in answer.stderr


@pytest.mark.parametrize(
    ("number", "code", "suffix"), [("SIGTERM", 143, ".csv"), ("SIGTERM", 143, ".parquet"), ("SIGINT", 130, ".parquet")]
)
def test_a_signal_leaves_no_temporary_files(folder, tmp_path, number, code, suffix):
    command = [*PROGRAM, "predict", folder / "m.fgac", "-", "-o", tmp_path / f"out{suffix}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        lines = (folder / "data.csv").read_bytes().split(b"\n", 1)
        process.stdin.write(lines[0] + b"\n" + lines[1] * 2000)  # more than one part; and more may come
        process.stdin.flush()
        for _ in range(600):
            if any(tmp_path.iterdir()):
                break
            time.sleep(0.05)
        assert [path.name.startswith(".fgac-") for path in tmp_path.iterdir()] == [True]
        process.send_signal(getattr(signal, number))
        _, told = process.communicate()
    assert process.returncode == code
    assert told == b""
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so():
    code = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from fgac.cli import process; process.begin(); "
        "print(signal.getsignal(signal.SIGHUP).name, signal.getsignal(signal.SIGTERM).__name__)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout == "SIG_IGN _end_by_signal\n"
