"""Weights of rows have no unit, and may not be so uneven that doubles lose the smallest."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fgac
from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.solve import PairConstraints, Problem, solve

RNG = np.random.default_rng(1)
X, CLASSES, WEIGHTS = RNG.random((40, 2)), RNG.integers(0, 3, 40), RNG.integers(1, 5, 40).astype(float)
UNITS = [5e-324, 1e-310, 1e-200, 2.0**-30, 2.0**70, 1e200, 2e307]
MODELS = [FGAClassifier(), FGAClassifier(class_weight="balanced"), FGAOrdinalClassifier(), FGARegressor()]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("scale", ["range", "rank"])
def test_the_unit_of_weights_changes_nothing(model, unit, scale):
    """Whole multiples of the least positive double are as good as whole numbers."""
    plain = model.set_params(scale=scale).fit(X, CLASSES, sample_weight=WEIGHTS).predict(X)
    again = model.fit(X, CLASSES, sample_weight=unit * WEIGHTS)
    assert_allclose(again.predict(X), plain, atol=1e-9)


@pytest.mark.parametrize("unit", UNITS)
def test_path_and_fit_agree_in_every_unit(unit):
    """The path used to be wrong where weights had no digits left."""
    y = CLASSES > 0
    path = fgac.path(X, y, sample_weight=unit * WEIGHTS)
    fitted = FGAClassifier(gamma=1.5).fit(X, y, sample_weight=unit * WEIGHTS)
    assert_allclose(path.beta(1.5), fitted.beta_, atol=1e-9)
    assert path.solution(1.5).is_optimal()


def test_a_path_needs_weights_that_are_more_even():
    """What is rounding on the path would be the say of a light row; a fit takes it."""
    weights = np.where(np.arange(40) < 20, 1.0, 1e-12)
    assert FGAClassifier().fit(X, CLASSES, sample_weight=weights).solution_.is_optimal()
    with pytest.raises(ValueError, match="too uneven for the path"):
        fgac.path(X, CLASSES, sample_weight=weights)


@pytest.mark.parametrize("ratio", [1e-17, 1e-300, 5e-324])
@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_weights_that_would_be_lost_are_refused(model, ratio):
    """A row that is lost in the sum of all weights has no say, and no proof."""
    with pytest.raises(ValueError, match=r"sample_weight is too uneven.*weight 0"):
        model.fit(X, CLASSES, sample_weight=np.where(np.arange(40) < 20, 1.0, ratio))


@pytest.mark.parametrize("class_weight", [{0: 1.0, 1: 1e-20}, {0: 5e-324, 1: 1e300}, {0: 1e308, 1: 1e-308}])
def test_class_weights_that_would_be_lost_are_refused(class_weight):
    """By fit and by path alike, before anything is computed."""
    for fit in (FGAClassifier(class_weight=class_weight).fit, lambda X, y: fgac.path(X, y, class_weight=class_weight)):
        with pytest.raises(ValueError, match="too uneven"):
            fit(X, CLASSES > 0)


@pytest.mark.parametrize("factor", [5e-324, 1e300])
def test_class_weights_have_no_unit_either(factor):
    """Extreme, but even."""
    plain = FGAClassifier().fit(X, CLASSES)
    even = FGAClassifier(class_weight=dict.fromkeys(range(3), factor)).fit(X, CLASSES)
    assert_allclose(even.beta_, plain.beta_, atol=1e-12)
    assert even.solution_.is_optimal()


def test_problems_refuse_them_too():
    """The engine is asked directly."""
    with pytest.raises(ValueError, match="weights is too uneven"):
        Problem([1.0, 0.0], PairConstraints([0], [1], [0.5]), [1.0, 1e-20])
    solution = solve(Problem([1.0, 0.0], PairConstraints([0], [1], [0.5]), [5e-324, 5e-324]))
    assert solution.values.tolist() == [0.75, 0.25]


@pytest.mark.parametrize("targets", [[0.0, 1e200], [0.0, 1e-200], [-1.5e308, 1.5e308]])
def test_targets_of_a_problem_must_have_squares(targets):
    """A gap that overflows or is lost proves nothing; estimators bring targets to their own scale first."""
    with pytest.raises(ValueError, match="in another unit"):
        Problem(targets, PairConstraints([0], [1], [0.5]))
    if max(targets) < 1e300:
        assert FGARegressor().fit([[0.0], [1.0]], targets).solution_.is_optimal()


@pytest.mark.parametrize("gamma", [1e76, 1e-76, np.inf])
def test_gammas_beyond_all_products_are_refused(gamma):
    """Their products with distances, or the inverse, would not be finite."""
    with pytest.raises(ValueError, match="gamma"):
        FGAClassifier(gamma=gamma).fit(X, CLASSES)
