"""The page of a report as a whole: it fetches nothing, and its styles and templates keep their promises."""

import base64
import dataclasses
import hashlib
import re
import sys

import pytest

from fgac.report import audit_html, audit_page, explanation_html, report_html
from fgac.report.classification import DoubtCounts, count_doubts, entry
from fgac.report.page import asset, environment
from support.report_examples import (
    audit,
    explanation,
    explanations,
    stranger,
    wide,
)
from support.report_page import Page, report

# --- The page as a whole


def test_the_page_is_complete_and_fetches_nothing():
    page = report([explanation()], audit=audit())
    assert page.count("script") == 1
    addresses = [found[key] for _, found in page.tags for key in ("src", "href", "action", "srcset") if key in found]
    assert all(address.startswith("#") or address == "data:," for address in addresses), addresses
    assert "url(" not in page.raw["style"]
    assert "@import" not in page.raw["style"]


def test_the_policy_allows_this_script_and_nothing_else():
    page = report([explanation()])
    policy = next(found["content"] for _, found in page.tags if found.get("http-equiv") == "Content-Security-Policy")
    digest = base64.b64encode(hashlib.sha256(page.raw["script"].encode()).digest()).decode()
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "script-src": f"'sha256-{digest}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_the_title_is_the_callers_or_ours():
    assert "<title>Credit &lt;2026&gt;</title>" in report_html(explanations([]), title="Credit <2026>")
    assert "<h1>Predictions and their arguments</h1>" in report_html(explanations([]))


def test_a_note_stands_below_the_title():
    page = report_html(explanations([]), note="first 50 of 150 rows of <new>.csv")
    assert '</h1>\n<p class="lead">first 50 of 150 rows of &lt;new&gt;.csv</p>' in page
    assert "<p class=" not in report_html(explanations([]))


def sections(items, **settings):
    return [found["id"] for tag, found in report(items, **settings).tags if tag == "section"]


def test_one_row_comes_first_and_is_open_and_the_model_always_comes_last():
    one, two = [explanation(truth="good")], [explanation(1, truth="good"), explanation(2, truth="bad")]
    assert sections(one, audit=audit()) == ["explained", "summary", "audit", "about"]
    assert sections(two, audit=audit()) == ["summary", "truth", "explained", "audit", "about"]
    assert sections([]) == ["summary", "explained", "about"]
    for items in (one, two):
        page = report(items, audit=audit())
        rows = [found for tag, found in page.tags if found.get("class") == "row"]
        assert ["open" in found for found in rows] == ([True] if items is one else [False, False])
        assert page.count("form") == (items is two)
        links = [found["href"][1:] for tag, found in page.tags if tag == "a"]
        assert links == sections(items, audit=audit())


def test_no_row_is_counted_as_doubtful_twice():
    tied = explanation(margin=0.0, tied=("good", "bad"))
    items = [explanation(), explanation(margin=0.09), explanation(margin=0.1), tied, tied, stranger()]
    assert count_doubts(map(entry, items)) == DoubtCounts(n_rows=6, n_strange=1, n_tied=2, n_narrow=1)
    flags = ["", "doubtful narrow", "", "doubtful tied", "doubtful tied", "doubtful strange"]
    assert [entry(item).flags for item in items] == flags
    assert (
        "6 rows explained 1 without a comparable case 2 tied 1 otherwise doubtful (margin below 0.1)"
        in report(items).text
    )


@pytest.mark.parametrize("page", [report_html(explanations([explanation()])), audit_page(audit())])
def test_the_foot_says_whose_data_these_are(page):
    foot = Page(page[page.index("<footer>") :]).text
    assert "This page shows training rows of the model: give it only to those who may see them." in foot


def test_the_summary_tells_of_the_model_and_its_proof():
    text = report([explanation()], owa=["additive", 10]).text
    assert "trained on 100 rows with 2 columns in 2 classes" in text
    assert "γ = 3, so rows at a distance of 0.3333 or more are not similar at all" in text
    assert "proved optimal" in text
    assert "violated by more than 1.5e-16, the loss is within 2.5e-15 of the best" in text
    assert "balance to 0 (dual residual)" in text
    assert "owa additive, 10" in text
    assert "bad 40 good 60" in text


def test_the_summary_hides_no_failure_to_prove_optimality():
    given = explanations([])
    page = Page(report_html(dataclasses.replace(given, model=dataclasses.replace(given.model, is_optimal=False))))
    assert "The model is not proved optimal: see About the model" in page.text
    assert "The memberships of the training rows are not proved optimal" in page.text
    assert "not proved" not in report([]).text


def test_the_summary_tells_what_kind_of_rows_and_constraints():
    assert "known by their distances" in report([], metric="precomputed").text
    assert "only constraints between neighbouring rows" in report([], n_neighbors=0.02).text


def test_no_rows():
    page = report([])
    assert "No rows were explained." in page.text
    assert page.count("form") == 0


def test_equal_explanations_give_equal_pages():
    assert report_html(explanations([explanation()])) == report_html(explanations([explanation()]))


@pytest.mark.parametrize("name", ["measurement {:02d}", "the so-called measurement number {:02d}, in its own unit"])
def test_fifty_rows_stay_under_400_kilobytes(name):
    page = report_html(explanations([wide(i, 60, name=name) for i in range(50)], audit=audit()))
    assert 100_000 < len(page.encode()) < 400_000


# --- Fragments, styles, templates


def test_fragments_have_no_script_and_only_styles_of_their_own():
    for fragment in (explanation_html(explanation()), audit_html(audit())):
        assert Page(fragment).count("script") == 0
        assert fragment.startswith('<div class="fgac">')
    style = re.sub(r"@media[^{]*\{", "", asset("explanation.css"))
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", style)
    # Commas within :is(...) separate no selectors.
    single = [part.strip() for found in selectors for part in re.split(r",(?![^(]*\))", found)]
    assert single
    assert [part for part in single if not re.match(r"(div)?\.fgac\b", part)] == []


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [0, 1, 2])
@pytest.mark.parametrize("ink", ["ink", "muted", "for", "against"])
@pytest.mark.parametrize("paper", ["paper", "raised"])
def test_every_text_has_the_contrast_that_wcag_asks_for(theme, ink, paper):
    block = re.findall(r"--paper:[^}]*?--grey: [^;]*;", asset("explanation.css"))[theme]
    colours = dict(re.findall(r"--(\w+): (#\w+);", block))
    colours = {name: c if len(c) == 7 else "#" + "".join(2 * digit for digit in c[1:]) for name, c in colours.items()}
    dark, light = sorted(luminance(colours[name]) for name in (ink, paper))
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_the_templates_escape_by_default_and_trust_nothing_but_our_own():
    env = environment()
    assert env.autoescape is True
    for name in env.list_templates(extensions=["jinja"]):
        source = env.loader.get_source(env, name)[0]
        trusted = re.findall(r"[^{}]*\|\s*safe\b", source)
        assert all(re.match(r' "[^"]*" \| safe', part) for part in trusted), name


def test_without_jinja2_the_error_says_what_to_install(monkeypatch):
    environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'fgac\[report\]'"):
        explanation_html(explanation())


@pytest.mark.parametrize("shown", [explanation(), explanations([explanation()]), audit()])
def test_without_jinja2_notebooks_show_the_repr(monkeypatch, shown):
    assert shown._repr_html_().startswith('<div class="fgac">')
    environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert shown._repr_html_() is None
