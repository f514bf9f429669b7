"""What a column holds: numbers, names, dates or nothing that fits. Decided from its values, shown, overridable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from fgac.cli.errors import CommandError
from fgac.cli.io.numerals import advice
from fgac.cli.options import MISSING

if TYPE_CHECKING:
    import polars as pl


ColumnKind = Literal["numeric", "nominal", "date", "duration", "time", "unusable"]

DATE = r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([T ]\d{1,2}:.*)?$"
TRUTH = {"true", "false"}
N_EXAMPLES = 3

# Up to so many different whole numbers might be codes of categories; they are taken as numbers all the same.
FEW = 10

# A column of so many values is long.
N_LONG = 10_000

# A text column with more different values than this part of its rows looks like an identifier.
MANY = 0.5


@dataclass(frozen=True)
class ColumnInfo:
    """One column, and what it is taken for.

    Attributes
    ----------
    name, kind : the column
    values : its values as the classifier gets them (floats, text or dates), null where missing
    n_missing, n_distinct : counts
    summary : its range or some of its values
    remark : what is odd about it, and what to do; empty if nothing is
    few : whether it holds few different whole numbers, which might stand for categories
    is_odd_number : whether its texts are likely meant as numbers, as the remark says
    form : how dates are written: see :mod:`fgac.cli.io.date_columns`; empty where they are no texts
    """

    name: str
    kind: ColumnKind
    values: pl.Series
    n_missing: int
    n_distinct: int
    summary: str
    remark: str = ""
    few: bool = False
    form: str = ""
    is_odd_number: bool = False


def infer_column(series: pl.Series, *, decimal_comma: bool = False, missing: Sequence[str] = MISSING) -> ColumnInfo:
    """Decide what a column holds; ``missing`` are the texts that say that a value is missing.

    >>> import polars as pl
    >>> column = infer_column(pl.Series("size", ["1", "2.5", "NA"]))
    >>> column.kind, column.values.to_list(), column.n_missing, column.summary
    ('numeric', [1.0, 2.5, None], 1, '1 to 2.5')
    """
    plain = plain_numbers(series, missing)
    if plain is not None:
        return _numeric(plain)
    values = clean_values(series, missing)
    numbers = as_numbers(values, decimal_comma=decimal_comma)
    # Dates would pass for names, of which hardly one occurs twice.
    if values.dtype.is_temporal() or (numbers is None and is_text(values) and holds_dates(values)):
        return _found("date", values)
    if numbers is not None:
        return _numeric(numbers)
    if is_text(values):
        column = _nominal(values)
        meant = advice(values, _parsed(values, decimal_comma=decimal_comma))
        return replace(column, remark=meant, is_odd_number=True) if meant else column
    return replace(_found("unusable", values), remark=f"holds values of type {values.dtype}")


def numeric(
    series: pl.Series,
    *,
    decimal_comma: bool = False,
    missing: Sequence[str] = MISSING,
    first_row: int = 1,
    otherwise: str = "leave the column out",
) -> ColumnInfo:
    """Take a column as numbers; an error names the first value that is none, and its row."""
    plain = plain_numbers(series, missing)
    if plain is not None:
        return _numeric(plain)
    values = clean_text(series, missing)
    numbers = as_numbers(values, decimal_comma=decimal_comma)
    if numbers is not None:
        return _numeric(numbers)
    value, row = repr(values.drop_nulls()[0]) if len(values.drop_nulls()) else "nothing", ""
    if is_text(values):
        wrong = _parsed(values, decimal_comma=decimal_comma).is_null() & values.is_not_null()
        place = int(wrong.arg_max() or 0)
        value, row = repr(values[place]), f" in row {first_row + place}"
    raise CommandError(f"column {series.name!r} must hold numbers, got {value}{row}; correct it, or {otherwise}")


def nominal(series: pl.Series, *, missing: Sequence[str] = MISSING) -> ColumnInfo:
    """Take a column as names."""
    import polars as pl

    values = clean_values(series, missing)
    if values.dtype.is_float():  # 2.0 in one file is 2 in the next
        whole = values.cast(pl.Int64, strict=False)
        values = whole if bool((whole == values).all()) else values
    return _nominal(as_text(values))


def as_text(values: pl.Series) -> pl.Series:
    """Names as text; an error if they are neither text nor numbers."""
    import polars as pl

    if values.dtype.is_numeric() or values.dtype.is_temporal() or values.dtype == pl.Null:
        values = values.cast(pl.String)
    if not is_text(values):
        raise CommandError(f"column {values.name!r} holds values of type {values.dtype}; expected text or numbers")
    return values


def clean_values(series: pl.Series, missing: Sequence[str] = MISSING) -> pl.Series:
    """Trimmed values; if all of them are true or false, they are so in small letters."""
    values = clean_text(series, missing)
    if not is_text(values):
        return values
    lower = values.str.to_lowercase()
    return lower if set(lower.drop_nulls().unique().to_list()) <= TRUTH else values


def clean_text(series: pl.Series, missing: Sequence[str] = MISSING) -> pl.Series:
    """Text without spaces around it, null for every way to write that a value is missing."""
    import polars as pl

    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    if series.dtype == pl.Boolean:
        return series.cast(pl.String)
    if series.dtype.is_decimal():
        return series.cast(pl.Float64)
    if series.dtype.is_float():
        series = series.fill_nan(None)
    if series.dtype.is_numeric():
        codes = [number for number in map(_number, missing) if number is not None]
        return series.set(series.cast(pl.Float64).is_in(codes), None) if codes else series
    if not is_text(series):
        return series
    text = series.str.strip_chars()
    return text.set(text.is_in(["", *missing]), None)


def plain_numbers(series: pl.Series, missing: Sequence[str]) -> pl.Series | None:
    """The values as floats if every cell is a number as it stands; None if there is more to find out.

    Most columns are such. They need none of the steps that text does, of which each takes longer than this.
    """
    import numpy as np
    import polars as pl

    if not (is_text(series) or series.dtype.is_numeric()) or any(_number(text) is not None for text in missing):
        return None
    numbers = series.cast(pl.Float64, strict=False)
    if numbers.null_count() != series.null_count():
        return None
    present = numbers.drop_nulls() if numbers.null_count() else numbers
    return None if np.isnan(present.to_numpy()).any() else numbers


def _number(text: str) -> float | None:
    """A marker such as -999 as a number; None if it is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def is_text(series: pl.Series) -> bool:
    """Whether a column is text."""
    import polars as pl

    return bool(series.dtype == pl.String)


def as_numbers(values: pl.Series, *, decimal_comma: bool = False) -> pl.Series | None:
    """The values as floats; None if one of them is no number."""
    import polars as pl

    if values.dtype.is_numeric() or values.dtype == pl.Null:
        return values.cast(pl.Float64)
    if not is_text(values):
        return None
    numbers = _parsed(values, decimal_comma=decimal_comma)
    return numbers if numbers.null_count() == values.null_count() else None


def _parsed(values: pl.Series, *, decimal_comma: bool) -> pl.Series:
    import polars as pl

    numbers = values.cast(pl.Float64, strict=False)
    if numbers.null_count() < len(numbers):
        numbers = numbers.fill_nan(None)  # if not missing, the text NaN is a name
    if decimal_comma and numbers.null_count() > values.null_count():
        swapped = values.set(values.str.contains(".", literal=True), None).str.replace(",", ".", literal=True)
        # A column has one decimal mark: the one that makes more numbers of its cells.
        others = swapped.cast(pl.Float64, strict=False).fill_nan(None)
        return others if others.null_count() < numbers.null_count() else numbers
    return numbers


def holds_dates(values: pl.Series) -> bool:
    """Whether every value looks like a date."""
    present = values.drop_nulls()
    return len(present) > 0 and bool(present.str.contains(DATE).all())


def _found(kind: ColumnKind, values: pl.Series, summary: str = "") -> ColumnInfo:
    try:
        n_distinct = values.drop_nulls().n_unique()
    except Exception:  # polars cannot compare values of every type
        n_distinct = 0
    return ColumnInfo(values.name, kind, values, values.null_count(), n_distinct, summary)


def _numeric(values: pl.Series) -> ColumnInfo:
    import numpy as np

    present = (values.drop_nulls() if values.null_count() else values).to_numpy()
    if not len(present):
        return _found("numeric", values, "no values")
    low, high = float(present.min()), float(present.max())
    summary = f"{low:g} to {high:g}" if low < high else f"always {low:g}"
    # polars counts long columns fast, but takes a while to begin.
    n_distinct = len(np.unique(present)) if len(present) < N_LONG else values.drop_nulls().n_unique()
    column = ColumnInfo(values.name, "numeric", values, values.null_count(), n_distinct, summary)
    if 1 < column.n_distinct <= FEW < len(present) and bool((present == np.round(present)).all()):
        column = replace(column, summary=f"{column.summary}, {column.n_distinct} different", few=True)
    remark = ""
    if len(present) > 2 and low < high and column.n_distinct == len(values) == high - low + 1:
        remark = f"numbers the rows; use --id {column.name!r} or --drop {column.name!r} if it is no measurement"
    elif low == high:
        remark = "the same in every row: it tells nothing"
    return replace(column, remark=remark)


def _nominal(values: pl.Series) -> ColumnInfo:
    import polars as pl

    counts = values.drop_nulls().value_counts(sort=True)
    names = counts.get_column(values.name).to_list()
    shown = ", ".join(_short(name) for name in names[:N_EXAMPLES]) + (", ..." if len(names) > N_EXAMPLES else "")
    column = _found("nominal", values.cast(pl.String), f"{len(names)}: {shown}" if names else "no values")
    remark = ""
    if len(values) >= 10 and len(names) > MANY * len(values):
        many = "in every row another" if len(names) == len(values) else f"{len(names)} different"
        remark = (
            f"{many} text, like an identifier, which makes all rows equally different; use --drop {column.name!r} or "
            f"--id {column.name!r}"
        )
    elif len(names) == 1:
        remark = "the same in every row: it tells nothing"
    return replace(column, remark=remark)


def _short(text: str, width: int = 12) -> str:
    """A value in a table.

    >>> _short("two words that are long")
    'two words t…'
    """
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def label_values(series: pl.Series, *, missing: Sequence[str] = MISSING) -> list[Any]:
    """Class labels, None where missing: whole numbers as such, everything else as its text.

    >>> import polars as pl
    >>> label_values(pl.Series(["1", "2.0"])), label_values(pl.Series(["01", "2"])), label_values(pl.Series([True]))
    ([1, 2], ['01', '2'], ['true'])
    """
    import polars as pl

    values = clean_values(series, missing)
    numbers = as_numbers(values)
    if numbers is None or not _are_whole(values, numbers):
        return (
            nominal(values, missing=missing).values.to_list()
            if not values.dtype.is_float()
            else values.cast(pl.String).to_list()
        )
    return numbers.cast(pl.Int64).to_list()


def _are_whole(values: pl.Series, numbers: pl.Series) -> bool:
    """Whether values are whole numbers, written as such: 007 is a name."""
    present = numbers.drop_nulls()
    if not len(present) or not bool(present.is_finite().all()) or bool((present != present.round()).any()):
        return False
    if bool((present.abs() >= 2**53).any()):  # a float cannot hold every whole number beyond
        return False
    return not (is_text(values) and bool(values.drop_nulls().str.contains(r"^[+-]?0\d").any()))
