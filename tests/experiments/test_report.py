"""The report: documents, figures, files, and the command that writes them."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from fgac.cli.commands import reproduce as command
from fgac.cli.errors import report_errors
from fgac.experiments.report.document import Grid, Heading, Items, Mark, Paragraph, Picture, html, markdown
from fgac.experiments.report.write import write_report
from fgac.experiments.results import published
from fgac.experiments.results.findings import findings
from support.experiment_lines import IONOSPHERE, as_printed, study_lines, write_lines

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A folder with the results that the paper's tables come out of, and their report."""
    for module in ("matplotlib", "pandas", "jinja2", "scikit_posthocs"):
        pytest.importorskip(module)
    import matplotlib as mpl

    mpl.use("Agg")
    folder = tmp_path_factory.mktemp("out")
    shift = {("models", "pima", "cart"): 0.02}
    write_lines(folder / "results.jsonl", as_printed(published.tables(), shift))
    write_lines(folder / "nnstudy.jsonl", study_lines())
    (folder / "ionosphere.json").write_text(json.dumps(IONOSPHERE), encoding="utf-8")
    assert write_report(folder) == folder / "report.html"
    return folder


def rows(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_markdown_of_every_block():
    blocks = [
        Heading("Title", 1),
        Paragraph("1 < 2 * 3"),
        Items(("a", "b")),
        Grid(("x", "y"), (("a|b", Mark("<1>")),), words=(0,)),
        Picture("figures/a.png", "A picture."),
    ]
    assert markdown(blocks).split("\n\n") == [
        "# Title",
        "1 &lt; 2 \\* 3",
        "- a\n- b",
        "| x | y |\n|:---|---:|\n| a\\|b | **&lt;1>** |",
        "![A picture.](figures/a.png)\n",
    ]


class Page(HTMLParser):
    """Tags that are open, and all that a browser would fetch."""

    void = {"meta", "img"}

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.texts = [], [], []

    def handle_starttag(self, tag, attrs):
        self.fetched += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def page(text):
    parser = Page()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser


def test_html_escapes_and_needs_no_other_file(tmp_path):
    pytest.importorskip("jinja2")
    (tmp_path / "a.png").write_bytes(PNG)
    blocks = [Heading("<b>", 1), Paragraph("<script>"), Grid(("x",), ((Mark("<i>"),),)), Picture("a.png", '"alt"')]
    text = html(blocks, tmp_path)
    found = page(text)
    assert found.fetched == ["data:image/png;base64,iVBORw0KGgo="]
    assert "<script>" not in text
    assert "<strong>&lt;i&gt;</strong>" in text
    assert "<title>&lt;b&gt;</title>" in text


def test_report_is_one_page(out):
    found = page((out / "report.html").read_text(encoding="utf-8"))
    assert found.fetched
    assert all(source.startswith("data:image/png;base64,") for source in found.fetched)


def test_report_names_every_difference_and_its_reason(out):
    text = (out / "report.md").read_text(encoding="utf-8")
    assert re.search(r"\| models \| pima \| cart \| 0.721 \| 0.741 \| \+0.020 \| a tree without a seed \|", text)
    listed = rows(out / "tables" / "differences.csv")
    assert len(listed) == len(findings(out).differences)
    assert all(row["possible_reasons"] for row in listed)


def test_report_tells_damage_versions_and_commit(out):
    text = (out / "report.md").read_text(encoding="utf-8")
    assert "lost their decimal points" in text
    assert "python 3.12.1" in text
    assert "abc1234" in text


def test_report_links_to_figures_that_are_there(out):
    text = (out / "report.md").read_text(encoding="utf-8")
    paths = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
    assert len(paths) == 8
    for path in paths:
        assert (out / path).read_bytes().startswith(PNG)


def test_tables_are_written(out):
    models = rows(out / "tables" / "models.csv")
    assert [row["dataset"] for row in models[:18]] == list(published.PAPER)
    assert float(models[7]["fgac"]) == 0.736
    assert rows(out / "tables" / "models_difference.csv")[7]["cart"] == "0.020"
    assert rows(out / "tables" / "models_published.csv")[7]["cart"] == "0.721"
    assert len(rows(out / "tables" / "statements.csv")) == len(published.statements())
    verdicts = {row["name"]: row["verdict"] for row in rows(out / "tables" / "conclusions.csv")}
    assert verdicts["models_ranks"] == "confirmed"
    assert verdicts["ionosphere_names"] == "not confirmed"
    assert {row["met"] for row in rows(out / "tables" / "bars.csv")} == {"True"}
    assert len(rows(out / "tables" / "nn_study.csv")) == 24


def test_no_figure_stays_open(out):
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    write_report(out)
    assert plt.get_fignums() == before


def test_part_of_a_run_is_told(out, tmp_path):
    lines = [record for record in as_printed(published.tables()) if record["dataset"] in ("pima", "glass")]
    write_lines(tmp_path / "results.jsonl", lines)
    write_report(tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "2 of 18 data sets have results" in text
    assert "undecided" in text
    assert "Conclusions of the paper are not counted" in text
    assert not (tmp_path / "figures" / "nn_study.png").exists()
    assert not (tmp_path / "figures" / "ranks_models.png").exists()


def test_complete_run_is_not_called_a_part(out):
    assert findings(out).complete
    assert "This is a part of the run" not in (out / "report.md").read_text(encoding="utf-8")


def test_report_without_results_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="run the experiments first"):
        write_report(tmp_path)


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

    def fake(folder, output, *, n_jobs, quick, progress):
        called.append((folder, output, n_jobs, quick))
        progress(1, 1)
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
    monkeypatch.setattr(download, "download", lambda folder, *, url, progress: called.append((folder, url)))
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


def test_page_of_the_documentation_shows_pictures_that_are_there():
    page = Path(__file__).parents[2] / "docs" / "reproduction.md"
    paths = re.findall(r"!\[[^]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert len(paths) == 8
    for path in paths:
        assert (page.parent / path).read_bytes().startswith(PNG)
