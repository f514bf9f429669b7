"""What would change a prediction: ours against DiCE, random and genetic, on the same models and rows.

    python benchmarks/counterfactuals.py DATA_FOLDER            # some minutes
    python benchmarks/counterfactuals.py DATA_FOLDER --quick    # five rows of one table; nothing is written

A model is fitted to one half of a table. Of rows of the other half everyone is asked for one change that makes the
model predict the other class. DiCE sees the model as any scikit-learn classifier, and the training rows.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from fgac import FGAClassifierCV
from fgac.estimators._base import read_new_rows
from fgac.estimators._state import state_of
from fgac.experiments.datasets.files import load
from load import OtherLoad
from report import PACKAGES, RESULTS, Bar, bars_table, markdown_table, number, progress, provenance_of, publish
from report import _commit as commit

TABLES = ("german", "wdbc", "crx")
N_ROWS = 100
FASTER = 50.0
OURS, RANDOM, GENETIC = "fgac", "DiCE random", "DiCE genetic"
HEADER = ["data", "columns", "method", "found", "valid", "columns changed", "distance", "by ranges", "ms a row"]
NOTES = f"""\
- {N_ROWS} rows of the half that the model (`FGAClassifierCV(calibrate=False)`) was not fitted to, drawn with a fixed
  seed; one change each. Everyone may change every column, within what the training rows hold.
- `found`: rows for which there is an answer; `valid`: of these, those for which the model predicts the other class when
  it is asked about the answer. What follows is of valid answers only. A number counts as changed if it moved by more
  than a millionth of its range: DiCE rounds.
- `distance`: in the distance of the model. `by ranges`: differences divided by the range of their column, and 1 for
  another category, added up: a measure that is nobody's own.
- Means of `columns changed` and the two distances are compared on the rows for which both have a valid answer.
- `ms a row`: processor time of all rows on one thread, which other processes disturb less than the clock; ours are
  asked together. DiCE goes through rows one by one in any case."""


class Answers(NamedTuple):
    """The answers of a method: one row of values each, None where there is none, and milliseconds a row."""

    rows: list[Any]
    time: float


class Data(NamedTuple):
    """A table in two halves, the model of the first, and rows of the second."""

    name: str
    X_train: Any
    y_train: Any
    X: Any
    model: Any


def all_data(folder: Path, quick: bool) -> Iterator[Data]:
    """Yield what is measured."""
    for table in load(folder, TABLES[:1] if quick else TABLES):
        frame = table.frame.dropna().reset_index(drop=True)
        # DiCE takes categories that are texts.
        for name in frame.columns:
            if not pd.api.types.is_numeric_dtype(frame[name]):
                frame[name] = frame[name].astype(str).astype(object)
        frame.columns = [str(name) for name in frame.columns]
        y = np.asarray(table.y)[table.frame.notna().all(axis=1)]
        X_train, X_rest, y_train, _ = train_test_split(frame, y, test_size=0.5, random_state=0, stratify=y)
        rows = np.random.default_rng(0).permutation(len(X_rest))[: 5 if quick else N_ROWS]
        # DiCE goes by probabilities: without calibration the most probable class is the predicted one.
        model = FGAClassifierCV(calibrate=False).fit(X_train, y_train)
        yield Data(table.name, X_train, y_train, X_rest.iloc[rows].reset_index(drop=True), model)


def ours(data: Data) -> Answers:
    """Ask for all rows at once."""
    data.model.counterfactuals(data.X[:2], n=1)  # whatever is compiled when it is first needed
    start = process_time()
    found = data.model.counterfactuals(data.X, n=1)
    time = process_time() - start
    return Answers([changes[0].row if changes else None for changes in found], 1e3 * time / len(data.X))


def dice(method: str) -> Callable[[Data], Answers]:
    """Ask DiCE for one row after the other."""

    def ask(data: Data) -> Answers:
        import dice_ml

        table = data.X_train.assign(outcome_=data.y_train)
        numeric = [name for name in data.X_train if pd.api.types.is_numeric_dtype(data.X_train[name])]
        known = dice_ml.Data(dataframe=table, continuous_features=numeric, outcome_name="outcome_")
        explainer = dice_ml.Dice(known, dice_ml.Model(model=data.model, backend="sklearn"), method=method)
        how = {"random_seed": 0} if method == "random" else {}
        rows, start = [], process_time()
        for i in range(len(data.X)):
            with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
                rows.append(_one(explainer, data.X[i : i + 1], how))
        return Answers(rows, 1e3 * (process_time() - start) / len(data.X))

    return ask


def _one(explainer: Any, row: Any, how: dict[str, Any]) -> Any:
    """Return the answer for one row; None where DiCE gives up, which it says by an exception of any kind."""
    try:
        found = explainer.generate_counterfactuals(row, total_CFs=1, desired_class="opposite", verbose=False, **how)
    except Exception as error:
        progress(f"{type(error).__name__}: {error}"[:100])
        return None
    frame = found.cf_examples_list[0].final_cfs_df
    return None if frame is None or not len(frame) else frame.iloc[0].drop("outcome_").to_dict()


METHODS = {OURS: ours, RANDOM: dice("random"), GENETIC: dice("genetic")}


class Measured(NamedTuple):
    """What was measured of a method on a table; arrays have one entry per row, nan where there is no valid answer."""

    found: int
    valid: int
    columns: Any
    distance: Any
    ranges: Any
    time: float


def measure(data: Data, answers: Answers) -> Measured:
    """Judge answers: whether they are valid, and how far away they are."""
    before = data.model.predict(data.X)
    there = [i for i, row in enumerate(answers.rows) if row is not None]
    after = pd.DataFrame([answers.rows[i] for i in there], columns=data.X.columns)
    after = after.astype({name: data.X[name].dtype for name in after if data.X[name].dtype.kind == "f"})
    for name in after:
        if data.X[name].dtype.kind not in "fiu":
            after[name] = after[name].astype(object)
    valid = data.model.predict(after) != before[there]
    columns, distance, ranges = (np.full(len(data.X), np.nan) for _ in range(3))
    state = state_of(data.model)
    points, _ = read_new_rows(data.model, data.X)
    ends, _ = read_new_rows(data.model, after)
    for k, i in enumerate(there):
        if not valid[k]:
            continue
        out = np.empty((1, 1))
        state.metric.block(points[i : i + 1], ends[k : k + 1], out)
        apart = [difference(data.X_train[name], data.X.loc[i, name], after.loc[k, name]) for name in after]
        distance[i], columns[i], ranges[i] = out[0, 0], np.sum(np.array(apart) > 1e-6), np.sum(apart)
    return Measured(len(there), int(valid.sum()), columns, distance, ranges, answers.time)


def difference(column: Any, before: Any, after: Any) -> float:
    """Return by how much a value changed: by what share of the range of its column, or by 1 if it is a category."""
    if not pd.api.types.is_numeric_dtype(column):
        return float(str(before) != str(after))
    return abs(float(after) - float(before)) / (float(column.max() - column.min()) or 1.0)


def line(data: Data, name: str, m: Measured) -> list[str]:
    """Return one line of the table."""
    means = [number(float(np.nanmean(part))) for part in (m.columns, m.distance, m.ranges)]
    row = [data.name, str(data.X.shape[1]), name, str(m.found), f"{100 * m.valid / max(1, m.found):.0f} %", *means]
    return [*row, number(m.time)]


def bars(found: dict[str, dict[str, Measured]]) -> list[Bar]:
    """Return what must hold beside what was measured."""
    own = [(m.valid, m.found) for m in (each[OURS] for each in found.values())]
    valid = " and ".join(f"{a} of {b}" for a, b in own)
    result = [Bar("answers of ours that are valid, all tables, 100 %", valid, all(a == b for a, b in own))]
    for peer in (RANDOM, GENETIC):
        for what, words in (("columns", "fewer changed columns"), ("distance", "a smaller distance")):
            pairs = [
                means(getattr(each[OURS], what), getattr(each[peer], what)) for each in found.values() if peer in each
            ]
            told = ", ".join(f"{number(a)} against {number(b)}" for a, b in pairs)
            result.append(Bar(f"{words} than {peer} in the mean, every table", told, all(a < b for a, b in pairs)))
        times = [each[peer].time / each[OURS].time for each in found.values()]
        told = ", ".join(f"{time:.0f}" for time in times)
        result.append(Bar(f"times faster than {peer}, every table, at least {FASTER:.0f}", told, min(times) >= FASTER))
    return result


def means(ours: Any, theirs: Any) -> tuple[float, float]:
    """Return the means of rows for which both have an answer."""
    both = ~np.isnan(ours) & ~np.isnan(theirs)
    return float(ours[both].mean()), float(theirs[both].mean())


def text(rows: list[list[str]], found: dict[str, dict[str, Measured]], load_by_others: OtherLoad) -> str:
    """Return the whole result."""
    where = f"{provenance_of(commit(), (*PACKAGES[:5], 'dice_ml'))} {load_by_others.sentence()}"
    parts = ["# What would change a prediction", where, markdown_table(HEADER, rows), NOTES]
    return "\n\n".join([*parts, "## Bars", bars_table(bars(found))])


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description="Counterfactuals against DiCE.")
    parser.add_argument("folder", type=Path, help="folder with the tables as CSV files")
    parser.add_argument("-o", "--output", type=Path, help="default: results/counterfactuals.md; nothing with --quick")
    parser.add_argument("--quick", action="store_true", help="five rows of one table only")
    options = parser.parse_args()
    load_by_others, rows = OtherLoad(), []
    found: dict[str, dict[str, Measured]] = {}
    with threadpool_limits(1):
        for data in all_data(options.folder, options.quick):
            for name, method in METHODS.items():
                found.setdefault(data.name, {})[name] = measure(data, method(data))
                rows.append(line(data, name, found[data.name][name]))
                progress(" | ".join(rows[-1]))
    output = options.output or (None if options.quick else RESULTS / "counterfactuals.md")
    publish(text(rows, found, load_by_others), output)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main()
