"""The audit in the report: suspects, who contradicts them, and how many are shown."""

import dataclasses
import re

import pytest

from fgac.report import audit_html, audit_page, report_html
from support.report_examples import (
    audit,
    explanation,
    explanations,
)
from support.report_page import Page, report


def test_the_audit_names_suspects_and_who_contradicts_them():
    text = Page(audit_html(audit())).text
    assert "The 1 training row of 99 whose label the others contradict most" in text
    assert "a1 and 1 alike: a2 bad 0.64 o0 good 20% o1 good 20% o2 good 20% and 2 others good" in text
    assert "membership that training leaves" in text
    assert "o0 good 20%" in report([explanation()], audit=audit()).text


def test_the_audit_tells_what_its_doubt_is():
    suspect = dataclasses.replace(audit().items[0], support=0.4)
    assert (
        "the degree that the other rows give" in Page(audit_html(dataclasses.replace(audit(), items=(suspect,)))).text
    )


def test_the_audit_shows_what_models_say_that_had_not_seen_the_row():
    assert "Held out" not in Page(audit_html(audit())).text
    suspect = dataclasses.replace(audit().items[0], support=0.4, held_out=0.125)
    text = Page(audit_html(dataclasses.replace(audit(), items=(suspect,)))).text
    assert "Doubt, drawn Held out Contradicted by" in text
    assert "a1 and 1 alike: a2 bad 0.64 0.12 o0 good 20%" in text
    assert "the probability that a model gave to the label without having seen the row (held out)" in text


def many_suspects(n):
    one = audit().items[0]
    return dataclasses.replace(audit(), items=tuple(dataclasses.replace(one, id=f"s{i}") for i in range(n)))


@pytest.mark.parametrize(("most", "expected"), [(1, 1), (20, 20), (25, 25), (30, 25), (None, 25)])
def test_as_many_suspects_as_asked_for(most, expected):
    text = Page(audit_html(many_suspects(25), most=most)).text
    assert f"The {expected} training row" in text
    assert len(re.findall(r"\bs\d+ and 1 alike", text)) == expected


def test_no_suspects_cannot_be_asked_for():
    with pytest.raises(ValueError, match="most=0 must be a whole number >= 1, or None"):
        audit_html(audit(), most=0)
    assert audit_html(many_suspects(25)) == audit_html(many_suspects(25), most=20)


def test_a_page_of_all_suspects(tmp_path):
    many_suspects(25).to_html(tmp_path / "audit.html")
    html = (tmp_path / "audit.html").read_text(encoding="utf-8")
    page = Page(html)
    assert "<h1>Doubted labels</h1>" in html
    assert "99 training rows 25 labels listed" in page.text
    assert "s24 and 1 alike" in page.text
    assert page.count("script") == 0
    many_suspects(1).to_html(tmp_path / "audit.html", title="Labels of <2026>")
    assert "<title>Labels of &lt;2026&gt;</title>" in (tmp_path / "audit.html").read_text(encoding="utf-8")


def test_no_suspects_and_no_audit():
    empty = dataclasses.replace(audit(), items=())
    assert "No training row contradicts" in Page(audit_html(empty)).text
    assert "No training row contradicts" in Page(audit_html(empty, most=None)).text
    assert "No training row contradicts" in Page(audit_page(empty)).text
    assert "Doubted labels" not in report_html(explanations([explanation()]))
