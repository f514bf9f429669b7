"""Dates, durations and times of day in every library are the same numbers, and stay what they are."""

from datetime import date, datetime, time, timedelta, timezone

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, FGARegressor, load_model, save_model
from fgac.tables.dates import object_dates
from fgac.tables.frames import columns_of, names_of, read_numbers
from fgac.tables.value_kinds import FIRST_DAY, LAST_DAY, date_text, days_in, plain_value
from support.property_tests import examples

DAY = timedelta(days=1)
NEW_YEAR = 19723.0  # 2024-01-01, counted by hand: 54 years of 365 days, and 13 leap days


def numbers(table):
    """Return the numbers and the kind of every column."""
    read = [read_numbers(*part) for part in zip(columns_of(table), names_of(table), strict=True)]
    return {name: (column.values.tolist(), column.kind) for name, column in zip(names_of(table), read, strict=True)}


def assert_numbers(table, **expected):
    found = numbers(table)
    assert found.keys() == expected.keys()
    for name, (values, kind) in expected.items():
        np.testing.assert_allclose(found[name][0], values, rtol=1e-15, err_msg=name)
        assert found[name][1] == kind, name


MOMENTS = [datetime(2024, 1, 1, 6), None, datetime(1969, 12, 31)]
EXPECTED = [NEW_YEAR + 0.25, np.nan, -1.0]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_pandas(unit):
    series = pd.Series(pd.to_datetime(MOMENTS).as_unit(unit))
    zoned = series.dt.tz_localize("Europe/Berlin")  # an hour ahead of UTC
    frame = pd.DataFrame({"when": series, "zoned": zoned, "since": series - pd.Timestamp(2024, 1, 1)})
    in_utc = np.array(EXPECTED) - 1 / 24
    since = np.array(EXPECTED) - NEW_YEAR
    assert_numbers(frame, when=(EXPECTED, "date"), zoned=(in_utc, "moment"), since=(since, "duration"))


def test_periods_of_pandas_begin_with_their_first_day():
    months = pd.Series(pd.PeriodIndex(["2024-01", None], freq="M"))
    assert_numbers(months.to_frame("month"), month=([NEW_YEAR, np.nan], "date"))


def test_polars_and_arrow():
    frame = pl.DataFrame(
        {
            "day": [date(2024, 1, 1), None, date(1969, 12, 31)],
            "when": MOMENTS,
            "zoned": pl.Series(MOMENTS).dt.replace_time_zone("Europe/Berlin"),
            "since": [1.5 * DAY, None, -DAY],
            "hour": [time(13, 30), None, time(0)],
        }
    )
    expected = {
        "day": ([NEW_YEAR, np.nan, -1.0], "date"),
        "when": (EXPECTED, "date"),
        "zoned": (np.array(EXPECTED) - 1 / 24, "moment"),
        "since": ([1.5, np.nan, -1.0], "duration"),
        "hour": ([13.5, np.nan, 0.0], "time"),
    }
    assert_numbers(frame, **expected)
    pytest.importorskip("pyarrow")
    table = frame.to_arrow()
    assert_numbers(table, **expected)
    assert_numbers(table.to_batches()[0], **expected)
    assert_numbers(table.to_pandas(types_mapper=pd.ArrowDtype), **expected)


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_units_of_polars(unit):
    frame = pl.DataFrame({"when": pl.Series(MOMENTS).cast(pl.Datetime(unit)), "since": [DAY] * 3})
    frame = frame.with_columns(pl.col("since").cast(pl.Duration(unit)))
    assert_numbers(frame, when=(EXPECTED, "date"), since=([1.0] * 3, "duration"))


def test_objects():
    zone = timezone(timedelta(hours=-5))
    columns = {
        "day": [date(2024, 1, 1), None, pd.NaT, datetime(2024, 1, 1, 12)],
        "zoned": [datetime(2024, 1, 1, 19, tzinfo=zone), None, pd.Timestamp("2024-01-01", tz="UTC"), np.nan],
        "since": [DAY / 2, pd.Timedelta(hours=6), None, np.timedelta64(1, "h")],
        "hour": [time(6, 30, 36), None, None, time(23, 59, 59, 999_999)],
    }
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
    assert_numbers(
        frame,
        day=([NEW_YEAR, np.nan, np.nan, NEW_YEAR + 0.5], "date"),
        zoned=([NEW_YEAR + 1.0, np.nan, NEW_YEAR, np.nan], "moment"),
        since=([0.5, 0.25, np.nan, 1 / 24], "duration"),
        hour=([6.51, np.nan, np.nan, 24 - 1e-6 / 3600], "time"),
    )
    with pytest.raises(ValueError, match="some dates have a time zone, and others have none"):
        object_dates([datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=zone)])


@pytest.mark.parametrize(
    ("dtype", "values", "expected", "kind"),
    [
        ("M8[D]", [19723, "NaT"], [NEW_YEAR, np.nan], "date"),
        ("M8[ns]", ["2024-01-01T12", "NaT"], [NEW_YEAR + 0.5, np.nan], "date"),
        ("M8[M]", ["2024-01", "NaT"], [NEW_YEAR, np.nan], "date"),
        ("m8[h]", [36, "NaT"], [1.5, np.nan], "duration"),
    ],
)
def test_arrays(dtype, values, expected, kind):
    assert_numbers(np.array([values], dtype=dtype).T, **{"0": (expected, kind)})


def test_years_have_no_length():
    with pytest.raises(ValueError, match=r"column 0: durations of type timedelta64\[Y\] have no length"):
        FGAClassifier().fit(np.array([[1], [2]], dtype="m8[Y]"), [0, 1])


def table(days, kind=pd.DataFrame):
    return kind({"when": days, "size": np.arange(len(days)) % 3 * 1.0})


DAYS = np.datetime64("2024-01-01") + np.arange(0, 300, 7)
Y = np.where(np.arange(len(DAYS)) < 20, "early", "late")


def test_models_of_dates_are_models_of_days():
    model = FGAClassifier(gamma=2.0).fit(table(DAYS.astype("M8[ns]")), Y)
    of_numbers = FGAClassifier(gamma=2.0).fit(table(DAYS.astype(np.int64)), Y)
    np.testing.assert_array_equal(model.beta_, of_numbers.beta_)
    polars = pl.DataFrame({"when": DAYS, "size": np.arange(len(DAYS)) % 3 * 1.0})
    np.testing.assert_array_equal(model.predict(polars), of_numbers.predict(table(DAYS.astype(np.int64))))
    array = FGAClassifier(gamma=2.0, categorical_features=[]).fit(DAYS[:, None], Y)
    assert array._state.table.columns[0].kind == "date"


def test_explanations_tell_dates_and_steps_in_days(tmp_path):
    model = FGAClassifier(gamma=2.0).fit(table(DAYS.astype("M8[ns]")), Y)
    save_model(model, tmp_path / "m.fgac")
    new = table(np.array(["2024-03-01T00:00", "2024-08-01T06:30", "NaT"], dtype="M8[ns]"))
    for explained in (model.explain(new), load_model(tmp_path / "m.fgac").explain(new)):
        first, second, third = (e.attributes[0] for e in explained)
        assert (first.value, first.unit, first.kind) == ("2024-03-01", "days", "date")
        assert (second.value, third.value) == ("2024-08-01 06:30", None)
        assert first.radius == round(first.radius) > 1
        assert explained[0].arguments_for[0].attributes[0].value in {str(day) for day in DAYS}
        text = explained[0].text()
        assert "2024-03-01" in text
        assert f"'when' alone changes by at most {first.radius:.0f} days" in text
        assert type(explained).from_json(explained.to_json()) == explained
        assert "2024-03-01" in explained[0]._repr_html_()
        assert "2024-03-01 days" not in explained[0]._repr_html_()


def test_regressors_tell_dates_too():
    model = FGARegressor(gamma=2.0).fit(table(DAYS.astype("M8[ns]")), np.arange(len(DAYS)) * 2.0)
    why = model.explain(table(np.array(["2024-03-01"], dtype="M8[ns]")))[0]
    effect = why.attributes[0]
    assert (effect.value, effect.unit, effect.step, effect.kind) == ("2024-03-01", "days", 20.0, "date")
    assert "'when' alone changes by 20 days" in why.text()


@pytest.mark.parametrize(
    ("trained", "new", "message"),
    [
        (DAYS.astype("M8[ns]"), np.arange(43), "held dates when the model was fitted, and holds numbers now"),
        (np.arange(43), DAYS.astype("M8[ns]"), "held numbers when the model was fitted, and holds dates now"),
        (DAYS.astype("M8[ns]"), pd.Series(DAYS.astype("M8[ns]")).dt.tz_localize("UTC"), "holds dates with a time zone"),
        (DAYS.astype("M8[ns]"), DAYS - DAYS[0], "and holds durations now; expected dates"),
    ],
)
def test_dates_are_not_taken_for_numbers_later(trained, new, message):
    model = FGAClassifier().fit(table(trained), Y)
    with pytest.raises(ValueError, match=f"column when .*{message}"):
        model.predict(table(new))
    assert len(model.predict(table(np.full(3, np.nan)))) == 3  # whatever is unknown


def test_monotone_dates():
    model = FGAClassifier(gamma=2.0, monotonic_cst={"when": 1}).fit(table(DAYS.astype("M8[ns]")), Y)
    text = model.explain(table(np.array(["2024-11-30"], dtype="M8[ns]")))[0].text()
    assert "at least as high in 'when' (2024-11-30 here, 2024-" in text
    assert "it stays however much 'when' rises" in text.lower()


@examples(300)
@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))
def test_texts_of_dates_read_back_and_are_in_order(moment):
    days = object_dates([moment])[0][0]
    text = date_text(days, "datetime")
    assert abs(days_in(text) - days) < 1e-7  # half a millisecond, and rounding
    later = date_text(days + 1, "datetime") if days + 1 < LAST_DAY else "9999-12-31 23:59:59.999"
    assert text <= later


@examples(300)
@given(
    st.floats(allow_nan=True, allow_infinity=True), st.sampled_from(["date", "datetime", "moment", "duration", "time"])
)
def test_any_number_in_a_forged_file_can_be_told(days, kind):
    told = plain_value(kind, days)
    assert told is days or isinstance(told, str)
    if kind == "date" and FIRST_DAY <= days <= LAST_DAY:
        assert abs(days_in(told) - days) < 1e-6


def test_pictures_have_an_axis_of_dates():
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.dates import AutoDateLocator

    from fgac.plot import RegressionDisplay

    frame = pd.DataFrame({"when": DAYS.astype("M8[ns]")})
    model = FGARegressor(gamma=2.0).fit(frame, np.sin(np.arange(len(DAYS)) / 6))
    display = RegressionDisplay.from_estimator(model, frame[:1])
    assert isinstance(display.ax_.xaxis.get_major_locator(), AutoDateLocator)
    assert display.arguments_[0].get_xdata()[0] >= NEW_YEAR
    plt.close(display.figure_)
