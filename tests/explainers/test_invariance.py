"""What must not matter to an explanation: orders, names, threads, and whether somebody asked before."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from support.explained import SETTINGS, samples
from support.property_tests import examples

MANY = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)


@pytest.mark.parametrize("setting", [{}, {"owa": "additive"}], ids=str)
def test_explaining_changes_nothing(setting):
    """The model is the same afterwards, also for those who ask twice."""
    X, y = samples()
    Q = X[:6] + 0.05
    clf = FGAClassifier(gamma=2.0, **setting).fit(X, y)
    before = pickle.loads(pickle.dumps(clf))
    first = clf.explain(Q)
    assert clf.explain(Q) == first
    assert vars(before).keys() == vars(clf).keys()
    assert clf.get_params() == before.get_params()
    np.testing.assert_array_equal(clf.beta_, before.beta_)
    np.testing.assert_array_equal(clf.predict_proba(Q), before.predict_proba(Q))
    assert before.explain(Q) == first


@pytest.mark.parametrize("setting", [{}, {"owa": "exponential"}, {"isomorphism": 2.0}], ids=str)
def test_parameters_count_as_they_were_in_fit(setting):
    """Changing them afterwards changes neither prediction nor explanation."""
    X, y = samples()
    Q = np.vstack([X[:6] + 0.05, [[50.0, 50.0]]])
    clf = FGAClassifier(gamma=2.0, **setting).fit(X, y)
    before = clf.explain(Q).items
    clf.set_params(gamma=9.0, metric="manhattan", owa="additive", isomorphism=3.0, scale=None, feature_weights=[3, 4])
    assert clf.explain(Q).items == before


@pytest.mark.slow
@pytest.mark.parametrize("setting", [{}, {"owa": "exponential"}, {"isomorphism": 2.0}], ids=str)
def test_the_number_of_threads_does_not_matter(setting):
    """Two threads say what one says, to the last digit."""
    X, y = samples(300)
    Q = samples(200, seed=5)[0]
    alone, together = (FGAClassifier(gamma=2.0, n_jobs=n, **setting).fit(X, y).explain(Q).items for n in (1, 2))
    assert alone == together


def without_places(e):
    """Return what is told, but for the places of training rows in their table."""
    plain = e.to_dict()
    deciding = [plain["contrast"][name] for name in ("first_row", "second_row")]
    for a in plain["arguments_for"] + plain["arguments_against"] + [plain["nearest"] or {}] + deciding:
        a.pop("index", None)
    return plain


def assert_same(left, right):
    """Compare plain values, numbers up to rounding."""
    if isinstance(left, dict):
        assert left.keys() == right.keys()
        for key in left:
            assert_same(left[key], right[key])
    elif isinstance(left, list):
        assert len(left) == len(right)
        for a, b in zip(left, right, strict=True):
            assert_same(a, b)
    elif isinstance(left, float):
        assert left == pytest.approx(right, abs=1e-8)
    else:
        assert left == right


@examples(15)
@given(random=st.randoms(use_true_random=False), name=st.sampled_from(list(SETTINGS)))
def test_the_order_of_the_training_rows_does_not_matter(random, name):
    """Ids travel with their rows."""
    X, y = samples(30, seed=3)
    Q = np.vstack([samples(8, seed=8)[0], [[50.0, 50.0]]])
    order = np.array(random.sample(range(30), 30))
    clf = FGAClassifier(gamma=2.0, **SETTINGS[name])
    plain = clf.fit(X, y, ids=np.arange(30)).explain(Q, merge_similarity=0.8)
    shuffled = clf.fit(X[order], y[order], ids=order).explain(Q, merge_similarity=0.8)
    for a, b in zip(plain, shuffled, strict=True):
        a, b = without_places(a), without_places(b)
        for told in (a, b):
            for argument in told["arguments_for"] + told["arguments_against"]:
                argument["alike"] = sorted(argument["alike"])
        assert_same(a, b)


@pytest.mark.parametrize("setting", [{}, {"owa": "additive"}, {"isomorphism": 2.0}], ids=str)
def test_the_order_of_the_explained_rows_does_not_matter(setting):
    """A row has the same explanation alone and among others."""
    X, y = samples()
    Q = samples(10, seed=8)[0]
    clf = FGAClassifier(gamma=2.0, **setting).fit(X, y)
    for i, among in enumerate(clf.explain(Q, ids=np.arange(10))):
        alone = clf.explain(Q[i : i + 1], ids=[i])[0].to_dict()
        assert_same({**alone, "index": i}, among.to_dict())


@MANY
def test_the_names_of_the_classes_do_not_matter(setting):
    """Other names in another order, the same explanations; only the list of all classes has another order."""
    if setting.get("ties") == "first":
        pytest.skip("this rule reads the order of the names")
    X, y = samples(seed=6)
    names = np.array(["zebra", "ant", "mole"])
    Q = np.vstack([samples(8, seed=8)[0], [[50.0, 50.0]]])
    numbered = FGAClassifier(gamma=2.0, **setting).fit(X, y).explain(Q, y=np.arange(9) % 3)
    named = FGAClassifier(gamma=2.0, **setting).fit(X, names[y]).explain(Q, y=names[np.arange(9) % 3])
    for a, b in zip(numbered, named, strict=True):
        a, b = a.to_dict(), b.to_dict()
        a["memberships"].sort(key=lambda m: names[m["label"]])
        a["tied"].sort(key=lambda label: names[label])
        assert_same(renamed(a, names), b)


def test_of_several_second_classes_the_one_told_does_not_depend_on_names():
    """Far from everything all classes tie: the second is the one that would win without the first."""
    X = np.array([[0.0], [1.0], [2.0]])
    for names in (["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "c", "b"]):
        e = FGAClassifier(gamma=3.0).fit(X, names).explain([[50.0]])[0]
        assert (e.prediction, e.runner_up) == (names[2], names[1])


def renamed(plain, names):
    """Put names in place of class numbers."""
    labels = {"label", "prediction", "truth", "runner_up"}
    if isinstance(plain, dict):
        # The features of a contrast have values where the contrast itself has classes.
        labels |= {"first", "second"} if "first_row" in plain else set()
        return {
            key: str(names[part]) if key in labels else tied(part, names) if key == "tied" else renamed(part, names)
            for key, part in plain.items()
        }
    return [renamed(part, names) for part in plain] if isinstance(plain, list) else plain


def tied(part, names):
    """Put names in place of the numbers of tied classes."""
    return [str(names[label]) for label in part]
