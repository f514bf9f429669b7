"""The fuzzy granular approximation classifier as a scikit-learn estimator."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from fgac.distances import Floats, Ints, Rows, resolve_metric
from fgac.envelope import Envelope
from fgac.frames import is_frame, is_missing, take_rows
from fgac.granular import own_memberships
from fgac.membership import Arguments, Memberships, granular_model
from fgac.nodes import merge
from fgac.tables import learn_table
from fgac.weights import check_sample_weight, class_weights

LOSSES = ("squared_error", "absolute_error")
SCALES = ("range", "robust", None)
TIES = ("nearest", "first")


class FGAClassifier(ClassifierMixin, BaseEstimator):
    """Fuzzy granular approximation classifier: exact, and able to say why.

    Training estimates how much every row belongs to its own class, given that similar rows should
    belong alike: the exact solution of a convex problem, with a proof. A new row belongs to a class
    at least as much as the most similar well-established row of that class demands (lower bound)
    and at most as much as the rows of other classes allow (upper bound); the class with the largest
    mean of the two is predicted. The rows behind the bounds are the arguments for and against.

    Parameters
    ----------
    gamma : float, default=1.0
        How fast similarity ``max(0, 1 - gamma * distance)`` falls. Large values trust single rows, small
        ones smooth over many: the parameter to tune.
    loss : {"squared_error", "absolute_error"}, default="squared_error"
        What is minimised between labels and estimated memberships. Absolute error has many optima; the one with the
        least squared error is taken.
    metric : {"euclidean", "manhattan", "chebyshev", "precomputed"}, callable or object, default="euclidean"
        Distance between rows after scaling. Euclidean is divided by the root of the number of columns,
        Manhattan by their number (a nominal column counts as many as it has categories), Chebyshev is the
        largest difference (the paper's supremum). With "precomputed", X is the matrix of distances to the
        training rows. A callable ``metric(A, B)``, or an object with such a method named ``pairwise``, returns
        all distances between two blocks of scaled rows, columns in the order of X, nominal ones as numbers.
    scale : {"range", "robust", None}, default="range"
        What counts as a difference of 1 in a numeric column: its range, the range between its 1st and 99th
        percentile, or the number 1.
    categorical_features : "from_dtype", list of names, positions or bools, or None, default="from_dtype"
        Nominal columns, whose values are equal (difference 0) or not (difference 1). By default the category,
        object, string and bool columns of pandas and polars frames.
    feature_weights : array of shape (n_features,), default=None
        Multiplies the difference in each column.
    class_weight : dict, "balanced" or None, default=None
        Weights of classes; "balanced" acts exactly as repeating the rows of small classes.
    ties : {"nearest", "first"}, default="nearest"
        Who wins when two classes have the same degree, as for rows that resemble nothing: the class with the
        larger unclipped lower bound, or the first in ``classes_`` (the paper's rule).
    tol : float, default=1e-10
        Largest violation of a constraint that is accepted in training.
    n_jobs : int, default=None
        Threads; None is 1 unless in a :func:`joblib.parallel_config` context, -1 is all.
    verbose : int, default=0
        Print the progress of training if positive.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    beta_ : array of shape (n_samples,)
        Estimated membership of every training row in its own class; nan for rows of weight 0. The lower it is, the
        more the rest of the data contradicts the label: rank rows by it. How low is suspicious depends on gamma and
        on how common the class is (``class_weight="balanced"`` takes the latter out).
    solution_ : Solution
        The solved problem with its proof: ``solution_.is_optimal()``, ``largest_violation``, ``duality_gap``.
        Its nodes are the distinct rows of positive weight, sorted by class and value.
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features_in_,)
        Only if X has column names.

    References
    ----------
    M. Palangetić, C. Cornelis, S. Greco, R. Słowiński, "Fuzzy granular approximation classifier".

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> clf.predict([[0.2]])
    array(['low'], dtype='<U4')
    >>> clf.memberships([[0.2]]).degree.round(2)
    array([[0.1, 0.9]])
    """

    def __init__(
        self,
        *,
        gamma: float = 1.0,
        loss: str = "squared_error",
        metric: Any = "euclidean",
        scale: str | None = "range",
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        class_weight: Any = None,
        ties: str = "nearest",
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.gamma = gamma
        self.loss = loss
        self.metric = metric
        self.scale = scale
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.class_weight = class_weight
        self.ties = ties
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        tags.input_tags.positive_only = self._precomputed
        return tags

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def _names_columns(self) -> bool:
        """Whether the caller says which columns are nominal, rather than their types."""
        return self.categorical_features is not None and not isinstance(self.categorical_features, str)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Estimate the memberships of the training rows.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            A row of weight 2 counts as if it stood there twice, a row of weight 0 as if it were absent.

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._check_table(X, y, reset=True)
        y = _check_labels(y, len(X))
        weight = check_sample_weight(sample_weight, len(X))
        present = np.flatnonzero(weight > 0)
        self.classes_, codes = np.unique(y[present], return_inverse=True)
        rows = self._learn_rows(X, present, weight[present])
        weight = weight[present] * class_weights(self.class_weight, self.classes_, codes, weight[present])[codes]
        nodes = merge(rows, codes, len(self.classes_), weight, distinct=self._precomputed)
        metric = resolve_metric(self.metric)
        beta, self.solution_ = own_memberships(
            nodes,
            metric,
            float(self.gamma),
            loss=self.loss,
            tol=self.tol,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )
        cones = Envelope(nodes.rows, metric, float(self.gamma), self.n_jobs)
        self._model = granular_model(cones, beta, nodes, coordinates=not self._precomputed)
        self._first_row = present[nodes.first]
        self.beta_ = np.full(len(X), np.nan)
        self.beta_[present] = beta[nodes.node_of_row]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the largest degree of membership.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
        """
        chosen = np.argmax(self._scores(X), axis=1)
        return self.classes_[chosen]

    def predict_proba(self, X: Any) -> Floats:
        """Degrees of membership, made to sum to 1. They are degrees of truth, not calibrated frequencies.

        Ties are broken in the last digits, so that the largest entry is always the prediction.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_classes)
        """
        scores = self._scores(X)
        return scores / scores.sum(axis=1, keepdims=True)

    def decision_function(self, X: Any) -> Floats:
        """Degrees of membership, ties broken; with two classes, that of the second minus that of the first.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._scores(X)
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
        rows = self._rows(X)
        return self._model.memberships(rows)[0]

    def arguments(self, X: Any, n_arguments: int = 3) -> Arguments:
        """Training rows that speak for and against every class, strongest first.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        n_arguments : int, default=3
            How many on each side.

        Returns
        -------
        Arguments
            Named tuple ``(favour, against)``, each with ``indices`` of training rows (-1 where there are
            fewer; equal rows are told once, by the first), ``similarities``, ``memberships`` in their own class,
            ``strengths`` and ``degrees``, arrays of shape (n_samples, n_classes, n_arguments). A strength of 0 is
            no argument: the row is merely the nearest.
        """
        if isinstance(n_arguments, bool) or not isinstance(n_arguments, int | np.integer) or n_arguments < 1:
            raise ValueError(f"n_arguments={n_arguments!r} must be a whole number >= 1")
        rows = self._rows(X)
        return self._model.arguments(rows, int(n_arguments), self._first_row)

    def _scores(self, X: Any) -> Floats:
        rows = self._rows(X)
        return self._model.scores(rows, self.ties)

    def _rows(self, X: Any) -> Rows:
        """Read new rows as fit has learned to."""
        check_is_fitted(self)
        X = self._check_table(X, "no_validation", reset=False)
        if self._precomputed:
            _check_distances(X)
            return Rows(X, np.empty((len(X), 0), dtype=np.int32), np.empty(0))
        return self._table(X)

    def _learn_rows(self, X: Any, present: Ints, weight: Floats) -> Rows:
        """Learn how to read tables, and read the training rows of positive weight."""
        if self._precomputed:
            _check_distances(X, square=True)
            return Rows(X[present], present[:, None].astype(np.int32), np.empty(0))
        X = take_rows(X, present)
        self._table, rows = learn_table(
            X,
            metric=self.metric,
            scale=self.scale,
            categorical_features=self.categorical_features,
            feature_weights=self.feature_weights,
            sample_weight=weight,
        )
        return rows

    def _check_table(self, X: Any, y: Any, *, reset: bool) -> Any:
        """Check shape and type of a table; frames stay frames."""
        if hasattr(X, "collect"):
            raise TypeError("X is a lazy frame; call its collect() first")
        if not is_frame(X):
            finite = self._precomputed  # tables are checked column by column, so that errors name columns
            X = self._check_array(X, finite)
        validate_data(self, X, y, reset=reset, skip_check_array=True)
        if is_frame(X):
            if self._precomputed:
                X = check_array(X, dtype=np.float64, estimator=self, input_name="X")
            elif 0 in X.shape:
                raise ValueError(f"Found a table of shape {X.shape} with 0 sample(s) or 0 feature(s); expected some")
        return X

    def _check_array(self, X: Any, finite: bool) -> NDArray[Any]:
        """Plain arrays are numbers unless the caller names nominal columns."""
        dtype = np.float64 if self._precomputed or not self._names_columns else None
        try:
            return check_array(X, dtype=dtype, ensure_all_finite=finite, estimator=self, input_name="X")
        except ValueError as error:
            if "could not convert string" not in str(error):
                raise
            raise ValueError(
                f"X is an array that holds text ({error}); expected numbers. Give a pandas or polars frame, or name "
                "the nominal columns in categorical_features"
            ) from error

    def _check_parameters(self) -> None:
        """Refuse wrong parameters before anything is computed."""
        _check_positive("gamma", self.gamma)
        _check_positive("tol", self.tol)
        _check_option("loss", self.loss, LOSSES)
        _check_option("scale", self.scale, SCALES)
        _check_option("ties", self.ties, TIES)
        resolve_metric(self.metric)
        if not isinstance(self.verbose, int | np.integer):
            raise ValueError(f"verbose={self.verbose!r} must be a whole number; 0 is silent")
        if self._precomputed and (self.feature_weights is not None or self._names_columns):
            raise ValueError(
                "feature_weights and categorical_features speak of columns, but with metric='precomputed' X holds "
                "distances; apply them where the distances are computed"
            )
        if self.n_jobs is not None and (not isinstance(self.n_jobs, int | np.integer) or self.n_jobs == 0):
            raise ValueError(f"n_jobs={self.n_jobs!r} must be a number of threads, -1 for all, or None for one")


def _check_positive(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} is of type {type(value).__name__}; expected a positive number")
    if not (0 < float(value) < np.inf):
        raise ValueError(f"{name}={value!r} must be a positive finite number")


def _check_option(name: str, value: Any, options: tuple[Any, ...]) -> None:
    if not any(value is option or (isinstance(value, str) and value == option) for option in options):
        raise ValueError(f"{name}={value!r} is unknown; expected one of {', '.join(map(repr, options))}")


def _check_labels(y: Any, n: int) -> NDArray[Any]:
    if hasattr(y, "isna") and getattr(y.dtype, "kind", "") in "iu" and not y.isna().any():
        y = y.to_numpy(dtype=np.int64)  # scikit-learn turns pandas' own integers into floats
    labels = column_or_1d(y, warn=True)
    if len(labels) != n:
        raise ValueError(f"X has {n} rows and y has {len(labels)} labels; expected as many labels as rows")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("Input y contains NaN or infinity; leave these rows out")
    if labels.dtype.kind == "O" and any(map(is_missing, labels.tolist())):
        raise ValueError("y contains missing labels (None or NaN); leave these rows out")
    check_classification_targets(labels)
    return labels


def _check_distances(X: Floats, *, square: bool = False) -> None:
    if (X < 0).any():
        raise ValueError(f"Negative values in data: precomputed distances must be >= 0, got {X.min()}")
    if square and X.shape[0] != X.shape[1]:
        raise ValueError(
            f"metric='precomputed' needs the square matrix of distances between the training rows, got shape {X.shape}"
        )
    slack = 1e-8 * max(1.0, float(X.max(initial=0.0)))
    if square and (np.abs(X - X.T).max(initial=0.0) > slack or np.abs(np.diag(X)).max(initial=0.0) > slack):
        raise ValueError("precomputed distances must be symmetric with zeros on the diagonal")
