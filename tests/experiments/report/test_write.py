"""The report of the experiments: page, figures, tables, and parts of a run."""

import csv
import re
from pathlib import Path

import pytest

from fgac.experiments.report.write import write_report
from fgac.experiments.results import published
from fgac.experiments.results.findings import findings
from support.experiment_lines import as_printed, write_lines
from support.experiment_pages import PNG, page

pytestmark = pytest.mark.slow  # every report is drawn and written in full


def rows(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


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


def test_no_figure_stays_open(written):
    assert written[1] == set()


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


def test_page_of_the_documentation_shows_pictures_that_are_there():
    page = Path(__file__).parents[3] / "docs" / "reproduction.md"
    paths = re.findall(r"!\[[^]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert len(paths) == 8
    for path in paths:
        assert (page.parent / path).read_bytes().startswith(PNG)
