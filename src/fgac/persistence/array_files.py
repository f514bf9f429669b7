"""Plain arrays as bytes in NumPy's format, and back, without anything that evaluates or guesses.

NumPy's own reader evaluates the header of an array as Python. The one here accepts what ``save_model`` writes, letter
by letter: the type, the layout and the shape; and then as many bytes as these three say.
"""

from __future__ import annotations

import io
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac.persistence import limits
from fgac.persistence.errors import ModelFileError

# The only version of NumPy's format that is written: magic, two bytes of version, two of the length of the header.
MAGIC = b"\x93NUMPY\x01\x00"
DATE_UNIT = r"\[(?:[1-9][0-9]{0,3})?(?:[YMWDhms]|[munpfa]s)\]"
PLAIN_TYPE = rf"\|b1|\|[iu]1|[<>][iuf][248]|[<>]U[1-9][0-9]{{0,6}}|[<>][mM]8{DATE_UNIT}"
HEADER = re.compile(
    rf"\{{'descr': '({PLAIN_TYPE})', 'fortran_order': (True|False), 'shape': \(([0-9, ]{{0,80}})\), \}} *\n"
)
# The largest code point of a text.
LAST_CHARACTER = 0x10FFFF


def is_plain(dtype: np.dtype[Any]) -> bool:
    """Whether values of this type are bytes that mean the same everywhere: bools, numbers, dates and texts.

    >>> [is_plain(np.dtype(name)) for name in ("f8", "bool", "U3", "M8[D]", "O", "c16", "U0")]
    [True, True, True, True, False, False, False]
    """
    return re.fullmatch(PLAIN_TYPE, dtype.str) is not None and dtype.itemsize <= 4 * limits.TEXT_LENGTH


def array_bytes(array: NDArray[Any]) -> bytes:
    """An array in NumPy's format."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def read_array(part: bytes, name: str) -> NDArray[Any]:
    """The array of some bytes; ``name`` is for the error that refuses anything else.

    >>> read_array(array_bytes(np.array([1.5, 2.5])), "beta")
    array([1.5, 2.5])
    """
    start = len(MAGIC) + 2
    end = start + int.from_bytes(part[start - 2 : start], "little")
    header = HEADER.fullmatch(part[start:end].decode("latin-1"))
    if not part.startswith(MAGIC) or header is None:
        raise ModelFileError(f"holds {name}, which is no plain array as save_model writes it; save the model again")
    dtype, by_column = np.dtype(header[1]), header[2] == "True"
    shape = tuple(int(length) for length in header[3].replace(",", " ").split())
    if len(shape) > limits.AXES or not is_plain(dtype) or math.prod(shape) * dtype.itemsize != len(part) - end:
        raise ModelFileError(f"holds {name} of type {dtype} and shape {shape}, which its bytes cannot be")
    if 0 in shape:
        return np.empty(shape, dtype.newbyteorder("="))
    flat = np.frombuffer(part, dtype, offset=end)
    _check_bytes(flat, name)
    # A copy in the byte order of this machine, which the compiled loops expect, and which may be written to.
    return flat.astype(dtype.newbyteorder("=")).reshape(shape, order="F" if by_column else "C")


def _check_bytes(flat: NDArray[Any], name: str) -> None:
    """Refuse bytes that are no values of their type: characters beyond the last one, bools other than 0 and 1."""
    kind, order = flat.dtype.kind, flat.dtype.byteorder
    if kind == "U" and flat.view(np.dtype(np.uint32).newbyteorder(order)).max() > LAST_CHARACTER:
        raise ModelFileError(f"holds {name}, a text of characters that there are not")
    if kind == "b" and flat.view(np.uint8).max() > 1:
        raise ModelFileError(f"holds {name}, whose bools are neither true nor false")
