"""Columns of dates: those that a file holds as such, and texts in which days, months and years stand in some order.

Texts with the year first are read without being asked about. Where the order of days and months follows from the
values, it is found; where both fit, the user must say it. What was found goes into the model file, so that new rows
are read in the same way, however few they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.column_types import ColumnInfo, ColumnKind, clean_text, is_text

if TYPE_CHECKING:
    import polars as pl


YEAR, SHORT_YEAR = r"(?P<year>\d{4})", r"(?P<year>\d{4}|\d{2})"
MONTH, DAY, MARK = r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})", r"[-/.]"
TIME = r"(?:[T ]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:[.,]\d+)?))?)?"
ZONE = r" ?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?"
# In which order days, months and years stand: its name in model files, and a pattern.
ORDERS = {
    "ymd": f"^{YEAR}{MARK}{MONTH}{MARK}{DAY}{TIME}{ZONE}$",
    "dmy": f"^{DAY}{MARK}{MONTH}{MARK}{SHORT_YEAR}{TIME}{ZONE}$",
    "mdy": f"^{MONTH}{MARK}{DAY}{MARK}{SHORT_YEAR}{TIME}{ZONE}$",
}
# Letters of patterns that stand for a part of a time of day.
TIMES = "HIklMSTRXrcs+"
# Years of two digits from this one on are of the last century.
LAST_CENTURY = 69
EXAMPLES = "'COLUMN=%d/%m/%Y' (days first) or 'COLUMN=%m/%d/%Y'"


def date_column(
    series: pl.Series, *, form: str | None, missing: Sequence[str], first_row: int = 1, otherwise: str = ""
) -> ColumnInfo:
    """Take a column as dates; an error names the first value that is none.

    ``form`` is the order of days, months and years ("ymd", "dmy", "mdy"), a pattern such as ``%d.%m.%Y``, or None to
    find the order out. ``otherwise`` is what else to do about a value that is no date.

    >>> import polars as pl
    >>> column = date_column(pl.Series("when", ["31.12.2023", "", "1.2.2024"]), form=None, missing=[])
    >>> column.form, column.summary, column.n_missing
    ('dmy', '2023-12-31 to 2024-02-01', 1)
    """
    values = clean_text(series, missing)
    if values.dtype.is_temporal():
        return _found(values, "")
    if form is not None and "%" in form:
        values = values if is_text(values) else values.cast(_text_type(), strict=False)
        return _found(_checked(values, parsed_by(values, form), first_row, otherwise), form)
    if not is_text(values):
        present = values.drop_nulls()
        if len(present):
            raise CommandError(f"column {series.name!r} must hold dates, got {present[0]}{otherwise}")
        return _found(values.cast(_date_type()), form or "ymd")
    form = form or _order_of(values, otherwise)
    return _found(_checked(values, in_order(values, form), first_row, otherwise), form)


def in_order(values: pl.Series, order: str) -> pl.Series:
    """Dates with days, months and years in an order, null where a text is none; with times only where some has one.

    >>> import polars as pl
    >>> in_order(pl.Series(["2024-01-01T10:30+01:00"]), "ymd").to_list()
    [datetime.datetime(2024, 1, 1, 9, 30, tzinfo=zoneinfo.ZoneInfo(key='UTC'))]
    """
    import polars as pl

    parts = values.str.extract_groups(ORDERS[order]).struct.unnest()
    two, number = pl.col("year").str.len_chars() == 2, pl.col("year").cast(pl.Int64, strict=False)
    century = pl.when(two & (number >= LAST_CENTURY)).then(1900).when(two).then(2000).otherwise(0)
    time = pl.concat_str(
        pl.col("hour").fill_null("0").str.zfill(2),
        pl.col("minute").fill_null("00"),
        pl.col("second").str.replace(",", ".", literal=True).fill_null("00"),
        separator=":",
    )
    day = pl.concat_str(
        (number + century).cast(pl.String).str.zfill(4),
        pl.col("month").str.zfill(2),
        pl.col("day").str.zfill(2),
        separator="-",
    )
    text = pl.concat_str(day, time, separator=" ").alias("text")
    found = parts.select(text).to_series().str.to_datetime("%Y-%m-%d %H:%M:%S%.f", strict=False, time_unit="us")
    found = found.alias(values.name)
    zone = parts.get_column("zone")
    if zone.count() and zone.count() == values.count():
        return (found - _offsets(zone)).dt.replace_time_zone("UTC")
    if zone.count():  # some have one, and others none
        return found.set(zone.is_null(), None).dt.replace_time_zone("UTC")
    return found if parts.get_column("hour").count() else found.dt.date()


def _offsets(zones: pl.Series) -> pl.Series:
    """How far time zones, as in +01:00, are ahead."""
    import polars as pl

    digits = zones.str.replace_all(r"[^0-9]", "")
    minutes = digits.str.head(2).cast(pl.Int64, strict=False) * 60 + digits.str.tail(2).cast(pl.Int64, strict=False)
    sign = pl.Series([1]).new_from_index(0, len(zones)).set(zones.str.starts_with("-").fill_null(False), -1)
    ahead = (minutes * sign).fill_null(0)
    return (ahead * 60_000_000).cast(pl.Duration("us"))


def parsed_by(values: pl.Series, pattern: str) -> pl.Series:
    """Dates that are written after a pattern, null where a text is not."""
    import polars as pl

    has_time = any(f"%{letter}" in pattern for letter in TIMES)
    try:
        return (values.str.to_datetime if has_time else values.str.to_date)(pattern, strict=False)
    except pl.exceptions.PolarsError as error:
        why = str(error).partition("\n")[0]
        raise UsageError(f"--date '{values.name}={pattern}': this pattern cannot be read ({why})") from error


def _order_of(values: pl.Series, otherwise: str) -> str:
    """The order in which days, months and years stand in all texts."""
    n = values.count()
    fitting = [order for order in ORDERS if in_order(values, order).count() == n]
    if "ymd" in fitting or not fitting:
        return "ymd"
    dotted = bool(values.drop_nulls().str.contains(r"^\d+\.").all())
    if len(fitting) > 1 and not dotted:
        raise UsageError(
            f"column {values.name!r} holds dates such as {values.drop_nulls()[0]}, and days cannot be told from "
            f"months; say --date {EXAMPLES.replace('COLUMN', values.name)}"
        )
    # With dots, days come first.
    return fitting[0]


def _checked(values: pl.Series, found: pl.Series, first_row: int, otherwise: str) -> pl.Series:
    """Dates that were found, if every text is one."""
    wrong = values.is_not_null() & found.is_null()
    if bool(wrong.any()):
        place = int(wrong.arg_max() or 0)
        name = values.name
        raise CommandError(
            f"column {name!r} must hold dates, got {values[place]!r} in row {first_row + place}; correct it, "
            f"or say how dates are written (--date '{name}=%d-%b-%Y', for example){otherwise}"
        )
    return found


def _found(values: pl.Series, form: str) -> ColumnInfo:
    import polars as pl

    present = values.drop_nulls()
    kind: ColumnKind = {pl.Duration: "duration", pl.Time: "time"}.get(values.dtype.base_type(), "date")  # type: ignore[assignment]
    low, high = (present.min(), present.max()) if len(present) else (None, None)
    summary = "no values" if low is None else f"{low!s} to {high!s}" if low != high else f"always {low!s}"
    remark = "the same in every row: it tells nothing" if low is not None and low == high else ""
    return ColumnInfo(
        values.name, kind, values, values.null_count(), present.n_unique(), summary, remark=remark, form=form
    )


def _text_type() -> type[pl.String]:
    import polars as pl

    return pl.String


def _date_type() -> type[pl.Date]:
    import polars as pl

    return pl.Date
