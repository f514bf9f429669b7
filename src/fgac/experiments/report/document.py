"""A document of headings, paragraphs, tables and pictures, written as Markdown and as one page of HTML."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fgac.experiments._extra import needed


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the title."""

    text: str
    level: int = 2
    kind = "heading"


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain text."""

    text: str
    kind = "paragraph"


@dataclass(frozen=True)
class Items:
    """A list of plain texts."""

    texts: tuple[str, ...]
    kind = "items"


@dataclass(frozen=True)
class Mark:
    """A cell of a table that is to be seen."""

    text: str


@dataclass(frozen=True)
class Grid:
    """A table; ``words`` are the columns that hold words, the others are aligned to the right."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str | Mark, ...], ...]
    words: tuple[int, ...] = (0,)
    kind = "grid"

    def align(self, column: int) -> str:
        """How a column is aligned."""
        return "left" if column in self.words else "right"


@dataclass(frozen=True)
class Picture:
    """A PNG file, named relative to the folder of the document, and what is to be seen in it."""

    path: str
    text: str
    kind = "picture"


Block = Heading | Paragraph | Items | Grid | Picture


def markdown(blocks: Sequence[Block]) -> str:
    r"""The document as Markdown.

    >>> print(markdown([Heading("A", 1), Grid(("x", "y"), (("a|b", Mark("1")),))]), end="")
    # A
    <BLANKLINE>
    | x | y |
    |:---|---:|
    | a\|b | **1** |
    """
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Paragraph):
        return _escaped(block.text)
    if isinstance(block, Items):
        return "\n".join(f"- {_escaped(text)}" for text in block.texts)
    if isinstance(block, Picture):
        return f"![{_escaped(block.text)}]({block.path})"
    lines = [block.headings, tuple(":---" if block.align(i) == "left" else "---:" for i in range(len(block.headings)))]
    head = [f"| {' | '.join(lines[0])} |", f"|{'|'.join(lines[1])}|"]
    return "\n".join(head + [f"| {' | '.join(map(_cell, row))} |" for row in block.rows])


def _cell(cell: str | Mark) -> str:
    text = _escaped(cell.text if isinstance(cell, Mark) else cell).replace("|", "\\|")
    return f"**{text}**" if isinstance(cell, Mark) else text


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", "\\*")


def html(blocks: Sequence[Block], folder: str | Path) -> str:
    """The document as one page that needs no other file; pictures are read from the folder."""
    jinja2 = needed("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("fgac.experiments.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    title = next((block.text for block in blocks if isinstance(block, Heading)), "Report")
    template = environment.get_template("report.html.jinja")
    text = template.render(
        blocks=blocks, title=title, marked=_marked, data_uri=lambda path: _data_uri(Path(folder) / path)
    )
    return str(text)


def _marked(cell: str | Mark) -> bool:
    return isinstance(cell, Mark)


def _data_uri(path: Path) -> str:
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"
