"""``fgac evaluate``: cross-validated scores beside baselines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from fgac.cli import options as o

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.settings import Settings
    from fgac.selection.evaluation import Evaluation, RegressionEvaluation, ScoreInterval


METHOD = "95 % intervals: corrected resampled t (Nadeau and Bengio), since training parts overlap."
N_CLASSES_SHOWN = 30

OURS = "fuzzy granular approximation (FGAC)"
THEIRS = "5 nearest neighbours, same distances"
LEAD = "FGAC minus 5 nearest neighbours"


def evaluate(
    data: o.Data,
    target: o.Target,
    output: o.Output = None,
    numbers: o.Numbers = False,
    order: o.Order = None,
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
    """Estimate how well a model does on rows it has not seen.

    Repeated stratified cross-validation. Unless --gamma is given, gamma is chosen anew inside every training part, as
    'fgac fit' would, so no test row has a say in it. Beside it: always saying the largest class, and 5 nearest
    neighbours with the same distances and parts. With --order also by how many classes predictions are off. With
    --numbers R2 and mean absolute error, beside always saying the mean and 5 nearest neighbours. Tables on standard
    output, or JSON (--json, or a .json file).
    """
    from fgac._serialize import to_plain
    from fgac.cli.console import note, output_console, show_columns
    from fgac.cli.io.reading import read_table
    from fgac.cli.io.training_table import Roles, training_table
    from fgac.cli.io.writing import check_output, json_text, write_string
    from fgac.cli.settings import Directions, Settings

    check_output(output, (".json",), data)
    roles = Roles(target, id, weight, nominal or (), numeric or (), drop or (), drop_missing, missing, numbers)
    directions = Directions(increasing or (), decreasing or ())
    weighing = (class_weight, n_jobs, directions, learn_weights)
    settings = Settings(gamma, loss, metric, scale, *weighing, numbers, order or ())
    table = training_table(read_table(data, roles.missing), roles)
    show_columns(table, quiet=quiet)
    found = cross_validated(settings, table, folds, repeats, quiet=quiet)
    if found.n_folds < folds:
        reason = "every part needs 2 rows" if numbers else "the smallest class has no more rows"
        note(f"{found.n_folds} folds instead of {folds}: {reason}.", quiet=quiet)
    if output is not None or json:
        write_string(json_text(to_plain(found)), output)
    if not json:
        output_console().print(render(found, gamma))


def cross_validated(
    settings: Settings, table: TrainingTable, n_folds: int, n_repeats: int, *, quiet: bool
) -> Evaluation | RegressionEvaluation:
    """Scores of the model that the settings describe, with a progress bar."""
    from fgac.cli.console import progress
    from fgac.selection.evaluation import evaluate as cross_validate

    with progress("cross-validating", quiet=quiet) as tell:
        found = cross_validate(
            settings.estimator(table),
            table.X,
            table.y,
            gamma=settings.gamma,
            n_folds=n_folds,
            n_repeats=n_repeats,
            sample_weight=table.weights,
            on_progress=tell,
        )
    return found


def render(found: Evaluation | RegressionEvaluation, gamma: float | None) -> RenderableType:
    """Lay the scores out."""
    from rich.console import Group

    from fgac.selection.evaluation import Evaluation

    tables = class_tables(found) if isinstance(found, Evaluation) else number_tables(found)
    return Group(*(part for table in tables for part in (table, "")), _how(found, gamma), METHOD)


def number_tables(found: RegressionEvaluation) -> list[Table]:
    """R2, and the mean absolute error in the unit of the target."""
    tables = []
    size = four_digits(found.mean.absolute_error.mean)
    for heading, name, form in (("R2", "r2", ".3f"), ("mean absolute error", "absolute_error", size)):
        ours, theirs, mean, lead = (
            getattr(part, name) for part in (found.fgac, found.neighbours, found.mean, found.lead)
        )
        rows = ((OURS, ours, form), (THEIRS, theirs, form), ("always the mean", mean, form), (LEAD, lead, f"+{form}"))
        tables.append(score_table(heading, *((label, *_cells(score, form)) for label, score, form in rows)))
    return tables


def four_digits(size: float) -> str:
    """A form that tells numbers of some size to four digits.

    >>> [f"{0.5 * size:{four_digits(size)}}" for size in (47000.0, 1.5, 0.02, 3e-9)]
    ['23500', '0.750', '0.01000', '1.5e-09']
    """
    decimals = 3 - math.floor(math.log10(size)) if size else 3
    return f".{max(0, decimals)}f" if -6 <= decimals <= 6 else ".4g"


def class_tables(found: Evaluation) -> list[Table]:
    """Balanced accuracy, and the recall of every class; of ordered classes, by how many predictions are off."""
    from fgac.selection.evaluation import OrderedScores

    ours, theirs = found.fgac, found.neighbours
    scores = score_table(
        "balanced accuracy",
        (OURS, *_cells(ours.balanced_accuracy)),
        (THEIRS, *_cells(theirs.balanced_accuracy)),
        ("always the largest class", f"{found.majority:.3f}", ""),
        (LEAD, *_cells(found.lead, "+.3f")),
    )
    if not (isinstance(ours, OrderedScores) and isinstance(theirs, OrderedScores)):
        return [scores, recall_table(found)]
    rows = ((OURS, *_cells(ours.classes_off)), (THEIRS, *_cells(theirs.classes_off)))
    return [scores, score_table("classes that predictions are off", *rows), recall_table(found)]


def score_table(heading: str, *rows: tuple[str, str, str]) -> Table:
    """Means and intervals of some methods."""
    from fgac.cli.console import plain_table

    table = plain_table(heading, "mean", "95 % interval", right=("mean", "95 % interval"))
    for row in rows:
        table.add_row(*row)
    return table


def recall_table(found: Evaluation) -> Table:
    """The recall of every class, and the accuracy."""
    from fgac.cli.console import plain_table

    recalls = plain_table("recall in class", "rows", "FGAC", "5 neighbours", right=("rows", "FGAC", "5 neighbours"))
    both = zip(found.classes, found.class_sizes, found.fgac.recalls, found.neighbours.recalls, strict=True)
    for label, size, ours, theirs in list(both)[:N_CLASSES_SHOWN]:
        recalls.add_row(str(label), str(size), f"{ours:.3f}", f"{theirs:.3f}")
    if len(found.classes) > N_CLASSES_SHOWN:
        recalls.add_row(f"and {len(found.classes) - N_CLASSES_SHOWN} more", "", "", "")
    accuracies = (found.fgac.accuracy.mean, found.neighbours.accuracy.mean)
    recalls.add_row("all (accuracy)", str(found.n_rows), *(f"{value:.3f}" for value in accuracies))
    return recalls


def _cells(interval: ScoreInterval, form: str = ".3f") -> tuple[str, str]:
    # Adding 0 after rounding makes -0.000 a plain zero.
    numbers = (interval.mean, interval.low, interval.high)
    mean, low, high = (f"{float(f'{x:{form}}') + 0.0:{form}}" for x in numbers)
    return mean, f"{low} to {high}"


def _how(found: Evaluation | RegressionEvaluation, gamma: float | None) -> str:
    times = f" {found.n_repeats} times" if found.n_repeats > 1 else ""
    how = f"{found.n_folds}-fold cross-validation{times}, {found.n_rows} rows; gamma "
    if gamma is not None:
        return f"{how}{gamma:g} as given."
    counts = {value: found.gammas.count(value) for value in sorted(found.gammas)}
    chosen = ", ".join(f"{value:g} ({count}x)" for value, count in counts.items())
    return f"{how}chosen in every training part: {chosen}."
