"""``fgac predict``: classes and degrees of membership of the rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fgac.cli import options as o

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fgac import FGAClassifier
    from fgac.cli.newrows import NewRows
    from fgac.membership import Memberships

SUFFIXES = (".csv", ".json", ".parquet")


def predict(
    model: o.Model,
    data: o.Data,
    output: o.Output = None,
    id: o.Id = None,
    drop_missing: o.DropMissing = False,
    missing: o.Missing = None,
    quiet: o.Quiet = False,
) -> None:
    """Predict the classes of the rows of a table.

    Gives for every row its id (or number, from 1), the predicted class, the degree of membership in it with its lower
    and upper bound, the margin to the next class, whether it is a guess because the row resembles no training row,
    and the degree in every class. CSV on standard output, or a .csv,
    .json or .parquet file. CSV tells degrees to 6 decimals, the others in full.
    """
    from fgac.cli.failure import counted
    from fgac.cli.models import load, markers
    from fgac.cli.newrows import new_rows
    from fgac.cli.reading import read_table
    from fgac.cli.screen import note, note_left_out
    from fgac.cli.writing import check_output, write_records

    check_output(output, SUFFIXES, data, model)
    clf, notes = load(model)
    rows = new_rows(
        read_table(data, markers(missing, notes)), clf, notes, id=id, drop_missing=drop_missing, quiet=quiet
    )
    note_left_out(rows.n_left_out, quiet=quiet)
    found = predictions(clf, rows)
    write_records(found, output)
    warn_of_guesses(sum(record["guess"] for record in found), len(found))
    if output is not None:
        note(f"Predicted {counted(len(rows), 'row')}: {output}", quiet=quiet)


def predictions(clf: FGAClassifier, rows: NewRows) -> list[dict[str, Any]]:
    """One record per row."""
    import numpy as np

    predicted = clf.predict(rows.X)
    memberships = clf.memberships(rows.X)
    k = np.searchsorted(clf.classes_, predicted)
    each = np.arange(len(k))
    degree = memberships.degree[each, k]
    others = memberships.degree.copy()
    others[each, k] = -np.inf
    margin = degree - others.max(axis=1) if len(clf.classes_) > 1 else np.ones(len(k))
    columns = {
        "id": rows.ids,
        "prediction": predicted.tolist(),
        "degree": degree.tolist(),
        "lower": memberships.lower[each, k].tolist(),
        "upper": memberships.upper[each, k].tolist(),
        "margin": margin.tolist(),
        "guess": guesses(memberships).tolist(),
        **{f"degree_{label}": memberships.degree[:, c].tolist() for c, label in enumerate(clf.classes_.tolist())},
    }
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def guesses(memberships: Memberships) -> NDArray[np.bool_]:
    """Which rows no training row resembles, so that every class may be theirs: bounds 0 and 1."""
    from fgac.explain import SILENT

    return (memberships.lower.max(axis=1) <= SILENT) & (memberships.upper.min(axis=1) >= 1.0 - SILENT)


def warn_of_guesses(n: int, n_rows: int) -> None:
    """Say how many predictions are guesses, if any are."""
    from fgac.cli.failure import counted, warn

    if n:
        resemble, are = (
            ("resembles", "its prediction is a guess") if n == 1 else ("resemble", "their predictions are guesses")
        )
        warn(f"{n} of {counted(n_rows, 'row')} {resemble} no training row: {are} (column guess)")
