"""``fgac plot``: pictures of a model and its predictions, as PNG, SVG or PDF."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from fgac.cli import completion
from fgac.cli import options as o
from fgac.cli.errors import UsageError
from fgac.cli.io.sources import Reading
from fgac.cli.option_groups import takes_groups
from fgac.cli.pictures import ALL_ROWS, PICTURES, Request, check_columns, check_picture, check_truth, picture_named

if TYPE_CHECKING:
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.model_files import StoredModel
    from fgac.cli.pictures import Picture

SUFFIXES = (".png", ".svg", ".pdf")
# What would make two files of one picture differ: when they were made.
NO_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
SALT = "fgac"
# How matplotlib's warning begins where letters leave no room for anything else.
NO_ROOM = "constrained_layout not applied"
# Inches that a picture may have along each side.
LEAST, MOST = 1.0, 60.0


def show_list(ctx: typer.Context, param: typer.CallbackParam, wanted: bool) -> bool:
    """Print the pictures there are, and stop; as JSON if that is wanted, too.

    ``--list`` and ``--json`` call it in the order in which they are given, and the second of them knows of both.
    """
    given = {**ctx.params, str(param.name): wanted}
    if not {"list_them", "json"} <= given.keys() or not given["list_them"] or ctx.resilient_parsing:
        return wanted
    if given["json"]:
        from fgac.cli.json_output import print_json

        print_json([picture.about(name) for name, picture in PICTURES.items()])
    else:
        width = max(map(len, PICTURES))
        for name, picture in PICTURES.items():
            typer.echo(f"{name:<{width}}  {picture.describe()}")
    raise typer.Exit


def size_of(text: str | None) -> tuple[float, float] | None:
    """Width and height in inches, from a text such as 8x5.

    >>> size_of("8x5.5"), size_of(None)
    ((8.0, 5.5), None)
    """
    if text is None:
        return None
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = float("nan")
    if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
        raise UsageError(f"--size {text}: expected width and height in inches, {LEAST:g} to {MOST:g} each, as in 8x5")
    return width, height


@takes_groups
def plot(
    picture: Annotated[
        str,
        typer.Argument(
            metavar="PICTURE",
            help=f"What to draw: {', '.join(PICTURES)}. See --list.",
            autocompletion=completion.pictures,
        ),
    ],
    model: o.Model,
    data: Annotated[str | None, typer.Argument(metavar="[TABLE]", help=o.TABLE_HELP)] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write here: a .png, .svg or .pdf file.",
            autocompletion=completion.files,
            rich_help_panel=o.OUTPUT,
        ),
    ] = None,
    *,
    row: Annotated[
        str | None,
        typer.Option(
            "--row",
            metavar="ID",
            help="The row, where one is drawn: its id if there is an id column, else its number from 1. By default the "
            "first.",
        ),
    ] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="CLASS", help="The class to draw, instead of the predicted one."),
    ] = None,
    feature: Annotated[
        str | None,
        typer.Option("--feature", metavar="COLUMN", help="The column that changes.", autocompletion=completion.columns),
    ] = None,
    size: Annotated[
        str | None, typer.Option("--size", metavar="WIDTHxHEIGHT", help="In inches, as in 8x5. By default what fits.")
    ] = None,
    dpi: Annotated[int, typer.Option("--dpi", min=20, max=1200, metavar="NUMBER", help="Dots per inch of PNG.")] = 150,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column of the true classes or numbers. By default the one the model was trained on, if it is there.",
            autocompletion=completion.columns,
            rich_help_panel=o.COLUMNS,
        ),
    ] = None,
    id: o.Id = None,
    drop_missing: o.DropMissing = False,
    missing: o.Missing = None,
    reading: Reading,
    list_them: Annotated[
        bool,
        typer.Option("--list", callback=show_list, is_eager=True, help="List the pictures, what each takes, and stop."),
    ] = False,
    json: Annotated[
        bool,
        typer.Option(
            "--json",
            callback=show_list,
            is_eager=True,
            help="With --list the list as JSON; else one JSON document that says what was written.",
            rich_help_panel=o.OUTPUT,
        ),
    ] = False,
    quiet: o.Quiet = False,
) -> None:
    """Draw a picture of a model, or of its predictions for the rows of a table.

    Writes .png, .svg or .pdf, by the suffix of the output; the same picture of the same model is the same file.
    Which pictures there are, of which kinds of model, and what each takes: fgac plot --list.
    """
    from fgac.cli.console import note, working
    from fgac.cli.extras import need
    from fgac.cli.io.writing import check_output
    from fgac.cli.model_files import check_files, check_model, read_model

    found, inches = picture_named(picture), size_of(size)
    if output is None:
        raise UsageError(f"-o FILE is missing: a picture is written to a file that ends in {', '.join(SUFFIXES)}")
    check_output(output, SUFFIXES, *filter(None, (data,)), model)
    if output.suffix.lower() not in SUFFIXES:
        raise UsageError(f"-o {output}: expected a name that ends in {', '.join(SUFFIXES)}, not a stream")
    need(f"fgac plot {picture}", {"matplotlib": "matplotlib"}, "plot")
    if data is None:
        check_model(model)
    else:
        check_files(model, data, reading)
    stored = read_model(model)
    given = {"about": about, "feature": feature}
    check_picture(picture, found, kind=stored.kind.predicts, has_table=data is not None, given=given)
    check_columns(picture, stored.feature_names or [])
    label = stored.kind.check_about(about, stored.state).get("about")
    if feature is not None:
        check_feature(feature, stored)
    rows = None
    if data is not None:
        from fgac.cli.io.new_rows import new_rows
        from fgac.cli.io.streaming import read_table

        table = read_table(data, stored.missing_markers(missing), reading)
        rows = new_rows(table, stored, id=id, target=target, drop_missing=drop_missing, quiet=quiet)
        rows = chosen(picture, found, rows, row)
        check_truth(picture, found, rows, target or stored.target)
    with working("drawing", quiet=quiet):
        draw(found, Request(stored, rows, label, feature), output, inches, dpi)
    note(f"Drew {picture}: {output}", quiet=quiet)
    if json:
        from fgac.cli.json_output import print_written

        print_written(output, picture=picture)


def check_feature(feature: str, stored: StoredModel) -> None:
    """Refuse a column that the model does not compare."""
    from fgac.cli.errors import known_column

    known_column(feature, stored.feature_names or [], "--feature")


def chosen(name: str, picture: Picture, rows: NewRows, row: str | None) -> NewRows:
    """The one row of a picture of one, or all of them."""
    from fgac.cli.row_choice import find_rows

    if picture.takes == ALL_ROWS:
        if row is not None:
            raise UsageError(f"{name} is made of all rows; leave --row out")
        return rows
    return rows.take([0] if row is None else find_rows(row, rows)[:1])


def draw(picture: Picture, request: Request, output: Path, inches: Any, dpi: int) -> None:
    """Make a picture and write it, whole or not at all."""
    import matplotlib as mpl

    mpl.use("Agg")  # no window is opened, whatever the user's settings say
    import matplotlib.pyplot as plt

    from fgac import plot as displays
    from fgac._atomic import write_safely
    from fgac.plot._canvas import figures_of_size

    form = output.suffix.lower()
    with mpl.rc_context({"svg.hashsalt": SALT, "svg.fonttype": "none"}), figures_of_size(inches):
        figure = picture.draw(getattr(displays, picture.display), request).figure_
        drawn = io.BytesIO()
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("error", message=NO_ROOM)
                figure.savefig(drawn, format=form[1:], dpi=dpi, metadata=NO_DATE[form])
        except UserWarning:
            raise UsageError(
                "the picture has no room for what is written on it; give it more, as by --size 8x5"
            ) from None
        finally:
            plt.close(figure)

    def write(file: IO[bytes]) -> None:
        file.write(drawn.getvalue())

    write_safely(output, write)
