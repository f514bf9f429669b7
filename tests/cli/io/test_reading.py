"""Tables from files: separators, encodings, and errors that say what to do."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.csv_text import find_separator, parse_csv
from fgac.cli.io.streaming import read_table
from fgac.cli.io.writing import CsvStyle, csv_text


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
    again = rows_of(csv_text(pl.DataFrame(records), CsvStyle()))
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
        ("a,b\nü,1\n".encode("latin-1"), "data.csv, line 2: byte 0xfc is not UTF-8; say with --encoding how"),
        ("a,b\n1,2\n".encode("utf-16"), "data.csv is in UTF-16; add --encoding utf-16"),
        (b"PK\x03\x04\0\0\0", "data.csv is no text file"),
    ],
)
def test_what_is_no_table_says_why(data, message):
    with pytest.raises(CommandError) as error:
        parse_csv(data, "data.csv")
    assert message in str(error.value)


def test_unknown_suffix_is_wrong_usage():
    with pytest.raises(UsageError, match=r"'\.docx'; save it as CSV"):
        read_table("data.docx")


def test_a_table_without_rows(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n")
    with pytest.raises(CommandError, match="has column names but no rows"):
        read_table(str(tmp_path / "data.csv"))


def test_a_broken_parquet_file(tmp_path):
    (tmp_path / "data.parquet").write_bytes(b"not parquet")
    with pytest.raises(CommandError, match="is no Parquet file that can be read"):
        read_table(str(tmp_path / "data.parquet"))
