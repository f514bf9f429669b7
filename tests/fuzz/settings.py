"""Settings of the estimators, drawn at random; a setting that is left at its default is left out."""

import numpy as np

from fuzz import answers

COMMON = ("FGAClassifier", "FGAOrdinalClassifier", "FGARegressor", "FRNNClassifier")
SEARCHES = ("FGAClassifierCV", "FGARegressorCV", "FGAOrdinalClassifierCV")
KINDS = (*COMMON, "path", *SEARCHES, "granular_approximation", "solve")
WEIGHTS = (0.0, 1.0, 1.0, 2.5, 1e-300, 1e-20, 1e20, 1e160)


def plain_euclidean(A, B):
    """A distance of the user's own: Euclidean, in no particular way."""
    with np.errstate(over="ignore"):
        return np.sqrt(((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2))


def plain_manhattan(A, B):
    """A distance of the user's own: the sum of differences."""
    with np.errstate(over="ignore"):
        return np.abs(A[:, None, :] - B[None, :, :]).sum(axis=2)


CALLABLES = (plain_euclidean, plain_manhattan)


def settings_of(rng, kind, columns, form, y):
    """Settings of one kind of problem, and the form in which its table is handed over."""
    chosen = {"gamma": answers.gamma(rng)}
    if kind == "solve":
        chosen["loss"] = str(rng.choice(["squared_error", "absolute_error", "quantile"]))
        chosen["constraints"] = str(rng.choice(["rows", "pairs"]))
        return chosen, "array"
    if kind == "granular_approximation":
        chosen["loss"] = str(rng.choice(["squared_error", "absolute_error", "quantile"]))
        if rng.random() < 0.2:
            chosen["isomorphism"] = float(rng.choice([0.5, 2.0, 3.0]))
        return chosen, "array"
    if kind in SEARCHES:
        chosen = {"gammas": sorted(answers.gamma(rng) for _ in range(rng.integers(1, 4))), "cv": 2}
    form = of_table(rng, chosen, kind, columns, form)
    if kind in SEARCHES:  # their defaults are others
        chosen.setdefault("metric", "euclidean")
        chosen |= {} if "Regressor" in kind else {"class_weight": None}
    named = (
        isinstance(chosen.get("metric", "euclidean"), str)
        and chosen.get("metric") != "angular"
        and form != "distances"
        and kind != "FRNNClassifier"
    )
    ordered = "Regressor" in kind or "Ordinal" in kind or len(set(y.tolist())) <= 2
    if named and ordered and rng.random() < 0.2:
        chosen["monotonic_cst"] = directions(rng, columns)
    if kind in ("FGAClassifier", "FGAOrdinalClassifier", *SEARCHES) and rng.random() < 0.25:
        chosen["loss"] = "absolute_error"
    if "Regressor" in kind:
        of_regressor(rng, chosen)
    elif kind != "FRNNClassifier":
        of_classifier(rng, chosen, kind, y)
    else:
        chosen["owa"] = rng.choice(["additive", "exponential", "inverse_additive", "strict"]).item()
        if rng.random() < 0.5:
            chosen["n_neighbors"] = int(rng.integers(1, 6))
    return chosen, form


def of_table(rng, chosen, kind, columns, form):
    """How rows are compared."""
    numeric = all(column.dtype.kind in "iuf" for column in columns)
    if rng.random() < 0.03:
        chosen["metric"] = "learned"
        return form
    if numeric and rng.random() < 0.06:
        chosen["metric"] = "angular"
        of_directions(rng, chosen, columns)
        return form
    metric = str(rng.choice(["euclidean", "euclidean", "manhattan", "chebyshev", "precomputed", "callable"]))
    if metric == "precomputed" and numeric and kind not in SEARCHES:
        chosen["metric"] = metric
        return "distances"
    if metric == "callable" and numeric:
        chosen["metric"] = CALLABLES[rng.integers(2)]
    elif metric in ("manhattan", "chebyshev"):
        chosen["metric"] = metric
    scale = rng.choice(["range", "range", "robust", "rank", "none"])
    if scale != "range":
        chosen["scale"] = None if scale == "none" else str(scale)
    if rng.random() < 0.15:
        weights = rng.choice(WEIGHTS, len(columns))
        weights[rng.integers(len(columns))] = rng.choice([w for w in WEIGHTS if w])
        chosen["feature_weights"] = weights.tolist()
    elif rng.random() < 0.02:
        chosen["feature_weights"] = "learned"
    return form


def of_directions(rng, chosen, columns):
    """Scales and weights of numbers whose proportions count."""
    if rng.random() < 0.3:
        chosen["scale"] = str(rng.choice(["range", "robust"]))
    if rng.random() < 0.2:
        chosen["feature_weights"] = rng.choice([0.5, 1.0, 2.5, 1e-20, 1e20], len(columns)).tolist()


def directions(rng, columns):
    """Whether more is better, column by column; of names it never is."""
    return [int(rng.choice([-1, 0, 1, 1])) if column.dtype.kind in "iuf" else 0 for column in columns]


def of_regressor(rng, chosen):
    """Losses of numbers, and intervals."""
    if rng.random() < 0.4:
        chosen["loss"] = str(rng.choice(["absolute_error", "quantile"]))
        if chosen["loss"] == "quantile":
            chosen["quantile"] = float(rng.choice([0.1, 0.5, 0.9]))
    if rng.random() < 0.15:
        chosen["interval"] = 0.8


def of_classifier(rng, chosen, kind, y):
    """Weights of classes; for one kind also neighbours, averages and isomorphisms."""
    if rng.random() < 0.15:
        chosen["class_weight"] = "balanced"
    elif rng.random() < 0.08:
        factors = rng.choice([1.0, 3.0, 1e-12, 1e12, 1e-300, 1e300, 5e-324], len(set(y.tolist())))
        chosen["class_weight"] = dict(zip(sorted(set(y.tolist())), factors.tolist(), strict=True))
    if kind == "path":
        chosen["gamma_min"] = max(1e-300, chosen.pop("gamma"))
    if kind != "FGAClassifier":
        return
    if rng.random() < 0.1:
        chosen["n_neighbors"] = int(rng.integers(1, 8)) if rng.random() < 0.7 else float(rng.uniform(0.05, 1))
    if rng.random() < 0.1 and "monotonic_cst" not in chosen:
        chosen["owa"] = str(rng.choice(["additive", "exponential", "inverse_additive"]))
    if rng.random() < 0.1:
        chosen["isomorphism"] = float(rng.choice([0.5, 1.0, 2.0, 3.0]))
    if rng.random() < 0.1:
        chosen["ties"] = "first"
