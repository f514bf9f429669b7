"""Changing values in a real browser: the page says what Python says, whoever changes whatever, and asks nobody."""

import numpy as np
import pandas as pd
import pytest

import fgac
from fgac import FGAClassifier
from fgac.report.what_if import what_if_script
from support.browser import find_axe
from support.what_if import NAMES, case, classes, differences, labels_of, table

pytestmark = pytest.mark.slow  # a real browser is driven

TAB, DOWN, BACKSPACE = "\ue004", "\ue015", "\ue003"
EDITS_PER_MODEL = 100
ANSWER = "const model = fgacAnswer.load(arguments[0]); return arguments[1].map((row) => fgacAnswer.answer(model, row))"


@pytest.fixture
def browser(session):
    yield session
    session.devtools("Emulation.setEmulatedMedia", media="", features=[])
    session.devtools("Emulation.clearDeviceMetricsOverride")


@pytest.fixture(scope="module")
def model():
    frame = table(40, unknown=0.1)
    return FGAClassifier(gamma=1.0).fit(frame, classes(frame, 2), ids=[f"row {i}" for i in range(40)])


@pytest.fixture
def page(browser, model, tmp_path):
    """Open a page of three rows, and give the browser."""
    rows = table(40, unknown=0.1)[:3].assign(size=[10.0, 11.0, 12.0], town=["Oslo", "never seen", None])
    model.explain(rows, ids=["a", "b", "c"]).to_html(tmp_path / "page.html", model=model)
    browser.open(tmp_path / "page.html")
    return browser


@pytest.mark.parametrize("name", NAMES)
def test_random_edits_agree_with_python(session, tmp_path, name):
    made = case(name)
    (tmp_path / "empty.html").write_text(f"<!doctype html><script>{what_if_script()}</script>", encoding="utf-8")
    session.open(tmp_path / "empty.html")
    explanations, rows = made.rows(made.edits(EDITS_PER_MODEL, seed=len(name)))
    answers = session.run(ANSWER, made.plain(), rows)
    for i, (e, answer) in enumerate(zip(explanations, answers, strict=True)):
        assert differences(e, answer, labels_of(made.model)) == [], (i, rows[i])


# --- The form


def field(name):
    return f"(f => f.querySelector('span').textContent.trim() === '{name}')"


def of_field(browser, name, what):
    """What an expression says of the input of a column."""
    find = f"const f = [...document.querySelectorAll('.field')].find{field(name)}"
    return browser.run(f"{find}, input = f.querySelector('[data-kind]'); return {what}")


def change(browser, name, value):
    """Set an input and say so, as a browser does when somebody types."""
    browser.run(
        f"const input = [...document.querySelectorAll('.field')].find{field(name)}.querySelector('[data-kind]');"
        "input.value = arguments[0]; input.dispatchEvent(new Event('input', {bubbles: true}))",
        value,
    )


def findings(browser):
    return browser.text("section.what-if .findings")


def test_it_begins_with_the_first_row(page, model):
    assert page.console() == []
    assert of_field(page, "size", "input.value") == "10"
    assert of_field(page, "town", "input.selectedOptions[0].textContent") == "Oslo"
    assert page.run("return document.querySelector('[name=back]').disabled")
    first = page.text("section.what-if .verdict b")
    assert first == page.text("#rows [data-row='0'] summary b")


def test_other_rows_can_be_the_start(page):
    for start, size, town in (("1", "11", "(any other)"), ("2", "12", "unknown")):
        page.run(
            "const s = document.querySelector('[name=start]'); s.value = arguments[0];"
            "s.dispatchEvent(new Event('input', {bubbles: true}))",
            start,
        )
        assert of_field(page, "size", "input.value") == size
        assert of_field(page, "town", "input.selectedOptions[0].textContent") == town


def test_a_change_is_shown_and_taken_back(page):
    before = findings(page)
    change(page, "size", "3.5")
    assert findings(page) != before
    assert of_field(page, "size", "f.querySelector('.was').textContent") == "was 10"
    assert "1 value changed" in page.text("section.what-if .verdict")
    page.click("[name=back]")
    assert findings(page) == before
    assert of_field(page, "size", "input.value") == "10"


def test_empty_is_unknown_and_nonsense_is_not(page):
    change(page, "size", "")
    assert "Unknown: " in findings(page)
    assert "size" in findings(page).rpartition("Unknown: ")[2]
    change(page, "size", "10")
    before = findings(page)
    page.run("document.querySelector('.field input[data-kind=number]').focus()")
    page.press(*[BACKSPACE] * 2, "-")
    assert of_field(page, "size", "input.getAttribute('aria-invalid')") == "true"
    assert of_field(page, "size", "f.querySelector('.was').textContent") == "cannot be read; not used"
    page.press("4")
    assert of_field(page, "size", "input.getAttribute('aria-invalid')") is None
    assert findings(page) != before


def test_what_is_typed_is_what_python_is_asked(page, model):
    for name, text in {
        "size": "3.5",
        "count": "",
        "since": "2024-02-29",
        "town": "3",
        "own": "",
        "weight": "1e-3",
    }.items():
        change(page, name, text)
    first = table(40, unknown=0.1)[:1]
    row = first.assign(size=3.5, count=np.nan, since=pd.Timestamp("2024-02-29"), town="Rome", own=None, weight=1e-3)
    (why,) = model.explain(row)
    assert page.text("section.what-if .verdict b") == f"class {why.prediction}"
    degree, lower, upper = (f"{x:.2f}" for x in (why.degree, why.lower, why.upper))
    assert f"degree {degree}, from {lower} to {upper}." in page.text("section.what-if .verdict")
    names = page.run(
        "return [...document.querySelectorAll('.what-if .arguments tbody th span')].map(s => s.firstChild.data)"
    )
    assert len(names) == len(why.arguments_for) + len(why.arguments_against)


def test_labels_flip_and_say_what_they_were(page):
    labels = set()
    for count in range(-30, 31, 5):
        change(page, "count", str(count))
        labels.add(page.text("section.what-if .verdict b"))
    assert len(labels) == 2
    assert "before: " in page.text("section.what-if .verdict") or page.text("section.what-if .verdict b") in labels


def test_it_can_be_used_with_the_keyboard(page):
    before = findings(page)
    page.run("document.querySelector('[name=start]').focus()")
    page.press(TAB)  # the button is disabled: the first input follows
    assert (
        page.run("return document.activeElement.closest('.field').querySelector('span').textContent.trim()") == "size"
    )
    page.press(DOWN)
    assert of_field(page, "size", "Number(input.value)") < 10
    assert findings(page) != before


def test_the_answer_is_announced(page):
    assert page.run("return document.querySelector('section.what-if .verdict').getAttribute('role')") == "status"
    names = page.run(
        "return [...document.querySelectorAll('.field [data-kind]')].map(i => i.labels[0].innerText.split('\\n')[0])"
    )
    assert names == ["size", "count", "flag", "weight", "since", "town", "own"]


def test_nothing_leaves_the_page(page):
    change(page, "size", "3.5")
    page.click("[name=back]")
    # Chromium draws the arrows of its own inputs from within itself.
    assert [address[:8] for address in page.requests() if not address.startswith("data:")] == ["file:///"]
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.console() == []


def test_cards_of_the_row_follow(page):
    texts = """
        const places = [...document.querySelectorAll("[data-row='0'] [data-card]")];
        return Object.fromEntries(places.map((place) => [place.dataset.card, place.innerHTML]))"""
    before = page.run(texts)
    assert set(before) == {"prediction", "support", "for", "against", "change", "unknown"}
    change(page, "size", "3.5")
    found = page.run(texts)
    assert found["prediction"] == page.run("return document.querySelector('section.what-if .verdict b').innerHTML")
    assert all(found[part] != before[part] for part in ("support", "for", "against", "change"))
    assert "degree" not in page.run("return document.querySelector(\"[data-row='0'] .card\").innerText").lower()
    page.click("[name=back]")
    assert page.run(texts) == before


def test_cards_keep_their_looks_beside_what_if(page):
    """On a phone the prediction stays first, and what is right stays blue."""
    page.resize(390, 900, is_phone=True)
    tops = page.run("""
        document.querySelector("[data-row='0']").open = true;
        const parts = [...document.querySelectorAll("[data-row='0'] .card > div")];
        return parts.map((part) => part.getBoundingClientRect().top)""")
    assert tops == sorted(tops)
    tag = """
        const tag = document.createElement("span"), card = document.querySelector("[data-row='0'] .verdict p");
        [tag.className, tag.textContent] = ["tag right", "right"];
        card.append(tag);
        return [tag, document.querySelector("[data-row='0'] .for h3")].map((part) => getComputedStyle(part).color)"""
    ours, blue = page.run(tag)
    assert ours == blue


def test_a_question_about_a_class_goes_with_the_row_as_it_was(browser, model, tmp_path):
    rows = table(40, unknown=0.1)[:1]
    other = next(label for label in model.classes_ if label != model.predict(rows)[0])
    model.explain(rows, about=other).to_html(tmp_path / "page.html", model=model)
    browser.open(tmp_path / "page.html")
    asked = "return document.querySelector('[data-row] [data-card=asked]').innerText"
    assert browser.run(asked) == f"Why not class {other}?"
    change(browser, "size", "3.5")
    assert browser.run(asked) == ""
    browser.click("[name=back]")
    assert browser.run(asked) == f"Why not class {other}?"


def test_what_is_true_of_the_row_as_it_was_does_not_stand_beside_changed_values(browser, model, tmp_path):
    rows = table(40, unknown=0.1)[:1]
    explained = model.explain(rows, y=model.predict(rows), alternatives=True)
    explained.to_html(tmp_path / "page.html", model=model)
    browser.open(tmp_path / "page.html")
    shown = "return document.querySelector('[data-row] .card').innerText"
    assert "✓ right" in browser.run(shown)
    assert "Why not another class" in browser.run(shown)
    change(browser, "size", "3.5")
    assert "✓ right" not in browser.run(shown)
    assert "Why not another class" not in browser.run(shown)
    browser.click("[name=back]")
    assert "✓ right" in browser.run(shown)


def test_nothing_sticks_out_on_a_phone(page):
    page.resize(360, 800, is_phone=True)
    assert page.run("return document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault(page, theme):
    axe = find_axe()
    if axe is None:
        pytest.skip("axe-core is not installed: npm install axe-core")
    page.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    change(page, "size", "3.5")
    page.devtools("Runtime.evaluate", expression=axe.read_text(encoding="utf-8"))
    found = page.run("""
        const faults = (await axe.run("section.what-if")).violations;
        return faults.map((fault) => [fault.impact, fault.id, fault.nodes.map((node) => node.html)]);
    """)
    assert [fault for fault in found if fault[0] in ("serious", "critical")] == []


# --- In a notebook


def test_the_widget_draws_and_tells_the_row(browser, model, tmp_path):
    widget = fgac.what_if(model, table(40, unknown=0.1)[:1].assign(size=[10.0], town=[None]))
    script = widget._esm.replace("export default", "window.widget =")
    path = tmp_path / "widget.html"
    path.write_text(f"<!doctype html><div id=cell></div><script>{script}</script>", encoding="utf-8")
    browser.open(path)
    browser.run(
        """
        window.told = arguments[0];
        const model = {get: (name) => told[name], set: (name, value) => (told[name] = value), save_changes() {}};
        widget.render({model, el: document.getElementById("cell")});
        """,
        {"_html": widget._html, "_names": widget._names},
    )
    assert browser.console() == []
    change(browser, "size", "3.5")
    told = browser.run("return told")
    assert told["values"] == {**widget.values, "size": 3.5}
    assert told["said"]["prediction"] == browser.text(".verdict b")
