"""The card at the top of every explanation, in pages and in notebooks."""

import re

import numpy as np
import pandas as pd
import pytest

from fgac import FGAOrdinalClassifier, FGARegressor
from fgac.explanation.counterfactual import Change, Counterfactual, Goal
from fgac.explanation.reliability import Reliability
from fgac.report import explanation_html, report_html
from support.report_examples import NASTY, explanation, explanations, nasty_explanations, stranger
from support.report_page import Page

PARTS = ["prediction", "support", "for", "against", "change", "unknown"]


def rows(page):
    """Return the source of every explained row of a page."""
    return page.split('<details class="row"')[1:]


def test_every_row_begins_with_a_card_whose_parts_scripts_find():
    page = report_html(explanations([explanation("one"), stranger("two")]))
    for number, row in enumerate(rows(page)):
        assert f'data-row="{number}"' in row
        assert re.findall(r'data-card="([\w-]+)"', row) == PARTS
        assert row.index('class="card"') < row.index('<details class="more">')


def test_a_notebook_shows_the_card_too():
    html = explanation_html(explanation())
    assert re.findall(r'data-card="([\w-]+)"', html) == PARTS
    assert "data-row" not in html
    assert html.index('class="card"') < html.index('<details class="more">')


def test_the_card_says_what_its_text_says():
    found = Counterfactual((Change("age", 31, 35, "years"),), {}, 0.1, "bad", Goal(1, "p9", "bad"), 0.05)
    item = explanation(reliability=Reliability(0.9, 40, 37), counterfactuals=(found,), unknown=("town",))
    text = Page(explanation_html(item)).text
    card = item.card()
    assert "92 of 100 such cases were right (37 of 40 rows held out)." in text
    assert "age 31 years → 35 years then bad" in text
    for said in (*card.stays, *card.unknown, card.favour.heading, card.against.heading):
        assert said in text
    for side in (card.favour, card.against):
        for group in side.case.groups:
            for f in group.features:
                assert f"{f.name} {f.here}{'' if group.is_same else f' {f.there}'}" in text


def test_the_headline_tells_the_prediction_and_the_class_that_was_asked_about():
    item = explanation(about="bad")
    assert item.card().text().startswith("Row 1: good. Why not bad?\n")
    page = Page(report_html(explanations([item, explanation("two")]))).text
    assert page.count("Why not bad?") == 2  # in the line of the row, and on its card
    assert "Why not bad?" in Page(explanation_html(item)).text
    assert explanation(about="good").card().asked == explanation().card().asked == ""


def test_a_guess_has_the_colour_of_neither_side():
    assert explanation_html(stranger()).count(' no" data-card') == 2
    assert explanation_html(explanation()).count(' no" data-card') == 0


def test_doubt_is_not_told_beside_how_often_such_cases_were_right():
    narrow = explanation(margin=0.05)
    sure = explanation(margin=0.05, reliability=Reliability(0.9, 40, 37))
    assert "doubtful" in Page(explanation_html(narrow)).text
    assert "doubtful" not in Page(explanation_html(sure)).text


def test_everything_else_is_folded_away():
    tags = Page(report_html(explanations([explanation()]))).tags
    folded = [found for tag, found in tags if tag == "details" and found.get("class") == "more"]
    assert len(folded) >= 3
    assert not any("open" in found for found in folded)
    several = Page(report_html(explanations([explanation(1), explanation(2)]))).tags
    opened = [found for tag, found in several if tag == "details" and "open" in found]
    assert len(opened) == 1  # the model, which a page about one case folds away


def test_what_the_user_named_is_text():
    page = Page(report_html(nasty_explanations()))
    assert page.count("img") == 0
    for text in NASTY:
        assert f"Why {text}" in page.texts


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.uniform(0, 10, 60), "b": rng.choice(["x", "y"], 60)})


def test_a_reader_chooses_another_class(frame):
    y = pd.Series(np.digitize(frame["a"], [3, 7]), name="grade")
    reasons = FGAOrdinalClassifier(gamma=2.0).fit(frame, y).explain(frame)
    item = next(e for e in reasons if e.prediction == 1)
    page = Page(item._repr_html_())
    label = item.card().alternatives[0].label
    assert "Why not another class" in page.texts
    assert label in page.texts
    assert item.card().alternatives[0].favour.heading in page.texts


def test_numbers_have_cards(frame):
    reasons = FGARegressor(gamma=2.0).fit(frame, pd.Series(frame["a"] * 2, name="monthly rent")).explain(frame[:2])
    for item in reasons:
        text = Page(item._repr_html_()).text
        assert item.card().favour.heading in text
        assert item.card().against.heading in text
        assert f"row {item.id} {item.card().prediction}" in text
