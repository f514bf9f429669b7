"""The card in a real browser: side by side on a desktop, one below the other on a phone, for every reader."""

import pytest

from fgac.explanation.reliability import Reliability
from fgac.report import explanation_html, report_html
from support.browser import find_axe
from support.report_examples import audit, explanation, explanations, nasty_explanations, stranger, wide

pytestmark = pytest.mark.slow  # a real browser is driven

ENTER = "\ue007"
TOPS = "return [...document.querySelectorAll('.card > .side')].slice(0, 2).map(e => e.getBoundingClientRect().top)"
AXE = find_axe()


@pytest.fixture
def show(session, tmp_path):
    """Return a function that opens a page of some width and gives the browser back."""

    def open_page(page, width=1400, theme="light"):
        session.resize(width, 900, is_phone=width < 500)
        session.devtools(
            "Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": theme}]
        )
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        session.open(path)
        return session

    yield open_page
    session.devtools("Emulation.setEmulatedMedia", media="", features=[])
    session.devtools("Emulation.clearDeviceMetricsOverride")


def one_row():
    return report_html(explanations([explanation(reliability=Reliability(0.9, 40, 37))], audit=audit()))


def test_the_two_sides_stand_side_by_side_on_a_desktop_and_not_on_a_phone(show):
    first, second = show(one_row()).run(TOPS)
    assert first == second
    first, second = show(one_row(), 390).run(TOPS)
    assert first < second


def test_the_card_of_one_row_is_what_a_desktop_shows_first(show):
    """The four questions are answered without scrolling."""
    browser = show(one_row())
    assert browser.run("return document.querySelector('.card').getBoundingClientRect().bottom") < 900
    width = browser.run("return document.querySelector('.card').getBoundingClientRect().width")
    assert width > 1200


def test_the_line_of_a_single_row_does_not_repeat_its_card(show):
    browser = show(one_row())
    assert not browser.run("return document.querySelector('.row > summary').checkVisibility()")
    several = show(report_html(explanations([explanation(1), explanation(2)])))
    assert several.run("return document.querySelector('.row > summary').checkVisibility()")


@pytest.mark.parametrize("page", [nasty_explanations, lambda: explanations([stranger(), wide("x" * 300)])])
@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_sticks_out(show, page, width):
    browser = show(report_html(page()), width)
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert browser.run("return document.documentElement.scrollWidth") == width
    out = """
        const inside = (e) => { const box = e.closest('.card').getBoundingClientRect(), own = e.getBoundingClientRect();
                                return own.left >= box.left - 1 && own.right <= box.right + 1; };
        return [...document.querySelectorAll('.card *')].filter(e => e.checkVisibility() && !inside(e)).length"""
    assert browser.run(out) == 0


def test_details_open_by_key(show):
    browser = show(one_row())
    browser.run("document.querySelector('.row .more > summary').focus()")
    browser.press(ENTER)
    assert browser.run("return document.querySelector('.row .more').open")
    assert browser.run("return document.querySelector('.row .text').checkVisibility()")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_one_meaning_per_colour(show, theme):
    """What speaks for the prediction and what speaks against it have two colours, and bars have the same."""
    browser = show(one_row(), theme=theme)
    script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    for side in ("for", "against"):
        heading, bar = (".card .{} h3", "color"), (".arguments line.{}", "stroke")
        found = {browser.run(script, selector.format(side), style) for selector, style in (heading, bar)}
        assert len(found) == 1
    assert browser.run(script, ".card .for h3", "color") != browser.run(script, ".card .against h3", "color")


def test_scripts_may_put_other_words_in_place(show):
    browser = show(one_row())
    change = """
        const row = document.querySelector('details.row[data-row="0"]');
        for (const place of row.querySelectorAll('[data-card]')) place.replaceChildren('new ' + place.dataset.card);
        return row.querySelector('.card').innerText"""
    text = browser.run(change)
    for name in ("prediction", "support", "for", "against", "change", "unknown"):
        assert f"new {name}" in text
    assert "How sure" in text
    assert browser.console() == []


@pytest.mark.skipif(AXE is None, reason="axe-core is not installed: npm install axe-core")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize(
    "page",
    [
        one_row,
        lambda: report_html(nasty_explanations()),
        lambda: report_html(explanations([explanation(1, truth="bad"), stranger(), wide("w")])),
        lambda: (
            f"<!doctype html><html lang=en><title>x</title><main><h1>x</h1><h2>y</h2>{explanation_html(explanation())}"
        ),
    ],
)
def test_axe_finds_nothing_serious(show, page, width, theme):
    browser = show(page(), width, theme)
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    browser.run(AXE.read_text(encoding="utf-8"))
    found = browser.run("return axe.run(document).then(r => r.violations.map(v => [v.impact, v.id, v.nodes[0].html]))")
    assert [fault for fault in found if fault[0] in ("serious", "critical")] == []
