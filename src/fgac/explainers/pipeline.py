"""Explanations through a pipeline: in the caller's columns and values, not in those that its last step was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from fgac.estimators._state import OrdinalState, RegressorState, state_of
from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.explainers.base import check_units
from fgac.explainers.callers_columns import CallersColumns, Cells, TrainingCells
from fgac.explainers.lineage import Lineage, lineage
from fgac.explainers.regression import TARGET
from fgac.explanation.classification import Argument, Explanation
from fgac.explanation.contrast import Contrast
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.explanation.regression import RegressionArgument, RegressionExplanation
from fgac.tables.containers import as_table
from fgac.tables.frames import names_of
from fgac.tables.labels import read_ids
from fgac.tables.training_rows import TrainingRecords

MODELS = (FGAClassifier, FGAOrdinalClassifier, FGARegressor)


def explain(model: Any, X: Any, n_arguments: int = 3, *, X_train: Any = None, **settings: Any) -> Any:
    """Explain predictions of a model, or of a pipeline that ends in one, in the columns and values of X.

    In front of the model, columns may have been scaled, encoded, filled in, selected or left out. Explanations speak of
    the columns of X: what the transformed columns of one of them contribute is added up, so that shares still sum to 1;
    degrees, strengths and distances are those of the model. Training rows are shown with the values that ``X_train``
    has, or else with what the steps can take back: scaled numbers, and categories behind codes and one-hot columns. A
    number that an imputer filled in is then shown as if it had been known. A column that several columns were made into
    one of, as by PCA, stands as it is, with "(transformed)" after its name.

    How far a column alone may change is told where the column was only scaled or moved; 0 where nothing is guaranteed.

    Parameters
    ----------
    model : FGAClassifier, FGAOrdinalClassifier, FGARegressor, one of these with CV, or a Pipeline that ends in one
        Fitted.
    X : frame or array of shape (n_samples, n_columns)
        Rows to explain, as ``model.predict`` takes them.
    n_arguments : int, default=3
        How many on each side.
    X_train : frame or array, optional
        The table that the pipeline was fitted to, before any step. Rows are found by their position; or by the index of
        a pandas frame, if it has other rows and the model was given ids from there.
    **settings
        ``y``, ``ids``, ``units``, ``merge_similarity``, ``audit``, ``about`` and ``alternatives``, as ``explain`` of
        the model takes them; units are those of the columns of X. ``counterfactuals`` only without other steps in front
        of the model.

    Returns
    -------
    Explanations, OrdinalExplanations or RegressionExplanations

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> import fgac
    >>> model = make_pipeline(StandardScaler(), fgac.FGAClassifier(gamma=2.0))
    >>> model = model.fit([[20.0], [30.0], [60.0], [70.0]], ["no", "no", "yes", "yes"])
    >>> why = fgac.explain(model, [[35.0]])[0]
    >>> why.prediction, why.attributes[0].value, why.arguments_for[0].attributes[0].value
    ('no', 35.0, 30.0)
    """
    steps = _steps(model)
    last = steps[-1]
    if not isinstance(last, MODELS):
        raise TypeError(
            f"explain takes a fitted model of fgac, or a Pipeline that ends in one, got {_kind(model, last)}; give the "
            "best_estimator_ of a search, and the parts of anything else"
        )
    if len(steps) == 1:
        return last.explain(X, n_arguments, **settings)
    if settings.get("counterfactuals"):
        raise ValueError(
            f"counterfactuals={settings['counterfactuals']!r}: what would change a prediction is told in the columns "
            "of the model, and not every step of a pipeline can take changed values back. Leave it out; or fit the "
            "model to the table itself, for it takes categories, dates and missing cells as they are; or ask the last "
            "step, model[-1].counterfactuals(model[:-1].transform(X)), which answers in transformed columns"
        )
    return _Explained(steps, X, X_train).explain(n_arguments, **settings)


def _steps(model: Any) -> list[Any]:
    """The steps of a pipeline, those of a pipeline within it included; anything else is one step."""
    if not isinstance(model, Pipeline):
        return [model]
    *steps, (_, last) = model.steps
    return [*(step for _, step in steps), *_steps(last)]


def _kind(model: Any, last: Any) -> str:
    name = type(last).__name__ if not isinstance(last, str) else repr(last)
    return f"a Pipeline that ends in {name}" if isinstance(model, Pipeline) else name


class _Explained:
    """A pipeline with the rows that it is to explain."""

    def __init__(self, steps: Sequence[Any], X: Any, X_train: Any) -> None:
        *before, self.model = steps
        check_is_fitted(self.model)
        self.X = X
        table = as_table(X)
        self.names = names_of(table) if hasattr(table, "shape") else [str(j) for j in range(len(table[0]))]
        self.names = [f"x{name}" if name.isdigit() else name for name in self.names]
        self.rows = Cells.of(table)
        self.transformed = X
        for step in before:
            if step is not None and not isinstance(step, str):
                self.transformed = step.transform(self.transformed)
        front = Pipeline([(str(i), step) for i, step in enumerate(before)])
        chain = lineage(front, len(self.names))
        self.columns = CallersColumns.of(chain, self.names, _names_after(front, state_of(self.model).column_names))
        self.training = self._training(chain, X_train)

    def _training(self, chain: Lineage, X_train: Any) -> TrainingCells:
        """The training rows in the caller's columns: as given, or taken back from what the model keeps."""
        records = _records(self.model)
        if X_train is not None:
            table = as_table(X_train, "X_train")
            n_columns = len(Cells.of(table).columns)
            if n_columns != len(self.names):
                raise ValueError(f"X_train has {n_columns} columns and X has {len(self.names)}; expected the same ones")
            return TrainingCells.given(table, X_train, _n_rows(self.model), records)
        if records is None or records.values is None:
            return TrainingCells.unknown(len(self.names))
        return TrainingCells.taken_back(chain.back(list(records.values)), records.positions)

    def explain(
        self, n_arguments: int, *, units: Mapping[str, str] | None = None, ids: Any = None, **settings: Any
    ) -> Any:
        """Explanations by the model, with the caller's columns in place of its own."""
        target = TARGET if isinstance(self.model, FGARegressor) and TARGET not in self.names else None
        known = dict(check_units(units, tuple(self.names), target))
        inner = {TARGET: known[TARGET]} if target in known and target is not None else None
        names = read_ids(ids, self.X, self.rows.n_rows)
        found = self.model.explain(self.transformed, n_arguments, ids=names, units=inner, **settings)
        items = tuple(self._item(item, known) for item in found)
        return replace(found, items=items, model=replace(found.model, n_features=len(self.names)))

    def _item(self, e: Any, units: Mapping[str, str]) -> Any:
        """One explanation, with all its parts."""
        told: dict[str, Any] = {"attributes": self._row(e, units), "unknown": self._unknown(e)}
        told["beyond"] = self._beyond(e)
        if isinstance(e, RegressionExplanation):
            for side in ("at_least", "at_most"):
                told[side] = tuple(self._argument(argument, e) for argument in getattr(e, side))
            return replace(e, **told)
        case = self._boundaries if isinstance(e, OrdinalExplanation) else self._case
        told |= case(e, e, units)
        told["alternatives"] = tuple(replace(other, **case(other, e, units)) for other in e.alternatives)
        if isinstance(e, Explanation) and e.nearest is not None:
            told["nearest"] = self._argument(e.nearest, e)
        return replace(e, **told)

    def _boundaries(self, case: Any, e: Any, units: Mapping[str, str]) -> dict[str, Any]:
        """What is said about one of several ordered classes."""
        parts = {name: getattr(case, name) for name in ("at_least", "at_most")}
        return {name: None if part is None else self._item(part, units) for name, part in parts.items()}

    def _case(self, case: Any, e: Any, units: Mapping[str, str]) -> dict[str, Any]:
        """What is said about one class, by an explanation or one of its alternatives."""
        told: dict[str, Any] = {
            side: tuple(self._argument(argument, e) for argument in getattr(case, side))
            for side in ("arguments_for", "arguments_against")
        }
        told["contrast"] = None if case.contrast is None else self._contrast(case.contrast, e)
        return told

    def _contrast(self, contrast: Contrast, e: Any) -> Contrast:
        here, rows, compared = self.rows.row(e.index), [], []
        for row, parts in zip((contrast.first_row, contrast.second_row), contrast.comparisons(), strict=True):
            alike = tuple(self.training.name(other) for other in row.alike)
            rows.append(replace(row, id=self.training.name(row.id), alike=alike))
            compared.append(self.columns.compare(parts, here, self.training.row(row.index, row.id)))
        classes = contrast.first, contrast.second
        return Contrast.between(classes, (rows[0], rows[1]), (compared[0], compared[1]))

    def _row(self, e: Any, units: Mapping[str, str]) -> tuple[Any, ...]:
        return self.columns.features(e.attributes, self.rows.row(e.index), units)

    def _unknown(self, e: Any) -> tuple[str, ...]:
        values = self.rows.row(e.index)
        return tuple(column.name for column in self.columns.columns if column.is_unknown(values))

    def _beyond(self, e: Any) -> tuple[str, ...]:
        """Columns of the caller's of which something that the model sees lies beyond its training rows."""
        found = [feature.name in e.beyond for feature in e.attributes]
        return tuple(column.name for column in self.columns.columns if found and any(found[k] for k in column.parts))

    def _argument(self, argument: Argument | RegressionArgument, e: Any) -> Any:
        there = self.training.row(argument.index, argument.id)
        compared = self.columns.compare(argument.attributes, self.rows.row(e.index), there)
        alike = tuple(self.training.name(other) for other in argument.alike)
        return replace(argument, id=self.training.name(argument.id), alike=alike, attributes=compared)


def _names_after(front: Pipeline, names: Sequence[str]) -> Sequence[str]:
    """What the steps call their columns, if they say so and the model has no names of its own."""
    if any(name != f"x{j}" for j, name in enumerate(names)):
        return names
    try:
        found = [str(name) for name in front.get_feature_names_out()]
    except (AttributeError, ValueError, TypeError):  # a step without names
        return names
    return found if len(found) == len(names) else names


def _records(model: Any) -> TrainingRecords | None:
    """The training rows as the model knows them; of ordered classes, those of any boundary."""
    state = state_of(model)
    if isinstance(state, OrdinalState):
        return state.boundaries[0].records if state.boundaries else None
    records: TrainingRecords = state.records
    return records


def _n_rows(model: Any) -> int:
    """How many rows the model was fitted to, those of weight 0 included."""
    state = state_of(model)
    return len(state.fitted_values if isinstance(state, RegressorState) else state.beta)
