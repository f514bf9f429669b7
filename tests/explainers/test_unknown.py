"""Unknown cells in explanations: where they are, and what they cost an argument."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.explanation.classification import Explanation


def frame(n=40, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"a": rng.uniform(0, 10, n), "b": rng.uniform(0, 10, n), "c": rng.choice(["red", "green", "blue"], n)}
    )
    table.loc[rng.random(n) < 0.3, "a"] = np.nan
    table.loc[rng.random(n) < 0.3, "c"] = None
    return table


MODELS = {
    "euclidean": FGAClassifier(gamma=1.5),
    "manhattan": FGAClassifier(gamma=1.5, metric="manhattan"),
    "chebyshev": FGAClassifier(gamma=1.5, metric="chebyshev"),
    "monotone": FGAClassifier(gamma=1.5, monotonic_cst={"a": 1}),
    "isomorphism": FGAClassifier(gamma=1.5, isomorphism=2.0),
    "ordinal": FGAOrdinalClassifier(gamma=1.5),
    "numbers": FGARegressor(gamma=1.5),
}


def arguments_of(e):
    parts = [part for name in ("at_least", "at_most") if (part := getattr(e, name, None)) is not None]
    if not parts:
        return [*e.arguments_for, *e.arguments_against]
    return [a for part in parts for a in (part if isinstance(part, tuple) else arguments_of(part))]


@pytest.mark.parametrize("name", MODELS)
def test_the_cost_is_what_equal_values_would_give(name):
    """A row in which the unknown cells have the values of the training row argues that much more strongly."""
    table = frame()
    y = (table["b"] > 5).astype(int) + (table["b"] > 8) * (name == "ordinal")
    model = MODELS[name].fit(table, y)
    new = pd.DataFrame({"a": [np.nan, 4.0], "b": [3.0, 7.0], "c": ["red", None]})
    checked = 0
    for e in model.explain(new, 3, merge_similarity=1.0):
        assert e.unknown == (("a",) if e.index == 0 else ("c",))
        for argument_row in arguments_of(e):
            assert argument_row.unknown_cost >= 0.0
            there = table.iloc[argument_row.index]
            filled = new.iloc[[e.index]].copy()
            for column in table:
                if pd.isna(filled[column].iloc[0]) and not pd.isna(there[column]):
                    filled[column] = [there[column]]
            if pd.isna(there.drop("b")).any():
                continue  # what is unknown there cannot be filled in
            again = arguments_of(model.explain(filled, 40, merge_similarity=1.0)[0])
            found = [a.strength for a in again if a.index == argument_row.index]
            assert any(abs(s - argument_row.strength - argument_row.unknown_cost) < 1e-9 for s in found)
            checked += 1
    assert checked


def test_json_and_report_say_unknown(tmp_path):
    table = frame()
    clf = FGAClassifier(gamma=1.5).fit(table, table["b"] > 5)
    told_rows = clf.explain(
        pd.DataFrame({"a": [np.nan], "b": [3.0], "c": [None]}, dtype=object).astype({"a": float, "b": float})
    )
    plain = told_rows.to_dict()["items"][0]
    assert plain["attributes"][0]["value"] is None
    assert plain["unknown"] == ["a", "c"]
    assert Explanation.from_dict(plain) == told_rows[0]
    told_rows.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("unknown") > 3
    assert ">nan<" not in page
    assert ">None<" not in page
