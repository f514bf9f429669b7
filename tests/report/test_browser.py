"""The report in a real browser: it loads without network or complaint, and what can be clicked works."""

import re
from dataclasses import replace

import pytest

from fgac import FGARegressor
from fgac.explanation.reliability import Reliability
from fgac.report import audit_page, explanation_html, report_html
from fgac.report.regression import report_html as regression_report_html
from support.report_examples import (
    NASTY,
    argument,
    audit,
    explanation,
    explanations,
    nasty_explanations,
    stranger,
    wide,
)

pytestmark = pytest.mark.slow  # a real browser is driven

ENTER, TAB = "\ue007", "\ue004"
UNFOLD = "document.querySelectorAll('details.more').forEach(d => { d.open = true })"


@pytest.fixture
def browser(session):
    yield session
    session.devtools("Emulation.setScriptExecutionDisabled", value=False)
    session.devtools("Emulation.setEmulatedMedia", media="", features=[])
    session.devtools("Emulation.clearDeviceMetricsOverride")


@pytest.fixture
def show(browser, tmp_path):
    """Return a function that opens a report, or any other page, and gives the browser back."""

    def open_page(page):
        path = tmp_path / "page.html"
        path.write_text(page if isinstance(page, str) else report_html(page), encoding="utf-8")
        browser.open(path)
        return browser

    return open_page


def four_rows():
    """Rows that differ in everything the page can filter by."""
    town = [("age", 9.0, 0.5, 0.5), ("town", "Oslo", 0.5, 0.5)]
    return explanations(
        [
            explanation("first", "good", truth="good", margin=0.5),
            explanation("second", "bad", truth="good", margin=0.05),
            explanation("third", "bad", truth="bad", margin=0.25, arguments_for=(argument("x", comparisons=town),)),
            stranger("fourth"),
        ],
        audit=audit(),
    )


def shown(browser):
    """Ids of the rows that can be seen, in their order, after checking that the count agrees."""
    script = "return [...document.querySelectorAll('.row')].filter(r => r.checkVisibility()).map(r => r.innerText)"
    names = [re.search(r"first|second|third|fourth", text)[0] for text in browser.run(script)]
    assert browser.text("#count") == f"{len(names)} of 4 rows shown"
    return names


def choose(browser, name, value):
    """Choose an option as a user does, by opening the list and clicking."""
    browser.click(f"#controls select[name={name}] option[value='{value}']")


# --- Loading


@pytest.mark.parametrize("page", [four_rows, nasty_explanations, lambda: explanations([])])
def test_it_loads_without_network_and_without_complaint(show, page):
    browser = show(page())
    assert browser.console() == []
    addresses = browser.requests()
    assert len(addresses) == 1
    assert addresses[0].startswith("file:///")
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def test_the_policy_forbids_what_is_not_ours(show):
    browser = show(four_rows())
    refused = browser.run("""
        const refused = [];
        addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
        const script = document.createElement("script");
        script.text = "window.isForeign = true";
        document.body.append(script);
        new Image().src = "http://127.0.0.1:9/picture.png";
        fetch("http://127.0.0.1:9/").catch(() => {});
        return new Promise((done) => setTimeout(() => done(refused.sort()), 300));
    """)
    assert refused == ["connect-src", "img-src", "script-src-elem"]
    assert browser.run("return window.isForeign") is None


# --- What the user named


def test_markup_of_the_users_is_shown_as_text(show):
    browser = show(nasty_explanations())
    browser.click("button[name=open]")
    browser.run(UNFOLD)
    assert not browser.has_alert()
    assert browser.run("return document.querySelectorAll('img, main script, svg[onload]').length") == 0
    texts = {
        "id": "return document.querySelectorAll('.row > summary > span:first-child')[arguments[0]].innerText",
        "class": "return document.querySelectorAll('.row > summary > b')[arguments[0]].innerText",
        "option": "return document.querySelectorAll('select[name=class] option')[arguments[0] + 1].text",
        "column": "return document.querySelectorAll('.attributes tbody th')[arguments[0]].innerText",
        "value": "return document.querySelectorAll('.attributes td:nth-child(4)')[arguments[0]].firstChild.data",
        "settings": "return document.querySelector('#about').innerText",
        "audit": "return document.querySelector('#audit').innerText",
    }
    for number, text in enumerate(NASTY):
        found = {place: browser.run(script, number) for place, script in texts.items()}
        assert found["id"] == f"row {text}"
        assert found["class"] == found["option"] == found["column"] == found["value"] == text
        assert text in found["settings"]
    assert NASTY[0] in found["audit"]
    assert browser.console() == []


def test_markup_can_be_searched_and_filtered_for(show):
    browser = show(nasty_explanations())
    browser.type("input[name=search]", NASTY[1])
    assert browser.text("#count") == "5 of 5 rows shown"  # each class is named in every row
    browser.click("#controls select[name=class] option[value='1']")
    assert browser.text("#count") == "1 of 5 rows shown"


# --- Filters, search, order


def test_filter_by_predicted_class(show):
    browser = show(four_rows())
    assert shown(browser) == ["first", "second", "third", "fourth"]
    choose(browser, "class", 0)
    assert shown(browser) == ["second", "third"]
    choose(browser, "class", "")
    assert len(shown(browser)) == 4


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("outcome", "right", ["first", "third"]),
        ("outcome", "wrong", ["second"]),
        ("certainty", "doubtful", ["second", "fourth"]),
        ("certainty", "tied", []),
        ("certainty", "narrow", ["second"]),
        ("certainty", "strange", ["fourth"]),
        ("order", "up", ["fourth", "second", "third", "first"]),
        ("order", "down", ["first", "third", "second", "fourth"]),
    ],
)
def test_filter_and_sort(show, name, value, expected):
    browser = show(four_rows())
    choose(browser, name, value)
    assert shown(browser) == expected


def test_numbers_are_filtered_by_the_width_of_their_bounds(show):
    model = FGARegressor(gamma=2.0).fit([[0.0], [1.0], [9.0], [10.0]], [0.0, 1.0, 9.0, 10.0])
    browser = show(regression_report_html(model.explain([[0.0], [4.0], [1.0]])))
    choose(browser, "certainty", "wide")
    assert browser.text("#count") == "1 of 3 rows shown"
    choose(browser, "certainty", "strange")
    assert browser.text("#count") == "0 of 3 rows shown"


@pytest.mark.parametrize(
    ("words", "expected"),
    [("oslo", ["third"]), ("FOURTH", ["fourth"]), ("town rome", ["fourth"]), ("oslo rome", []), ("n1", ["fourth"])],
)
def test_search_finds_names_values_and_arguments_of_rows_that_are_closed(show, words, expected):
    browser = show(four_rows())
    browser.type("input[name=search]", words)
    assert shown(browser) == expected


def test_filters_add_up_and_reset(show):
    browser = show(four_rows())
    choose(browser, "class", 0)
    choose(browser, "outcome", "wrong")
    choose(browser, "order", "up")
    assert shown(browser) == ["second"]
    browser.type("input[name=search]", "third" + ENTER)
    assert shown(browser) == []
    browser.click("button[type=reset]")
    assert browser.run("return new Promise(done => setTimeout(done, 50, true))")
    assert shown(browser) == ["first", "second", "third", "fourth"]
    assert browser.console() == []


# --- Opening and closing


def test_a_row_opens_by_click_and_by_key(show):
    browser = show(four_rows())
    is_seen = "return document.querySelector(arguments[0]).checkVisibility({contentVisibilityAuto: true})"
    assert browser.run("return document.querySelectorAll('.row[open]').length") == 0
    browser.click(".row > summary")
    assert browser.run("return document.querySelectorAll('.row[open]').length") == 1
    assert browser.run(is_seen, ".row .card")
    assert not browser.run(is_seen, ".row .arguments")
    browser.press(TAB, TAB, ENTER)
    assert browser.run(is_seen, ".row .arguments")
    browser.click(".row > summary")
    assert browser.run("return document.querySelectorAll('.row[open]').length") == 0
    assert browser.run("return document.activeElement.tagName") == "SUMMARY"
    browser.press(TAB, ENTER)
    assert browser.run("return document.querySelectorAll('.row')[1].open")


def test_all_rows_that_are_shown_open_and_close(show):
    browser = show(four_rows())
    choose(browser, "class", 0)
    browser.click("button[name=open]")
    opened = "return [...document.querySelectorAll('.row')].map(r => r.open)"
    assert browser.run(opened) == [False, True, True, False]
    browser.click("button[name=close]")
    assert browser.run(opened) == [False] * 4


def test_everything_can_be_reached_and_has_a_name(show):
    browser = show(four_rows())
    unnamed = "return [...document.querySelectorAll('input, select')].filter(e => !e.labels.length).length"
    assert browser.run(unnamed) == 0
    tree = browser.devtools("Accessibility.getFullAXTree")["nodes"]
    for role in ("button", "combobox", "searchbox", "region", "link", "DisclosureTriangle", "table"):
        found = [node for node in tree if not node["ignored"] and node["role"]["value"] == role]
        assert found, role
        assert all(node["name"]["value"] for node in found), role


# --- Other ways to look at it


def test_without_scripts_everything_can_be_read(browser, show):
    browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
    show(four_rows())
    found = browser.devtools(
        "Runtime.evaluate",
        returnByValue=True,
        expression="""(() => {
            const rows = [...document.querySelectorAll('.row')];
            rows[0].querySelector('summary').click();
            return [document.getElementById('controls').checkVisibility(), rows.every(r => r.checkVisibility()),
                    rows[0].open, rows[0].innerText.includes('Attribute by attribute')];
        })()""",
    )["result"]["value"]
    assert found == [False, True, True, True]


def test_on_paper_all_is_open_and_no_control_is_left(show):
    browser = show(four_rows())
    browser.devtools("Emulation.setEmulatedMedia", media="print")
    seen = "return document.querySelector(arguments[0]).checkVisibility({contentVisibilityAuto: true})"
    for control in ("#controls .search", "#controls select", "#controls button", "nav"):
        assert not browser.run(seen, control), control
    heights = "return [...document.querySelectorAll('.row .body')].map(b => b.getBoundingClientRect().height)"
    assert all(height > 100 for height in browser.run(heights))
    browser.devtools("Emulation.setEmulatedMedia", media="")
    paper = browser.paper()
    assert paper.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) >= 3
    assert browser.run("return document.querySelectorAll('.row[open]').length") == 0


def test_fifty_wide_rows_can_be_printed(show):
    """Striped cells once made Chromium take minutes for it, and files of 25 MB."""
    paper = show(explanations([wide(i) for i in range(50)])).paper()
    assert len(paper) < 10_000_000


@pytest.mark.parametrize("page", [four_rows, nasty_explanations, lambda: explanations([wide(1, 60, 5)])])
def test_a_phone_need_not_scroll_sideways(browser, show, page):
    browser.resize(390, 800, is_phone=True)
    show(page())
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert browser.run("return [innerWidth, document.documentElement.scrollWidth]") == [390, 390]


@pytest.mark.parametrize(("width", "most"), [(1300, 60), (390, 160)])
def test_how_often_such_cases_were_right_has_a_place(browser, show, width, most):
    """In the line of its row on a desktop, and below on a phone."""
    browser.resize(width, 800)
    rows = [replace(row, reliability=Reliability(0.9, 40, 37)) for row in four_rows()]
    page = show(explanations(rows))
    assert "92 % right" in page.run("return document.querySelector('.row > summary').innerText")
    assert page.run("return document.querySelector('.row > summary').offsetHeight") < most


@pytest.mark.parametrize("width", [390, 500])
def test_the_audit_is_not_cut_on_a_narrow_screen(browser, show, width):
    browser.resize(width, 800)
    show(audit_page(audit("patient 297", "malignant")))
    box = "const box = document.querySelector('.wide'); return [box.scrollWidth, box.clientWidth]"
    needed, there = browser.run(box)
    assert needed <= there < width


def test_one_row_is_open_and_has_no_controls(show):
    browser = show(explanations([explanation()]))
    assert browser.run("return document.querySelector('.row .card').checkVisibility()")
    browser.run(UNFOLD)
    assert browser.run("return document.querySelector('.row .attributes').checkVisibility()")
    assert browser.run("return document.getElementById('controls')") is None
    assert browser.console() == []


def test_dark_where_the_reader_prefers_it(show):
    browser = show(four_rows())
    colour = "return getComputedStyle(document.body).backgroundColor"
    assert browser.run(colour) == "rgb(255, 255, 255)"
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert sum(map(int, re.findall(r"\d+", browser.run(colour)))) < 150


def test_a_fragment_keeps_its_styles_to_itself(show):
    page = f"<!doctype html><meta charset=utf-8><p>outside</p><table><tr><th>x</table>{explanation_html(explanation())}"
    style = "const s = getComputedStyle(document.querySelector(arguments[0])); return [s.color, s.padding, s.font]"
    browser = show(page)
    outside = [browser.run(style, selector) for selector in ("body > p", "body > table th")]
    assert browser.text(".fgac .headline").split() == ["row", "1", "good"]
    bare = show("<!doctype html><p>outside</p><table><tr><th>x</table>")
    assert [bare.run(style, selector) for selector in ("body > p", "body > table th")] == outside
