"""The model for every gamma at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.estimators._plain import plain_estimator
from fgac.estimators._training import TrainingSet, scattered
from fgac.estimators.classifier import FGAClassifier
from fgac.granular.training import form, memberships_of, whole_path
from fgac.metrics.distances import resolve_metric
from fgac.selection.folds import changed
from fgac.solve import MetricConstraints, Problem, Solution, prove
from fgac.solve.path import EdgePath
from fgac.tables.validation import check_gamma


@dataclass(frozen=True, eq=False, repr=False)
class GammaPath:
    """The exact solution of :class:`~fgac.FGAClassifier` for every gamma from infinity down to ``gamma_min``.

    Made by :func:`fgac.path`. Memberships are piecewise linear in gamma: they bend where a constraint between two rows
    becomes tight, or ceases to be.

    Attributes
    ----------
    gamma_min, gamma_max : float
        Below the first nothing is known; above the second nothing changes any more (0 if nothing ever does).
    breakpoints : array
        The gammas at which memberships bend, falling.
    n_events : int
        Constraints that became tight or ceased to be; several may share a gamma.
    largest_violation : float
        Largest violation of a constraint, over all pairs of rows, that any stage of the walk ended with. Ties are taken
        apart by lengthening distances by up to 1e-12 of themselves, which is what is seen here.
    classes_ : array of shape (n_classes,)

    Examples
    --------
    >>> import fgac
    >>> path = fgac.path([[0.0], [0.4], [1.0]], ["low", "high", "high"])
    >>> path, path.breakpoints.round(3)
    (<GammaPath of 2 events, gamma from 2.5 to 0.5>, array([2.5  , 0.625]))
    """

    _plain: FGAClassifier
    _training: TrainingSet
    _edges: EdgePath

    def __repr__(self) -> str:
        return f"<GammaPath of {self.n_events} events, gamma from {self.gamma_max:g} to {self.gamma_min:g}>"

    @property
    def gamma_min(self) -> float:
        """The smallest gamma."""
        return self._edges.floor

    @property
    def gamma_max(self) -> float:
        """The gamma above which nothing changes."""
        return self._edges.largest_gamma

    @property
    def breakpoints(self) -> Floats:
        """The gammas at which memberships bend, falling."""
        return self._edges.breakpoints()

    @property
    def n_events(self) -> int:
        """Number of events."""
        return self._edges.n_events

    @property
    def largest_violation(self) -> float:
        """Largest violation seen at the end of a stage."""
        return self._edges.largest_violation

    @property
    def classes_(self) -> NDArray[Any]:
        """Labels of the classes."""
        return self._training.classes

    def beta(self, gamma: float) -> Floats:
        """Membership of every training row in its own class, as ``FGAClassifier(gamma=gamma).fit(X, y).beta_``.

        Takes time proportional to the number of rows.

        Parameters
        ----------
        gamma : float
            At least ``gamma_min``.

        Returns
        -------
        array of shape (n_samples,)
            nan for rows of weight 0.

        Examples
        --------
        >>> import fgac
        >>> path = fgac.path([[0.0], [0.4], [1.0]], ["low", "high", "high"])
        >>> path.gamma_max, path.beta(3.0), path.beta(2.0)
        (2.5, array([1., 1., 1.]), array([0.9, 0.9, 1. ]))
        """
        nodes = self._training.nodes
        values = self._edges.forest(self._check(gamma)).a
        return scattered(memberships_of(nodes, values)[nodes.node_of_row], self._training.read.rows)

    def solution(self, gamma: float) -> Solution:
        """The solved problem for one gamma, proved by a search of all constraints.

        Parameters
        ----------
        gamma : float
            At least ``gamma_min``.

        Returns
        -------
        Solution
        """
        plain, nodes = self._plain, self._training.nodes
        forest = self._edges.forest(self._check(gamma))
        targets, weights, groups = form(nodes)
        metric = resolve_metric(plain.metric)
        constraints = MetricConstraints(nodes.rows, metric, float(gamma), groups, plain.n_jobs)
        return prove(Problem(targets, constraints, weights), forest)

    def classifier(self, gamma: float) -> FGAClassifier:
        """The fitted classifier for one gamma.

        Parameters
        ----------
        gamma : float
            At least ``gamma_min``.

        Returns
        -------
        FGAClassifier
        """
        solution = self.solution(gamma)
        beta = memberships_of(self._training.nodes, solution.values)
        state = changed(self._plain, gamma=float(gamma))._state_from(self._training, beta, solution)
        fitted: FGAClassifier = plain_estimator(state)
        return fitted

    def _check(self, gamma: Any) -> float:
        check_gamma("gamma", gamma)
        if gamma < self.gamma_min:
            raise ValueError(
                f"gamma={gamma!r} is below gamma_min={self.gamma_min:g}, where the path ends; ask fgac.path for a "
                "smaller gamma_min"
            )
        return float(gamma)


def path(
    X: Any,
    y: Any,
    *,
    gamma_min: float = 0.5,
    metric: Any = "euclidean",
    scale: str | None = "auto",
    categorical_features: Any = "from_dtype",
    feature_weights: Any = None,
    monotonic_cst: Any = None,
    class_weight: Any = None,
    sample_weight: Any = None,
    ids: Any = None,
    ties: str = "nearest",
    tol: float = 1e-10,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> GammaPath:
    """Solve for every gamma at once: memberships of the training rows as exact functions of gamma.

    The cost is that of a few fits at ``gamma_min``, whatever the number of gammas that are asked for afterwards.

    Parameters
    ----------
    X, y, sample_weight, ids
        As in :meth:`fgac.FGAClassifier.fit`, but the largest weight may be at most 1e8 times the smallest: what counts
        as rounding along the path would be the say of lighter rows.
    gamma_min : float, default=0.5
        Where to stop; the path begins at infinity.
    metric, scale, categorical_features, feature_weights, monotonic_cst, class_weight, ties, tol, n_jobs, verbose
        As in :class:`fgac.FGAClassifier`. The loss is squared error.

    Returns
    -------
    GammaPath

    Examples
    --------
    >>> import fgac
    >>> path = fgac.path([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> path.breakpoints.round(3)
    array([1.25, 1.  ])
    >>> path.classifier(0.5).predict([[0.3]])
    array(['low'], dtype='<U4')
    """
    check_gamma("gamma_min", gamma_min)
    plain = FGAClassifier(
        gamma=float(gamma_min),
        metric=metric,
        scale=scale,
        categorical_features=categorical_features,
        feature_weights=feature_weights,
        monotonic_cst=monotonic_cst,
        class_weight=class_weight,
        ties=ties,
        tol=tol,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    plain._check_parameters()
    training = plain._prepare(X, y, sample_weight, ids)
    edges = whole_path(training.nodes, resolve_metric(metric), float(gamma_min), n_jobs, verbose)
    return GammaPath(plain, training, edges)
