"""What is predicted is said by its name, in every sentence."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, audit, choose_gamma
from fgac.explanation.classification import Explanations
from fgac.tables.targets import target_name
from fgac.text.target import target_class, target_number
from support.text_examples import argument, lines, two_classes

X = [[0.0], [0.1], [0.9], [1.0]]
FRAME = pd.DataFrame({"size": [0.0, 0.1, 0.9, 1.0]})
DENIED = ["no", "no", "yes", "yes"]


@pytest.mark.parametrize(
    ("label", "target", "said"),
    [
        ("no", "deny", "deny = no"),
        (1, "deny", "deny = 1"),
        (True, "deny", "deny = True"),
        ("fully paid", "status", "'status = fully paid'"),
        ("it's", "status", '"status = it\'s"'),
        ("no", "loan status", "'loan status = no'"),
        ("good or above", "rating", "rating >= good"),
        ("below good", "rating", "rating < good"),
        ("", "rating", "'rating = (blank)'"),
        ("a\nb", "rating", "'rating = a b'"),
        ("no", None, "'no'"),
        (1, None, "class 1"),
    ],
)
def test_a_class_and_its_target(label, target, said):
    assert target_class(label, target) == said


def test_a_number_and_its_target():
    assert target_number(812.4, "rent", "EUR") == "rent = 812.4 EUR"
    assert target_number(812.0, "monthly rent") == "'monthly rent' = 812"
    assert target_number(812.0, None) == "812"


def test_all_sentences_about_classes():
    e = two_classes(target="diagnosis", truth="benign")
    assert lines(e) == [
        "Prediction for row 12: diagnosis = malignant. The row belongs to this class to a degree of 0.84 out of 1 (at "
        "least 0.80, at most 0.88). The row is in fact labelled diagnosis = benign, so the prediction is wrong.",
        "The strongest argument for it: training row 203 is similar to this row (0.85) and belongs to diagnosis = "
        "malignant (0.95), so this row belongs to diagnosis = malignant to at least 0.80.",
        "The strongest argument against it: training row 40 is somewhat similar to this row (0.30) and belongs to "
        "diagnosis = benign (0.82), so this row belongs to diagnosis = malignant to at most 0.88.",
        "The class diagnosis = malignant is clearly ahead of diagnosis = benign (0.84 against 0.16). The prediction "
        "stays as long as the row moves by less than 0.12 in the model's distance.",
    ]
    tied = two_classes((), (), target="diagnosis", tied=("malignant", "benign"), margin=0.0)
    assert "The classes diagnosis = malignant and diagnosis = benign tie at 0.50" in lines(tied)[-1]
    lost = two_classes((), (), target="diagnosis", resembles_nothing=True, nearest=argument(7, similarity=0.0))
    assert lines(lost)[0] == "Prediction for row 12: diagnosis = malignant, but only as a guess."
    assert "Training row 7, labelled diagnosis = malignant, comes nearest" in lines(lost)[1]
    assert lines(lost)[1].startswith("There is no comparable case among the training rows, so every degree")


NAMED = {
    "pandas": pd.Series(DENIED, name="deny"),
    "polars": pl.Series("deny", DENIED),
    "pandas frame": pd.DataFrame({"deny": DENIED}),
    "polars frame": pl.DataFrame({"deny": DENIED}),
    "arrow table": pa.table({"deny": DENIED}),
    "index": pd.Index(DENIED, name="deny"),
    "categories": pd.Series(pd.Categorical(DENIED), name="deny"),
}


@pytest.mark.parametrize("name", NAMED)
def test_the_name_of_y_is_that_of_the_target(name):
    assert target_name(NAMED[name]) == "deny"


NAMELESS = {
    "list": DENIED,
    "pandas": pd.Series(DENIED),
    "number": pd.Series(DENIED, name=4),
    "polars": pl.Series(DENIED),
    "two columns": pd.DataFrame({"deny": DENIED, "again": DENIED}),
    "blank": pd.Series(DENIED, name=" "),
    "arrow": pa.array(DENIED),
}


@pytest.mark.parametrize("name", NAMELESS)
def test_y_may_have_no_name(name):
    assert target_name(NAMELESS[name]) is None


def test_a_target_that_is_called_like_a_column_was_computed_from_it():
    model = FGARegressor().fit(FRAME, 2 * FRAME["size"])
    assert model.explain(FRAME[:1])[0].target is None


def test_every_model_learns_the_name():
    y = pd.Series(DENIED, name="deny")
    many, labels = pd.concat([FRAME] * 5, ignore_index=True), pd.concat([y] * 5, ignore_index=True)
    models = [
        FGAClassifier().fit(FRAME, y),
        FGAOrdinalClassifier().fit(FRAME, y),
        FGAClassifierCV(gammas=[1.0], cv=2).fit(many, labels),
        choose_gamma(FGAClassifier(), many, labels, gammas=[1.0], n_folds=2),
    ]
    for model in models:
        told = model.explain(FRAME[:1])
        assert told[0].target == told.model.target == "deny"
        assert told[0].text().startswith("Prediction for row 0: deny = no.")
        assert type(told).from_json(told.to_json()) == told
    assert (
        FGARegressor().fit(FRAME, pd.Series([1.0, 2.0, 3.0, 4.0], name="rent")).explain(FRAME[:1])[0].target == "rent"
    )


def test_values_without_a_name_are_written_as_before():
    told = FGAClassifier().fit(X, DENIED).explain([[0.2]])
    assert "target" not in told.to_json()
    assert "unknown" not in told.to_json()
    assert Explanations.from_json(told.to_json())[0].target is None


def test_ordered_classes_are_relations():
    y = pd.Series(["poor", "fair", "good", "good"], name="rating")
    clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=2.0).fit(FRAME, y)
    text = clf.explain(pd.DataFrame({"size": [0.15]}))[0].text()
    assert "Why rating >= fair: the row belongs to rating >= fair to a degree" in text
    assert "Why rating < good: the row belongs to rating < good to a degree" in text
    assert audit(clf)[0].text().startswith("Is rating >= fair?\n")


def test_numbers_and_audits():
    y = pd.Series([10.0, 20.0, 40.0, 50.0], name="rent")
    model = FGARegressor(gamma=2.0).fit(pd.DataFrame({"x": [0.0, 3.0, 4.0, 8.0]}), y)
    text = model.explain(pd.DataFrame({"x": [2.0]}), y=[24.0], units={"y": "EUR"})[0].text()
    assert text.startswith(
        "Prediction for row 0: rent = 22.5 EUR (at least 15 EUR, at most 30 EUR). The true rent is 24"
    )
    assert "training row 1 has rent = 25 EUR and is similar" in text
    assert "Its own rent, 20 EUR, is contradicted by other rows." in text
    assert audit(model)[0].text() == (
        "Row 1 has rent = 20, but is taken as 25: row 2 (rent = 40, taken as 35, distance 0.125) contradicts it. Row 1 "
        "is 2.0 times as far off as rows usually are."
    )
    clf = FGAClassifier(gamma=1.0).fit(FRAME, pd.Series(["no", "yes", "no", "no"], name="deny"))
    assert audit(clf)[0].text().startswith("Row 1 is labelled deny = yes")
