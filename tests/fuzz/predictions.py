"""What a fitted model says of rows must be finite, in range, in order, and what the definition says."""

import dataclasses

import numpy as np

from fuzz.geometry import Long, to_long
from fuzz.models import geometry_of
from fuzz.queries import queries_of

# A degree that has been solved for is known to nine digits, what is added to it to twelve.
DEGREE, SHARE = 2e-9, 1e-12
# Coordinates of training rows are mostly less than 2, and rounded a few times.
COORDINATE = 1e-14
# Bounds of a regressor are cut off at so many times the range of the targets.
FARTHEST = 1e15


def prediction_faults(case, X, model, outcome):
    """Look at predictions of training rows and new ones, and at what is said about some of them."""
    new = queries_of(case, X)
    for rows in (X, new):
        (numbers if "Regressor" in case.kind else classes)(case, X, rows, model, outcome)
        if outcome.faults:
            return
    if case.kind == "FRNNClassifier":
        return
    explained = model.explain(new, audit=True)
    for path, value in odd_values(explained):
        outcome.fault("explanation", f"{path} = {value}")
        break
    if not all(one.text() for one in explained):
        outcome.fault("explanation", "no words")


def classes(case, X, rows, model, outcome):
    """Memberships and probabilities."""
    lower, upper, degree = model.memberships(rows)
    probabilities = model.predict_proba(rows)
    for name, part in (("lower", lower), ("upper", upper), ("degree", degree), ("probability", probabilities)):
        if not (np.isfinite(part).all() and (part >= -1e-12).all() and (part <= 1 + 1e-9).all()):
            outcome.fault("prediction", f"{name} is not in [0, 1]: {part.min()} to {part.max()}")
            return
    if not np.allclose(probabilities.sum(axis=1), 1, atol=1e-9):
        outcome.fault("prediction", f"probabilities sum to {probabilities.sum(axis=1).min()}")
    averages = case.settings.get("owa") is not None or case.kind == "FRNNClassifier"
    crossed = (lower - upper).max(initial=0)
    if not averages and crossed > DEGREE:
        outcome.fault("prediction", f"lower bound above upper bound by {crossed:.2e}")
    if not set(model.predict(rows).tolist()) <= set(model.classes_.tolist()):
        outcome.fault("prediction", "a class that was never seen")
    if case.kind in ("FGAClassifier", "path", "FGAClassifierCV") and not averages and len(X) <= 300:
        true_bounds(case, X, rows, model, (lower, upper), outcome)


def both_ways(case, X, rows, state):
    """Distances from training rows to others, and back; and what may be wrong with those of the caller's own."""
    with np.errstate(all="ignore"):
        geometry = geometry_of(case, X, state)
        if geometry.precomputed:
            there = to_long(rows).T
            return there, there.T, 0.0
        rounding = float(state.gamma * max(geometry.rounding(X), geometry.rounding(rows)))
        return geometry.distances(X, rows), geometry.distances(rows, X), rounding


def true_bounds(case, X, rows, model, bounds, outcome):
    """The bounds of all classes, by their definition in extended precision."""
    state = model._state
    if case.settings.get("isomorphism") not in (None, 1.0):
        return
    there, back, rounding = both_ways(case, X, rows, state)
    if not rounding < 1:
        return
    gamma, beta, y = Long(state.gamma), to_long(model.beta_), np.asarray(case.answers)
    members = [np.flatnonzero(np.isfinite(model.beta_) & (y == label)) for label in model.classes_.tolist()]

    def support(k, there, back):
        # From rows of the higher class, which argue for all above them; and to rows of the lower.
        way = there[members[k]].T if k == 1 else back[:, members[k]]
        return np.maximum(0, (beta[members[k]][None, :] - gamma * way).max(axis=1))

    lower = [support(k, there, back) for k in range(len(members))]
    if len(members) == 2:
        upper = [1 - lower[1], 1 - lower[0]]
    else:
        upper = []
        own = geometry_distances(case, X, state)
        for k, mine in enumerate(members):
            others = np.setdiff1d(np.concatenate(members), mine)
            elsewhere = support(k, own, own)[others]
            opposed = (1 - elsewhere[None, :] - gamma * back[:, others]).max(axis=1, initial=0)
            upper.append(1 - np.maximum(0, opposed))
    # Bounds that cross, where training left constraints out, are exchanged.
    lower, upper = np.minimum(lower, upper), np.maximum(lower, upper)
    for name, true, said in (("lower", lower, bounds[0]), ("upper", upper, bounds[1])):
        apart = float(np.abs(true.T - said).max())
        if not apart <= DEGREE + rounding + COORDINATE * state.gamma:
            outcome.fault("bounds", f"{name} bound is off by {apart:.2e}")
            return


def geometry_distances(case, X, state):
    """Distances among the training rows."""
    return both_ways(case, X, X, state)[0]


def numbers(case, X, rows, model, outcome):
    """Predicted numbers and their bounds."""
    lower, upper, prediction = model.predict_bounds(rows)
    y = np.asarray(case.answers, dtype=float)
    present = y if case.weight is None else y[case.weight > 0]
    if not np.isfinite(np.concatenate([lower, upper, prediction])).all():
        outcome.fault("prediction", f"not finite: {lower.min()} {upper.max()} {prediction.min()}")
        return
    slack = 1e-9 * (present.max() / 2 - present.min() / 2) + 4 * np.spacing(np.abs(present).max())
    if (prediction < present.min() - slack).any() or (prediction > present.max() + slack).any():
        outcome.fault("prediction", f"beyond all targets: {prediction.min()} to {prediction.max()}")
    if (lower > upper + slack).any():
        outcome.fault("prediction", "lower bound above upper bound")
    interval = model.predict_interval(rows)
    if not np.isfinite(np.concatenate(interval)).all() or (interval.lower > interval.upper + slack).any():
        outcome.fault("prediction", f"interval from {interval.lower} to {interval.upper}")
    if len(X) <= 300:
        true_extension(case, X, rows, model, (lower, upper), outcome)


def true_extension(case, X, rows, model, bounds, outcome):
    """The extensions of McShane and Whitney, in extended precision, on the user's scale."""
    state = model._state
    first = state.records.first_positions()
    there, back, rounding = both_ways(case, X, rows, state)
    if not rounding < 1:
        return
    values, gamma = to_long(state.solution.values), Long(state.gamma)
    lower = np.maximum(-FARTHEST, (values[:, None] - gamma * there[first]).max(axis=0))
    upper = np.minimum(FARTHEST, (values[None, :] + gamma * back[:, first]).min(axis=1))
    if case.settings.get("monotonic_cst") and any(case.settings["monotonic_cst"]):
        lower, upper = np.maximum(lower, values.min()), np.minimum(upper, values.max())
    y = to_long(case.answers)[state.records.positions]
    low, span = Long(state.scale.low), Long(state.scale.span)
    for name, true, said in (("lower", lower, bounds[0]), ("upper", upper, bounds[1])):
        known = DEGREE + rounding + COORDINATE * state.gamma
        slack = (known + SHARE * np.abs(true)) * span + 4 * np.spacing(np.abs(y).max().astype(float))
        wrong = np.abs(low + span * true - said) - slack
        if not (wrong <= 0).all():
            share = float(wrong.max() / (span or 1))
            outcome.fault("bounds", f"{name} bound is off by {share:.2e} of the range of the targets")
            return


def odd_values(value, path="", depth=0):
    """Numbers within an explanation that are not finite, with where they stand."""
    if isinstance(value, float) and not np.isfinite(value):
        yield path, value
    elif dataclasses.is_dataclass(value) and depth < 8:
        for part in dataclasses.fields(value):
            yield from odd_values(getattr(value, part.name), f"{path}.{part.name}", depth + 1)
    elif isinstance(value, tuple | list) or type(value).__name__.endswith("Explanations"):
        for i, part in enumerate(value):
            yield from odd_values(part, f"{path}[{i}]", depth + 1)
