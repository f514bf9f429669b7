"""Any result as plain values that JSON can hold, with all digits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fgac.solve import Solution
from same_results.constants import EFFORT, NOTHING, PROOF, Plain


def plain(value: Any) -> Plain:
    """Any result as JSON can hold it, with the types of arrays and all digits of numbers.

    >>> plain((1, np.array([0.5, np.nan])))
    [1, {'array': '<f8', 'shape': [2], 'values': [0.5, nan]}]
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, Solution):
        return plain_solution(value)
    if isinstance(value, np.generic):
        return {"scalar": value.dtype.str, "value": plain(value.item())}
    if isinstance(value, np.ndarray):
        values = [plain(part) for part in np.ma.getdata(value).ravel().tolist()]
        return {"array": value.dtype.str, "shape": list(value.shape), "values": values}
    if isinstance(value, pd.DataFrame):
        return {str(name): [str(column.dtype), plain(column.tolist())] for name, column in value.items()}
    if hasattr(value, "_asdict"):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if hasattr(value, "get_params"):
        return fitted(value)
    return f"{type(value).__name__}: {addressless(repr(value))}"


def plain_solution(solution: Solution) -> Plain:
    """A solved problem, with its multipliers, but without seconds and residuals."""
    names = ("values", "active", "multipliers", "objective", "scale", "n_active", *EFFORT)
    found = {name: plain(getattr(solution, name)) for name in names}
    return {**found, **hidden({name: getattr(solution, name) for name in PROOF}), "is_optimal": solution.is_optimal()}


def fitted(model: Any) -> Plain:
    """The parameters of an estimator, and all public attributes that ``fit`` makes."""
    names = [name for name in dir(model) if name.endswith("_") and not name.startswith("_")]
    found = {name: plain(outcome(partial(getattr, model, name))) for name in names}
    for name in [name for name in found.get("cv_results_", ()) if "time" in name]:
        del found["cv_results_"][name]
    return {"is": addressless(repr(model)), "parameters": sorted(model.get_params(deep=False)), **found}


def outcome(call: Callable[[], Any], folder: Path | None = None) -> Any:
    """What a call returns, or the type and the message of its error, the folder's name left out."""
    try:
        return call()
    except Exception as error:
        text = addressless(str(error))
        return {"error": type(error).__name__, "message": text.replace(str(folder), "FOLDER") if folder else text}


def addressless(text: str) -> str:
    """A text without places in memory.

    >>> addressless("<function f at 0x7f00>")
    '<function f at 0x>'
    """
    return re.sub(r"0x[0-9a-fA-F]+", "0x", text)


def hidden(value: Plain) -> Plain:
    """Plain values in which residuals have become whether they are rounding, and seconds are gone.

    >>> hidden({"model": {"duality_gap": 1e-15, "seconds": {"pivots": 0.1}}})
    {'model': {'duality_gap': 'below 1e-9: True', 'seconds': 'hidden'}}
    """
    if isinstance(value, list):
        return [hidden(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: "hidden" if key == "seconds" else f"below 1e-9: {is_nothing(part)}" if key in PROOF else hidden(part)
        for key, part in value.items()
    }


def is_nothing(residual: Any) -> bool:
    """Whether a residual is rounding; model files write those that are no plain floats as dicts."""
    return isinstance(residual, int | float) and abs(residual) < NOTHING


def without(value: Plain, names: tuple[str, ...]) -> Plain:
    """Plain values less all entries of some names."""
    if isinstance(value, list):
        return [without(part, names) for part in value]
    if not isinstance(value, dict):
        return value
    return {key: without(part, names) for key, part in value.items() if key not in names}


def page(text: Any) -> Plain:
    """What is kept of a page of HTML: its length and check sum, without residuals and the version."""
    text = re.sub(r"Made by fgac [^;<]*", "Made by fgac", text)
    text = re.sub(r"(violated by more than|loss is within|constraints balance to) [0-9.e-]+", r"\1", text)
    return {"characters": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}
