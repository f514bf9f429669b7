"""Targets that can hardly be meant: one class, numbers as classes, and texts that have no order."""

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGAOrdinalClassifierCV,
    FRNNClassifier,
    choose_gamma,
    evaluate,
)
from fgac.tables.class_order import alphabet_sentence
from support.command_line import run

X = np.random.default_rng(0).random((60, 2))
ONE_CLASS = "target 'y' has one class only ('no'); expected two or more"
ALPHABET = "the classes are texts and have no order of their own; they are taken in that of the alphabet"


@pytest.mark.parametrize("weight", [None, [1.0] * 30 + [0.0] * 30], ids=["all rows", "rows that count"])
@pytest.mark.parametrize(
    "train",
    [
        lambda y, weight: FGAClassifierCV().fit(X, y, sample_weight=weight),
        lambda y, weight: FGAOrdinalClassifierCV().fit(X, y, sample_weight=weight),
        lambda y, weight: choose_gamma(FGAClassifier(), X, y, sample_weight=weight),
        lambda y, weight: evaluate(FGAClassifier(), X, y, sample_weight=weight),
        lambda y, weight: evaluate(FGAOrdinalClassifier(), X, y, sample_weight=weight, gamma=2.0),
    ],
    ids=["search", "ordinal search", "rule", "evaluate", "ordinal evaluate"],
)
def test_one_class_gives_the_same_error_everywhere(train, weight):
    y = np.array(["no"] * 60 if weight is None else ["no"] * 30 + ["yes"] * 30)
    with pytest.raises(ValueError) as caught:
        train(y, weight)
    assert str(caught.value) == ONE_CLASS


def test_one_class_is_told_with_the_name_of_the_target():
    for train in (FGAClassifierCV().fit, lambda X, y: evaluate(FGAClassifier(), X, y)):
        with pytest.raises(ValueError, match="target 'deny' has one class only"):
            train(X, pd.Series(["no"] * 60, name="deny"))


@pytest.mark.parametrize("command", ["fit", "audit", "evaluate"])
@pytest.mark.parametrize("options", [[], ["--order", "no"]], ids=["classes", "ordered"])
def test_the_command_line_says_the_same(tmp_path, command, options):
    text = "a,y\n" + "".join(f"{i}.5,no\n" for i in range(12))
    output = ["-o", tmp_path / "m.fgac"] if command == "fit" else []
    assert run(command, "-", "-t", "y", *options, *output, stdin=text, code=1).stderr == f"error: {ONE_CLASS}\n"


@pytest.mark.parametrize("kind", [FGAClassifier, FGAOrdinalClassifier, FRNNClassifier])
def test_a_plain_model_of_one_class_predicts_it(kind):
    assert set(kind().fit(X, ["no"] * 60).predict(X)) == {"no"}


@pytest.mark.parametrize("kind", [FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FRNNClassifier])
def test_numbers_that_vary_are_for_a_regressor(kind):
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.*To predict numbers, use FGARegressor"):
        kind().fit(X, X[:, 0])


def test_many_floats_are_warned_about():
    with pytest.warns(UserWarning, match=r"y holds 30 different numbers \(floats\).*use FGARegressor"):
        FGAClassifier().fit(X, np.arange(60.0) // 2)
    FGAClassifier().fit(X, np.arange(60) // 2)
    FGAClassifier().fit(X, np.arange(60.0) % 20)


def test_a_search_warns_once():
    """And not of every fold, nor of every tree of the forest that learns weights, as scikit-learn does."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        FGAClassifierCV(gammas=[1.0, 3.0]).fit(X, np.arange(60.0) % 40)
    assert len([one for one in caught if "y holds 40 different numbers" in str(one.message)]) == 1
    assert len(caught) <= 2, "scikit-learn may say once that there are many classes"


@pytest.mark.parametrize(("n", "warns"), [(21, True), (20, False)])
def test_the_command_line_hints_at_numbers(tmp_path, n, warns):
    text = "a,y\n" + "".join(f"{i % 7}.5,{i % n}\n" for i in range(120))
    answer = run("fit", "-", "-t", "y", "--gamma", "2", "-q", "-o", tmp_path / "m.fgac", stdin=text)
    hint = f"warning: target 'y' holds {n} different numbers, each of which is taken for a class; use --numbers"
    assert answer.stderr.startswith(hint) == warns


@pytest.mark.parametrize("kind", [FGAOrdinalClassifier, FGAOrdinalClassifierCV])
def test_texts_have_no_order_of_their_own(kind):
    y = np.array(["poor", "fair", "good"])[np.arange(60) % 3]
    with pytest.warns(UserWarning, match=rf"{ALPHABET}, \['fair', 'good', 'poor'\]. Give class_order") as caught:
        kind().fit(X, y)
    assert len([warning for warning in caught if ALPHABET in str(warning.message)]) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize("kind", [FGAOrdinalClassifier, FGAOrdinalClassifierCV])
def test_the_order_of_two_texts_matters_where_columns_have_a_direction(kind):
    """In the words of the command line, which asks for it in the same case."""
    y = np.array(["no", "yes"])[np.arange(60) % 2]
    with pytest.warns(UserWarning, match="^" + re.escape(f"{alphabet_sentence(['no', 'yes'])}. Give class_order")):
        kind(monotonic_cst=[1, 0]).fit(X, y)


@pytest.mark.filterwarnings("error:the classes are texts")
def test_an_order_that_is_known_is_not_asked_for():
    y, order = np.array(["poor", "fair", "good"])[np.arange(60) % 3], ["poor", "fair", "good"]
    FGAOrdinalClassifier(class_order=order).fit(X, y)
    FGAOrdinalClassifier().fit(X, pd.Categorical(y, order, ordered=True))
    FGAOrdinalClassifier().fit(X, pl.Series(y).cast(pl.Enum(order)))
    FGAOrdinalClassifier().fit(X, np.arange(60) % 3)
    FGAOrdinalClassifier().fit(X, np.array(["no", "yes"])[np.arange(60) % 2])  # either way round they are the same
    FGAOrdinalClassifierCV(class_order=order).fit(X, y)
