"""``fgac fit``: train a classifier on a table and write it to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fgac.cli import options as o

if TYPE_CHECKING:
    from fgac import FGAClassifier
    from fgac.cli.training import TrainingTable


def fit(
    data: o.Data,
    target: o.Target,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Model file, model.fgac for example.")],
    id: o.Id = None,
    weight: o.Weight = None,
    nominal: o.Nominal = None,
    numeric: o.Numeric = None,
    drop: o.Drop = None,
    drop_missing: o.DropMissing = False,
    missing: o.Missing = None,
    gamma: o.Gamma = None,
    loss: o.LossOption = o.Loss.squared_error,
    metric: o.MetricOption = o.Metric.euclidean,
    scale: o.ScaleOption = o.Scale.range,
    class_weight: o.ClassWeightOption = o.ClassWeight.none,
    increasing: o.Increasing = None,
    decreasing: o.Decreasing = None,
    learn_weights: o.LearnWeights = False,
    ids_only: Annotated[
        bool,
        typer.Option("--ids-only", help="Keep ids and scaled values of the training rows, not the values as given."),
    ] = False,
    n_jobs: o.Jobs = -1,
    quiet: o.Quiet = False,
) -> None:
    """Train on a table and write the model to a file; with --quiet, say nothing but errors and warnings.

    Columns of numbers are taken as numeric, all others as names; what was found is shown first. Numbers that stand for
    categories must be named with --nominal. The model file contains the training rows.
    """
    from fgac.cli.learning import Directions, Settings, learn
    from fgac.cli.models import store
    from fgac.cli.reading import read_table
    from fgac.cli.screen import output as screen
    from fgac.cli.screen import show_columns
    from fgac.cli.training import Roles, training_table
    from fgac.cli.writing import check_output

    check_output(output, (), data)
    roles = Roles(target, id, weight, nominal or (), numeric or (), drop or (), drop_missing, missing)
    table = training_table(read_table(data, roles.missing), roles)
    show_columns(table, quiet=quiet)
    directions = Directions(increasing or (), decreasing or ())
    settings = Settings(gamma, loss, metric, scale, class_weight, n_jobs, directions, learn_weights)
    clf, how = learn(table, settings, quiet=quiet)
    store(clf, output, roles, values=not ids_only)
    if quiet:
        return
    console = screen()
    console.print(f"Model written to {output}", soft_wrap=True)
    console.print(summary(clf, table, how))


def summary(clf: FGAClassifier, table: TrainingTable, how: str) -> object:
    """What was trained, as lines."""
    from fgac.cli.failure import counted
    from fgac.cli.screen import at_most, facts

    solution = clf.solution_
    sizes = [f"{label} ({int((table.y == label).sum())})" for label in clf.classes_]
    proof = "proved" if solution.is_optimal() else "NOT proved"
    return facts(
        rows=f"{len(table.y)} in {counted(len(table.columns), 'column')}, {len(table.nominal)} of them nominal",
        classes=", ".join(sizes[:12]) + (f" and {len(sizes) - 12} more" if len(sizes) > 12 else ""),
        gamma=f"{clf.gamma:g}, {how}",
        monotone=_directions(clf),
        weights=_weights(clf),
        optimal=f"{proof}: largest violation {at_most(solution.largest_violation)}, "
        f"duality gap {at_most(solution.duality_gap)}",
        note="The file contains the training rows; give it only to those who may see them.",
    )


def _directions(clf: FGAClassifier) -> str:
    """Which columns speak for the second class: "more of 'income' and less of 'debt' speak for paid"."""
    from fgac.language.words import listed, quoted

    words = {1: "more", -1: "less"}
    parts = [f"{words[c.direction]} of {quoted(c.name)}" for c in clf._table.columns if c.direction]
    return f"only {listed(parts)} can speak for {clf.classes_[-1]}, never the opposite" if parts else ""


def _weights(clf: FGAClassifier) -> str:
    """How much columns count, if not all the same."""
    if clf.feature_weights is None:
        return ""
    columns = sorted(clf._table.columns, key=lambda column: -column.weight)
    return ", ".join(f"{column.name} {column.weight:.2g}" for column in columns)
