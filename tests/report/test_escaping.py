"""What the user named is text in the report, wherever it stands."""

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.explanation.classification import FeatureValue
from fgac.report import audit_html, audit_page, explanation_html, report_html
from fgac.text.words import format_value
from support.report_examples import (
    NASTY,
    argument,
    audit,
    explanation,
    explanations,
    nasty_explanations,
)
from support.report_page import Page, report

KNOWN_ATTRIBUTES = re.compile(
    r"(aria|data)-(class|flags|hidden|label|labelledby|live|margin|row)|autocomplete|charset|class|colspan|content|cx|hidden"
    r"|href|http-equiv|id|lang|name|open|placeholder|rel|role|rowspan|scope|tabindex|type|value|x1|x2"
)


@pytest.mark.parametrize(
    "render",
    [
        report_html,
        lambda e: report_html(dataclasses.replace(e, items=e.items[:1])),
        lambda e: "".join(map(explanation_html, e)),
        lambda e: audit_html(e.audit),
        lambda e: audit_page(e.audit, title=NASTY[0]),
    ],
)
def test_markup_of_the_users_is_text(render):
    page = Page(render(nasty_explanations()))
    for tag, found in page.tags:
        assert tag not in ("img", "iframe", "object", "base")
        assert all(map(KNOWN_ATTRIBUTES.fullmatch, found)), (tag, found)
    assert page.count("script") <= 1
    assert "alert" not in page.raw["script"] + page.raw["style"]
    assert any(NASTY[0] in text for text in page.texts)


def test_markup_in_every_place_is_shown_as_it_is():
    page = Page(report_html(nasty_explanations(), title=NASTY[0]))
    for text in NASTY:
        assert page.texts.count(text) >= 5, text


TEXT = st.text(max_size=70)


@given(TEXT, TEXT, TEXT, TEXT)
def test_any_text_leaves_the_tags_as_they_are(id, label, name, value):
    def tags(id, label, name, value):
        readings = (FeatureValue(name, value, "", True, 0.0),)
        sides = {
            f"arguments_{side}": (argument(id, label, comparisons=[(name, value, 1.0, 0.0)]),)
            for side in ("for", "against")
        }
        item = explanation(id, label, truth=label, attributes=readings, **sides)
        page = report([item], classes=(label,), audit=audit(id, label))
        return page.tags, page.texts

    expected, _ = tags("a", "a", "a", "a")
    found, texts = tags(id, label, name, value)
    assert found == expected
    for text in filter(str.isprintable, (format_value(label), format_value(name), format_value(value))):
        assert text in texts


@pytest.mark.parametrize("bad", ["\udc80", "\x1b[2J", "\x9b", "\u202e", "\u2066"])
def test_what_is_no_text_is_shown_as_an_escape(bad):
    page = report_html(explanations([explanation(f"an {bad}id")]), title=f"a {bad}title", note=f"a {bad}note")
    shown = repr(bad)[1:-1]
    for what in ("id", "title", "note"):
        assert f"{shown}{what}" in page
    assert bad not in page
    page.encode()


def test_long_texts_are_cut():
    assert "x" * 61 not in report_html(explanations([explanation("x" * 10_000)]))
