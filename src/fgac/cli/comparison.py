"""Another model to compare with: read from its file, with the columns of the table that it looks at."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from fgac.cli.io.reading import RawTable
    from fgac.cli.io.roles import Roles
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.model_files import StoredModel
    from fgac.cli.settings import Settings

# What kinds of models predict.
PREDICTS = {"Classification": "classes", "Ordinal": "ordered classes", "Regression": "numbers"}
# What the two are called in sentences.
OURS, THEIRS = "the model with these settings", "the one of {}"


def read_other(path: str, target: str, settings: Settings) -> StoredModel:
    """The model to compare with, if it is one of the same kind and target."""
    from fgac.cli.model_files import read_model

    stored = read_model(path)
    if stored.kind is not settings.kind:
        raise UsageError(
            f"--against {path}: this model predicts {PREDICTS[type(stored.kind).__name__]}, and the options ask for "
            f"{PREDICTS[type(settings.kind).__name__]}; expected the same: use --numbers for numbers, --order for "
            "ordered classes, and neither for classes"
        )
    if stored.target is not None and stored.target != target:
        raise UsageError(
            f"--against {path}: this model predicts {stored.target!r}, and --target is {target!r}; expected the same"
        )
    if stored.feature_names is None:
        raise UsageError(
            f"--against {path}: this model was trained without names of columns; fit it to a table that has"
        )
    return stored


def other_table(raw: RawTable, stored: StoredModel, path: str, table: TrainingTable, roles: Roles) -> TrainingTable:
    """The same rows with the columns of another model, read as it was trained."""
    from fgac.cli.io.training_table import training_table

    names = stored.feature_names or []
    absent = [name for name in names if name not in raw.names]
    if absent:
        raise CommandError(
            f"--against {path}: the table lacks {', '.join(map(repr, absent[:5]))}, which this model compares; give a "
            "table that has the columns of both models"
        )
    other = training_table(raw, _roles(stored, raw.names, roles), stored.kind)
    if other.ids != table.ids or len(other.y) != len(table.y):
        raise CommandError(
            f"--against {path}: with --drop-missing {len(table.y)} rows are left for one model and {len(other.y)} for "
            "the other, so that they cannot be compared; leave --drop-missing out"
        )
    return other


def _roles(stored: StoredModel, names: list[str], roles: Roles) -> Roles:
    """What the columns are for the other model: as they were when it was trained."""
    from fgac.tables.value_kinds import DATES

    assert stored.state.table is not None  # of models with names of columns
    columns, forms = stored.state.table.columns, stored.date_forms
    nominal = [column.name for column in columns if column.is_categorical]
    dates = [column.name for column in columns if column.kind in DATES]
    written = [f"{name}={forms[name]}" if "%" in forms.get(name, "") else name for name in dates]
    numeric = [column.name for column in columns if column.name not in (*nominal, *dates)]
    apart = roles.no_features | {column.name for column in columns}
    drop = [name for name in names if name not in apart]
    return replace(roles, nominal=nominal, numeric=numeric, date=written, keep=(), drop=drop)


def estimator_of(stored: StoredModel) -> Any:
    """The fitted model, from which its settings are taken."""
    from fgac.estimators._plain import plain_estimator

    return plain_estimator(stored.state)


def difference_table(comparison: Any, path: str) -> Table:
    """Both models and by how much the first is better, score by score."""
    from fgac.cli.console import plain_table
    from fgac.cli.evaluation_tables import four_digits, interval_cells
    from fgac.cli.io.sources import short_name

    heads = ("score", "these settings", short_name(path), "better by", "95 % interval")
    table = plain_table(*heads, right=heads[1:])
    for one in comparison.differences:
        size = max(abs(one.model.mean), abs(one.other.mean))
        form = four_digits(size) if one.score == "mean absolute error" else ".3f"
        cells = (interval_cells(each, form)[0] for each in (one.model, one.other))
        table.add_row(one.score, *cells, *interval_cells(one.lead, f"+{form}"))
    return table
