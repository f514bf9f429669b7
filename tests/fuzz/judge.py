"""The judge: fits a problem, and holds everything that the model claims against extended precision.

A fault is a pair of its kind and what was seen. A refusal is none if it is a ValueError of one line, raised by the
library before anything was fitted, unless the problem is harmless.
"""

import time
import traceback
import warnings
from dataclasses import dataclass, field

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import fgac
from fuzz import engine
from fuzz.geometry import to_long
from fuzz.harmless import MOST_GAMMA, is_harmless, must_be_proved
from fuzz.limits import as_if_large
from fuzz.models import (
    bounds_of,
    class_factors,
    class_problem,
    geometry_of,
    merged_apart,
    nearest_only,
    regression_problem,
    row_distances,
    units_of,
    weight_of,
)
from fuzz.predictions import prediction_faults
from fuzz.proof import CLAIMED, false_proof
from fuzz.solvers import beaten

# Merged rows may be apart by no more than a violation that counts.
MERGED = 1e-9
# One problem in so many is solved again by an independent solver.
ASKED = 4


@dataclass
class Outcome:
    """What became of a problem."""

    kind: str
    table: str
    seed: int
    refused: str = ""
    proved: int = 0
    unproved: int = 0
    extreme: bool = False
    warned: bool = False
    faults: list = field(default_factory=list)
    seconds: float = 0.0

    def fault(self, kind, text):
        """Note a fault."""
        self.faults.append((kind, str(text)))


def judge(case):
    """Fit a problem and check everything about it."""
    outcome = Outcome(case.kind, case.table, case.seed)
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught, as_if_large(case.large):
        warnings.simplefilter("always")
        try:
            (engine.check if case.kind in ("solve", "granular_approximation") else check_estimator)(case, outcome)
        except Exception:
            text = traceback.format_exc().strip()
            outcome.fault("crash", " | ".join(line.strip() for line in text.splitlines()[-5:]))
    outcome.seconds = time.process_time() - start
    outcome.warned = any(issubclass(w.category, ConvergenceWarning) for w in caught)
    if outcome.unproved and not outcome.warned:
        outcome.fault("silent", f"{outcome.unproved} solutions are not proved, and nothing warns")
    if outcome.unproved and not outcome.extreme and must_be_proved(case):
        outcome.fault("unproved", f"{outcome.unproved} solutions of a harmless problem are not proved")
    for warning in caught:
        if issubclass(warning.category, RuntimeWarning):
            outcome.fault("noise", f"{warning.message} ({warning.filename.rpartition('/')[2]}:{warning.lineno})")
            break
    return outcome


def refusal(outcome, case, error, model=None):
    """Note a refusal, and what is wrong with it."""
    text = str(error)
    outcome.refused = text
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    if not ("fgac" in last or "sklearn" in last):
        outcome.fault("unclear", f"raised in {last.rpartition('/')[2]}: {text}")
    if not text or "\n" in text.strip():
        outcome.fault("unclear", repr(text))
    if model is not None and hasattr(model, "_state"):
        outcome.fault("half fitted", text)
    if is_harmless(case):
        outcome.fault("refused", text)


def check_estimator(case, outcome):
    """Fit an estimator, or a path, and check all models that come of it."""
    X = case.X()
    if case.kind == "path":
        return check_path(case, X, outcome)
    model = getattr(fgac, case.kind)(**case.settings)
    try:
        model.fit(X, case.answers, sample_weight=case.weight)
    except ValueError as error:
        return refusal(outcome, case, error, model)
    check_model(case, X, model, outcome)
    judge_predictions(case, X, model, outcome)
    return None


def judge_predictions(case, X, model, outcome):
    """Predictions and explanations; a function of the caller's may not be able to compare new rows."""
    try:
        prediction_faults(case, X, model, outcome)
    except ValueError as error:
        if not (callable(case.settings.get("metric")) and "metric returned" in str(error)):
            raise


def check_model(case, X, model, outcome):
    """The proofs of a fitted model."""
    if case.kind == "FRNNClassifier":
        return
    state = model._state
    gamma, tol = state.gamma, case.settings.get("tol", 1e-9)
    with np.errstate(all="ignore"):
        geometry = geometry_of(case, X, state)
        D = row_distances(geometry, X)
        rounding = 0.0 if geometry.precomputed else float(gamma * geometry.rounding(X))
    for part, exact in parts_of(case, state, D):
        apart = 0.0 if geometry.precomputed else merged_apart(part, D, gamma)
        if apart > MERGED + rounding and all(solution.is_optimal() for solution, _ in exact):
            outcome.fault("merged", f"rows at a distance of {apart:.2e} / gamma are taken for one")
        for solution, problem in exact:
            count(outcome, solution, gamma)
            if solution.is_optimal() and (case.settings.get("n_neighbors") is None or every_row_counts_once(case)):
                blame(outcome, case, problem, solution, rounding, tol)


def every_row_counts_once(case):
    """Whether neighbours are counted in rows, not in weights."""
    return case.weight is None and case.settings.get("class_weight") is None


def blame(outcome, case, problem, solution, rounding=0.0, tol=CLAIMED):
    """Note what is wrong with a solution that claims to be optimal."""
    for text in false_proof(problem, solution, rounding, tol):
        outcome.fault("false proof", text)
    if case.seed % ASKED == 0 and not outcome.faults and rounding < CLAIMED and "n_neighbors" not in case.settings:
        better = beaten(problem, solution)
        if better:
            outcome.fault("false proof", f"an independent solver is better by {better:.2e}")


def count(outcome, solution, gamma):
    """Note whether a solution is proved."""
    if solution.is_optimal():
        outcome.proved += 1
    else:
        outcome.unproved += 1
        outcome.extreme |= gamma > MOST_GAMMA


def parts_of(case, state, D):
    """The states that have nodes of their own, with their solutions and the problems these should solve."""
    y, weight = np.asarray(case.answers), weight_of(case)
    bound = possible = bounds_of(D, state.gamma, case.settings.get("isomorphism"))
    if case.settings.get("n_neighbors") is not None:
        bound, possible = nearest_only(
            bound, D, np.unique(y, return_inverse=True)[1], case.settings["n_neighbors"], state.gamma
        )
    if hasattr(state, "scale"):
        loss, quantile = state.params["loss"], state.params["quantile"]
        solved = [(state.solution, regression_problem(state, bound, to_long(weight), y, loss, quantile))]
        half = 0.5 * (state.params["interval"] or 0.0)
        for solution, p in zip(state.interval_solutions, (0.5 - half, 0.5 + half), strict=False):
            solved.append((solution, regression_problem(state, bound, to_long(weight), y, "quantile", p)))
        yield state, solved
        return
    weights, units = to_long(weight) * class_factors(case, y, weight), units_of(case, weight)
    if hasattr(state, "boundaries"):
        for i, boundary in enumerate(state.boundaries):
            higher = set(state.classes[i + 1 :].tolist())
            above = np.array([label in higher for label in y.tolist()])
            yield boundary, [(boundary.solution, class_problem(boundary, bound, weights, above, (False, True), units))]
        return
    classes = state.classes.tolist()
    problem = class_problem(state, bound, weights, y, classes, units)
    problem.possible = class_problem(state, possible, weights, y, classes, units).bound
    yield state, [(state.solution, problem)]


def check_path(case, X, outcome):
    """The path, at its ends and between, and against a fit."""
    try:
        path = fgac.path(X, case.answers, sample_weight=case.weight, **case.settings)
    except ValueError as error:
        return refusal(outcome, case, error)
    low, high = path.gamma_min, max(path.gamma_max, path.gamma_min)
    settings = {k: v for k, v in case.settings.items() if k != "gamma_min"}
    for share in (0.0, 0.3, 0.7, 1.0):
        gamma = float(min(max(low * (high / low) ** share, low), high)) if high < np.inf else low
        one = path.classifier(gamma)
        check_model(case, X, one, outcome)
        fitted = fgac.FGAClassifier(gamma=gamma, **settings).fit(X, case.answers, sample_weight=case.weight)
        apart = np.nanmax(np.abs(fitted.beta_ - path.beta(gamma)), initial=0)
        if not apart <= 1e-7:
            outcome.fault("path", f"path and fit differ by {apart:.2e} at gamma {gamma!r}")
    judge_predictions(case, X, one, outcome)
    return None
