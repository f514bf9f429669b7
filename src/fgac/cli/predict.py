"""``fgac predict``: classes and degrees of membership of the rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fgac.cli import options as o

if TYPE_CHECKING:
    from fgac import FGAClassifier
    from fgac.cli.newrows import NewRows

SUFFIXES = (".csv", ".json", ".parquet")


def predict(
    model: o.Model,
    data: o.Data,
    output: o.Output = None,
    id: o.Id = None,
    drop_missing: o.DropMissing = False,
    quiet: o.Quiet = False,
) -> None:
    """Predict the classes of the rows of a table.

    Gives for every row its id (or number, from 1), the predicted class, the degree of membership in it with its lower
    and upper bound, the margin to the next class, and the degree in every class. CSV on standard output, or a .csv,
    .json or .parquet file. CSV tells degrees to 6 decimals, the others in full.
    """
    from fgac.cli.models import load
    from fgac.cli.newrows import new_rows
    from fgac.cli.reading import read_table
    from fgac.cli.screen import note, note_left_out
    from fgac.cli.writing import check_output, write_records

    check_output(output, SUFFIXES, data, model)
    clf, notes = load(model)
    rows = new_rows(read_table(data), clf, notes, id=id, drop_missing=drop_missing)
    note_left_out(rows.n_left_out, quiet=quiet)
    write_records(predictions(clf, rows), output)
    if output is not None:
        note(f"Predicted {len(rows)} rows: {output}", quiet=quiet)


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
        **{f"degree_{label}": memberships.degree[:, c].tolist() for c, label in enumerate(clf.classes_.tolist())},
    }
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
