"""The command line: exit codes, streams, the lines that matter, and that every number shown adds up."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest
from typer.testing import CliRunner

from fgac import demo
from fgac.cli import make_app, power_of_ten_above


@pytest.fixture(scope="module")
def result():
    return demo.run()


@pytest.fixture(scope="module")
def shown():
    """Run ``fgac demo`` at 80 columns."""
    answer = CliRunner().invoke(make_app(), ["demo"], env={"COLUMNS": "80"})
    assert answer.exit_code == 0, answer.output
    return answer


def words(text):
    """Return the text with every run of white space made one space, so that line breaks do not matter."""
    return " ".join(text.split())


def test_version():
    answer = CliRunner().invoke(make_app(), ["--version"])
    assert answer.exit_code == 0
    assert answer.stdout == f"fgac {importlib.metadata.version('fgac')}\n"


def test_unknown_command_is_wrong_usage():
    answer = CliRunner().invoke(make_app(), ["dmeo"])
    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert "No such command 'dmeo'" in answer.stderr


def test_help_names_the_commands():
    answer = CliRunner().invoke(make_app(), ["--help"])
    assert answer.exit_code == 0
    assert re.search(r"\bdemo\b", answer.stdout)


def test_demo_shows_the_fit_and_its_certificate(shown, result):
    text = words(shown.stdout)
    assert "133 training rows, 45 held-out rows, 13 features, classes class_0, class_1, class_2" in text
    assert "gamma 3 best of 11 by 5-fold cross-validation on training rows" in text
    assert f"balanced accuracy {result.balanced_accuracy:.3f} 2 of 45 held-out rows are wrong" in text
    assert "proved optimal" in text
    assert "NOT proved" not in text
    assert shown.stderr == ""


def test_demo_shows_a_sure_and_a_doubtful_prediction(shown, result):
    text = words(shown.stdout)
    for case in (result.sure, result.doubtful):
        verdict = "right" if case.predicted == case.truth else f"wrong, it is {case.truth}"
        interval = f"[{case.lower:.3f}, {case.upper:.3f}]"
        assert f"Held-out row {case.row}: {case.predicted} ({verdict}). Degree {case.degree:.3f} in {interval}" in text
        for side, arguments in (("for", case.favour), ("against", case.against)):
            for a in arguments:
                numbers = f"{a.similarity:.3f} {a.own_membership:.3f} {a.membership:.3f} {a.strength:.3f}"
                assert f"{side} {a.row} {a.label} {numbers}" in text
        for feature in case.features:
            assert f"{feature.name} {feature.value:.4g} {feature.favour:.4g} {feature.against:.4g}" in text
    assert "IF row" in text
    assert "THEN this row belongs to it" in text


@pytest.mark.parametrize("columns", [80, 120])
def test_demo_fits_the_terminal_and_cuts_nothing_off(columns):
    answer = CliRunner().invoke(make_app(), ["demo"], env={"COLUMNS": str(columns)})
    assert max(len(line) for line in answer.stdout.splitlines()) <= columns
    assert "…" not in answer.stdout


def test_demo_is_deterministic(shown):
    again = CliRunner().invoke(make_app(), ["demo"], env={"COLUMNS": "80"})
    assert again.stdout == shown.stdout


def test_arguments_add_up_to_the_prediction(result):
    """Strengths follow from similarity and membership, bounds from strengths, the degree from bounds."""
    for case in (result.sure, result.doubtful):
        assert case.favour
        assert case.against
        for a in case.favour:
            assert a.label == case.predicted
            assert a.membership == a.own_membership
            assert a.strength == pytest.approx(max(0.0, a.similarity + a.membership - 1), abs=1e-9)
        for a in case.against:
            assert a.label != case.predicted
            assert a.membership <= 1 - a.own_membership + 1e-9
            assert a.strength == pytest.approx(max(0.0, a.similarity - a.membership), abs=1e-9)
        assert case.lower == pytest.approx(case.favour[0].strength, abs=1e-9)
        assert case.upper == pytest.approx(1 - case.against[0].strength, abs=1e-9)
        assert case.degree == pytest.approx((case.lower + case.upper) / 2, abs=1e-12)
        assert case.degree >= case.runner_up_degree


def test_sure_and_doubtful_deserve_their_names(result):
    assert result.sure.degree - result.sure.runner_up_degree > 0.5
    assert result.doubtful.degree - result.doubtful.runner_up_degree < 0.05


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
def test_power_of_ten_above(value, text):
    assert power_of_ten_above(value) == text


def run_installed(*arguments, **variables):
    script = shutil.which("fgac", path=sysconfig.get_path("scripts"))
    assert script, "the script fgac is not installed beside this Python"
    environment = {**os.environ, "COLUMNS": "80", **variables}
    return subprocess.run([script, *arguments], capture_output=True, text=True, encoding="utf-8", env=environment)


def test_installed_script_runs_the_demo(shown):
    answer = run_installed("demo", PYTHONIOENCODING="utf-8")
    assert answer.returncode == 0, answer.stderr
    assert words(answer.stdout) == words(shown.stdout)
    assert answer.stderr == ""


def test_installed_script_refuses_an_unknown_command():
    answer = run_installed("nonsense")
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert "nonsense" in answer.stderr


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_extra_says_what_to_install(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from fgac.cli import main; main()"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert "pip install 'fgac[cli]'" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_importing_the_command_line_loads_neither_typer_nor_rich():
    code = "import sys, fgac.cli; print({'typer', 'rich'} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "set()\n"
