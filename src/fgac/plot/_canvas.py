"""Where a Display draws: on a figure of its own, or on axes that the caller gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# The width and height of new figures, where somebody asked for that.
SIZE: ContextVar[tuple[float, float] | None] = ContextVar("SIZE", default=None)


def pyplot() -> Any:
    """Return ``matplotlib.pyplot``, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("fgac.plot needs matplotlib, which is not installed: pip install 'fgac[plot]'") from error
    return plt


def one_panel(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the axes given, or those of a new figure, which lays itself out."""
    if ax is None:
        return pyplot().subplots(figsize=_for_font(size), layout="constrained")[1]
    # Axes are known by what is asked of them, so that this module loads without matplotlib.
    if not hasattr(ax, "get_subplotspec"):
        raise TypeError(f"ax is of type {type(ax).__name__}; expected matplotlib axes, or None for a new figure")
    return ax


def many_panels(
    ax: Axes | Sequence[Axes] | NDArray[Any] | None,
    n: int,
    *,
    n_columns: int,
    size: tuple[float, float],
    sharex: bool = True,
    sharey: bool = False,
) -> NDArray[Any]:
    """Return n panels: on a new figure, as a division of one given axes, or the n axes given."""
    shape = -(-n // n_columns), n_columns
    if ax is None:
        grid: Any = pyplot().figure(figsize=_for_font(size), layout="constrained").add_gridspec(*shape)
    elif hasattr(ax, "get_subplotspec"):
        if n == 1:
            return _objects([ax])
        grid = _division(ax, shape)
    else:
        return _given(ax, n)
    panels = grid.subplots(sharex=sharex, sharey=sharey, squeeze=False).ravel()
    for panel in panels[n:]:  # the last row of the grid need not be full
        panel.remove()
    if ax is not None:
        for panel in panels[:n]:
            dress(panel, ax)
    return _objects(panels[:n])


def dress(panel: Any, ax: Any) -> None:
    """Give new axes the colours of others, which may have been made in another style."""
    colour = ax.xaxis.label.get_color()
    panel.set_facecolor(ax.get_facecolor())
    panel.tick_params(which="both", colors=colour)
    for text in (panel.title, panel.xaxis.label, panel.yaxis.label):
        text.set_color(colour)
    for side, spine in panel.spines.items():
        spine.set_edgecolor(ax.spines[side].get_edgecolor() if side in ax.spines else colour)


@contextmanager
def figures_of_size(inches: tuple[float, float] | None) -> Iterator[None]:
    """New figures made inside have this width and height; None leaves each display its own.

    Titles and legends are laid out for the width that a figure has when it is drawn, and do not follow later changes.
    """
    before = SIZE.set(inches)
    try:
        yield
    finally:
        SIZE.reset(before)


def _for_font(size: tuple[float, float]) -> tuple[float, float]:
    """Larger figures for larger letters; sizes are meant for letters of 10 points."""
    asked = SIZE.get()
    if asked is not None:
        return asked
    # Smaller letters leave sizes as they are: what is drawn does not shrink with them.
    factor = max(1.0, float(pyplot().rcParams["font.size"]) / 10.0)
    return size[0] * factor, size[1] * factor


def _division(ax: Any, shape: tuple[int, int]) -> Any:
    """The place of some axes, divided; the axes themselves stay, invisible, as their frame."""
    place = ax.get_subplotspec()
    if place is None:
        raise ValueError(
            f"ax stands at a fixed place, which cannot be divided into {shape[0]} x {shape[1]} panels; give axes made "
            "by subplots(), or one axes for every panel"
        )
    ax.set_axis_off()
    return place.subgridspec(*shape)


def _given(axes: Any, n: int) -> NDArray[Any]:
    panels = list(np.ravel(np.asarray(axes, dtype=object)))
    if not all(hasattr(panel, "get_subplotspec") for panel in panels):
        raise TypeError(f"ax is of type {type(axes).__name__}; expected matplotlib axes, an array of them, or None")
    if len(panels) != n:
        raise ValueError(f"there are {n} panels to draw, got {len(panels)} axes; give {n}, or one to divide")
    return _objects(panels)


def _objects(panels: Any) -> NDArray[Any]:
    array = np.empty(len(panels), dtype=object)
    array[:] = list(panels)
    return array
