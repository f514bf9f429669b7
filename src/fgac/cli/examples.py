"""Real lines for the help of every command; the tests run them in a folder with the tables that they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Example(NamedTuple):
    """One line as it is typed, and what it is for."""

    what: str
    line: str


EXAMPLES: dict[str, tuple[Example, ...]] = {
    "fit": (
        Example(
            "Classes, with a column that names the rows", "fgac fit loans.csv -t repaid --id customer -o loans.fgac"
        ),
        Example(
            "Numbers, with intervals for 9 of 10", "fgac fit rents.csv -t rent --numbers --interval 0.9 -o rents.fgac"
        ),
        Example("Classes with an order", "fgac fit grades.csv -t grade --order poor,fair,good -o grades.fgac"),
        Example("Faster, with a gamma of your own", "fgac fit loans.csv -t repaid --gamma 2 -o quick.fgac"),
        Example(
            "More months can only speak for 'yes'", "fgac fit loans.csv -t repaid --increasing months -o rising.fgac"
        ),
    ),
    "predict": (
        Example("CSV on standard output", "fgac predict loans.fgac new.csv"),
        Example("Into a file, by its suffix", "fgac predict loans.fgac new.csv -o predictions.parquet"),
        Example("Abstain where it is not sure enough", "fgac predict loans.fgac new.csv --min-confidence 0.8"),
        Example("JSON for machines", "fgac predict loans.fgac new.csv --json"),
        Example(
            "Into a table of a database", "fgac predict loans.fgac new.csv -o sqlite:///results.db --table predictions"
        ),
    ),
    "explain": (
        Example("The first rows, in words", "fgac explain loans.fgac new.csv"),
        Example("A report for the browser", "fgac explain loans.fgac new.csv -o report.html"),
        Example("Two rows, by their ids", "fgac explain loans.fgac new.csv --row C001,C002"),
        Example(
            "What would make it 'yes', months left alone",
            "fgac explain loans.fgac new.csv --target yes --fixed months,purpose",
        ),
        Example("The rows that were hardest to decide", "fgac explain loans.fgac new.csv --doubtful 3 --json"),
    ),
    "evaluate": (
        Example("Scores beside baselines", "fgac evaluate loans.csv -t repaid --id customer"),
        Example(
            "Faster: gamma given, every row held out once", "fgac evaluate loans.csv -t repaid --gamma 2 --repeats 1"
        ),
        Example("Numbers, as JSON", "fgac evaluate rents.csv -t rent --numbers --gamma 2 --json"),
        Example("Beside a model that there is", "fgac evaluate loans.csv -t repaid --gamma 1 --against loans.fgac"),
    ),
    "audit": (
        Example("Labels of a table that others contradict", "fgac audit loans.csv -t repaid --id customer"),
        Example("Those of the rows that a model was trained on", "fgac audit loans.fgac -n 5"),
        Example("All of them, for a spreadsheet", "fgac audit loans.fgac -n 1000 -o doubted.csv --spreadsheet-safe"),
        Example("Numbers that others contradict", "fgac audit rents.fgac --json"),
    ),
    "plot": (
        Example("Which pictures there are", "fgac plot --list"),
        Example("How much columns count", "fgac plot weights loans.fgac -o weights.png"),
        Example("Arguments about one row", "fgac plot argument loans.fgac new.csv --row C001 -o argument.svg"),
        Example("How sure predictions of rows are", "fgac plot membership loans.fgac new.csv -o sure.pdf"),
    ),
    "info": (
        Example("What is in a model file", "fgac info loans.fgac"),
        Example("The same for machines", "fgac info loans.fgac --json"),
    ),
    "demo": (
        Example("See it work, without data of your own", "fgac demo"),
        Example("The same for machines", "fgac demo --json"),
    ),
    "reproduce": (
        Example("The smallest data sets only", "fgac reproduce --data datasets --quick -o results"),
        Example("Everything, with data from the authors", "fgac reproduce --download -o results"),
        Example("The report of what is there", "fgac reproduce --report-only -o results"),
    ),
}


def examples_text(examples: Sequence[Example]) -> str:
    """Examples as the help shows them: what each is for, and the line, which is never broken.

    >>> examples_text([Example("What it is for", "fgac demo")]).splitlines()
    ['Examples:', '', '  What it is for:', '    fgac demo']
    """
    return "\n".join(["Examples:", "", *(f"  {what}:\n    {line}" for what, line in examples)])
