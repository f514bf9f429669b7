"""Pages name what is predicted, and give no accuracy that is none."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.explanation.held_out import HeldOut
from fgac.report import report_html
from fgac.report.regression import report_html as regression_html
from support.report_examples import explanation, explanations
from support.report_page import Page

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.uniform(0, 10, 30), "b": RNG.uniform(0, 10, 30)})
ROWS = [explanation(i, truth=truth) for i, truth in enumerate(["good", "bad", "good"])]
NOTE = "the 3 of 90 rows of new.csv with the least margin"


def shown(items, **settings):
    return Page(report_html(explanations(items), **settings)).text


def test_one_row_has_no_accuracy():
    for items in (ROWS[:1], [ROWS[0], explanation("new")]):
        text = shown(items)
        assert "accuracy" not in text
        assert "of 1 right" not in text


def test_chosen_rows_have_no_accuracy_either():
    text = shown(ROWS, note=NOTE, is_chosen=True)
    assert "2 of 3 right among the rows chosen here" in text
    assert f"They were chosen from more rows ({NOTE}), so this is no estimate of how often the model is right." in text
    assert "accuracy" not in text
    assert "on these rows, accuracy 66.7%" in shown(ROWS, note="all 3 rows of new.csv")


def test_errors_of_one_number_and_of_chosen_ones():
    y = FRAME["a"] * 2 + FRAME["b"]
    model = FGARegressor(gamma=2.0).fit(FRAME, y)
    one, some = model.explain(FRAME[:1], y=y[:1]), model.explain(FRAME[:5], y=y[:5])
    assert "mean error" not in Page(regression_html(one)).text
    text = Page(regression_html(some, is_chosen=True)).text
    assert "of 5 rows chosen here whose value is known" in text
    assert "R²" not in text
    assert "(R² on these rows)" in Page(regression_html(some)).text


def test_the_score_of_rows_held_out_is_told():
    told = explanations(ROWS)
    assert "The model comes without a cross-validated score." in Page(report_html(told)).text
    found = HeldOut("balanced accuracy", 0.812, 5, 1000, 0.996)
    told = dataclasses.replace(told, model=dataclasses.replace(told.model, selection=found))
    assert (
        "cross-validated balanced accuracy 0.81 (5 folds, 1000 rows); 99.6 % of predictions had"
        in Page(report_html(told)).text
    )
    assert type(told).from_json(told.to_json()) == told


TARGETS = {
    "classes": (FGAClassifier(gamma=2.0), np.where(FRAME["a"] > 5, "yes", "no"), "paid = "),
    "order": (FGAOrdinalClassifier(gamma=2.0), (FRAME["a"] // 4).astype(int), "paid >= "),
    "numbers": (FGARegressor(gamma=2.0), FRAME["a"] + 3.0, "paid = "),
}


@pytest.mark.parametrize("name", TARGETS)
def test_pages_name_the_target(name):
    model, y, said = TARGETS[name]
    told = model.fit(FRAME, pd.Series(y, name="paid")).explain(FRAME[:4], y=y[:4], audit=True)
    page = Page((regression_html if name == "numbers" else report_html)(told))
    assert page.text.count(said) > 4
    assert "paid: pred" in page.text
    assert "that predicts paid , trained on 30 rows" in page.text
    assert said in Page(told[0]._html()).text
