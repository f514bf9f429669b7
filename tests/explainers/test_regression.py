"""Explanations of predicted numbers: their parts re-add to the prediction, and their words tell what the values say."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import euclidean_distances

from fgac import FGARegressor, FGARegressorCV, audit
from fgac.explanation.audit import RegressionAudit
from fgac.explanation.regression import RegressionExplanation, RegressionExplanations
from support.strategies import queries, regression_cases

Q = queries(2, n=9)
ROWS, TARGETS = [[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0]


@pytest.fixture(scope="module")
def four():
    """Return four rows on a line, of which the second and the third contradict each other."""
    return FGARegressor(gamma=2.0).fit(ROWS, TARGETS)


@pytest.fixture(scope="module")
def houses():
    """Return a model of prices with a nominal column, and its frame."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"area": rng.uniform(40, 200, 50), "town": rng.choice(["Gent", "Lund", "Pisa"], 50)})
    frame.index = [f"H-{i:02d}" for i in range(50)]
    prices = frame["area"] * np.where(frame["town"] == "Lund", 4.0, 2.0) + rng.normal(size=50)
    return FGARegressor(gamma=2.0, interval=0.8).fit(frame, prices), frame, prices


# ----------------------------------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------------------------------


@given(regression_cases(), st.sampled_from([{}, {"monotonic_cst": [1, 0]}, {"metric": "manhattan"}]))
def test_parts_add_up_to_the_prediction(case, settings):
    """Bounds are what the first arguments say, what they say is fitted value and allowance, the middle is predicted."""
    model = FGARegressor(gamma=case.gamma, **settings).fit(case.X, case.y, sample_weight=case.weights)
    found, width = model.predict_bounds(Q), np.ptp(case.y)
    for i, e in enumerate(model.explain(Q, n_arguments=4)):
        assert (e.lower, e.upper, e.prediction) == (found.lower[i], found.upper[i], found.prediction[i])
        assert e.prediction == pytest.approx(0.5 * (e.lower + e.upper), abs=1e-9 * max(1.0, e.upper - e.lower))
        floor, ceiling = (-np.inf, np.inf) if e.floor is None else (e.floor, e.ceiling)
        assert e.lower == pytest.approx(max([floor, *(a.says for a in e.at_least[:1])]), abs=1e-9)
        assert e.upper == pytest.approx(min([ceiling, *(a.says for a in e.at_most[:1])]), abs=1e-9)
        for sign, arguments in ((-1, e.at_least), (1, e.at_most)):
            assert len(arguments) <= 4
            assert list(arguments) == sorted(arguments, key=lambda a, sign=sign: (sign * round(a.says, 8), 0))
            for a in arguments:
                assert a.says == pytest.approx(a.fitted + sign * a.allowance, abs=1e-9)
                assert a.fitted == pytest.approx(model.fitted_values_[a.index], abs=1e-12)
                assert a.target == pytest.approx(case.y[a.index], abs=1e-12)
                ruled_out = a.says - case.y.min() if sign < 0 else case.y.max() - a.says
                assert a.strength * width == pytest.approx(np.clip(ruled_out, 0, width), abs=1e-9)


@given(regression_cases())
def test_arguments_do_not_depend_on_the_order_of_rows(case):
    """The same rows say the same, by the names of the rows."""
    order = np.random.default_rng(0).permutation(len(case.y))
    one = FGARegressor(gamma=case.gamma).fit(case.X, case.y).explain(Q, 2)
    other = FGARegressor(gamma=case.gamma).fit(case.X[order], case.y[order], ids=order).explain(Q, 2)
    for a, b in zip(one, other, strict=True):
        assert [x.says for x in a.at_least] == pytest.approx([x.says for x in b.at_least], abs=1e-9)
        for x, y in zip((*a.at_least, *a.at_most), (*b.at_least, *b.at_most), strict=True):
            assert {x.id, *x.alike} == {y.id, *y.alike}


@given(regression_cases(), st.sampled_from(["euclidean", "manhattan", "chebyshev"]))
def test_changes_of_single_attributes_are_promises_that_hold(case, metric):
    """Moving one attribute by its step never changes the prediction by more than is told."""
    model = FGARegressor(gamma=case.gamma, metric=metric, monotonic_cst={0: -1}).fit(case.X, case.y)
    for row, e in zip(Q, model.explain(Q), strict=True):
        assert [effect.direction for effect in e.attributes] == [-1, 0]
        for j, effect in enumerate(e.attributes):
            for sign in (-1.0, 1.0):
                moved = row.copy()
                moved[j] += sign * effect.step
                change = model.predict([moved])[0] - e.prediction
                assert abs(change) <= effect.change + 1e-9
                assert effect.direction * sign * change >= -1e-9


def test_nearly_equal_rows_are_one_argument():
    """Named by the strongest, with the names of the others; their targets may differ."""
    model = FGARegressor(gamma=1.0).fit([[0.0], [0.0], [0.01], [1.0]], [1.0, 3.0, 2.0, 9.0], ids=list("abcd"))
    e = model.explain([[0.1]])[0]
    assert {e.at_most[0].id, *e.at_most[0].alike} == set("abc")
    alone = model.explain([[0.1]], merge_similarity=1.0)[0]
    assert len(alone.at_most) > len(e.at_most)


def test_a_row_far_from_all_still_names_the_row_it_follows(four):
    """It has no strength, and the words say that no case is comparable."""
    e = four.explain([[1000.0]])[0]
    assert e.prediction == 50.0
    assert [a.id for a in e.at_least] == [a.id for a in e.at_most] == [3]
    assert e.at_least[0].strength == e.at_most[0].strength == 0.0
    assert e.resembles_nothing
    assert "There is no comparable case among the training rows: the bounds leave room for all targets" in e.text()


@pytest.mark.parametrize("gamma", [2.0, 1e9, 1e75])
@pytest.mark.parametrize("cst", [None, [1]])
@pytest.mark.parametrize("unit", [1.0, 1e250])
def test_numbers_at_the_end_of_floats_can_be_told(gamma, cst, unit):
    """Rows and targets of absurd size give finite numbers, without a warning."""
    model = FGARegressor(gamma=gamma, monotonic_cst=cst, interval=0.5).fit(ROWS, np.array(TARGETS) * unit)
    for e in model.explain([[1e300], [-1.7e308], [1e16], [5.0]]):
        assert RegressionExplanation.from_json(e.to_json()) == e
        assert 10 * unit <= e.prediction <= 50 * unit
        assert e.lower <= e.prediction <= e.upper
        assert e.text()


def test_cut_off_bounds_of_monotone_columns_have_no_argument():
    """Below all rows nothing says at least; the smallest fitted value is where bounds end."""
    model = FGARegressor(gamma=5.0, monotonic_cst=[1]).fit(ROWS, TARGETS)
    e = model.explain([[-20.0]])[0]
    assert (e.lower, e.prediction, e.upper) == (10.0, 10.0, 10.0)
    assert e.at_least == ()
    assert e.at_most[0].id == 0
    assert (
        "No training row below it is near enough to say more than that it should be at least 10, the smallest"
        in e.text()
    )
    assert "More of 'x0' never lowers it." in e.text()


def test_distances_of_the_users_own():
    """Precomputed ones have no attributes; a function of the user's gives no guarantee."""
    X = np.array(ROWS)
    e = FGARegressor(metric="precomputed").fit(euclidean_distances(X), TARGETS).explain(euclidean_distances(X)[:1])[0]
    assert e.attributes == ()
    assert e.at_least[0].attributes == ()
    assert "moves by 0.1 in the model's distance" in e.text()
    e = FGARegressor(metric=cdist).fit(X, TARGETS).explain([[2.0]])[0]
    assert e.slope is None
    assert e.attributes[0].change is None
    assert "there is no guarantee of how much the prediction changes" in e.text()


def test_an_interval_is_told(houses):
    """With its share; it is what predict_interval gives. Nothing was held out, and that is said."""
    model, frame, _ = houses
    reasons = model.explain(frame[:2])
    lower, upper = model.predict_interval(frame[:2])
    assert [(e.interval.share, e.interval.lower, e.interval.upper) for e in reasons] == [
        (0.8, lower[0], upper[0]),
        (0.8, lower[1], upper[1]),
    ]
    assert "The interval fitted to hold 80 % of the training rows goes from" in reasons[0].text()
    assert "nobody has tested" in reasons[0].text()
    tested = FGARegressorCV(gammas=[2.0], cv=2, interval=0.8, metric="euclidean").fit(*houses[1:])
    assert "The interval meant to hold 80 % of all values goes from" in tested.explain(frame[:1])[0].text()
    assert "predictions of rows like it were off by" in tested.explain(frame[:1])[0].text()


def test_the_model_is_summed_up(houses):
    """What it was trained on, how, and its proof."""
    model, frame, prices = houses
    summary = model.explain(frame[:1]).model
    assert (summary.n_rows, summary.n_features, summary.gamma, summary.is_optimal) == (50, 2, 2.0, True)
    assert (summary.least, summary.most) == pytest.approx((prices.min(), prices.max()))
    assert summary.settings == {"interval": 0.8}
    chosen = FGARegressorCV(gammas=[2.0], cv=2, interval=0.8, metric="euclidean", target_scale="range")
    found = chosen.fit(frame, prices).explain(frame[:1]).model
    assert dataclasses.replace(found, selection=None, settings=summary.settings) == summary
    assert (found.selection.n_folds, found.selection.n_rows, summary.selection) == (2, 50, None)
    assert chosen.explain(frame[:1])[0].interval.lower == chosen.predict_interval(frame[:1]).lower[0]


# ----------------------------------------------------------------------------------------------------
# Frames, JSON
# ----------------------------------------------------------------------------------------------------


def test_json_round_trip(houses):
    """Everything comes back, also the contradictions."""
    model, frame, prices = houses
    reasons = model.explain(frame[:3], y=prices[:3], audit=True)
    assert RegressionExplanations.from_json(reasons.to_json()) == reasons
    assert RegressionExplanation.from_json(reasons[0].to_json()) == reasons[0]
    assert json.loads(reasons.to_json())["items"][0]["id"] == "H-00"
    found = audit(model)
    assert RegressionAudit.from_json(found.to_json()) == found


def test_frames(four):
    """One line per argument."""
    frame = four.explain([[2.0]]).to_frame()
    assert frame.columns.tolist() == [
        "row", "prediction", "side", "index", "id", "target", "fitted", "distance", "similarity", "allowance", "says",
        "strength", "alike",
    ]  # fmt: skip
    assert frame["side"].tolist() == ["at least", "at least", "at most", "at most"]
    assert frame["says"].tolist() == pytest.approx([15.0, 15.0, 30.0, 35.0])
    assert four.explain([[2.0]])[0].to_frame().columns[0] == "side"


# ----------------------------------------------------------------------------------------------------
# Words
# ----------------------------------------------------------------------------------------------------


def test_words_of_four_rows(four):
    """The whole text, as it is read."""
    assert four.explain([[2.0]], y=[24.0], ids=["new"], units={"y": "kg", "x0": "m"})[0].text().splitlines() == [
        "Prediction for row 'new': 22.5 kg (at least 15 kg, at most 30 kg). The true value is 24 kg: the prediction is "
        "1.5 kg too low.",
        "It should be at least 15 kg: training row 1 has the value 25 kg and is similar to this row (0.75), so that "
        "the two differ by at most 10 kg. Its own target, 20 kg, is contradicted by other rows. Only 'x0' (2 m here, "
        "3 m there) keeps them apart. Training row 2 (at least 15 kg) says the same.",
        "It should be at most 30 kg: training row 0 has the value 10 kg and is similar to this row (0.50), so that the "
        "two differ by at most 20 kg. Only 'x0' (2 m here, 0 m there) keeps them apart. Training row 1 (at most 35 kg) "
        "says so too, less strongly.",
        "The bounds leave room for 15 kg, 38 % of the range of all targets (10 kg to 50 kg). The prediction changes by "
        "at most 5 kg if 'x0' alone changes by 0.5 m.",
    ]


def test_words_about_truth(four):
    """Too high, too low, or as predicted; nothing if it is not known."""
    told = [e.text().splitlines()[0] for e in four.explain([[2.0]] * 4, y=[22.5, 30.5, None, np.nan])]
    assert told[0].endswith("The true value is 22.5, as predicted.")
    assert told[1].endswith("The true value is 30.5: the prediction is 8 too low.")
    assert told[2].endswith("at most 30).")
    assert told[3].endswith("at most 30).")


def test_words_at_a_training_row(four):
    """The row itself says both, and the bounds meet."""
    text = four.explain([[0.0]])[0].text()
    assert "training row 0 has the value 10 and is just like this row, which therefore has the same value" in text
    assert "The two are equal in every attribute that counts." in text
    assert "The bounds meet: they leave no room at all" in text


def test_words_where_all_targets_are_equal():
    """There is no range to compare with."""
    text = FGARegressor().fit([[0.0], [1.0]], [7.0, 7.0]).explain([[0.5]])[0].text()
    assert text.startswith("Prediction for row 0: 7 (")
    assert "All training rows have the target 7." in text


def test_words_about_another_category(houses):
    """A nominal attribute changes by having another category."""
    model = houses[0]
    text = model.explain(pd.DataFrame({"area": [100.0], "town": ["Oslo"]}))[0].text()
    assert "if 'town' alone has another category" in text


# ----------------------------------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"n_arguments": 0}, "n_arguments=0 must be a whole number >= 1"),
        ({"merge_similarity": 0.0}, "merge_similarity=0.0 must be a similarity"),
        ({"y": [1.0]}, "y must hold one number per explained row: X has 2 rows, got 1"),
        ({"ids": [1]}, "ids must name every row"),
        ({"units": {"weight": "kg"}}, "the target is called 'y'"),
    ],
)
def test_wrong_requests_are_refused_in_words(four, settings, told):
    """Every error says what was expected."""
    with pytest.raises(ValueError, match=told):
        four.explain([[1.0], [2.0]], **settings)
