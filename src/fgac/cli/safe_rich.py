"""Consoles and tables of rich that show what the user's files hold as text: no markup, no emoji, no control characters.

rich turns every string, in a cell or by itself, into text by ``render_str``, before it is laid out: an escape is as
wide as it looks.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from fgac._printable import printable, printable_line


class SafeConsole(Console):
    """A console on which no string means anything but itself."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Make text of a string, with escapes for its control characters."""
        return super().render_str(printable(text), **options)


class SafeTable(Table):
    """A table whose cells are of one line each."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Add a row; line ends in strings are the user's, and become escapes."""
        super().add_row(*(printable_line(cell) if isinstance(cell, str) else cell for cell in cells), **options)
