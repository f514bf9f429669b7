"""``fgac audit``: training rows whose labels, or numbers, the rest of the data contradicts."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fgac.cli import options as o

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from fgac.cli.model_files import Model
    from fgac.explanation.audit import Audit


class By(StrEnum):
    """What suspects are ranked by."""

    membership = "membership"
    rest = "rest"


SUFFIXES = (".csv", ".json", ".parquet", ".html", ".txt")
N_OPPONENTS = 3


def audit(
    data: Annotated[str, typer.Argument(metavar="DATA|MODEL", help=f"{o.TABLE_HELP} Or a model file.")],
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COLUMN", help="Column to predict.", rich_help_panel=o.COLUMNS),
    ] = None,
    numbers: o.Numbers = False,
    order: o.Order = None,
    output: o.Output = None,
    n_rows: Annotated[int, typer.Option("--n-rows", "-n", min=1, metavar="NUMBER", help="How many to show.")] = 20,
    by: Annotated[
        By,
        typer.Option(
            "--by",
            metavar="NAME",
            parser=o.one_of(By),
            help="Doubt is membership: what rows of other classes take from the label; or rest: also what rows of its "
            "own class do not give.",
        ),
    ] = By.membership,
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
    """List the training rows whose labels are most in doubt.

    Doubt is 1 minus the membership of a row in its own class: how much similar rows of other classes contradict its
    label. It is no proof of a mistake: a row may be rare and right. Give a table and its --target, or a model that was
    trained on it. A gamma that was chosen for prediction may be large for finding wrong labels: try a smaller one
    (--gamma, with the table), and --by rest. Of ordered classes every boundary is audited; of numbers, rows are listed
    whose numbers others contradict most. Readable text on standard output, or a .csv, .json, .parquet, .txt or (of
    classes without an order) .html file.
    """
    from fgac.cli.console import note
    from fgac.cli.io.training_table import Roles
    from fgac.cli.io.writing import check_output
    from fgac.cli.settings import Directions, Settings

    check_output(output, SUFFIXES, data)
    roles = Roles(target or "", id, weight, nominal or (), numeric or (), drop or (), drop_missing, missing, numbers)
    directions = Directions(increasing or (), decreasing or ())
    weighing = (class_weight, n_jobs, directions, learn_weights)
    settings = Settings(gamma, loss, metric, scale, *weighing, numbers, order or ())
    check_forms("numbers" if numbers else "ordered classes" if order else "", output, by)
    model = trained(data, roles, settings, quiet=quiet)
    told = tell(model, output, n_rows, by)
    if output is not None:
        note(f"Audited {told}: {output}", quiet=quiet)
    if gamma is None:
        note(gamma_advice(model, data, by), quiet=quiet)


def check_forms(what: str, output: Path | None, by: By) -> None:
    """Refuse what there is only for classes without an order."""
    from fgac.cli.errors import UsageError

    if what and output is not None and output.suffix.lower() == ".html":
        raise UsageError(f"-o {output}: an audit of {what} is written as .csv, .json, .parquet or .txt, not as .html")
    if what == "numbers" and by is not By.membership:
        raise UsageError("--by is for classes; numbers are ranked by how far they are from what others leave them")


def tell(model: Model, output: Path | None, n_rows: int, by: By) -> str:
    """Find the doubted rows, write them, and say how many there are."""
    from fgac.cli import doubted_numbers, doubted_order
    from fgac.cli.errors import pluralize
    from fgac.cli.model_files import predicts_numbers, predicts_order
    from fgac.explainers.audit import audit as suspects_of

    if predicts_numbers(model):
        check_forms("numbers", output, by)
        numbers = model.contradictions(n_rows)
        doubted_numbers.write(numbers, output)
        return f"{pluralize(numbers.n_rows, 'row')}, {pluralize(len(numbers), 'doubted number')}"
    if predicts_order(model):
        check_forms("ordered classes", output, by)
        audits = doubted_order.audits_of(model, n_rows, str(by))
        doubted_order.write(audits, output)
        n_suspects = sum(map(len, audits.values()))
        n = max((audit.n_rows for audit in audits.values()), default=0)
        return f"{pluralize(n, 'row')}, {pluralize(n_suspects, 'doubted label')} at all boundaries together"
    found = suspects_of(model, n_rows=n_rows, by=str(by))
    write(found, output)
    return f"{pluralize(found.n_rows, 'row')}, {pluralize(len(found), 'doubted label')}"


def gamma_advice(model: Model, data: str, by: By) -> str:
    """What may find more wrong labels than a gamma that is good for prediction."""
    from fgac.cli.io.reading import is_table
    from fgac.cli.model_files import predicts_numbers

    numbers = predicts_numbers(model)
    where = "" if is_table(data) else ", with the table instead of the model"
    rest = " and --by rest" if by is not By.rest and not numbers else ""
    return (
        f"gamma {model.gamma:g} may have been chosen for prediction, and be large for finding wrong "
        f"{'numbers' if numbers else 'labels'}: try a smaller one (--gamma{where}){rest}."
    )


def trained(data: str, roles: Any, settings: Any, *, quiet: bool) -> Any:
    """The model in a file, or one that is trained on a table."""
    from fgac.cli.console import note, show_columns
    from fgac.cli.errors import UsageError
    from fgac.cli.io.reading import is_table, read_table
    from fgac.cli.io.training_table import training_table
    from fgac.cli.model_files import load
    from fgac.cli.settings import learn

    if not is_table(data):
        if roles.target:
            raise UsageError(
                f"{data} is taken for a model because of its name, and a model knows its target; leave --target out, "
                "or give a table (.csv, .tsv, .txt, .parquet)"
            )
        for option, given in (("--numbers", settings.numbers), ("--order", settings.order)):
            if given:
                raise UsageError(
                    f"{data} is a model, which knows what it predicts; leave {option} out, or give a table"
                )
        return load(data)[0]
    if not roles.target:
        what = "numbers" if settings.numbers else "classes"
        raise UsageError(f"--target is missing: which column of the table holds the {what}?")
    table = training_table(read_table(data, roles.missing), roles)
    show_columns(table, quiet=quiet)
    clf, how = learn(table, settings, quiet=quiet)
    note(f"gamma {clf.gamma:g}, {how}", quiet=quiet)
    return clf


def write(found: Audit, output: Path | None) -> None:
    """Write the suspects in the form that the output asks for."""
    from fgac.cli.console import output_console
    from fgac.cli.io.writing import write_records, write_string

    suffix = "" if output is None else output.suffix.lower()
    if output is None:
        output_console().print(render(found))
    elif suffix == ".html":
        found.to_html(output)
    elif suffix == ".json":
        write_string(found.to_json(), output)
    elif suffix == ".txt":
        write_string(found.text() + "\n", output)
    else:
        write_records(records(found), output)


def records(found: Audit) -> list[dict[str, Any]]:
    """One record per suspect."""
    return [
        {
            "id": suspect.id,
            "label": suspect.label,
            "doubt": suspect.doubt,
            "suggestion": suspect.suggestion,
            "contradicted_by": "; ".join(str(opponent.id) for opponent in suspect.contradicted_by),
            "n_contradicting": len(suspect.contradicted_by),
        }
        for suspect in found
    ]


def render(found: Audit) -> RenderableType:
    """A table of the suspects, then what is to be said about each."""
    from rich.console import Group

    from fgac.cli.console import plain_table

    if not len(found):
        return f"No label is contradicted: all {found.n_rows} rows fully belong to their classes."
    table = plain_table("row", "class", "doubt", "suggested", "contradicted by", right=("doubt",))
    for suspect in found:
        ids = [str(opponent.id) for opponent in suspect.contradicted_by]
        more = f" and {len(ids) - N_OPPONENTS} more" if len(ids) > N_OPPONENTS else ""
        table.add_row(
            str(suspect.id),
            str(suspect.label),
            f"{suspect.doubt:.3f}",
            "" if suspect.suggestion is None else str(suspect.suggestion),
            ", ".join(ids[:N_OPPONENTS]) + more,
        )
    sentences = [part for suspect in found for part in ("", suspect.text())]
    most = f"the {len(found)} most doubted" if len(found) > 1 else "the most doubted"
    return Group(f"Doubted labels: {most} of {found.n_rows} rows", "", table, *sentences)
