"""What a fitted model says of rows must be finite, in range, in order, and what the definition says."""

import dataclasses

import numpy as np

import fgac
from fuzz.geometry import Long
from fuzz.models import geometry_of

# A degree that has been solved for is known to nine digits.
DEGREE = 2e-9


def prediction_faults(case, X, model, outcome):
    """Look at predictions of the training rows, and at what is said about some of them."""
    few = X[:4] if not hasattr(X, "iloc") else X.iloc[:4]
    if "Regressor" in case.kind:
        numbers(case, X, model, outcome)
    else:
        classes(case, X, model, outcome)
    if case.kind == "FRNNClassifier":
        return
    try:
        explained = model.explain(few, audit=True)
    except ValueError as error:
        outcome.fault("explain", error)
        return
    for path, value in odd_values(explained):
        outcome.fault("explanation", f"{path} = {value}")
        break
    if not explained[0].text():
        outcome.fault("explanation", "no words")


def classes(case, X, model, outcome):
    """Memberships and probabilities."""
    lower, upper, degree = model.memberships(X)
    probabilities = model.predict_proba(X)
    for name, part in (("lower", lower), ("upper", upper), ("degree", degree), ("probability", probabilities)):
        if not (np.isfinite(part).all() and (part >= -1e-12).all() and (part <= 1 + 1e-9).all()):
            outcome.fault("prediction", f"{name} is not in [0, 1]: {part.min()} to {part.max()}")
            return
    if not np.allclose(probabilities.sum(axis=1), 1, atol=1e-9):
        outcome.fault("prediction", f"probabilities sum to {probabilities.sum(axis=1).min()}")
    owa = case.settings.get("owa") is not None or case.kind == "FRNNClassifier"
    crossed = (lower - upper).max(initial=0)
    if not owa and case.settings.get("n_neighbors") is None and crossed > DEGREE and not outcome.unproved:
        outcome.fault("prediction", f"lower bound above upper bound by {crossed:.2e}")
    if not set(model.predict(X).tolist()) <= set(model.classes_.tolist()):
        outcome.fault("prediction", "a class that was never seen")
    if case.kind in ("FGAClassifier", "path", "FGAClassifierCV") and not owa:
        true_bounds(case, X, model, lower, outcome)


def true_bounds(case, X, model, lower, outcome):
    """The lower bounds of all classes at training rows, by their definition in extended precision."""
    state = model._state
    if case.settings.get("isomorphism") not in (None, 1.0) or len(X) > 300:
        return
    with np.errstate(all="ignore"):
        geometry = geometry_of(case, X, state)
        D = geometry.D if geometry.precomputed else geometry.distances(X, X)
    rounding = 0.0 if geometry.precomputed else float(state.gamma * geometry.rounding(X))
    beta, present = model.beta_, np.isfinite(model.beta_)
    y = np.asarray(case.answers)
    for k, label in enumerate(model.classes_.tolist()):
        mine = np.flatnonzero(present & (y == label))
        # d(u -> x) for the higher class, whose rows argue for all above them; d(x -> u) for the lower.
        way = D[mine, :].T if k == 1 else D[:, mine]
        true = np.maximum(0, (beta[mine].astype(Long)[None, :] - Long(state.gamma) * way).max(axis=1))
        apart = float(np.abs(true - lower[:, k]).max())
        if not apart <= DEGREE + rounding:
            outcome.fault("bounds", f"lower bound of {label!r} is off by {apart:.2e}")
            return


def numbers(case, X, model, outcome):
    """Predicted numbers and their bounds."""
    lower, upper, prediction = model.predict_bounds(X)
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
    interval = model.predict_interval(X)
    if not np.isfinite(np.concatenate(interval)).all() or (interval.lower > interval.upper + slack).any():
        outcome.fault("prediction", f"interval from {interval.lower} to {interval.upper}")


def odd_values(value, path="", depth=0):
    """Numbers within an explanation that are not finite, with where they stand."""
    if isinstance(value, float) and not np.isfinite(value):
        yield path, value
    elif dataclasses.is_dataclass(value) and depth < 8:
        for part in dataclasses.fields(value):
            yield from odd_values(getattr(value, part.name), f"{path}.{part.name}", depth + 1)
    elif isinstance(value, (tuple, list)) or type(value).__name__.endswith("Explanations"):
        for i, part in enumerate(value):
            yield from odd_values(part, f"{path}[{i}]", depth + 1)


def audit_faults(model, outcome):
    """The audit of the training rows."""
    for path, value in odd_values(fgac.audit(model)):
        outcome.fault("explanation", f"audit{path} = {value}")
        break
