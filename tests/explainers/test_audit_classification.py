"""The audit: whose label the rest contradicts, who contradicts it, and that it all adds up."""

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from fgac import FGAClassifier, FGAClassifierCV, FRNNClassifier, audit
from fgac.explainers.audit import doubts
from fgac.explanation.audit import Audit, Opponent, Suspect
from fgac.fuzzy.connectives import resolve_isomorphism
from support.explained import SETTINGS, distances, samples, similarity
from support.property_tests import examples
from support.strategies import table_cases

MANY = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
# A row of class high among four of class low, and two more of class high far away.
LINE = [[0.0], [0.1], [0.2], [0.3], [0.9], [1.0]]
LABELS = ["low", "low", "high", "low", "high", "high"]


def on_the_line(**parameters):
    return FGAClassifier(**{"gamma": 2.0, **parameters}).fit(LINE, LABELS)


def close(value):
    return pytest.approx(value, abs=1e-9)


def test_a_row_among_strangers_is_the_first_suspect():
    """Worked by hand: t loses to three rows, minimise t^2 + 2 (0.8 - t)^2 + (0.6 - t)^2."""
    found = audit(on_the_line(), by="membership")
    assert [s.id for s in found] == [2, 1, 3, 0]
    assert [s.doubt for s in found] == close([0.55, 0.25, 0.25, 0.05])
    first = found[0]
    assert (first.index, first.label, first.suggestion, first.alike, first.support) == (2, "high", "low", (), None)
    assert first.membership == close(0.45)
    assert [o.id for o in first.contradicted_by] == [1, 3, 0]
    assert [o.multiplier for o in first.contradicted_by] == close([0.25, 0.25, 0.05])
    assert [o.share for o in first.contradicted_by] == close([5 / 11, 5 / 11, 1 / 11])
    assert [o.distance for o in first.contradicted_by] == close([0.1, 0.1, 0.2])
    assert [o.similarity for o in first.contradicted_by] == close([0.8, 0.8, 0.6])
    assert [o.membership for o in first.contradicted_by] == close([0.75, 0.75, 0.95])
    assert found.n_rows == 6


@pytest.mark.parametrize("by", ["membership", "rest"])
def test_a_chooser_is_audited_like_the_model_it_chose(by):
    chooser = FGAClassifierCV(gammas=[2.0], cv=2, metric="euclidean", class_weight=None).fit(LINE, LABELS)
    assert audit(chooser, by=by) == audit(on_the_line(), by=by)
    np.testing.assert_array_equal(doubts(chooser, by=by), doubts(on_the_line(), by=by))


def test_a_contradiction_has_two_sides():
    """Whoever contradicts is contradicted, with the same multiplier."""
    by_id = {s.id: s for s in audit(on_the_line())}
    for suspect in by_id.values():
        for opponent in suspect.contradicted_by:
            back = next(o for o in by_id[opponent.id].contradicted_by if o.id == suspect.id)
            assert back.multiplier == close(opponent.multiplier)
            assert opponent.membership == by_id[opponent.id].membership


def test_three_classes_in_one_place_share_the_loss():
    """Every two memberships sum to 1 at most, so each is 1/2, and lost by 1/4 to each of the others."""
    clf = FGAClassifier().fit([[1.0], [1.0], [1.0], [5.0]], ["a", "b", "c", "a"])
    found = audit(clf, by="membership")
    assert {s.id for s in found} == {0, 1, 2}
    for suspect in found:
        assert suspect.doubt == close(0.5)
        assert [o.multiplier for o in suspect.contradicted_by] == close([0.25, 0.25])
        assert {suspect.id} | {o.id for o in suspect.contradicted_by} == {0, 1, 2}


@pytest.mark.parametrize("names", ["abc", "cba", "bca"])
def test_the_suggestion_is_the_class_with_the_largest_share(names):
    """Two rows of one class outweigh a row of another at the same distance."""
    mine, fewer, more = names
    clf = FGAClassifier(gamma=1.0, scale=None).fit([[0.0], [0.1], [-0.1], [-0.12]], [mine, fewer, more, more])
    first = audit(clf)[0]
    assert first.id == 0
    assert first.suggestion == more
    shares = {label: sum(o.share for o in first.contradicted_by if o.label == label) for label in (fewer, more)}
    assert shares[more] > shares[fewer] > 0


@pytest.mark.parametrize("labels", [["a", "b", "b"], ["b", "a", "a"]])
def test_equal_rows_are_one_suspect(labels):
    """One row against two equal ones: it loses 2/3, they lose 1/3 each, whatever their classes are called."""
    clf = FGAClassifier().fit([[1.0]] * 3 + [[2.0]], [*labels, "a"], ids=["p", "q", "r", "s"])
    alone, pair = audit(clf, by="membership")
    assert (alone.id, alone.alike, pair.id, pair.alike) == ("p", (), "q", ("r",))
    assert (alone.doubt, pair.doubt) == (close(2 / 3), close(1 / 3))
    (opponent,) = alone.contradicted_by
    assert (opponent.id, opponent.alike, opponent.similarity, opponent.share) == ("q", ("r",), 1.0, 1.0)
    assert opponent.multiplier == close(2 / 3) == close(pair.contradicted_by[0].multiplier)


def test_absolute_error_lets_the_minority_lose_everything():
    """Multipliers prove it, but sum to the weight of the row rather than to what it lost."""
    clf = FGAClassifier(loss="absolute_error").fit([[1.0]] * 3 + [[2.0]], ["a", "b", "b", "a"])
    (suspect,) = audit(clf, by="membership")
    assert (suspect.id, suspect.doubt) == (0, close(1.0))
    assert sum(o.multiplier for o in suspect.contradicted_by) == close(1.0)


@MANY
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("gamma", [0.5, 2.0, 6.0])
def test_everything_adds_up(setting, n_classes, gamma):
    """Opponents are of other classes and bind; multipliers sum to the loss, shares to 1; nobody is left out."""
    X, y = samples(60, n_classes)
    X[7], X[8] = X[3], X[4]
    weights = np.resize([1, 2, 1], len(y))
    clf = FGAClassifier(gamma=gamma, **setting).fit(X, y, weights)
    found, phi = audit(clf, by="membership"), resolve_isomorphism(setting.get("isomorphism"))
    total = weight_of_node(clf, X, y, weights)
    between = distances(X, X, np.repeat(X, weights, axis=0), setting)
    told = [s.index for s in found] + [row for s in found for row in s.alike]
    assert sorted(told) == np.flatnonzero(clf.beta_ < 1 - 1e-9).tolist()
    for s in found:
        assert s.membership == clf.beta_[s.index]
        assert s.doubt == close(1 - s.membership)
        assert s.contradicted_by
        assert sum(o.share for o in s.contradicted_by) == close(1)
        lost = 1 - phi(s.membership) if setting.get("loss") is None else 1.0
        assert sum(o.multiplier for o in s.contradicted_by) == close(total[s.index] * lost)
        for o in s.contradicted_by:
            assert o.label != s.label
            assert o.multiplier > 0
            assert o.distance == close(between[s.index, o.index])
            assert o.similarity == close(float(similarity(o.distance, gamma, phi)))
            assert phi(s.membership) + phi(o.membership) == close(2 - phi(o.similarity))


def weight_of_node(clf, X, y, weights):
    """Weight of each row and all rows equal to it, class weights included."""
    if clf.class_weight == "balanced":
        weights = weights * (weights.sum() / (clf.classes_.size * np.array([weights[y == k].sum() for k in y])))
    same = (X[:, None] == X[None]).all(axis=2) & (y[:, None] == y)
    return same @ weights


@MANY
@pytest.mark.parametrize("by", ["membership", "rest"])
def test_the_order_of_rows_does_not_matter(setting, by):
    """By their names, suspects and opponents are the same, in the same order, for permuted rows."""
    X, y = samples(40)
    names = np.array([f"row {i}" for i in range(len(y))])
    mixed = np.random.default_rng(1).permutation(len(y))
    first = audit(FGAClassifier(gamma=2.0, **setting).fit(X, y, ids=names), by=by)
    second = audit(FGAClassifier(gamma=2.0, **setting).fit(X[mixed], y[mixed], ids=names[mixed]), by=by)
    assert [tell(s) for s in first] == [tell(s) for s in second]


def tell(suspect):
    """A suspect without positions, rounded."""
    rows = [(o.id, o.label, round(o.multiplier, 8)) for o in suspect.contradicted_by]
    return suspect.id, suspect.label, suspect.suggestion, round(suspect.doubt, 8), rows


@given(table_cases(), st.sampled_from(["membership", "rest"]))
@examples(20)
def test_the_most_doubtful_come_first(case, by):
    """Doubts fall, agree with those of all rows, and fewer rows are the first of all rows."""
    clf = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, case.weights)
    found, every = audit(clf, by=by), doubts(clf, by=by)
    values = [s.doubt for s in found]
    assert all(a >= b - 1e-9 for a, b in pairwise(values))
    assert values == close([every[s.index] for s in found])
    assert len(found) + sum(len(s.alike) for s in found) == np.count_nonzero(every > 0)
    for n_rows in (1, 2, 5, 1000):
        assert audit(clf, n_rows, by=by).items == found.items[:n_rows]


@MANY
@pytest.mark.parametrize("n_classes", [2, 3])
def test_doubt_by_the_rest_is_the_degree_without_the_row_itself(setting, n_classes):
    """One minus the mean of the membership and of the best support by other rows of the class, row by row."""
    X, y = samples(40, n_classes)
    X[5] = X[6] = X[y == y[7]][0]
    gamma, phi = 3.0, resolve_isomorphism(setting.get("isomorphism"))
    clf = FGAClassifier(gamma=gamma, **setting).fit(X, y)
    steps = 1 - phi(similarity(distances(X, X, X, setting), gamma, phi))
    beta, found = phi(clf.beta_), doubts(clf, by="rest")
    support = np.zeros(len(y))
    for u in range(len(y)):
        others = [beta[v] - steps[u, v] for v in range(len(y)) if v != u and y[v] == y[u]]
        support[u] = min(max(0.0, *others), beta[u])
    expected = np.where(clf.beta_ < 1 - 1e-9, 1 - phi.inverse((beta + support) / 2), 0.0)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    for s in audit(clf, 5, by="rest"):
        assert s.support == pytest.approx(phi.inverse(support[s.index]), abs=1e-7)
        assert s.membership == clf.beta_[s.index]


def test_rows_of_the_own_class_vouch_for_a_row():
    """Two pairs lose alike, 0.46 on each side, but the row at 1 is also 0.2 similar to one of its own class."""
    X = [[0.0], [0.02], [1.0], [1.02], [0.8]]
    clf = FGAClassifier(gamma=4.0, scale=None).fit(X, ["a", "b", "a", "b", "a"])
    assert doubts(clf, by="membership").tolist() == close([0.46, 0.46, 0.46, 0.46, 0.0])
    assert doubts(clf, by="rest").tolist() == close([0.73, 0.73, 0.63, 0.73, 0.0])
    found = audit(clf, by="rest")
    assert [s.support for s in found] == close([0.0, 0.0, 0.0, 0.2])
    assert found[-1].id == 2


def test_precomputed_distances_tell_the_same():
    X, y = samples(30)
    setting = {"gamma": 2.0, "class_weight": "balanced"}
    clf = FGAClassifier(**setting).fit(X, y)
    other = FGAClassifier(metric="precomputed", **setting).fit(distances(X, X, X, {}), y)
    for by in ("membership", "rest"):
        assert {s.id: round(s.doubt, 8) for s in audit(clf, by=by)} == {
            s.id: round(s.doubt, 8) for s in audit(other, by=by)
        }
    for mine, theirs in zip(audit(clf), audit(other), strict=True):
        assert mine.suggestion == theirs.suggestion
        assert {o.id for o in mine.contradicted_by} == {o.id for o in theirs.contradicted_by}


def test_rows_of_weight_zero_are_absent():
    clf = FGAClassifier(gamma=2.0).fit([*LINE, [0.2]], [*LABELS, "low"], [1, 1, 1, 1, 1, 1, 0])
    found = audit(clf)
    assert found.items == audit(on_the_line()).items
    assert found.n_rows == 6
    assert np.isnan(doubts(clf)[6])
    np.testing.assert_allclose(doubts(clf, by="membership")[:6], 1 - clf.beta_[:6])


def test_rows_have_the_names_of_the_caller():
    """Index of a frame or ids, as plain Python values, and so are labels."""
    frame = pd.DataFrame(LINE, columns=["size"], index=np.array(list("pqrstu")))
    labels = np.array([1, 1, 0, 1, 0, 0], dtype=np.int8)
    clf = FGAClassifier(gamma=2.0).fit(frame, labels)
    first = audit(clf)[0]
    assert (first.index, first.id, first.label, first.suggestion) == (2, "r", 0, 1)
    assert type(first.label) is type(first.suggestion) is type(first.contradicted_by[0].label) is int
    assert [o.id for o in first.contradicted_by] == ["q", "s", "p"]
    named = audit(clf.fit(frame, labels, ids=np.arange(10, 16)))[0]
    assert named.id == 12
    assert type(named.id) is int


def test_nothing_contradicts_rows_of_one_class_or_rows_far_apart():
    assert len(audit(FGAClassifier().fit([[0.0], [1.0]], ["a", "a"]))) == 0
    far = audit(FGAClassifier(gamma=5.0).fit([[0.0], [1.0]], ["a", "b"]), by="rest")
    assert len(far) == 0
    assert far.n_rows == 2
    assert far.text() == "No training row contradicts the label of another."
    assert len(far.to_frame()) == 0


def test_an_audit_is_a_sequence():
    found = audit(on_the_line())
    assert isinstance(found, Audit)
    assert isinstance(found[:2], Audit)
    assert [s.id for s in found[:2]] == [s.id for s in found][:2]
    assert found[:2].n_rows == 6
    assert found[-1] is list(found)[-1]
    assert isinstance(found[0], Suspect)
    assert isinstance(found[0].contradicted_by[0], Opponent)
    with pytest.raises(AttributeError):
        found[0].doubt = 0.0


def test_words_come_from_the_suspects():
    found = audit(on_the_line(), 2)
    assert str(found) == found.text() == "\n\n".join(str(s) for s in found)
    assert "'low'" in found[0].text()


@pytest.mark.parametrize("by", ["membership", "rest"])
def test_json_round_trip(by, tmp_path):
    found = audit(on_the_line(), by=by)
    assert Audit.from_dict(found.to_dict()) == found
    assert Audit.from_json(found.to_json(tmp_path / "audit.json")) == found
    assert Audit.from_json((tmp_path / "audit.json").read_text()) == found
    assert json.loads(found.to_json())["items"][0]["contradicted_by"][0]["id"] == 1


def test_other_json_is_refused():
    plain = audit(on_the_line()).to_dict()
    with pytest.raises(ValueError, match="no Audit in format 1, got format 7"):
        Audit.from_dict({**plain, "format": 7})
    del plain["n_rows"]
    with pytest.raises(ValueError, match="n_rows"):
        Audit.from_dict(plain)


def test_frame():
    frame = audit(on_the_line(), by="rest").to_frame()
    assert frame.columns.tolist() == [
        *("index", "id", "label", "membership", "doubt", "suggestion", "support", "held_out"),
        *("opponent_id", "opponent_label", "opponent_similarity", "opponent_share", "opponents", "alike"),
    ]
    assert frame["id"].tolist() == [2, 3, 1, 0]
    assert frame.loc[0, ["suggestion", "opponent_id", "opponent_label", "opponents"]].tolist() == ["low", 1, "low", 3]
    assert frame["doubt"].tolist() == close([0.775, 0.45, 0.25, 0.25])


def test_notebooks_show_a_table():
    pytest.importorskip("jinja2")
    shown = audit(on_the_line())._repr_html_()
    assert "<table" in shown
    assert "high" in shown


def test_an_unfitted_classifier_is_refused():
    with pytest.raises(NotFittedError):
        audit(FGAClassifier())
    with pytest.raises(NotFittedError):
        doubts(FGAClassifier())


def test_other_models_are_refused():
    with pytest.raises(TypeError, match="FGAOrdinalClassifier or FGARegressor, got FRNNClassifier"):
        audit(FRNNClassifier().fit(LINE, LABELS))
    with pytest.raises(TypeError, match="FGAOrdinalClassifier or FGARegressor, got FRNNClassifier"):
        doubts(FRNNClassifier().fit(LINE, LABELS))


@pytest.mark.parametrize("n_rows", [0, -1, 2.0, "3", True])
def test_wrong_numbers_of_rows_are_refused(n_rows):
    with pytest.raises(ValueError, match=r"n_rows=.* must be a whole number >= 1"):
        audit(on_the_line(), n_rows)


def test_an_unknown_ranking_is_refused():
    with pytest.raises(ValueError, match="by='beta' is unknown"):
        audit(on_the_line(), by="beta")
