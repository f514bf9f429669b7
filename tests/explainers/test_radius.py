"""The certified radius: whatever moves by less keeps its label."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from fgac import FGAClassifier
from fgac._tolerances import TIE_TOL
from fgac.fuzzy.connectives import resolve_isomorphism
from support.explained import SETTINGS, distances, samples, similarity
from support.frames import CITIES, COLOURS, as_pandas, mixed_columns
from support.property_tests import examples
from support.strategies import queries, table_cases

# Of the radius; and smallest radius that is tried, above the rounding within which degrees count as tied.
JUST_UNDER = 0.9999
WORTH_TRYING = 1e-5

# Averages on another scale than that of the isomorphism guarantee nothing.
CERTIFIED = {name: setting for name, setting in SETTINGS.items() if not {"owa", "isomorphism"} <= setting.keys()}
MIXED = [
    {},
    {"metric": "manhattan"},
    {"metric": "chebyshev"},
    {"owa": "additive"},
    {"owa": "exponential", "metric": "chebyshev"},
    {"isomorphism": 2.0},
    {"isomorphism": 0.5},
    {"feature_weights": [1.0, 0.0, 2.0, 0.1, 0.0]},
    {"scale": "robust", "class_weight": "balanced"},
    {"loss": "absolute_error"},
]


def moves(x, X, setting, radius, rng):
    """Return rows just within the radius: towards all training rows, away from them, and anywhere."""
    directions = np.vstack([X - x, x - X, rng.normal(size=(20, X.shape[1])), np.eye(X.shape[1]), -np.eye(X.shape[1])])
    length = distances(directions, np.zeros_like(x)[None], X, setting)[:, 0]
    directions = directions[length > 0] / length[length > 0, None]
    return x + JUST_UNDER * radius * directions


def assert_moves_keep_the_label(clf, X, Q, setting):
    """Try the radius of every explanation; return how many were worth it."""
    rng = np.random.default_rng(0)
    tried = 0
    for x, e in zip(Q, clf.explain(Q), strict=True):
        assert e.certified_radius is not None
        assert e.certified_radius >= 0.0
        if e.certified_radius > WORTH_TRYING:
            tried += 1
            steps = np.diag([1e3 if r.radius is None else JUST_UNDER * r.radius for r in e.attributes])
            moved = np.vstack([moves(x, X, setting, e.certified_radius, rng), x + steps, x - steps])
            assert set(clf.predict(moved)) == {e.prediction}
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("setting", CERTIFIED.values(), ids=CERTIFIED)
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("gamma", [0.4, 2.0])
def test_moving_by_less_keeps_the_label(setting, n_classes, gamma):
    """In the worst directions, in random ones, and attribute by attribute."""
    X, y = samples(40, n_classes=n_classes, seed=n_classes)
    clf = FGAClassifier(gamma=gamma, **setting).fit(X, y)
    assert assert_moves_keep_the_label(clf, X, np.vstack([samples(12, seed=20)[0] * 1.4 - 0.2, X[:4]]), setting) > 8


@pytest.mark.slow
@pytest.mark.parametrize("setting", CERTIFIED.values(), ids=CERTIFIED)
@examples(10)
@given(case=table_cases(max_rows=12))
def test_moving_by_less_keeps_the_label_on_grids(setting, case):
    """The same with repeated rows, contradictions and weights."""
    clf = FGAClassifier(gamma=case.gamma, **setting).fit(case.X, case.y, sample_weight=case.weights)
    assert_moves_keep_the_label(clf, case.X, queries(9, n=9), setting)


@pytest.mark.slow
@pytest.mark.parametrize("setting", MIXED, ids=str)
@pytest.mark.parametrize("gamma", [0.25, 0.8])
def test_moving_one_attribute_of_a_mixed_table(setting, gamma):
    """Numbers move by less than their radius; categories change to any other where the radius is None."""
    columns, _ = mixed_columns(60)
    frame = as_pandas(columns, "object")
    y = (frame["age"] + 10 * (frame["city"] == "Ghent") > 50).astype(int) + (frame["income"] > 33)
    clf = FGAClassifier(gamma=gamma, **setting).fit(frame, y)
    Q = as_pandas(mixed_columns(25, seed=5)[0], "object")
    explained = [e for e in clf.explain(Q) if e.certified_radius > WORTH_TRYING]
    assert len(explained) > 15
    changed = [pd.concat([change(Q[e.index : e.index + 1], r) for r in e.attributes]) for e in explained]
    expected = np.repeat([e.prediction for e in explained], [len(rows) for rows in changed])
    np.testing.assert_array_equal(clf.predict(pd.concat(changed)), expected)


def change(row, reading):
    """Return a row with one attribute changed by as much as it may."""
    others = {"city": [*CITIES, "Oslo"], "colour": [*COLOURS, "pink"], "member": [True, False]}
    if not reading.is_nominal:
        step = 1e6 if reading.radius is None else JUST_UNDER * reading.radius
        return pd.concat([row.assign(**{reading.name: row[reading.name] + s}) for s in (-step, step)])
    assert reading.radius in (None, 0.0)
    if reading.radius == 0.0:
        return row
    return pd.concat([row.assign(**{reading.name: value}) for value in others[reading.name]])


def test_nominal_attributes_that_may_and_may_not_change():
    """A mismatch costs 0.2 / sqrt(3): less than the radius at one place, more at another."""
    frame = pd.DataFrame({"x": [0.0, 1.0], "city": ["u", "v"]})
    clf = FGAClassifier(gamma=0.1, feature_weights=[1.0, 0.2]).fit(frame, ["a", "b"])
    # |Q| = 3: the numeric column and two categories.
    sure, unsure = clf.explain(pd.DataFrame({"x": [-2.0, 0.45], "city": ["u", "v"]}))
    mismatch = 0.2 / np.sqrt(3)
    assert sure.certified_radius > mismatch > unsure.certified_radius
    assert sure.attributes[1].radius is None
    assert unsure.attributes[1].radius == 0.0


# ----------------------------------------------------------------------------------------------------
# What it is
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"owa": "additive"},
        {"owa": "exponential", "metric": "chebyshev"},
        {"metric": "manhattan"},
        {"n_neighbors": 2},
        {"loss": "absolute_error"},
        {"class_weight": "balanced"},
    ],
    ids=str,
)
def test_it_is_half_the_margin_over_gamma(n_classes, setting):
    """Both bounds of both classes change by gamma times the distance at most."""
    X, y = samples(40, n_classes=n_classes, seed=1)
    for e in FGAClassifier(gamma=1.3, **setting).fit(X, y).explain(samples(12, seed=2)[0]):
        assert e.certified_radius == pytest.approx(max(0.0, e.margin - 1.001 * TIE_TOL) / 2.6, abs=1e-14)


@pytest.mark.parametrize("exponent", [0.3, 0.5, 1.0, 2.0, 3.5])
def test_on_the_scale_of_an_isomorphism(exponent):
    """There the margin is phi(degree) - phi(runner-up's), and distance r costs 1 - phi(similarity)."""
    phi = resolve_isomorphism(exponent)
    X, y = samples(40, seed=1)
    for e in FGAClassifier(gamma=1.3, isomorphism=exponent).fit(X, y).explain(samples(12, seed=2)[0]):
        degrees = {m.label: float(phi(m.degree)) for m in e.memberships}
        margin = degrees.pop(e.prediction) - max(degrees.values())
        cost = 1.0 - phi(similarity(e.certified_radius, 1.3, phi))
        assert 2 * cost <= max(0.0, margin) * (1 + 1e-12)
        assert 2 * cost == pytest.approx(max(0.0, margin), abs=1e-8)


def test_not_even_a_tie_is_within_it():
    """Degrees that differ by less than their tolerance tie, and a tie may be decided for the other class."""
    clf = FGAClassifier(gamma=1.0, ties="first").fit([[0.0], [10.0]], ["a", "b"])
    for start, way in ((9.0, -1.0), (7.5, -1.0), (5.1, -1.0)):
        (e,) = clf.explain([[start]])
        assert e.prediction == "b"
        for share in (0.5, 1 - 1e-9, 1 - 1e-12):
            moved = start + way * 10.0 * share * e.certified_radius
            assert clf.predict([[moved]])[0] == "b"


def test_it_is_sharp():
    """Two rows: the label changes in the middle between them, and the radius reaches exactly there."""
    clf = FGAClassifier().fit([[0.0], [10.0]], ["a", "b"])
    e = clf.explain([[2.0]])[0]
    assert e.certified_radius == pytest.approx(0.3)
    assert e.attributes[0].radius == pytest.approx(3.0)
    assert clf.predict([[2.0 + 2.999]])[0] == "a"
    assert clf.predict([[2.0 + 3.001]])[0] == "b"


@pytest.mark.parametrize(
    ("metric", "one"),
    [("euclidean", 1 / np.sqrt(2)), ("manhattan", 1 / 2), ("chebyshev", 1.0)],
)
def test_in_the_units_of_each_attribute(metric, one):
    """A range of 10 counts as 1, over what the metric divides by, times the column's weight."""
    clf = FGAClassifier(metric=metric, feature_weights=[1.0, 0.5]).fit([[0.0, 0.0], [10.0, 4.0]], ["a", "b"])
    e = clf.explain([[1.0, 1.0]])[0]
    assert e.certified_radius > 0.1
    first, second = e.attributes
    assert first.radius == pytest.approx(10 * e.certified_radius / one)
    assert second.radius == pytest.approx(4 * e.certified_radius / one / 0.5)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_a_column_without_weight_may_change_at_will(metric):
    """No change of it can change the label."""
    clf = FGAClassifier(metric=metric, feature_weights=[1.0, 0.0]).fit([[0.0, 0.0], [10.0, 4.0]], ["a", "b"])
    first, second = clf.explain([[1.0, 1.0]])[0].attributes
    assert first.radius > 0.0
    assert second.radius is None


def test_a_constant_column_has_a_radius_too():
    """It is divided by 1, and a change of it in new rows counts."""
    clf = FGAClassifier(gamma=0.7).fit([[0.0, 5.0], [1.0, 5.0]], ["a", "b"])
    e = clf.explain([[0.2, 5.0]])[0]
    assert e.attributes[1].radius == pytest.approx(e.certified_radius * np.sqrt(2))


@pytest.mark.parametrize("exponent", [0.5, 2.0])
def test_nothing_is_certified_where_averages_are_on_another_scale(exponent):
    """Averages are taken on the user's scale, degrees keep their slope on that of the isomorphism."""
    X, y = samples(40, seed=1)
    model = FGAClassifier(gamma=1.3, isomorphism=exponent, owa="additive").fit(X, y)
    for e in model.explain(samples(6, seed=2)[0]):
        assert e.certified_radius is None
        assert [r.radius for r in e.attributes] == [0.0, 0.0]


def test_soft_bounds_on_another_scale_certify_nothing_wrong():
    """With OWA and an isomorphism a radius may be refused, but must hold if it is told."""
    X, y = samples(40, seed=1)
    clf = FGAClassifier(gamma=1.3, owa="additive", isomorphism=2.0).fit(X, y)
    Q = samples(12, seed=2)[0]
    rng = np.random.default_rng(0)
    for x, e in zip(Q, clf.explain(Q), strict=True):
        if e.certified_radius is None:
            assert [r.radius for r in e.attributes] == [0.0, 0.0]
        else:
            assert set(clf.predict(moves(x, X, {}, e.certified_radius, rng))) == {e.prediction}


def test_a_metric_of_ones_own_certifies_nothing_wrong():
    """How one attribute changes a function's distances is unknown; what is told about it must hold all the same."""
    X, y = samples(40, n_classes=2, seed=1)
    clf = FGAClassifier(gamma=1.3, metric=lambda A, B: 9 * np.abs(A[:, None] - B[None]).max(axis=2)).fit(X, y)
    Q = samples(12, seed=2)[0]
    for x, e in zip(Q, clf.explain(Q), strict=True):
        for j, reading in enumerate(e.attributes):
            assert reading.radius is not None
            for sign in (-1.0, 1.0):
                moved = x + sign * JUST_UNDER * reading.radius * np.eye(2)[j]
                assert clf.predict([moved])[0] == e.prediction


def test_a_metric_of_ones_own_with_nominal_columns():
    """It sees category numbers, and may make of them what it likes: no category may change unchecked."""
    frame = pd.DataFrame({"x": [0.0, 0.0, 0.0, 0.0], "c": ["a", "b", "c", "d"]})
    setting = {"gamma": 0.03, "metric": lambda A, B: 9 * np.abs(A[:, None] - B[None]).max(axis=2)}
    for weights in (None, [1.0, 0.0]):
        clf = FGAClassifier(feature_weights=weights, **setting).fit(frame, ["p", "p", "q", "q"])
        for i, e in enumerate(clf.explain(frame)):
            if e.attributes[1].radius is None:
                assert set(clf.predict(pd.concat([frame[i : i + 1].assign(c=c) for c in "abcd"]))) == {e.prediction}


@pytest.mark.parametrize("n_classes", [2, 3])
def test_distances_that_all_change_by_less(n_classes):
    """With precomputed distances to move by r is to change each of them by r at most."""
    X, y = samples(40, n_classes=n_classes, seed=1)
    Q = samples(12, seed=2)[0]
    clf = FGAClassifier(gamma=1.3, metric="precomputed").fit(distances(X, X, X, {}), y)
    rng = np.random.default_rng(0)
    to_training = distances(Q, X, X, {})
    for row, e in zip(to_training, clf.explain(to_training), strict=True):
        if e.certified_radius is not None and e.certified_radius > WORTH_TRYING:
            steps = JUST_UNDER * e.certified_radius * rng.choice([-1.0, 1.0], size=(50, len(X)))
            steps[0] = np.where(y == e.prediction, 1.0, -1.0) * JUST_UNDER * e.certified_radius
            assert set(clf.predict(np.maximum(0.0, row + steps))) == {e.prediction}
