"""Explanations through a pipeline speak of the caller's columns and values, and say what the model says."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler

import fgac
from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor

N = 50


def loans(n=N, seed=0):
    """Numbers on different scales, categories, and an ordered category, as a pandas frame."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "income": rng.normal(3000, 800, n).round(),
            "age": rng.integers(20, 80, n).astype(float),
            "job": rng.choice(["farmer", "nurse", "none"], n),
            "school": rng.choice(["low", "middle", "high"], n),
        },
        index=[f"L{i}" for i in range(n)],
    )


def labels(frame, seed=0):
    noise = np.random.default_rng(seed).normal(0, 300, len(frame))
    paid = frame["income"] + 30 * frame["age"] + 500 * (frame["job"] == "none") + noise > 4600
    return pd.Series(np.where(paid, "yes", "no"), index=frame.index, name="paid")


def front(**settings):
    """Scaled numbers, one-hot columns, and codes."""
    return ColumnTransformer(
        [
            ("numbers", StandardScaler(), ["income", "age"]),
            ("names", OneHotEncoder(sparse_output=False, **settings), ["job"]),
            ("order", OrdinalEncoder(categories=[["low", "middle", "high"]]), ["school"]),
        ]
    )


def fitted(last, before=None, target=labels):
    frame = loans()
    return make_pipeline(front() if before is None else before, last).fit(frame, target(frame))


def sides(e):
    found = [part for name in ("at_least", "at_most") if (part := getattr(e, name, None)) is not None]
    if not found:
        return [*e.arguments_for, *e.arguments_against]
    return [argument for part in found for argument in (part if isinstance(part, tuple) else sides(part))]


MODELS = {
    "classes": (FGAClassifier(gamma=3.0), labels),
    "chosen": (FGAClassifierCV(gammas=[1.0, 3.0], cv=3), labels),
    "numbers": (FGARegressor(gamma=2.0), lambda frame: (frame["income"] / 1000).rename("rent")),
    "order": (
        FGAOrdinalClassifier(gamma=3.0, class_order=["low", "middle", "high"]),
        lambda frame: frame["school"].rename("grade"),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_columns_and_values_are_the_callers_and_numbers_the_models(name):
    last, target = MODELS[name]
    model, new = fitted(last, target=target), loans(6, seed=1)
    told, inner = fgac.explain(model, new), model[-1].explain(model[:-1].transform(new))
    for e, plain in zip(told, inner, strict=True):
        assert type(e) is type(plain)
        assert e.id == new.index[e.index]
        assert [feature.name for feature in e.attributes] == list(new.columns)
        assert [feature.value for feature in e.attributes] == new.iloc[e.index].tolist()
        assert (e.prediction, e.lower, e.upper) == (plain.prediction, plain.lower, plain.upper)
        for argument, known in zip(sides(e), sides(plain), strict=True):
            assert (argument.strength, argument.distance) == (known.strength, known.distance)
            assert [c.value for c in argument.attributes] == loans().iloc[argument.index].tolist()
            for share in ("close", "apart"):
                total = sum(getattr(c, share) for c in known.attributes)
                assert sum(getattr(c, share) for c in argument.attributes) == pytest.approx(total, abs=1e-12)
    assert type(told).from_json(told.to_json()) == told
    assert "(transformed)" not in told.text()


def test_one_hot_columns_are_added_up():
    model, new = fitted(FGAClassifier(gamma=3.0)), loans(1, seed=2)
    argument = fgac.explain(model, new)[0].arguments_for[0]
    inner = model[-1].explain(model[:-1].transform(new))[0].arguments_for[0]
    assert argument.attributes[2].apart == pytest.approx(sum(c.apart for c in inner.attributes[2:5]))


@pytest.mark.parametrize("settings", [{"drop": "first"}, {"drop": "if_binary"}, {"min_frequency": 0.33}])
def test_dropped_and_gathered_categories_find_their_column(settings):
    model, new = fitted(FGAClassifier(gamma=3.0), front(**settings)), loans(3, seed=2)
    for e in fgac.explain(model, new):
        assert [feature.name for feature in e.attributes] == list(new.columns)
        for argument in sides(e):
            assert sum(c.apart for c in argument.attributes) == pytest.approx(1.0)


def test_the_table_that_was_given_is_shown_with_its_names_and_gaps():
    frame = loans()
    frame.loc[frame.index[::4], "income"] = np.nan
    before = ColumnTransformer(
        [("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["income", "age"])], remainder="drop"
    )
    model = make_pipeline(before, FGAClassifier(gamma=3.0)).fit(frame, labels(loans()))
    e = fgac.explain(model, frame.iloc[[0, 5]], X_train=frame)[0]
    assert e.unknown == ("income",)
    assert "Unknown here: 'income'." in e.text()
    assert [feature.name for feature in e.attributes] == ["income", "age"]
    for argument in sides(e):
        assert argument.id == frame.index[argument.index]
        assert argument.attributes[0].unknown == bool(np.isnan(frame["income"].iloc[argument.index]))
    # Without it nobody knows what the imputer has filled in.
    assert not any(c.unknown for a in sides(fgac.explain(model, frame[:1])[0]) for c in a.attributes)


def test_rows_of_a_larger_table_are_found_by_their_ids():
    frame, everything = loans(), pd.concat([loans(7, seed=9).rename(index="X{}".format), loans()])
    frame.index = everything.index[7:]
    pipeline = make_pipeline(front().set_output(transform="pandas"), FGAClassifier(gamma=3.0))
    model = pipeline.fit(frame, labels(frame))
    e = fgac.explain(model, loans(1, seed=1), X_train=everything)[0]
    for argument in sides(e):
        assert [c.value for c in argument.attributes] == everything.loc[argument.id].tolist()
    with pytest.raises(ValueError, match="X_train has 57 rows, and the model was fitted to 50"):
        fgac.explain(model, loans(1), X_train=everything.to_numpy())
    with pytest.raises(ValueError, match="X_train has 3 columns and X has 4"):
        fgac.explain(model, loans(1), X_train=frame[["income", "age", "job"]])


def test_polars_frames_and_arrays():
    frame = loans()
    before = front().set_output(transform="polars")
    model = make_pipeline(before, FGAClassifier(gamma=3.0)).fit(pl.from_pandas(frame), labels(frame).to_numpy())
    told = fgac.explain(model, pl.from_pandas(loans(2, seed=1)), units={"age": "years"})
    assert [feature.name for feature in told[0].attributes] == list(frame.columns)
    assert told[0].attributes[1].unit == "years"
    numbers = frame[["income", "age"]].to_numpy()
    model = make_pipeline(MinMaxScaler(), FGAClassifier(gamma=3.0)).fit(numbers, labels(frame).to_numpy())
    e = fgac.explain(model, numbers[:1])[0]
    assert [(feature.name, feature.value) for feature in e.attributes] == [("x0", numbers[0, 0]), ("x1", numbers[0, 1])]
    assert [c.value for c in e.arguments_for[0].attributes] == numbers[e.arguments_for[0].index].tolist()


def test_what_is_made_of_several_columns_says_so():
    numbers = loans()[["income", "age"]]
    model = make_pipeline(StandardScaler(), PCA(2), FGAClassifier(gamma=3.0)).fit(numbers, labels(loans()))
    e = fgac.explain(model, numbers[:1])[0]
    assert [feature.name for feature in e.attributes] == ["pca0 (transformed)", "pca1 (transformed)"]


def test_columns_that_are_left_out_or_pass_are_told_as_such():
    numbers = loans()[["income", "age"]].assign(noise=np.random.default_rng(5).normal(size=N))
    selected = Pipeline(
        [("same", "passthrough"), ("f", FunctionTransformer()), ("best", SelectKBest(k=2)), ("fgac", FGAClassifier())]
    ).fit(numbers, labels(loans()))
    e = fgac.explain(selected, numbers[:1])[0]
    assert [feature.name for feature in e.attributes] == list(numbers.columns[selected["best"].get_support()])


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler((1, -1)[::-1])], ids=str)
def test_safe_changes_are_in_the_callers_units(scaler):
    """Within the radius the prediction stays, and the radius is that of the model, in the units of the column."""
    numbers = loans()[["income", "age"]]
    model = make_pipeline(scaler, FGAClassifier(gamma=3.0)).fit(numbers, labels(loans()))
    for e in fgac.explain(model, numbers[:20]):
        for column, feature in zip(numbers, e.attributes, strict=True):
            if not feature.radius:
                continue
            for way in (-0.999, 0.999):
                moved = numbers.iloc[[e.index]].copy()
                moved[column] += way * feature.radius
                assert model.predict(moved)[0] == e.prediction


def test_nothing_is_promised_of_a_column_that_is_made_into_several():
    e = fgac.explain(fitted(FGAClassifier(gamma=3.0)), loans(1, seed=1))[0]
    assert e.attributes[0].radius > 0
    assert e.attributes[2].radius == 0.0
    assert e.attributes[2].is_nominal


def test_a_model_alone_and_a_pipeline_of_pipelines():
    frame = loans()[["income", "age"]]
    alone = FGAClassifier(gamma=3.0).fit(frame, labels(loans()))
    assert fgac.explain(alone, frame[:2]) == alone.explain(frame[:2])
    inner = make_pipeline(MinMaxScaler(), FGAClassifier(gamma=3.0))
    nested = make_pipeline(StandardScaler(), inner).fit(frame, labels(loans()))
    assert fgac.explain(nested, frame[:1])[0].attributes[0].value == frame["income"].iloc[0]


def test_units_and_other_models_are_checked():
    model = fitted(FGAClassifier(gamma=3.0))
    with pytest.raises(ValueError, match=r"units names \['height'\], which are not columns"):
        fgac.explain(model, loans(1), units={"height": "cm"})
    other = make_pipeline(StandardScaler(), LogisticRegression()).fit(loans()[["age"]], labels(loans()))
    with pytest.raises(TypeError, match="a Pipeline that ends in LogisticRegression"):
        fgac.explain(other, loans(1)[["age"]])
    with pytest.raises(TypeError, match="got LogisticRegression"):
        fgac.explain(other[-1], [[1.0]])


def test_units_of_predicted_numbers():
    frame = loans()[["income", "age"]]
    model = make_pipeline(StandardScaler(), FGARegressor(gamma=2.0)).fit(frame, np.arange(N, dtype=float))
    assert fgac.explain(model, frame[:1], units={"y": "kg"})[0].unit == "kg"
