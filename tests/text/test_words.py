"""Numbers, values, names and lists in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.text.words import (
    class_name,
    format_degree,
    format_number,
    format_radius,
    listed,
    on_one_line,
    row_name,
)


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (0, "0.00"),
        (1e-12, "0.00"),
        (0.004999, "less than 0.01"),
        (0.005001, "0.01"),
        (0.5, "0.50"),
        (0.994999, "0.99"),
        (0.995001, "more than 0.99"),
        (1 - 1e-12, "1.00"),
        (1, "1.00"),
        (-1e-12, "0.00"),
        (-0.001, "0.00"),
        (12.345, "12.35"),
    ],
)
def test_numbers(x, said):
    assert format_degree(x) == said


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (3, "3"),
        (3.0, "3"),
        (-0.0, "0"),
        (123456789, "123456789"),
        (1234567.8, "1234568"),
        (12.3456, "12.35"),
        (-0.000123456, "-0.0001235"),
        (0.99996, "1"),
        (0.000000123456, "0.0000001235"),
        (1.23456e-9, "1.235e-09"),
        (6.02214e23, "6.022e+23"),
        (True, "True"),
        ("as it  is", "as it  is"),
        (float("nan"), "missing"),
        (float("inf"), "infinite"),
    ],
)
def test_values(x, said):
    assert format_number(x) == said


def test_units_follow_a_space():
    assert format_number(2.5, "mg/l") == "2.5 mg/l"


@given(st.floats(1e-250, 1e250))
def test_radii_promise_no_more_than_there_is(x):
    assert 0.89 * x <= float(format_radius(x)) <= x * (1 + 1e-8)


def test_lists():
    assert [listed([]), listed(["a"]), listed("ab"), listed("abc"), listed("abc", "or")] == [
        "",
        "a",
        "a and b",
        "a, b and c",
        "a, b or c",
    ]


def test_names():
    assert [class_name(x) for x in ("good", "2", 2, 2.0, True, "it's")] == [
        "'good'",
        "class 2",
        "class 2",
        "class 2",
        "class True",
        '"it\'s"',
    ]
    assert [row_name(x) for x in (17, 17.0, "A-17", "17.", "Casablanca", "A 17")] == [
        "17",
        "17",
        "A-17",
        "'17.'",
        "'Casablanca'",
        "'A 17'",
    ]


def test_long_and_broken_text_is_made_to_fit():
    assert on_one_line(" a\n\tb  c ") == "a b c"
    assert on_one_line("") == "(blank)"
    assert len(on_one_line("x" * 1000)) == 60
