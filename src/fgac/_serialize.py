"""Frozen dataclasses to plain JSON values and back, and files that are never half-written."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, TypeVar

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """Dicts, lists, numbers, strings and None in place of dataclasses and tuples.

    A field made by :func:`omit_if_default` is left out where it has its default.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f for f in dataclasses.fields(value) if not (_is_rare(f) and getattr(value, f.name) == f.default)]
        return {field.name: to_plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, dict):
        return {key: to_plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(part) for part in value]
    return value


def omit_if_default(default: T) -> T:
    """A field of a dataclass that is written only where it differs from its default."""
    field: T = dataclasses.field(default=default, metadata={"rare": True})
    return field


def _is_rare(field: dataclasses.Field[Any]) -> bool:
    return "rare" in field.metadata


def from_plain(kind: type[T], plain: Any) -> T:
    """A dataclass from what :func:`to_plain` made of it."""
    if not isinstance(plain, dict):
        raise ValueError(f"a {kind.__name__} is read from a dict, got {type(plain).__name__}")
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    names = {field.name for field in fields if not _is_rare(field) or field.name in plain}
    if names != plain.keys():
        odd = sorted(names ^ plain.keys())
        raise ValueError(f"a {kind.__name__} has the fields {sorted(names)}; missing or unknown here: {odd}")
    return kind(**{name: _read(hints[name], plain[name]) for name in names})


def _read(hint: Any, value: Any) -> Any:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if value is not None and dataclasses.is_dataclass(hint):
        return from_plain(typing.cast(type[Any], hint), value)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f"expected a list, got {type(value).__name__}")
        return tuple(_read(parts[0], part) for part in value)
    if origin in (types.UnionType, typing.Union):
        kinds = [part for part in parts if dataclasses.is_dataclass(part)]
        return _read(kinds[0], value) if kinds and value is not None else value
    return value
