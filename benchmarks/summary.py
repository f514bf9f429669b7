"""Gather the bars of all results into the table of this folder's README, so that it cannot drift from them.

    python benchmarks/summary.py            # rewrite the table
    python benchmarks/summary.py --check    # exit with 1 if it is out of date

A result is a Markdown file in ``results`` with a title, a line of provenance and a table under ``## Bars``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from itertools import dropwhile, islice, takewhile
from pathlib import Path
from typing import NamedTuple

from report import HERE, RESULTS, markdown_table, publish

README = HERE / "README.md"
BEGIN, END = "<!-- bars: begin (written by summary.py) -->", "<!-- bars: end -->"
HEADER = ["question", "peer", "bar", "measured", "", "result"]


class Page(NamedTuple):
    """What a result answers, and against whom."""

    question: str
    peer: str


PAGES = {
    "fit": Page("What does an exact fit cost?", "PIQP, Clarabel; a pass over all distances"),
    "absolute": Page("And one with absolute error?", "HiGHS on the full linear programme"),
    "scale": Page("And one of 100 000 rows?", "two kinds of a pass over all distances; PIQP, Clarabel"),
    "large": Page("And one of very many rows?", "the version before"),
    "path": Page("What do all gammas together cost?", "one fit at gamma 0.5"),
    "selection": Page("What does choosing gamma cost?", "GridSearchCV; PIQP, Clarabel"),
    "learning": Page("And the learned distance?", "the same search with plain distances"),
    "predict": Page("What does a prediction cost?", "brute-force nearest neighbours of scikit-learn"),
    "predict_scale": Page("And one from 100 000 rows?", "nearest neighbours of scikit-learn; fuzzy-rough-learn"),
    "predict_many": Page("And one from 1 000 000 rows?", "nearest neighbours of scikit-learn"),
    "dask_scale": Page("What does a Dask cluster cost?", "the same fit in memory"),
    "accuracy": Page("How accurate is it?", "kFRNN, kNN, CART; random forest, boosting, RBF-SVM"),
    "transparent": Page("Among models that people can follow?", "EBM, FIGS, CART, logistic regression, kNN and others"),
    "tables": Page("And on real tables, untuned?", "boosting, random forest, EBM, kNN, logistic regression"),
    "calibration": Page("Do probabilities mean what they say?", "CalibratedClassifierCV of scikit-learn"),
    "missing": Page("What do missing cells cost?", "the same model behind median, kNN and iterative imputation"),
    "ordinal": Page("How far off are ordered classes?", "ordinal regression, random forest, rounded regressions"),
    "monotone": Page("And with monotone features?", "gradient boosting with the same constraints"),
    "regression": Page("How good are predicted numbers, untuned?", "EBM, boosting, random forest, kNN, ridge"),
    "nested_regression": Page("And tuned, or monotone?", "nearest neighbours, isotonic regression, random forest"),
    "audit": Page("How well does an audit find wrong labels?", "cleanlab; disagreement of neighbours"),
    "audit_numbers": Page("And wrong numbers?", "held-out residuals of random forest and boosting"),
    "counterfactuals": Page("What would change a prediction?", "DiCE, random and genetic"),
    "startup": Page("How long until the first fitted model?", "none"),
    "what_if": Page("Does a page say what Python says, and how fast?", "none"),
    "fuzz": Page("Is a proof ever false?", "recomputation in extended precision; Clarabel, HiGHS"),
    "model_files": Page("What do forged model files do?", "none"),
    "versions": Page("Is it as fast as before?", "the version before"),
}


class Result(NamedTuple):
    """One file of results: its bars (asked, measured, met or not), commit and whether the machine was busy."""

    name: str
    bars: list[list[str]]
    commit: str
    busy: bool


def read(path: Path) -> Result:
    """Read a result, or say what is wrong with it."""
    text = path.read_text(encoding="utf-8")
    commit = re.search(r"commit ([^\s,]+)", text)
    bars = list(table_rows(text.partition("\n## Bars\n")[2]))
    if commit is None or not bars:
        raise SystemExit(f"{path} has no commit or no table under '## Bars': run its script again")
    return Result(path.stem, bars, commit[1], "not quiet" in text)


def table_rows(text: str) -> Iterator[list[str]]:
    r"""Yield the cells of the body of the first Markdown table.

    >>> list(table_rows("\n| bar | measured |\n| --- | --- |\n| speed | 3 |\n\nmore | text"))
    [['speed', '3']]
    """
    lines = dropwhile(lambda line: not line.startswith("|"), text.splitlines())
    for line in islice(takewhile(lambda line: line.startswith("|"), lines), 2, None):
        yield [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def rows() -> Iterator[list[str]]:
    """Yield one line per bar, those of a result together, its question beside the first."""
    found = {path.stem: path for path in RESULTS.glob("*.md")}
    unknown = sorted(set(found) - set(PAGES))
    if unknown:
        raise SystemExit(f"results without a question: {', '.join(unknown)}; give each one in PAGES of {__file__}")
    for name, page in PAGES.items():
        if name not in found:
            yield [page.question, page.peer, "", "", "not run yet", f"`{name}.py`"]
            continue
        result = read(found[name])
        link = f"[{name}](results/{name}.md), {result.commit}{', **busy machine**' if result.busy else ''}"
        for i, (asked, measured, met) in enumerate(result.bars):
            heads = (page.question, page.peer, link) if i == 0 else ("", "", "")
            yield [heads[0], heads[1], asked, measured, met, heads[2]]


def summarised(readme: str) -> str:
    """Return the README with the table of today between its markers."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{README} lacks the lines {BEGIN!r} and {END!r} between which the table stands")
    return f"{before}{BEGIN}\n\n{markdown_table(HEADER, rows())}\n\n{END}{after}"


def main() -> None:
    """Rewrite or check the table."""
    parser = argparse.ArgumentParser(description="Gather all bars into the table of the README.")
    parser.add_argument("--check", action="store_true", help="write nothing, exit with 1 if the table is out of date")
    options = parser.parse_args()
    old = README.read_text(encoding="utf-8")
    new = summarised(old)
    if options.check and new != old:
        raise SystemExit("the table of benchmarks/README.md is out of date: run python benchmarks/summary.py")
    if not options.check:
        publish(new.rstrip("\n"), README)


if __name__ == "__main__":
    main()
