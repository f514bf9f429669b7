"""Dates in tables: which texts are dates, in which order, and what is asked about."""

from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.csv_text import parse_csv
from fgac.cli.io.date_columns import date_column
from fgac.cli.io.roles import Roles
from fgac.cli.io.training_table import training_table
from fgac.cli.kinds import kind_named


def read(values, form=None, **options):
    return date_column(pl.Series("when", values), form=form, missing=["NA"], **options)


@pytest.mark.parametrize(
    ("values", "form", "expected"),
    [
        (["2024-01-31", "", "NA"], "ymd", [date(2024, 1, 31), None, None]),
        (["2024/1/2", "2024/12/31"], "ymd", [date(2024, 1, 2), date(2024, 12, 31)]),
        (["2024-01-31", "2024-02-01 06:30"], "ymd", [datetime(2024, 1, 31), datetime(2024, 2, 1, 6, 30)]),
        (["2024-01-31T06:30:15.25"], "ymd", [datetime(2024, 1, 31, 6, 30, 15, 250_000)]),
        (["1.2.2024"], "dmy", [date(2024, 2, 1)]),
        (["1/2/2024", "13/2/2024"], "dmy", [date(2024, 2, 1), date(2024, 2, 13)]),
        (["1/2/2024", "2/13/2024"], "mdy", [date(2024, 1, 2), date(2024, 2, 13)]),
        (["31.12.99", "31.12.04"], "dmy", [date(1999, 12, 31), date(2004, 12, 31)]),
    ],
)
def test_the_order_of_days_and_months_is_found(values, form, expected):
    column = read(values)
    assert (column.kind, column.form) == ("date", form)
    assert column.values.to_list() == expected
    assert read(values, form).values.to_list() == expected


def test_time_zones_are_told_in_utc():
    values = read(["2024-01-01T10:00Z", "2024-01-01T10:00+01:00", "2024-01-01 10:00:00-0530", None]).values
    noon = datetime(2024, 1, 1, 10, tzinfo=UTC)
    assert values.to_list() == [noon, noon - timedelta(hours=1), noon + timedelta(hours=5, minutes=30), None]


def test_some_with_a_time_zone_and_some_without_are_refused():
    with pytest.raises(CommandError, match=r"column 'when' must hold dates, got '2024-01-01T10:00' in row 2"):
        read(["2024-01-01T10:00Z", "2024-01-01T10:00"])


@pytest.mark.parametrize("values", [["1/2/2024", "3/4/2024"], ["01-02-24"]])
def test_days_that_cannot_be_told_from_months_are_asked_about(values):
    with pytest.raises(UsageError, match=r"days cannot be told from months; say --date 'when=%d/%m/%Y' \(days first\)"):
        read(values)


@pytest.mark.parametrize(
    ("values", "pattern", "expected"),
    [
        (["02-Jan-2024", None], "%d-%b-%Y", [date(2024, 1, 2), None]),
        ([20240102, 20241231], "%Y%m%d", [date(2024, 1, 2), date(2024, 12, 31)]),
        (["1/2/2024"], "%m/%d/%Y", [date(2024, 1, 2)]),
        (["2.1.2024 13:30"], "%d.%m.%Y %H:%M", [date(2024, 1, 2)]),
    ],
)
def test_dates_may_be_written_after_a_pattern(values, pattern, expected):
    column = read(values, pattern)
    assert column.form == pattern
    assert [None if value is None else date(value.year, value.month, value.day) for value in column.values] == expected


@pytest.mark.parametrize("form", [None, "ymd", "%Y-%m-%d"])
def test_a_value_that_is_no_date_is_named_with_its_row(form):
    with pytest.raises(CommandError, match=r"column 'when' must hold dates, got 'soon' in row 12; correct it"):
        read(["2024-01-01", "soon"], form, first_row=11)
    with pytest.raises(CommandError, match=r"column 'when' must hold dates, got '2024-02-30' in row 1"):
        read(["2024-02-30"], form)


def test_numbers_are_no_dates_without_a_pattern():
    with pytest.raises(CommandError, match="column 'when' must hold dates, got 5"):
        read([5, None])


def test_columns_of_dates_stay_as_they_are():
    for values, kind in (
        ([date(2024, 1, 1)], "date"),
        ([timedelta(days=1)], "duration"),
        ([datetime.min.time()], "time"),
    ):
        column = read([*values, None])
        assert (column.kind, column.form, column.n_missing) == (kind, "", 1)
        assert column.values.to_list() == [*values, None]


def test_a_part_without_any_date_is_read_as_the_others():
    assert read([None, None], "dmy").values.dtype == pl.Date
    assert read(["", "NA"], "dmy").values.null_count() == 2


def test_the_user_may_say_that_texts_are_dates():
    text = "when,size,y\n" + "2.Jan 2024,1,a\n3.Feb 2024,2,b\n" * 5
    table = training_table(
        parse_csv(text.encode(), "data.csv"), Roles("y", date=["when=%d.%b %Y"]), kind_named("classifier")
    )
    assert table.X["when"].dtype == pl.Date
    assert table.dates == {"when": "%d.%b %Y"}
    assert training_table(parse_csv(text.encode(), "data.csv"), Roles("y"), kind_named("classifier")).nominal == [
        "when"
    ]


def test_a_pattern_that_is_none_is_refused():
    with pytest.raises(UsageError, match=r"--date 'when=%Y %H': this pattern cannot be read"):
        read(["2024-01-01"], "%Y %H")
    with pytest.raises(CommandError, match="must hold dates, got '2024-01-01' in row 1"):
        read(["2024-01-01"], "%Q")
