"""The code of every page runs, top to bottom; links lead somewhere; the checks of the site find what they should."""

import re
import runpy
import unicodedata
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]
RUNNER = runpy.run_path(str(ROOT / "docs" / "_ext" / "page_blocks.py"))
CHECKER = runpy.run_path(str(ROOT / "docs" / "_ext" / "check_site.py"))
PAGES = sorted((ROOT / "docs").glob("*.md"))
WITH_CODE = [page for page in PAGES if RUNNER["blocks"](page.read_text(encoding="utf-8"))]
TRIED_ELSEWHERE = {"pictures.md"}  # by test_gallery.py, which counts its figures
LINKING = [*PAGES, ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
MADE_BY_THE_SITE = ("docs/gallery",)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in WITH_CODE if page.name not in TRIED_ELSEWHERE], ids=lambda page: page.stem
)
def test_the_code_runs(page, tmp_path, monkeypatch):
    text = page.read_text(encoding="utf-8")
    for package, needed in (("dask", "dask.dataframe"), ("imblearn", "imblearn"), ("pandas", "pandas")):
        if re.search(rf"^(?:import|from) {re.escape(needed)}", text, flags=re.MULTILINE):
            pytest.importorskip(needed, reason=f"{package} is not installed")
    if "```sh" in text:
        pytest.importorskip("typer")
    monkeypatch.chdir(tmp_path)
    printed = RUNNER["run"](page)
    assert len(printed) == len(RUNNER["blocks"](text))
    assert any(printed)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_output_is_typed(page):
    """What a block prints is shown as it was printed, not as somebody typed it."""
    for _, code in RUNNER["blocks"](page.read_text(encoding="utf-8")):
        assert not re.search(r"print\(.*\)  # \S", code)


def anchors(text):
    """The places of a page that can be linked to, as GitHub and MyST name them."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return {slug(title) for title in re.findall(r"^#{1,4} (.+)$", text, flags=re.MULTILINE)}


def slug(title):
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
    kept = [one for one in plain if one in " -_" or unicodedata.category(one)[0] in "LN"]
    return "".join(kept).replace(" ", "-")


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", link):
            continue
        target, _, part = unquote(link).partition("#")
        place = (page.parent / target).resolve() if target else page
        if any(place.is_relative_to(ROOT / folder) for folder in MADE_BY_THE_SITE):
            continue
        assert place.exists(), f"{page.name} links to {link}"
        if part and place.suffix == ".md":
            assert part in anchors(place.read_text(encoding="utf-8")), f"{page.name} links to {link}"


@pytest.mark.parametrize("name", ["compared_with", "index"])
def test_measured_numbers_are_those_of_the_results(name):
    """A number before a link to results, since the last such link, is in these results, to its last digit."""
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    quoted = 0
    for part in re.split(r"\n\n|\n(?=- )", text):
        for before, file in re.findall(r"(.*?)\]\(\.\./benchmarks/results/(\w+\.md)\)", part, flags=re.DOTALL):
            measured = (ROOT / "benchmarks" / "results" / file).read_text(encoding="utf-8")
            known = {f"{float(number):.3f}" for number in re.findall(r"\d+\.\d+", measured)}
            numbers = re.findall(r"\d\.\d{3}", before)
            quoted += len(numbers)
            assert [number for number in numbers if number not in known] == [], f"{name}.md, of {file}"
    assert quoted > 3


def test_every_page_is_in_the_contents():
    """Sphinx says so, too, but takes minutes to."""
    inside = "".join(
        "\n".join(re.findall(r"```{toctree}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL))
        for page in PAGES
    )
    entries = set(re.findall(r"^(?!:)(?:.* <)?([^\s<>]+)>?$", inside, flags=re.MULTILINE))
    assert [page.stem for page in PAGES if page.stem not in entries | {"index"}] == []


def test_a_site_that_fetches_or_loses_something_is_found(tmp_path):
    (tmp_path / "report.html").write_text("<p id='here'></p>")
    good = "<img src='a.png'><a href='report.html#here'></a><a href='https://example.org'></a>"
    (tmp_path / "a.png").touch()
    (tmp_path / "index.html").write_text(good)
    assert CHECKER["problems"](tmp_path) == []
    bad = "<script src='https://example.org/x.js'></script><a href='gone.html'></a><a href='report.html#gone'></a>"
    (tmp_path / "index.html").write_text(good + bad)
    assert len(CHECKER["problems"](tmp_path)) == 3
