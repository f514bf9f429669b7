"""Audits as ``fgac audit`` shows and writes them: doubted training rows, and the rows that contradict them."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from fgac.cli.io.writing import CSV_DECIMALS, CsvStyle, write_records, write_string

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from fgac.cli.explanation_tables import Record
    from fgac.explanation.base import ValueList


# Contradicting rows that a table on the screen names; of the others it gives the number.
N_OPPONENTS = 3
# The longest name of a row that is shown as it is.
ID_WIDTH = 23


Found = TypeVar("Found", bound="ValueList[Any]")


@dataclass(frozen=True)
class AuditTable(ABC, Generic[Found]):
    """The result of an audit in every form that a file, or the screen, may ask for."""

    found: Found

    csv_decimals: ClassVar[int | None] = CSV_DECIMALS

    @abstractmethod
    def count(self) -> str:
        """How many rows were audited, and how many of them are doubted."""

    @property
    def n_doubted(self) -> int:
        """How many doubted rows are listed."""
        return len(self.found)

    def json(self) -> str:
        """The whole audit as JSON."""
        return self.found.to_json()

    @abstractmethod
    def records(self) -> list[Record]:
        """One record per doubted row."""

    @abstractmethod
    def show(self) -> list[RenderableType]:
        """What is printed on the screen, part after part."""

    def write_html(self, path: Path) -> None:
        """Write a page for the browser; only some kinds of models have one."""
        raise NotImplementedError


def write_audit(audit: AuditTable[Any], output: Path | None, form: str, *, spreadsheet_safe: bool) -> None:
    """Write an audit in the form that the output asks for."""
    from fgac.cli.console import output_console
    from fgac.cli.json_output import print_json

    if output is None and form == ".json":
        print_json(json.loads(audit.json()))
    elif output is None:
        output_console().print(*audit.show(), sep="\n")
    elif form == ".html":
        audit.write_html(output)
    elif form == ".json":
        write_string(audit.json(), output)
    elif form in (".csv", ".parquet"):
        write_records(audit.records(), output, form, CsvStyle(audit.csv_decimals, spreadsheet_safe))
    else:
        write_string(audit.found.text() + "\n", output)


def joined_ids(opponents: Sequence[Any]) -> str:
    """The ids of all contradicting rows, for a cell of a file."""
    return "; ".join(str(opponent.id) for opponent in opponents)


def shortened_ids(opponents: Sequence[Any]) -> str:
    """The ids of the first contradicting rows, for a cell on the screen, and how many more there are."""
    ids = [short_id(opponent.id) for opponent in opponents]
    more = f" and {len(ids) - N_OPPONENTS} more" if len(ids) > N_OPPONENTS else ""
    return ", ".join(ids[:N_OPPONENTS]) + more


def short_id(name: Any) -> str:
    """What a row is called, for a cell on the screen: of a very long name its beginning and its end.

    >>> short_id("H40"), short_id("customer 2024-03-17 branch 0042")
    ('H40', 'customer 20…branch 0042')
    """
    text = str(name)
    half = ID_WIDTH // 2
    return text if len(text) <= ID_WIDTH else f"{text[:half]}…{text[-half:]}"


def most(n: int, adjective: str) -> str:
    """The rows that are listed, in words.

    >>> most(1, "doubted"), most(3, "doubted")
    ('the most doubted', 'the 3 most doubted')
    """
    return f"the {n} most {adjective}" if n > 1 else f"the most {adjective}"
