"""A fitted model as one plain JSON value, with which a page can say of any row what the model would say.

It holds what predictions and arguments are made of, the coordinates, memberships and ids of the training rows among
it: whoever may not see these must not be given it. What :mod:`fgac.explainers` computes from a state, the script
``report/templates/what_if.js`` computes from this value, function by function.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fgac._tolerances import DEGREE_TOL, STRENGTH_DIGITS, STRENGTH_TOL, TIE_NUDGE, TIE_TOL
from fgac._typing import Ints
from fgac.estimators._spread import LARGEST, Spread
from fgac.estimators._state import ClassifierState, FittedState, OrdinalState, RegressorState, state_of
from fgac.explainers.portable_space import n_bytes, packed, portable_space, same_rows, shared_rows
from fgac.explanation.classification import FeatureValue
from fgac.explanation.regression import FeatureEffect
from fgac.fuzzy.connectives import IDENTITY
from fgac.granular.calibration import BENDS, Calibration
from fgac.granular.extension import FARTHEST
from fgac.metrics.angular import Angular
from fgac.metrics.distances import Coordinates, Rows
from fgac.tables.columns import Column
from fgac.tables.labels import plain_name
from fgac.tables.table import Table
from fgac.tables.training_rows import TrainingRecords
from fgac.tables.value_kinds import days_in

# A page reads this form only.
FORMAT = 1


def state_for(model: Any) -> Any:
    """The state of a fitted estimator; a state is one already.

    >>> state_for("model.fgac")
    Traceback (most recent call last):
    ...
    TypeError: expected a fitted model of fgac, as FGAClassifierCV, got a str; of a search of scikit-learn give its
    best_estimator_, of a file what load_model reads
    """
    if isinstance(model, FittedState):
        return model
    try:
        return state_of(model)
    except (AttributeError, TypeError) as error:
        if isinstance(error, ValueError):  # scikit-learn's NotFittedError is both, and says what to do
            raise
        raise TypeError(
            f"expected a fitted model of fgac, as FGAClassifierCV, got a {type(model).__name__}; of a search of "
            "scikit-learn give its best_estimator_, of a file what load_model reads"
        ) from error


def not_portable(state: FittedState) -> str | None:
    """Why a model cannot be computed outside of Python, as the rest of a sentence; None if it can.

    >>> from fgac import FGAClassifier
    >>> from fgac.estimators._state import state_of
    >>> X, y = [[0.0], [1.0]], ["no", "yes"]
    >>> not_portable(state_of(FGAClassifier().fit(X, y))) is None
    True
    >>> not_portable(state_of(FGAClassifier(owa="additive").fit(X, y)))
    'its bounds are averages over all training rows (owa)'
    """
    if state.table is None:
        return "it knows distances of training rows, and no columns (metric='precomputed')"
    if isinstance(state, OrdinalState):
        return next(filter(None, map(not_portable, state.boundaries)), None)
    if not isinstance(state, ClassifierState | RegressorState):
        return f"explanations of a {type(state).__name__} cannot be computed in a page"
    if not isinstance(state.metric, Coordinates | Angular):
        return "its metric is a function of Python"
    if isinstance(state, ClassifierState):
        if state.predictor.owa_bounds is not None:
            return "its bounds are averages over all training rows (owa)"
        if state.predictor.model.isomorphism != IDENTITY:
            return "its degrees are on the scale of an isomorphism"
    return None


def portable(state: FittedState) -> dict[str, Any]:
    """A fitted model as one plain JSON value; an error if :func:`not_portable` says why that cannot be.

    >>> from fgac import FGAClassifier
    >>> from fgac.estimators._state import state_of
    >>> model = portable(state_of(FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["no", "yes"])))
    >>> model["kind"], model["classes"], model["gamma"], len(model["parts"])
    ('classes', ['no', 'yes'], 2.0, 1)
    """
    reason = not_portable(state)
    if reason is not None:
        raise ValueError(f"this model cannot be computed in a page: {reason}")
    common = {
        "format": FORMAT,
        "target": state.target_name,
        "gamma": state.gamma,
        "names": list(state.column_names),
        "tolerances": {
            "strength": STRENGTH_TOL,
            "tie": TIE_TOL,
            "nudge": TIE_NUDGE,
            "digits": STRENGTH_DIGITS,
            "degree": DEGREE_TOL,
        },
    }
    if isinstance(state, RegressorState):
        return {**common, "kind": "numbers", **_numbers(state), "ids": _ids(state.records)}
    if isinstance(state, OrdinalState):
        return {**common, **_ordered(state)}
    assert isinstance(state, ClassifierState)
    return {**common, **_classes(state)}


def least_size(state: FittedState) -> int:
    """How many characters a portable model has at least: those of the coordinates of its training rows.

    >>> from fgac import FGAClassifier
    >>> from fgac.estimators._state import state_of
    >>> least_size(state_of(FGAClassifier().fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"])))
    32
    """
    if isinstance(state, OrdinalState):
        return max(map(least_size, state.boundaries), default=0)
    assert state.table is not None
    rows = state.extension.envelope.rows if isinstance(state, RegressorState) else _nodes_of(state)
    return 4 * (n_bytes(state.table, rows) // 3)


def _nodes_of(state: FittedState) -> Rows:
    assert isinstance(state, ClassifierState)
    return state.predictor.model.envelope.rows


def portable_row(table: Table, features: Sequence[FeatureValue | FeatureEffect]) -> list[float | int | None]:
    """The features of an explained row as the script takes them: numbers, numbers of categories, None where unknown.

    >>> from fgac.tables.columns import Column
    >>> table = Table((Column("own", categories={"no": 0, "yes": 1}),), 1.0, keeps_column_order=False)
    >>> portable_row(table, [FeatureValue("own", "yes", "", True, None)])
    [1]
    """
    return [_cell(column, feature.value) for column, feature in zip(table.columns, features, strict=True)]


def _cell(column: Column, value: Any) -> float | int | None:
    if value is None:
        return None
    if column.is_categorical:
        return column.category_number(value)
    return days_in(value) if isinstance(value, str) else float(value)


def _ids(records: TrainingRecords) -> list[Any]:
    """What the caller calls the training rows."""
    return [plain_name(name) for name in records.ids]


def _members(records: TrainingRecords) -> dict[str, str]:
    """The training rows of every node, one node after the other, and where those of each start."""
    n_nodes = int(records.nodes.max(initial=-1)) + 1
    rows = [records.of_node(node) for node in range(n_nodes)]
    starts = np.cumsum([0, *(len(part) for part in rows)])
    return {"members": packed(np.concatenate(rows), "<i4"), "member_starts": packed(starts, "<i4")}


def _classes(state: ClassifierState) -> dict[str, Any]:
    """What the explanations of predicted classes are made of."""
    assert state.table is not None
    nodes = state.predictor.model.envelope.rows
    return {
        "kind": "classes",
        "classes": [plain_name(label) for label in state.classes],
        "space": portable_space(state.table, _metric_of(state), nodes),
        "parts": [_part(state, None)],
        "calibration": _calibration(state.calibration),
        "ids": _ids(state.records),
    }


def _ordered(state: OrdinalState) -> dict[str, Any]:
    """What the explanations of ordered classes are made of; its boundaries share the coordinates of their rows."""
    assert state.table is not None
    parts = [boundary.predictor.model.envelope.rows for boundary in state.boundaries]
    found: dict[str, Any] = {
        "kind": "ordered",
        "classes": [plain_name(label) for label in state.classes],
        "calibration": _calibration(state.calibration),
        "parts": [],
        "ids": [],
        "space": None,
    }
    if not parts:  # a single class has no boundaries, and nothing is compared
        return found
    points, places = shared_rows(parts)
    found["space"] = portable_space(state.table, _metric_of(state.boundaries[0]), points)
    found["parts"] = [_part(each, place) for each, place in zip(state.boundaries, places, strict=True)]
    found["ids"] = _ids(state.boundaries[0].records)
    return found


def _metric_of(state: ClassifierState | RegressorState) -> str:
    """The name of a metric that :func:`not_portable` lets pass."""
    assert isinstance(state.metric, Coordinates | Angular)
    return state.metric.name


def _part(state: ClassifierState, places: Ints | None) -> dict[str, Any]:
    """The problem of one classifier: its nodes, as places among all points, with their memberships."""
    model = state.predictor.model
    orientation = model.envelope.rows.orientation
    return {
        "classes": [plain_name(label) for label in state.classes],
        "places": None if places is None else packed(places, "<i4"),
        "starts": model.starts.tolist(),
        "beta": packed(model.beta),
        "opposition": packed(model.opposition) if model.n_classes != 2 else None,
        "tie_order": model.tie_order.tolist(),
        "ties": state.predictor.ties,
        "orientation": None if orientation is None else packed(orientation),
        **_members(state.records),
    }


def _calibration(calibration: Calibration | None) -> dict[str, Any] | None:
    """How often predictions were right on rows held out."""
    if calibration is None:
        return None
    return {
        "coefficients": calibration.coefficients.tolist(),
        "intercepts": calibration.intercepts.tolist(),
        "bends": list(BENDS),
        "knots": packed(calibration.knots),
        "levels": packed(calibration.levels),
        "confidences": packed(calibration.confidences),
        "cases": calibration.cases.tolist(),
        "right": calibration.right.tolist(),
    }


def _numbers(state: RegressorState) -> dict[str, Any]:
    """What predicted numbers and their bounds are made of."""
    assert state.table is not None
    extension, scale = state.extension, state.scale
    # As the explainer tells it: from where to where targets are usual, unless that is all of them.
    whole = type(scale).of(state.targets)
    usual = scale.ends if not scale.is_constant and scale != whole else None
    return {
        "space": portable_space(state.table, _metric_of(state), extension.envelope.rows),
        "gamma": state.gamma,
        "values": packed(extension.values),
        "targets": packed(state.targets),
        "farthest_bound": FARTHEST,
        "low": scale.low,
        "span": scale.span,
        "slope": state.slope,
        "usual": None if usual is None else list(usual),
        "interval": _interval(state),
        **_members(state.records),
    }


def _interval(state: RegressorState) -> dict[str, Any] | None:
    """What prediction intervals are made of: fitted quantiles, or how far predictions are off."""
    if not state.has_interval:
        return None
    share = float(state.params["interval"])
    if state.spread is not None:
        return {"share": share, **_spread(state.spread)}
    nodes = state.extension.envelope.rows
    assert all(same_rows(end.envelope.rows, nodes) for end in state.interval_ends)
    return {
        "share": share,
        "margin": state.interval_margin,
        "gammas": [end.envelope.gamma for end in state.interval_ends],
        "ends": [packed(end.values) for end in state.interval_ends],
    }


def _spread(spread: Spread) -> dict[str, Any]:
    """How far predictions are off: a regressor of its own."""
    return {
        "spread": _numbers(spread.state),
        "below": spread.below,
        "above": spread.above,
        "least": spread.least,
        "largest": LARGEST,
    }
