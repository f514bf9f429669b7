"""Explanations as they are printed: the card first, then the words; side by side and in colour on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fgac._printable import printable_line
from fgac.text.card import CHANGE, NOTHING_UNKNOWN, SURE, UNKNOWN

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from fgac.text.card import Card, CardSide

# What speaks for a prediction, and what speaks against it, in the same colours as on the page.
FOR, AGAINST = "blue", "dark_orange3"
# From so many columns on the two sides stand beside each other.
WIDE = 90


def text_with_cards(found: Iterable[Any], summary: str = "") -> str:
    """Every explanation in plain text: its card, and below it all that can be said of it; above all of them a summary.

    The summary quotes ids of rows, and stays on its line.
    """
    parts = (f"{item.card().text()}\n\n{item.text()}" for item in found)
    return "\n\n".join(filter(None, (printable_line(summary), *parts)))


def print_explanations(found: Iterable[Any], summary: str = "") -> None:
    """Explanations on standard output, laid out for a terminal only, below a summary if there is one."""
    from fgac.cli.console import may_be_terminal, output_console, print_text

    if may_be_terminal(sys.stdout) and (console := output_console()).is_terminal:
        if summary:
            console.print(printable_line(summary), "")
        for item in found:
            console.print(panel(item.card(), console), item.text().replace("\n", "\n\n"), "")
    else:
        print_text(text_with_cards(found, summary))


def panel(card: Card, console: Console) -> RenderableType:
    """A card in a box: how sure, the two sides, what would change it, what is unknown."""
    from rich import box
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    said = dict(card.parts())
    sides = [_side(card.favour, f"bold {FOR}"), _side(card.against, f"bold {AGAINST}")]
    changes = [*(flip.text() for flip in card.flips), *card.stays]
    headline = Text(printable_line(card.prediction), style="bold underline")
    parts: list[RenderableType] = [
        Group(headline, Text(printable_line(card.asked), style="bold")) if card.asked else headline,
        _part(SURE, [said[SURE]]),
        "",
        _beside(sides) if console.width >= WIDE else Group(sides[0], "", sides[1]),
        "",
        _part(CHANGE, changes),
        _part(UNKNOWN, card.unknown or [NOTHING_UNKNOWN]),
    ]
    title = Text(printable_line(f"Row {card.row}"), style="bold")
    return Panel(Group(*parts), title=title, title_align="left", box=box.ROUNDED)


def _part(name: str, lines: Iterable[str]) -> Table:
    from fgac.cli.safe_rich import SafeTable

    table = SafeTable.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", width=len(CHANGE))
    table.add_column(overflow="fold")
    for number, line in enumerate(lines):
        table.add_row("" if number else name, line)
    return table


def _beside(sides: list[RenderableType]) -> Table:
    from fgac.cli.safe_rich import SafeTable

    table = SafeTable.grid(padding=(0, 3, 0, 0), expand=True)
    for _ in sides:
        table.add_column(ratio=1)
    table.add_row(*sides)
    return table


def _side(side: CardSide, style: str) -> RenderableType:
    """The strongest case on one side, attribute by attribute."""
    from rich.console import Group
    from rich.text import Text

    from fgac.cli.safe_rich import SafeTable

    heading = Text(printable_line(side.heading), style=style)
    case = side.case
    if case is None:
        return Group(heading, side.nothing)
    table = SafeTable.grid(padding=(0, 2, 0, 0))
    for name in ("", "this row", "that row"):
        table.add_column(name, overflow="fold", style="" if name else "dim")
    if case.groups:
        table.add_row("", "this row", "that row", style="dim")
    for group in case.groups:
        more = f" (and {group.n_more} more)" if group.n_more else ""
        table.add_row(f"{group.title}{more}", style="italic")
        for feature in group.features:
            table.add_row(f"  {feature.name}", feature.here, "" if group.is_same else feature.there)
    return Group(heading, f"Training row {case.row}, {case.says}: {case.resembles}", table, *case.notes)
