"""Pictures of models that choose their gamma: those of the model that was chosen."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifierCV, FGAOrdinalClassifierCV, FGARegressorCV, plot

SEARCHES = {"classes": FGAClassifierCV, "order": FGAOrdinalClassifierCV, "numbers": FGARegressorCV}
DRAW = {
    "ArgumentDisplay": lambda model, X, y: plot.ArgumentDisplay.from_estimator(model, X[:1]),
    "ConsistencyDisplay": lambda model, X, y: plot.ConsistencyDisplay.from_estimator(model),
    "CoverageDisplay": lambda model, X, y: plot.CoverageDisplay.from_estimator(model, X, y),
    "DecisionSpaceDisplay": lambda model, X, y: plot.DecisionSpaceDisplay.from_estimator(model, X, grid_resolution=10),
    "GammaDisplay": lambda model, X, y: plot.GammaDisplay.from_estimator(model, X, y, gammas=[1, 3]),
    "MembershipDisplay": lambda model, X, y: plot.MembershipDisplay.from_estimator(model, X, y),
    "NumberLineDisplay": lambda model, X, y: plot.NumberLineDisplay.from_estimator(model, X[:1]),
    "PartialDependenceDisplay": lambda model, X, y: plot.PartialDependenceDisplay.from_estimator(model, X, feature="a"),
    "RegressionDisplay": lambda model, X, y: plot.RegressionDisplay.from_estimator(model, X[:1], feature="a"),
    "ResidualsDisplay": lambda model, X, y: plot.ResidualsDisplay.from_estimator(model, X, y),
    "WeightsDisplay": lambda model, X, y: plot.WeightsDisplay.from_estimator(model),
}
OF_CLASSES = {"ArgumentDisplay", "ConsistencyDisplay", "DecisionSpaceDisplay", "GammaDisplay", "MembershipDisplay"}
OF_ALL = {"PartialDependenceDisplay", "WeightsDisplay"}
DRAWN = {
    "classes": OF_CLASSES | OF_ALL | {"CoverageDisplay"},
    "order": OF_ALL | {"CoverageDisplay", "MembershipDisplay"},
    "numbers": OF_ALL | {"NumberLineDisplay", "RegressionDisplay", "ResidualsDisplay"},
}


@pytest.fixture(scope="module")
def searches():
    """Return a fitted search of every kind, with its table and target."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(40, 2)), columns=["a", "b"])
    total = X["a"] + X["b"] + 0.3 * random.normal(size=40)
    targets = {"classes": total > 0, "order": np.digitize(total, [-0.5, 0.5]), "numbers": total}
    return {
        kind: (make(gammas=[1.0, 3.0], cv=3).fit(X, targets[kind]), X, targets[kind]) for kind, make in SEARCHES.items()
    }


def pixels(display):
    display.figure_.canvas.draw()
    return np.asarray(display.figure_.canvas.buffer_rgba())


def test_every_display_is_tried():
    assert set(DRAW) == set(plot.__all__)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in DRAWN for name in sorted(DRAWN[kind])])
def test_a_search_is_drawn_as_the_model_that_it_chose(kind, name, searches):
    search, X, y = searches[kind]
    np.testing.assert_array_equal(pixels(DRAW[name](search, X, y)), pixels(DRAW[name](search.best_estimator_, X, y)))


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in DRAWN for name in sorted(set(DRAW) - DRAWN[kind])])
def test_a_search_of_another_kind_is_refused_by_name(kind, name, searches):
    search, X, y = searches[kind]
    with pytest.raises(TypeError, match=f"estimator is of type {type(search).__name__}; expected an? "):
        DRAW[name](search, X, y)


@pytest.mark.parametrize("name", sorted(OF_CLASSES))
def test_of_ordered_classes_a_boundary_is_drawn(name, searches):
    search, X, y = searches["order"]
    display = DRAW[name](search.boundaries_[0], X, np.asarray(y) > 0)
    assert display.figure_.axes
