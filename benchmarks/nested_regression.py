"""How good is our regression? Nested cross-validation against neighbours, isotonic regression and forests.

    python benchmarks/nested_regression.py            # some minutes
    python benchmarks/nested_regression.py --quick    # small data, to see that it runs; nothing is written

Numbers and intervals, on scikit-learn's diabetes, on drawn districts with house values, and on a drawn curve of one
column: there ours must equal isotonic regression if that column is monotone and gamma large.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from fgac.estimators.regressor import FGARegressor
from generated import curve, districts
from load import OtherLoad
from nested_regression_models import FIVE, GAMMAS, INTERVALS, POINTS, SHARE, interval_score, tuned_interval
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

OUTER = KFold(5, shuffle=True, random_state=20261116)
HUGE = 1e6
LISTED = ", ".join(f"{gamma:g}" for gamma in GAMMAS)
CROSSING = ("FGAR quantiles", "FGAR quantiles, learned", "linear quantiles", "quantile boosting")
HEADER_POINTS = ["data", "rows", "model", "R2", "mean absolute error", "s", "settings chosen"]
HEADER_INTERVALS = ["data", "model", "coverage", "width", "interval score", "lower above upper", "crossings of 5", "s"]
NOTES_POINTS = f"""\
- Five outer folds; in each, every model chooses one of eleven settings by the R2 of three inner folds. Errors are in
  shares of the range of the target; `s`: seconds of all fits on one thread.
- FGAR: `FGARegressorCV`, gamma {LISTED}; Euclidean, but those with monotone columns or learned
  weights Manhattan. Monotone columns: in diabetes bmi, bp and s5 (up); of the districts income (up) and occupancy
  (down); the dose of the curve (up).
- kNN: eleven k from 1 to 50, columns divided by their ranges; learned: with the metric and the weights of FGAR learned.
- Random forest: 100 trees, share of columns, least leaf.
- The districts are drawn: columns like those of the California housing data, a skewed value with spatial structure that
  is cut off at 5. The curve is drawn too: whole doses, many of them several times, and steps with noise."""
NOTES_INTERVALS = f"""\
Intervals for {SHARE:.0%} of the targets. Every model chooses one of eleven settings by the interval score of three
inner folds (mean width, and 20 times what a target lies outside; the lower the better). Widths and scores are in shares
of the range of the target.

- FGAR envelope: `FGARegressor(interval={SHARE:g})`, from the lower bound of the low fit to the upper bound of the high
  one. FGAR quantiles: the middle of the bounds of each fit. Manhattan distances; learned: `feature_weights="learned"`.
- kNN quantiles: of the targets of the k nearest rows; quantile forest: of those in the same leaves (Meinshausen);
  linear quantiles: `QuantileRegressor`; quantile boosting: `HistGradientBoostingRegressor(loss="quantile")`.
- `lower above upper`: test rows whose interval is the wrong way round. `crossings of 5`: test rows for which, of the
  quantiles {", ".join(map(str, FIVE))}, fitted one by one with the setting chosen, one is above the next."""


class Data(NamedTuple):
    """A table, its target, and in which columns that can only grow (1) or fall (-1)."""

    name: str
    X: Any
    y: Any
    monotone: dict[str, int]


def all_data(quick: bool) -> list[Data]:
    """Return what is measured."""
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    diabetes = Data("diabetes", X, y.to_numpy(dtype=np.float64), {"bmi": 1, "bp": 1, "s5": 1})
    houses = Data("districts", *districts(400 if quick else 3000), {"income": 1, "occupancy": -1})
    return [diabetes, houses, Data("curve", *curve(), {"dose": 1})]


def parts(data: Data) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield the training and the test part of every fold."""
    for train, test in OUTER.split(data.X):
        yield data.X.iloc[train], data.y[train], data.X.iloc[test], data.y[test]


def points(data: Data, name: str) -> list[str] | None:
    """Measure predictions of numbers."""
    found, chosen, start = [], [], perf_counter()
    for X, y, new, truth in parts(data):
        model = POINTS[name](X, data.monotone)
        if model is None:
            return None
        model.fit(X, y)
        predicted = model.predict(new)
        found.append([r2_score(truth, predicted), mean_absolute_error(truth, predicted) / np.ptp(data.y)])
        chosen.append(setting_of(model))
    spent = perf_counter() - start
    r2, error = np.mean(found, axis=0)
    row = [data.name, str(len(data.y)), name, f"{r2:.3f}", f"{error:.4f}", number(spent), "; ".join(chosen)]
    progress(" | ".join(row))
    return row


def setting_of(model: Any) -> str:
    """Write what was chosen."""
    if hasattr(model, "gamma_"):
        return f"{model.gamma_:g}"
    return " ".join(f"{value}" for value in model.best_params_.values()) if hasattr(model, "best_params_") else ""


def intervals(data: Data, name: str) -> list[str]:
    """Measure intervals."""
    found, crossed, start = [], 0, perf_counter()
    for X, y, new, truth in parts(data):
        model = tuned_interval(name).fit(X, y).best_estimator_
        low, high = model.predict_interval(new)
        inside = np.mean((low <= truth) & (truth <= high))
        score = -interval_score(model, new, truth)
        found.append([inside, np.mean(high - low), score, np.sum(low > high)])
        if name in CROSSING:
            crossed += crossings(clone(model).set_params(levels=FIVE).fit(X, y).predict(new))
    spent = perf_counter() - start
    inside, width, score, turned = np.mean(found, axis=0)
    span = np.ptp(data.y)
    cells = [data.name, name, f"{inside:.3f}", f"{width / span:.3f}", f"{score / span:.3f}"]
    cells += [str(round(turned * OUTER.n_splits)), str(crossed) if name in CROSSING else "", number(spent)]
    progress(" | ".join(cells))
    return cells


def crossings(quantiles: Any) -> int:
    """Count rows in which a quantile is above the next.

    >>> crossings(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]]))
    1
    """
    rounding = 1e-9 * np.ptp(quantiles)
    return int((np.diff(quantiles, axis=1) < -rounding).any(axis=1).sum())


def isotonic_difference(data: Data) -> float:
    """Return the largest difference to isotonic regression at the training points, in ranges of the target."""
    model = FGARegressor(gamma=HUGE, monotonic_cst=data.monotone).fit(data.X, data.y)
    column = data.X.iloc[:, 0].to_numpy()
    theirs = IsotonicRegression().fit(column, data.y).predict(column)
    apart = max(np.abs(found - theirs).max() for found in (model.fitted_values_, model.predict(data.X)))
    return float(apart / np.ptp(data.y))


def bars(apart: float, rows: list[list[str]]) -> list[Bar]:
    """Return what must hold beside what was measured."""
    own = [row for row in rows if row[1].startswith("FGAR")]
    turned = sum(int(row[5]) for row in own)
    crossed = sum(int(row[6]) for row in own if row[6])
    asked = f"one increasing column, gamma {HUGE:g}: largest difference to IsotonicRegression at most 1e-9 of the range"
    return [
        Bar(asked, f"{apart:.0e}", apart <= 1e-9),
        Bar("intervals of ours the wrong way round: none", str(turned), turned == 0),
        Bar("quantiles of ours that cross: none", str(crossed), crossed == 0),
    ]


def text(rows: list[list[str]], widths: list[list[str]], apart: float, load: OtherLoad) -> str:
    """Return the whole result."""
    found = ["# Regression by nested cross-validation", provenance(load), "## Numbers"]
    found += [markdown_table(HEADER_POINTS, rows), NOTES_POINTS]
    found += ["## Intervals", markdown_table(HEADER_INTERVALS, widths), NOTES_INTERVALS]
    return "\n\n".join([*found, "## Bars", bars_table(bars(apart, widths))])


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description="Nested cross-validation of regression.")
    parser.add_argument("-o", "--output", type=Path, help="default: results/regression.md; nothing with --quick")
    parser.add_argument("--quick", action="store_true", help="small data and fast models")
    parser.add_argument("--models", nargs="+", choices=list(POINTS), default=list(POINTS), metavar="NAME")
    options = parser.parse_args()
    load = OtherLoad()
    with threadpool_limits(1):
        data = all_data(options.quick)
        rows = [row for each in data for name in options.models if (row := points(each, name)) is not None]
        names = [name for name in INTERVALS if not (options.quick and "forest" in name)]
        widths = [intervals(each, name) for each in data for name in names]
        apart = isotonic_difference(data[-1])
    publish(
        text(rows, widths, apart, load), options.output or (None if options.quick else RESULTS / "nested_regression.md")
    )


if __name__ == "__main__":
    warnings.filterwarnings("error", category=RuntimeWarning)
    main()
