"""Which problems are so harmless that to refuse them is a fault."""

import numpy as np

from fuzz.geometry import columns_of, name_columns, to_long

# Magnitudes of which two can be multiplied or divided by each other, and the result squared.
LEAST, MOST = 1e-70, 1e70
# Of weights of columns, which multiply the ratio of two numbers.
LEAST_WEIGHT, MOST_WEIGHT = 1e-10, 1e10
# Of weights of rows, a thousandth of what the digits of a double hold; less is promised of the path.
MOST_RATIO, MOST_RATIO_OF_PATH = 1e12, 1e7
# Gammas and ratios of weights for which everybody may expect a proof.
LEAST_GAMMA, MOST_GAMMA, EVEN = 1e-3, 1e3, 1e6
# Numbers so large, times a gamma of a thousand, are known to ten digits after the point.
LARGEST = 100.0
LARGEST_WHOLE = 2.0**53


def is_harmless(case):
    """Whether all distances, weights and targets of a problem are ordinary numbers."""
    return all(part(case) for part in (table, weights, settings, targets, folds))


def ordinary(values, least=LEAST, most=MOST):
    """Whether numbers are 0 or neither huge nor tiny."""
    sizes = np.abs(to_long(values))
    return bool(((sizes == 0) | ((sizes >= least) & (sizes <= most))).all())


def table(case):
    """Whether the numbers of a table, and their differences, are ordinary."""
    X = case.X()
    for values, is_name in zip(columns_of(X), name_columns(X), strict=True):
        if is_name:
            continue
        numbers = np.sort(to_long(values))
        if not (ordinary(numbers) and ordinary(np.diff(numbers))):
            return False
        if values.dtype.kind in "iuO" and np.abs(numbers).max() > LARGEST_WHOLE:
            return False
    return True


def weights(case):
    """Whether weights of rows and classes are of similar sizes."""
    given = case.settings.get("class_weight")
    factors = list(given.values()) if isinstance(given, dict) else [1.0]
    rows = np.ones(1) if case.weight is None else case.weight[case.weight > 0]
    if not (ordinary(rows) and ordinary(factors)):
        return False
    most = MOST_RATIO_OF_PATH if case.kind == "path" else MOST_RATIO
    return ratio_of(case) <= most


def ratio_of(case):
    """How much more a row may count than another."""
    weight = np.ones(len(case)) if case.weight is None else case.weight
    given, y = case.settings.get("class_weight"), case.answers.tolist()
    factors = np.array([given.get(k, 1.0) for k in y] if isinstance(given, dict) else [1.0] * len(case))
    if given == "balanced":
        factors = np.array([1 / weight[case.answers == k].sum() if w else 0.0 for k, w in zip(y, weight, strict=True)])
    counts = (weight * factors)[weight > 0]
    # Rows that are equal are added up.
    return counts.max() / counts.min() * len(case)


def must_be_proved(case):
    """Whether a harmless problem is so ordinary that it has to be solved to the end."""
    given = case.settings
    gammas = [given.get("gamma", 1.0), given.get("gamma_min", 1.0), *given.get("gammas", [])]
    if not (is_harmless(case) and ordinary(gammas, LEAST_GAMMA, MOST_GAMMA) and ratio_of(case) <= EVEN):
        return False
    # As they are, large numbers leave rounding that small distances do not show.
    plain = case.kind == "solve" or not given.get("scale", "range") or callable(given.get("metric"))
    weights = given.get("feature_weights") or [1.0]
    return weights == "learned" or (max(weights) <= LARGEST and not (plain and largest(case) > LARGEST))


def largest(case):
    """The largest number of a table."""
    return max(np.abs(to_long(c)).max() for c in case.columns if c.dtype != object)


def settings(case):
    """Whether gammas and weights of columns are ordinary."""
    given = case.settings
    gammas = [given.get("gamma", 1.0), given.get("gamma_min", 1.0), *given.get("gammas", [])]
    weights = given.get("feature_weights") or [1.0]
    return ordinary(gammas) and (weights == "learned" or ordinary(weights, LEAST_WEIGHT, MOST_WEIGHT))


def folds(case):
    """Whether a search has rows enough for its folds."""
    if "cv" not in case.settings:
        return True
    y = case.answers if case.weight is None else case.answers[case.weight > 0]
    fewest = np.unique(y, return_counts=True)[1].min() if "Regressor" not in case.kind else 2
    return len(y) >= 4 and fewest >= 2


def targets(case):
    """Whether targets are ordinary, where they are numbers."""
    y = np.asarray(case.answers)
    return y.dtype.kind not in "fc" or (ordinary(y) and ordinary(np.diff(np.sort(y))))
