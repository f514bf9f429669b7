"""How time grows with the number of rows: exponents, and the picture that shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

# Colours of Okabe and Ito, which every kind of eye tells apart; the labels stand beside the lines all the same.
LOOKS: dict[str, dict[str, Any]] = {
    "fgac": {"color": "#0072b2", "marker": "o", "linewidth": 2.5},
    "PIQP": {"color": "#d55e00", "marker": "s"},
    "Clarabel": {"color": "#009e73", "marker": "^"},
    "distance pass": {"color": "#666666", "linestyle": "--"},
}
# Where the label stands, in points from the last mark: the two general solvers are close, so one stands on each side.
PLACES = {"fgac": (8, 4), "PIQP": (10, -8), "Clarabel": (-9, 5), "distance pass": (8, -4)}


class Line(NamedTuple):
    """Seconds of one contender by number of rows, and the size at which it gave up, if it did."""

    name: str
    sizes: Sequence[int]
    seconds: Sequence[float]
    from_n: int = 0
    """Sizes below do not count for the exponent: fixed costs rule there."""
    gave_up: tuple[int, str] | None = None
    """Rows, and the reason: ``time`` or ``memory``."""

    def exponent(self, last: int | None = None) -> float | None:
        """Slope of log seconds against log rows, by least squares over all sizes that count or the last few."""
        counted = [(n, t) for n, t in zip(self.sizes, self.seconds, strict=True) if n >= self.from_n]
        counted = counted[-last:] if last else counted
        if len(counted) < 2:
            return None
        return float(np.polyfit(*np.log(np.array(counted, dtype=float)).T, 1)[0])


def draw(panels: Mapping[str, Sequence[Line]], limit: float, path: Path) -> None:
    """Draw one panel per title, on common axes, every line labelled at its end, and save it."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    size = (5.2 * len(panels), 4.6)
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharex=True, sharey=True, layout="constrained")
    for ax, (title, lines) in zip(np.atleast_1d(axes), panels.items(), strict=True):
        ax.set(title=title, xscale="log", yscale="log", xlabel="training rows")
        for line in lines:
            _draw_line(ax, line)
        _mark_giving_up(ax, lines, limit)
        sizes = [n for line in lines for n in line.sizes]
        ax.set_xlim(min(sizes) / 2, max(sizes) * 12)  # room for the labels
        ax.grid(alpha=0.3)
        ax.spines[["top", "right"]].set_visible(False)
    np.atleast_1d(axes)[0].set_ylabel("seconds")
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date and no version in the file: the same numbers give the same picture.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def _draw_line(ax: Any, line: Line) -> None:
    if not line.sizes:
        return
    look = LOOKS[line.name]
    ax.plot(line.sizes, line.seconds, markersize=5, **look)
    power = line.exponent()
    label = line.name if power is None else f"{line.name} $n^{{{power:.1f}}}$"
    end, place = (line.sizes[-1], line.seconds[-1]), PLACES[line.name]
    side = "left" if place[0] > 0 else "right"
    ax.annotate(label, end, place, textcoords="offset points", ha=side, va="center", color=look["color"], fontsize=9)


def _mark_giving_up(ax: Any, lines: Sequence[Line], limit: float) -> None:
    """A cross where a line ends because the next size took too long or did not fit into memory."""
    for line in lines:
        if line.gave_up is None or not line.sizes:
            continue
        n, _ = line.gave_up
        colour = LOOKS[line.name]["color"]
        ax.plot([line.sizes[-1], n], [line.seconds[-1], limit], color=colour, linestyle=":", linewidth=1)
        ax.plot([n], [limit], color=colour, marker="x", markersize=8)
    gone = {line.gave_up[1] for line in lines if line.gave_up}
    if gone:
        reason = {"time": f"not done in {limit:g} s", "memory": "out of memory", "failed": "failed"}
        ax.plot([], [], color="black", marker="x", linestyle="", label=" / ".join(reason[why] for why in sorted(gone)))
        ax.legend(loc="lower right", frameon=False, fontsize=9)
