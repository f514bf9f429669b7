"""Columns that name the rows are left out unless they are asked for."""

import numpy as np
import polars as pl
import pytest

from fgac.cli.io.column_types import infer_column
from fgac.cli.io.left_out import NO_VALUES, split_off

N = 60
SIZE = infer_column(pl.Series("size", [f"{i % 7}.5" for i in range(N)]))
MANY = [f"name {i}" for i in range(N)]


def left_out(name, values, asked=()):
    """Return why a column is left out beside another one, or None."""
    kept, out = split_off([SIZE, infer_column(pl.Series(name, values))], asked)
    assert kept[0] is SIZE
    assert len(kept) + len(out) == 2
    return out.get(name)


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("name", MANY, "in every row another text, like an identifier"),
        ("name", MANY[:31] + MANY[:29], "31 different text, like an identifier"),
        ("nr", [str(i) for i in range(7, 7 + N)], "it numbers the rows"),
        ("nr", np.random.default_rng(0).permutation(N).tolist(), "it numbers the rows"),
        ("id", [i * i for i in range(N)], "it is an identifier"),
        ("customer_id", [i * i for i in range(N)], "it is an identifier"),
        ("PassengerId", [i * i for i in range(N)], "it is an identifier"),
        ("Index", [i * i for i in range(N)], "it is an identifier"),
        ("x", [None] * N, NO_VALUES),
        ("x", ["NA", ""] * (N // 2), NO_VALUES),
    ],
)
def test_what_is_left_out(name, values, reason):
    assert reason in left_out(name, values)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("name", MANY[:30] * 2),  # half of the rows
        ("name", MANY[:20]),
        ("nr", list(range(20))),
        ("income", [i * i for i in range(N)]),
        ("grid", [i * i for i in range(N)]),
        ("id", [i % 30 for i in range(N)]),
        ("id", [i + 0.5 for i in range(N)]),
        ("day", [f"2024-01-{1 + i % 31:02d}" for i in range(N)]),
    ],
)
def test_what_stays(name, values):
    column = infer_column(pl.Series(name, values))
    other = infer_column(pl.Series("size", [f"{i % 7}.5" for i in range(len(values))]))
    assert split_off([other, column], ()) == ([other, column], {})


def test_what_is_asked_for_stays_if_it_has_values():
    assert left_out("name", MANY, asked=["name"]) is None
    assert left_out("name", [None] * N, asked=["name"]) == NO_VALUES


def test_the_only_column_stays():
    column = infer_column(pl.Series("name", MANY))
    assert split_off([column, infer_column(pl.Series("x", [None] * N))], ()) == ([column], {"x": NO_VALUES})
