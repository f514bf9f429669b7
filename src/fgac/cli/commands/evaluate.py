"""``fgac evaluate``: cross-validated scores beside baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from fgac.cli import options as o
from fgac.cli.io.sources import Reading
from fgac.cli.option_groups import takes_groups
from fgac.cli.settings import FitSettings, Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.kinds import AnyKind


METHOD = "95 % intervals: corrected resampled t (Nadeau and Bengio), since training parts overlap."


@takes_groups
def evaluate(
    data: o.Data,
    target: o.Target,
    output: o.Output = None,
    json: o.Json = False,
    folds: Annotated[int, typer.Option("--folds", min=2, metavar="NUMBER", help="Parts of the data.")] = 5,
    repeats: Annotated[int, typer.Option("--repeats", min=1, metavar="NUMBER", help="Times with other parts.")] = 2,
    *,
    against: Annotated[
        str | None, typer.Option("--against", metavar="MODEL", help="Model file to compare with, on the same parts.")
    ] = None,
    settings: FitSettings,
    reading: Reading,
    quiet: o.Quiet = False,
) -> None:
    """Estimate how well a model does on rows it has not seen.

    Repeated stratified cross-validation. Unless --gamma is given, gamma is chosen anew inside every training part, as
    'fgac fit' would, so no test row has a say in it. Beside it: always saying the largest class, and 5 nearest
    neighbours with the same distances and parts. With --order also by how many classes predictions are off. With
    --numbers R2 and mean absolute error, beside always saying the mean and 5 nearest neighbours; with --interval also
    how many values intervals hold and how wide they are, beside those of boosted trees. With --group scores are of new
    groups, such as people of whom no row was seen. With --against a model of 'fgac fit' is trained on the same parts
    with its own settings and columns, and the difference is told with its interval. Tables on standard output, or JSON
    (--json, or a .json file).
    """
    from fgac._atomic import is_stream
    from fgac._serialize import to_plain
    from fgac.cli.comparison import estimator_of, other_table, read_other
    from fgac.cli.console import note, output_console
    from fgac.cli.io.roles import one_target
    from fgac.cli.io.streaming import read_table
    from fgac.cli.io.writing import check_output, json_text, write_string
    from fgac.cli.json_output import finite, print_json, print_written
    from fgac.cli.training import as_training_table

    check_output(output, (".json",), data)
    settings.check()
    column = one_target(target)
    other = None if against is None else read_other(against, column, settings)
    raw = read_table(data, settings.missing, reading)
    table = as_training_table(raw, column, settings, quiet=quiet)
    beside = None
    if other is not None and against is not None:
        beside = estimator_of(other), other_table(raw, other, against, table, settings.roles(column)).X
    found = cross_validated(settings, table, folds, repeats, beside, quiet=quiet)
    if found.n_folds < folds:
        why = settings.kind.fewer_folds if table.group is None else settings.kind.fewer_groups.format(table.group)
        note(f"{found.n_folds} folds instead of {folds}: {why}.", quiet=quiet)
    if output is not None:
        write_string(json_text(finite(to_plain(found))), output)
    if json and output is None:
        print_json(to_plain(found))
    elif json:
        print_written(output, n_rows=found.n_rows, n_folds=found.n_folds, n_repeats=found.n_repeats)
    # Tables are for people; in a stream that takes the JSON, /dev/stdout perhaps, they would be in the way.
    if not json and not (output is not None and is_stream(output)):
        output_console().print(render(found, settings.kind, settings.gamma, column, against, table.group))


def cross_validated(
    settings: Settings, table: TrainingTable, n_folds: int, n_repeats: int, against: Any = None, *, quiet: bool
) -> Any:
    """Scores of the model that the settings describe, with a progress bar; ``against`` another model and its table."""
    from fgac._warnings import REPEATED_IDENTIFIERS, already_warned
    from fgac.cli.console import progress
    from fgac.cli.io.repeats import warn_of_repeats
    from fgac.selection.evaluation import evaluate as cross_validate

    warn_of_repeats(table)
    with progress("cross-validating", quiet=quiet) as on_progress, already_warned(REPEATED_IDENTIFIERS):
        return cross_validate(
            settings.kind.estimator(settings, table),
            table.X,
            table.y,
            gamma=settings.gamma,
            n_folds=n_folds,
            n_repeats=n_repeats,
            sample_weight=table.weights,
            groups=table.groups,
            against=against,
            on_progress=on_progress,
        )


def render(
    found: Any,
    kind: AnyKind,
    gamma: float | None,
    target: str,
    against: str | None = None,
    group: str | None = None,
) -> RenderableType:
    """The tables of scores, and how they were found."""
    from rich.console import Group

    from fgac.cli.evaluation_tables import argued
    from fgac.text.target import target_word
    from fgac.text.words import quoted

    tables = kind.score_tables(found)
    unseen = "rows that were not seen" if group is None else f"rows of new groups by {quoted(group)}"
    about = f"How well {target_word(target, 'the target')} is predicted for {unseen}:"
    reasons = f"Argued: {argued(found.argued_share, found.median_strength, 'test rows')}."
    compared = () if against is None else _compared(found.against, against)
    parts = (part for table in tables for part in (table, ""))
    return Group(about, "", *parts, *compared, reasons, _how(found, gamma, group), METHOD)


def _compared(comparison: Any, path: str) -> tuple[RenderableType, ...]:
    """The other model beside this one, in numbers and in words."""
    from rich.text import Text

    from fgac.cli.comparison import OURS, THEIRS, difference_table
    from fgac.cli.io.sources import short_name

    words = comparison.text(OURS, THEIRS.format(short_name(path)))
    return difference_table(comparison, path), "", Text(words), ""


def _how(found: Any, gamma: float | None, group: str | None) -> str:
    """How often rows were held out, and which gammas the training parts had."""
    from fgac.text.words import quoted

    times = f" {found.n_repeats} times" if found.n_repeats > 1 else ""
    whole = "" if group is None else f" in {found.n_groups} groups by {quoted(group)}, folds of whole groups"
    how = f"{found.n_folds}-fold cross-validation{times}, {found.n_rows} rows{whole}; gamma "
    if gamma is not None:
        return f"{how}{gamma:g} as given."
    counts = {value: found.gammas.count(value) for value in sorted(found.gammas)}
    chosen = ", ".join(f"{value:g} ({count}x)" for value, count in counts.items())
    return f"{how}chosen in every training part: {chosen}."
