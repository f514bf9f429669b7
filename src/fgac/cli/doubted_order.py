"""Training rows whose ordered classes others contradict: an audit of every boundary between classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fgac.cli.io.writing import json_text, write_records, write_string
from fgac.explainers.audit import audit as suspects_of
from fgac.explanation.audit import Audit

if TYPE_CHECKING:
    from fgac import FGAOrdinalClassifier


Audits = dict[str, Audit]


def audits_of(clf: FGAOrdinalClassifier, n_rows: int, by: str) -> Audits:
    """The audit of every boundary, by what lies above it."""
    return {str(each.classes_[1]): suspects_of(each, n_rows=n_rows, by=by) for each in clf.boundaries_}


def write(found: Audits, output: Path | None) -> None:
    """Write the suspects at every boundary in the form that the output asks for."""
    from fgac.cli.commands.audit import records, render
    from fgac.cli.console import output_console

    suffix = "" if output is None else output.suffix.lower()
    if output is None:
        console = output_console()
        for n, (above, audit) in enumerate(found.items()):
            console.print(*([""] if n else []), f"Is it {above}?", render(audit), sep="\n")
    elif suffix == ".json":
        parts = [{"boundary": above, **audit.to_dict()} for above, audit in found.items()]
        write_string(json_text({"boundaries": parts}), output)
    elif suffix == ".txt":
        write_string("\n\n".join(f"Is it {above}?\n{audit.text()}" for above, audit in found.items()) + "\n", output)
    else:
        rows: list[dict[str, Any]] = [
            {"boundary": above, **row} for above, audit in found.items() for row in records(audit)
        ]
        write_records(rows, output)
