"""Files of a version in which every isomorphism bent similarity: their models predict as they did when written."""

import numpy as np
import pytest

from fgac import FGAClassifier, load_model, save_model
from fgac.granular.dissimilarity import bent
from support.explained import samples
from support.model_files import members_of


@pytest.fixture
def old_model(monkeypatch):
    """Return a model with an exponent below 1 as it was made then."""
    for module in ("fgac.estimators._classifier_steps", "fgac.granular.predictor"):
        monkeypatch.setattr(f"{module}.bent_metric", bent)
    X, y = samples(40, n_classes=2, seed=1)
    return FGAClassifier(gamma=1.5, isomorphism=0.5).fit(X, y)


def test_they_predict_as_they_did(old_model, tmp_path):
    """Nothing in such a file says how similarity was made, and nothing but the bounds changes: they do not cross."""
    rows = samples(30, seed=2)[0]
    save_model(old_model, tmp_path / "old.fgac")
    assert b'"bent"' not in members_of((tmp_path / "old.fgac").read_bytes())["header.json"]
    again = load_model(tmp_path / "old.fgac")
    for part, expected in zip(again.memberships(rows), old_model.memberships(rows), strict=True):
        np.testing.assert_array_equal(part, expected)
    assert again.explain(rows[:3]) == old_model.explain(rows[:3])
    assert all(e.certified_radius is None for e in again.explain(rows[:3]))
    assert (again.memberships(rows).lower <= again.memberships(rows).upper).all()


def test_later_files_say_that_it_is_not_bent(tmp_path):
    """Only for isomorphisms that are not convex, so that all other files are as they were."""
    X, y = samples(40, n_classes=2, seed=1)
    for exponent, says in ((0.5, True), (1.0, False), (2.0, False)):
        model = FGAClassifier(gamma=1.5, isomorphism=exponent).fit(X, y)
        save_model(model, tmp_path / "new.fgac")
        assert (b'"bent"' in members_of((tmp_path / "new.fgac").read_bytes())["header.json"]) == says
        np.testing.assert_array_equal(
            load_model(tmp_path / "new.fgac").memberships(X).lower, model.memberships(X).lower
        )
