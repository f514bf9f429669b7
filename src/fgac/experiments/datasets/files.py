"""The paper's data sets: CSV files in the form in which its authors published them.

The name of a file tells what it holds, ``pima768(8_0_0)2.csv``: 768 rows; 8 real, 0 integer and 0 nominal columns; 2
classes. The header tells the kind of a column, ``Age(I)``: ``(N)`` is nominal, everything else a number. The last
column is the class. A file that does not hold what its name says is refused: it has been cut or edited.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.experiments._extra import needed

FILES = {
    "australian": "australian690(3_5_6)2.csv",
    "balance": "balance625(4_0_0)3.csv",
    "breast": "breast277(0_0_9)2.csv",
    "bupa": "bupa345(1_5_0)2.csv",
    "cleveland": "cleveland297(13_0_0)5.csv",
    "crx": "crx653(3_3_9)2.csv",
    "german": "german1000(0_7_13)2.csv",
    "glass": "glass214(9_0_0)6.csv",
    "haberman": "haberman306(0_3_0)2.csv",
    "heart": "heart270(1_12_0)2.csv",
    "ionosphere": "ionosphere351(32_1_0)2.csv",
    "mammographic": "mammographic830(0_5_0)2.csv",
    "pima": "pima768(8_0_0)2.csv",
    "saheart": "saheart462(5_3_1)2.csv",
    "spectfheart": "spectfheart267(0_44_0)2.csv",
    "vowel": "vowel990(10_3_0)11.csv",
    "wdbc": "wdbc569(30_0_0)2.csv",
    "wisconsin": "wisconsin683(0_9_0)2.csv",
    "iris": "iris150(4_0_0)3.csv",
    "flare": "flare1066(0_0_11)6.csv",
}


# In some tables of the paper, but not among the 18 that it names: they take part in no test.
APART = ("iris", "flare")
PAPER = tuple(name for name in FILES if name not in APART)

DAMAGED = ("australian", "crx", "heart")
DAMAGE = (
    f"In the published files of {', '.join(DAMAGED[:-1])} and {DAMAGED[-1]} numbers have lost their decimal points "
    "(24.50 became 245). They are used as they are, because the published results were made with them; "
    "they say nothing about the real data of these names."
)

# The file of balance holds these of all combinations, counted in their natural order, at its end: someone's test part.
# The order decides which rows come into which fold.
# fmt: off
LAST = [
    11, 62, 68, 80, 95, 97, 107, 117, 121, 124, 127, 137, 141, 166, 180, 182, 206, 217, 221, 238, 239, 243, 260,
    264, 268, 285, 288, 290, 294, 301, 302, 304, 307, 308, 316, 323, 336, 372, 380, 382, 388, 389, 395, 417, 430,
    431, 435, 461, 468, 474, 487, 494, 496, 530, 561, 563, 565, 570, 583, 585, 588, 613, 622,
]


# fmt: on

FILE_NAME = re.compile(r"(?P<name>[a-z][a-z-]*)(?P<rows>\d+)\((?P<kinds>-?\d+_-?\d+_-?\d+)\)(?P<classes>\d+)\.csv")
HEADER = re.compile(r"(?P<name>.*)\((?P<kind>[NRI])\)")


@dataclass(frozen=True, eq=False)
class DataSet:
    """A table whose rows have one of several classes.

    Attributes
    ----------
    name : str
    frame : pandas.DataFrame
        Numeric columns as floats, in alphabetical order, then the nominal ones as categories.
    y : (n,) array
        Class numbers.
    labels : tuple of str
        What the classes are called; class k is ``labels[k]``.
    """

    name: str
    frame: Any
    y: Ints
    labels: tuple[str, ...]

    @property
    def nominal(self) -> tuple[str, ...]:
        """Names of the nominal columns."""
        return tuple(str(name) for name in self.frame.select_dtypes("category").columns)

    def encoded(self) -> Floats:
        """The rows as numbers: numeric columns, then one column of 0 and 1 for every category."""
        numeric = self.frame.drop(columns=list(self.nominal)).to_numpy(dtype=np.float64)
        return np.hstack([numeric, *(_one_hot(self.frame[name]) for name in self.nominal)])


class Promise(NamedTuple):
    """What the name of a file says it holds.

    >>> Promise.of("pima768(8_0_0)2.csv")
    Promise(name='pima', rows=768, columns=8, classes=2)
    >>> Promise.of("notes.csv") is None
    True
    """

    name: str
    rows: int
    columns: int
    classes: int

    @classmethod
    def of(cls, file_name: str) -> Promise | None:
        """Read a file name; None if it is not of this form."""
        match = FILE_NAME.fullmatch(file_name)
        if match is None:
            return None
        kinds = [int(count) for count in match["kinds"].split("_")]
        return cls(match["name"], int(match["rows"]), sum(kinds), int(match["classes"]))


def find(folder: str | Path) -> dict[str, Path]:
    """The data files of a folder by the names of their data sets."""
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder {folder}; give the folder that holds the data sets as CSV files")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        promise = Promise.of(path.name)
        if promise is None:
            continue
        if promise.name in found:
            raise ValueError(
                f"{folder} holds two files of {promise.name!r}, {found[promise.name].name} and {path.name}; keep one"
            )
        found[promise.name] = path
    return found


def load(folder: str | Path, names: tuple[str, ...] | None = None) -> list[DataSet]:
    """Read data sets; ``balance`` is made if its file is missing.

    Parameters
    ----------
    folder : path
    names : tuple of str, optional
        Which ones, in this order. By default the 18 of the paper, and those of :data:`APART` that are there.
    """
    found = find(folder)
    if names is None:
        names = (*PAPER, *(name for name in APART if name in found))
    missing = [name for name in names if name not in found and name != "balance"]
    if missing:
        files = ", ".join(FILES.get(name, f"{name}*.csv") for name in missing)
        raise FileNotFoundError(
            f"{len(missing)} of {len(names)} data sets are missing in {folder}: {files}; put the files there, or "
            "download them with --download"
        )
    return [read(found[name]) if name in found else balance() for name in names]


def read(path: str | Path) -> DataSet:
    """Read one file."""
    pandas = needed("pandas")
    path = Path(path)
    promise = Promise.of(path.name)
    if promise is None:
        raise ValueError(f"{path.name} does not name its contents; expected a name such as {FILES['pima']}")
    # Nothing stands for a missing value in these files: "None" and "NA" are categories like others.
    table = pandas.read_csv(path, keep_default_na=False)
    codes, labels = _codes(table.iloc[:, -1])
    held = (len(table), table.shape[1] - 1, len(labels))
    for count, expected, what in zip(held, promise[1:], ("rows", "columns", "classes"), strict=True):
        if count != expected:
            raise ValueError(
                f"{path} holds {count} {what}, but its name says {expected}; it has been cut or edited, so copy or "
                "download it again"
            )
    return DataSet(promise.name, _typed(table.iloc[:, :-1], path), codes, labels)


def balance() -> DataSet:
    """The balance scale data set, equal to its file row by row: it is a formula.

    A beam has a weight on either arm, weights and distances between 1 and 5; it tips to the left (L), to the right (R)
    or balances (B). Every combination stands there once.

    >>> scale = balance()
    >>> len(scale.y), scale.labels, np.bincount(scale.y)
    (625, ('B', 'L', 'R'), array([ 49, 288, 288]))
    """
    pandas = needed("pandas")
    rows = np.array(list(product(range(1, 6), repeat=4)), dtype=np.float64)
    rows = np.vstack([np.delete(rows, LAST, axis=0), rows[LAST]])
    torque = rows[:, 0] * rows[:, 1] - rows[:, 2] * rows[:, 3]
    names = ["Left-weight", "Left-distance", "Right-weight", "Right-distance"]
    frame = pandas.DataFrame(rows, columns=names)[sorted(names)]
    codes = np.where(torque > 0, 1, np.where(torque < 0, 2, 0))
    return DataSet("balance", frame, codes.astype(np.int64), ("B", "L", "R"))


def _typed(table: Any, path: Path) -> Any:
    """Numeric columns in alphabetical order of their headers, then nominal ones in theirs, without suffixes."""
    kinds = {header: HEADER.fullmatch(str(header).strip()) for header in table.columns}
    nominal = [header for header, match in kinds.items() if match is not None and match["kind"] == "N"]
    columns = {}
    for header in sorted(set(table.columns) - set(nominal)) + nominal:
        match = kinds[header]
        name = str(header).strip() if match is None else match["name"]
        if name in columns:
            raise ValueError(f"{path} holds two columns named {name!r}; expected different names")
        columns[name] = _categories(table[header]) if header in nominal else _numbers(table[header], path)
    return needed("pandas").DataFrame(columns)


def _numbers(column: Any, path: Path) -> Any:
    try:
        numbers = column.astype(np.float64)
    except ValueError as error:
        raise ValueError(f"column {column.name!r} of {path} is to hold numbers, but: {error}") from error
    if not np.isfinite(numbers).all():
        raise ValueError(f"column {column.name!r} of {path} holds missing or infinite numbers; expected finite ones")
    return numbers


def _categories(column: Any) -> Any:
    codes, labels = _codes(column)
    return needed("pandas").Categorical.from_codes(codes, categories=list(labels))


def _codes(column: Any) -> tuple[Ints, tuple[str, ...]]:
    """Numbers of the sorted values, and the values as text; numbers are sorted as numbers."""
    values: NDArray[Any] = column.to_numpy()
    if values.dtype.kind not in "iuf":
        values = values.astype(str)
    distinct, codes = np.unique(values, return_inverse=True)
    return codes.astype(np.int64), tuple(str(value) for value in distinct)


def _one_hot(column: Any) -> Floats:
    codes = column.cat.codes.to_numpy()
    return (codes[:, None] == np.arange(len(column.cat.categories))).astype(np.float64)
