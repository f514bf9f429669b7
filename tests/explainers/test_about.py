"""Explanations about another class than the predicted one, and about several classes at once."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fgac
from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.explanation import Explanation, Explanations, OrdinalExplanations
from fgac.fuzzy.connectives import IDENTITY
from support.explained import SETTINGS, assert_adds_up, assert_plain_values, samples
from support.property_tests import examples

NAMES = np.array(["rain", "snow", "sun"])
FAR = [[50.0, 50.0]]


def weather(n=40, seed=0, **settings):
    """Return a model of three kinds of weather, and new rows, the last of which resembles nothing."""
    X, y = samples(n, seed=seed)
    clf = FGAClassifier(gamma=2.0, **settings).fit(X, NAMES[y], ids=[f"day {i}" for i in range(n)])
    return clf, np.vstack([samples(6, seed=seed + 1)[0], FAR])


def without_alternatives(explanations):
    return [replace(e, alternatives=()) for e in explanations]


@examples(15)
@given(seed=st.integers(0, 100), name=st.sampled_from(list(SETTINGS)), c=st.integers(0, 2))
def test_bounds_and_arguments_are_those_of_the_class(seed, name, c):
    """They add up to the membership that the model gives; the prediction, and all that is about it, stays."""
    clf, Q = weather(30, seed, **SETTINGS[name])
    memberships = clf.memberships(Q)
    plain = clf.explain(Q)
    for i, (e, other) in enumerate(zip(plain, clf.explain(Q, about=NAMES[c]), strict=True)):
        assert (other.subject, other.prediction) == (NAMES[c], e.prediction)
        assert (other.lower, other.upper, other.degree) == tuple(part[i, c] for part in memberships)
        phi = IDENTITY if "isomorphism" not in SETTINGS[name] else clf._state.predictor.model.isomorphism
        assert_adds_up(other, phi, soft="owa" in SETTINGS[name])
        changed = {"lower", "upper", "degree", "about", "contrast"}
        changed |= {f"{kind}_{side}" for kind in ("arguments", "rest") for side in ("for", "against")}
        assert {**e.to_dict(), **dict.fromkeys(changed)} == {
            **other.to_dict(),
            **dict.fromkeys(changed),
        }
        assert_plain_values(other.to_dict())


@pytest.mark.parametrize("name", SETTINGS)
def test_alternatives_are_the_same_values(name):
    """Whoever turns an explanation to another class has what asking about the class gives."""
    clf, Q = weather(**SETTINGS[name])
    everything = clf.explain(Q, alternatives=True)
    for label in NAMES:
        asked = clf.explain(Q, about=label)
        assert without_alternatives(e.about_class(label) for e in everything) == list(asked)
    assert without_alternatives(everything) == list(clf.explain(Q))
    turned = clf.explain(Q, about="snow", alternatives=True)
    assert without_alternatives(e.about_class(e.prediction) for e in turned) == list(clf.explain(Q))


def test_alternatives_come_by_degree():
    clf, Q = weather()
    for e in clf.explain(Q, alternatives=1):
        assert [case.label for case in e.alternatives] == [e.runner_up]
    for e in clf.explain(Q, alternatives=7):
        degrees = [case.degree for case in e.alternatives]
        assert degrees == sorted(degrees, reverse=True)
        assert {e.prediction, *(case.label for case in e.alternatives)} == set(NAMES)
    for e in clf.explain(Q, about="sun", alternatives=1):
        assert len(e.alternatives) == 1
        assert e.alternatives[0].label != "sun"


@examples(10)
@given(st.randoms(use_true_random=False), st.sampled_from([{}, {"metric": "manhattan"}, {"owa": "additive"}]))
def test_names_and_orders_do_not_matter(random, setting):
    """Other names of the classes, in another order, and the training rows in another order: the same is told."""
    X, y = samples(30, n_classes=4, seed=3)
    Q = np.vstack([samples(5, seed=8)[0], FAR])
    names, order = np.array(random.sample("abcd", 4)), np.array(random.sample(range(30), 30))
    plain = FGAClassifier(gamma=2.0, **setting).fit(X, y, ids=np.arange(30)).explain(Q, alternatives=2)
    other = FGAClassifier(gamma=2.0, **setting).fit(X[order], names[y[order]], ids=order).explain(Q, alternatives=2)
    for e, f in zip(plain, other, strict=True):
        assert [names[case.label] for case in e.alternatives] == [case.label for case in f.alternatives]
        for case, same in zip(e.alternatives, f.alternatives, strict=True):
            assert (case.lower, case.upper) == pytest.approx((same.lower, same.upper), abs=1e-9)
            assert [a.id for a in case.arguments_for] == [a.id for a in same.arguments_for]
            assert case.contrast.second_row.id == same.contrast.second_row.id


def test_one_class_per_row():
    clf, Q = weather()
    asked = ["sun", None, "rain", "snow", "sun", "sun", float("nan")]
    for about in (asked, tuple(asked), np.array(asked, dtype=object), pd.Series(asked)):
        found = clf.explain(Q, about=about)
        assert [e.subject for e in found] == [
            e.prediction if label not in NAMES.tolist() else label for e, label in zip(found, asked, strict=True)
        ]


def test_about_the_predicted_class_is_as_without():
    clf, Q = weather()
    assert clf.explain(Q, about=clf.predict(Q)) == clf.explain(Q)


@pytest.mark.parametrize("label", [1, np.int64(1), np.array(1), True])
def test_classes_are_found_by_value(label):
    clf = FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], [0, 1])
    assert clf.explain([[0.1]], about=label)[0].about == 1


def test_unknown_classes_are_refused():
    clf, Q = weather()
    message = (
        r"about='hail' is no class of the model; expected one of 'rain', 'snow', 'sun', or a list with one of these per"
    )
    with pytest.raises(ValueError, match=message):
        clf.explain(Q, about="hail")
    with pytest.raises(ValueError, match="about='hail' is no class"):
        clf.explain(Q, about=["rain"] * 6 + ["hail"])
    with pytest.raises(ValueError, match="one per explained row: X has 7 rows, got 2 classes"):
        clf.explain(Q, about=["rain", "sun"])
    for wrong in (-1, 1.5, "each", None):
        with pytest.raises(ValueError, match="must be a number of classes, 0 or more, or True for all"):
            clf.explain(Q, alternatives=wrong)
    with pytest.raises(ValueError, match=r"has no arguments about 'snow', only about '.*'; explain with about='snow'"):
        next(e for e in clf.explain(Q) if e.prediction != "snow").about_class("snow")
    with pytest.raises(TypeError):
        FGARegressor().fit([[0.0], [1.0]], [0.0, 1.0]).explain([[0.5]], about=1.0)


def test_the_text_says_what_is_asked():
    """It begins with the question, and names the class where it would have said "it"."""
    clf, Q = weather()
    e = next(e for e in clf.explain(Q, about="snow", y=["sun"] * 7) if e.about == "snow" and e.prediction == "rain")
    lines = e.text().splitlines()
    name = f"'{e.id}'" if isinstance(e.id, str) else e.id
    assert lines[0].startswith(f"Why is row {name} not 'snow'? The prediction is 'rain'. The row is in fact labelled")
    assert "The row belongs to 'snow' to a degree of" in lines[0]
    assert lines[1].startswith("The strongest argument for 'snow': ")
    assert lines[2].startswith("The strongest argument against 'snow': ")
    assert lines[3].startswith("What decides between 'rain' and 'snow': ")
    assert " ahead of 'snow'" in lines[4]
    assert "'rain' " in lines[4]
    far = clf.explain(FAR, about=next(label for label in NAMES if label != clf.predict(FAR)[0]))[0]
    assert "but only as a guess" in far.text()
    assert far.text().startswith("Why is row 0 not ")


def test_nothing_speaks_for_it():
    text = FGAClassifier(gamma=5.0).fit([[0.0], [1.0]], ["low", "high"]).explain([[0.0]], about="high")[0].text()
    assert "\nNo training row is similar enough to speak for 'high'.\n" in text


def test_values_can_be_written_and_read():
    clf, Q = weather()
    found = clf.explain(Q, about="snow", alternatives=True)
    assert Explanations.from_json(found.to_json()) == found
    assert Explanation.from_json(found[0].to_json()) == found[0]
    frame = found.to_frame()
    assert set(frame["subject"]) == {"snow"}
    plain = clf.explain(Q)[0].to_dict()
    assert not {"about", "alternatives"} & plain.keys()  # left out, so that nothing changes for who does not ask


GRADES = ["poor", "fair", "good", "best"]


def graded(**settings):
    """Return a model of ordered classes, and new rows."""
    X, y = samples(40, n_classes=4)
    names = np.array(GRADES)
    return FGAOrdinalClassifier(class_order=GRADES, gamma=3.0, **settings).fit(X, names[y]), samples(6, seed=1)[0]


@pytest.mark.parametrize("settings", [{}, {"monotonic_cst": [1, 0]}, {"metric": "learned"}], ids=str)
def test_ordered_classes_are_asked_at_their_boundaries(settings):
    """The boundaries next to the class, each about the side on which the class lies."""
    clf, Q = graded(**settings)
    everything = clf.explain(Q, alternatives=True)
    memberships, columns = clf.memberships(Q), clf.classes_.tolist()
    for c, label in enumerate(GRADES):
        asked = clf.explain(Q, about=label)
        assert without_alternatives(e.about_class(label) for e in everything) == list(asked)
        for i, e in enumerate(asked):
            k = GRADES.index(e.prediction)
            found = tuple(part[i, columns.index(label)] for part in memberships)
            assert (e.lower, e.upper, e.degree) == found
            assert (e.at_least is None, e.at_most is None) == (c == 0, c == 3)
            if e.at_least is not None:
                assert e.at_least.subject == clf.boundaries_[c - 1].classes_[1]
                assert (e.at_least.about is None) == (k >= c)
            if e.at_most is not None:
                assert e.at_most.subject == clf.boundaries_[c].classes_[0]
                assert (e.at_most.about is None) == (k <= c)
    assert OrdinalExplanations.from_json(everything.to_json()) == everything


def test_the_text_of_an_ordered_class():
    clf, Q = graded()
    e = next(e for e in clf.explain(Q, about="best") if e.prediction == "fair")
    lines = e.text().splitlines()
    assert lines[0].startswith(f"Why is row {e.id} not 'best'? The prediction is 'fair'.")
    assert lines[1].startswith("Not at least 'best': the row belongs to 'best' to a degree of ")
    assert any(line.startswith("What decides between 'below best' and 'best'") for line in lines)


def test_through_a_pipeline():
    X, y = samples()
    frame = pd.DataFrame(X * [10.0, 1000.0], columns=["warmth", "pressure"])
    model = make_pipeline(StandardScaler(), FGAClassifier(gamma=2.0)).fit(frame, NAMES[y])
    found = fgac.explain(model, frame[:5], about="snow", alternatives=True, X_train=frame)
    for e in found:
        assert e.subject == "snow"
        for case in (e, *e.alternatives):
            for argument in case.arguments_for + case.arguments_against:
                assert argument.attributes[1].value == frame["pressure"][argument.index]
            contrast = case.contrast
            assert [f.name for f in contrast.features] == ["warmth", "pressure"]
            assert contrast.features[0].first == frame["warmth"][contrast.first_row.index]
            assert sum(f.nearer for f in contrast.features) == pytest.approx(contrast.difference)
