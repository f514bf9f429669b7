"""Random small tables: numbers, categories and both, with repeated rows, equal distances, one class or many.

Numbers lie on a coarse grid, unless distances are to be all different. A ``Case`` has rows as tuples for the oracle and
gives the same as a frame or array for the library.
"""

import itertools
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

KINDS = ("numeric", "nominal", "mixed", "distinct")
GAMMAS = (1e-6, 0.3, 1.7, 4.0, 1e6)
QUICK_GAMMA = 1.7


@dataclass
class Case:
    """Training rows with their classes, new rows, and which columns are nominal."""

    name: str
    rows: list
    classes: list
    queries: list
    nominal: list = field(default_factory=list)
    gamma: float = 1.0

    def frame(self, rows):
        """Return rows as the library takes them: a matrix, or a pandas frame if a column is nominal."""
        if not self.nominal:
            return np.array(rows, dtype=float)
        import pandas as pd

        columns = {f"q{q}": list(column) for q, column in enumerate(zip(*rows, strict=True))}
        return pd.DataFrame(columns).astype({f"q{q}": "category" for q in self.nominal})

    def repeated(self, times):
        """Return the table in which every row stands as often as told, or not at all."""
        rows, classes = (
            [part[u] for u in np.repeat(np.arange(len(self.rows)), times)] for part in (self.rows, self.classes)
        )
        return replace(self, rows=rows, classes=classes)

    @property
    def X(self):
        """The training table."""
        return self.frame(self.rows)

    @property
    def Q(self):
        """The new rows."""
        return self.frame(self.queries)

    @property
    def y(self):
        """The classes."""
        return np.array(self.classes)


def random_row(rng, kind, n_columns=3):
    """Return a row: on a grid, or anywhere if distances are to be distinct."""
    if kind == "distinct":
        return tuple(float(x) for x in rng.uniform(0, 4, n_columns))
    numbers = [float(x) for x in rng.integers(0, 5, n_columns)]
    names = [str(x) for x in rng.choice(["a", "b", "c"], n_columns)]
    return {"numeric": tuple(numbers), "nominal": tuple(names), "mixed": (numbers[0], names[1], numbers[2])}[kind]


def random_case(seed, kind, n_classes, n_rows, gamma, n_queries=4):
    """Return a table; all classes occur, and rows repeat within classes and across them, unless distinct."""
    rng = np.random.default_rng([seed, KINDS.index(kind), n_classes, n_rows])
    rows = [random_row(rng, kind) for _ in range(n_rows)]
    if kind != "distinct" and n_rows >= 4:
        rows[-1], rows[-2] = rows[0], rows[1]
    extra = rng.integers(0, n_classes, max(0, n_rows - n_classes))
    classes = [int(k) for k in [*range(min(n_classes, n_rows)), *extra]]
    others = [random_row(rng, kind) for _ in range(n_queries - 1)]
    queries = [rows[0], *(others if n_rows > 1 else rows)]  # a single row has no ranges to scale another by
    nominal = {"numeric": [], "distinct": [], "nominal": [0, 1, 2], "mixed": [1]}[kind]
    name = f"{kind}, {n_classes} classes, {n_rows} rows, gamma {gamma:g}, seed {seed}"
    return Case(name, rows, classes, queries, nominal, gamma)


def cases(kinds=KINDS, class_counts=(1, 2, 3, 5), sizes=(9,), gammas=GAMMAS, seeds=(0,)):
    """Return a case for every setting, and single rows."""
    made = [random_case(*setting) for setting in itertools.product(seeds, kinds, class_counts, sizes, gammas)]
    return made + [random_case(0, kind, 1, 1, QUICK_GAMMA) for kind in kinds]


def for_each(made):
    """Parametrise a test by cases; quick are those of two or three classes, or one row, with an everyday gamma."""
    slow = [case.gamma != QUICK_GAMMA or (len(set(case.classes)) not in (2, 3) and len(case.rows) > 1) for case in made]
    marks = [pytest.mark.slow if one else () for one in slow]
    settings = [pytest.param(case, id=case.name, marks=mark) for case, mark in zip(made, marks, strict=True)]
    return pytest.mark.parametrize("case", settings)


def slow_but(n, settings):
    """Return settings of a test, all but the first n marked as slow."""
    return [pytest.param(one, marks=pytest.mark.slow) if i >= n else one for i, one in enumerate(settings)]


@contextmanager
def told(*settings):
    """Say for which settings an assertion within failed."""
    try:
        yield
    except AssertionError as error:
        error.add_note(f"settings: {settings}")
        raise
