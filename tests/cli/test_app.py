"""The program fgac: exit codes, streams, what it loads, and the demonstration."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest
from typer.testing import CliRunner

from fgac.cli.app import app
from fgac.cli.commands import demo
from fgac.text.model_facts import at_most
from support.command_line import words


def run(*arguments, **variables):
    """Run a command in this process, at 80 columns."""
    return CliRunner().invoke(app, [str(a) for a in arguments], env={"COLUMNS": "80", **variables})


def script():
    found = shutil.which("fgac", path=sysconfig.get_path("scripts"))
    assert found, "the script fgac is not installed beside this Python"
    return found


def run_installed(*arguments, **variables):
    environment = {**os.environ, "COLUMNS": "80", **variables}
    command = [script(), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment)


def test_version():
    answer = run("--version")
    assert answer.exit_code == 0
    assert answer.stdout == f"fgac {importlib.metadata.version('fgac')}\n"


def test_unknown_command_is_wrong_usage():
    answer = run("dmeo")
    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert "No such command 'dmeo'" in answer.stderr


def test_help_names_the_commands():
    answer = run("--help")
    assert answer.exit_code == 0
    for command in ("fit", "predict", "explain", "audit", "evaluate", "demo"):
        assert re.search(rf"\b{command}\b", answer.stdout)


@pytest.mark.parametrize("command", ["fit", "predict", "explain", "audit", "evaluate", "demo"])
def test_help_of_a_command_fits_80_columns(command):
    answer = run(command, "--help")
    assert answer.exit_code == 0
    assert max(map(len, answer.stdout.splitlines())) <= 80
    assert "…" not in answer.stdout


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("explain", "its id if there is an id column, else its number from 1. Repeat for several."),
        ("fit", "Missing are empty cells and ?, NA, N/A, n/a, NaN, nan, null, NULL, unless --missing says otherwise."),
        ("audit", "a gamma that was chosen for prediction may be large for finding wrong labels."),
    ],
)
def test_help_says(command, said):
    assert said in words(run(command, "--help").stdout.replace("│", " "))


def test_no_command_shows_the_help():
    assert "Usage: " in run().output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit"], "Missing argument 'DATA'"),
        (["fit", "data.csv", "-o", "model.fgac"], "Missing option '--target'"),
        (["fit", "data.csv", "-t", "y"], "Missing option '--output'"),
        (["fit", "data.csv", "-t", "y", "-o", "m.fgac", "--gamma", "0"], "0 is not a positive number"),
        (["fit", "data.csv", "-t", "y", "-o", "m.fgac", "--gamma", "nan"], "nan is not a positive number"),
        (
            ["fit", "data.csv", "-t", "y", "-o", "m.fgac", "--metric", "cosine"],
            "Invalid value for '--metric': 'cosine' is not one of 'learned', 'euclidean', 'manhattan', 'chebyshev'",
        ),
        (["audit", "m.fgac", "--by", "luck"], "'--by': 'luck' is not one of 'membership', 'rest', 'held_out'"),
        (["fit", "data.csv", "-t", "y", "-o", "m.fgac", "--colour"], "No such option: --colour"),
        (["evaluate", "data.csv", "-t", "y", "--folds", "1"], "'--folds'"),
    ],
)
def test_wrong_usage_is_2(arguments, message):
    answer = run(*arguments)
    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert message in words(answer.stderr.replace("│", " "))


@pytest.fixture(scope="module")
def result():
    return demo.run()


@pytest.fixture(scope="module")
def shown():
    answer = run("demo")
    assert answer.exit_code == 0, answer.output
    return answer


def test_demo_shows_the_fit_and_its_certificate(shown, result):
    text = words(shown.stdout)
    assert "133 training rows, 45 held-out rows, 13 features, classes class_0, class_1, class_2" in text
    assert f"gamma {result.model.gamma:g}, best of 17 by 5-fold cross-validation on training rows" in text
    score = f"{result.balanced_accuracy:.3f}, {result.n_mistakes} of 45 held-out rows are wrong"
    assert f"balanced accuracy {score}" in text
    assert "optimal proved: " in text
    assert shown.stderr == ""


def test_demo_tells_both_predictions_and_their_arguments(shown, result):
    text = words(shown.stdout)
    for item in (result.sure, result.contested):
        assert words(item.text()) in text
        for side, arguments in (("for", item.arguments_for), ("against", item.arguments_against)):
            for a in arguments:
                numbers = f"{a.similarity:.3f} {a.degree:.3f} {a.strength:.3f}"
                assert f"{side} {a.id} {a.label} {numbers}" in text
                assert a.strength == pytest.approx(max(0, a.similarity + a.degree - 1))
    assert "strength = max(0, similarity + degree - 1); degree: " in text


def test_sure_and_contested_deserve_their_names(result):
    # How large margins are depends on gamma, which is small for wines: they are easily told apart.
    assert result.sure.margin > 4 * result.contested.margin
    assert result.contested.margin < 0.5
    assert result.sure.truth == result.sure.prediction
    assert result.contested.arguments_for
    assert result.contested.arguments_against


@pytest.mark.parametrize("columns", [80, 120])
def test_demo_fits_the_terminal_and_cuts_nothing_off(columns, result, monkeypatch):
    monkeypatch.setattr(demo, "run", lambda: result)
    answer = run("demo", COLUMNS=str(columns))
    assert max(map(len, answer.stdout.splitlines())) <= columns
    assert "…" not in answer.stdout


def test_demo_is_deterministic(shown):
    assert run("demo").stdout == shown.stdout


def test_demo_calls_features_by_their_names(result):
    assert {a.name for a in result.sure.attributes} >= {"alcohol", "proline"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1e-9, "at most 1e-9"),
        (2e-9, "at most 1e-8"),
        (-3e-16, "at most 1e-15"),
        (0.5, "at most 1e0"),
    ],
)
def test_residuals_are_told_by_their_magnitude(value, text):
    assert at_most(value) == text


@pytest.mark.slow
@pytest.mark.usefixtures("all_trees")
def test_installed_script_runs_the_demo():
    answer = run_installed("demo", PYTHONIOENCODING="utf-8")
    assert answer.returncode == 0, answer.stderr
    assert words(answer.stdout) == words(run("demo").stdout)
    assert answer.stderr == ""


def test_installed_script_refuses_an_unknown_command():
    answer = run_installed("nonsense")
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert "nonsense" in answer.stderr


def run_python(code, *arguments):
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("missing", ["typer", "rich", "polars"])
def test_missing_extra_says_what_to_install(missing, tmp_path):
    (tmp_path / "data.csv").write_text("a,y\n1,x\n2,z\n")
    code = f"import sys; sys.modules[{missing!r}] = None; from fgac.cli import main; main()"
    answer = run_python(code, "fit", str(tmp_path / "data.csv"), "-t", "y", "-o", str(tmp_path / "m.fgac"))
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert f"error: the command line needs the package '{missing}'" in answer.stderr
    assert "pip install 'fgac[cli]'" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A folder with a small table that is not all ASCII."""
    folder = tmp_path_factory.mktemp("small")
    rows = "\n".join(f"{i},{'é' if i % 3 else 'ß'},{'größer' if i > 9 else 'β'}" for i in range(20))
    (folder / "data.csv").write_text(f"p,q,y\n{rows}\n", encoding="utf-8")
    return folder


WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("pandas", "matplotlib", "pyarrow"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
from fgac.cli.app import app
from fgac.tables import learned_weights

learned_weights.N_TREES = 10

folder = sys.argv[1]
for command in (
    "fit data.csv -t y -o bare.fgac --gamma 2",
    "predict bare.fgac data.csv -o out.parquet",
    "explain bare.fgac data.csv -o out.html",
    "explain bare.fgac data.csv -o out.csv",
    "audit bare.fgac -o audit.csv",
    "evaluate data.csv -t y --gamma 2 --repeats 1",
    "demo",
):
    words = [f"{folder}/{word}" if "." in word else word for word in command.split()]
    if app(words, standalone_mode=False):
        sys.exit(f"failed: {command}")
"""


@pytest.mark.slow
def test_neither_pandas_nor_matplotlib_is_needed(small):
    answer = run_python(WITHOUT, str(small))
    assert answer.returncode == 0, answer.stderr


@pytest.mark.slow
def test_data_are_utf8_wherever_they_go_and_text_never_fails(small):
    given = ("-t", "y", "--gamma", "2", "--metric", "euclidean", "-o", small / "m.fgac")
    fitted = run_installed("fit", small / "data.csv", *given, PYTHONIOENCODING="ascii")
    assert fitted.returncode == 0, fitted.stderr
    assert "?" in fitted.stdout
    told = run_installed("predict", small / "m.fgac", small / "data.csv", PYTHONIOENCODING="ascii")
    assert told.returncode == 0, told.stderr
    assert {line.split(",")[1] for line in told.stdout.splitlines()[1:]} == {"größer", "β"}


def test_importing_the_command_line_loads_neither_typer_nor_rich():
    answer = run_python("import sys, fgac.cli; print({'typer', 'rich'} & set(sys.modules))")
    assert answer.stdout == "set()\n"


def test_an_unexpected_error_is_short_and_says_how_to_see_more(monkeypatch):
    def broken():
        raise KeyError("x")

    monkeypatch.setattr(demo, "run", broken)
    answer = run("demo")
    assert answer.exit_code == 1
    assert answer.stdout == ""
    assert answer.stderr.startswith("error: unexpected KeyError: 'x'. This is a fault of fgac")
    assert answer.stderr.count("\n") == 1
    assert "FGAC_DEBUG=1" in answer.stderr
    more = run("demo", FGAC_DEBUG="1")
    assert more.exit_code == 1
    assert "Traceback" in more.stderr


def test_warnings_of_the_library_are_one_line(monkeypatch):
    import warnings

    def warns():
        warnings.warn("the sky is falling", UserWarning, stacklevel=2)
        raise ValueError("and it fell")

    monkeypatch.setattr(demo, "run", warns)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        answer = run("demo")
    assert answer.stderr == "warning: the sky is falling\nerror: and it fell\n"


@pytest.mark.slow
def test_interrupting_is_130_without_a_traceback():
    code = (
        "import signal, fgac.cli.commands.demo\n"
        "fgac.cli.commands.demo.run = lambda: signal.raise_signal(signal.SIGINT)\n"
        "from fgac.cli import main\n"
        "main()"
    )
    answer = run_python(code, "demo")
    assert answer.returncode == 130
    assert answer.stdout + answer.stderr == ""


def test_switches_have_no_kind_of_value_in_the_help():
    """They take none: ``--json`` is all that is typed."""
    for command in ([], ["fit"], ["explain"], ["predict"]):
        told = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "100"}).stdout
        assert "bool" not in told.lower()
        assert "--help" in told
