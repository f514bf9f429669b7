"""``fgac evaluate``: cross-validated scores beside baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fgac.cli import options as o

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fgac.cli.cross_validation import Evaluation, Interval

METHOD = "95 % intervals: corrected resampled t (Nadeau and Bengio), since training parts overlap."
N_CLASSES_SHOWN = 30


def evaluate(
    data: o.Data,
    target: o.Target,
    output: o.Output = None,
    json: Annotated[bool, typer.Option("--json", help="JSON on standard output instead of tables.")] = False,
    folds: Annotated[int, typer.Option("--folds", min=2, metavar="NUMBER", help="Parts of the data.")] = 5,
    repeats: Annotated[int, typer.Option("--repeats", min=1, metavar="NUMBER", help="Times with other parts.")] = 2,
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
    n_jobs: o.Jobs = -1,
    quiet: o.Quiet = False,
) -> None:
    """Estimate how well the classifier does on rows it has not seen.

    Repeated stratified cross-validation. Unless --gamma is given, gamma is chosen anew inside every training part, as
    'fgac fit' would, so no test row has a say in it. Beside it: always saying the largest class, and 5 nearest
    neighbours with the same distances and parts. Tables on standard output, or JSON (--json, or a .json file).
    """
    from fgac.cli.cross_validation import cross_validate
    from fgac.cli.learning import Directions, Settings
    from fgac.cli.reading import read_table
    from fgac.cli.screen import note, progress, show_columns
    from fgac.cli.screen import output as screen
    from fgac.cli.training import Roles, training_table
    from fgac.cli.writing import check_output, json_text, write_string
    from fgac.plain import to_plain

    check_output(output, (".json",), data)
    roles = Roles(target, id, weight, nominal or (), numeric or (), drop or (), drop_missing, missing)
    table = training_table(read_table(data, roles.missing), roles)
    show_columns(table, quiet=quiet)
    directions = Directions(increasing or (), decreasing or ())
    estimator = Settings(gamma, loss, metric, scale, class_weight, n_jobs, directions, learn_weights).estimator(table)
    with progress("cross-validating", quiet=quiet) as tell:
        found = cross_validate(
            estimator,
            table.X,
            table.y,
            gamma=gamma,
            n_folds=folds,
            n_repeats=repeats,
            sample_weight=table.weights,
            progress=tell,
        )
    if found.n_folds < folds:
        note(f"{found.n_folds} folds instead of {folds}: the smallest class has no more rows.", quiet=quiet)
    if output is not None or json:
        write_string(json_text(to_plain(found)), output)
    if not json:
        screen().print(render(found, gamma))


def render(found: Evaluation, gamma: float | None) -> RenderableType:
    """Lay the scores out."""
    from rich.console import Group

    from fgac.cli.screen import plain_table

    scores = plain_table("balanced accuracy", "mean", "95 % interval", right=("mean", "95 % interval"))
    scores.add_row("fuzzy granular approximation (FGAC)", *_cells(found.fgac.balanced_accuracy))
    scores.add_row("5 nearest neighbours, same distances", *_cells(found.neighbours.balanced_accuracy))
    scores.add_row("always the largest class", f"{found.majority:.3f}", "")
    scores.add_row("FGAC minus 5 nearest neighbours", *_cells(found.lead, "+.3f"))
    recalls = plain_table("recall in class", "rows", "FGAC", "5 neighbours", right=("rows", "FGAC", "5 neighbours"))
    both = zip(found.classes, found.class_sizes, found.fgac.recalls, found.neighbours.recalls, strict=True)
    for label, size, ours, theirs in list(both)[:N_CLASSES_SHOWN]:
        recalls.add_row(str(label), str(size), f"{ours:.3f}", f"{theirs:.3f}")
    if len(found.classes) > N_CLASSES_SHOWN:
        recalls.add_row(f"and {len(found.classes) - N_CLASSES_SHOWN} more", "", "", "")
    accuracies = (found.fgac.accuracy.mean, found.neighbours.accuracy.mean)
    recalls.add_row("all (accuracy)", str(found.n_rows), *(f"{value:.3f}" for value in accuracies))
    return Group(scores, "", recalls, "", _how(found, gamma), METHOD)


def _cells(interval: Interval, form: str = ".3f") -> tuple[str, str]:
    # Adding 0 after rounding makes -0.000 a plain zero.
    mean, low, high = (f"{round(x, 3) + 0.0:{form}}" for x in (interval.mean, interval.low, interval.high))
    return mean, f"{low} to {high}"


def _how(found: Evaluation, gamma: float | None) -> str:
    times = f" {found.n_repeats} times" if found.n_repeats > 1 else ""
    how = f"{found.n_folds}-fold cross-validation{times}, {found.n_rows} rows; gamma "
    if gamma is not None:
        return f"{how}{gamma:g} as given."
    counts = {value: found.gammas.count(value) for value in sorted(found.gammas)}
    chosen = ", ".join(f"{value:g} ({count}x)" for value, count in counts.items())
    return f"{how}chosen in every training part: {chosen}."
