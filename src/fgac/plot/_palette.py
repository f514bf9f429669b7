"""Colours with one meaning each, and markers and lines that tell the same without colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac._colours import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What each stands for, see :class:`fgac._colours.Colours`: the same in all pictures, and in the pages of reports.
FOR, AGAINST, PREDICTED, TRUE, UNKNOWN, NEUTRAL = LIGHT
# Classes have colours of their own, none of which speaks for or against anything.
COLOURS = ("#332288", "#e69f00", "#56b4e9", "#882255", "#117733", "#b030e0", "#b0b070")
MARKERS = ("s", "o", "^", "D", "v", "P", "X", "*", "<", ">", "p")
LINES = ("-", "--", "-.", ":")
# Shades from the first of two classes to the second. They get lighter all the way, so that they read in grey.
TWO_CLASSES = ("#8a80bd", "#c4bac6", "#ffdc9a")
# Lines on these shades, which are light in every style, and edges of marks on any shade.
DARK_LINE, PALE_EDGE = "#222222", "white"
# Numbers on bars of a full colour.
ON_BARS = "white"
# The row that is predicted: in the same way in all pictures, and on light and dark paper alike.
STAR: dict[str, Any] = {"s": 170, "marker": "*", "c": PREDICTED, "edgecolors": "black", "linewidths": 0.9}

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
