"""Colours that every kind of eye tells apart, and markers and lines that tell the same without colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# The colours of Okabe and Ito. Dark grey stands in for yellow, which white paper swallows, and for black.
BLUE, VERMILION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
ORANGE, SKY, GREY, YELLOW = "#e69f00", "#56b4e9", "#555555", "#f0e442"
COLOURS = (VERMILION, BLUE, GREEN, PURPLE, ORANGE, SKY, GREY)
MARKERS = ("s", "o", "^", "D", "v", "P", "X", "*", "<", ">", "p")
LINES = ("-", "--", "-.", ":")
# The row that is predicted: in the same way in all pictures, and on light and dark paper alike.
STAR: dict[str, Any] = {"s": 170, "marker": "*", "c": YELLOW, "edgecolors": "black", "linewidths": 0.9}

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
    # Lengths without a common divisor: a colour comes back with another marker and another line.
    return [Style(COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)], LINES[k % len(LINES)]) for k in range(n)]


def ink(ax: Axes) -> Any:
    """The colour in which these axes write: dark on a light ground, light on a dark one."""
    # Axes have no colour of their own; a style sets that of labels for the ground it sets.
    return ax.xaxis.label.get_color()


def ground(ax: Axes) -> Colour:
    """The colour of the paper: that of the axes, or of what shows through them."""
    from matplotlib.colors import to_rgba

    # From back to front: the figure, the part of it that holds the axes, the axes. Each may be transparent.
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
