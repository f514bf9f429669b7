"""A small table of houses and prices for tests of the command line."""

import numpy as np
import polars as pl

COMMON = ("-t", "price", "--numbers", "--id", "house")


def houses(n=60, seed=0):
    """Made-up houses, whose prices rise with their area."""
    rng = np.random.default_rng(seed)
    area, age, city = rng.integers(20, 200, n), rng.integers(0, 90, n), rng.choice(["Ghent", "Lviv"], n)
    price = 2.0 * area - 1.5 * age + 60.0 * (city == "Ghent") + rng.normal(0, 25, n)
    house = [f"H{i}" for i in range(n)]
    return pl.DataFrame({"house": house, "area": area, "age": age, "city": city, "price": price.round(2)})


def training():
    """Return the features and the prices that models are trained on."""
    frame = houses()
    return frame.drop("house", "price"), frame["price"].to_numpy()
