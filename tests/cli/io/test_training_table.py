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
        training_table(parse_csv(text.encode(), "data.csv"), Roles("y", drop_missing=True), kind_named("classifier"))


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
