"""A column of Python values whose types nobody has promised, as a series of one type."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


# Whole numbers beyond have no type of their own in files; as text, none of their digits is lost.
LARGEST = 2**63


def typed_series(name: str, values: list[Any]) -> pl.Series:
    """A series; a column that mixes text and numbers becomes text.

    >>> typed_series("size", [1, None, 2.5]).to_list(), typed_series("size", [1, None, "two", True]).to_list()
    ([1.0, None, 2.5], ['1', None, 'two', 'true'])
    """
    import polars as pl

    kinds = {type(value) for value in values if value is not None}
    if _needs_text(kinds, values):
        values = [None if value is None else _text(value) for value in values]
    return pl.Series(name, values, strict=False)


def _needs_text(kinds: set[type], values: list[Any]) -> bool:
    if len(kinds) > 1 and kinds & {str, bytes, list, dict}:
        return True
    return int in kinds and any(type(value) is int and not -LARGEST <= value < LARGEST for value in values)


def _text(value: Any) -> str:
    """A value as it would stand in a file."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | list | dict) else str(value)
