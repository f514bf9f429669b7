"""Names written above points of one line, moved sideways until none overlaps another, whatever the size of the axes.

This module needs matplotlib to be imported, so those who use it import it inside of the function that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.text import Text

from fgac._typing import Floats


class IdLabels(Artist):
    """Labels on one line, each tied to its point; places are found anew whenever the figure is drawn.

    Parameters
    ----------
    ax : Axes
    points : array of shape (n, 2)
        In coordinates of the data.
    height : float
        Where the line is, in coordinates of the data.
    names : sequence of str
        Most important first: if they do not all fit, the last ones are left out.
    colour : colour

    Attributes
    ----------
    texts, ties : list of Text, list of Line2D
        The names, and the thin lines that tie them to their points.
    """

    def __init__(self, ax: Axes, points: Floats, height: float, names: Sequence[str], colour: Any) -> None:
        super().__init__()
        self.points, self.height = np.asarray(points, dtype=np.float64), height
        self.texts = [
            Text(0, 0, name, color=colour, fontsize="small", ha="center", va="center", parse_math=False)
            for name in names
        ]
        self.ties = [Line2D([], [], color=colour, linewidth=0.6, alpha=0.7) for _ in names]
        # The layout needs no room for names: they stay within the axes, and their places follow from the layout.
        self.set_in_layout(False)
        self.set_zorder(5)
        ax.add_artist(self)
        for part in (*self.texts, *self.ties):
            part.set_figure(ax.figure)
            part.axes = ax

    def draw(self, renderer: Any) -> None:
        """Find the places, and draw what fits."""
        if not self.get_visible():
            return
        self.place(renderer)
        for part in (*self.ties, *self.texts):
            part.draw(renderer)

    def place(self, renderer: Any) -> None:
        """Give every name its place in pixels; hide those for which there is none."""
        ax = self.axes
        assert ax is not None
        box = ax.get_window_extent(renderer)
        pixels = ax.transData.transform(np.column_stack([self.points[:, 0], np.full(len(self.points), self.height)]))
        feet = ax.transData.transform(self.points)
        for artist in (*self.texts, *self.ties):
            artist.set_visible(True)  # what is hidden has no width
        widths = np.array([text.get_window_extent(renderer).width for text in self.texts])
        gap = 4 * renderer.points_to_pixels(1.0)
        # The first names are the most important: each fits if it does beside all before it.
        fits = np.cumsum(widths + gap) <= box.width
        for text, tie, fit in zip(self.texts, self.ties, fits, strict=True):
            text.set_visible(bool(fit))
            tie.set_visible(bool(fit))
        shown = np.flatnonzero(fits)
        places = spread(pixels[shown, 0], widths[shown] + gap, box.x0, box.x1)
        for i, x in zip(shown, places, strict=True):
            y = pixels[i, 1]
            self.texts[i].set_position((x, y))
            drop = 0.6 * self.texts[i].get_window_extent(renderer).height
            self.ties[i].set_data([feet[i, 0], x], [feet[i, 1], y - np.sign(y - feet[i, 1]) * drop])


def spread(wanted: Floats, widths: Floats, low: float, high: float) -> Floats:
    """Middles of intervals of these widths between low and high that do not overlap, near where they are wanted.

    Intervals that overlap are joined to a block, which sits where its members want to be on average.

    >>> spread(np.array([1.0, 1.0, 8.0]), np.array([2.0, 2.0, 2.0]), 0.0, 10.0).tolist()
    [1.0, 3.0, 8.0]
    """
    blocks: list[list[Any]] = []  # of members and where the block starts
    for i in np.argsort(wanted, kind="stable"):
        blocks.append([[int(i)], 0.0])
        _settle(blocks[-1], wanted, widths, low, high)
        while len(blocks) > 1 and blocks[-2][1] + widths[blocks[-2][0]].sum() > blocks[-1][1]:
            last = blocks.pop()
            blocks[-1][0] += last[0]
            _settle(blocks[-1], wanted, widths, low, high)
    places = np.empty(len(wanted))
    for members, start in blocks:
        places[members] = start + np.cumsum(widths[members]) - 0.5 * widths[members]
    return places


def _settle(block: list[Any], wanted: Floats, widths: Floats, low: float, high: float) -> None:
    """Put a block where its members want to be on average, as far as the room allows."""
    members = block[0]
    inside = np.cumsum(widths[members]) - 0.5 * widths[members]
    start = float(np.mean(wanted[members] - inside))
    block[1] = max(low, min(start, high - float(widths[members].sum())))
