"""Numbers beyond all training rows: where ranks end they count as the last one, and explanations say so."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fgac
from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor

SENTENCE = "Beyond all training rows, and compared as if at their edge: 'age'."


def table(n=60):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.uniform(20, 60, n), "income": rng.uniform(1, 9, n), "town": list("ab") * (n // 2)})
    frame["town"] = frame["town"].astype("category")
    return frame, (frame["age"] / 5 + frame["income"] > 13).to_numpy().astype(int)


MODELS = {
    "classes": FGAClassifier(metric="learned"),
    "ordered classes": FGAOrdinalClassifier(metric="learned"),
    "numbers": FGARegressor(metric="learned"),
}


def rows(**cells):
    frame = pd.DataFrame({"age": [30.0], "income": [5.0], "town": ["a"]} | {k: [v] for k, v in cells.items()})
    return frame.astype({"town": "category"})


@pytest.mark.parametrize("kind", MODELS)
def test_it_is_said_once_and_kept(kind):
    X, y = table()
    model = MODELS[kind].fit(X, y + (X["income"] > 8) if kind != "classes" else y)
    why = model.explain(rows(age=130.0))
    assert why[0].beyond == ("age",)
    assert why[0].text().count(SENTENCE) == 1
    assert why[0].to_dict()["beyond"] == ["age"]
    inside = model.explain(rows())[0]
    assert inside.beyond == ()
    assert "eyond all" not in inside.text()
    assert "beyond" not in inside.to_dict()


def test_a_row_counts_as_one_at_the_edge():
    X, y = table()
    model = MODELS["classes"].fit(X, y)
    edge, far = rows(age=X["age"].max()), rows(age=1e6)
    np.testing.assert_allclose(model.memberships(edge), model.memberships(far))
    assert model.explain(edge)[0].beyond == ()
    assert model.explain(rows(age=X["age"].min() - 1.0))[0].beyond == ("age",)


def test_unknown_numbers_and_new_categories_are_not_beyond():
    X, y = table()
    model = MODELS["classes"].fit(X, y)
    assert model.explain(rows(age=np.nan, town="z"))[0].beyond == ()


def test_other_scales_go_on():
    """There a number is further away by as much as it is larger, and nothing is hidden."""
    X, y = table()
    assert FGAClassifier().fit(X, y).explain(rows(age=130.0))[0].beyond == ()


def test_arrays_have_their_names():
    X, y = table()
    numbers = X[["age", "income"]].to_numpy()
    assert MODELS["classes"].fit(numbers, y).explain([[130.0, 5.0]])[0].beyond == ("x0",)


def test_behind_a_pipeline_the_callers_columns_are_named():
    X, y = table()
    numbers = X[["age", "income"]]
    model = make_pipeline(StandardScaler(), FGAClassifier(metric="learned")).fit(numbers, y)
    assert fgac.explain(model, pd.DataFrame({"age": [130.0], "income": [5.0]}))[0].beyond == ("age",)
