"""Explanations that are asked for everything at once, of tables of all kinds: what they say is true, and agrees."""

import pickle
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fgac
from fgac._tolerances import TIE_TOL
from support.changed import frame_of, make_table, number, signal
from support.model_files import round_trip
from support.property_tests import examples

NAMES = ["none", "few", "some", "many", "all"]
SETTINGS = [
    {},
    {"metric": "manhattan", "scale": "rank"},
    {"metric": "chebyshev", "scale": "robust"},
    {"metric": "learned"},
    {"monotonic_cst": {"size": 1, "rooms": -1}, "metric": "manhattan"},
    {"feature_weights": {"share": 0.0, "colour": 3.0}, "isomorphism": 2.0},
]
STAYS = re.compile(r"'(\w+)' alone(?: (changes|falls|rises))? by (less than|at most) (\d+(?:\.\d+)?(?:e[+-]?\d+)?)")


@st.composite
def asked(draw, n_missing=(0.0, 0.1)):
    """Draw a fitted model, new rows, and how they are to be explained."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    kind, settings = draw(st.sampled_from(["classes", "ordered", "numbers"])), dict(draw(st.sampled_from(SETTINGS)))
    missing, n_classes = draw(st.sampled_from(n_missing)), draw(st.integers(2, 5))
    X = make_table(rng, 40, missing=missing)
    values = signal(X, rng)
    settings["gamma"] = draw(st.sampled_from([0.5, 2.0, 6.0, 25.0]))
    labels = np.array(NAMES)[np.searchsorted(np.quantile(values, np.arange(1, n_classes) / n_classes), values)]
    new = make_table(rng, 3, missing=2 * missing)
    new.loc[0, "size"], new.loc[1, "colour"] = 500.0, "never seen"
    if kind != "classes":
        settings.pop("isomorphism", None)
    if kind == "numbers":
        model = fgac.FGARegressor(**settings).fit(X, 100 * values)
        middle = float(np.median(model.predict(new)))
        return model, X, new, {"counterfactuals": {"target": draw(st.sampled_from([middle + 10, (None, middle - 10)]))}}
    if kind == "ordered":
        model = fgac.FGAOrdinalClassifier(class_order=NAMES[:n_classes], **settings).fit(X, labels)
    else:
        if n_classes > 2:
            settings.pop("monotonic_cst", None)
        model = fgac.FGAClassifier(**settings).fit(X, labels)
    target = draw(st.sampled_from([None, *NAMES[:n_classes]]))
    changes = True if target is None else {"target": target, "n": 6}
    return model, X, new, {"alternatives": True, "counterfactuals": changes}


@examples(5)
@given(asked())
def test_json_and_model_files_keep_everything(tmp_path_factory, case):
    model, _, new, how = case
    told = model.explain(new, **how)
    assert type(told).from_json(told.to_json()) == told
    for e in told:
        assert type(e).from_json(e.to_json()) == e
        assert e.card().text() == type(e).from_json(e.to_json()).card().text()
    folder = tmp_path_factory.mktemp("models")
    for other in (pickle.loads(pickle.dumps(model)), round_trip(model, folder)):
        assert [e.to_dict() for e in other.explain(new, **how)] == [e.to_dict() for e in told]


@examples(4)
@given(asked())
def test_explanations_about_another_class_are_those_that_asking_for_it_gives(case):
    model, _, new, how = case
    if isinstance(model, fgac.FGARegressor):
        return
    told = model.explain(new, **how)
    for label in model.classes_:
        about = model.explain(new, about=label, **how)
        assert list(map(in_order, about)) == [in_order(e.about_class(label)) for e in told]
        for e, other in zip(told, about, strict=True):
            assert other.prediction == e.prediction
            assert other.counterfactuals == e.counterfactuals
            assert in_order(other.about_class(e.prediction)) == in_order(e)
            other.card().text()
            check_contrasts(e.about_class(label))


def in_order(e):
    """Return an explanation whose alternatives are in the order of their names."""
    return replace(e, alternatives=tuple(sorted(e.alternatives, key=lambda case: case.label)))


def check_contrasts(e):
    """Check that the parts of all contrasts of an explanation re-add."""
    for part in getattr(e, "boundaries", (e,)):
        contrast = part.contrast
        if contrast is None:
            continue
        first, second = contrast.first_row, contrast.second_row
        near = partial(pytest.approx, abs=1e-9 * max(1.0, first.distance, second.distance))
        assert contrast.difference == second.distance - first.distance
        assert sum(f.nearer for f in contrast.features) + contrast.rest == near(contrast.difference)
        if not contrast.rest:
            assert sum(f.apart_first for f in contrast.features) == near(first.distance)
            assert sum(f.apart_second for f in contrast.features) == near(second.distance)


@examples(15)
@given(asked())
def test_cards_do_not_contradict_what_the_model_predicts(case):
    """Changed rows are predicted as they say, and no change is one that is said to be harmless."""
    model, _, new, how = case
    for e in model.explain(new, **how):
        card = e.card()
        assert len(card.flips) == min(2, len(e.counterfactuals))
        assert e.text()
        for one in e.counterfactuals:
            alone = model.predict(frame_of(one.row))[0]
            # Products of matrices, as of euclidean distances, round by the number of rows that are asked together.
            is_number = isinstance(model, fgac.FGARegressor)
            assert alone == (pytest.approx(one.prediction, rel=1e-12) if is_number else one.prediction)
            assert one.prediction != e.prediction
            if len(one.changes) == 1:
                check_one_change(e, card, one, slack=TIE_TOL / model.gamma)


def check_one_change(e, card, one, slack):
    """Check that a change of one column is none that cannot change the prediction, or only by less."""
    (change,) = one.changes
    feature = next(f for f in e.attributes if f.name == change.column)
    if isinstance(e, fgac.explanation.RegressionExplanation):
        if e.slope is not None:
            assert abs(one.prediction - e.prediction) <= e.slope * one.distance * (1 + 1e-9)
            is_small = feature.step is None or abs(moved(change)) <= feature.step
            if feature.change is not None and change.before is not None and is_small:
                assert abs(one.prediction - e.prediction) <= feature.change * (1 + 1e-9)
        return
    if e.certified_radius is not None:
        assert one.distance >= e.certified_radius - slack
    assert feature.radius is not None  # else no change of it can
    if feature.is_nominal or feature.kind == "binary" or change.before is None:
        assert feature.radius == 0
        return
    move = moved(change)
    if feature.direction:
        assert move * feature.direction < 0
    # Degrees that are nearly equal are tied, so that a row may lose its class a little earlier.
    size = abs(move) * (1 + slack / max(slack, e.certified_radius or 0.0))
    assert size > feature.radius if feature.is_whole else size >= feature.radius * (1 - 1e-9)
    for name, verb, limit, told in STAYS.findall(" ".join(card.stays)):
        if name == change.column:
            assert size > float(told) if limit == "at most" else size >= float(told)
            assert verb in ("", "changes", "falls" if move < 0 else "rises")


def moved(change):
    """Return by how much a number or a date changes."""
    return 0.0 if change.before is None or change.column == "colour" else number(change.after) - number(change.before)
