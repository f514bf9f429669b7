"""``fgac predict``: classes and degrees of membership, or numbers and bounds, of the rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from fgac.cli import options as o
from fgac.cli.io.sources import Reading
from fgac.cli.option_groups import takes_groups
from fgac.cli.prediction_output import PredictionOutput

if TYPE_CHECKING:
    import polars as pl

    from fgac.cli.io.new_rows import RowReader
    from fgac.cli.io.reading import RawTable


@takes_groups
def predict(
    model: o.Model,
    data: o.Data,
    *,
    output: PredictionOutput,
    id: o.Id = None,
    drop_missing: o.DropMissing = False,
    missing: o.Missing = None,
    min_confidence: o.MinConfidence = None,
    dask: o.Dask = None,
    reading: Reading,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Predict the classes, or the numbers, of the rows of a table.

    Gives for every row its id (or number, from 1), the predicted class, the degree of membership in it with its lower
    and upper bound, the margin to the next class, whether it is a guess because there is no comparable case,
    and the degree in every class; for ordered classes, how true it is that the row is at least of each. If numbers are
    predicted: the prediction with its lower and upper bound, the interval if the model has one, and whether it is a
    guess. CSV (with --json JSON) on standard output, a .csv, .json or .parquet file, or a table of a database (-o
    ADDRESS --table NAME).
    CSV tells degrees to 6 decimals, the others in full. The table may be larger than memory: it is read part by part.
    With --min-confidence, rows of which the model is not sure enough get no prediction. With --dask, the workers of a
    cluster predict the parts of the table; what is written is the same.
    The probability of a calibrated model is that of the row itself, by a curve through rows held out; the "42 of 100
    such cases" of 'fgac explain' counts a group of rows held out that were about as probable, and may differ from it.
    Names of rows and classes are written as they are: for CSV that is opened in a spreadsheet, see --spreadsheet-safe.
    """
    from fgac.cli.clusters import connected
    from fgac.cli.console import note, note_left_out, progress
    from fgac.cli.errors import pluralize
    from fgac.cli.io.new_rows import RowReader
    from fgac.cli.io.streaming import read_batches
    from fgac.cli.model_files import check_files, read_model

    output.check(data, model)
    check_files(model, data, reading)
    output.check_table()
    stored = read_model(model)
    stored.kind.check_min_confidence(min_confidence)
    cluster = nullcontext() if dask is None else connected(dask)
    predictor = Predictor(RowReader(stored, id=id, drop_missing=drop_missing), min_confidence)
    # On a terminal, which a stream may be, a bar would stand between the lines of the result.
    mixed = sys.stdout.isatty() if output.output is None else output.is_stream
    with (
        progress("predicting rows", quiet=quiet or mixed) as on_progress,
        # After an error, too: a database that is read must not stay locked.
        closing(read_batches(data, stored.missing_markers(missing), on_progress, reading)) as tables,
        cluster as client,
    ):
        output.write(predictor.frames(tables, client), stored.kind.csv_decimals, json=json)
    predictor.reader.report(quiet=quiet)
    note_left_out(predictor.reader.n_left_out, quiet=quiet)
    if min_confidence is None:
        warn_of_guesses(predictor.n_guesses, predictor.n_rows)
    else:
        note(predictor.abstained(), quiet=quiet)
    if output.output is not None:
        note(f"Predicted {pluralize(predictor.n_rows, 'row')}: {output.shown}", quiet=quiet)
        if json:
            from fgac.cli.json_output import print_written

            print_written(output.written, **predictor.counts())


class Predictor:
    """Predicts part after part of a table, and counts rows, guesses and those that it abstains from."""

    def __init__(self, reader: RowReader, min_confidence: float | None = None) -> None:
        self.reader, self.min_confidence = reader, min_confidence
        self.n_rows = self.n_guesses = self.n_abstained = 0

    def frames(self, tables: Iterable[RawTable], client: Any = None) -> Iterator[pl.DataFrame]:
        """The predictions of every part, by the workers of a client if there is one; an error if no row is complete."""
        from fgac.estimators._batches import one_by_one

        stored = self.reader.model
        judged = partial(stored.kind.predictions, min_confidence=self.min_confidence)
        parts = (rows for rows in one_by_one(tables, self.reader.read) if len(rows))
        if client is None:
            found: Iterator[pl.DataFrame] = (judged(stored.state, rows) for rows in parts)
        else:
            from fgac.dask.streams import in_order

            found = in_order(client, judged, stored.state, parts)
        for frame in found:
            self._count(frame)
            yield frame
        self.reader.check_some()

    def _count(self, found: pl.DataFrame) -> None:
        """Count the rows of a part, and those that are told apart."""
        self.n_rows += len(found)
        self.n_guesses += int(found.get_column("guess").sum()) if "guess" in found.columns else 0
        self.n_abstained += int(found.get_column("abstained").sum()) if "abstained" in found.columns else 0

    def counts(self) -> dict[str, int]:
        """How many rows were predicted, how many of them are guesses, and from how many the model abstained."""
        return {"n_rows": self.n_rows, "n_guesses": self.n_guesses, "n_abstained": self.n_abstained}

    def abstained(self) -> str:
        """From how many rows the model abstained, and how many of them would have been guesses."""
        from fgac.cli.errors import pluralize

        of = f"Abstained from {self.n_abstained} of {pluralize(self.n_rows, 'row')}"
        # With a least confidence of 0 guesses are told, too.
        guesses = f", {self.n_guesses} of them without a comparable case" if self.n_guesses and self.n_abstained else ""
        return f"{of} (confidence below {self.min_confidence:g}){guesses}."


def warn_of_guesses(n: int, n_rows: int) -> None:
    """Say how many predictions are guesses, if any are."""
    from fgac.cli.errors import pluralize, warn

    if n:
        have, are = ("has", "its prediction is a guess") if n == 1 else ("have", "their predictions are guesses")
        warn(f"{n} of {pluralize(n_rows, 'row')} {have} no comparable case: {are} (column guess)")
