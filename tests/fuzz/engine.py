"""Problems that go to the engine directly, or to the granular approximation of any fuzzy set."""

import numpy as np

import fgac
from fgac.metrics.distances import Rows, resolve_metric
from fgac.solve import MetricConstraints, PairConstraints, Problem, solve
from fuzz.geometry import Long, to_long
from fuzz.proof import Exact, unit_of


def check(case, outcome):
    """Solve a problem, and recompute its proof."""
    from fuzz.judge import blame, count, refusal

    try:
        solution, exact = (solved if case.kind == "solve" else approximated)(case)
    except ValueError as error:
        return refusal(outcome, case, error)
    count(outcome, solution, case.settings["gamma"])
    if solution.is_optimal():
        blame(outcome, case, exact, solution)
    return None


def matrix_of(case):
    """The table as doubles."""
    return np.column_stack([np.asarray(column, dtype=float) for column in case.columns])


def solved(case):
    """A Problem with distances of rows, or with the same bounds as a list."""
    X, gamma, loss = matrix_of(case), case.settings["gamma"], case.settings["loss"]
    n, weight = len(X), positive(case)
    with np.errstate(all="ignore"):
        D = np.abs(to_long(X)[:, None, :] - to_long(X)[None, :, :]).sum(axis=2)
        bound = Long(gamma) * D
    if case.settings["constraints"] == "rows":
        constraints = MetricConstraints(Rows.from_numeric(X), resolve_metric("manhattan"), gamma)
    else:
        tail, head = np.nonzero(~np.eye(n, dtype=bool))
        with np.errstate(over="ignore"):
            bound = bound.astype(float)
        constraints = PairConstraints(tail, head, bound[tail, head])
        bound = to_long(bound)
    bound = np.array(bound)
    np.fill_diagonal(bound, np.inf)
    solution = solve(Problem(case.answers, constraints, weight, loss=loss))
    weight = np.ones(n) if weight is None else weight
    return solution, Exact(to_long(case.answers), to_long(weight), bound, False, loss, units=unit_of(weight))


def positive(case):
    """Weights without zeros, which the engine does not take."""
    return None if case.weight is None else np.where(case.weight > 0, case.weight, 1.0)


def approximated(case):
    """The granular approximation of a fuzzy set, with a relation made of distances."""
    X, gamma, loss = matrix_of(case), case.settings["gamma"], case.settings["loss"]
    with np.errstate(all="ignore"):
        steps = gamma * np.abs(X[:, None, :] - X[None, :, :]).sum(axis=2)
        relation = np.nan_to_num(np.maximum(0.0, 1.0 - steps), nan=1.0)
    weight, phi = positive(case), case.settings.get("isomorphism") or 1.0
    result = fgac.granular_approximation(
        case.answers, relation, loss, sample_weight=weight, isomorphism=case.settings.get("isomorphism")
    )
    # B(v) - B(u) <= 1 - R(u, v), on the scale of phi.
    bound = 1 - to_long(relation).T ** Long(phi)
    np.fill_diagonal(bound, np.inf)
    weight = np.ones(len(X)) if weight is None else weight
    targets = to_long(case.answers) ** Long(phi)
    return result.solution, Exact(targets, to_long(weight), bound, False, loss, units=unit_of(weight))
