"""Tables that we draw ourselves, from a fixed seed: districts with house values, and customers with a credit rating."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CITIES = np.array([[37.8, -122.4], [34.0, -118.3], [32.7, -117.1], [38.6, -121.5], [36.7, -119.8]])
WEALTH = np.array([1.3, 1.0, 0.7, 0.1, -0.2])
SHARES = np.array([0.25, 0.4, 0.12, 0.13, 0.1])
CAP = 5.0
RATINGS = ("D", "C", "B", "A")


def districts(n: int = 3000, seed: int = 0) -> tuple[pd.DataFrame, Floats]:
    """Districts with the columns of the California housing data, and a median house value.

    Values depend on income and on the place (near a rich city, near the coast), less on age and crowding; they are
    skewed, noisy, and cut off at 5 as those of the census are.
    """
    rng = np.random.default_rng(seed)
    city = rng.choice(len(CITIES), n, p=SHARES)
    spread = rng.gamma(1.5, 0.25, n)[:, None] * rng.normal(size=(n, 2))
    place = CITIES[city] + spread
    income = rng.lognormal(1.2 + 0.15 * WEALTH[city], 0.42, n).clip(0.5, 15)
    age = rng.gamma(5.0, 6.0, n).clip(1, 52).round()
    rooms = (3.2 + 0.55 * income + rng.normal(0, 0.9, n)).clip(1.5, 15)
    bedrooms = (rooms / 5 + rng.normal(0, 0.08, n)).clip(0.5, 4)
    occupancy = rng.lognormal(1.02, 0.22, n).clip(1, 8)
    population = rng.lognormal(7.0, 0.7, n).round()
    near = np.exp(-(np.hypot(*np.moveaxis(place[:, None] - CITIES, 2, 0)) ** 2) / 0.5) @ WEALTH
    coast = 0.4 * np.tanh(2 * (-119.5 - 0.7 * (place[:, 0] - 35.5) - place[:, 1]))
    log_value = 0.62 * np.log(income) + 0.35 * near + coast + 0.004 * age - 0.35 * np.log(occupancy / 2.8)
    value = np.minimum(np.exp(log_value - 0.45 + rng.normal(0, 0.22, n)), CAP)
    columns = {"income": income, "age": age, "rooms": rooms, "bedrooms": bedrooms, "population": population}
    columns |= {"occupancy": occupancy, "latitude": place[:, 0], "longitude": place[:, 1]}
    return pd.DataFrame(columns), value


def curve(n: int = 400, seed: int = 0) -> tuple[pd.DataFrame, Floats]:
    """One column of whole numbers, some of them many times, and a noisy target that grows with it in steps."""
    rng = np.random.default_rng(seed)
    dose = rng.integers(0, 120, n).astype(np.float64)
    effect = np.tanh((dose - 30) / 10) + np.tanh((dose - 90) / 8) + 0.004 * dose
    return pd.DataFrame({"dose": dose}), effect + rng.normal(0, 0.35, n)


def customers(n: int = 1000, seed: int = 0) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Customers of a bank, and their ratings from 0 (D, the worst) to 3 (A).

    More income and more years in a job can only help, more debt and more delays only hurt; region and age count in
    either direction (the middle of life is safest). One rating in ten is another analyst's: a notch off.
    """
    rng = np.random.default_rng(seed)
    years = rng.gamma(1.8, 4.0, n).clip(0, 35).round()
    age = (20 + years + rng.gamma(2.0, 7.0, n)).clip(18, 80).round()
    income = (rng.lognormal(7.7, 0.4, n) * (1 + 0.01 * years)).round(-2)
    debt = (100 * rng.beta(1.8, 3.5, n)).round()
    delays = rng.poisson(rng.gamma(0.8, 1.2, n)).clip(0, 8)
    region = rng.choice(["north", "south", "east", "west"], n, p=[0.35, 0.3, 0.2, 0.15])
    score = 1.6 * np.log(income / 2200) - 0.03 * debt - 0.55 * np.minimum(delays, 4) + 0.06 * np.minimum(years, 15)
    score -= 0.0006 * (age - 48) ** 2 + np.where(region == "east", 0.35, 0.0) - 1.7
    rating = np.digitize(score + rng.normal(0, 0.25, n), [-0.9, 0.1, 0.9])
    moved = rng.random(n) < 0.1
    rating[moved] = (rating[moved] + rng.choice([-1, 1], moved.sum())).clip(0, len(RATINGS) - 1)
    columns = {"income": income, "debt": debt, "delays": delays.astype(float), "years": years, "age": age}
    return pd.DataFrame(columns).assign(region=pd.Categorical(region)), rating.astype(np.int64)
