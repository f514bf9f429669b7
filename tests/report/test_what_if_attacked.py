"""The script against Python on tables made to be awkward: grids full of ties, constant columns, gaps, directions.

Coordinates on a grid have equal distances, equal strengths, and rows that are exactly as similar as merging asks for.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.estimators._state import state_of
from fgac.explainers.portable import portable, portable_row
from fgac.report.what_if import what_if_script
from support.browser import Browser, find_browser
from support.directed import monotone_cases, raised_queries
from support.property_tests import examples
from support.unknown import unknown_cases
from support.what_if import differences, labels_of

pytestmark = pytest.mark.slow  # a real browser is driven

ANSWER = "const model = fgacAnswer.load(arguments[0]); return arguments[1].map((row) => fgacAnswer.answer(model, row))"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    found = find_browser()
    if found is None:
        pytest.skip("chromium or chromedriver is not installed")
    path = tmp_path_factory.mktemp("page") / "empty.html"
    path.write_text(f"<!doctype html><script>{what_if_script()}</script>", encoding="utf-8")
    with Browser(*found) as started:
        started.open(path)
        yield started


def assert_same(browser, model, X):
    """Fail if the script says something else of some rows than the model."""
    explanations, state = model.explain(X), state_of(model)
    rows = [portable_row(state.table, e.attributes or ()) or [None] * len(state.table.columns) for e in explanations]
    answers = browser.run(ANSWER, portable(state), rows)
    for e, row, answer in zip(explanations, rows, answers, strict=True):
        assert differences(e, answer, labels_of(model)) == [], row


KINDS = {"classes": FGAClassifier, "ordered": FGAOrdinalClassifier, "numbers": FGARegressor}


@pytest.mark.parametrize("kind", KINDS)
@given(case=unknown_cases(), ties=st.sampled_from(["nearest", "first"]))
@examples(20)
def test_tables_with_gaps(browser, kind, case, ties):
    more = {"ties": ties} if kind != "numbers" else {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="nothing is known in columns")
        model = KINDS[kind](**case.settings, **more).fit(case.X, case.y, sample_weight=case.weights)
    assert_same(browser, model, pd.concat([case.X, case.new]))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@examples(20)
def test_columns_with_directions(browser, kind, data):
    case = data.draw(monotone_cases(n_classes=2 if kind == "classes" else None))
    settings = {name: value for name, value in case.settings.items() if kind != "numbers" or name != "ties"}
    model = KINDS[kind](**settings).fit(case.X, case.y, sample_weight=case.weights)
    assert_same(browser, model, np.vstack([case.X, *data.draw(raised_queries())]))


@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(1, 5), weighted=st.booleans())
@examples(20)
def test_learned_distances(browser, seed, n_classes, weighted):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (40, 4)).astype(float)
    X[:, 3] = rng.normal(size=40)
    X[rng.random(X.shape) < rng.choice([0.0, 0.2])] = np.nan
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, 40 - n_classes))
    settings = {"categorical_features": [2], "gamma": 3.0, "class_weight": "balanced" if weighted else None}
    model = FGAClassifier(metric="learned", **settings).fit(X, y)
    new = rng.integers(-2, 6, (10, 4)) + 0.5 * rng.integers(0, 2, (10, 1))
    assert_same(browser, model, np.vstack([X[:5], new]))


@given(seed=st.integers(0, 2**32 - 1), gamma=st.sampled_from([0.3, 1.0, 8.0]))
@examples(20)
def test_angles_of_rows_that_are_multiples(browser, seed, gamma):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (20, 3)) * rng.choice([0.0, 1e-3, 1.0, 1e60], (20, 1))
    y = np.append([0, 1], rng.integers(0, 2, 18))
    model = FGAClassifier(metric="angular", gamma=gamma).fit(X, y)
    assert_same(browser, model, np.vstack([X, 2.0 * X, -X, 0.0 * X[:1]]))
