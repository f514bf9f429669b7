"""Python values as JSON beside plain arrays, and back.

Numbers, texts, bools, None, lists, tuples, dicts and arrays are all that can be written, so they are all that can
be read: there is no way to write down a function, a class or the name of one. JSON's own values stand for
themselves; everything else is a dict of one entry that tells its kind:

>>> arrays = {}
>>> encode({"gamma": np.float32(0.5)}, "params", arrays)
{'dict': {'gamma': {'scalar': ['<f4', 0.5]}}}
>>> encode((None, np.array([1.0, 2.0])), "pair", arrays)
{'tuple': [None, {'array': 'pair/1'}]}
>>> arrays
{'pair/1': array([1., 2.])}
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac.fuzzy.connectives import Isomorphism, power

Arrays = dict[str, NDArray[Any]]


class ModelFileError(ValueError):
    """A file that is no whole model file, or a model that a file cannot hold."""


# What to do about a parameter that is, or holds, code.
ADVICE = {
    "metric": "use a named metric, or compute the distances and use metric='precomputed'",
    "owa": "give the weights as an array, or the name of a family",
    "isomorphism": "use the exponent of a power, as in isomorphism=2.0",
}


def is_plain(dtype: np.dtype[Any]) -> bool:
    """Whether values of this type are bytes that mean the same everywhere: bools, numbers, dates and texts."""
    return dtype.kind == "U" or (dtype.kind in "biufmM" and dtype.itemsize <= 8)


def encode(value: Any, where: str, arrays: Arrays) -> Any:
    """Turn a value into JSON; its arrays are added to ``arrays`` under the path at which they stand."""
    if isinstance(value, np.generic) and is_plain(value.dtype) and value.dtype.kind not in "mM":
        return {"scalar": [value.dtype.str, encode(value.item(), where, arrays)]}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"float": repr(value)}
    if isinstance(value, Isomorphism):
        return {"power": exponent_of(value, where)}
    if isinstance(value, tuple | list):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [encode(part, f"{where}/{place}", arrays) for place, part in enumerate(value)]}
    if isinstance(value, dict):
        return _encode_dict(value, where, arrays)
    if hasattr(value, "keys") and hasattr(value, "to_dict"):  # a pandas Series: its names count
        return encode(value.to_dict(), where, arrays)
    if hasattr(value, "__array__") and not callable(value):
        return _encode_array(np.asarray(value), where, arrays)
    raise _unstorable(value, where)


def _encode_dict(value: dict[Any, Any], where: str, arrays: Arrays) -> Any:
    """As a dict of JSON if all keys are texts, else as a list of pairs."""
    steps = [key if type(key) is str and key.isidentifier() else place for place, key in enumerate(value)]
    parts = [encode(part, f"{where}/{step}", arrays) for step, part in zip(steps, value.values(), strict=True)]
    if all(type(key) is str for key in value):
        return {"dict": dict(zip(value, parts, strict=True))}
    return {"items": [[encode(key, where, arrays), part] for key, part in zip(value, parts, strict=True)]}


def _encode_array(array: NDArray[Any], where: str, arrays: Arrays) -> Any:
    """Plain arrays as they are; an array of objects as the list of the distinct ones and their numbers."""
    if array.dtype.kind != "O":
        if not is_plain(array.dtype):
            raise _unstorable(array, where)
        arrays[where] = array
        return {"array": where}
    # 1, 1.0 and True are equal, but not the same; neither are 0.0 and -0.0.
    known: dict[Any, int] = {}
    numbers = [known.setdefault((type(value), repr(value)), len(known)) for value in array.ravel()]
    first = dict(zip(reversed(numbers), reversed(array.ravel().tolist()), strict=True))
    arrays[where] = np.array(numbers, dtype=np.int64).reshape(array.shape)
    return {"objects": [[encode(first[number], where, arrays) for number in range(len(known))], where]}


def exponent_of(isomorphism: Isomorphism, where: str) -> float:
    """The exponent of a power isomorphism; any other is code, which a file cannot hold."""
    exponent = getattr(isomorphism.forward, "exponent", 1.0)
    if power(exponent) != isomorphism:
        raise _unstorable(isomorphism, where)
    return float(exponent)


def _unstorable(value: Any, where: str) -> ModelFileError:
    advice = next((text for name, text in ADVICE.items() if name in where.split("/")), "turn it into one of these")
    return ModelFileError(
        f"{where} holds {value!r} of type {type(value).__name__}, which a model file cannot hold; expected numbers, "
        f"texts, bools, or lists, dicts and arrays of these, never functions: {advice}"
    )


def decode(plain: Any, arrays: Arrays) -> Any:
    """The value that :func:`encode` made this of.

    >>> decode({"tuple": [None, {"array": "pair/1"}]}, {"pair/1": np.array([1.0, 2.0])})
    (None, array([1., 2.]))
    """
    match plain:
        case None | bool() | int() | float() | str():
            return plain
        case {"scalar": [str(name), value]} if is_plain(np.dtype(name)):
            return np.dtype(name).type(decode(value, arrays))
        case {"float": ("inf" | "-inf" | "nan") as text}:
            return float(text)
        case {"power": float(exponent)}:
            return power(exponent)
        case {"list": [*parts]}:
            return [decode(part, arrays) for part in parts]
        case {"tuple": [*parts]}:
            return tuple(decode(part, arrays) for part in parts)
        case {"dict": dict(parts)}:
            return {key: decode(part, arrays) for key, part in parts.items()}
        case {"items": [*items]}:
            return {decode(key, arrays): decode(part, arrays) for key, part in items}
        case {"array": str(where)}:
            return arrays[where]
        case {"objects": [[*parts], str(where)]}:
            distinct = np.empty(len(parts), dtype=object)
            for number, part in enumerate(parts):
                distinct[number] = decode(part, arrays)
            return distinct[arrays[where]]
    raise ModelFileError(f"holds an unknown kind of value ({plain!r:.80}); save the model again")
