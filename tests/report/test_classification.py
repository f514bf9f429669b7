"""The report of explained classes: rows, and the page of a real model."""

import dataclasses

from fgac import FGAClassifier, FGAClassifierCV
from fgac.explanation.classification import FeatureValue, Membership
from fgac.report import explanation_html
from fgac.report.classification import entry
from support.report_examples import (
    argument,
    explanation,
    stranger,
)
from support.report_page import Page, report

# --- One row


def test_a_row_shows_its_text_degrees_and_arguments():
    item = explanation(truth="bad")
    page = report([item])
    for line in item.text().splitlines():
        assert line in page.texts
    assert "good 0.75 0.60 to 0.90 bad 0.25 0.10 to 0.40" in page.text
    assert "+ p1 good 0.60 0.70 0.90 − c1 bad 0.10 0.70 0.90" in page.text
    assert "✗ it is bad" in page.text


def test_bars_go_to_the_side_of_the_argument():
    lines = [found for tag, found in Page(explanation_html(explanation())).tags if tag == "line"]
    bars = [(found["class"], found["x1"], found["x2"]) for found in lines if found["x1"] == "50%"]
    assert bars == [("for", "50%", "80%"), ("against", "50%", "45%")]


def test_intervals_are_drawn_from_bound_to_bound():
    page = Page(explanation_html(explanation()))
    lines = [(found["x1"], found["x2"]) for tag, found in page.tags if tag == "line"]
    assert lines[:2] == [("60%", "90%"), ("10%", "40%")]
    assert [found["cx"] for tag, found in page.tags if tag == "circle"] == ["75%", "25%"]


def test_the_predicted_class_comes_first_and_many_classes_are_cut():
    degrees = tuple(Membership(k, 0.0, k / 20, k / 40) for k in range(20))
    found = entry(explanation(prediction=3, memberships=degrees, runner_up=19))
    assert [m.label for m in found.memberships] == [3, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9]
    assert found.n_classes_left_out == 8
    assert "8 further classes have no larger degree" in Page(explanation_html(found.explanation)).text


def test_numbers_as_classes_are_called_classes():
    assert "whether it is class 1" in Page(explanation_html(explanation(prediction=1))).text


def test_attributes_stand_side_by_side():
    text = Page(explanation_html(explanation())).text
    assert "Attribute This row Safe change For good Against p1 c1" in text
    assert "town Ghent any other may change it Ghent 80% Paris age" in text
    assert "age 40 years ± 3.2 years 41 70 95%" in text


def test_a_change_that_can_never_matter_is_free_and_none_is_promised_without_a_certificate():
    free = (FeatureValue("age", 40.0, "years", False, None), FeatureValue("town", "Ghent", "", True, None))
    text = Page(explanation_html(explanation(attributes=free))).text
    assert "age 40 years any 41" in text
    assert "town Ghent any Ghent" in text
    stuck = (FeatureValue("age", 40.0, "years", False, 0.0), free[1])
    assert "age 40 years ± 0 41" in Page(explanation_html(explanation(attributes=stuck))).text
    page = Page(explanation_html(explanation(certified_radius=None)))
    assert "Attribute This row For good" in page.text


def test_values_that_are_not_kept_are_dashes():
    item = explanation()
    unknown = [dataclasses.replace(c, value=None) for c in item.arguments_for[0].attributes]
    side = (dataclasses.replace(item.arguments_for[0], attributes=tuple(unknown)),)
    text = Page(explanation_html(dataclasses.replace(item, arguments_for=side, arguments_against=()))).text
    assert "town Ghent any other may change it – 80%" in text
    assert "The model keeps no values of its training rows." in text


def test_only_distances():
    plain = {f"arguments_{side}": (argument("p1", "good"),) for side in ("for", "against")}
    page = report([explanation(attributes=(), **plain)])
    assert "Attribute by attribute" not in page.text
    assert "+ p1" in page.text


def test_weights_are_told_where_they_count():
    item = explanation()
    side = (dataclasses.replace(item.arguments_for[0], weight=0.5),)
    text = Page(explanation_html(dataclasses.replace(item, arguments_for=side, rest_for=0.3, lower=0.6))).text
    assert "In / not in Weight" in text
    assert "All training rows not shown add 0.30 for and 0.00 against" in text
    assert "Weight" not in Page(explanation_html(item)).text


def test_a_row_that_resembles_nothing_is_beside_the_nearest():
    text = report([stranger()]).text
    assert "row lonely good no comparable case" in text
    assert "comes nearest" in text
    assert "Attribute This row Safe change Nearest n1" in text


def test_alike_rows_are_named_up_to_three():
    item = explanation(arguments_for=(argument("p1", alike=("a", "b", "c", "d")),), attributes=())
    assert "+ p1 good and 4 alike: a, b, c, …" in Page(explanation_html(item)).text


# --- From a model


def test_a_real_model_from_fit_to_file(tmp_path):
    import pandas as pd

    table = pd.DataFrame({"size": [1.0, 2.0, 8.0, 9.0], "kind": pd.Categorical(["a", "a", "b", "b"])})
    clf = FGAClassifier(gamma=1.0).fit(table, ["small", "small", "large", "large"])
    found = clf.explain(table, y=["small", "large", "large", "large"], units={"size": "cm"})
    found.to_html(tmp_path / "report.html", title="Sizes", note="all rows")
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "Of 4 rows whose class is known, 3 are predicted right" in page.text
    assert "Sizes all rows" in page.text
    assert "size 1 cm" in page.text
    assert [item.name for item in tmp_path.iterdir()] == ["report.html"]


def test_the_report_of_a_chooser_is_that_of_the_model_it_chose(tmp_path):
    X, y = [[0.0], [0.1], [0.9], [1.0]], ["no", "no", "yes", "yes"]
    chooser = FGAClassifierCV(gammas=[1.0, 2.0], cv=2).fit(X, y)
    for name, model in (("one", chooser), ("other", chooser.best_estimator_)):
        model.explain([[0.3], [0.6]], y=["no", "yes"]).to_html(tmp_path / name)
    assert (tmp_path / "one").read_text(encoding="utf-8") == (tmp_path / "other").read_text(encoding="utf-8")


def test_notebooks_show_fragments():
    clf = FGAClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    assert clf.explain([[0.2]])[0]._repr_html_().startswith('<div class="fgac">')
