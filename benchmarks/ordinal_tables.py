"""The tables of ``ordinal.py``: classes that have an order, from packages of PyPI.

They were chosen before anything was measured on them: answers to surveys, stages of a disease, qualities of goods; four
to seven classes, 400 to 54 000 rows, signals from strong to hardly any. What our defaults do with ordered classes was
decided on other tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from real_tables import R, RealTable, parse, prepare
from wheels import file_in_package

MOST_ROWS = 2500


@dataclass(frozen=True)
class OrderedTable:
    """A table whose classes have an order, from the lowest to the highest."""

    table: RealTable
    order: tuple[str, ...]


class OrderedProblem(NamedTuple):
    """A table that is ready to be learned from; ``y`` are places of classes in their order."""

    table: OrderedTable
    frame: Any
    y: Any
    n_rows: int

    @property
    def missing(self) -> float:
        """Share of cells that are missing."""
        return float(self.frame.isna().to_numpy().mean())


def load(ordered: OrderedTable, cache: Path) -> OrderedProblem:
    """Fetch a table, make it ready, and of many rows take some, always the same."""
    table = ordered.table
    data = file_in_package(table.package, table.member, table.sha256, cache)
    found = prepare(table, parse(table, data))
    y = np.array([ordered.order.index(label) for label in found.classes])[found.y]
    rows = np.arange(len(y))
    if len(rows) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(20261118).choice(rows, MOST_ROWS, replace=False))
    return OrderedProblem(ordered, found.frame.iloc[rows].reset_index(drop=True), y[rows], len(y))


def stages(low: int, high: int, suffix: str = "") -> tuple[str, ...]:
    """Whole numbers as they are written.

    >>> stages(1, 3)
    ('1', '2', '3')
    """
    return tuple(f"{stage}{suffix}" for stage in range(low, high + 1))


TABLES = (
    OrderedTable(
        RealTable(
            "diamonds",
            "Diamonds with their sizes, colours and prices; which quality of the cut?",
            "pydataset",
            f"{R}/ggplot2/diamonds.csv",
            "fc2f171cc18eae2138d01dcca7179db3bb30ff047dceae4467a056d52133810a",
            "cut",
        ),
        ("Fair", "Good", "Very Good", "Premium", "Ideal"),
    ),
    OrderedTable(
        RealTable(
            "health",
            "Members of the RAND health insurance experiment; how do they rate their health?",
            "pydataset",
            f"{R}/Ecdat/MedExp.csv",
            "abc116d3a4a204364d6386e9b0dfa5803436041a16d011a5a9c492dd0c5eebda",
            "health",
        ),
        ("poor", "fair", "good", "excellent"),
    ),
    OrderedTable(
        RealTable(
            "marriages",
            "Readers of a women's magazine; how do they rate their marriages?",
            "statsmodels",
            "statsmodels/datasets/fair/fair.csv",
            "fd5f3f094a34fc35ca346a14c359e046ed27843038d6921efcd50a7ab21f6af0",
            "rate_marriage",
            nominal=("occupation", "occupation_husb"),
        ),
        stages(1, 5),
    ),
    OrderedTable(
        RealTable(
            "party",
            "American National Election Study of 1996; which of seven degrees between the parties?",
            "statsmodels",
            "statsmodels/datasets/anes96/anes96.csv",
            "c124d8556d6f8c4329b1fea61e3dc6891c5e663f15b7fe5791235963420ba896",
            "PID",
            separator="\t",
        ),
        stages(0, 6),
    ),
    OrderedTable(
        RealTable(
            "information",
            "American National Election Study of 2000; how informed about politics, by the interviewer's rating?",
            "pydataset",
            f"{R}/pscl/politicalInformation.csv",
            "1c48a9bff6ae2c21d561684059a8c236822f482e57259ce82fd086b1cac0cc00",
            "y",
            ids=("id",),
        ),
        ("Very Low", "Fairly Low", "Average", "Fairly High", "Very High"),
    ),
    OrderedTable(
        RealTable(
            "cirrhosis",
            "Patients with primary biliary cirrhosis; which stage, by the microscope?",
            "pydataset",
            f"{R}/survival/pbc.csv",
            "26f2738addc7932cad62b21498f013578f1541d700b01634cb5f4840cb9bc2b9",
            "stage",
            ids=("id",),
            leaks={"time": "known only afterwards", "status": "known only afterwards"},
        ),
        stages(1, 4, ".0"),
    ),
)
BY_NAME = {ordered.table.name: ordered for ordered in TABLES}
