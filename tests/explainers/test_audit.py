"""One audit for all kinds of models: classes, ordered classes and numbers."""

import json
import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, audit
from fgac.explanation import Audit, BoundaryAudit, OrdinalAudit, RegressionAudit

# The third row has the grade of rows far away, and the target of none near it.
ROWS = [[0.0], [0.1], [0.2], [0.3], [0.5], [0.6], [0.9], [1.0]]
GRADES = ["poor", "poor", "good", "poor", "fair", "fair", "good", "good"]
NUMBERS = [1.0, 1.2, 9.0, 1.4, 4.0, 5.0, 8.0, 9.0]


@pytest.fixture(scope="module")
def ordered():
    """Return a model of three ordered classes."""
    return FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=2.0).fit(ROWS, GRADES)


def test_each_kind_of_model_has_its_kind_of_audit(ordered):
    assert type(audit(FGAClassifier(gamma=2.0).fit(ROWS, GRADES))) is Audit
    assert type(audit(ordered)) is OrdinalAudit
    assert type(audit(FGARegressor(gamma=2.0).fit(ROWS, NUMBERS))) is RegressionAudit


@pytest.mark.parametrize("by", ["membership", "rest"])
def test_of_ordered_classes_every_boundary_is_audited(ordered, by):
    found = audit(ordered, 2, by=by)
    assert [each.boundary for each in found] == ["fair or above", "good"]
    for each, boundary in zip(found, ordered.boundaries_, strict=True):
        assert each.audit == audit(boundary, 2, by=by)
        assert each.audit[0].id == 2
    assert found.n_rows == 8
    assert found.n_suspects == sum(len(each.audit) for each in found) == 4


def test_an_ordinal_audit_in_words_and_as_a_frame(ordered):
    found = audit(ordered, 1)
    lines = str(found).split("\n")
    assert lines[0] == str(found[0]).split("\n")[0] == "Is it fair or above?"
    assert lines[1] == found[0].audit.text()
    assert lines[2:4] == ["", "Is it good?"]
    frame = found.to_frame()
    assert frame["boundary"].tolist() == ["fair or above", "good"]
    assert frame.columns.tolist() == ["boundary", *found[0].audit.to_frame().columns]
    assert frame["opponents"].tolist() == [len(each.audit[0].contradicted_by) for each in found]


def test_an_ordinal_audit_through_json(ordered, tmp_path):
    found = audit(ordered)
    plain = json.loads(found.to_json(tmp_path / "audit.json"))
    assert [part["boundary"] for part in plain["boundaries"]] == ["fair or above", "good"]
    assert [Audit.from_dict({k: v for k, v in part.items() if k != "boundary"}) for part in plain["boundaries"]] == [
        each.audit for each in found
    ]
    assert OrdinalAudit.from_dict(plain) == OrdinalAudit.from_json(found.to_json()) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert isinstance(found[:1], OrdinalAudit)
    assert isinstance(found[0], BoundaryAudit)
    for wrong in ({"items": []}, audit(ordered.boundaries_[0]).to_dict(), []):
        with pytest.raises(ValueError, match="no OrdinalAudit: expected a dict with the key 'boundaries' alone"):
            OrdinalAudit.from_dict(wrong)


def test_one_class_has_no_boundary():
    found = audit(FGAOrdinalClassifier().fit([[0.0], [1.0]], [3, 3]))
    assert (len(found), found.n_rows, found.n_suspects, found.text()) == (0, 0, 0, "")
    assert found.to_frame().columns[0] == "boundary"
    assert OrdinalAudit.from_json(found.to_json()) == found


def test_numbers_are_ranked_by_their_difference_from_the_fit():
    model = FGARegressor(gamma=2.0).fit(ROWS, NUMBERS)
    found = audit(model)
    assert found[0].id == 2
    sizes = np.abs(model.predict(ROWS) - NUMBERS) / 8.0
    assert [row.size for row in found] == pytest.approx([sizes[row.index] for row in found])
    assert audit(model, 1).items == found.items[:1]


@pytest.mark.parametrize("kind", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_models_that_are_not_fitted_are_refused(kind):
    with pytest.raises(NotFittedError):
        audit(kind())


def test_a_pipeline_is_told_to_give_its_last_step():
    pipeline = make_pipeline(StandardScaler(), FGAClassifier()).fit(ROWS, GRADES)
    with pytest.raises(TypeError, match="got Pipeline; of a pipeline or search, give its last step"):
        audit(pipeline)
    assert audit(pipeline[-1]).n_rows == 8


def test_wrong_rankings_and_numbers_of_rows_are_refused(ordered):
    model = FGARegressor().fit(ROWS, NUMBERS)
    for each in (model, ordered):
        with pytest.raises(ValueError, match="by='luck'"):
            audit(each, by="luck")
        with pytest.raises(ValueError, match="n_rows=0 must be a whole number >= 1"):
            audit(each, 0)


# ----------------------------------------------------------------------------------------------------
# An audit beside explanations
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "targets", "name"),
    [
        (FGAClassifier(gamma=2.0), GRADES, "audit"),
        (FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=2.0), GRADES, "audit"),
        (FGARegressor(gamma=2.0), NUMBERS, "contradictions"),
    ],
    ids=["classes", "ordered classes", "numbers"],
)
def test_explanations_have_an_audit_if_asked(model, targets, name):
    """The first ten suspects, which change nothing else and survive JSON."""
    model.fit(ROWS * 3, targets * 3)
    plain, audited = model.explain(ROWS[:2]), model.explain(ROWS[:2], audit=True)
    assert getattr(plain, name) is None
    assert getattr(audited, name) == audit(model, 10)
    assert plain.items == audited.items
    assert plain.model == audited.model
    assert plain.text() == audited.text()
    for each in (plain, audited):
        assert type(each).from_json(each.to_json()) == each


def test_the_json_of_ordered_classes_has_an_audit_only_if_asked(ordered):
    assert "audit" not in ordered.explain(ROWS[:1]).to_dict()
    assert "audit" in ordered.explain(ROWS[:1], audit=True).to_dict()


def test_pages_have_an_audit_if_asked(ordered, tmp_path):
    """Of ordered classes one table per boundary."""
    pytest.importorskip("jinja2")
    clf, model = FGAClassifier(gamma=2.0).fit(ROWS, GRADES), FGARegressor(gamma=2.0).fit(ROWS, NUMBERS)
    named = [(clf, "Doubted labels"), (model, "Contradicted targets")]
    for each, title in [*named, (ordered, "<h3>Is it fair or above?</h3>"), (ordered, "<h3>Is it good?</h3>")]:
        for asked in (False, True):
            each.explain(ROWS[:2], audit=asked).to_html(tmp_path / "page.html")
            assert (title in (tmp_path / "page.html").read_text(encoding="utf-8")) == asked


# ----------------------------------------------------------------------------------------------------
# Old names
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_alike_is_the_old_name_of_merge_similarity(kind):
    model = kind(gamma=2.0).fit(ROWS, np.array(NUMBERS) > 3)
    with pytest.warns(FutureWarning, match="alike is now called merge_similarity") as caught:
        found = model.explain(ROWS[:3], 5, alike=0.7)
    assert caught[0].filename == __file__
    assert found == model.explain(ROWS[:3], 5, merge_similarity=0.7) != model.explain(ROWS[:3], 5, merge_similarity=1.0)
    with (
        pytest.warns(FutureWarning),
        pytest.raises(ValueError, match=r"^alike=2\.0 must be a similarity in \(0, 1\]; 1 tells only equal rows"),
    ):
        model.explain(ROWS[:3], alike=2.0)
    with pytest.raises(ValueError, match=r"^merge_similarity=2\.0 must be a similarity in \(0, 1\]"):
        model.explain(ROWS[:3], merge_similarity=2.0)


def test_contradictions_is_the_old_name_of_the_audit():
    model = FGARegressor(gamma=2.0).fit(ROWS, NUMBERS)
    with pytest.warns(FutureWarning, match=r"contradictions\(\) is now called fgac\.audit\(model\)") as caught:
        assert model.contradictions(2) == audit(model, 2)
    assert caught[0].filename == __file__
