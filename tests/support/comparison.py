"""Whether two values, or the results of two models, are the same to the last bit."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np


def assert_same(left: Any, right: Any, where: str = "model") -> None:
    """Assert that two values are the same to the last bit: types, layouts of arrays, order of dicts and all."""
    assert type(left) is type(right), where
    if isinstance(left, np.ndarray):
        assert (left.dtype, left.shape) == (right.dtype, right.shape), where
        assert left.ndim < 2 or left.flags.c_contiguous == right.flags.c_contiguous, where
        if left.dtype.kind == "O":
            assert_same(left.tolist(), right.tolist(), where)
        else:
            assert left.tobytes() == right.tobytes(), where
    elif dataclasses.is_dataclass(left):
        for field in (field for field in dataclasses.fields(left) if field.compare):
            assert_same(getattr(left, field.name), getattr(right, field.name), f"{where}.{field.name}")
    elif isinstance(left, dict):
        assert list(left) == list(right), where
        assert [type(key) for key in left] == [type(key) for key in right], where
        for key in left:
            assert_same(left[key], right[key], f"{where}[{key!r}]")
    elif isinstance(left, tuple | list):
        assert len(left) == len(right), where
        for place, (one, other) in enumerate(zip(left, right, strict=True)):
            assert_same(one, other, f"{where}[{place}]")
    elif isinstance(left, float | np.generic):
        assert repr(left) == repr(right), where  # nan is nan, and -0.0 is not 0.0
    else:
        assert left == right, where


def results_of(model: Any, method: str, X: Any) -> tuple[Any, ...]:
    """Return what a method says of rows as a tuple; None if the model was fitted without what it needs."""
    found = getattr(model, method)(X)
    return found if isinstance(found, tuple) else (found,)
