"""Changes of one array of a model file: its entries, its type, its shape, its bytes."""

import warnings

import numpy as np

from support.opened_file import DTYPES, ODD_DTYPES, pick, some_array

ENTRIES = [np.nan, np.inf, -np.inf, -1, 0, 1, 2, 1e308, -1e308, 1e-320, 1e155, 2**31, 2**63 - 1, -(2**63), 0.5, 1e12]
ENTRIES += [1e150, -1e150, 1e100, 1e50, 1e-50, 1e200, 1e250]


def entries(rng, file, name):
    """Put odd values at some places of an array."""
    array = file.array(name).copy()
    if not array.size or array.dtype.kind not in "iuf":
        return
    kind, flat = array.dtype, array.reshape(-1)
    for _ in range(int(rng.integers(1, 4))):
        value = pick(rng, ENTRIES)
        if kind.kind == "f":
            flat[int(rng.integers(flat.size))] = value
        elif np.isfinite(value):
            limits = np.iinfo(kind)
            flat[int(rng.integers(flat.size))] = min(max(int(value), limits.min), limits.max)
    file.put(name, array)


def wrapped_entries(rng, file, name):
    """Let whole numbers rise and fall by so much that their differences do not fit into 64 bits."""
    array = file.array(name).copy()
    if array.dtype == np.int64 and array.ndim == 1 and len(array) > 2:
        array[1:-1] = (-1) ** np.arange(len(array) - 2) * int(pick(rng, [2**62, 2**63 - 1, 2**40]))
        file.put(name, array)


def all_entries(rng, file, name):
    """Fill an array with one value, or scale it."""
    array = file.array(name)
    if array.dtype.kind not in "iuf":
        return
    with np.errstate(all="ignore"):
        value = pick(rng, ENTRIES)
        filled = np.full(array.shape, value, dtype=np.float64) if rng.random() < 0.5 else array * float(value)
        if array.dtype.kind in "iu":
            filled = np.nan_to_num(filled, posinf=9e18, neginf=-9e18).clip(-9e18, 9e18)
        file.put(name, filled.astype(array.dtype))


def random_entries(rng, file, name):
    """Fill an array with numbers that may well be in range."""
    array = file.array(name)
    if array.dtype.kind == "f":
        low, high = pick(rng, [(0, 1), (-1, 1), (-1e150, 1e150), (0, 1e12)])
        file.put(name, rng.uniform(low, high, array.shape).astype(array.dtype))
    elif array.dtype.kind in "iu" and array.size:
        file.put(name, rng.integers(0, int(array.max()) + 1, array.shape).astype(array.dtype))


def other_type(rng, file, name):
    """Store an array in another type."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            file.put(name, file.array(name).astype(pick(rng, DTYPES)))
        except (ValueError, TypeError, OverflowError):
            return


def other_shape(rng, file, name):
    """Give an array another shape, or another length."""
    array = file.array(name)
    n = len(array) if array.ndim else 0
    shapes = [
        lambda: array.reshape(-1),
        lambda: array[None],
        lambda: array[..., None],
        lambda: np.asfortranarray(array.T),
        lambda: np.asfortranarray(array),
        lambda: array[:0],
        lambda: array[: n - 1],
        lambda: array[1:],
        lambda: np.concatenate([array, array[:1]]),
        lambda: np.repeat(array, 3, axis=0),
        lambda: array[::-1],
        lambda: array[rng.permutation(n)],
        lambda: np.empty((n, 0), dtype=array.dtype),
        lambda: np.zeros((), dtype=array.dtype),
        lambda: np.empty((10**9, 0), dtype=array.dtype),
        lambda: np.empty((0, 10**9), dtype=array.dtype),
    ]
    file.put(name, np.asarray(pick(rng, shapes)())) if array.ndim else None


def lying_header(rng, file, name):
    """Let an array claim a shape, or a type, that its bytes are not."""
    shape = pick(rng, [(10**12,), (10**6, 10**6), (-1,), (0,), (), (2**63,), (1,) * 70, (2**32, 2**32), (3, 0, 10**9)])
    descr = pick(rng, [*DTYPES, *ODD_DTYPES, *ODD_DTYPES])
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    odd = ["[" * 5000, "__import__('os')", "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", ""]
    text = (pick(rng, odd) if rng.random() < 0.2 else text) + "\n"
    data = bytes(int(pick(rng, [0, 8, 80, 800])))
    length = len(text).to_bytes(2, "little")
    file.members[name] = b"\x93NUMPY" + bytes([int(pick(rng, [1, 1, 1, 2, 3, 9])), 0]) + length + text.encode() + data


def random_bytes(rng, file, name):
    """Change some bytes of an array, anywhere."""
    data = bytearray(file.members[name])
    for place in rng.integers(0, len(data), int(rng.integers(1, 6))) if data else ():
        data[int(place)] = int(rng.integers(256))
    file.members[name] = bytes(data)


def swapped_arrays(rng, file, name):
    """Exchange two arrays."""
    other = some_array(rng, file)
    file.members[name], file.members[other] = file.members[other], file.members[name]


def deleted_array(rng, file, name):
    """Leave an array out."""
    del file.members[name]


def shorter_axis(rng, file, name):
    """Cut all arrays of one length by one, so that they still fit each other."""
    length = len(file.array(name)) if file.array(name).ndim else 0
    for other in sorted(file.members):
        array = file.array(other)
        if array.ndim and len(array) == length and length:
            file.put(other, array[:-1])


OF_ARRAYS = [wrapped_entries, *[entries] * 3, all_entries, *[random_entries] * 2, other_type, *[other_shape] * 2]
OF_ARRAYS += [lying_header, random_bytes, swapped_arrays, deleted_array, shorter_axis]
