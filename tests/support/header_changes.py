"""Changes of the header of a model file, and of how its members are packed."""

import copy
import json
import zipfile

import numpy as np

from support.opened_file import DTYPES, ODD_DTYPES, pick, some_array

NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 7, -1, 0, 1e-320, 1e-200, 1e20, 1e155, 1e308, -1e308, 2**31, 2**63 - 1]
NUMBERS += [-(2**63), 2**64, 10**30, 1e-60, 1e60, 3.5e9, 1e50, 1e-50, 1e100, 1e-100, 1e150, -1e150, 1e250, 1e-250]
SPECIAL = [{"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"float": "1e5"}, {"float": 3}]
TEXTS = ["", "a", "euclidean", "precomputed", "a\nb", "\ud800", "\x00", "first", "additive", "x" * 5000]
KINDS = ["scalar", "list", "tuple", "dict", "items", "array", "objects", "power", "float", "call"]


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
        number = holder[key]
        typed = {"scalar": [pick(rng, ["<f4", "<f2", "<f8"]), float(number)]}
        holder[key] = pick(rng, [-number, number + 1, number * 1e30, number * 1e-30, number / 3, typed, typed])


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
    way = pick(rng, ["compressed", "twice", "tail", "more", "other name", "many", "directory"])
    if way == "compressed":
        file.compression = zipfile.ZIP_DEFLATED
    elif way == "twice":
        file.twice = pick(rng, ["header.json", *sorted(file.members), "new.npy"])
    elif way == "tail":
        file.tail = bytes(int(pick(rng, [1, 20, 200])))
    elif way == "directory":  # where members begin, how long they are, what they are called
        n = int(rng.integers(1, 4))
        file.directory = dict(zip(rng.integers(0, 4000, n).tolist(), rng.integers(0, 256, n).tolist(), strict=True))
    elif way == "more":
        file.put("spare.npy", np.zeros(3))
    elif way == "many":
        for i in range(300):
            file.members[f"{i}.npy"] = b""
    elif file.members:
        name = pick(rng, sorted(file.members))
        file.members[pick(rng, ["", "../x.npy", "a\nb.npy", "x", "/etc/x.npy"])] = file.members.pop(name)


OF_HEADERS = [replaced_value, replaced_value, near_value, near_value, deleted_value, doubled_value, swapped_values]
OF_HEADERS += [new_array, wrapped_value, odd_header]
LAST = [odd_text, odd_container]
