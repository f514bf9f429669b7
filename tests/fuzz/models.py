"""From a fitted model and the caller's table to the problem that it claims to have solved, in extended precision."""

import numpy as np

from fuzz.geometry import Geometry, Long, to_long
from fuzz.proof import Exact, unit_of


def weight_of(case):
    """The weight of every row."""
    return np.ones(len(case)) if case.weight is None else np.asarray(case.weight)


def geometry_of(case, X, state):
    """How the rows of the table are compared."""
    fitted = () if state.table is None else state.table.columns
    return Geometry(X, case.settings, weight_of(case), fitted, state.table)


def row_distances(geometry, X):
    """All distances between the training rows."""
    return geometry.D if geometry.precomputed else geometry.distances(X, X)


def bounds_of(D, gamma, isomorphism):
    """The bounds ``gamma d``, or ``1 - phi(1 - gamma d)`` for an exponent above 1."""
    steps = Long(gamma) * D
    if (isomorphism or 1.0) <= 1.0:  # similarity is then phi^-1(1 - gamma d), and phi takes it back
        return steps
    return np.where(steps < 1, 1 - np.maximum(0, 1 - steps) ** Long(isomorphism), steps)


def class_factors(case, labels, weight):
    """What class_weight multiplies the weights of rows with."""
    given = case.settings.get("class_weight")
    if given is None:
        return np.ones(len(labels), dtype=Long)
    classes = sorted(set(labels[weight > 0].tolist()))
    if given == "balanced":
        totals = {k: to_long(weight[labels == k]).sum() for k in classes}
        whole = sum(totals.values())
        return np.array([whole / (len(classes) * totals[k]) if k in totals else 0 for k in labels.tolist()], dtype=Long)
    return np.array([Long(given.get(k, 1.0)) for k in labels.tolist()], dtype=Long)


def nearest_only(bound, D, labels, n_neighbors, gamma):
    """Bounds of the rows that are among each other's nearest of other classes: surely, and possibly (by rounding)."""
    places = n_neighbors if isinstance(n_neighbors, int) else max(1, int(n_neighbors * len(D)))
    if not (D == D.T).all():  # the way that counts is that from the higher of two classes down
        D = np.where((labels == labels.max())[:, None], D, D.T)
    others = np.where(labels[:, None] == labels[None, :], np.inf, D)
    last = np.sort(others, axis=1)[:, min(places, len(D)) - 1][:, None]
    # Similarities are computed in doubles, which do not tell distances apart that hardly matter.
    surely, possibly = others <= last, others <= last * (1 + Long(1e-9)) + Long(1e-12) / Long(gamma)
    return tuple(np.where(near | near.T, bound, np.inf) for near in (surely, possibly))


def node_sums(nodes, amounts):
    """Added amounts of the rows of every node."""
    sums = np.zeros(nodes.max() + 1, dtype=Long)
    np.add.at(sums, nodes, amounts)
    return sums


def units_of(case, weight):
    """Powers of two by which weights of rows, of classes and of both together may have been divided."""
    given = case.settings.get("class_weight")
    factors = list(given.values()) if isinstance(given, dict) else [1.0]
    return (*unit_of(weight), *unit_of(factors))


def class_problem(state, bound, weights, labels, classes, units):
    """The problem of a classifier on its nodes: one variable per node for two classes, two copies for others."""
    records = state.records
    first = records.first_positions()
    codes = np.array([list(classes).index(label) for label in labels[first].tolist()])
    w = node_sums(records.nodes, weights[records.positions])
    B = np.array(bound[np.ix_(first, first)])
    B[codes[:, None] == codes[None, :]] = np.inf
    loss = state.params["loss"]
    n = len(first)
    if len(classes) == 2:
        B[codes == 0, :] = np.inf  # the tail is of the higher class
        return Exact(codes.astype(Long), w, B, False, loss, units=(*units, *unit_of(w)))
    targets = np.repeat(np.array([1, 0], dtype=Long), n)
    return Exact(targets, np.tile(w, 2), B, True, loss, units=(*units, *unit_of(w)))


def regression_problem(state, bound, weights, y, loss, quantile):
    """The problem of a regressor on its nodes, on the scale from 0 to 1."""
    records = state.records
    first = records.first_positions()
    # Targets that are far off count as if they were nearer.
    near = to_long(state.scale.near(y[first]))
    targets = (near - Long(state.scale.low)) / Long(state.scale.width)
    B = np.array(bound[np.ix_(first, first)])
    np.fill_diagonal(B, np.inf)
    w = node_sums(records.nodes, weights[records.positions])
    return Exact(targets, w, B, False, loss, quantile, unit_of(weights) + unit_of(w))


def merged_apart(state, D, gamma):
    """The largest ``gamma d`` between rows that the model takes for one."""
    records = state.records
    first = records.first_positions()
    own = D[first[records.nodes], records.positions]
    return float(Long(gamma) * own.max(initial=0))
