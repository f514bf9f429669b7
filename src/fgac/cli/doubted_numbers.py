"""Training rows whose numbers others contradict, as ``fgac audit`` shows and writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fgac.cli.io.writing import write_records, write_string

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from fgac.explanation.audit import RegressionAudit


N_OPPONENTS = 3


def write(found: RegressionAudit, output: Path | None) -> None:
    """Write the contradicted rows in the form that the output asks for."""
    from fgac.cli.console import output_console

    suffix = "" if output is None else output.suffix.lower()
    if output is None:
        output_console().print(render(found))
    elif suffix == ".json":
        write_string(found.to_json(), output)
    elif suffix == ".txt":
        write_string(found.text() + "\n", output)
    else:
        write_records(records(found), output, decimals=None)


def records(found: RegressionAudit) -> list[dict[str, Any]]:
    """One record per contradicted row."""
    return [
        {
            "id": row.id,
            "target": row.target,
            "fitted": row.fitted,
            "size": row.size,
            "contradicted_by": "; ".join(str(other.id) for other in row.contradicted_by),
            "n_contradicting": len(row.contradicted_by),
        }
        for row in found
    ]


def render(found: RegressionAudit) -> RenderableType:
    """A table of the contradicted rows, then what is to be said about each."""
    from rich.console import Group

    from fgac.cli.console import plain_table

    if not len(found):
        return f"No number is contradicted: all {found.n_rows} rows have the values that were observed."
    numbers = ("observed", "taken as", "share of range")
    table = plain_table("row", *numbers, "contradicted by", right=numbers)
    for row in found:
        ids = [str(other.id) for other in row.contradicted_by]
        more = f" and {len(ids) - N_OPPONENTS} more" if len(ids) > N_OPPONENTS else ""
        told = (f"{row.target:.6g}", f"{row.fitted:.6g}", f"{row.size:.3f}")
        table.add_row(str(row.id), *told, ", ".join(ids[:N_OPPONENTS]) + more)
    sentences = [part for row in found for part in ("", row.text())]
    most = f"the {len(found)} most contradicted" if len(found) > 1 else "the most contradicted"
    return Group(f"Doubted numbers: {most} of {found.n_rows} rows", "", table, *sentences)
