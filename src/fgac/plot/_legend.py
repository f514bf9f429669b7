"""Legends that keep clear of what they explain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fgac.plot._labels import LETTER, plain
from fgac.plot._palette import ground, ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend


def legend_beside(ax: Axes, handles: Sequence[Any], labels: Sequence[str], *, own: bool, title: str = "") -> Legend:
    """A legend: below everything on a figure of our own, in the best corner of axes that were given."""
    # matplotlib leaves out entries with a leading underscore, but names of classes may have one.
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
