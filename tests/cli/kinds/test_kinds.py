"""Kinds of models in the command line: one for every kind of state that model files hold."""

from inspect import signature

import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.cli.kinds import HOMES, kind_from_options, kind_named, kind_of
from fgac.cli.kinds.base import MERGE_SIMILARITY, ModelKind
from fgac.estimators._state import state_of
from fgac.persistence.states import KINDS

X = [[0.0], [0.1], [0.9], [1.0]]


def test_every_kind_of_model_file_has_its_kind():
    assert set(HOMES) == set(KINDS)
    kinds = [kind_named(name) for name in HOMES]
    assert len({type(kind) for kind in kinds}) == len(kinds)
    assert all(isinstance(kind, ModelKind) for kind in kinds)


@pytest.mark.parametrize(
    ("estimator", "y", "options"),
    [
        (FGAClassifier(), ["a", "a", "b", "b"], {"numbers": False, "order": False}),
        (FGAOrdinalClassifier(), [1, 1, 2, 3], {"numbers": False, "order": True}),
        (FGARegressor(), [1.0, 2.0, 3.0, 4.0], {"numbers": True, "order": False}),
    ],
    ids=HOMES,
)
def test_options_and_models_of_a_kind_find_it(estimator, y, options):
    assert kind_from_options(**options) is kind_of(state_of(estimator.fit(X, y)))


@pytest.mark.parametrize("estimator", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_rows_are_merged_into_arguments_as_estimators_do(estimator):
    assert signature(estimator.explain).parameters["merge_similarity"].default == MERGE_SIMILARITY


def test_numbers_come_before_an_order_that_they_refuse():
    assert kind_from_options(numbers=True, order=True) is kind_named("regressor")
