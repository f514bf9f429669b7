"""What notebooks show of models, solutions, paths, evaluations, changes and audits: content, escaping, nothing else."""

import dataclasses
import json
import re
import sys
from collections import Counter

import numpy as np
import polars as pl
import pytest
import sklearn
from sklearn.pipeline import make_pipeline

import fgac
from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGARegressor,
    FRNNClassifier,
    audit,
    evaluate,
)
from fgac.report.notebook import Summary, SummaryTable, or_none
from fgac.report.page import asset, environment
from support.report_examples import NASTY
from support.report_page import Page

N = 40
KINDS = {"classes": FGAClassifier, "ordered": FGAOrdinalClassifier, "numbers": FGARegressor}


def table():
    values = np.arange(N) % 8
    return pl.DataFrame({NASTY[0]: values * 1.0, NASTY[1]: [NASTY[i % 3] for i in range(N)]})


def target(kind):
    values = np.append(np.arange(N - 1) % 8, 0)
    if kind == "numbers":
        return pl.Series(NASTY[2], values * 1.0)
    return pl.Series(NASTY[2], [NASTY[3] if value > 3 else NASTY[0] for value in values])


@pytest.fixture(scope="module", params=list(KINDS))
def model(request):
    return KINDS[request.param](gamma=2.0).fit(table(), target(request.param), ids=[NASTY[i % 4] for i in range(N)])


def summary_of(model):
    """The part of the HTML of a model that is ours."""
    return '<div class="fgac-summary">' + model._repr_html_().rpartition('<div class="fgac-summary">')[2]


@pytest.fixture(scope="module")
def shown():
    """A piece of every kind, full of names of markup."""
    X, y, numbers = table(), target("classes"), target("numbers")
    ids = [NASTY[i % 4] for i in range(N)]
    model = FGAClassifier(gamma=2.0).fit(X, y, ids=ids)
    scored = {"n_folds": 2, "n_repeats": 1}
    compared = evaluate(FGAClassifier(), X, y, gamma=2.0, **scored, against=FGAClassifier(gamma=1.0))
    changes = model.counterfactuals(X[:4], None)
    return {
        "model": summary_of(model),
        "solution": model.solution_._repr_html_(),
        "path": fgac.path(X, y)._repr_html_(),
        "evaluation": compared._repr_html_(),
        "comparison": compared.against._repr_html_(),
        "evaluation of numbers": evaluate(FGARegressor(), X, numbers, gamma=2.0, **scored)._repr_html_(),
        "changes": changes._repr_html_(),
        "change": next(each for each in changes if each)[0]._repr_html_(),
        "audit": audit(FGARegressor(gamma=1.0).fit(X, numbers, ids=ids))._repr_html_(),
    }


def test_nothing_of_the_users_is_markup(shown):
    for name, piece in shown.items():
        page = Page(piece)
        assert page.count("script") == page.count("img") == page.count("b") - 1 == 0, name
        assert not re.search(r"<(?!/?(div|style|p|b|span|table|caption|thead|tbody|tr|th|td)\b)\w", piece), name
    named = [piece for name, piece in shown.items() if name in ("model", "path", "changes", "audit")]
    assert all("&lt;" in piece for piece in named)


def test_pieces_are_small_offline_and_stand_twice(shown):
    for name, piece in shown.items():
        page = Page(piece * 2)
        assert len(piece) < 12_000, name
        assert page.count("style") == 2
        assert not re.search(r"(?i)<[^>]*\b(id|src|href|on\w+)\s*=", piece), name
        assert "http" not in piece.replace(NASTY[0], "")
        assert not Counter(re.findall(r'\bid="([^"]*)"', piece))


def test_styles_are_for_pieces_only():
    style = re.sub(r"@media[^{]*\{", "", asset("summary.css"))
    single = [
        part.strip() for found in re.findall(r"([^{}]+)\{[^{}]*\}", style) for part in re.split(r",(?![^(]*\))", found)
    ]
    assert single
    assert all(re.match(r"\.fgac-summary\b", part) for part in single)


def test_a_fitted_model_says_what_was_chosen_and_proved(model):
    text = Page(summary_of(model)).text
    assert f"{type(model).__name__}, fitted" in text
    assert "proved optimal" in text
    assert "2, as given" in text
    assert f"{N} training rows" in text


def test_a_search_says_how_its_gamma_did():
    X = np.arange(40.0)[:, None] % 10
    model = FGAClassifierCV(gammas=[1.0, 2.0], metric="euclidean").fit(X, np.where(X[:, 0] > 4, "a", "b"))
    text = Page(summary_of(model)).text
    assert f"{model.gamma_:g}, chosen by cross-validation" in text
    assert "balanced accuracy 1.00 (5 folds, 40 rows)" in text
    assert "all predictions had an argument" in text
    assert "yes, on rows held out" in text


def test_the_diagram_of_scikit_learn_stays():
    unfitted = FGAClassifier()
    assert "fgac-summary" not in unfitted._repr_html_()
    fitted = FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["no", "yes"])
    bundle = fitted._repr_mimebundle_()
    assert bundle["text/plain"] == repr(fitted) == "FGAClassifier(gamma=2.0)"
    # The diagram has numbered names, another one every time.
    assert bundle["text/html"].endswith(summary_of(fitted))
    assert "sk-top-container" in bundle["text/html"].partition("fgac-summary")[0]
    assert bundle["text/html"].count('class="fgac-summary"') == fitted._repr_html_().count('class="fgac-summary"') == 1
    with sklearn.config_context(display="text"):
        assert not hasattr(fitted, "_repr_html_")
        assert fitted._repr_mimebundle_() == {"text/plain": repr(fitted)}
    assert "sk-top-container" in make_pipeline(fitted)._repr_html_()


def test_other_models_have_the_diagram_only():
    assert "fgac-summary" not in FRNNClassifier().fit([[0.0], [1.0]], ["no", "yes"])._repr_html_()


def test_a_proof_that_does_not_hold_is_told():
    solution = FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["no", "yes"]).solution_
    text = Page(dataclasses.replace(solution, duality_gap=float("nan"), largest_violation=0.5)._repr_html_()).text
    assert "NOT proved optimal" in text
    assert "unknown" in text


def test_changes_are_numbered_and_counted():
    model = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    found = model.counterfactuals([[0.2], [0.8]], "high")
    text = Page(found._repr_html_()).text
    assert "1 of 2 rows" in text
    assert "0.500001" in text
    assert "Of 1 no change is needed, or none was found." in text
    assert json.loads(found.to_json())  # the value itself is as it was


def test_an_audit_without_suspects():
    found = audit(FGARegressor(gamma=2.0).fit([[0.0], [1.0]], [0.0, 1.0]))
    assert "No number is contradicted: all 2 rows" in Page(found._repr_html_()).text


def test_without_jinja2_notebooks_show_the_repr(monkeypatch):
    model = FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["no", "yes"])
    environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.setitem(sys.modules, "markupsafe", None)
    assert model.solution_._repr_html_() is None
    assert "fgac-summary" not in model._repr_html_()
    monkeypatch.undo()
    environment.cache_clear()


def test_a_table_aligns_its_numbers():
    piece = Summary("x", tables=[SummaryTable("t", ("a", "b"), [("1", "2")], right=(1,))])
    assert piece.html().count('class="n"') == 2
    assert or_none(lambda value: value, piece) == piece.html()
