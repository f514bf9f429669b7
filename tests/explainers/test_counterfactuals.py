"""Counterfactuals of all kinds of models, asked as users do: valid, in their units, of one column the smallest."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fgac
from fgac.explanation import Counterfactuals
from support.changed import COLUMNS, NUMBERS, WHOLES, change_cases, frame_of, is_wanted, make_table, number
from support.property_tests import examples


@examples(60)
@given(change_cases())
def test_every_change_is_valid_and_as_asked(case):
    model, X_train, X, target, question = case
    before = model.predict(X)
    found = model.counterfactuals(X, target, **question)
    assert len(found) == len(X)
    for i, changes in enumerate(found):
        if is_wanted(model, target, before[i], before[i]):
            assert changes == ()
        assert len(changes) <= question.get("n", 3)
        for one in changes:
            after = model.predict(frame_of(one.row))[0]
            assert after == one.prediction
            assert is_wanted(model, target, before[i], after)
            check_values(one, X.iloc[i], X_train, question)
        assert [len(one.changes) for one in changes] == sorted(len(one.changes) for one in changes)
        sets = [{change.column for change in one.changes} for one in changes]
        assert not any(a <= b for k, a in enumerate(sets) for m, b in enumerate(sets) if k != m)


def check_values(one, row, X_train, question):
    """Check that nothing changed but what is told, and that to values that may be."""
    changed = {change.column: change for change in one.changes}
    assert list(one.row) == list(COLUMNS)
    steps, directions = question.get("steps", {}), question.get("directions", {})
    for name in COLUMNS:
        here, there = plain(row[name]), one.row[name]
        if name not in changed:
            assert there == here
            continue
        change = changed[name]
        assert (change.before, change.after) == (here, there)
        assert here != there
        assert there is not None
        assert name not in question.get("fixed", ())
        if name == "colour":
            assert there in set(X_train[name].dropna())
            continue
        move = number(there) - number(here) if here is not None else None
        assert number(X_train[name].min()) <= number(there) <= number(X_train[name].max())
        if name in WHOLES:
            assert isinstance(there, int)
        if name in directions and move is not None:
            assert (move > 0) == (directions[name] in (1, "up"))
        if name in steps and move is not None:
            assert move / steps[name] == pytest.approx(round(move / steps[name]))


def plain(value):
    """Return a value of a frame as explanations tell it."""
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    return int(value) if isinstance(value, float) and value == int(value) and value < 10 else value


@examples(60)
@given(change_cases())
def test_nothing_below_the_bound_can_do_it(case):
    """The bound is that of explanations where any other class will do, and never above a distance."""
    model, _, X, target, question = case
    found = model.counterfactuals(X, target, **question)
    told = model.explain(X)
    for changes, why in zip(found, told, strict=True):
        for one in changes:
            assert 0 <= one.lower_bound <= one.distance
            assert one.gap == one.distance - one.lower_bound
            if target is None:
                assert one.lower_bound >= min(why.certified_radius, one.distance) - 1e-9


@examples(40)
@given(change_cases())
def test_there_is_one_wherever_a_training_row_shows_the_way(case):
    model, _, X, target, question = case
    question = {key: value for key, value in question.items() if key in ("n", "max_features")}
    before = model.predict(X)
    goals = model.predict(case.X_train)
    if isinstance(model, fgac.FGARegressor):
        goals = model.fitted_values_
        strong = np.ones(len(goals), dtype=bool)
    else:
        strong = model.beta_ > 0.5 + 1e-9
    for label, changes in zip(before, model.counterfactuals(X, target, **question), strict=True):
        # A value that is unknown in the training row may be the reason that it is as it is.
        whole = strong & ~case.X_train.isna().any(axis=1).to_numpy()
        ways = [is_wanted(model, target, label, goal) for goal in np.asarray(goals)[whole]]
        if any(ways) and not is_wanted(model, target, label, label):
            assert changes


@examples(40)
@given(change_cases(), st.sampled_from([*NUMBERS, "rooms"]))
def test_one_column_is_changed_by_as_little_as_can_be(case, name):
    """No number on a fine grid that is nearer does it too."""
    model, X_train, X, target, _ = case
    others = [column for column in COLUMNS if column != name]
    before = model.predict(X)
    found = model.counterfactuals(X, target, fixed=others, max_features=1)
    low, high = X_train[name].min(), X_train[name].max()
    grid = np.arange(low, high + 1) if name in WHOLES else np.linspace(low, high, 2001)
    if name == "size":  # with two decimals, to which changes keep
        grid = np.unique(grid.round(2))
    for i in range(len(X)):
        here = X.loc[i, name]
        if np.isnan(here) or is_wanted(model, target, before[i], before[i]):
            continue
        frame = X.iloc[np.full(len(grid), i)].reset_index(drop=True).assign(**{name: grid})
        good = grid[[is_wanted(model, target, before[i], after) for after in model.predict(frame)]]
        if found[i]:
            (change,) = found[i][0].changes
            same_side = good[(good > here) == (change.after > here)]
            nearest = np.abs(same_side - here).min(initial=np.inf)
            assert abs(change.after - here) <= nearest + 1e-6 * (high - low)
        else:
            assert not len(good)


@examples(30)
@given(change_cases())
def test_values_survive_json_frames_and_text(case):
    model, _, X, target, question = case
    found = model.counterfactuals(X, target, units={"size": "m"}, **question)
    assert Counterfactuals.from_json(found.to_json()) == found
    frame = found.to_frame()
    assert len(frame) == sum(len(one.changes) for changes in found for one in changes)
    assert len(found.text().splitlines()) == len(X)
    told = model.explain(X, counterfactuals={"target": target, "units": {"size": "m"}, **question})
    assert tuple(why.counterfactuals for why in told) == found.items
    assert type(told).from_json(told.to_json()) == told
    for why in told:
        for one in why.counterfactuals:
            assert f"'{one.changes[0].column}' were" in why.text()
            assert len(one.to_frame()) == len(one.changes)


@pytest.fixture(scope="module")
def lending():
    """Return a model of two classes, its rows, and their labels."""
    rng = np.random.default_rng(3)
    X = make_table(rng, 80, missing=0.05)
    y = np.where(X["size"].fillna(0) + 9 * X["rooms"].fillna(0) > 85, "yes", "no")
    return fgac.FGAClassifier(gamma=4.0).fit(X, y), X, y


def test_the_order_of_rows_and_the_names_of_classes_do_not_matter(lending):
    model, X, y = lending
    order = np.random.default_rng(1).permutation(len(X))
    other = fgac.FGAClassifier(gamma=4.0, n_jobs=2).fit(X.iloc[order], np.where(y == "yes", "a", "z")[order])
    new = make_table(np.random.default_rng(8), 10, missing=0.0)
    names = {"a": "yes", "z": "no"}
    for one, two in zip(model.counterfactuals(new), other.counterfactuals(new), strict=True):
        assert [c.row for c in one] == [c.row for c in two]
        assert [c.prediction for c in one] == [names[c.prediction] for c in two]
        assert [c.toward.id for c in one] == [c.toward.id for c in two]
        np.testing.assert_allclose([c.distance for c in one], [c.distance for c in two], atol=1e-12)


def test_rows_are_answered_one_by_one(lending):
    """What else is asked does not change an answer."""
    model, _, _ = lending
    new = make_table(np.random.default_rng(9), 8, missing=0.1)
    together = model.counterfactuals(new, "yes")
    for i in range(8):
        (alone,) = model.counterfactuals(new.iloc[i : i + 1], "yes")
        assert [(one.row, one.toward, one.prediction) for one in alone] == [
            (one.row, one.toward, one.prediction) for one in together[i]
        ]


def test_searches_and_arrays(lending):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    model = fgac.FGAClassifierCV(gammas=[1.0, 4.0]).fit(X, y)
    for i, changes in enumerate(model.counterfactuals(X[:5], fixed=["x2"], directions={0: 1})):
        for one in changes:
            assert model.predict([list(one.row.values())])[0] == one.prediction != model.predict(X[i : i + 1])[0]
            assert "x2" not in {change.column for change in one.changes}


def city_blocks(A, B):
    return np.abs(A[:, None] - B[None]).sum(axis=2)


@pytest.mark.parametrize(
    "settings",
    [
        {"metric": "angular"},
        {"metric": city_blocks},
        {"owa": "additive"},
        {"isomorphism": 2.0},
        {"isomorphism": 0.5},
        {"ties": "first", "gamma": 50.0},
    ],
    ids=["angular", "own", "owa", "bent", "curved", "ties"],
)
def test_other_settings(settings):
    """Changes are valid whatever the settings; a bound is told where there is one."""
    rng = np.random.default_rng(0)
    X = rng.normal(1, 1, size=(50, 3))
    y = np.where(X[:, 0] > X[:, 1], "a", "b")
    model = fgac.FGAClassifier(**{"gamma": 2.0, **settings}).fit(X, y)
    told, n_found = model.explain(X[:6]), 0
    for i, changes in enumerate(model.counterfactuals(X[:6] + 0.01)):
        n_found += bool(changes)
        for one in changes:
            assert model.predict([list(one.row.values())])[0] == one.prediction != model.predict(X[i : i + 1] + 0.01)[0]
            assert (one.lower_bound is None) == (told[i].certified_radius is None)
    assert n_found == 6


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"target": "maybe"}, "'maybe' is no class of the model; expected one of"),
        ({"fixed": "size"}, "must be a list of columns"),
        (
            {"fixed": ["size", "share", "rooms", "owned", "built", "colour"]},
            "fixed names all columns of the model, so nothing could change",
        ),
        ({"fixed": ["hight"]}, "'hight', which is no column of the model"),
        ({"directions": {"size": 2}}, "expected 1 or 'up'"),
        ({"directions": {"colour": 1}}, "names have no order"),
        ({"directions": ["size"]}, "must be a dict"),
        ({"steps": {"size": 0}}, "expected a positive number"),
        ({"steps": {"size": 5e-324}}, "lost in their rounding"),
        ({"steps": {"rooms": 0.5}}, "expected a whole number"),
        ({"steps": {"colour": 1}}, "it has no steps"),
        ({"max_features": 0}, "max_features"),
        ({"n": 1.5}, "n="),
    ],
)
def test_wrong_questions_are_refused_in_words(lending, asked, message):
    model, X, _ = lending
    with pytest.raises(ValueError, match=message):
        model.counterfactuals(X[:1], **asked)


def test_models_that_cannot_answer_say_why():
    distances = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    model = fgac.FGAClassifier(metric="precomputed").fit(distances, [0, 0, 1, 1])
    with pytest.raises(ValueError, match="fitted to distances"):
        model.counterfactuals(distances[:1])
    numbers = fgac.FGARegressor().fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="needs to know which number"):
        numbers.counterfactuals([[0.5]])
    with pytest.raises(ValueError, match="is empty: 3 is above 1"):
        numbers.counterfactuals([[0.5]], (3, 1))
    with pytest.raises(ValueError, match="must be True, or a dict"):
        numbers.explain([[0.5]], counterfactuals=3.0)
    with pytest.raises(ValueError, match="has 'targt', which is no setting of counterfactuals"):
        numbers.explain([[0.5]], counterfactuals={"targt": 3.0})
    single = fgac.FGAClassifier().fit([[0.0], [1.0]], ["a", "a"])
    assert single.counterfactuals([[0.5]])[0] == ()
    assert fgac.FGAOrdinalClassifier().fit([[0.0], [1.0]], [1, 1]).counterfactuals([[0.5]])[0] == ()


def test_a_pipeline_says_why_it_does_not_answer():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), fgac.FGAClassifier()).fit([[0.0], [1.0], [5.0]], ["a", "a", "b"])
    with pytest.raises(ValueError, match="not every step of a pipeline can take changed values back"):
        fgac.explain(model, [[0.5]], counterfactuals=True)
    (changes,) = fgac.explain(model[-1], [[0.0]], counterfactuals=True)[0].counterfactuals
    assert changes.prediction == "b"
