"""Columns that are meant as numbers but not written as such: one wrong cell, a unit, commas between thousands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import polars as pl


# A column of names of which so many are numbers is likely meant as numbers.
MOSTLY = 0.9

UNIT = r"^[€$£¥]\s*|\s*[€$£¥%°]$|\s+[^\d\s]+$"


class Style(NamedTuple):
    """A way to write numbers: its name, a pattern that fits it, what to leave out, and the decimal mark."""

    name: str
    pattern: str
    between: str = ""
    decimal: str = "."


STYLES = (
    Style("", r"^[+-]?\d+(\.\d+)?$"),
    Style("commas between thousands", r"^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$", ","),
    Style("a decimal comma", r"^[+-]?\d+(,\d+)?$", "", ","),
    Style("dots between thousands and a decimal comma", r"^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$", ".", ","),
    # Telephone numbers, which begin with 0, are none.
    Style("gaps between thousands", r"^[+-]?([1-9]\d{0,2}([\s'’]\d{3})+|\d+)(\.\d+)?$", "\\s'’"),
    Style(
        "gaps between thousands and a decimal comma", r"^[+-]?([1-9]\d{0,2}([\s'’]\d{3})+|\d+)(,\d+)?$", "\\s'’", ","
    ),
)


def advice(values: pl.Series, numbers: pl.Series) -> str:
    """What to do about a column of text that looks like numbers; empty if it does not.

    ``numbers`` are the values that are numbers as they stand, null elsewhere.

    >>> import polars as pl
    >>> ages = pl.Series("age", ["31", "unknown", *map(str, range(40, 58))])
    >>> advice(ages, ages.cast(pl.Float64, strict=False))  # doctest: +NORMALIZE_WHITESPACE
    "19 of 20 values are numbers; 'unknown' in row 2 is not: correct it, leave it empty, or use --nominal 'age'"
    >>> prices = pl.Series("price", ["2.802,41", "17,50"])
    >>> advice(prices, prices.cast(pl.Float64, strict=False))  # doctest: +NORMALIZE_WHITESPACE
    "looks like numbers written with dots between thousands and a decimal comma; write them as 2802.41, or use
    --nominal 'price'"
    """
    n_present, n_numbers = values.count(), numbers.count()
    if not n_present:
        return ""
    if n_numbers >= MOSTLY * n_present:
        return _wrong_cells(values, numbers)
    return _other_style(values)


def _wrong_cells(values: pl.Series, numbers: pl.Series) -> str:
    wrong = values.is_not_null() & numbers.is_null()
    place, n_wrong = int(wrong.arg_max() or 0), int(wrong.sum())
    others = {1: "is not", 2: "and 1 other are not"}.get(n_wrong, f"and {n_wrong - 1} others are not")
    it = "it" if n_wrong == 1 else "them"
    return (
        f"{numbers.count()} of {values.count()} values are numbers; {values[place]!r} in row {place + 1} {others}: "
        f"correct {it}, leave {it} empty, or use --nominal {values.name!r}"
    )


def _other_style(values: pl.Series) -> str:
    present = values.drop_nulls()
    if not present.str.contains(r"\d").any():  # most names, and the rest takes long
        return ""
    units = present.str.extract(f"({UNIT})").str.strip_chars().drop_nulls().unique().to_list()
    unit = units[0] if len(units) == 1 else None  # '2 doors' and '2 wheels' are names
    bare = present if unit is None else present.str.replace(UNIT, "")
    for style in STYLES:
        fits = bare.str.contains(style.pattern)
        odd = fits & ~present.str.contains(STYLES[0].pattern)
        if fits.sum() >= MOSTLY * len(present) and odd.any():
            ways = [f"the unit {unit!r}"] if unit is not None else []
            ways += [style.name] if style.name else []
            return (
                f"looks like numbers written with {' and '.join(ways)}; write them as {_plain(bare, odd, style)}, or "
                f"use --nominal {values.name!r}"
            )
    return ""


def _plain(bare: pl.Series, odd: pl.Series, style: Style) -> str:
    """The first odd value as a plain number."""
    first = bare.filter(odd)[:1]
    if style.between:
        first = first.str.replace_all(f"[{style.between}]", "")
    return str(first.str.replace(style.decimal, ".", literal=True)[0])
