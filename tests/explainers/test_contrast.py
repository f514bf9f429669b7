"""What decides between two classes: the strongest row of each, and parts of the features that re-add."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, FGAOrdinalClassifier
from fgac.explanation import Contrast
from fgac.text.contrast import describe
from support.explained import SETTINGS, samples
from support.property_tests import examples


def mixed(n=40, seed=0):
    """Return a table of numbers, categories, days and whole numbers, some of them unknown, and classes."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "income": rng.normal(30, 8, n).round(1),
            "job": pd.Series(rng.choice(["farmer", "nurse", "none"], n), dtype="category"),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
            "children": rng.integers(0, 4, n),
        }
    )
    frame.loc[rng.random(n) < 0.2, "income"] = np.nan
    frame.loc[rng.random(n) < 0.2, "job"] = None
    y = np.where(frame["income"].fillna(30) + 3 * frame["children"] > 33, "yes", "no")
    y[:2] = "yes", "no"
    return frame, y


def assert_re_adds(contrast):
    """Check that the parts of features give distances and their difference, and both rows their strengths."""
    first, second = contrast.first_row, contrast.second_row
    assert contrast.difference == pytest.approx(second.distance - first.distance, abs=1e-12)
    assert sum(f.nearer for f in contrast.features) + contrast.rest == pytest.approx(contrast.difference, abs=1e-9)
    if contrast.features and not contrast.rest:
        assert sum(f.apart_first for f in contrast.features) == pytest.approx(first.distance, abs=1e-9)
        assert sum(f.apart_second for f in contrast.features) == pytest.approx(second.distance, abs=1e-9)
    for feature in contrast.features:
        assert feature.nearer == feature.apart_second - feature.apart_first


@examples(20)
@given(seed=st.integers(0, 100), name=st.sampled_from(list(SETTINGS)), n_classes=st.integers(2, 4))
def test_the_strongest_rows_decide(seed, name, n_classes):
    """They are the strongest arguments for the two classes, as an explanation about each has them."""
    X, y = samples(30, n_classes=n_classes, seed=seed)
    clf = FGAClassifier(gamma=2.0, **SETTINGS[name]).fit(X, y)
    Q = samples(4, n_classes=n_classes, seed=seed + 1)[0]
    for e in clf.explain(Q, alternatives=True):
        assert (e.contrast.first, e.contrast.second) == (e.prediction, e.runner_up)
        for case in (e, *e.alternatives):
            assert_re_adds(case.contrast)
            for label, row in (
                (case.contrast.first, case.contrast.first_row),
                (case.contrast.second, case.contrast.second_row),
            ):
                arguments = e.about_class(label).arguments_for
                assert (row.strength > 0) == bool(arguments) or row.strength < 1e-9
                if arguments:
                    best = arguments[0]
                    assert (row.index, row.distance, row.strength) == (best.index, best.distance, best.strength)
                    assert row.membership == best.degree


@pytest.mark.parametrize(
    "settings",
    [
        {"metric": "learned"},
        {"metric": "euclidean"},
        {"metric": "chebyshev"},
        {"scale": "rank", "metric": "manhattan"},
        {"monotonic_cst": {"income": 1}},
        {"monotonic_cst": {"income": 1}, "owa": "additive"},
    ],
    ids=str,
)
def test_tables_as_they_are(settings):
    """Unknown values, categories, dates and whole numbers; with a learned score, and one-sided."""
    X, y = mixed()
    clf = FGAClassifier(gamma=3.0, **settings).fit(X, y, ids=[f"p{i}" for i in range(len(X))])
    Q, _ = mixed(8, seed=5)
    for e in clf.explain(Q):
        assert_re_adds(e.contrast)
        assert [f.name for f in e.contrast.features] == list(X.columns)
        row = X.iloc[e.contrast.first_row.index]
        income = e.contrast.features[0].first
        assert income is None if np.isnan(row["income"]) else income == row["income"]
        assert e.contrast.features[2].second == str(X["since"][e.contrast.second_row.index].date())
        assert "What decides between " in e.text() or e.resembles_nothing
        assert Contrast(**vars(e.contrast)) == e.contrast


def test_of_distances_alone_there_is_a_rest():
    X = np.array([[0.0], [0.2], [1.0]])
    clf = FGAClassifier(metric="precomputed", gamma=1.0).fit(abs(X - X.T), ["a", "a", "b"])
    contrast = clf.explain(abs(np.array([[0.3]]) - X.T))[0].contrast
    assert contrast.features == ()
    assert contrast.rest == pytest.approx(contrast.difference) == pytest.approx(0.6)
    assert_re_adds(contrast)


def test_equal_rows_leave_nothing_over():
    clf = FGAClassifier(gamma=2.0).fit([[0.0, 1.0], [1.0, 1.0]], ["a", "b"])
    contrast = clf.explain([[0.0, 1.0]])[0].contrast
    assert contrast.first_row.distance == 0
    assert contrast.rest == 0
    assert_re_adds(contrast)


def test_a_metric_of_the_users_own():
    def block(A, B):
        return np.abs(A[:, None] - B[None]).sum(axis=2) ** 0.5

    X, y = samples(20)
    clf = FGAClassifier(gamma=1.0, metric=block).fit(X, y)
    for e in clf.explain(samples(5, seed=2)[0]):
        assert_re_adds(e.contrast)


def test_a_single_class_has_no_contrast():
    clf = FGAOrdinalClassifier().fit([[0.0], [1.0]], ["a", "a"])
    assert clf.explain([[0.5]])[0].boundaries == ()


def test_boundaries_have_contrasts():
    X, y = samples(40)
    for e in FGAOrdinalClassifier(gamma=3.0).fit(X, y).explain(samples(5, seed=3)[0], about=2):
        for part in e.boundaries:
            assert_re_adds(part.contrast)
            assert part.contrast.first == part.prediction


def test_frames():
    clf = FGAClassifier(gamma=2.0).fit([[0.0, 1.0], [1.0, 1.0]], ["a", "b"])
    frame = clf.explain([[0.2, 1.0]])[0].contrast.to_frame()
    assert frame.columns.tolist() == ["name", "first", "second", "apart_first", "apart_second", "nearer"]
    assert frame["name"].tolist() == ["x0", "x1"]


def test_words():
    """Who speaks more strongly, by which features, and that a row belongs less to its class."""
    X = pd.DataFrame({"age": [20.0, 21.0, 60.0, 61.0], "job": ["nurse", "farmer", "nurse", "farmer"]})
    clf = FGAClassifier(gamma=1.0).fit(X, ["no", "no", "yes", "yes"])
    e = clf.explain(pd.DataFrame({"age": [30.0], "job": ["nurse"]}), units={"age": "years"})[0]
    assert describe(e.contrast, e.attributes, "deny") == (
        "What decides between deny = no and deny = yes: training row 0 speaks for deny = no (0.64) more strongly than "
        "training row 2 for deny = yes (0.36). 'age' (30 years here, 20 and 60 years there) brings this row nearer to "
        "training row 0."
    )
    weaker = replace(e.contrast, second_row=replace(e.contrast.second_row, membership=0.4))
    told = describe(weaker, e.attributes, "deny")
    other = f"{e.contrast.first_row.membership:.2f}"
    less = "Other rows contradict training row 2 more: it belongs to its class to 0.40, the other one to"
    assert f"{less} {other}." in told
    assert describe(None, e.attributes) == ""
