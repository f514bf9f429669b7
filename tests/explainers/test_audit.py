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


def test_numbers_are_not_ranked_by_the_rest(ordered):
    model = FGARegressor().fit(ROWS, NUMBERS)
    with pytest.raises(ValueError, match="by='rest' is for classes"):
        audit(model, by="rest")
    for each in (model, ordered):
        with pytest.raises(ValueError, match="by='luck'"):
            audit(each, by="luck")
        with pytest.raises(ValueError, match="n_rows=0 must be a whole number >= 1"):
            audit(each, 0)
