"""
Rents, with an interval for each
================================

    python examples/rents.py

What should a flat cost, and how sure is that? Flats and rents are invented: a rent is the area times a price of the
quarter, more for a new building and a balcony, less for a ground floor, and landlords differ, more so for large
flats. Needs pandas and matplotlib: pip install pandas 'fgac[plot]'.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from fgac import FGARegressorCV
from fgac.plot import NumberLineDisplay, ResidualsDisplay

PRICES = {"harbour": 17.0, "centre": 15.0, "west": 12.0, "east": 10.5}
UNITS = {"area": "m²", "y": "€"}


def flats(n, letter, rng):
    table = pd.DataFrame(
        {
            "area": rng.gamma(9, 7.5, n).clip(18, 180).round(),
            "quarter": rng.choice(list(PRICES), n, p=[0.15, 0.25, 0.3, 0.3]),
            "built": rng.integers(1890, 2024, n),
            "floor": rng.integers(0, 6, n),
            "balcony": rng.choice(["yes", "no"], n),
        },
        index=[f"{letter}{i:03}" for i in range(n)],
    )
    rent = (
        table["area"]
        * table["quarter"].map(PRICES)
        * (1 + 0.15 * (table["built"] > 2000) - 0.06 * (table["floor"] == 0))
    )
    rent = (rent + 60 * (table["balcony"] == "yes")) * rng.lognormal(0, 0.08, n)
    return table, rent.round(-1).rename("rent")


rng = np.random.default_rng(0)
let, rents = flats(400, "F", rng)
offered, asked = flats(150, "N", rng)

# %%
# More area never makes a flat cheaper: that is said, and then holds. The interval is meant to hold nine of ten rents.
model = FGARegressorCV(interval=0.9, monotonic_cst={"area": 1}).fit(let, rents)
lower, upper = model.predict_interval(offered)
held = np.mean((lower <= asked) & (asked <= upper))
print(f"R² {model.score(offered, asked):.2f} on flats not seen.")
print(f"Intervals hold {held:.0%} of their rents, and are {np.mean(upper - lower):.0f} € wide.")

# %%
# Why this rent? Flats that say "at least", flats that say "at most".
why = model.explain(offered[:1], y=asked[:1], units=UNITS)
print(why[0])

# %%
# The same as a picture.
NumberLineDisplay.from_explanation(why[0])

# %%
# Which offers are out of line? Those outside of their intervals: dear on top, cheap below. Intervals are wider for dear
# flats, where landlords differ more.
ResidualsDisplay.from_estimator(model, offered, asked)
plt.show()
