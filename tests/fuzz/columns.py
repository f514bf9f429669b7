"""Columns that tables of real life and of bad dreams are made of: each takes a random generator and a length."""

import numpy as np

# What integers of a type can hold is sampled up to its ends.
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
# Numbers of seconds, milliseconds, microseconds and nanoseconds since 1970, and numbers of customers.
OFFSETS = (1e9, 1.7e9, 1.7e12, 1.7e15, 1.7e18, 1e16, 9007199254740992.0, 1e17, -1e12, 273.15)


def grid(rng, n):
    """Whole numbers on a small grid, full of ties."""
    return rng.integers(0, rng.integers(2, 6), n).astype(float)


def smooth(rng, n):
    """Ordinary numbers."""
    return rng.normal(0, 1, n)


def rounded(rng, n):
    """Ordinary numbers to one decimal, so that some are equal."""
    return np.round(rng.uniform(0, 3, n), 1)


def constant(rng, n):
    """One number only."""
    return np.full(n, rng.choice([0.0, -0.0, 1.0, 1e308, -1e-310, 1e16, 0.1]))


def huge(rng, n):
    """Numbers of one magnitude, from the smallest to the largest that a float has."""
    return rng.uniform(-1, 1, n) * 10.0 ** rng.uniform(100, 308)


def tiny(rng, n):
    """Numbers near zero, down to where floats lose their digits."""
    return rng.uniform(-1, 1, n) * 10.0 ** rng.uniform(-310, -100)


def any_magnitude(rng, n):
    """Numbers of one magnitude, whichever."""
    return rng.integers(-4, 5, n) * 10.0 ** rng.integers(-300, 300)


def all_magnitudes(rng, n):
    """Numbers of all magnitudes at once."""
    return rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-308, 307.5, n)


def denormal(rng, n):
    """A few of the smallest numbers there are."""
    return rng.integers(-3, 4, n) * 5e-324


def offset(rng, n):
    """Small differences far from zero: times and identifiers."""
    return rng.choice(OFFSETS) + rng.integers(0, 1000, n) * 10.0 ** rng.integers(-3, 4)


def neighbours(rng, n):
    """Numbers that are next to each other, as floats go."""
    start = rng.choice([1.0, 0.1, 1e16, -3e-5, 1e300])
    return start + rng.integers(0, 4, n) * np.spacing(start)


def outlier(rng, n):
    """Ordinary numbers, and one far out."""
    values = rng.normal(0, 1, n)
    values[rng.integers(n)] = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(3, 300)
    return values


def signed_zero(rng, n):
    """Zeros of both signs, and ones."""
    return rng.choice([0.0, -0.0, 1.0], n)


def integers(rng, n):
    """Whole numbers of some type, anywhere in its range or near one of its ends."""
    info = np.iinfo(rng.choice(INTEGERS))
    if rng.random() < 0.5:
        return rng.integers(info.min, info.max, n, dtype=info.dtype, endpoint=True)
    steps = rng.integers(0, min(100, info.max), n, dtype=info.dtype)
    return (info.max - steps if rng.random() < 0.5 else info.min + steps).astype(info.dtype)


def short_floats(rng, n):
    """Floats of 16 or 32 bits, up to the largest."""
    kind = rng.choice(["float16", "float32"])
    most = float(np.finfo(kind).max)
    return (rng.uniform(-1, 1, n) * rng.choice([1.0, 100.0, most])).astype(kind)


def truth(rng, n):
    """Yes and no."""
    return rng.random(n) < 0.5


def names(rng, n):
    """Names of categories."""
    return rng.choice(["red", "green", "blue", "x", "yellow"][: rng.integers(1, 6)], n).astype(object)


ORDINARY = (grid, smooth, rounded)
NASTY = (
    *(constant, huge, tiny, any_magnitude, all_magnitudes, denormal, offset, offset, offset, neighbours, outlier),
    *(signed_zero, integers, integers, short_floats, truth),
)
