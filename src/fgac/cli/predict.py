"""``fgac predict``: classes and degrees of membership of the rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fgac.cli import options as o

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from fgac import FGAClassifier
    from fgac.cli.newrows import NewRows, RowReader
    from fgac.cli.reading import RawTable
    from fgac.membership import Memberships

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
    """Predict the classes of the rows of a table.

    Gives for every row its id (or number, from 1), the predicted class, the degree of membership in it with its lower
    and upper bound, the margin to the next class, whether it is a guess because the row resembles no training row,
    and the degree in every class. CSV on standard output, or a .csv, .json or .parquet file. CSV tells degrees to 6
    decimals, the others in full. The table may be larger than memory: it is read part by part.
    """
    from fgac.cli.failure import counted
    from fgac.cli.models import load, markers
    from fgac.cli.newrows import RowReader
    from fgac.cli.screen import note, note_left_out, progress
    from fgac.cli.streaming import read_batches
    from fgac.cli.writing import check_output, write_frames

    check_output(output, SUFFIXES, data, model)
    clf, notes = load(model)
    predictor = Predictor(RowReader(clf, notes, id=id, drop_missing=drop_missing))
    mixed = output is None and sys.stdout.isatty()  # a bar between the lines of the result
    with progress("predicting rows", quiet=quiet or mixed) as report:
        write_frames(predictor.frames(read_batches(data, markers(missing, notes), report)), output)
    predictor.reader.tell(quiet=quiet)
    note_left_out(predictor.reader.n_left_out, quiet=quiet)
    warn_of_guesses(predictor.n_guesses, predictor.n_rows)
    if output is not None:
        note(f"Predicted {counted(predictor.n_rows, 'row')}: {output}", quiet=quiet)


class Predictor:
    """Predicts part after part of a table, and counts rows and guesses."""

    def __init__(self, reader: RowReader) -> None:
        self.reader = reader
        self.n_rows = self.n_guesses = 0

    def frames(self, tables: Iterable[RawTable]) -> Iterator[pl.DataFrame]:
        """The predictions of every part; at the end, an error if no row was complete."""
        from fgac.batches import one_by_one

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
        self.n_guesses += int(found.get_column("guess").sum())
        return found


def predictions(clf: FGAClassifier, rows: NewRows) -> pl.DataFrame:
    """One row of a frame per row; the types of its columns do not depend on the rows."""
    import numpy as np
    import polars as pl

    memberships, scores = clf._judge(clf._rows(rows.X))
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
    from fgac.explain import SILENT

    return (memberships.lower.max(axis=1) <= SILENT) & (memberships.upper.min(axis=1) >= 1.0 - SILENT)


def warn_of_guesses(n: int, n_rows: int) -> None:
    """Say how many predictions are guesses, if any are."""
    from fgac.cli.failure import counted, warn

    if n:
        resemble, are = (
            ("resembles", "its prediction is a guess") if n == 1 else ("resemble", "their predictions are guesses")
        )
        warn(f"{n} of {counted(n_rows, 'row')} {resemble} no training row: {are} (column guess)")
