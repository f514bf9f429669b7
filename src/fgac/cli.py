"""The command line: ``fgac demo`` and ``fgac --version``. Needs the extra ``fgac[cli]``.

Results go to standard output, errors to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage
or the extra is not installed.
"""

from __future__ import annotations

import importlib.metadata
import math
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer
    from rich.console import RenderableType
    from rich.table import Table

    from fgac.demo import Argument, Case, Demo

MISSING_EXTRA = """\
fgac: the command line needs the package {name!r}, which is not installed.
Install it with:  pip install 'fgac[cli]'"""


def main() -> None:
    """Run the command line; the entry point of the ``fgac`` script."""
    try:
        app = make_app()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"typer", "rich"}:
            raise
        print(MISSING_EXTRA.format(name=error.name), file=sys.stderr)
        raise SystemExit(2) from None
    app()


def make_app() -> typer.Typer:
    """Build the typer application; typer and rich are imported here, so that ``import fgac`` stays light."""
    import rich.console
    import typer

    app = typer.Typer(
        name="fgac",
        help="Fuzzy granular approximation classifier: exact, and able to say why.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    def show_version(wanted: bool) -> None:
        if wanted:
            typer.echo(f"fgac {importlib.metadata.version('fgac')}")
            raise typer.Exit

    @app.callback()
    def root(
        version: bool = typer.Option(
            False, "--version", callback=show_version, is_eager=True, help="Show the version and stop."
        ),
    ) -> None:
        pass

    @app.command()
    def demo() -> None:
        """Train on the wine data of scikit-learn and explain one sure and one doubtful prediction."""
        from fgac.demo import run

        console = rich.console.Console(highlight=False)
        console.print(render_demo(run()))

    return app


def render_demo(demo: Demo) -> RenderableType:
    """Lay out the whole demonstration."""
    from rich.console import Group
    from rich.rule import Rule

    return Group(
        "",
        "[bold]FGAClassifier on the wine data that come with scikit-learn[/bold]",
        f"{demo.n_train} training rows, {demo.n_test} held-out rows, {demo.n_features} features, "
        f"classes {', '.join(demo.classes)}",
        "",
        _fit_table(demo),
        *_case_parts("A sure prediction", demo.sure),
        *_case_parts("A doubtful prediction", demo.doubtful),
        "",
        Rule(style="dim"),
        "Rows are numbered as given to fit. Strength for: similar AND in the class; against: similar "
        "AND NOT in it; a AND b is max(0, a + b - 1). The strongest argument for is the lower bound, "
        "1 minus the strongest against is the upper bound, and the degree is their mean.",
    )


def power_of_ten_above(value: float) -> str:
    """Return the least power of ten that is not below a residual, so that rounding noise does not show.

    >>> power_of_ten_above(3.1e-15)
    'at most 1e-14'
    >>> power_of_ten_above(-0.0)
    '0'
    """
    if abs(value) == 0:
        return "0"
    return f"at most 1e{math.ceil(math.log10(abs(value))):d}"


def _fit_table(demo: Demo) -> Table:
    from rich.table import Table

    from fgac.demo import GAMMAS, N_FOLDS

    proof = "proved optimal" if demo.is_optimal else "NOT proved optimal"
    facts = {
        "gamma": f"{demo.gamma:g}   best of {len(GAMMAS)} by {N_FOLDS}-fold cross-validation on training rows",
        "balanced accuracy": f"{demo.balanced_accuracy:.3f}   {demo.n_mistakes} of {demo.n_test} "
        "held-out rows are wrong",
        "largest violation": f"{power_of_ten_above(demo.largest_violation)}   over all constraints",
        "duality gap": f"{power_of_ten_above(demo.duality_gap)}   {proof}",
    }
    table = Table.grid(padding=(0, 2))
    for name, text in facts.items():
        table.add_row(f"  {name}", text)
    return table


def _case_parts(title: str, case: Case) -> list[RenderableType]:
    from rich.rule import Rule

    verdict = "right" if case.predicted == case.truth else f"wrong, it is {case.truth}"
    return [
        "",
        Rule(f"[bold]{title}[/bold]", align="left", style="dim"),
        f"Held-out row {case.row}: [bold]{case.predicted}[/bold] ({verdict}). "
        f"Degree {case.degree:.3f} in \\[{case.lower:.3f}, {case.upper:.3f}]; "
        f"next is {case.runner_up} with {case.runner_up_degree:.3f}.",
        "",
        _argument_table(case),
        "",
        _feature_table(case),
        "",
        _reading(case),
    ]


def _argument_table(case: Case) -> Table:
    table = _plain_table()
    table.add_column("argues")
    table.add_column("training\nrow", justify="right")
    table.add_column("its class")
    for heading in ("similarity", "in its class", f"in {case.predicted}", "strength"):
        table.add_column(heading, justify="right")
    for side, style, arguments in (("for", "cyan", case.favour), ("against", "magenta", case.against)):
        for argument in arguments:
            table.add_row(side, *_argument_cells(argument), style=style)
        if not arguments:
            table.add_row(side, "-", "no row does", "", "", "", f"{0:.3f}", style=style)
    return table


def _argument_cells(argument: Argument) -> tuple[str, ...]:
    numbers = (argument.similarity, argument.own_membership, argument.membership, argument.strength)
    return (str(argument.row), argument.label, *(f"{number:.3f}" for number in numbers))


def _feature_table(case: Case) -> Table:
    table = _plain_table()
    table.add_column("most telling features", no_wrap=True)
    for heading in ("this row", "strongest\nfor", "strongest\nagainst"):
        table.add_column(heading, justify="right")
    table.add_column("looks like")
    for feature in case.features:
        nearer, style = ("for", "cyan") if feature.pull > 0 else ("against", "magenta")
        values = (f"{value:.4g}" for value in (feature.value, feature.favour, feature.against))
        table.add_row(feature.name, *values, nearer, style=style)
    return table


def _plain_table() -> Table:
    """Return an empty table that has a rule under its head and fits 80 columns."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def _reading(case: Case) -> str:
    """Say in one sentence how the strongest arguments bound the degree."""
    clauses = []
    if case.favour:
        top = case.favour[0]
        clauses.append(
            f"row {top.row} is similar ({top.similarity:.3f}) AND belongs to {case.predicted} "
            f"({top.membership:.3f}) THEN this row belongs to it, to at least {case.lower:.3f}"
        )
    if case.against:
        top = case.against[0]
        clauses.append(
            f"row {top.row} is similar ({top.similarity:.3f}) AND does not belong to {case.predicted} "
            f"({1 - top.membership:.3f}) THEN neither does this row, so at most to {case.upper:.3f}"
        )
    return f"IF {'; IF '.join(clauses)}: the degree is the middle, {case.degree:.3f}."
