"""Explanations of rows of which some cells are unknown: shares, arguments, and a certified radius that holds."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from fgac import FGAClassifier, FGARegressor
from fgac.explainers.feature_shares import FeatureShares
from fgac.explainers.radius import allowance
from fgac.tables.columns import Column
from fgac.tables.table import Table
from support.property_tests import examples
from support.unknown import NEW_CELLS, Place, slow_distances, small_survey, unknown_cases

JUST_UNDER = 0.9999
WORTH_TRYING = 1e-5
LEARNED = {"metric": "learned", "scale": "auto", "feature_weights": None}


def fit(case, **more):
    """Fit the case; columns in which nothing is known are no surprise here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "nothing is known in columns")
        return FGAClassifier(**case.settings | more).fit(case.X, case.y, sample_weight=case.weights)


def changed_cells(row, columns):
    """Return rows that differ from one in one or two cells: filled in, emptied, or another value."""
    values = {name: [*NEW_CELLS[name], None] for name in columns}
    found = [
        row.iloc[0].to_dict() | dict(zip(names, cells, strict=True))
        for names in itertools.chain(itertools.combinations(columns, 1), itertools.combinations(columns, 2))
        for cells in itertools.product(*(values[name] for name in names))
    ]
    return pd.DataFrame(found).astype(row.dtypes)


# ----------------------------------------------------------------------------------------------------
# The certified radius
# ----------------------------------------------------------------------------------------------------


@examples(10)
@given(case=unknown_cases())
def test_no_change_within_the_radius_changes_the_label(case):
    """Whether cells change, become known or become unknown: only the distance counts."""
    model = fit(case)
    for i, one in enumerate(model.explain(case.new)):
        if one.certified_radius <= WORTH_TRYING:
            continue
        row = case.new.iloc[[i]]
        moved = changed_cells(row, list(case.X.columns))
        near = slow_distances(row, moved, case)[0] < JUST_UNDER * one.certified_radius
        assert set(model.predict(moved[near])) <= {one.prediction}


@pytest.mark.parametrize("settings", [{}, {"metric": "manhattan", "scale": "rank"}, LEARNED], ids=str)
@examples(15)
@given(case=unknown_cases())
def test_each_feature_alone(settings, case):
    """Within its radius a known number keeps the label; without one, every value does, in place of an unknown too."""
    model = fit(case, **settings)
    for i, one in enumerate(model.explain(case.new)):
        if one.certified_radius <= WORTH_TRYING:
            continue
        row = case.new.iloc[[i]]
        others = [row]
        for reading in one.attributes:
            assert (reading.value is None) == pd.isna(row[reading.name].iloc[0])
            if reading.radius is None:
                others += [row.assign(**{reading.name: cell}) for cell in NEW_CELLS[reading.name]]
            elif not reading.is_nominal and reading.value is not None:
                step = JUST_UNDER * reading.radius
                others += [row.assign(**{reading.name: reading.value + way * step}) for way in (1, -1)]
            else:
                assert reading.radius == 0.0
        assert set(model.predict(pd.concat(others).astype(row.dtypes))) == {one.prediction}


def test_an_unknown_value_may_become_anything_where_it_moves_the_row_too_little():
    """By ranks a value is at most half a column away, plus what being unknown counts."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    y = (X[:, 0] > 0).astype(int)
    X[::4, 1] = np.nan
    settings = {"metric": "manhattan", "scale": "rank", "gamma": 0.3, "feature_weights": [5.0, 0.1, 1.0, 1.0, 1.0]}
    model = FGAClassifier(**settings).fit(X, y)
    one = model.explain([[3.0, np.nan, 0.0, 0.0, 0.0]])[0]
    assert one.certified_radius > 0.1 * (0.5 + 0.1) / 5
    assert one.attributes[1].radius is None
    far = [[3.0, value, 0.0, 0.0, 0.0] for value in (-1e9, 0.0, 1e9)]
    assert set(model.predict(far)) == {one.prediction}


def test_being_unknown_may_count_where_values_do_not():
    """A column of weight 0 whose marks count: a known value may change at will, an unknown one may not become known."""
    table = Table((Column("a", weight=0.0, unknown_weight=2.0),), 1.0, keeps_column_order=False)
    assert allowance(table, 0, 0.5, 3.0) is None
    assert allowance(table, 0, 0.5, None) == 0.0
    assert allowance(table, 0, 2.5, None) is None
    assert table.moved_from_unknown(0) == 2.0


def test_a_number_on_a_scale_may_become_known_as_anything():
    """However large the radius: new values have no limits."""
    model = FGAClassifier(gamma=0.01).fit([[0.0, 1.0], [1.0, 2.0], [np.nan, 3.0]], [0, 1, 1])
    assert model.explain([[np.nan, 1.0]])[0].attributes[0].radius == 0.0


# ----------------------------------------------------------------------------------------------------
# Shares
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, LEARNED], ids=["given", "learned"])
@examples(25)
@given(case=unknown_cases())
def test_shares_sum_to_1(settings, case):
    """Each side, or 0 where nothing keeps rows apart or brings them close; a mark is part of its feature."""
    model = fit(case, **settings)
    for one in model.explain(case.new):
        for argument in (*one.arguments_for, *one.arguments_against):
            for side in ("close", "apart"):
                shares = [getattr(feature, side) for feature in argument.attributes]
                assert min(shares) >= 0.0
                assert sum(shares) == pytest.approx(1.0, abs=1e-9) or sum(shares) == 0.0
            assert (argument.distance > 1e-12) == any(feature.apart for feature in argument.attributes)


@examples(25)
@given(case=unknown_cases())
def test_what_keeps_rows_apart_is_what_the_metric_adds_up(case):
    """The part of each feature, from a table in which no other feature counts."""
    model, metric = fit(case), case.settings["metric"]
    rows = model._read_rows(case.new)
    shares = FeatureShares(model._state.table, model._state.predictor.model.envelope.rows, model._state.metric)
    apart = shares.compare(rows[:1], rows)[1]
    parts = []
    for name in case.X.columns:
        alone = {other: case.feature_weights[other] * (other == name) for other in case.X.columns}
        parts.append(slow_distances(case.new[:1], case.new, case, weights=alone)[0])
    parts = np.array(parts).T
    parts = parts**2 if metric == "euclidean" else parts
    if metric == "chebyshev":
        parts = np.where(parts >= parts.max(axis=1, keepdims=True), parts, 0.0)
    total = parts.sum(axis=1, keepdims=True)
    expected = np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)
    seen = [is_seen(case, i) for i in range(len(case.new))]  # unseen names differ from each other here, not there
    np.testing.assert_allclose(apart[seen], expected[seen], atol=1e-6)


def is_seen(case, i):
    """Whether a new row has no name that training did not see."""
    names = [name for name in ("c", "d") if not pd.isna(case.new.loc[i, name])]
    return all(case.new.loc[i, name] in Place.of(case.X[name], case.weights, None).values for name in names)


# ----------------------------------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------------------------------


def test_cells_of_training_rows_say_whether_they_are_unknown():
    X, y, score = small_survey(50)
    for model in (FGAClassifier(gamma=2.0).fit(X, y), FGARegressor(gamma=2.0).fit(X, score)):
        for one in model.explain(X[:10]):
            arguments = one.arguments_for if hasattr(one, "arguments_for") else one.at_least
            for argument in arguments:
                for feature in argument.attributes:
                    cell = X.loc[argument.index, feature.name]
                    assert feature.unknown == pd.isna(cell)
                    assert feature.value == (None if pd.isna(cell) else cell)


@pytest.mark.parametrize("settings", [{}, {"scale": "rank"}, {"metric": "learned"}], ids=str)
def test_effects_on_a_number_are_those_of_known_values(settings):
    """What an unknown value may turn out to be is no change of it, and has no step."""
    X, _, score = small_survey(50)
    for one in FGARegressor(gamma=1.0, **settings).fit(X, score).explain(X[:12]):
        for effect in one.attributes:
            known = effect.value is not None
            assert (effect.step is not None) == (known and not effect.is_nominal)
            assert (effect.change is not None) == known
