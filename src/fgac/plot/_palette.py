"""Colours that every kind of eye tells apart, and markers and lines that tell the same without colour.

Legends and colour bars that keep clear of what they explain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac.plot._labels import LETTER, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend


def legend_beside(ax: Axes, handles: Sequence[Any], labels: Sequence[str], *, own: bool, title: str = "") -> Legend:
    """A legend: below everything on a figure of our own, in the best corner of axes that were given."""
    # A leading underscore would hide an entry.
    labels = [f" {label}" if label.startswith("_") else label for label in labels]
    look: dict[str, Any] = {
        "title": title if own else None,
        "labelcolor": ink(ax),
        "facecolor": ground(ax),
        "fontsize": "small",
        "title_fontsize": "small",
        "framealpha": 0.9,
    }
    if own:
        columns = _columns(ax, labels)
        legend: Legend = ax.figure.legend(
            handles, labels, loc="outside lower center", ncols=columns, frameon=False, **look
        )
    else:
        legend = ax.legend(handles, labels, loc="best", **look)
    legend.get_title().set_color(ink(ax))
    plain(legend.get_texts())
    return legend


def _columns(ax: Axes, labels: Sequence[str]) -> int:
    """As many columns as fit below the figure."""
    from matplotlib.font_manager import FontProperties

    points = FontProperties(size="small").get_size_in_points()
    widest = (max(map(len, labels)) * LETTER + 5) * points
    return max(1, min(len(labels), int(ax.figure.bbox.width / ax.figure.dpi * 72 / widest)))


# The colours of Okabe and Ito. Dark grey stands in for yellow, which white paper swallows, and for black.
BLUE, VERMILION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
ORANGE, SKY, GREY, YELLOW = "#e69f00", "#56b4e9", "#555555", "#f0e442"
COLOURS = (VERMILION, BLUE, GREEN, PURPLE, ORANGE, SKY, GREY)
MARKERS = ("s", "o", "^", "D", "v", "P", "X", "*", "<", ">", "p")
LINES = ("-", "--", "-.", ":")

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Style:
    """How one class is drawn everywhere."""

    colour: str
    marker: str
    line: str


def styles(n: int) -> list[Style]:
    """One style per class; all differ for up to 77 classes, in grey up to 44.

    >>> [style.marker for style in styles(3)]
    ['s', 'o', '^']
    """
    return [Style(COLOURS[k % 7], MARKERS[k % 11], LINES[k % 4]) for k in range(n)]


def ink(ax: Axes) -> Any:
    """The colour in which these axes write: dark on a light ground, light on a dark one."""
    return ax.xaxis.label.get_color()


def ground(ax: Axes) -> Colour:
    """The colour of the paper: that of the axes, or of what shows through them."""
    from matplotlib.colors import to_rgba

    paper: Colour = (1.0, 1.0, 1.0)
    for face in (ax.figure.figure.get_facecolor(), ax.figure.get_facecolor(), ax.get_facecolor()):
        *rgb, alpha = to_rgba(face)
        paper = blend(rgb, paper, alpha)
    return paper


def blend(colour: Any, other: Any, share: float) -> Colour:
    """A mixture of two colours, the first one by its share."""
    from matplotlib.colors import to_rgb

    red, green, blue = (share * a + (1 - share) * b for a, b in zip(to_rgb(colour), to_rgb(other), strict=True))
    return red, green, blue
