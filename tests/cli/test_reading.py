"""Tables from files: separators, encodings, types of columns, and errors that say what to do."""

import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.column_types import infer_column, label_values, nominal, numeric
from fgac.cli.io.reading import find_separator, parse_csv, read_table
from fgac.cli.io.training_table import Roles, training_table
from fgac.cli.io.writing import csv_text


def rows_of(text, source="data.csv"):
    data = text if isinstance(text, bytes) else text.encode()
    return parse_csv(data, source).frame.rows()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_separators_line_ends_and_byte_order_mark(separator, end, mark):
    text = end.join([separator.join(line) for line in (["a", "b", "c"], ["1", "x", ""], ["2", "é", "z"])])
    table = parse_csv(mark + text.encode(), "data.csv")
    assert table.names == ["a", "b", "c"]
    assert table.frame.rows() == [("1", "x", None), ("2", "é", "z")]
    assert table.decimal_comma == (separator != ",")


def test_old_line_ends():
    assert rows_of("a,b\r1,2\r3,4\r") == [("1", "2"), ("3", "4")]


cell = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=6)


@given(st.lists(st.tuples(cell, cell, st.just("end")), min_size=1, max_size=5))
def test_quotes_commas_and_newlines_survive(rows):
    """What the writer writes, the reader reads: only an empty value comes back as missing."""
    records = [dict(zip("xyz", row, strict=True)) for row in rows]
    again = rows_of(csv_text(pl.DataFrame(records)))
    assert [tuple(value or "" for value in row) for row in again] == rows


def test_a_quotation_mark_within_a_value_is_read():
    assert rows_of('size,y\n6" tall,1\nplain,2\n') == [('6" tall', "1"), ("plain", "2")]


def test_blank_lines_are_no_rows():
    assert rows_of("a,b\n1,2\n\n3,4\n\n\n") == [("1", "2"), ("3", "4")]


def test_separator_is_the_one_that_fits_all_lines():
    assert find_separator("a,b;c\n1,5;2\n") == ";"
    assert find_separator("name\tsize, in cm\nx\t1\n") == "\t"
    assert find_separator("one\n1\n") == ","


def test_columns_without_a_name_are_called_after_their_place():
    assert parse_csv(b",size\n0,1\n", "data.csv").names == ["column_1", "size"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "data.csv is empty; expected a line of column names"),
        (b"\n \n", "data.csv is empty"),
        (b"1,2\n3,4\n", "the first line holds numbers (1, 2); expected the names of the columns"),
        (b"a,b,a\n1,2,3\n", "several columns are called 'a'"),
        (b"a,b\n1,2\n1,2,3\n", "data.csv, line 3: 3 fields, but there are 2 column names"),
        ("a,b\nü,1\n".encode("latin-1"), "data.csv, line 2: byte 0xfc is not UTF-8; save the file as UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "data.csv is in UTF-16; save it as UTF-8"),
        (b"PK\x03\x04\0\0\0", "data.csv is no text file"),
    ],
)
def test_what_is_no_table_says_why(data, message):
    with pytest.raises(CommandError) as error:
        parse_csv(data, "data.csv")
    assert message in str(error.value)


def test_unknown_suffix_is_wrong_usage():
    with pytest.raises(UsageError, match=r"'\.xlsx'; save it as CSV"):
        read_table("data.xlsx")


def test_a_table_without_rows(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n")
    with pytest.raises(CommandError, match="has column names but no rows"):
        read_table(str(tmp_path / "data.csv"))


def test_a_broken_parquet_file(tmp_path):
    (tmp_path / "data.parquet").write_bytes(b"not parquet")
    with pytest.raises(CommandError, match="is no Parquet file that can be read"):
        read_table(str(tmp_path / "data.parquet"))


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


TEXT = "id,size,colour,when,w,y\n" + "".join(
    f"r{i},{i}.5,{'red' if i % 2 else 'blue'},2020-01-{i + 1:02d},{i % 3},{'yes' if i > 5 else 'no'}\n"
    for i in range(12)
)


def made(text=TEXT, **roles):
    roles = {"target": "y", "id": "id", "drop": ["when"], "weight": "w", **roles}
    return training_table(parse_csv(text.encode(), "data.csv"), Roles(**roles))


def test_a_table_is_taken_apart():
    table = made()
    assert table.X.columns == ["size", "colour"]
    assert table.X.dtypes == [pl.Float64, pl.String]
    assert table.nominal == ["colour"]
    assert table.ids == [f"r{i}" for i in range(12)]
    assert table.y.tolist() == ["no"] * 6 + ["yes"] * 6
    assert table.weights.tolist() == [0, 1, 2] * 4
    assert made(id=None).ids == list(range(1, 13))


def test_dates_are_refused_with_advice():
    with pytest.raises(
        CommandError, match=r"column 'when' holds dates \(2020-01-01\); turn them into numbers .* --drop 'when'"
    ):
        made(drop=[])
    assert "when" in made(drop=[], nominal=["when"]).nominal


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"target": "why"}, "--target 'why': there is no such column; "),
        ({"target": "Y"}, "--target 'Y': there is no such column; did you mean 'y'?"),
        ({"nominal": ["sizes"]}, "--nominal 'sizes': there is no such column; did you mean 'size'?"),
        ({"id": "y"}, "column 'y' cannot be both --target and --id; choose one"),
        ({"nominal": ["size"], "numeric": ["size"]}, "column 'size' cannot be both --nominal and --numeric"),
        ({"drop": ["when", "size", "colour"]}, "no columns are left to learn from"),
    ],
)
def test_wrong_roles_are_wrong_usage(roles, message):
    with pytest.raises(UsageError) as error:
        made(**roles)
    assert message in str(error.value)


def test_missing_values_are_counted_by_column():
    text = TEXT.replace("r3,3.5", "r3,").replace("r4,4.5,blue", "r4,NA,?")
    with pytest.raises(CommandError) as error:
        made(text)
    assert "data.csv: values are missing in 'size' (2), 'colour' (1); fgac needs complete rows" in str(error.value)
    assert "leave the 2 incomplete of 12 rows out (--drop-missing)" in str(error.value)
    table = made(text, drop_missing=True)
    assert table.n_left_out == 2
    assert table.ids == [f"r{i}" for i in range(12) if i not in (3, 4)]
    assert len(table.X) == len(table.y) == len(table.weights) == 10


def test_missing_labels_and_weights_count_too():
    with pytest.raises(CommandError, match=r"missing in 'w' \(1\), 'y' \(1\)|missing in 'y' \(1\), 'w' \(1\)"):
        made(TEXT.replace(",0,no", ",,no", 1).replace(",1,no", ",1,", 1))


def test_a_column_that_is_empty_everywhere():
    text = "a,b,y\n" + "1,,x\n2,,z\n" * 5
    with pytest.raises(
        CommandError, match=r"every row has a missing value, in 'b' \(10\); fill them in, leave columns out"
    ):
        training_table(parse_csv(text.encode(), "data.csv"), Roles("y", drop_missing=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("r3,", ","), "id column 'id' is empty in row 4 (1 in all); fill it in"),
        (("3.5", "inf"), "column 'size' holds infinite numbers"),
        ((",2,no", ",-2,no"), "--weight 'w' must hold numbers >= 0, not all of them 0"),
        (("yes", "no"), "target 'y' has one class only ('no'); expected two or more"),
    ],
)
def test_values_that_cannot_be_used(change, message):
    with pytest.raises(CommandError) as error:
        made(TEXT.replace(*change))
    assert message in str(error.value)


def test_a_target_that_varies_is_no_class():
    with pytest.raises(CommandError, match=r"target 'size' has 12 different values in 12 rows.*expected classes"):
        made(target="size", id=None)


def test_parquet_and_csv_give_the_same_table(tmp_path):
    frame = pl.read_csv(io.StringIO(TEXT))
    frame.write_parquet(tmp_path / "data.parquet")
    roles = Roles("y", id="id", weight="w", drop=["when"])
    of_parquet = training_table(read_table(str(tmp_path / "data.parquet")), roles)
    of_csv = made()
    assert of_parquet.X.equals(of_csv.X)
    assert of_parquet.y.tolist() == of_csv.y.tolist()
    assert of_parquet.ids == of_csv.ids
