"""Changes of model files that keep all check sums right: what a forger who knows the format could write.

A file is taken apart into its header (JSON) and its arrays, changed at one or a few places, and signed again.
"""

import copy
import io
import json
import warnings
import zipfile

import numpy as np

from fgac.persistence import archive
from fgac.persistence.array_files import read_array
from support.model_files import members_of

NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 7, -1, 0, 1e-320, 1e-200, 1e20, 1e155, 1e308, -1e308, 2**31, 2**63 - 1]
NUMBERS += [-(2**63), 2**64, 10**30, 1e-60, 1e60, 3.5e9, 1e50, 1e-50, 1e100, 1e-100, 1e150, -1e150, 1e250, 1e-250]
SPECIAL = [{"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"float": "1e5"}, {"float": 3}]
TEXTS = ["", "a", "euclidean", "precomputed", "a\nb", "\ud800", "\x00", "first", "additive", "x" * 5000]
KINDS = ["scalar", "list", "tuple", "dict", "items", "array", "objects", "power", "float", "call"]
DTYPES = ["<f8", "<f4", ">f8", "<i8", "<i4", "<i2", "|i1", "|u1", "<u8", "|b1", "<U3", "<M8[D]", "<m8[ns]", "<f2"]
ODD_DTYPES = ["<U0", "|V0", "|V8", "|O", "<c16", "<f16", "<M8", "|S0", "|S4", "<U1000000", "<U2000000", "<M8[9999s]"]
ENTRIES = [np.nan, np.inf, -np.inf, -1, 0, 1, 2, 1e308, -1e308, 1e-320, 1e155, 2**31, 2**63 - 1, -(2**63), 0.5, 1e12]
ENTRIES += [1e150, -1e150, 1e100, 1e50, 1e-50, 1e200, 1e250]


class Opened:
    """A model file that is being changed: its header, its arrays as bytes, and how it will be packed."""

    def __init__(self, data):
        """Take a file apart."""
        self.members = members_of(data)
        self.header = json.loads(self.members.pop("header.json"))
        self.compression, self.twice, self.tail, self.raw = zipfile.ZIP_STORED, None, b"", None

    def signed(self):
        """Return the file with sums that are right."""
        self.header["sha256"] = {name: archive._sha256(part) for name, part in self.members.items()}
        text = json.dumps(self.header).encode() if self.raw is None else self.raw
        file = io.BytesIO()
        with warnings.catch_warnings(), zipfile.ZipFile(file, "w", self.compression) as zipped:
            warnings.simplefilter("ignore")  # of the same name twice
            for name, part in [("header.json", text), *self.members.items()]:
                zipped.writestr(zipfile.ZipInfo(name), part, self.compression)
            if self.twice is not None:
                zipped.writestr(zipfile.ZipInfo(self.twice), b"again")
            zipped.comment = archive._comment(text)
        return file.getvalue() + self.tail

    def array(self, name):
        """Return an array as it is in the file."""
        return read_array(self.members[name], name)

    def put(self, name, array):
        """Replace an array."""
        file = io.BytesIO()
        np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=True)
        self.members[name] = file.getvalue()

    def places(self):
        """Return (holder, key) of every value in the header's model."""
        found, stack = [], [self.header.get("model")]
        while stack:
            holder = stack.pop()
            pairs = holder.items() if isinstance(holder, dict) else enumerate(holder)
            for key, value in pairs:
                found.append((holder, key))
                if isinstance(value, dict | list):
                    stack.append(value)
        return found


def pick(rng, options):
    """Return one of a list."""
    return options[int(rng.integers(len(options)))]


def some_array(rng, file):
    """Return the name of an array, or None if there is none left that can be read."""
    return pick(rng, sorted(file.members)) if file.members else None


# ----------------------------------------------------------------------------------------------------
# Arrays
# ----------------------------------------------------------------------------------------------------


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


# ----------------------------------------------------------------------------------------------------
# The header
# ----------------------------------------------------------------------------------------------------


def nested(rng, depth):
    """Return lists, dicts and objects within one another."""
    value = 1.0
    kind = pick(rng, ["list", "tuple", "dict", "items", "objects", "plain", "scalar"])
    for _ in range(depth):
        value = {
            "list": {"list": [value, value] if depth < 12 else [value]},
            "tuple": {"tuple": [value]},
            "dict": {"dict": {"a": value}},
            "items": {"items": [[1, value]]},
            "objects": {"objects": [[value], "rows/codes"]},
            "plain": [value],
            "scalar": {"scalar": ["<f8", value]},
        }[kind]
    return value


def odd_value(rng, file):
    """Return something that may or may not be a value of a file."""
    makers = [
        lambda: pick(rng, NUMBERS),
        lambda: pick(rng, NUMBERS),
        lambda: pick(rng, SPECIAL),
        lambda: pick(rng, [None, True, False, [], {}, {"dict": {}}, {"list": []}, {"tuple": []}, {"items": []}]),
        lambda: pick(rng, TEXTS),
        lambda: nested(rng, int(pick(rng, [1, 3, 8, 40, 300]))),
        lambda: {"array": some_array(rng, file).removesuffix(".npy")} if file.members else None,
        lambda: {"objects": [[pick(rng, NUMBERS)], (some_array(rng, file) or "").removesuffix(".npy")]},
        lambda: {"scalar": [pick(rng, DTYPES + ODD_DTYPES), pick(rng, [*NUMBERS, *TEXTS])]},
        lambda: {"power": pick(rng, [*NUMBERS, 2.0, 0.01, 100.0, 1e-5])},
        lambda: {"list": [pick(rng, NUMBERS)] * int(pick(rng, [1, 2, 1000]))},
        lambda: {pick(rng, KINDS): pick(rng, [*NUMBERS, *TEXTS, None, []])},
        lambda: {"items": [[k * (2**61 - 1), 0] for k in range(int(pick(rng, [2, 3000])))]},
        lambda: {"tuple": [{"tuple": [1.0, 0.5, 0.7]}, {"tuple": [0.1, 0.2, 0.3]}]},
    ]
    return pick(rng, makers)()


def replaced_value(rng, file):
    """Put something odd at some place of the header."""
    holder, key = pick(rng, file.places())
    holder[key] = odd_value(rng, file)


def new_array(rng, file):
    """Put a new array at some place, most often where there was nothing."""
    empty = [(holder, key) for holder, key in file.places() if holder[key] is None]
    holder, key = pick(rng, empty if empty and rng.random() < 0.7 else file.places())
    shape = pick(rng, [(12, 1), (12, 2), (12,), (9,), (9, 1), (2,), (1, 40), (10**6,), (0, 3)])
    file.put("new.npy", rng.uniform(0, 1, shape).astype(pick(rng, ["f8", "f8", "i8", "i4"])))
    holder[key] = {"array": "new"}


def near_value(rng, file):
    """Change a number or a text a little, so that it may still fit."""
    places = [(h, k) for h, k in file.places() if isinstance(h[k], int | float | str) and not isinstance(h[k], bool)]
    if not places:
        return
    holder, key = pick(rng, places)
    if isinstance(holder[key], str):
        holder[key] = pick(rng, TEXTS)
    else:
        holder[key] = pick(
            rng, [-holder[key], holder[key] + 1, holder[key] * 1e30, holder[key] * 1e-30, holder[key] / 3]
        )


def deleted_value(rng, file):
    """Leave a value of the header out."""
    holder, key = pick(rng, file.places())
    del holder[key]


def doubled_value(rng, file):
    """Have an entry of a list once more, or a value of a dict under another name."""
    holder, key = pick(rng, file.places())
    if isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder[f"{key}_"] = copy.deepcopy(holder[key])


def swapped_values(rng, file):
    """Exchange two values of the header that do not hold each other."""
    (one, a), (other, b) = pick(rng, file.places()), pick(rng, file.places())
    one[a], other[b] = copy.deepcopy(other[b]), copy.deepcopy(one[a])


def wrapped_value(rng, file):
    """Wrap a value, or change its kind."""
    holder, key = pick(rng, file.places())
    holder[key] = {pick(rng, KINDS): pick(rng, [[holder[key]], holder[key], [[holder[key]]]])}


def odd_header(rng, file):
    """Change the frame of the header."""
    key = pick(rng, [*sorted(file.header), "more"])
    file.header[key] = pick(rng, [None, 1, 2, 3, "a", [], {}, {"a": 1}, {"a": "b\nc"}, True, 1e9, "x" * 10**5])


def odd_text(rng, file):
    """Have a header that is no JSON of finite numbers, or one that is nested."""
    text = json.dumps(file.header)
    file.raw = pick(
        rng,
        [
            text.replace('"gamma": ', '"gamma": NaN, "g": ', 1).encode(),
            text.replace('"gamma": ', '"gamma": 1e999, "g": ', 1).encode(),
            text.replace('"gamma": ', f'"gamma": {"9" * 5000}, "g": ', 1).encode(),
            text.replace('"gamma": ', f'"gamma": {"[" * 20000}, "g": ', 1).encode(),
            text.encode("utf-16"),
            text[:-3].encode(),
            b"",
            b"null",
            b"[" * 100_000,
            text.encode() + b" " * 10**6,
        ],
    )


def odd_container(rng, file):
    """Pack the members in another way."""
    way = pick(rng, ["compressed", "twice", "tail", "more", "other name", "many"])
    if way == "compressed":
        file.compression = zipfile.ZIP_DEFLATED
    elif way == "twice":
        file.twice = pick(rng, ["header.json", *sorted(file.members), "new.npy"])
    elif way == "tail":
        file.tail = bytes(int(pick(rng, [1, 20, 200])))
    elif way == "more":
        file.put("spare.npy", np.zeros(3))
    elif way == "many":
        for i in range(300):
            file.members[f"{i}.npy"] = b""
    elif file.members:
        name = pick(rng, sorted(file.members))
        file.members[pick(rng, ["", "../x.npy", "a\nb.npy", "x", "/etc/x.npy"])] = file.members.pop(name)


OF_ARRAYS = [
    wrapped_entries,
    entries,
    entries,
    entries,
    all_entries,
    random_entries,
    random_entries,
    other_type,
    other_shape,
]
OF_ARRAYS += [other_shape, lying_header, random_bytes, swapped_arrays, deleted_array, shorter_axis]
OF_HEADERS = [replaced_value, replaced_value, near_value, near_value, deleted_value, doubled_value, swapped_values]
OF_HEADERS += [new_array, wrapped_value, odd_header]
LAST = [odd_text, odd_container]


def mutated(data, rng):
    """Return a model file after one change, or a few, signed again; and the names of the changes."""
    file, told = Opened(data), []
    for _ in range(int(pick(rng, [1, 1, 1, 2, 3, 5]))):
        change = pick(rng, OF_ARRAYS + OF_HEADERS)
        told.append(change.__name__)
        try:
            if change in OF_ARRAYS:
                name = some_array(rng, file)
                if name is not None:
                    change(rng, file, name)
            elif file.places():
                change(rng, file)
        except (ValueError, EOFError, KeyError, TypeError, AttributeError):
            continue  # what an earlier change has broken cannot be changed again in every way
    if rng.random() < 0.05:
        change = pick(rng, LAST)
        change(rng, file)
        told.append(change.__name__)
    return file.signed(), told
