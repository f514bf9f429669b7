"""A table taken apart into features, target, ids and weights, and what is refused."""

import io

import polars as pl
import pytest

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.csv_text import parse_csv
from fgac.cli.io.roles import Roles
from fgac.cli.io.streaming import read_table
from fgac.cli.io.training_table import training_table
from fgac.cli.kinds import kind_named

TEXT = "id,size,colour,when,w,y\n" + "".join(
    f"r{i},{i}.5,{'red' if i % 2 else 'blue'},2020-01-{i + 1:02d},{i % 3},{'yes' if i > 5 else 'no'}\n"
    for i in range(12)
)


def made(text=TEXT, **roles):
    roles = {"target": "y", "id": "id", "drop": ["when"], "weight": "w", **roles}
    return training_table(parse_csv(text.encode(), "data.csv"), Roles(**roles), kind_named("classifier"))


def test_a_table_is_taken_apart():
    table = made()
    assert table.X.columns == ["size", "colour"]
    assert table.X.dtypes == [pl.Float64, pl.String]
    assert table.nominal == ["colour"]
    assert table.ids == [f"r{i}" for i in range(12)]
    assert table.y.tolist() == ["no"] * 6 + ["yes"] * 6
    assert table.weights.tolist() == [0, 1, 2] * 4
    assert made(id=None).ids == list(range(1, 13))


def test_dates_are_dates_unless_they_are_to_be_names():
    table = made(drop=[])
    assert table.X["when"].dtype == pl.Date
    assert table.dates == {"when": "ymd"}
    assert next(column for column in table.columns if column.name == "when").summary == "2020-01-01 to 2020-01-12"
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
        ({"keep": ["sizes"]}, "--keep 'sizes': there is no such column; did you mean 'size'?"),
        ({"keep": ["when"]}, "column 'when' cannot be both --drop and --keep; choose one"),
        ({"date": ["when"]}, "column 'when' cannot be both --date and --drop; choose one"),
        ({"date": ["wen=%Y"]}, "--date 'wen': there is no such column; did you mean 'when'?"),
        ({"date": ["when=Y"], "drop": []}, "--date 'when=Y': expected a pattern such as %d.%m.%Y behind the ="),
    ],
)
def test_wrong_roles_are_wrong_usage(roles, message):
    with pytest.raises(UsageError) as error:
        made(**roles)
    assert message in str(error.value)


def test_missing_values_stay_unless_their_rows_are_left_out(capsys):
    text = TEXT.replace("r3,3.5", "r3,").replace("r4,4.5,blue", "r4,NA,?")
    whole = made(text)
    assert whole.n_left_out == 0
    assert [column.n_missing for column in whole.columns] == [2, 1]
    assert whole.X.null_count().row(0) == (2, 1)
    table = made(text, drop_missing=True)
    assert capsys.readouterr().err == ""  # 2 of 12 are not many
    assert table.n_left_out == 2
    assert table.ids == [f"r{i}" for i in range(12) if i not in (3, 4)]
    assert len(table.X) == len(table.y) == len(table.weights) == 10


def test_rows_without_a_label_or_weight_are_of_no_use():
    text = TEXT.replace("3.5", "").replace(",0,no", ",,no", 1).replace(",1,no", ",1,", 1)
    with pytest.raises(CommandError, match=r"data.csv: values are missing in 'y' \(1\), 'w' \(1\), without which rows"):
        made(text)
    assert made(text, drop_missing=True).n_left_out == 3


def test_many_rows_are_not_left_out_without_a_word(capsys):
    text = TEXT
    for i in range(3):
        text = text.replace(f"r{i},{i}.5", f"r{i},")
    made(text.replace("r0,,blue", "r0,,"), drop_missing=True)
    assert capsys.readouterr().err == (
        "warning: --drop-missing leaves out 3 of 12 rows (25 %), because of 'size' (3), 'colour' (1); without it, "
        "missing values count as unknown\n"
    )


@pytest.mark.parametrize("drop", [False, True])
def test_a_column_that_is_empty_everywhere_is_left_out(drop):
    text = "a,b,y\n" + "1,,x\n2,,z\n" * 5
    table = training_table(
        parse_csv(text.encode(), "data.csv"), Roles("y", drop_missing=drop), kind_named("classifier")
    )
    assert table.X.columns == ["a"]
    assert table.left_out == {"b": "it has no values"}
    assert len(table.y) == 10


def test_a_table_without_any_value():
    text = "a,b,y\n" + "NA,,x\nNA,,z\n" * 5
    with pytest.raises(CommandError, match=r"data\.csv: no column but 'y' has any values to learn from"):
        training_table(parse_csv(text.encode(), "data.csv"), Roles("y"), kind_named("classifier"))


def test_every_row_may_lack_something():
    text = "a,b,y\n" + "1,,x\n,2,z\n" * 5
    table = parse_csv(text.encode(), "data.csv")
    with pytest.raises(CommandError, match=r"every row has a missing value, in 'a' \(5\), 'b' \(5\); without --drop"):
        training_table(table, Roles("y", drop_missing=True), kind_named("classifier"))
    assert len(training_table(table, Roles("y"), kind_named("classifier")).y) == 10


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
    of_parquet = training_table(read_table(str(tmp_path / "data.parquet")), roles, kind_named("classifier"))
    of_csv = made()
    assert of_parquet.X.equals(of_csv.X)
    assert of_parquet.y.tolist() == of_csv.y.tolist()
    assert of_parquet.ids == of_csv.ids
