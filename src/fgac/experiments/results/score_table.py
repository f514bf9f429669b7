"""Scores of models on data sets, one row per data set and one column per model."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fgac._typing import Floats


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """A table of scores; NaN is a score that is not known.

    >>> table = ScoreTable("models", ("glass", "pima"), ("fgac", "knn"), np.array([[0.6, 0.7], [0.8, np.nan]]))
    >>> float(table["glass", "knn"])
    0.7
    >>> table.column("fgac")
    array([0.6, 0.8])
    >>> print(table.csv(), end="")
    dataset,fgac,knn
    glass,0.600,0.700
    pima,0.800,
    """

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Floats

    def __getitem__(self, cell: tuple[str, str]) -> float:
        row, column = cell
        return float(self.values[self.rows.index(row), self.columns.index(column)])

    def __contains__(self, cell: tuple[str, str]) -> bool:
        row, column = cell
        return row in self.rows and column in self.columns and bool(np.isfinite(self[row, column]))

    def column(self, name: str) -> Floats:
        """Scores of one model."""
        if name not in self.columns:
            raise KeyError(f"table {self.name!r} has no column {name!r}; it has {', '.join(self.columns)}")
        return self.values[:, self.columns.index(name)]

    def only(self, rows: Sequence[str]) -> ScoreTable:
        """The same table without other data sets, in the order given; unknown ones are left out."""
        kept = tuple(row for row in rows if row in self.rows)
        return ScoreTable(self.name, kept, self.columns, self.values[[self.rows.index(row) for row in kept]])

    def csv(self, decimals: int = 3) -> str:
        """The table as CSV; unknown scores are empty."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["dataset", *self.columns])
        for row, values in zip(self.rows, self.values, strict=True):
            writer.writerow([row, *(f"{value:.{decimals}f}" if np.isfinite(value) else "" for value in values)])
        return file.getvalue()


Tables = Mapping[str, ScoreTable]


def parse(name: str, text: str) -> ScoreTable:
    r"""Read a table from CSV.

    >>> parse("x", "dataset,a,b\npima,0.5,\n").values
    array([[0.5, nan]])
    """
    head, *lines = list(csv.reader(io.StringIO(text)))
    values = np.array([[float(cell) if cell else np.nan for cell in line[1:]] for line in lines])
    return ScoreTable(
        name, tuple(line[0] for line in lines), tuple(head[1:]), values.reshape(len(lines), len(head) - 1)
    )


def together(tables: Tables, columns: Sequence[str]) -> ScoreTable:
    """Columns of several tables, named ``table.column``, on the data sets for which all of them have a score.

    >>> one = ScoreTable("one", ("glass", "pima"), ("a",), np.array([[0.1], [0.2]]))
    >>> two = ScoreTable("two", ("pima", "glass"), ("b",), np.array([[0.3], [np.nan]]))
    >>> together({"one": one, "two": two}, ["one.a", "two.b"])
    ScoreTable(name='one.a two.b', rows=('pima',), columns=('one.a', 'two.b'), values=array([[0.2, 0.3]]))
    """
    cells = [(tables[name], column) for name, column in (qualified.split(".", 1) for qualified in columns)]
    rows = tuple(row for row in cells[0][0].rows if all((row, column) in table for table, column in cells))
    values = np.array([[table[row, column] for table, column in cells] for row in rows])
    return ScoreTable(" ".join(columns), rows, tuple(columns), values.reshape(len(rows), len(columns)))
