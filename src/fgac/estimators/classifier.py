"""The fuzzy granular approximation classifier as a scikit-learn estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats, Ints
from fgac.estimators._classifier_steps import ClassifierSteps
from fgac.estimators._counterfactuals import CounterfactualMixin
from fgac.granular.membership import Arguments, Memberships
from fgac.metrics.distances import Rows
from fgac.solve import Solution
from fgac.tables.labels import read_ids
from fgac.tables.validation import check_count

if TYPE_CHECKING:
    from fgac.explanation.classification import Explanations


class FGAClassifier(CounterfactualMixin, ClassifierSteps):
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
    metric : {"euclidean", "manhattan", "chebyshev", "angular", "learned", "precomputed"}, callable or object
        Distance between rows after scaling; "euclidean" by default. Euclidean is divided by the root of the number of
        columns, Manhattan by their number (a nominal column counts as many as it has categories), Chebyshev is the
        largest difference (the paper's supremum). "angular" is the angle between rows divided by pi, of numbers as
        they are: for embeddings, counts and pixels, of which only proportions mean something
        (:mod:`fgac.metrics.angular`); an unknown number is 0. With "precomputed", X is the matrix of distances to the
        training rows. "learned" is Manhattan on ranks with learned weights and a score (:mod:`fgac.tables.scores`), the
        best distance we know for most tables: it sets what ``scale`` and ``feature_weights`` leave open, and has no
        score where weights or ``monotonic_cst`` are given. A callable ``metric(A, B)``, or an object with such a
        method named ``pairwise``, returns all distances between two blocks of scaled rows, columns in the order of X,
        nominal ones as numbers (-1 for a category that training did not see, -2 for an unknown one); an unknown number
        is the one in the middle of its column.
    scale : {"auto", "range", "robust", "rank", None}, default="auto"
        What counts as a difference of 1 in a numeric column: its range, the range between its 1st and 99th
        percentile, or the number 1. With "rank", two values differ by the share of the training rows between them, so
        that a few values far out do not press all others together. "auto" is "rank" with the metric "learned", None
        with "angular", else "range".
    n_neighbors : int, float or None, default=None
        Train with the constraints between every row and its most similar rows of other classes only: that many, or
        that fraction of all rows. All rows at the distance of the last one are taken. This is the paper's
        approximation, for comparison; None is exact.
    neighbors_among : {"others", "all"}, default="others"
        Among whom the ``n_neighbors`` most similar rows are counted: the rows of other classes, the only ones that can
        constrain a row, or all rows, itself and its own class included, as the text of the paper has it (its published
        numbers have "others").
    owa : {"additive", "exponential", "inverse_additive"}, array, callable or None, default=None
        Weights of ordered weighted averages that replace the largest and smallest values in prediction, over all
        training rows (see :mod:`fgac.fuzzy.owa`); a pair such as ``("additive", 10)`` gives weights to the 10 most
        extreme values only. None takes the extreme values, which are the arguments.
    isomorphism : float, pair of functions, Isomorphism or None, default=None
        Use the connectives that an increasing bijection phi of [0, 1] makes of the Lukasiewicz ones: the exponent of
        a power, phi and its inverse, or an :class:`fgac.fuzzy.connectives.Isomorphism`. Similarity has to be transitive
        for them. ``max(0, 1 - gamma * distance)`` is, if phi is convex, as for exponents >= 1. For any other phi it is
        ``phi^-1`` of that: the degrees are then those of the Lukasiewicz connectives on another scale.
    categorical_features : "from_dtype", list of names, positions or bools, or None, default="from_dtype"
        Nominal columns, whose values are equal (difference 0) or not (difference 1). By default the category, string
        and bool columns of a frame, and those of objects that are not all numbers.
    feature_weights : array of shape (n_features,), dict, Series or "learned", default=None
        Multiplies the difference in each column; by the names of columns, those not named weigh 1. With "learned", a
        forest grown on the training rows says how much each column counts, see :mod:`fgac.tables.learned_weights`. None
        is 1 for every column, and "learned" with the metric of that name.
    monotonic_cst : array of shape (n_features,), dict or None, default=None
        For every column 1, -1 or 0, in their order or by their names or positions: whether more of it can only speak
        for the second of two classes, only for the first, or for either. In a column with 1 or -1 a row counts as
        different only if it is better than a row of the first class or worse than one of the second, so that
        predictions are monotone. For more than two classes see :class:`FGAOrdinalClassifier`. With ``owa`` all rows
        are averaged over for both classes: for the second class, what counts is by how much a row is below them, for
        the first by how much it is above.
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
    feature_weights_ : array of shape ``(n_features_in_,)``
        How much a difference in each column counts, learned or as given.
    n_features_in_ : int
    feature_names_in_ : array of shape ``(n_features_in_,)``
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
        scale: str | None = "auto",
        n_neighbors: float | None = None,
        neighbors_among: str = "others",
        owa: Any = None,
        isomorphism: Any = None,
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
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
        self.n_neighbors = n_neighbors
        self.neighbors_among = neighbors_among
        self.owa = owa
        self.isomorphism = isomorphism
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.ties = ties
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, ids: Any = None) -> Self:
        """Estimate the memberships of the training rows.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
            Cells of a table may be missing (nan, None, NA), here and in new rows; distances may not.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            A row of weight 2 counts as if it stood there twice, a row of weight 0 as if it were absent.
        ids : array of shape (n_samples,), optional
            What rows are called in explanations; by default the index of a pandas frame, or their positions.

        Returns
        -------
        self
        """
        self._set_state(self._learn(X, y, sample_weight, ids))
        return self

    @property
    def beta_(self) -> Floats:
        """Estimated membership of every training row in its own class."""
        check_is_fitted(self)
        return self._state.beta

    @property
    def solution_(self) -> Solution:
        """The solved problem, with its proof."""
        check_is_fitted(self)
        return self._state.solution

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
            Named tuple ``(arguments_for, arguments_against)``, each with ``indices`` of training rows (-1 where
            there are fewer; equal rows are one argument, that of the first), ``similarities``, ``memberships`` in
            their own class, ``strengths`` and ``degrees``, arrays of shape (n_samples, n_classes, n_arguments). A
            strength of 0 is no argument: the row is merely the nearest.
        """
        check_count("n_arguments", n_arguments)
        rows = self._read_rows(X)
        return self._state.predictor.model.arguments(rows, int(n_arguments), self._state.records.first_positions())

    def explain(
        self,
        X: Any,
        n_arguments: int = 3,
        *,
        y: Any = None,
        ids: Any = None,
        units: Any = None,
        merge_similarity: float = 0.95,
        audit: bool = False,
        about: Any = None,
        alternatives: int | bool = False,
        counterfactuals: Any = None,
        alike: float | None = None,
    ) -> Explanations:
        """Explain predictions: how sure they are, and the training rows that argue for and against them.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        n_arguments : int, default=3
            How many on each side.
        y : array of shape (n_samples,), optional
            The true classes, where they are known: explanations then tell.
        ids : array of shape (n_samples,), optional
            What these rows are called; by default the index of a pandas frame, or their positions.
        units : dict, optional
            Units of columns, as in ``{"age": "years"}``.
        merge_similarity : float, default=0.95
            Training rows of one class that are at least so similar to each other (``1 - d``, and ``1 - gamma d`` if
            that is less) are one argument, that of the strongest of them, so that three arguments are three different
            ones.
        audit : bool, default=False
            Whether the training rows with the most contradicted labels are added, as ``audit`` of the explanations:
            the first ten that :func:`fgac.audit` finds. HTML reports list them.
        about : label or array of shape (n_samples,), optional
            The class that bounds, degree and arguments are about, one for all rows or one per row: "why is it not
            that?" By default, and where it is None, the predicted one.
        alternatives : int or bool, default=False
            For how many other classes the same is told as well, those of the largest degree first; True is all. See
            ``about_class`` of the explanations.
        counterfactuals : bool or dict, optional
            Whether explanations say what would change the prediction: True, or a dict of settings of
            :meth:`counterfactuals`, as in ``{"target": "yes", "fixed": ["age"]}``.
        alike : float, optional
            Old name of ``merge_similarity``.

        Returns
        -------
        Explanations
            One :class:`~fgac.explanation.Explanation` per row. Print it, or use ``to_frame()``, ``to_json()`` and
            ``to_html()``.

        Examples
        --------
        >>> from fgac import FGAClassifier
        >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
        >>> why = clf.explain([[0.2]])[0]
        >>> why.prediction, round(why.degree, 2), round(why.certified_radius, 2)
        ('low', 0.9, 0.2)
        >>> [(a.id, round(a.strength, 2)) for a in why.arguments_for]
        [(1, 0.8), (0, 0.6)]

        Why is it not high? What speaks for low speaks against high, and nothing speaks for it:

        >>> other = clf.explain([[0.2]], about="high")[0]
        >>> other.prediction, other.subject, [(a.id, round(a.strength, 2)) for a in other.arguments_against]
        ('low', 'high', [(1, 0.8), (0, 0.6)])
        >>> other.arguments_for
        ()
        """
        from fgac.explainers.base import similarity_of
        from fgac.explainers.classification import explain

        rows, values = self._read_rows_and_values(X)
        return explain(
            self._state,
            rows,
            values,
            read_ids(ids, X, len(rows)),
            n_arguments=n_arguments,
            y=y,
            units=units,
            merge_similarity=similarity_of(merge_similarity, alike),
            audit=audit,
            about=about,
            alternatives=alternatives,
            counterfactuals=counterfactuals,
        )

    def _memberships(self, rows: Rows) -> Memberships:
        return self._state.predictor.memberships(rows)

    def _scores(self, rows: Rows) -> Floats:
        return self._state.predictor.memberships_and_scores(rows)[1]

    def _winners(self, rows: Rows) -> Ints:
        return self._state.predictor.winners(rows)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.monotonic_cst is None
        return tags
