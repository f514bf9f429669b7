"""What the estimators share: reading tables, labels and weights; and what classifiers do with scores of classes."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats, Ints
from fgac.estimators._batches import BatchMixin
from fgac.estimators._header import check_header, header_of
from fgac.estimators._state import ClassifierState, ClassState, FittedState, OrdinalState, RegressorState, state_of
from fgac.estimators._table_checks import check_frame, frame_or_array
from fgac.estimators._training import Header, TrainingTable
from fgac.granular.membership import Memberships
from fgac.metrics.distances import Rows, resolve_metric
from fgac.tables.column_values import ReadColumn
from fgac.tables.directions import check_lengths, compares_directions
from fgac.tables.frames import take_rows
from fgac.tables.reading import ReadTable
from fgac.tables.table import Table, learn_table
from fgac.tables.targets import target_name
from fgac.tables.training_rows import TrainingRows
from fgac.tables.validation import (
    check_distances,
    check_gamma,
    check_labels,
    check_option,
    check_sample_weight,
    class_weights,
)

SCALES = ("auto", "range", "robust", "rank", None)


class RowEstimator(BatchMixin, BaseEstimator):
    """What compares rows by a metric: reading of tables, and checks of the parameters below, which a subclass has.

    A subclass makes a state of what it has learned, and stores it by ``_set_state``.
    """

    gamma: Any
    metric: Any
    scale: Any
    categorical_features: Any
    feature_weights: Any
    monotonic_cst: Any = None
    n_jobs: Any
    # Whether classes have an order, in which they are numbered.
    _ordered_classes: ClassVar[bool] = False
    _state: FittedState

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        tags.input_tags.positive_only = self._precomputed
        tags.input_tags.allow_nan = not self._precomputed
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_state")

    def _repr_html_inner(self) -> str:
        """What ``_repr_html_`` of scikit-learn returns: its diagram, and below it what was learned."""
        return f"{super()._repr_html_inner()}{self._summary_html()}"

    def _repr_mimebundle_(self, **given: Any) -> dict[str, str]:
        """The same for notebooks that ask for all they can show; without diagrams, the text alone."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**given)
        if "text/html" in bundle:
            bundle["text/html"] += self._summary_html()
        return bundle

    def _summary_html(self) -> str:
        """What was learned, as a piece of HTML; nothing before the fit, of other kinds of models, or without jinja2."""
        if not isinstance(getattr(self, "_state", None), ClassifierState | OrdinalState | RegressorState):
            return ""
        from fgac.report.notebook import of_model, or_none

        return or_none(of_model, self._state) or ""

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def _names_columns(self) -> bool:
        """Whether the caller says which columns are nominal, rather than their types."""
        return self.categorical_features is not None and not isinstance(self.categorical_features, str)

    @property
    def _learned_metric(self) -> bool:
        """Whether ranks and learned weights are wanted by one word."""
        return isinstance(self.metric, str) and self.metric == "learned"

    @property
    def _by_direction(self) -> bool:
        """Whether only the proportions of the columns count."""
        return compares_directions(self.metric)

    @property
    def _scale(self) -> str | None:
        """What numbers are scaled by; "auto" is ranks with a learned metric, nothing with angles, else ranges."""
        if self.scale == "auto":
            return "rank" if self._learned_metric else None if self._by_direction else "range"
        scale: str | None = self.scale
        return scale

    @property
    def _learns_weights(self) -> bool:
        if self.feature_weights is None:
            return self._learned_metric
        return isinstance(self.feature_weights, str) and self.feature_weights == "learned"

    @property
    def _learns_score(self) -> bool:
        """Whether a learned metric has all its parts: none is given by the user, and no column has a direction."""
        free = self.feature_weights is None and self.monotonic_cst is None
        return self._learned_metric and free

    @property
    def feature_weights_(self) -> Floats:
        """How much a difference in each column counts, learned or as given."""
        return np.array([column.weight for column in self._fitted_table("feature_weights_").columns])

    @property
    def score_weights_(self) -> Floats:
        """By how much each column changes the score at most; 0 where there is no score.

        Of classes these are log-odds; of numbers, shares of the range of the targets. A score is part of
        ``metric="learned"``, see :mod:`fgac.tables.scores`.
        """
        table = self._fitted_table("score_weights_")
        return np.array([table.score_of_column(j) for j in range(len(table.columns))])

    def _fitted_table(self, asked: str) -> Table:
        """What fit has decided about the columns, for an attribute that is about these."""
        check_is_fitted(self)
        if self._state.table is None:
            raise AttributeError(f"{asked}: with metric='precomputed' there are distances, but no columns")
        return self._state.table

    def _plain_params(self) -> dict[str, Any]:
        """Parameters of the plain estimator of this kind, which does not choose gamma."""
        return self.get_params(deep=False)

    def _set_state(self, state: FittedState) -> None:
        """Become what was learned. Nothing here can fail, so no fit leaves an estimator half-way."""
        self._state = state
        # scikit-learn reads these two off the estimator when it checks new tables.
        self.n_features_in_ = state.header.n_features
        if state.header.names is not None:
            self.feature_names_in_ = state.header.names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    # ------------------------------------------------------------------------------------------------
    # Training tables
    # ------------------------------------------------------------------------------------------------

    def _check_training_table(self, X: Any, y: Any) -> tuple[Any, Header]:
        """Check shape and type of a training table, and take down its columns; what has been read stays as it is."""
        if isinstance(X, ReadTable):
            return X, Header(len(X.names), None)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None; expected one "
                "class or number per row"
            )
        X = self._frame_or_array(X)
        header = header_of(X)
        return check_frame(X, self, distances=self._precomputed), header

    def _learn_rows(
        self, X: Any, present: Ints, weight: Floats, target: Any, factors: Any = 1.0
    ) -> tuple[Table | None, Rows, list[ReadColumn]]:
        """Learn how to read tables, and read those rows of one that are present.

        What is to be predicted, and the factors that classes add to the weights, only matter where weights of
        columns are learned.
        """
        if self._precomputed:
            check_distances(X, square=True)
            return None, Rows(X[present], present[:, None].astype(np.int32), np.empty(0)), []
        table, values = learn_table(
            take_rows(X, present),
            metric=self.metric,
            scale=self._scale,
            categorical_features=self.categorical_features,
            feature_weights=None if self._learns_weights else self.feature_weights,
            sample_weight=weight,
            monotonic_cst=self.monotonic_cst,
        )
        numbers = isinstance(self, RegressorMixin)
        if self._learns_weights:
            from fgac.tables.learned_weights import learn_weights

            table = table.weighted(
                *learn_weights(table, values, target, weight * factors, self.metric, regression=numbers)
            )
        if self._learns_score:
            from fgac.tables.learned_scores import with_score

            ordered = self._ordered_classes
            table = with_score(table, values, target, weight * factors, regression=numbers, ordered=ordered)
        rows = table.training_rows(values)
        if self._by_direction:
            check_lengths(rows, table.columns, values)
        return table, rows, values

    # ------------------------------------------------------------------------------------------------
    # New tables
    # ------------------------------------------------------------------------------------------------

    def _read_rows(self, X: Any) -> Rows:
        """Read new rows as fit has learned to."""
        return self._read_rows_and_values(X)[0]

    def _read_rows_and_values(self, X: Any) -> tuple[Rows, list[ReadColumn]]:
        """Read new rows as fit has learned to, and the values of their columns (none of distances)."""
        check_is_fitted(self)
        if isinstance(X, Rows):  # cross-validation has read them, once for all gammas
            return X, []
        if isinstance(X, ReadTable):
            return read_rows(self._state.table, X)
        X = self._frame_or_array(X)
        check_columns(self, X)
        return read_rows(self._state.table, check_frame(X, self, distances=self._precomputed))

    def _frame_or_array(self, X: Any) -> Any:
        """A frame that can be read by name, or an array of numbers, or of names where the caller says so."""
        return frame_or_array(X, self, distances=self._precomputed, names=self._names_columns)

    def _check_parameters(self) -> None:
        """Refuse wrong parameters before anything is computed."""
        self._check_common_parameters()

    def _check_common_parameters(self) -> None:
        """Refuse wrong values of the parameters that all these estimators have, before anything is computed."""
        check_gamma("gamma", self.gamma)
        check_option("scale", self.scale, SCALES)
        resolve_metric(self.metric)
        if self._precomputed and (self.feature_weights is not None or self._names_columns):
            raise ValueError(
                "feature_weights and categorical_features speak of columns, but with metric='precomputed' X holds "
                "distances; apply them where the distances are computed"
            )
        if self._by_direction and self.scale == "rank":
            raise ValueError(
                "scale='rank' with metric='angular': ranks are counted from the smallest value of a column, not from "
                "0, and so change the direction of every row; expected 'auto' or None (numbers as they are), 'range' "
                "or 'robust' (divided by the spread of their column), or another metric"
            )
        whole_rows = self._precomputed or self._by_direction or not isinstance(self.metric, str)
        if self.monotonic_cst is not None and whole_rows:
            raise ValueError(
                f"monotonic_cst needs a metric that looks at single columns: 'euclidean', 'manhattan' or 'chebyshev', "
                f"got metric={self.metric!r}"
            )
        if self.n_jobs is not None and (not isinstance(self.n_jobs, int | np.integer) or self.n_jobs == 0):
            raise ValueError(f"n_jobs={self.n_jobs!r} must be a number of threads, -1 for all, or None for one")


class RowClassifier(ClassifierMixin, RowEstimator):
    """A classifier that compares rows by a metric.

    A subclass reads the training table by ``_read_classes`` in its ``fit``, and says what that makes of new rows in
    ``_memberships`` and ``_scores``.
    """

    _state: ClassState

    @property
    def classes_(self) -> NDArray[Any]:
        """Labels of the classes."""
        check_is_fitted(self)
        return self._state.classes

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the largest degree of membership.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
        """
        winners = self._winners(self._read_rows(X))
        return self._state.classes[winners]

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, if the model was calibrated on rows held out; else degrees made to sum to 1.

        The searches over gamma calibrate (``calibrate=True``): their probabilities are frequencies. The prediction is
        the class with the largest degree, fair to small classes where these are balanced, and need not be the most
        probable one. Degrees are degrees of truth; ties are broken in the last digits, so that without calibration
        the largest entry is always the prediction.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_classes)
        """
        scores = self._scores(self._read_rows(X))  # first: this says kindly that there is no state
        return self._state.probabilities(scores)

    def decision_function(self, X: Any) -> Floats:
        """Degrees of membership, ties broken; with two classes, that of the second minus that of the first.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._scores(self._read_rows(X))
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def memberships(self, X: Any) -> Memberships:
        """Lower bound, upper bound and degree of membership in every class.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        Memberships
            Named tuple ``(lower, upper, degree)`` of arrays of shape (n_samples, n_classes).
        """
        return self._memberships(self._read_rows(X))

    def _memberships(self, rows: Rows) -> Memberships:
        """Bounds and degrees of rows that have been read."""
        raise NotImplementedError

    def _scores(self, rows: Rows) -> Floats:
        """Degrees in which ties have been broken: their largest entry is the prediction."""
        raise NotImplementedError

    def _winners(self, rows: Rows) -> Ints:
        """Numbers of the classes that are predicted, among those of the state."""
        return np.argmax(self._scores(rows), axis=1)

    def _numbered(self, y: Any, classes: NDArray[Any], codes: Ints) -> tuple[NDArray[Any], Ints]:
        """Classes in the order in which they are numbered, and the numbers of labels; both come sorted."""
        return classes, codes

    def _read_classes(self, X: Any, y: Any, sample_weight: Any) -> tuple[TrainingTable, NDArray[Any]]:
        """Learn classes and how to read tables, and read the training rows of positive weight."""
        X, header = self._check_training_table(X, y)
        labels = check_labels(y, len(X))
        weight = check_sample_weight(sample_weight, len(X))
        present = np.flatnonzero(weight > 0)
        classes, codes = self._numbered(y, *np.unique(labels[present], return_inverse=True))
        factors = class_weights(getattr(self, "class_weight", None), classes, codes, weight[present])
        table, rows, values = self._learn_rows(X, present, weight[present], codes, factors[codes])
        read = TrainingRows(rows, values, codes, weight[present], present, len(X))
        return TrainingTable(header, table, read, target_name(y, header.names)), classes


class ReadingSettings(NamedTuple):
    """What the parameters of an estimator say of how tables are read, "auto" and the like resolved."""

    metric: Any
    scale: str | None
    categorical_features: Any
    feature_weights: Any
    monotonic_cst: Any
    learns_weights: bool
    learns_score: bool
    by_direction: bool
    names_columns: bool
    regression: bool


def reading_settings(estimator: RowEstimator) -> ReadingSettings:
    """How an estimator reads tables, for those who read one in several places."""
    return ReadingSettings(
        estimator.metric,
        estimator._scale,
        estimator.categorical_features,
        None if estimator._learns_weights else estimator.feature_weights,
        estimator.monotonic_cst,
        estimator._learns_weights,
        estimator._learns_score,
        estimator._by_direction,
        estimator._names_columns,
        isinstance(estimator, RegressorMixin),
    )


def check_parameters(estimator: RowEstimator) -> None:
    """Refuse wrong parameters of an estimator, for those who fit in its place."""
    estimator._check_parameters()


def check_columns(estimator: RowEstimator, X: Any) -> None:
    """Refuse a table that has other columns than the training table of a fitted estimator."""
    state = state_of(estimator)
    names = [] if state.table is None else [column.name for column in state.table.columns]
    check_header(X, state.header, names, type(estimator).__name__)


def read_rows(table: Table | None, X: Any) -> tuple[Rows, list[ReadColumn]]:
    """Rows of a checked table as ``table`` reads them, and the values of their columns; of distances, as they are."""
    if table is None:
        check_distances(X)
        return Rows(X, np.empty((len(X), 0), dtype=np.int32), np.empty(0)), []
    values = table.read(X)
    return table.rows(values), values


def read_new_rows(estimator: RowEstimator, X: Any) -> tuple[Rows, list[ReadColumn]]:
    """Rows of a new table as a fitted estimator reads them, and the values of their columns (none of distances).

    The table is checked as ``predict`` checks it. For those outside of the estimators who ask a state, which knows rows
    but no tables.
    """
    return estimator._read_rows_and_values(X)
