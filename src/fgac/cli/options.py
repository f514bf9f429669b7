"""Options that several commands have in common."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from fgac.cli import completion

# Ways to write that a value is missing; an empty cell always is.
MISSING = ("?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL")
MISSING_HELP = f"Missing are empty cells and {', '.join(MISSING)}"

COLUMNS = "Columns"
MODEL = "Model"
OUTPUT = "Output"


class Loss(StrEnum):
    """What training minimises."""

    squared_error = "squared_error"
    absolute_error = "absolute_error"


class Metric(StrEnum):
    """Distances between rows."""

    learned = "learned"
    euclidean = "euclidean"
    manhattan = "manhattan"
    chebyshev = "chebyshev"
    angular = "angular"


class Scale(StrEnum):
    """What a difference in a numeric column is divided by."""

    auto = "auto"
    range = "range"
    robust = "robust"
    rank = "rank"
    none = "none"


class ClassWeight(StrEnum):
    """Whether rows of small classes count more."""

    none = "none"
    balanced = "balanced"


class RankBy(StrEnum):
    """What an audit ranks doubted rows by."""

    membership = "membership"
    rest = "rest"
    held_out = "held_out"


Name = TypeVar("Name", bound=StrEnum)


def one_of(names: type[Name]) -> Callable[[str], Name]:
    """A parser of an option; typer's own puts words of its machinery before the message."""

    def parse(text: str) -> Name:
        try:
            return names(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, map(str, names)))}") from None

    return parse


def positive(value: float | None) -> float | None:
    """Refuse numbers that are not positive."""
    if value is not None and not 0 < value < float("inf"):
        raise typer.BadParameter(f"{value:g} is not a positive number")
    return value


def share(value: float | None) -> float | None:
    """Refuse numbers that are not between 0 and 1."""
    if value is not None and not 0 < value < 1:
        raise typer.BadParameter(f"{value:g} is not between 0 and 1, such as 0.9")
    return value


TABLE_HELP = (
    "Table with a header: .csv, .tsv, .txt, .jsonl (or these with .gz, .bz2, .xz), .parquet, .arrow, .feather, .xlsx, "
    "or - for CSV from standard input. Or a database, with --sql: sqlite:///FILE, duckdb:///FILE, "
    "postgresql://USER@HOST/NAME."
)
Data = Annotated[str, typer.Argument(metavar="DATA", help=TABLE_HELP)]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="Model file that 'fgac fit' wrote.")]
AnyModel = Annotated[str, typer.Argument(metavar="MODEL", help="Model file, or file of a gamma path.")]
# A list, because typer takes the last one of an option that is given twice, and says nothing.
Target = Annotated[
    list[str],
    typer.Option(
        "--target",
        "-t",
        metavar="COLUMN",
        help="Column to predict.",
        rich_help_panel=COLUMNS,
        autocompletion=completion.columns,
    ),
]


Numbers = Annotated[
    bool,
    typer.Option("--numbers", help="The target holds numbers, not classes.", rich_help_panel=COLUMNS),
]


Order = Annotated[
    list[str] | None,
    typer.Option(
        "--order",
        metavar="CLASSES",
        help="The classes have an order: all of them, from the lowest to the highest, with commas in between. If names "
        "hold commas, repeat --order for every class. A near miss is then better than a far one: gamma is chosen by "
        "how many classes predictions are off, every class counting the same.",
        rich_help_panel=COLUMNS,
    ),
]


Id = Annotated[
    str | None,
    typer.Option(
        "--id",
        metavar="COLUMN",
        help="Column that names the rows.",
        rich_help_panel=COLUMNS,
        autocompletion=completion.columns,
    ),
]


Weight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        help="How often every row counts.",
        rich_help_panel=COLUMNS,
        autocompletion=completion.columns,
    ),
]


Group = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="COLUMN",
        help="Rows with the same value belong together, such as those of one person: cross-validation holds out whole "
        "groups, so that scores are of new ones. It is no feature.",
        autocompletion=completion.columns,
        rich_help_panel=COLUMNS,
    ),
]


Nominal = Annotated[
    list[str] | None,
    typer.Option(
        "--nominal",
        metavar="COLUMN",
        help="Take as names, not numbers. Repeat.",
        rich_help_panel=COLUMNS,
        autocompletion=completion.columns,
    ),
]


Numeric = Annotated[
    list[str] | None,
    typer.Option(
        "--numeric",
        metavar="COLUMN",
        help="Take as numbers. Repeat.",
        rich_help_panel=COLUMNS,
        autocompletion=completion.columns,
    ),
]


Date = Annotated[
    list[str] | None,
    typer.Option(
        "--date",
        metavar="COLUMN[=PATTERN]",
        help="Take as dates, which count in days; written after a pattern such as %d.%m.%Y if one is given. Repeat.",
        autocompletion=completion.columns,
        rich_help_panel=COLUMNS,
    ),
]


Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        metavar="COLUMN",
        help="Learn from it also if it looks like an identifier, which is left out. Repeat.",
        autocompletion=completion.columns,
        rich_help_panel=COLUMNS,
    ),
]


Drop = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="COLUMN",
        help="Leave out. Repeat.",
        rich_help_panel=COLUMNS,
        autocompletion=completion.columns,
    ),
]


DropMissing = Annotated[
    bool,
    typer.Option(
        "--drop-missing",
        help="Leave out rows with missing values, which otherwise count as unknown. "
        f"{MISSING_HELP}, unless --missing says otherwise.",
        rich_help_panel=COLUMNS,
    ),
]


Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TOKEN",
        help="What stands for a missing value, instead of those listed at --drop-missing. Repeat for several.",
        rich_help_panel=COLUMNS,
    ),
]


Gamma = Annotated[
    float | None,
    typer.Option(
        "--gamma",
        metavar="NUMBER",
        callback=positive,
        help="How fast similarity falls with distance. Chosen by cross-validation unless given.",
        rich_help_panel=MODEL,
    ),
]


LossOption = Annotated[
    Loss,
    typer.Option(
        "--loss",
        metavar="NAME",
        parser=one_of(Loss),
        autocompletion=completion.names_of(Loss),
        help="What training minimises: squared_error, absolute_error.",
        rich_help_panel=MODEL,
    ),
]


MetricOption = Annotated[
    Metric,
    typer.Option(
        "--metric",
        metavar="NAME",
        parser=one_of(Metric),
        autocompletion=completion.names_of(Metric),
        help="Distance between rows: learned (Manhattan on ranks, columns weighted by what they tell, and a score), "
        "euclidean, manhattan, chebyshev, angular (the angle between rows: embeddings, counts, pixels).",
        rich_help_panel=MODEL,
    ),
]


ScaleOption = Annotated[
    Scale,
    typer.Option(
        "--scale",
        metavar="NAME",
        parser=one_of(Scale),
        autocompletion=completion.names_of(Scale),
        help="What numeric differences are divided by: the range of the column, robust: the range of its middle 98 %, "
        "none: 1. With rank they are the share of the training rows in between. auto: rank if the metric is learned, "
        "none if it is angular, else range.",
        rich_help_panel=MODEL,
    ),
]


ClassWeightOption = Annotated[
    ClassWeight | None,
    typer.Option(
        "--class-weight",
        metavar="NAME",
        parser=one_of(ClassWeight),
        autocompletion=completion.names_of(ClassWeight),
        help="balanced: rows of small classes count more, as in the score that gamma is chosen by; or none. By default "
        "balanced.",
        rich_help_panel=MODEL,
    ),
]


Interval = Annotated[
    float | None,
    typer.Option(
        "--interval",
        metavar="SHARE",
        callback=share,
        help="With --numbers: also learn intervals that hold this share of the values, 0.9 for example; how wide they "
        "must be is found on rows held out.",
        rich_help_panel=MODEL,
    ),
]


Increasing = Annotated[
    list[str] | None,
    typer.Option(
        "--increasing",
        metavar="COLUMN",
        help="More of it can only speak for the second of two classes (in the order of their names), or, with --order "
        "or --numbers, for more. Repeat.",
        autocompletion=completion.columns,
        rich_help_panel=MODEL,
    ),
]


Decreasing = Annotated[
    list[str] | None,
    typer.Option(
        "--decreasing",
        metavar="COLUMN",
        help="More of it can only speak for the first of two classes, or for less. Repeat.",
        autocompletion=completion.columns,
        rich_help_panel=MODEL,
    ),
]


LearnWeights = Annotated[
    bool,
    typer.Option(
        "--learn-weights",
        help="Learn from the training rows how much every column counts; the learned metric does so anyway.",
        rich_help_panel=MODEL,
    ),
]


Jobs = Annotated[
    int, typer.Option("--n-jobs", metavar="NUMBER", help="Threads; -1 is all. Results do not depend on it.")
]


Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write here; the suffix tells how.",
        autocompletion=completion.files,
        rich_help_panel=OUTPUT,
    ),
]


Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Let the workers of a Dask cluster predict: the address of its scheduler, as tcp://10.0.0.5:8786. They "
        "need this version of fgac.",
    ),
]

MinConfidence = Annotated[
    float | None,
    typer.Option(
        "--min-confidence",
        min=0.0,
        max=1.0,
        metavar="SHARE",
        help="Abstain from predictions that are less sure than this, and from guesses: their cells stay empty, and a "
        "column 'abstained' says so. The confidence is the probability of the predicted class if the model is "
        "calibrated, as those that chose their gamma are; else its degree, as a share of those of all classes.",
    ),
]


SpreadsheetSafe = Annotated[
    bool,
    typer.Option(
        "--spreadsheet-safe",
        help="In CSV, put an apostrophe before text that begins with =, +, -, @, a tab or a carriage return: a "
        "spreadsheet would take it for a formula, and compute it.",
        rich_help_panel=OUTPUT,
    ),
]


Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Only errors and warnings on standard error.", rich_help_panel=OUTPUT),
]


Json = Annotated[
    bool,
    typer.Option(
        "--json",
        help="One JSON document on standard output: the result, or with -o what was written. See docs/command_line.md.",
        rich_help_panel=OUTPUT,
    ),
]
