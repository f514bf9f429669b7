"""fgac reproduce: what it hands on to the experiments, and what is refused."""

import pytest
import typer
from typer.testing import CliRunner

from fgac.cli.commands import reproduce as command
from fgac.cli.errors import report_errors

pytestmark = pytest.mark.slow  # every command writes a whole report


def run(*arguments):
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(report_errors(command.reproduce))
    app.command("other")(lambda: None)
    return CliRunner().invoke(app, ["reproduce", *map(str, arguments)], env={"COLUMNS": "200"})


def test_report_only_runs_nothing(out, monkeypatch):
    monkeypatch.setattr(command, "run", lambda *_, **__: pytest.fail("nothing was to be run"))
    answer = run("-o", out, "--report-only")
    assert answer.exit_code == 0, answer.stderr
    assert f"Report: {out / 'report.html'}" in answer.stdout
    assert "FGAC (models)" in answer.stdout
    assert "Conclusions of the paper: 22 of 27 confirmed" in answer.stdout


def test_report_only_without_results_fails(out, tmp_path):
    answer = run("-o", tmp_path, "--report-only")
    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"error: {tmp_path / 'results.jsonl'} is missing or empty; run the experiments")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--data is missing"),
        (["--data", "nowhere"], "there is no such folder"),
        (["--report-only", "--download"], "leave --data and --download out"),
        (["--data", ".", "--url", "http://localhost"], "--url is for --download"),
    ],
)
def test_wrong_usage(monkeypatch, tmp_path, arguments, message):
    monkeypatch.setattr(command, "check_packages", lambda: None)
    answer = run("-o", tmp_path, *arguments)
    assert answer.exit_code == 2
    assert message in answer.stderr


def test_output_that_is_a_file_is_wrong_usage(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "check_packages", lambda: None)
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = run("-o", tmp_path / "file", "--data", tmp_path)
    assert answer.exit_code == 2
    assert "this is a file; expected a folder" in answer.stderr


def test_missing_extra_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "find_spec", lambda name: None if name in ("imblearn", "pandas") else object())
    answer = run("-o", tmp_path, "--data", tmp_path)
    assert answer.exit_code == 2
    assert "the experiments need imbalanced-learn, pandas, which are not installed" in answer.stderr
    assert "pip install 'fgac[experiments]'" in answer.stderr


def test_run_hands_everything_on(out, monkeypatch, tmp_path):
    from fgac.experiments.results import ionosphere
    from fgac.experiments.running import run as runs

    called = []

    def fake(folder, output, *, n_jobs, quick, on_progress):
        called.append((folder, output, n_jobs, quick))
        on_progress(1, 1)
        output.mkdir(exist_ok=True)
        (output / "results.jsonl").write_bytes((out / "results.jsonl").read_bytes())

    monkeypatch.setattr(runs, "reproduce", fake)
    monkeypatch.setattr(ionosphere, "write", lambda *folders: called.append(folders))
    answer = run("-o", tmp_path / "new", "--data", tmp_path, "--n-jobs", 2)
    assert answer.exit_code == 0, answer.stderr
    assert called == [(tmp_path, tmp_path / "new", 2, False), (tmp_path, tmp_path / "new")]
    assert (tmp_path / "new" / "report.html").exists()
    assert "results are kept in" in answer.stderr


def test_download_goes_into_the_output_unless_told_otherwise(out, monkeypatch, tmp_path):
    from fgac.experiments.datasets import download

    called = []
    monkeypatch.setattr(download, "download", lambda folder, *, url, on_progress: called.append((folder, url)))
    monkeypatch.setattr(command, "run", lambda output, folder, **_: called.append(folder))
    monkeypatch.setattr(command, "report", lambda output, **_: called.append(output))
    assert run("-o", tmp_path, "--download").exit_code == 0
    assert run("-o", tmp_path, "--download", "--data", tmp_path / "d", "--url", "http://localhost").exit_code == 0
    assert called == [
        (tmp_path / "data", download.URL),
        tmp_path / "data",
        tmp_path,
        (tmp_path / "d", "http://localhost"),
        tmp_path / "d",
        tmp_path,
    ]
