"""``fgac predict``: classes and degrees of membership, or numbers and bounds, of the rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fgac.cli import options as o

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from fgac import AtLeast, FGAClassifier, FGAOrdinalClassifier, FGARegressor
    from fgac._typing import Ints
    from fgac.cli.io.new_rows import NewRows, RowReader
    from fgac.cli.io.reading import RawTable
    from fgac.cli.model_files import Model
    from fgac.granular.membership import Memberships


SUFFIXES = (".csv", ".json", ".parquet")


def predict(
    model: o.Model,
    data: o.Data,
    output: o.Output = None,
    id: o.Id = None,
    drop_missing: o.DropMissing = False,
    missing: o.Missing = None,
    quiet: o.Quiet = False,
) -> None:
    """Predict the classes, or the numbers, of the rows of a table.

    Gives for every row its id (or number, from 1), the predicted class, the degree of membership in it with its lower
    and upper bound, the margin to the next class, whether it is a guess because the row resembles no training row,
    and the degree in every class; for ordered classes, how true it is that the row is at least of each. If numbers are
    predicted: the prediction with its lower and upper bound, and the interval if the model has one. CSV on standard
    output, or a .csv, .json or .parquet file. CSV tells degrees to 6 decimals, the others in full. The table may be
    larger than memory: it is read part by part.
    """
    from fgac.cli.console import note, note_left_out, progress
    from fgac.cli.errors import pluralize
    from fgac.cli.io.new_rows import RowReader
    from fgac.cli.io.streaming import read_batches
    from fgac.cli.io.writing import check_output, write_frames
    from fgac.cli.model_files import csv_decimals, load, markers

    check_output(output, SUFFIXES, data, model)
    clf, notes = load(model)
    predictor = Predictor(RowReader(clf, notes, id=id, drop_missing=drop_missing))
    mixed = output is None and sys.stdout.isatty()  # a bar between the lines of the result
    with progress("predicting rows", quiet=quiet or mixed) as report:
        frames = predictor.frames(read_batches(data, markers(missing, notes), report))
        write_frames(frames, output, csv_decimals(clf))
    predictor.reader.tell(quiet=quiet)
    note_left_out(predictor.reader.n_left_out, quiet=quiet)
    warn_of_guesses(predictor.n_guesses, predictor.n_rows)
    if output is not None:
        note(f"Predicted {pluralize(predictor.n_rows, 'row')}: {output}", quiet=quiet)


class Predictor:
    """Predicts part after part of a table, and counts rows and guesses."""

    def __init__(self, reader: RowReader) -> None:
        self.reader = reader
        self.n_rows = self.n_guesses = 0

    def frames(self, tables: Iterable[RawTable]) -> Iterator[pl.DataFrame]:
        """The predictions of every part; at the end, an error if no row was complete."""
        from fgac.estimators._batches import one_by_one

        for found in one_by_one(tables, self.predict):
            if found is not None:
                yield found
        self.reader.check_some()

    def predict(self, table: RawTable) -> pl.DataFrame | None:
        """The predictions of one part; None if none of its rows is complete."""
        rows = self.reader.read(table)
        if not len(rows):
            return None
        found = predictions(self.reader.clf, rows)
        self.n_rows += len(rows)
        self.n_guesses += int(found.get_column("guess").sum()) if "guess" in found.columns else 0
        return found


def predictions(model: Model, rows: NewRows) -> pl.DataFrame:
    """One row of a frame per row; the types of its columns do not depend on the rows."""
    from fgac.cli.model_files import predicts_numbers, predicts_order

    if predicts_numbers(model):
        return number_predictions(model, rows)
    return order_predictions(model, rows) if predicts_order(model) else class_predictions(model, rows)


def number_predictions(model: FGARegressor, rows: NewRows) -> pl.DataFrame:
    """Predicted numbers, what the training rows leave room for, and the interval if there is one."""
    import polars as pl

    bounds = model.predict_bounds(rows.X)
    found = {"id": rows.ids, "prediction": bounds.prediction, "lower": bounds.lower, "upper": bounds.upper}
    if model.interval is not None:
        found["interval_lower"], found["interval_upper"] = model.predict_interval(rows.X)
    return pl.DataFrame(found)


def order_predictions(clf: FGAOrdinalClassifier, rows: NewRows) -> pl.DataFrame:
    """Predicted classes, how much the rows are of these, and how much they are above every boundary."""
    import numpy as np
    import polars as pl

    from fgac.estimators._state import state_of
    from fgac.granular.boundaries import memberships_of

    at_least, winners = state_of(clf).at_least_and_winners(clf._read_rows(rows.X))
    memberships = memberships_of(at_least)
    each = np.arange(len(winners))
    degree = memberships.degree[each, winners]
    labels = clf.classes_.tolist()
    return pl.DataFrame(
        {
            "id": rows.ids,
            "prediction": pl.Series(labels).gather(winners),
            "degree": degree,
            "lower": memberships.lower[each, winners],
            "upper": memberships.upper[each, winners],
            "margin": 2.0 * degree - 1.0,  # to what lies beyond the closer boundary
            "guess": guesses_in_order(at_least, winners),
            **{f"at_least_{label}": at_least.degree[:, c] for c, label in enumerate(labels[1:])},
        }
    )


def class_predictions(clf: FGAClassifier, rows: NewRows) -> pl.DataFrame:
    """Predicted classes and degrees in all of them."""
    import numpy as np
    import polars as pl

    from fgac.estimators._state import state_of

    memberships, scores = state_of(clf).predictor.memberships_and_scores(clf._read_rows(rows.X))
    best = scores.argmax(axis=1)
    each = np.arange(len(best))
    degree = memberships.degree[each, best]
    others = memberships.degree.copy()
    others[each, best] = -np.inf
    margin = degree - others.max(axis=1) if len(clf.classes_) > 1 else np.ones(len(best))
    labels = clf.classes_.tolist()
    return pl.DataFrame(
        {
            "id": rows.ids,
            "prediction": pl.Series(labels).gather(best),
            "degree": degree,
            "lower": memberships.lower[each, best],
            "upper": memberships.upper[each, best],
            "margin": margin,
            "guess": guesses(memberships),
            **{f"degree_{label}": memberships.degree[:, c] for c, label in enumerate(labels)},
        }
    )


def guesses(memberships: Memberships) -> NDArray[np.bool_]:
    """Which rows no training row resembles, so that every class may be theirs: bounds 0 and 1."""
    from fgac._tolerances import STRENGTH_TOL

    return (memberships.lower.max(axis=1) <= STRENGTH_TOL) & (memberships.upper.min(axis=1) >= 1.0 - STRENGTH_TOL)


def guesses_in_order(at_least: AtLeast, winners: Ints) -> NDArray[np.bool_]:
    """Which rows no training row puts above or below the boundaries next to their predicted classes."""
    import numpy as np

    from fgac._tolerances import STRENGTH_TOL

    silent = (at_least.lower <= STRENGTH_TOL) & (at_least.upper >= 1.0 - STRENGTH_TOL)
    if not silent.shape[1]:
        return np.zeros(len(silent), dtype=bool)
    beside = np.pad(silent, ((0, 0), (1, 1)), constant_values=True)  # beyond the first and the last class is nothing
    each = np.arange(len(silent))
    both: NDArray[np.bool_] = beside[each, winners] & beside[each, winners + 1]
    return both


def warn_of_guesses(n: int, n_rows: int) -> None:
    """Say how many predictions are guesses, if any are."""
    from fgac.cli.errors import pluralize, warn

    if n:
        resemble, are = (
            ("resembles", "its prediction is a guess") if n == 1 else ("resemble", "their predictions are guesses")
        )
        warn(f"{n} of {pluralize(n_rows, 'row')} {resemble} no training row: {are} (column guess)")
