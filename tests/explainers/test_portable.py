"""A model as one plain value: it is JSON, numbers are exact, and models that cannot be computed elsewhere say why."""

import base64
import json

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, FRNNClassifier
from fgac.estimators._state import state_of
from fgac.explainers.portable import least_size, not_portable, portable, portable_row
from fgac.explainers.portable_space import shared_rows
from support.estimators import OwnMetric
from support.what_if import cases, classes, numbers, table

EPOCH, DAY = pd.Timestamp(0), pd.Timedelta(days=1)
PLAIN = table(30, columns=("size", "count", "weight"))


def unpacked(text, dtype="<f8"):
    return np.frombuffer(base64.b64decode(text), dtype=dtype)


@pytest.fixture(scope="module")
def made():
    return cases()


def test_it_is_plain_json(made):
    for case in made:
        plain = case.plain()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain, case.name


def test_it_is_no_smaller_than_foretold(made):
    for case in made:
        assert least_size(state_of(case.model)) <= len(json.dumps(case.plain())), case.name


def test_numbers_are_exact():
    model = FGAClassifier(gamma=1 / 3, metric="manhattan").fit(PLAIN, classes(PLAIN, 3))
    plain, state = portable(state_of(model)), state_of(model)
    assert json.loads(json.dumps(plain))["gamma"] == 1 / 3
    (part,) = plain["parts"]
    nodes = state.predictor.model.envelope.rows
    assert np.array_equal(unpacked(plain["space"]["points"]["numeric"]).reshape(3, -1).T, nodes.numeric)
    assert np.array_equal(unpacked(part["beta"]), state.predictor.model.beta)
    assert np.array_equal(unpacked(part["opposition"]).reshape(3, -1), state.predictor.model.opposition)


def test_columns_without_weight_do_not_travel():
    model = FGAClassifier(feature_weights=[0, 1, 2]).fit(PLAIN, classes(PLAIN, 2))
    space = portable(state_of(model))["space"]
    assert space["points"]["numeric_places"] == [1, 2]
    assert [column["counts"] for column in space["columns"]] == [False, True, True]


def test_a_column_without_weight_may_count_through_the_score(made):
    for case in made:
        space, table_ = case.plain()["space"], state_of(case.model).table
        for j, column in enumerate(space["columns"]):
            scored = table_.score is not None and table_.places[j][0][0] != "ordered" and table_.score_of_column(j) > 0
            assert column["counts"] or not (scored or table_.columns[j].weight), (case.name, j)


def test_every_training_row_is_a_member_of_one_node(made):
    for case in made:
        plain = case.plain()
        for part in plain.get("parts", [plain]):
            assert sorted(unpacked(part["members"], "<i4")) == list(range(len(plain["ids"]))), case.name


def test_boundaries_share_the_coordinates_of_their_rows():
    model = FGAOrdinalClassifier(gamma=2.0, monotonic_cst=[1, 0, 0]).fit(PLAIN, classes(PLAIN, 4))
    parts = [boundary.predictor.model.envelope.rows for boundary in state_of(model).boundaries]
    rows, places = shared_rows(parts)
    assert len(rows) == len(PLAIN)
    for part, place in zip(parts, places, strict=True):
        assert np.array_equal(rows.numeric[place], part.numeric)
        assert np.array_equal(rows.ordered[place], part.ordered)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"metric": OwnMetric()}, "a function of Python"),
        ({"owa": "additive"}, "averages over all training rows"),
        ({"isomorphism": 2.0}, "scale of an isomorphism"),
        ({"isomorphism": 0.5}, "scale of an isomorphism"),
    ],
)
def test_what_cannot_be_computed_says_why(settings, reason):
    state = state_of(FGAClassifier(**settings).fit(PLAIN, classes(PLAIN, 2)))
    assert reason in not_portable(state)
    with pytest.raises(ValueError, match=reason):
        portable(state)


def test_distances_have_no_columns_to_change():
    distances = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
    for model in (FGAClassifier(metric="precomputed"), FGARegressor(metric="precomputed")):
        assert "no columns" in not_portable(state_of(model.fit(distances, [0, 0, 0, 1, 1, 1])))


def test_a_model_without_explanations_is_refused():
    state = state_of(FRNNClassifier().fit(PLAIN, classes(PLAIN, 2)))
    assert "explanations" in not_portable(state)


def test_a_single_ordered_class_has_nothing_to_compare():
    plain = portable(state_of(FGAOrdinalClassifier().fit(PLAIN, ["good"] * len(PLAIN))))
    assert plain["space"] is None
    assert plain["classes"] == ["good"]


def test_rows_are_read_back_from_explanations(made):
    for case in made:
        state = state_of(case.model)
        for item, (_, row) in zip(case.model.explain(case.frame[:9]), case.frame[:9].iterrows(), strict=True):
            for column, value, cell in zip(
                state.table.columns, portable_row(state.table, item.attributes), row, strict=True
            ):
                assert (value is None) == (cell is None or cell != cell), (case.name, column.name)
                if value is not None and column.is_categorical:
                    assert list(column.categories)[value] == cell
                elif value is not None:
                    assert value == ((cell - EPOCH) / DAY if column.kind == "date" else cell)


def test_an_unseen_category_is_a_number_that_is_none():
    frame = table(30)
    model = FGAClassifier().fit(frame, classes(frame, 2))
    new = frame[:1].assign(town="never seen", own=None)
    values = portable_row(state_of(model).table, model.explain(new)[0].attributes)
    assert values[-2:] == [-1, None]


def test_numbers_keep_their_scale():
    frame = table(30)
    model = FGARegressor(gamma=2.0, target_scale="robust", interval=0.8).fit(frame, numbers(frame))
    plain, state = portable(state_of(model)), state_of(model)
    assert plain["usual"] == list(state.scale.ends)
    assert len(plain["interval"]["ends"]) == 2
