"""From results, one line for every fold and setting, to the tables of the paper.

In the run "published" the score of a model on a data set is the best mean over folds among its settings, as in the
paper: the same folds choose and score, which flatters every model. In the run "ours" settings are chosen inside the
training part (nested cross-validation), and the score is the plain mean over folds.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fgac.experiments.results import published
from fgac.experiments.results.score_table import ScoreTable, Tables

Setting = float | int | str
Wanted = Callable[[Setting], bool]

PUBLISHED, OURS = "published", "ours"
REPRESENTATIVE = "fgac_mse_euclidean_nn2"
MODELS = ("fgac", "kfrnn", "knn", "lvq", "cart")
# Neighbours with which the paper calls a method transparent, and barely so.
ONE, FEW = 1, 5


@dataclass(frozen=True)
class Result:
    """The score of one setting of one method on one fold of one data set."""

    run: str
    dataset: str
    method: str
    fold: int
    setting: Setting
    score: float
    inner: float | None = None


@dataclass(frozen=True)
class Best:
    """The score of a model, the setting that reached it, and in how many folds it was tried."""

    score: float
    setting: Setting | None
    n_folds: int


def read_lines(path: str | Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines; a last line that was cut when the run was stopped is left out."""
    path = Path(path)
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    records = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError as error:
            if number == len(lines):
                break
            raise ValueError(f"{path}, line {number} is not JSON: {error}; remove that line, then run again") from error
    return records


def results_of(records: Iterable[dict[str, Any]]) -> list[Result]:
    """Typed results; of two lines about the same thing the last one counts."""
    found: dict[tuple[Any, ...], Result] = {}
    for record in records:
        key = tuple(record[name] for name in ("run", "dataset", "method", "fold", "setting"))
        if record["run"] == OURS:
            key = key[:-1]  # the setting is part of the outcome there
        found[key] = Result(**{name: record[name] for name in FIELDS}, inner=record.get("inner"))
    return list(found.values())


FIELDS = ("run", "dataset", "method", "fold", "setting", "score")


class Scores:
    """All results, and the scores of models made of them.

    >>> lines = [("pima", "knn", 0, 1, 0.6), ("pima", "knn", 1, 1, 0.8), ("pima", "knn", 0, 3, 0.9)]
    >>> scores = Scores([Result("published", *line) for line in lines])
    >>> scores.best("pima", "knn")
    Best(score=0.7, setting=1, n_folds=2)
    """

    def __init__(self, results: Iterable[Result]) -> None:
        self.results = list(results)
        self.n_folds = 1 + max((result.fold for result in self.results), default=-1)
        self._published: dict[tuple[str, str], dict[Setting, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
        self._ours: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
        for result in self.results:
            if result.run == PUBLISHED:
                self._published[result.dataset, result.method][result.setting][result.fold] = result.score
            else:
                self._ours[result.dataset, result.method][result.fold] = result.score

    @classmethod
    def read(cls, path: str | Path) -> Scores:
        """Results from a file of JSON lines."""
        return cls(results_of(read_lines(path)))

    @property
    def datasets(self) -> tuple[str, ...]:
        """Data sets with results, those of the paper first and in its order."""
        present = {result.dataset for result in self.results}
        known = (*published.PAPER, *published.APART)
        return (*(name for name in known if name in present), *sorted(present - set(known)))

    def best(self, dataset: str, method: str, wanted: Wanted | None = None) -> Best:
        """The best mean over folds among the settings wanted; settings with missing folds do not take part."""
        settings = self._published.get((dataset, method), {})
        means = {
            setting: float(np.mean(list(folds.values())))
            for setting, folds in settings.items()
            if len(folds) == self.n_folds and (wanted is None or wanted(setting))
        }
        if not means:
            return Best(float("nan"), None, 0)
        setting = max(means, key=lambda setting: means[setting])
        return Best(means[setting], setting, self.n_folds)

    def nested(self, dataset: str, method: str) -> float:
        """The mean over folds of the nested run; NaN unless all folds are there."""
        folds = self._ours.get((dataset, method), {})
        return float(np.mean(list(folds.values()))) if folds and len(folds) == self.n_folds else float("nan")

    def table(self, name: str, columns: dict[str, tuple[str, Wanted | None]], rows: Sequence[str]) -> ScoreTable:
        """A table whose columns are methods, some with part of their settings."""
        values = [[self.best(row, *source).score for source in columns.values()] for row in rows]
        return ScoreTable(name, tuple(rows), tuple(columns), np.array(values).reshape(len(rows), len(columns)))


def at_most(k: int) -> Wanted:
    """Settings that are numbers of neighbours up to k."""
    return lambda setting: not isinstance(setting, str) and setting <= k


def sources(table: str) -> dict[str, tuple[str, Wanted | None]]:
    """For each column of a table of the paper: which method, and which of its settings.

    >>> sources("models")["fgac"]
    ('fgac_mse_euclidean_nn2', None)
    """
    if table in ("nn", "owa"):
        return {column: (f"fgac_{column}", None) for column in published.tables()[table].columns}
    if table == "models":
        return {model: (REPRESENTATIVE if model == "fgac" else model, None) for model in MODELS}
    # The published numbers of these two kFRNN columns are those of the supremum similarity.
    frnn = "kfrnn" if table == "transparent_as_described" else "kfrnn_supremum"
    return {
        "fgac": (REPRESENTATIVE, None),
        "knn_k5": ("knn", at_most(FEW)),
        "kfrnn_k5": (frnn, at_most(FEW)),
        "knn_k1": ("knn", at_most(ONE)),
        "kfrnn_k1": (frnn, at_most(ONE)),
    }


def as_published(scores: Scores) -> dict[str, ScoreTable]:
    """The four tables of the paper from our results, and ``transparent_as_described``.

    The latter has kFRNN with the Euclidean similarity, as the paper's text says.
    """
    names = (*published.TABLES, "transparent_as_described")
    return {name: scores.table(name, sources(name), scores.datasets) for name in names}


def as_we_would(scores: Scores) -> ScoreTable:
    """The five models under nested cross-validation."""
    values = [[scores.nested(row, model) for model in MODELS] for row in scores.datasets]
    return ScoreTable("nested", scores.datasets, MODELS, np.array(values).reshape(len(scores.datasets), len(MODELS)))


def of_the_paper(tables: Tables) -> dict[str, ScoreTable]:
    """The same tables without the data sets that take part in no test of the paper."""
    return {name: table.only(published.PAPER) for name, table in tables.items()}
