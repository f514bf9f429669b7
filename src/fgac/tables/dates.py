"""Dates, durations and times of day as numbers, from columns of pandas, polars, Arrow and NumPy and from objects.

Dates are days since 1970-01-01, with a fraction for the time of day; with a time zone, days in UTC. Durations are days,
times of day hours. What is missing is nan. None of the libraries is imported that is not in use already.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.tables.labels import is_missing
from fgac.tables.value_kinds import ValueKind, is_alike

DAY = np.timedelta64(1, "D")
DAY_0 = np.datetime64(0, "D")
# Beginnings of the names of types, in lower case, of pandas, polars, Arrow and NumPy alike.
TEMPORAL = ("date", "timestamp", "duration", "timedelta", "time", "period", "<m8", ">m8")
WORDS = {
    "date": "dates",
    "datetime": "dates",
    "moment": "dates with a time zone",
    "duration": "durations",
    "time": "times of day",
}


def is_temporal(dtype: Any) -> bool:
    """Whether the values of a type are dates, times or durations.

    >>> is_temporal(np.dtype("M8[ns]")), is_temporal(np.dtype("m8[s]")), is_temporal(np.dtype("f8"))
    (True, True, False)
    """
    return getattr(dtype, "kind", "O") in "mM" or str(dtype).lower().startswith(TEMPORAL)


def read_dates(column: Any, dtype: Any) -> tuple[Floats, ValueKind]:
    """The numbers of a column of a temporal type, and what they are.

    >>> read_dates(np.array(["2024-01-01T12", "NaT"], dtype="M8[h]"), np.dtype("M8[h]"))
    (array([19723.5,     nan]), 'date')
    """
    values, has_zone = _as_numpy(column, dtype)
    if values.dtype.kind == "M":
        return days_of(values), "moment" if has_zone else "date"
    if values.dtype.kind == "m":
        return _durations(values), "duration"
    return object_dates(values.tolist()) or (np.full(len(values), np.nan), "time")


def _as_numpy(column: Any, dtype: Any) -> tuple[NDArray[Any], bool]:
    """A column as NumPy's dates or durations, or as objects; and whether its dates have a time zone."""
    if isinstance(column, np.ndarray):
        return column, False
    name = str(dtype).lower()
    if hasattr(type(column), "isna"):
        if name.startswith("period"):
            return column.dt.to_timestamp().to_numpy(), False
        if not hasattr(dtype, "pyarrow_dtype"):
            zone = getattr(dtype, "tz", None)
            return (column.dt.tz_convert("UTC").dt.tz_localize(None) if zone else column).to_numpy(), bool(zone)
        pyarrow = import_module("pyarrow")  # which pandas has imported, to have such a type
        column, dtype = pyarrow.chunked_array(pyarrow.array(column)), dtype.pyarrow_dtype
    zone = getattr(dtype, "time_zone", None) or getattr(dtype, "tz", None)
    if hasattr(type(column), "to_physical"):
        return _of_polars(column, name), bool(zone)
    # NumPy has no type for the times of day of Arrow.
    is_time = str(dtype).startswith("time") and not str(dtype).startswith("timestamp")
    listed = np.array([*column.to_pylist(), None], dtype=object)[:-1] if is_time else None
    return (np.asarray(column) if listed is None else listed), bool(zone)


def _of_polars(column: Any, name: str) -> NDArray[Any]:
    """A column of polars as NumPy's dates or durations, or times of day as objects; a zone is left off in UTC."""
    if name.startswith("time"):
        return np.array([*column.to_list(), None], dtype=object)[:-1]
    numbers = column.to_physical().cast(float).to_numpy()  # null becomes nan
    missing = np.isnan(numbers)
    unit = {"date": "D"}.get(name) or column.dtype.time_unit
    whole = column.to_physical().cast(int).fill_null(0).to_numpy()
    values: NDArray[Any] = whole.astype(f"{'m' if name.startswith('duration') else 'M'}8[{unit}]")
    values[missing] = "NaT"
    return values


def check_kind(name: str, known: str, found: str) -> None:
    """Refuse a column that held dates in training and holds numbers now, or the other way around."""
    if not is_alike(known, found):
        was, now = WORDS.get(known, "numbers"), WORDS.get(found, "numbers")
        raise ValueError(
            f"column {name} held {was} when the model was fitted, and holds {now} now; expected {was}: convert it"
        )


def days_of(values: NDArray[Any]) -> Floats:
    """Days since 1970-01-01 of NumPy's dates, nan where one is missing."""
    unit = np.datetime_data(values.dtype)[0]
    if unit in ("Y", "M", "generic"):  # years and months differ in length; the day on which they begin is meant
        values = values.astype("M8[D]")
    return np.asarray((values - DAY_0) / DAY, dtype=np.float64)


def _durations(values: NDArray[Any]) -> Floats:
    """Days of NumPy's durations, nan where one is missing."""
    if np.datetime_data(values.dtype)[0] in ("Y", "M", "generic"):
        raise ValueError(f"durations of type {values.dtype} have no length: years and months differ; give days")
    return np.asarray(values / DAY, dtype=np.float64)


def object_dates(values: Sequence[Any]) -> tuple[Floats, ValueKind] | None:
    """The numbers of Python's dates, times or durations, and what they are; None if these are something else.

    >>> object_dates([date(2024, 1, 1), None, datetime(2024, 1, 1, 6)]), object_dates([1, date(2024, 1, 1)])
    ((array([19723.  ,      nan, 19723.25]), 'date'), None)
    """
    kinds = {None if is_missing(value) else _kind_of(value) for value in values} - {None}
    if len(kinds) != 1:
        if {"date", "moment"} <= kinds:
            raise ValueError("some dates have a time zone, and others have none; expected all of them, or none")
        return None
    (kind,) = kinds
    if kind == "other":
        return None
    return np.array([np.nan if is_missing(value) else _number_of(value) for value in values]), kind  # type: ignore[return-value]


def _kind_of(value: Any) -> str:
    if isinstance(value, datetime):
        return "date" if value.tzinfo is None else "moment"
    if isinstance(value, np.datetime64 | np.timedelta64):
        return "date" if isinstance(value, np.datetime64) else "duration"
    for kind, name in ((date, "date"), (timedelta, "duration"), (time, "time")):
        if isinstance(value, kind):
            return name
    return "other"


def _number_of(value: Any) -> float:
    """A date or a duration in days, a time of day in hours."""
    if isinstance(value, time):
        return value.hour + value.minute / 60 + (value.second + value.microsecond / 1e6) / 3600
    if isinstance(value, timedelta):
        return value / timedelta(days=1)
    if isinstance(value, np.datetime64):
        return float(days_of(np.array([value]))[0])
    if isinstance(value, np.timedelta64):
        return float(_durations(np.array([value]))[0])
    days = value.toordinal() - date(1970, 1, 1).toordinal()
    if not isinstance(value, datetime):
        return float(days)
    midnight = datetime(value.year, value.month, value.day, tzinfo=value.tzinfo)
    offset = value.utcoffset() or timedelta(0)
    return days + (value.replace(fold=0) - midnight.replace(fold=0) - offset) / timedelta(days=1)
