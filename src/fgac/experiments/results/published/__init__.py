"""What the paper prints: its four tables of balanced accuracy, and the p-values and average ranks in its text.

The numbers are facts taken from

    Marko Palangetić, Chris Cornelis, Salvatore Greco, Roman Słowiński:
    Fuzzy granular approximation classifier. Preprint, arxiv.org.

They are kept as printed, also where they do not agree with each other.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fgac.experiments.results.score_table import ScoreTable, parse

CITATION = (
    "Marko Palangetić, Chris Cornelis, Salvatore Greco, Roman Słowiński: Fuzzy granular approximation classifier. "
    "Preprint, arxiv.org."
)

# Each table: which columns it has and where the paper prints it.
TABLES = {
    "nn": "12 versions of FGAC: loss, similarity, part of the constraints (Section 6.2)",
    "owa": "12 versions of FGAC with OWA operators: loss, similarity, weights (Section 6.2)",
    "models": "FGAC and four other methods (Section 6.3)",
    "transparent": "FGAC and nearest neighbours with few neighbours (Section 7.3)",
}

# The data sets that the paper describes, in the order of its tables; its tests are about these.
PAPER = (
    "australian",
    "breast",
    "crx",
    "german",
    "saheart",
    "ionosphere",
    "mammographic",
    "pima",
    "wisconsin",
    "vowel",
    "wdbc",
    "balance",
    "glass",
    "cleveland",
    "bupa",
    "haberman",
    "heart",
    "spectfheart",
)


# Also in some of its tables.
APART = ("iris", "flare")


@dataclass(frozen=True)
class Statement:
    """A number in the text of the paper that follows from its tables.

    Attributes
    ----------
    name, section : str
    kind : {"wilcoxon", "friedman", "rank", "holm"}
        p-value of Wilcoxon's or Friedman's test, an average rank, or the largest p-value of the Holm procedure.
    subject : str
        The column that is ranked, or set against the others; empty for Friedman's test, which has none.
    columns : tuple of str
        The columns compared (for a rank: subject included), as ``table.column``.
    stated : float
    form : str
        How exactly it is stated: the number of decimals, ``e`` and the number of decimals of the mantissa, or ``order``
        for an order of magnitude.
    """

    name: str
    section: str
    kind: str
    subject: str
    columns: tuple[str, ...]
    stated: float
    form: str

    def agrees(self, value: float) -> bool:
        """Whether a number would be printed as the one stated.

        >>> statement = Statement("p", "6.3", "wilcoxon", "models.fgac", ("models.knn",), 0.246, "3")
        >>> statement.agrees(0.24614), statement.agrees(0.2466)
        (True, False)
        """
        return self.rounded(value) == self.rounded(self.stated)

    def rounded(self, value: float) -> str:
        """A number in the form of this statement.

        >>> Statement("p", "6.2", "friedman", "", (), 1e-5, "order").rounded(2.96e-5)
        'order 1e-05'
        """
        if value != value:
            return "–"
        if self.form == "order":
            return f"order 1e{f'{value:e}'.split('e')[1]}"
        return f"{value:.{self.form[1:]}e}" if self.form.startswith("e") else f"{value:.{self.form}f}"


@cache
def tables() -> dict[str, ScoreTable]:
    """The four tables as printed.

    >>> tables()["models"]["pima", "fgac"]
    0.736
    >>> [len(table.rows) for table in tables().values()]
    [19, 20, 18, 18]
    """
    return {name: parse(name, _text(f"{name}.csv")) for name in TABLES}


@cache
def statements() -> tuple[Statement, ...]:
    """The p-values and ranks in the text.

    >>> next(s for s in statements() if s.name == "transparent_best").stated
    0.034
    """
    return tuple(
        Statement(
            name=line["name"],
            section=line["section"],
            kind=line["kind"],
            subject=line["subject"],
            columns=tuple(line["columns"].split()),
            stated=float(line["stated"]),
            form=line["form"],
        )
        for line in csv.DictReader(io.StringIO(_text("statements.csv")))
    )


def statement(name: str) -> Statement:
    """The statement of this name."""
    return next(found for found in statements() if found.name == name)


def _text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
