"""A small table of loans for tests of the command line."""

import numpy as np
import polars as pl

TARGET = "repaid"
AWKWARD = 'No. 7, "the\nold" mill; east'


def loans(n=60, seed=0):
    """Made-up loans: two numbers, two nominal columns, an identifier and a class that depends on all."""
    rng = np.random.default_rng(seed)
    months, amount = rng.integers(6, 60, n), rng.integers(500, 20000, n).astype(float)
    purpose = rng.choice(["car", "house", "a, b"], n)
    employed = rng.choice(["true", "false"], n)
    score = amount / 20000 + months / 60 - (purpose == "house") * 0.5 - (employed == "true") * 0.4
    return pl.DataFrame(
        {
            "customer": [f"C{i:03d}" for i in range(n - 1)] + [AWKWARD],
            "months": months,
            "amount": amount,
            "purpose": purpose,
            "employed": employed,
            "repaid": np.where(score + rng.normal(0, 0.1, n) > np.median(score), "no", "yes"),
        }
    )
