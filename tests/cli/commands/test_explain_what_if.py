"""fgac explain: reports in which values can be changed, unless that is not wanted or not possible."""

import pytest

from fgac.report import what_if as module
from support.command_line import run

HOLDS_ROWS = "The page contains the training rows; give it only to those who may see them."


@pytest.fixture
def explained(loans_folder, tmp_path):
    """Return a function that explains rows with some options, and gives the page and what was said."""

    def explain(*options, model="model.fgac", code=0, name="report.html"):
        page = tmp_path / name
        answer = run("explain", loans_folder / model, loans_folder / "new.csv", "-o", page, *options, code=code)
        return page.read_text(encoding="utf-8") if page.exists() else "", answer.stderr

    return explain


def test_values_can_be_changed_by_default(explained):
    page, said = explained()
    assert "what-if-data" in page
    assert HOLDS_ROWS in said


def test_they_cannot_if_that_is_not_wanted(explained):
    page, said = explained("--no-what-if")
    assert "what-if" not in page
    assert HOLDS_ROWS not in said


def test_large_models_are_left_out_unless_asked_for(explained, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    page, said = explained()
    assert "what-if-data" not in page
    assert "MB to this page (ask for it with what_if=True, or --what-if)" in " ".join(said.split())
    page, said = explained("--what-if")
    assert "what-if-data" in page
    assert HOLDS_ROWS in said


def test_only_a_page_has_values_to_change(explained):
    _, said = explained("--what-if", name="out.json", code=2)
    assert "--what-if is for a report in HTML" in said


def test_a_model_that_a_page_cannot_compute_says_so(explained, monkeypatch):
    monkeypatch.setattr(module, "not_portable", lambda _: "it is made up")
    page, said = explained()
    assert "Values cannot be changed in this page: it is made up." in page
    assert "it is made up" in said
    page, said = explained("--what-if", code=1, name="other.html")
    assert "leave --what-if out" in " ".join(said.split())
    assert page == ""
