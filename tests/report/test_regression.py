"""The report of explained numbers: what it says, that everything is escaped, and that nothing is fetched."""

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest

from fgac import FGARegressor, FGARegressorCV
from fgac.report.page import asset, content_policy
from fgac.report.regression import TITLE, entry, errors, explanation_html, report_html
from fgac.text.words import format_number

NASTY = "<script>alert('x')</script>\"&"


@pytest.fixture(scope="module")
def houses():
    """Return a model of prices with a nominal column, and its frame."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"area": rng.uniform(40, 200, 50), "town": rng.choice(["Gent", "Lund", "Pisa"], 50)})
    prices = frame["area"] * np.where(frame["town"] == "Lund", 4.0, 2.0) + 20 * rng.normal(size=50)
    return FGARegressor(gamma=2.0, interval=0.8).fit(frame, prices), frame, prices


def test_the_line_of_a_row_tells_the_interval_that_was_tested(houses):
    plain, frame, prices = houses
    text = text_of(report_html(plain.explain(frame[:2])))
    assert "at least" in text.partition("How to read")[0]
    tested = FGARegressorCV(gammas=[2.0], interval=0.8).fit(frame, prices).explain(frame[:2])
    ends = [f"80 %: {format_number(e.interval.lower)} to {format_number(e.interval.upper)}" for e in tested]
    text = text_of(report_html(tested))
    assert all(line in text for line in ends)


def text_of(page):
    """Return what a page shows, without its styles and scripts."""
    page = re.sub(r"<(style|script)>.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_page_tells_everything(houses, tmp_path):
    """Summary, errors, rows with their words, contradicted targets, and the proof."""
    model, frame, prices = houses
    reasons = model.explain(frame[:6], y=prices[:6], units={"y": "k€"}, audit=True)
    reasons.to_html(tmp_path / "report.html", note="six houses")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    text = text_of(page)
    assert page.startswith("<!doctype html>")
    assert f"<h1>{TITLE}</h1>" in page
    assert "six houses" in text
    assert "6 rows explained" in text
    assert "of 6 outside the interval meant to hold 80%" in text
    for e in reasons:
        for line in e.text().splitlines():
            assert line in text
    for row in reasons.contradictions[:10]:
        assert f"{row.id} " in text
        assert f'<td class="n">{row.doubt:.1f}<td>' in page
    assert "The doubt is how many times as far off a row is as rows usually are" in text
    assert "held out" not in text
    assert "proved optimal: no other choice that satisfies the constraints is better" in text
    assert page.count('<details class="row"') == 6


def test_page_tells_what_models_predicted_that_had_not_seen_the_row(houses):
    _, frame, prices = houses
    model = FGARegressorCV(gammas=[1.0, 2.0]).fit(frame, prices)
    reasons = model.explain(frame[:1], audit=True)
    page = report_html(reasons)
    assert "<th>Held out<th>Doubt<th>" in page
    assert "and from what a model predicted without having seen the row (held out), in the target" in text_of(page)
    for row in reasons.contradictions:
        assert f'<td class="n">{format_number(row.held_out)}<td class="n">{row.doubt:.1f}<td>' in page


def test_page_allows_nothing_from_outside(houses):
    """The policy of all our pages, one script, no address."""
    model, frame, _ = houses
    page = report_html(model.explain(frame[:3]))
    assert content_policy(asset("report.js")) in page.replace("&#39;", "'")
    assert page.count("<script>") == 1
    assert not re.search(r"(src|href)=\"(?!#|data:,)", page)
    assert "http:" not in page
    assert "https:" not in page


def test_a_single_row_is_open(houses):
    """It comes first, without controls."""
    model, frame, _ = houses
    page = report_html(model.explain(frame[:1]))
    assert " open><summary>" in page
    assert 'id="controls"' not in page
    assert page.index('id="explained"') < page.index('id="summary"')


def test_everything_of_the_users_is_escaped():
    """Names of rows, columns, categories and units, and the title."""
    frame = pd.DataFrame({NASTY: [0.0, 1.0, 2.0], "kind": [NASTY, "b", NASTY]})
    model = FGARegressor().fit(frame, [0.0, 1.0, 5.0], ids=[NASTY, "two", "three"])
    reasons = model.explain(frame[:2], ids=[NASTY, "new"], units={"y": NASTY, NASTY: NASTY})
    for page in (report_html(reasons, title=NASTY, note=NASTY), explanation_html(reasons[0])):
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page


@pytest.mark.parametrize("settings", [{"metric": "precomputed"}, {"metric": "chebyshev", "monotonic_cst": [1]}])
def test_other_models(settings):
    """Distances have no attributes; monotone columns change one way."""
    X = np.array([[0.0], [1.0], [3.0]])
    given = np.abs(X - X.T) if settings["metric"] == "precomputed" else X
    model = FGARegressor(**settings).fit(given, [0.0, 1.0, 5.0])
    page = report_html(model.explain(given))
    assert ("known by their distances" in page) == (settings["metric"] == "precomputed")
    assert ("Attribute by attribute" in page) == (settings["metric"] != "precomputed")


def test_notebooks_show_explanations(houses):
    """One, or several, as fragments without a script."""
    model, frame, _ = houses
    reasons = model.explain(frame[:12])
    assert reasons[0]._repr_html_().startswith('<div class="fgac">')
    assert "and 2 more: index them" in reasons._repr_html_()
    assert "<script" not in reasons._repr_html_()


def test_flags_and_errors(houses):
    """What rows can be filtered by, and how wrong the predictions are."""
    model, frame, prices = houses
    e = model.explain(frame[:1])[0]
    assert entry(e).flags == ""
    assert errors([entry(e)]) is None
    inside = dataclasses.replace(e, truth=e.prediction)
    outside = dataclasses.replace(e, truth=e.interval.upper + 10.0)
    void = dataclasses.replace(e, lower=e.least - 1.0, upper=e.most + 1.0)
    wide = dataclasses.replace(e, lower=e.least, upper=e.least + 0.6 * (e.most - e.least))
    assert entry(inside).flags == "right"
    assert entry(outside).flags == "wrong"
    assert entry(void).flags == "doubtful strange"
    assert entry(wide).flags == "doubtful wide"
    found = errors([entry(inside), entry(outside), entry(e)])
    assert (found.n_known, found.n_outside, found.share) == (2, 1, 0.8)
    assert found.largest == pytest.approx(abs(e.prediction - outside.truth))
    everything = model.explain(frame, y=prices)
    assert errors([entry(item) for item in everything]).r2 == pytest.approx(model.score(frame, prices))


def test_a_long_report_stays_small():
    """Fewer attributes are shown where the page would get large."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 40))
    model = FGARegressor().fit(X, X[:, 0])
    page = report_html(model.explain(X[:50]))
    assert len(page.encode()) < 600_000
    assert "less telling attribute" in page


def test_no_rows(houses):
    """A page without rows says so."""
    model, frame, _ = houses
    assert "No rows were explained." in report_html(model.explain(frame[:3])[:0])
