"""Data sets of the experiments: what files must hold, and what is refused."""

import hashlib

import numpy as np
import pytest

from fgac.experiments.datasets import files as data
from fgac.experiments.datasets.download import CONTENTS

pytest.importorskip("pandas")


TOY = "Size(R),Age(I),Hue(N),Class(N)\n1.5,10,blue,no\n2.5,30,red,yes\n0.5,20,NA,no\n"


def write(folder, name, text):
    (folder / name).write_text(text)
    return folder / name


def test_a_file_becomes_numbers_categories_and_classes(tmp_path):
    """Numeric columns come first, in alphabetical order; nothing is taken for a missing value."""
    toy = data.read(write(tmp_path, "toy3(1_1_1)2.csv", TOY))
    assert toy.name == "toy"
    assert list(toy.frame.columns) == ["Age", "Size", "Hue"]
    assert toy.nominal == ("Hue",)
    assert list(toy.frame["Hue"]) == ["blue", "red", "NA"]
    assert toy.labels == ("no", "yes")
    assert toy.y.tolist() == [0, 1, 0]
    # Age, Size, then NA, blue, red.
    np.testing.assert_array_equal(toy.encoded(), [[10, 1.5, 0, 1, 0], [30, 2.5, 0, 0, 1], [20, 0.5, 1, 0, 0]])


def test_classes_that_are_numbers_are_sorted_as_numbers(tmp_path):
    """Class 10 comes after class 9, so "first class wins" means what it did in the published runs."""
    toy = data.read(write(tmp_path, "toy3(1_0_0)3.csv", "A(R),Class(N)\n1,10\n2,9\n3,-1\n"))
    assert toy.labels == ("-1", "9", "10")
    assert toy.y.tolist() == [2, 1, 0]


def test_headers_without_suffix_are_numbers(tmp_path):
    """As in the published file of iris."""
    toy = data.read(write(tmp_path, "toy2(1_0_0)2.csv", "A1,D\n1,x\n2,y\n"))
    assert toy.nominal == ()
    assert toy.frame["A1"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("toy4(1_1_1)2.csv", "holds 3 rows, but its name says 4"),
        ("toy3(1_1_0)2.csv", "holds 3 columns, but its name says 2"),
        ("toy3(1_1_1)3.csv", "holds 2 classes, but its name says 3"),
        ("toy.csv", "does not name its contents"),
    ],
)
def test_files_that_break_their_promise_are_refused(tmp_path, name, message):
    """A file that was cut must not give results."""
    with pytest.raises(ValueError, match=message):
        data.read(write(tmp_path, name, TOY))


@pytest.mark.parametrize(("value", "message"), [("?", "is to hold numbers"), ("inf", "missing or infinite")])
def test_columns_that_break_their_promise_are_refused(tmp_path, value, message):
    """The column and the file are named."""
    path = write(tmp_path, "toy2(1_0_0)2.csv", f"Size(R),Class(N)\n1,x\n{value},y\n")
    with pytest.raises(ValueError, match=message) as error:
        data.read(path)
    assert "Size(R)" in str(error.value)
    assert path.name in str(error.value)


def test_missing_files_are_named(tmp_path):
    """All at once, by their file names; balance needs none."""
    with pytest.raises(FileNotFoundError) as error:
        data.load(tmp_path)
    message = str(error.value)
    assert "17 of 18 data sets are missing" in message
    assert "pima768(8_0_0)2.csv" in message
    assert "balance" not in message
    assert "--download" in message


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no folder .*nowhere"):
        data.load(tmp_path / "nowhere")


def test_two_files_of_one_data_set_are_refused(tmp_path):
    """Which of them is meant?"""
    write(tmp_path, "toy3(1_1_1)2.csv", TOY)
    write(tmp_path, "toy3(0_2_1)2.csv", TOY)
    with pytest.raises(ValueError, match="two files of 'toy'"):
        data.find(tmp_path)


def test_other_files_are_left_alone(tmp_path):
    write(tmp_path, "toy3(1_1_1)2.csv", TOY)
    write(tmp_path, "README.md", "x")
    write(tmp_path, "notes.csv", "x")
    assert list(data.find(tmp_path)) == ["toy"]


def test_balance_is_a_formula():
    """The definition, told once more: every combination once, and who is heavier decides."""
    scale = data.balance()
    rows = scale.frame[["Left-weight", "Left-distance", "Right-weight", "Right-distance"]].to_numpy()
    assert len({tuple(row) for row in rows}) == 625
    assert {value for row in rows for value in row} == {1.0, 2.0, 3.0, 4.0, 5.0}
    for (weight, distance, other_weight, other_distance), code in zip(rows, scale.y, strict=True):
        left, right = weight * distance, other_weight * other_distance
        assert scale.labels[code] == ("L" if left > right else "R" if left < right else "B")


def test_balance_is_equal_to_its_file(data_folder):
    """Row by row: the folds depend on the order."""
    made, (read,) = data.balance(), data.load(data_folder, ("balance",))
    assert made.frame.equals(read.frame)
    np.testing.assert_array_equal(made.y, read.y)
    assert made.labels == read.labels


def test_balance_stands_in_for_its_missing_file(tmp_path):
    (scale,) = data.load(tmp_path, ("balance",))
    assert scale.name == "balance"


def test_all_published_files_can_be_read(data_folder):
    """Those of the tests have the published checksums, and hold what their names say."""
    tables = data.load(data_folder)
    assert [table.name for table in tables[:18]] == list(data.PAPER)
    for table in tables:
        file = CONTENTS[table.name]
        found = (data_folder / data.FILES[table.name]).read_bytes()
        assert (len(found), hashlib.sha256(found).hexdigest()) == file, table.name
        assert table.encoded().shape[0] == len(table.y)


def test_damaged_files_are_those_that_lost_their_points(data_folder):
    """Ages of 245 years: the note of the report is true."""
    (crx,) = data.load(data_folder, ("crx",))
    assert crx.frame["A2"].max() > 150
    assert all(name in data.DAMAGE for name in data.DAMAGED)
