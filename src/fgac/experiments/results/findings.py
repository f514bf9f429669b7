"""Everything that a report tells, read from the results of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fgac.experiments.claims import Conclusion, Evidence, conclusions
from fgac.experiments.results import ionosphere, published
from fgac.experiments.results.comparison import Agreement, Bar, Cell, agreements, bars, differences
from fgac.experiments.results.nn_study import Study, study_of
from fgac.experiments.results.published import Statement
from fgac.experiments.results.score_table import ScoreTable
from fgac.experiments.results.statistics import recompute
from fgac.experiments.results.tables import Scores, as_published, as_we_would, of_the_paper, read_lines, results_of

RESULTS, STUDY = "results.jsonl", "nnstudy.jsonl"


@dataclass(frozen=True)
class Origin:
    """Where results come from; a run that was taken up again can have several commits and versions."""

    n_results: int
    seconds: float
    largest_violation: float | None
    seeds: tuple[str, ...]
    commits: tuple[str, ...]
    versions: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """A number of the text beside what the printed tables and our run give."""

    statement: Statement
    printed: float
    ours: float


@dataclass(frozen=True)
class Findings:
    """All of it. ``tables`` hold every data set, also those that take part in no test."""

    origin: Origin
    scores: Scores
    tables: dict[str, ScoreTable]
    nested: ScoreTable
    study: Study | None
    bars: list[Bar]
    agreements: list[Agreement]
    differences: list[Cell]
    statements: list[Checked]
    conclusions: list[Conclusion]

    @property
    def complete(self) -> bool:
        """Whether every cell of every table of the paper has a score of ours."""
        printed = published.tables()
        return all(
            (row, column) in self.tables[name]
            for name, table in printed.items()
            for row in published.PAPER
            for column in table.columns
        )


def findings(out: str | Path) -> Findings:
    """Read a folder of results and draw conclusions."""
    out = Path(out)
    records = read_lines(out / RESULTS)
    if not records:
        raise FileNotFoundError(f"{out / RESULTS} is missing or empty; run the experiments first: fgac reproduce")
    scores = Scores(results_of(records))
    tables, nested = as_published(scores), as_we_would(scores)
    lines = [line for line in read_lines(out / STUDY) if line["dataset"] in published.PAPER]
    ours = of_the_paper(tables)
    evidence = Evidence(ours, nested.only(published.PAPER), scores, study_of(lines), ionosphere.read(out))
    return Findings(
        origin=_origin(records),
        scores=scores,
        tables=tables,
        nested=nested,
        study=evidence.study,
        bars=bars(tables),
        agreements=agreements(tables),
        differences=differences(tables),
        statements=[Checked(s, recompute(s, evidence.printed), recompute(s, ours)) for s in published.statements()],
        conclusions=conclusions(evidence),
    )


def _origin(records: list[dict[str, Any]]) -> Origin:
    violations = [record["violation"] for record in records if record.get("violation") is not None]

    def distinct(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_told(record.get(name)) for record in records if record.get(name)))

    return Origin(
        n_results=len(records),
        seconds=sum(record.get("seconds") or 0.0 for record in records),
        largest_violation=max(violations, default=None),
        seeds=distinct("seed"),
        commits=distinct("commit"),
        versions=distinct("versions"),
    )


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {version}" for name, version in value.items())
    return str(value)
