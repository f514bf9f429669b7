"""A small table of houses and grades for tests of the command line."""

import numpy as np
import polars as pl

from fgac.tables.splits import stratified_folds

ORDER = ["poor", "fair", "good"]
COMMON = ("-t", "grade", "--id", "house", "--order", "poor,fair,good")


def houses(n=60, seed=0):
    """Made-up houses, whose grades rise with their area."""
    rng = np.random.default_rng(seed)
    area, age, city = rng.integers(20, 200, n), rng.integers(0, 90, n), rng.choice(["Ghent", "Lviv"], n)
    worth = 2.0 * area - 1.5 * age + 60.0 * (city == "Ghent") + rng.normal(0, 40, n)
    grade = np.array(ORDER)[np.digitize(worth, [110, 260])]
    return pl.DataFrame({"house": [f"H{i}" for i in range(n)], "area": area, "age": age, "city": city, "grade": grade})


def training():
    """Return the features and the grades that models are trained on."""
    frame = houses()
    return frame.drop("house", "grade"), frame["grade"].to_numpy()


def parts():
    """Return the training and test parts of two repetitions of two folds."""
    return [part for seed in range(2) for part in stratified_folds(training()[1], 2, seed)]
