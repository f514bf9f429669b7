"""How large, how deep and how wide a model file may be, and how far its numbers may reach.

The container and the values of a file are read within the first group of limits, whatever stands in them. The second
group are ranges of numbers in which nothing that a model computes overflows: what lies between them is ordinary data
of any unit, and what lies outside turns into infinities a few steps later.
"""

from __future__ import annotations

import os

from fgac.metrics.distances import LARGEST
from fgac.tables.targets import WIDEST

# --- Sizes ---

# The largest file that is read unless the caller says otherwise, in bytes. A model keeps its training rows: this is
# about 100 million numbers, twice.
FILE_SIZE = 2 * 2**30
# The environment variable that raises (or lowers) it for commands, which have no parameter for it.
SIZE_VARIABLE = "FGAC_MAX_MODEL_SIZE"
# The header holds what is no array: settings, columns, categories. Numbers take some ten times their size as JSON in
# memory, lists and dicts a hundred times, so that their number is limited as well.
HEADER_SIZE = 64 * 2**20
CONTAINERS = 1_000_000
# Members of the zip (arrays of the model, and the header), and bytes of their directory: Python's reader makes an
# object of every entry before anything can be checked.
MEMBERS = 65_000
DIRECTORY_SIZE = 8 * 2**20
# Characters of one text, and of one entry of an array of texts.
TEXT_LENGTH = 1_000_000
# Values within values within values. A model needs about ten levels.
DEPTH = 32
# Axes of an array.
AXES = 4
# Notes that callers keep with a model.
NOTES = 1_000

# --- Values that take longer than they look ---

# Whole numbers of more than 64 bits. Python hashes those that differ by multiples of 2^61 - 1 alike, and a dict of many
# of these takes hours.
LONG_NUMBERS = 1_000
DIGITS = 40
LONGEST_NUMBER = 10**DIGITS
# Isomorphisms: each is checked on a grid when it is made. A model has one, a boundary of ordered classes as well.
POWERS = 1_000
# Ranks over which ordered weights of the caller's own are spread: an array of that length is made.
RANKS = 4_000_000

# --- Ranges of numbers ---

# Coordinates and distances of training rows, and gammas with their inverses, as fit takes them.
COORDINATE = LARGEST
GAMMA = (1.0 / LARGEST, LARGEST)
# The range of the targets of regression, as fit takes it.
TARGET_WIDTH = WIDEST
# Values of solved problems lie between 0 and 1, but for the tolerance that was asked for.
SOLVED = 1e3
# Multipliers, which are as large as weights of rows are.
MULTIPLIER = 1e200
# Weights of rows along a gamma path.
WEIGHTS = (1e-200, 1e200)
# How often a node counts in ordered weighted averages.
TIMES = (1e-12, 1e12)
# Exponents of power isomorphisms: beyond, powers of degrees are no numbers that can be taken back.
EXPONENT = (1 / 127, 127.0)


def largest_file(asked: int | None = None) -> int:
    """The largest file to read, in bytes: as asked, or as the environment says, or :data:`FILE_SIZE`."""
    if asked is not None:
        return asked
    said = os.environ.get(SIZE_VARIABLE, "")
    if not said:
        return FILE_SIZE
    if not (said.isascii() and said.isdigit()):
        raise ValueError(f"{SIZE_VARIABLE}={said!r} in the environment must be a number of bytes, such as 8000000000")
    return int(said)
