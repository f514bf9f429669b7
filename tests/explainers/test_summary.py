"""The model that explanations sum up."""

import numpy as np

from fgac import FGAClassifier, FGAClassifierCV
from support.explained import samples


def test_the_model_is_summed_up():
    """Classes, sizes, settings and the proof of optimality."""
    X, y = samples(30)
    names = np.array(["low", "mid", "high"])[y]
    clf = FGAClassifier(gamma=2.0, metric="manhattan").fit(X, names)
    model = clf.explain(X[:1]).model
    assert model.classes == ("high", "low", "mid")
    assert model.class_sizes == tuple(int((names == name).sum()) for name in model.classes)
    assert (model.n_rows, model.n_features, model.gamma) == (30, 2, 2.0)
    assert model.settings["metric"] == "manhattan"
    assert model.is_optimal
    assert model.largest_violation == clf.solution_.largest_violation
    assert model.duality_gap == clf.solution_.duality_gap
    assert model.dual_residual == clf.solution_.dual_residual


def test_a_chooser_explains_like_the_model_it_chose():
    """How gamma was chosen, which may be told by arrays and functions, is no setting of the model."""
    X, y = samples(30)
    folds = [(np.arange(15), np.arange(15, 30)), (np.arange(15, 30), np.arange(15))]
    chooser = FGAClassifierCV(gammas=np.array([1.0, 2.0]), cv=folds, scoring="accuracy", metric="manhattan").fit(X, y)
    found = chooser.explain(X[:3])
    assert found == chooser.best_estimator_.explain(X[:3])
    assert found.model.gamma == chooser.gamma_
    assert found.model.settings == {"metric": "manhattan"}


def test_rows_of_weight_zero_are_no_part_of_the_model():
    """They are absent, and not counted."""
    X, y = samples(30)
    weight = (np.arange(30) % 3 > 0).astype(float)
    model = FGAClassifier().fit(X, y, sample_weight=weight).explain(X[:1]).model
    assert model.n_rows == 20
    assert sum(model.class_sizes) == 20
