"""The model for every gamma at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import ClassifierState
from fgac.estimators.classifier import FGAClassifier
from fgac.granular.nodes import Nodes
from fgac.granular.predictor import class_predictor
from fgac.granular.training import form, memberships_of, whole_path
from fgac.metrics.distances import Metric, resolve_metric
from fgac.solve import MetricConstraints, Problem, Solution, prove
from fgac.solve.path import EdgePath
from fgac.tables.validation import check_gamma


@dataclass(frozen=True, eq=False, repr=False)
class GammaPath:
    """The exact solution of :class:`~fgac.FGAClassifier` for every gamma from infinity down to ``gamma_min``.

    Made by :func:`fgac.path`; :func:`fgac.save_model` stores it, :func:`fgac.load_model` reads it again. Memberships
    are piecewise linear in gamma: they bend where a constraint between two rows becomes tight, or ceases to be.

    Attributes
    ----------
    state : ClassifierState
        The model for ``gamma_min``: those for other gammas have its settings and its training rows.
    edges : EdgePath
        The tight constraints for every gamma.
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

    state: ClassifierState
    edges: EdgePath

    def __repr__(self) -> str:
        return f"<GammaPath of {self.n_events} events, gamma from {self.gamma_max:g} to {self.gamma_min:g}>"

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_path, or_none

        return or_none(of_path, self)

    @property
    def gamma_min(self) -> float:
        """The smallest gamma."""
        return self.edges.floor

    @property
    def gamma_max(self) -> float:
        """The gamma above which nothing changes."""
        return self.edges.largest_gamma

    @property
    def breakpoints(self) -> Floats:
        """The gammas at which memberships bend, falling."""
        return self.edges.breakpoints()

    @property
    def n_events(self) -> int:
        """Number of events."""
        return self.edges.n_events

    @property
    def largest_violation(self) -> float:
        """Largest violation seen at the end of a stage."""
        return self.edges.largest_violation

    @property
    def classes_(self) -> NDArray[Any]:
        """Labels of the classes."""
        return self.state.classes

    def beta(self, gamma: Any) -> Floats:
        """Membership of every training row in its own class, as ``FGAClassifier(gamma=gamma).fit(X, y).beta_``.

        Takes time proportional to the number of rows, for every gamma.

        Parameters
        ----------
        gamma : float or array of shape (n_gammas,)
            At least ``gamma_min``.

        Returns
        -------
        array of shape (n_samples,), or (n_gammas, n_samples) of an array
            nan for rows of weight 0.

        Examples
        --------
        >>> import fgac
        >>> path = fgac.path([[0.0], [0.4], [1.0]], ["low", "high", "high"])
        >>> path.gamma_max, path.beta(3.0)
        (2.5, array([1., 1., 1.]))
        >>> path.beta([2.0, 1.0])
        array([[0.9, 0.9, 1. ],
               [0.7, 0.7, 1. ]])
        """
        if not isinstance(gamma, list | tuple | np.ndarray) and not hasattr(gamma, "__array__"):
            return self._beta_at(self._check(gamma))
        gammas = np.asarray(gamma)
        if gammas.ndim > 1:
            raise ValueError(f"gamma has shape {gammas.shape}, expected one number or a list of numbers; flatten it")
        if gammas.ndim == 0:
            return self._beta_at(self._check(gammas.item()))
        checked = [self._check(one) for one in gammas.tolist()]
        return np.array([self._beta_at(one) for one in checked]).reshape(len(checked), len(self.state.beta))

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
        state = self.state
        return proved(self.edges, self._nodes, state.metric, self._check(gamma), state.params["n_jobs"])

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
        state, nodes, solution = self.state, self._nodes, self.solution(gamma)
        values = memberships_of(nodes, solution.values)
        predictor = class_predictor(
            nodes,
            values,
            nodes.rows,
            state.metric,
            float(gamma),
            coordinates=state.table is not None,
            multiplicity=nodes.weights,
            ties=state.params["ties"],
            n_jobs=state.params["n_jobs"],
        )
        params = {**state.params, "gamma": float(gamma)}
        beta = self._scattered(values)
        fitted: FGAClassifier = plain_estimator(
            replace(state, params=params, predictor=predictor, solution=solution, beta=beta)
        )
        return fitted

    @property
    def _nodes(self) -> Nodes:
        """The distinct training rows of every class, with their weights."""
        return nodes_of(self.state, self.edges.weights)

    def _beta_at(self, gamma: float) -> Floats:
        return self._scattered(memberships_of(self._nodes, self.edges.forest(gamma).a))

    def _scattered(self, values: Floats) -> Floats:
        """Values of the nodes at the rows that they stand for; nan for rows of weight 0."""
        records = self.state.records
        found = np.full(len(self.state.beta), np.nan)
        found[records.positions] = values[records.nodes]
        return found

    def _check(self, gamma: Any) -> float:
        check_gamma("gamma", gamma)
        if gamma < self.gamma_min:
            raise ValueError(
                f"gamma={gamma!r} is below gamma_min={self.gamma_min:g}, where the path ends; ask fgac.path for a "
                "smaller gamma_min"
            )
        return float(gamma)


def nodes_of(state: ClassifierState, weights: Floats) -> Nodes:
    """The nodes of a fitted classifier; ``weights`` are those of the problem's variables, the first of each node."""
    model, records = state.predictor.model, state.records
    rows = model.envelope.rows
    return Nodes(rows, weights[: len(rows)], model.starts, records.first_positions(), records.nodes)


def proved(edges: EdgePath, nodes: Nodes, metric: Metric, gamma: float, n_jobs: int | None) -> Solution:
    """The solution that a path has for one gamma, with the proof that a search of all constraints makes."""
    targets, weights, groups = form(nodes)
    constraints = MetricConstraints(nodes.rows, metric, gamma, groups, n_jobs)
    return prove(Problem(targets, constraints, weights), edges.forest(gamma))


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

    The cost grows with the number of events, each of which redraws a tree of rows. Of some hundred rows it is that of
    3 to 20 fits at ``gamma_min``; of thousands of rows it depends on the table: 7 fits of 7400 rows with 20 columns,
    more than 100 of 5000 rows that overlap in two columns, or in five (``benchmarks/results/path.md``). Any number of
    gammas can be asked for afterwards, at next to no cost. A few gammas are fitted sooner one by one.

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
    training, metric = plain._prepare(X, y, sample_weight, ids), resolve_metric(metric)
    edges = whole_path(training.nodes, metric, plain.gamma, n_jobs, verbose)
    solution = proved(edges, training.nodes, metric, plain.gamma, n_jobs)
    beta = memberships_of(training.nodes, solution.values)
    return GammaPath(plain._state_from(training, beta, solution), edges)
