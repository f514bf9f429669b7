"""Two models on the same parts of the data: by how much one is better, with an interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.estimators._state import FittedState, state_of
from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.selection.scores import Comparison, ScoreDifference, interval
from fgac.selection.search import GammaSearch
from fgac.tables.frames import is_frame, labels_of, take_columns
from fgac.tables.targets import target_name

# A score of every test part, and whether more of it is better.
PartScores = dict[str, tuple[Floats, bool]]


def compare(ours: PartScores, theirs: PartScores, n_folds: int, gammas: tuple[float, ...]) -> Comparison:
    """Means, and the interval of the differences: scores of one part go together, so that these vary less.

    >>> parts = {"R2": (np.array([0.5, 0.7, 0.6]), True)}
    >>> others = {"R2": (np.array([0.4, 0.5, 0.5]), True)}
    >>> found = compare(parts, others, 3, (1.0, 1.0, 1.0)).differences[0]
    >>> round(found.lead.mean, 3), found.verdict
    (0.133, 'no clear difference')
    """
    ratio, everywhere = 1 / (n_folds - 1), (-np.inf, np.inf)
    found = []
    for name, (scores, more_is_better) in ours.items():
        other = theirs[name][0]
        lead = scores - other if more_is_better else other - scores
        found.append(ScoreDifference(name, *(interval(each, ratio, everywhere) for each in (scores, other, lead))))
    return Comparison(tuple(found), gammas)


def other_model(against: Any, estimator: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """The other model, and its table: of the columns that it was fitted to, if it was; refused if it is no match."""
    model, table = against if isinstance(against, tuple) and len(against) == 2 else (against, None)
    if not isinstance(model, FGAClassifier | FGAOrdinalClassifier | FGARegressor):
        raise TypeError(
            f"against is of type {type(model).__name__}; expected an FGAClassifier, an FGAOrdinalClassifier, an "
            "FGARegressor, one of these with CV, or a pair of one and its table"
        )
    if _predicts(model) != _predicts(estimator):
        raise ValueError(
            f"against is a {type(model).__name__}, which predicts {_predicts(model)}, and {type(estimator).__name__} "
            f"predicts {_predicts(estimator)}; expected two models of the same kind"
        )
    state, name = _state(model), target_name(y)
    if state is not None and None not in (name, state.target_name) and name != state.target_name:
        raise ValueError(f"against predicts {state.target_name!r}, and y is {name!r}; expected the same target")
    return model, table if table is not None else _own_columns(X, state)


def own_gamma(model: Any, gamma: float | None) -> float | None:
    """The gamma of the other model: its own if it was given to it and fitted with; None if it is to be chosen."""
    if isinstance(model, GammaSearch):
        return None
    state = _state(model)
    if state is None:
        return gamma
    return None if state.selection is not None else float(state.gamma)


def _state(model: Any) -> FittedState | None:
    """What a model has learned; None if it is not fitted."""
    return state_of(model) if model.__sklearn_is_fitted__() else None


def _predicts(model: Any) -> str:
    if isinstance(model, FGARegressor):
        return "numbers"
    return "ordered classes" if isinstance(model, FGAOrdinalClassifier) else "classes"


def _own_columns(X: Any, state: FittedState | None) -> Any:
    """The columns of a table that a model was fitted to."""
    if state is None or state.header.names is None or not is_frame(X):
        return X
    names = [str(name) for name in state.header.names]
    absent = [name for name in names if name not in map(str, labels_of(X))]
    if absent:
        raise ValueError(
            f"X lacks {absent}, which the other model was fitted to; give a table with these columns, or a pair "
            "(model, table) as against"
        )
    return take_columns(X, names)
