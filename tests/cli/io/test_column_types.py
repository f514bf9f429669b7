"""Types of columns: numbers, categories, dates, identifiers, and what is remarked upon."""

import polars as pl
import pytest

from fgac.cli.errors import CommandError
from fgac.cli.io.column_types import infer_column, label_values, nominal, numeric


@pytest.mark.parametrize(
    ("values", "kind", "read"),
    [
        (["1", " 2.5 ", "-3e2"], "numeric", [1.0, 2.5, -300.0]),
        (["1", "NA", "?"], "numeric", [1.0, None, None]),
        (["1", "2", "two"], "nominal", ["1", "2", "two"]),
        ([" a", "a ", "b"], "nominal", ["a", "a", "b"]),
        (["True", "FALSE", "true"], "nominal", ["true", "false", "true"]),
        (["None", "a", "b"], "nominal", ["None", "a", "b"]),
        (["40-49", "50-59", "60-69"], "nominal", ["40-49", "50-59", "60-69"]),
        (["2021-03-04", "2020-12-31 10:00"], "date", None),
        (["4.3.2021", "31/12/20"], "date", None),
        (["1,5", "2,5"], "nominal", ["1,5", "2,5"]),
    ],
)
def test_types_of_text(values, kind, read):
    column = infer_column(pl.Series("x", values))
    assert column.kind == kind
    if read is not None:
        assert column.values.to_list() == read


def test_decimal_commas_are_numbers_where_commas_do_not_separate():
    assert infer_column(pl.Series("x", ["1,5", "2", "-0,25"]), decimal_comma=True).values.to_list() == [1.5, 2.0, -0.25]
    assert infer_column(pl.Series("x", ["1.234,5", "2"]), decimal_comma=True).kind == "nominal"


@pytest.mark.parametrize(
    ("series", "kind"),
    [
        (pl.Series("x", [1, 2, None]), "numeric"),
        (pl.Series("x", [1.5, float("nan")]), "numeric"),
        (pl.Series("x", [True, False]), "nominal"),
        (pl.Series("x", ["a", "b"], dtype=pl.Categorical), "nominal"),
        (pl.Series("x", [0], dtype=pl.Date), "date"),
        (pl.Series("x", [0], dtype=pl.Duration), "date"),
        (pl.Series("x", [[1], [2]]), "unusable"),
        (pl.Series("x", [{"a": 1}]), "unusable"),
        (pl.Series("x", [b"a"]), "unusable"),
        (pl.Series("x", ["1.50"]).cast(pl.Decimal(10, 2)), "numeric"),
        (pl.Series("x", [None, None]), "numeric"),
    ],
)
def test_types_of_parquet_columns(series, kind):
    assert infer_column(series).kind == kind


def test_missing_numbers_are_counted():
    assert infer_column(pl.Series("x", [1.5, float("nan"), None])).n_missing == 2


def test_whole_numbers_with_few_values_stay_numeric_and_say_so():
    column = infer_column(pl.Series("x", ["1", "2", "3"] * 10))
    assert (column.kind, column.few, column.summary) == ("numeric", True, "1 to 3, 3 different")
    assert not infer_column(pl.Series("x", ["1.5", "2", "3"] * 10)).few


def test_identifiers_and_constants_are_remarked_upon():
    names = [f"customer {i}" for i in range(20)]
    assert "in every row another text, like an identifier" in infer_column(pl.Series("name", names)).remark
    assert "--drop 'name'" in infer_column(pl.Series("name", names)).remark
    assert "11 different text" in infer_column(pl.Series("name", names[:11] + ["customer 0"] * 9)).remark
    assert "numbers the rows" in infer_column(pl.Series("nr", [str(i) for i in range(7, 27)])).remark
    assert "the same in every row" in infer_column(pl.Series("x", ["5"] * 20)).remark
    assert "the same in every row" in infer_column(pl.Series("x", ["a"] * 20)).remark
    assert infer_column(pl.Series("x", ["a", "b"] * 10)).remark == ""
    assert infer_column(pl.Series("x", [str(i * i) for i in range(20)])).remark == ""


@pytest.mark.parametrize(
    ("values", "remark"),
    [
        (
            [*map(str, range(18)), "x", "y"],
            "18 of 20 values are numbers; 'x' in row 19 and 1 other are not: correct them",
        ),
        ([*map(str, range(17)), "x", "y", "z"], "in every row another text, like an identifier"),
        (
            [*(f"{i}.5" for i in range(19)), "2802.41 EUR"],
            "19 of 20 values are numbers; '2802.41 EUR' in row 20 is not",
        ),
        ([f"2.80{i},4" for i in range(10)], "with dots between thousands and a decimal comma; write them as 2800.4,"),
        ([f"1,80{i}.4" for i in range(10)], "with commas between thousands; write them as 1800.4,"),
        ([f"1 80{i},4" for i in range(10)], "with gaps between thousands and a decimal comma; write them as 1800.4,"),
        ([f"-1'80{i}" for i in range(10)], "with gaps between thousands; write them as -1800,"),
        ([f"{i} EUR" for i in range(10)], "looks like numbers written with the unit 'EUR'; write them as 0, or use"),
        (
            [f"€{i},5" for i in range(10)],
            "with the unit '€' and a decimal comma; write them as 0.5, or use --nominal 'x'",
        ),
        ([f"{i} {'ab'[i % 2]}" for i in range(10)], "in every row another text, like an identifier"),
        ([f"030 123 45{i}" for i in range(10)], "in every row another text, like an identifier"),
    ],
)
@pytest.mark.parametrize("decimal_comma", [False, True])
def test_numbers_that_are_not_written_as_such_are_no_identifiers(values, remark, decimal_comma):
    column = infer_column(pl.Series("x", values), decimal_comma=decimal_comma)
    assert column.kind == "nominal"
    assert remark in column.remark
    assert ("identifier" in column.remark) == ("identifier" in remark)
    assert "numbers" not in nominal(pl.Series("x", values)).remark


def test_markers_of_missing_values_replace_the_usual_ones():
    assert infer_column(pl.Series("x", ["1", "-", "", "2"]), missing=["-"]).values.to_list() == [1.0, None, None, 2.0]
    assert nominal(pl.Series("x", ["a", "NA", "-"]), missing=["-"]).values.to_list() == ["a", "NA", None]
    assert infer_column(pl.Series("x", ["1", "NaN"]), missing=["-"]).kind == "nominal"
    assert infer_column(pl.Series("x", [1, -999, 2]), missing=["-999"]).values.to_list() == [1.0, None, 2.0]
    assert infer_column(pl.Series("x", [1.5, -999.0]), missing=["-999", "inf"]).n_missing == 1
    assert label_values(pl.Series("y", ["1", "NA", "-"]), missing=["-"]) == ["1", "NA", None]


def test_types_can_be_said():
    assert nominal(pl.Series("x", ["1", "2", "NA"])).values.to_list() == ["1", "2", None]
    assert nominal(pl.Series("x", [1.0, 2.0])).values.to_list() == ["1", "2"]
    assert nominal(pl.Series("x", [1.5, 2.0])).values.to_list() == ["1.5", "2.0"]
    assert nominal(pl.Series("x", [3, 4])).values.to_list() == ["3", "4"]
    with pytest.raises(CommandError, match="column 'x' must hold numbers, got 'many' in row 3; correct it"):
        numeric(pl.Series("x", ["1", "NA", "many"]))


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (["1", "2", "10"], [1, 2, 10]),
        (["-1.0", "1.0", None], [-1, 1, None]),
        (["01", "2"], ["01", "2"]),
        (["1.5", "2"], ["1.5", "2"]),
        ([" yes", "no "], ["yes", "no"]),
        ([1, 2], [1, 2]),
        ([1.0, 2.0], [1, 2]),
        ([1.5, 2.0], ["1.5", "2.0"]),
        ([True, False], ["true", "false"]),
        (["1e400", "2"], ["1e400", "2"]),
    ],
)
def test_labels_are_whole_numbers_or_text(values, labels):
    assert label_values(pl.Series("y", values)) == labels
