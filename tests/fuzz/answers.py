"""What is to be predicted, and how much each row counts: labels, targets and weights, ordinary and nasty."""

import numpy as np

# How often each form of weights comes; those that are mostly refused come less often.
WEIGHTS = np.array([2, 2, 0.5, 1, 2, 2, 2, *[1.5] * 9]) / 25


# One class per row, in tables that are not larger than that.
MOST_CLASSES = 40


def labels(rng, n, n_classes=None):
    """Labels of some classes, as numbers or names; sometimes one class only, or one row each."""
    if n_classes is None:
        n_classes = int(rng.choice([1, 2, 2, 2, 2, 3, 3, 4, 7, min(n, MOST_CLASSES)]))
    codes = rng.integers(0, min(n_classes, n), n)
    if n_classes > 1 and n > 1 and len(set(codes.tolist())) == 1:
        codes[rng.integers(n)] ^= 1
    form = rng.integers(4)
    if form == 0:
        return np.array([f"class {code:03d}" for code in codes])
    if form == 1:
        return np.array([f"c{code:03d}" for code in codes], dtype=object)
    return codes if form == 2 else codes * 3 - 5


def targets(rng, n):
    """Numbers to be predicted."""
    y = rng.normal(0, 1, n)
    form = rng.integers(10)
    if form == 0:
        return y * 10.0 ** rng.uniform(-310, 307)
    if form == 1:
        return np.full(n, rng.choice([0.0, 3.7, 1e300, -5e-324]))
    if form == 2:
        return rng.choice([1e9, 1.7e15, -1e17, 1e16]) + rng.integers(0, 100, n)
    if form == 3:
        y[rng.integers(n)] = 10.0 ** rng.uniform(3, 300)
        return y
    if form == 4:
        return rng.integers(-3, 4, n) * 5e-324
    if form == 5:
        return rng.integers(0, 3, n)
    return np.round(y, 1) if form < 8 else y


def sample_weight(rng, n):
    """How much rows count, or None; some rows not at all, some more than others than a float can tell."""
    form = rng.choice(16, p=WEIGHTS)
    if form == 0:
        weight = rng.integers(0, 4, n).astype(float)
    elif form == 1:
        weight = np.full(n, rng.choice([5e-324, 1e-310, 1e-200, 1e150, 1e308, 3.0]))
    elif form == 2:
        weight = 10.0 ** rng.uniform(-323, 308, n)
    elif form == 3:
        weight = rng.choice([1.0, 10.0 ** rng.integers(1, 309) if rng.random() < 0.5 else 1e-12], n)
    elif form == 4:
        weight = 10.0 ** rng.uniform(-6, 6, n)
    elif form == 5:
        weight = rng.uniform(0.1, 5, n)
    elif form == 6:
        weight = 10.0 ** rng.uniform(-4, 4, n) * (rng.random(n) < 0.7)
    else:
        return None
    if not (weight > 0).any():
        weight[0] = 1.0
    return weight


def gamma(rng):
    """How fast similarity falls: mostly as users would, sometimes beyond all measure."""
    form = rng.random()
    if form < 0.65:
        return float(rng.choice([0.1, 0.3, 0.5, 1.0, 1.5, 2.0, 4.0, 7.0, 10.0]))
    if form < 0.85:
        return float(10.0 ** rng.uniform(-4, 5))
    return float(10.0 ** rng.uniform(-300, 300))
