"""What the numbers of a column are: measurements, whole numbers, 0 and 1, dates, durations or times of day.

Distances see numbers, whatever they are. What is said about them depends on it: a count does not change by 0.08, and
19723 is a day that people call 2024-01-01. Dates are days since 1970-01-01.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

import numpy as np

from fgac._tolerances import TEXT_TOL
from fgac._typing import Floats

ValueKind = Literal["number", "whole", "binary", "date", "datetime", "moment", "duration", "time"]
KINDS: tuple[ValueKind, ...] = get_args(ValueKind)

# Kinds of numbers that are days since 1970: whole days, days with a time, and moments, which have a time zone.
DATES = ("date", "datetime", "moment")
# Kinds of which a part of one is no change that anyone could make.
WHOLE = ("whole", "binary", "date")
# The unit of a kind that has one of its own.
UNITS = {"date": "days", "datetime": "days", "moment": "days", "duration": "days", "time": "hours"}

# So many numbers that are all whole are no measurements, whatever type they are stored in.
MANY_WHOLE = 20
# Beyond it every float is whole.
LARGEST_WHOLE = 2.0**53

EPOCH = datetime(1970, 1, 1)
# The days between which a calendar has names for them: the years 1 to 9999.
FIRST_DAY, LAST_DAY = -719_162, 2_932_896
SECONDS = 86_400


def learned_kind(values: Floats, said: ValueKind) -> ValueKind:
    """What the numbers of a column are, by their type (``said``) and by their values, nan where one is unknown.

    >>> learned_kind(np.array([0.0, 1.0, np.nan]), "whole"), learned_kind(np.array([0.0, 1.5]), "date")
    ('binary', 'datetime')
    >>> learned_kind(np.arange(30.0), "number"), learned_kind(np.array([1.0, 2.0]), "number")
    ('whole', 'number')
    """
    if said not in ("number", "whole", "date"):
        return said
    known = values[~np.isnan(values)]
    is_whole = bool((known == np.round(known)).all() and (np.abs(known) < LARGEST_WHOLE).all())
    if said == "date":
        return "date" if is_whole else "datetime"
    if not len(known) or not is_whole or (said == "number" and len(known) < MANY_WHOLE):
        return "number"
    return "binary" if ((known == 0) | (known == 1)).all() else "whole"


def plain_value(kind: str, value: Any) -> Any:
    """A number as explanations tell it: a date as its text, a whole number as such, any other as it is.

    >>> plain_value("date", 19723.0), plain_value("moment", 19723.4375), plain_value("whole", 3.0)
    ('2024-01-01', '2024-01-01 10:30 UTC', 3)
    """
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    if kind in DATES:
        return date_text(value, kind)
    # A new row may hold a part of what came whole in training.
    return int(value) if kind in WHOLE and value == round(value) and abs(value) < LARGEST_WHOLE else value


def date_text(days: float, kind: str) -> str:
    """Days since 1970-01-01 as a date, with the time of day where there is one.

    >>> date_text(0.0, "date"), date_text(0.75, "datetime"), date_text(1e300, "date")
    ('1970-01-01', '1970-01-01 18:00', '1e+300 days since 1970-01-01')
    """
    if not FIRST_DAY <= days <= LAST_DAY:
        return f"{days:.6g} days since 1970-01-01"
    # Days are split off first: a float of microseconds since 1970 would have lost some of them.
    day = math.floor(days)
    moment = EPOCH + timedelta(days=day, microseconds=round((days - day) * SECONDS * 1e3) * 1e3)
    has_time = kind == "moment" or moment.time() != EPOCH.time()
    text = moment.isoformat(" ", _precision(moment)) if has_time else moment.date().isoformat()
    return f"{text} UTC" if kind == "moment" else text


def days_in(text: str) -> float:
    """Days since 1970-01-01 of a text of :func:`date_text`.

    >>> days_in("2024-01-01"), days_in("2024-01-01 10:30 UTC"), days_in("1e+300 days since 1970-01-01")
    (19723.0, 19723.4375, 1e+300)
    """
    if " days since " in text:
        return float(text.partition(" ")[0])
    return (datetime.fromisoformat(text.removesuffix(" UTC")) - EPOCH) / timedelta(days=1)


def _precision(moment: datetime) -> str:
    if moment.microsecond:
        return "milliseconds"
    return "seconds" if moment.second else "minutes"


def whole_steps(kind: str, room: float | None, value: Any, direction: int = 0) -> float | None:
    """The largest whole change below a room for changes, of a kind that changes by whole steps; else the room.

    With 0 and 1 there is one change only, to the other: None if there is room for it, as for a category, and else 0. It
    does not need room where a change that way (``direction`` 1 or -1) does not matter.

    >>> whole_steps("whole", 2.4, 7), whole_steps("whole", 1.0, 7), whole_steps("number", 2.4, 7.5)
    (2.0, 0.0, 2.4)
    >>> whole_steps("binary", 2.4, 0), whole_steps("binary", 0.4, 0), whole_steps("binary", 0.4, 0, direction=1)
    (None, 0.0, None)
    """
    if room is None or kind not in WHOLE or not isinstance(value, int | float) or value != round(value):
        return room
    steps = max(0, math.ceil(room * (1.0 - TEXT_TOL)) - 1)
    if kind != "binary" or value not in (0, 1):
        return float(steps)
    is_free = direction == (1 if value == 0 else -1)
    return None if is_free or steps >= 1 else 0.0


def is_alike(known: str, found: str) -> bool:
    """Whether a column of one kind can be read as one of another: dates are no numbers, nor are moments dates.

    >>> is_alike("date", "datetime"), is_alike("whole", "number"), is_alike("date", "number")
    (True, True, False)
    """
    return _family(known) == _family(found)


def _family(kind: str) -> str:
    return {"whole": "number", "binary": "number", "datetime": "date"}.get(kind, kind)
