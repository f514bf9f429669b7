"""``fgac fit``: train a model on a table and write it to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fgac.cli import options as o

if TYPE_CHECKING:
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.model_files import Model
    from fgac.solve import Solution


def fit(
    data: o.Data,
    target: o.Target,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Model file, model.fgac for example.")],
    numbers: o.Numbers = False,
    order: o.Order = None,
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
    interval: o.Interval = None,
    ids_only: Annotated[
        bool,
        typer.Option("--ids-only", help="Keep ids and scaled values of the training rows, not the values as given."),
    ] = False,
    n_jobs: o.Jobs = -1,
    quiet: o.Quiet = False,
) -> None:
    """Train on a table and write the model to a file; with --quiet, say nothing but errors and warnings.

    Columns of numbers are taken as numeric, all others as names; what was found is shown first. Numbers that stand for
    categories must be named with --nominal. The target holds classes, unless --numbers or --order says otherwise. The
    model file contains the training rows.
    """
    from fgac.cli.console import output_console, show_columns
    from fgac.cli.io.reading import read_table
    from fgac.cli.io.training_table import Roles, training_table
    from fgac.cli.io.writing import check_output
    from fgac.cli.model_files import store
    from fgac.cli.settings import Directions, Settings, learn

    check_output(output, (), data)
    roles = Roles(target, id, weight, nominal or (), numeric or (), drop or (), drop_missing, missing, numbers)
    directions = Directions(increasing or (), decreasing or ())
    weighing = (class_weight, n_jobs, directions, learn_weights)
    settings = Settings(gamma, loss, metric, scale, *weighing, numbers, order or (), interval)
    table = training_table(read_table(data, roles.missing), roles)
    show_columns(table, quiet=quiet)
    model, how = learn(table, settings, quiet=quiet)
    store(model, output, roles, values=not ids_only)
    if quiet:
        return
    console = output_console()
    console.print(f"Model written to {output}", soft_wrap=True)
    console.print(summary(model, table, how))


def summary(model: Model, table: TrainingTable, how: str) -> object:
    """What was trained, as lines."""
    from fgac.cli.console import key_value_table
    from fgac.cli.errors import pluralize
    from fgac.cli.model_files import predicts_numbers

    numbers = predicts_numbers(model)
    return key_value_table(
        rows=f"{len(table.y)} in {pluralize(len(table.columns), 'column')}, {len(table.nominal)} of them nominal",
        classes="" if numbers else _classes(model, table),
        numbers=f"{table.y.min():g} to {table.y.max():g}" if numbers else "",
        gamma=f"{model.gamma:g}, {how}",
        interval=_interval(model) if numbers else "",
        monotone=_directions(model),
        weights=_weights(model),
        optimal=_proof(model),
        note="The file contains the training rows; give it only to those who may see them.",
    )


def _classes(model: Any, table: TrainingTable) -> str:
    """The classes and how many rows they have, from the lowest to the highest if they have an order."""
    from fgac.cli.model_files import predicts_order

    sizes = [f"{label} ({int((table.y == label).sum())})" for label in model.classes_]
    between = " < " if predicts_order(model) else ", "
    return between.join(sizes[:12]) + (f" and {len(sizes) - 12} more" if len(sizes) > 12 else "")


def _interval(model: Any) -> str:
    """What the interval is to hold, and what held-out rows did to it."""
    if model.interval is None:
        return ""
    margin = model.interval_margin_
    changed = f"{'widened' if margin >= 0 else 'narrowed'} by {abs(margin):.4g} on both sides"
    return f"meant to hold {100 * model.interval:g} % of new values: {changed}, found on rows held out"


def _proof(model: Model) -> str:
    """Whether every problem that was solved is proved to be, and by what."""
    from fgac.cli.console import at_most

    solutions = solutions_of(model)
    violation = max(solution.largest_violation for solution in solutions)
    gap = max((solution.duality_gap for solution in solutions), key=abs)
    proof = "proved" if all(solution.is_optimal() for solution in solutions) else "NOT proved"
    return f"{proof}: largest violation {at_most(violation)}, duality gap {at_most(gap)}"


def solutions_of(model: Any) -> tuple[Solution, ...]:
    """The problems that were solved: one per boundary between ordered classes, and those of an interval."""
    from fgac.cli.model_files import predicts_order

    if predicts_order(model):
        return model.solutions_
    return (model.solution_, *getattr(model, "interval_solutions_", ()))


def _directions(model: Model) -> str:
    """Which columns speak for the second class: "more of 'income' and less of 'debt' speak for paid"."""
    from fgac.cli.model_files import predicts_numbers, predicts_order
    from fgac.estimators._state import state_of
    from fgac.text.words import listed, quoted

    words = {1: "more", -1: "less"}
    parts = [f"{words[c.direction]} of {quoted(c.name)}" for c in state_of(model).table.columns if c.direction]
    if not parts:
        return ""
    if predicts_numbers(model):
        return f"only {listed(parts)} can raise the prediction, never the opposite"
    higher = "a higher class" if predicts_order(model) else model.classes_[-1]
    return f"only {listed(parts)} can speak for {higher}, never the opposite"


def _weights(model: Model) -> str:
    """How much columns count, if not all the same."""
    from fgac.estimators._state import state_of

    if model.feature_weights is None:
        return ""
    columns = sorted(state_of(model).table.columns, key=lambda column: -column.weight)
    return ", ".join(f"{column.name} {column.weight:.2g}" for column in columns)
