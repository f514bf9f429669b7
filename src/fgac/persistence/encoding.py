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

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac.fuzzy.connectives import Isomorphism, power
from fgac.persistence import limits
from fgac.persistence.array_files import is_plain
from fgac.persistence.errors import ModelFileError
from fgac.persistence.schema_base import shown

Arrays = dict[str, NDArray[Any]]


# Types of NumPy's scalars, and Python's types of their values.
PLAIN_SCALAR = re.compile(r"\|b1|\|[iu]1|[<>][iuf][248]|[<>]U[0-9]{1,7}")
SCALAR_TYPES: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "U": str}

# What to do about a parameter that is, or holds, code.
ADVICE = {
    "metric": "use a named metric, or compute the distances and use metric='precomputed'",
    "owa": "give the weights as an array, or the name of a family",
    "isomorphism": "use the exponent of a power, as in isomorphism=2.0",
}


def encode(value: Any, where: str, arrays: Arrays) -> Any:
    """Turn a value into JSON; its arrays are added to ``arrays`` under the path at which they stand."""
    if isinstance(value, np.generic) and PLAIN_SCALAR.fullmatch(value.dtype.str):
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
    return Decoder(arrays).value(plain)


class Decoder:
    """Makes values of JSON and arrays, whoever wrote them: every array once, everything within limits.

    Work and memory are those of the values that are there. So an array is part of one value only: a short list that
    named a long array a thousand times would take a thousand times as long to check.

    Parameters
    ----------
    arrays : dict of arrays
        By the names that values have for them.
    """

    def __init__(self, arrays: Arrays) -> None:
        self.unused = dict(arrays)
        self.n_long, self.n_powers = 0, 0

    def value(self, plain: Any, depth: int = 0) -> Any:
        """The value of some JSON."""
        if depth > limits.DEPTH:
            raise ModelFileError(f"holds values that are nested more than {limits.DEPTH} deep; save the model again")
        if not isinstance(plain, dict) or plain.keys() <= {"scalar", "float"}:
            return self.scalar(plain)
        if len(plain) == 1:
            deeper = depth + 1
            match plain:
                case {"power": float(exponent)}:
                    return self._power(exponent)
                case {"list": [*parts]}:
                    return [self.value(part, deeper) for part in parts]
                case {"tuple": [*parts]}:
                    return tuple(self.value(part, deeper) for part in parts)
                case {"dict": dict(parts)}:
                    return {self.scalar(key): self.value(part, deeper) for key, part in parts.items()}
                case {"items": [*items]}:
                    return self._items(items, deeper)
                case {"array": str(where)}:
                    return self._array(where)
                case {"objects": [[*parts], str(where)]}:
                    return self._objects(parts, where)
        raise _unknown(plain)

    def scalar(self, plain: Any) -> Any:
        """A text, a number, a bool or None: JSON's own, or one of NumPy's."""
        match plain:
            case None | bool() | float():
                return plain
            case str() if len(plain) <= limits.TEXT_LENGTH:
                return plain
            case int() if -(2**63) <= plain < 2**64 or self._is_long_number(plain):
                return plain
            case {"float": ("inf" | "-inf" | "nan") as text} if len(plain) == 1:
                return float(text)
            case {"scalar": [str(name), value]} if len(plain) == 1:
                return self._numpy_scalar(name, self.scalar(value))
        raise _unknown(plain)

    def _is_long_number(self, number: int) -> bool:
        self.n_long += 1
        return abs(number) <= limits.LONGEST_NUMBER and self.n_long <= limits.LONG_NUMBERS

    def _numpy_scalar(self, name: str, value: Any) -> Any:
        """A scalar of NumPy, if its type can hold the value."""
        dtype: Any = np.dtype(name if PLAIN_SCALAR.fullmatch(name) else object)
        # By its very type: a bool is a whole number in Python, too.
        fits = type(value) is SCALAR_TYPES.get(dtype.kind)
        if fits and dtype.kind in "iu":
            fits = np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
        if not fits:
            raise _unknown({name: value})
        with np.errstate(over="ignore"):
            return dtype.type(value)

    def _power(self, exponent: float) -> Isomorphism:
        self.n_powers += 1
        least, most = limits.EXPONENT
        if self.n_powers > limits.POWERS or not least <= exponent <= most:
            raise ModelFileError(f"holds an isomorphism that is no power from {least:.3g} to {most:g}")
        return power(exponent)

    def _items(self, items: list[Any], depth: int) -> dict[Any, Any]:
        """A dict whose keys are not all texts."""
        if not all(isinstance(item, list) and len(item) == 2 for item in items):
            raise _unknown(items)
        found = {self.scalar(key): self.value(part, depth) for key, part in items}
        if len(found) < len(items):
            raise ModelFileError("holds a dict with the same key twice; save the model again")
        return found

    def _array(self, where: str) -> NDArray[Any]:
        if where not in self.unused:
            raise ModelFileError(f"speaks of an array {where!r:.80} that it does not hold, or holds once only")
        return self.unused.pop(where)

    def _objects(self, parts: list[Any], where: str) -> NDArray[Any]:
        """An array of scalars, from the distinct ones and their numbers."""
        distinct = np.empty(len(parts), dtype=object)
        for number, part in enumerate(parts):
            distinct[number] = self.scalar(part)
        numbers = self._array(where)
        if numbers.dtype != np.int64 or (numbers.size and not 0 <= numbers.min() <= numbers.max() < len(parts)):
            raise ModelFileError(f"holds {where!r:.80}, which points outside of the {len(parts)} values there are")
        return distinct[numbers]


def _unknown(plain: Any) -> ModelFileError:
    return ModelFileError(f"holds an unknown kind of value ({shown(plain)}); save the model again")
