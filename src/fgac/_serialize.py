"""Frozen dataclasses to plain JSON values and back.

>>> @dataclasses.dataclass(frozen=True)
... class Point:
...     x: float
...     labels: tuple[str, ...] = ()
>>> to_plain(Point(1.5, ("a", "b")))
{'x': 1.5, 'labels': ['a', 'b']}
>>> from_plain(Point, {"x": 1.5, "labels": ["a", "b"]})
Point(x=1.5, labels=('a', 'b'))
"""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, TypeVar

T = TypeVar("T")

# The mark, in its metadata, of a field that is not written where it has its default.
OMITTED = "omit_if_default"


class FieldsOnly:
    """A dataclass that remembers what it has worked out (``cached_property``), of which only the fields are kept."""

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled and hashed: the fields, and not what was worked out from them when it was first needed."""
        names = {field.name for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in vars(self).items() if name in names}


def to_plain(value: Any) -> Any:
    """Dicts, lists, numbers, strings and None in place of dataclasses and tuples.

    A field made by :func:`omit_if_default` is left out where it has its default.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in _written_fields(value)}
    if isinstance(value, dict):
        return {key: to_plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(part) for part in value]
    return value


def omit_if_default(default: T) -> T:
    """A field of a dataclass that is written only where it differs from its default.

    So a field can be added to a value without changing what is written of values that do not use it.
    """
    # Typed as its default, as dataclasses.field is, so that the class can say "x: int = omit_if_default(0)".
    field: T = dataclasses.field(default=default, metadata={OMITTED: True})
    return field


def _written_fields(value: Any) -> list[dataclasses.Field[Any]]:
    fields = dataclasses.fields(value)
    return [field for field in fields if not (_is_omittable(field) and getattr(value, field.name) == field.default)]


def _is_omittable(field: dataclasses.Field[Any]) -> bool:
    return OMITTED in field.metadata


def from_plain(kind: type[T], plain: Any) -> T:
    """A dataclass from what :func:`to_plain` made of it."""
    if not isinstance(plain, dict):
        raise ValueError(f"a {kind.__name__} is read from a dict, got {type(plain).__name__}")
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    # Unknown fields are refused: they come from another kind of value, or from a later version.
    names = {field.name for field in fields if not _is_omittable(field) or field.name in plain}
    if names != plain.keys():
        odd = sorted(names ^ plain.keys())
        raise ValueError(f"a {kind.__name__} has the fields {sorted(names)}; missing or unknown here: {odd}")
    return kind(**{name: _read(hints[name], plain[name]) for name in names})


def _read(hint: Any, value: Any) -> Any:
    """A plain value as the type of its field says: dataclasses, tuples of them, or the value as it is."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if value is not None and dataclasses.is_dataclass(hint):
        return from_plain(typing.cast(type[Any], hint), value)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f"expected a list, got {type(value).__name__}")
        return tuple(_read(parts[0], part) for part in value)
    if origin in (types.UnionType, typing.Union):
        # At most one dataclass or tuple is in a union, beside None or plain types.
        kinds = [part for part in parts if dataclasses.is_dataclass(part) or typing.get_origin(part) is tuple]
        return _read(kinds[0], value) if kinds and value is not None else value
    return value
