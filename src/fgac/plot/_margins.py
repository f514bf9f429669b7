"""Rows in bins of their margin, and how many of each bin are right, with an interval: a picture of many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fgac._tolerances import DEGREE_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.plot._labels import set_title, set_xlabel, set_ylabel, short
from fgac.plot._palette import AGAINST, FOR, UNKNOWN, blend, ground, ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Bins between a margin of 0 and one of 1.
N_BINS = 10
# The share of intervals that hold the true share.
CONFIDENCE = 0.95
# Room above the bars for the numbers of rows, in degrees.
ROOM = 0.1


class Bins(NamedTuple):
    """Rows by their margin.

    Attributes
    ----------
    edges : of the bins, array of shape (n_bins + 1,)
    counts : how many rows are in each
    n_right : how many of them are right; None if nobody knows
    """

    edges: Floats
    counts: Ints
    n_right: Ints | None

    @property
    def share(self) -> Floats:
        """The share of right ones of each bin; nan where there are no rows."""
        if self.n_right is None:
            return np.full(len(self.counts), np.nan)
        filled = np.where(self.counts > 0, self.counts, 1)
        return np.where(self.counts > 0, self.n_right / filled, np.nan)

    def interval(self) -> tuple[Floats, Floats]:
        """The exact interval (Clopper and Pearson) of the share of every bin: 0 to 1 where there are no rows.

        >>> low, high = Bins(np.array([0.0, 1.0]), np.array([10]), np.array([10])).interval()
        >>> low.round(3), high
        (array([0.692]), array([1.]))
        """
        from scipy.stats import beta

        tail = (1.0 - CONFIDENCE) / 2.0
        n, k = self.counts, np.zeros_like(self.counts) if self.n_right is None else self.n_right
        # At the ends the quantile is that of no distribution.
        low = np.where(k > 0, beta.ppf(tail, np.maximum(k, 1), n - k + 1), 0.0)
        high = np.where(k < n, beta.ppf(1.0 - tail, k + 1, np.maximum(n - k, 1)), 1.0)
        return low, high


def margins(degrees: Floats, codes: Ints) -> Floats:
    """By how much the degree of one class of each row is above that of all others; 1 if there is only one class.

    >>> margins(np.array([[0.75, 0.5, 0.0], [0.75, 0.5, 0.0]]), np.array([0, 1]))
    array([ 0.25, -0.25])
    """
    each = np.arange(len(codes))
    others = degrees.copy()
    others[each, codes] = -np.inf
    return degrees[each, codes] - others.max(axis=1) if degrees.shape[1] > 1 else np.ones(len(codes))


def binned(margins: Floats, is_true: Bools | None) -> Bins:
    """Put rows into bins of equal width from 0, or from -1 if margins may be negative, to 1.

    >>> binned(np.array([0.05, 0.1, 1.0]), np.array([False, True, True])).counts.tolist()
    [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    n = N_BINS if margins.min(initial=0.0) >= 0 else 2 * N_BINS
    edges = np.linspace(1.0 - n / N_BINS, 1.0, n + 1)
    # Rounding must not move what lies on an edge; the last bin holds its upper edge, too.
    places = np.clip(np.searchsorted(edges, margins + DEGREE_TOL, side="right") - 1, 0, n - 1)
    counts = np.bincount(places, minlength=n)
    return Bins(edges, counts, None if is_true is None else np.bincount(places[is_true], minlength=n))


def draw_bins(ax: Axes, bins: Bins) -> tuple[list[Any], Any]:
    """Draw one bar per bin: the part that is right, and above it the part that is wrong; without truth, its count.

    Returns
    -------
    bars, whiskers
        Containers of the right ones and of the wrong ones, or of all; and the intervals, None without truth.
    """
    middle, width = 0.5 * (bins.edges[1:] + bins.edges[:-1]), 0.92 * np.diff(bins.edges)
    if bins.n_right is None:
        bars = ax.bar(middle, bins.counts, width=width, color=UNKNOWN, zorder=2)
        _write_counts(ax, middle, bins.counts, bins.counts.astype(np.float64))
        ax.set_ylim(0, 1.12 * max(1, bins.counts.max()))
        return [bars], None
    there = bins.counts > 0
    middle, width, share = middle[there], width[there], bins.share[there]
    right = ax.bar(middle, share, width=width, color=blend(FOR, ground(ax), 0.75), zorder=2)
    pale = blend(AGAINST, ground(ax), 0.35)
    wrong = ax.bar(
        middle, 1 - share, width=width, bottom=share, color=pale, edgecolor=AGAINST, hatch="////", linewidth=0, zorder=2
    )
    low, high = (end[there] for end in bins.interval())
    whiskers = ax.errorbar(
        middle, share, np.vstack([share - low, high - share]), fmt="o", color=ink(ax), markersize=4, capsize=3, zorder=4
    )
    _write_counts(ax, middle, bins.counts[there], np.ones(len(middle)))
    ax.set_ylim(0, 1 + ROOM)
    ax.set_yticks(np.linspace(0, 1, 6))
    return [right, wrong], whiskers


def name_axes(ax: Axes, bins: Bins, target: Any) -> None:
    """Say what margins are of, and what is counted; ``target`` is the one class, if it is the same for all rows."""
    there = np.flatnonzero(bins.counts)
    # Where there are no rows at either end there is nothing to see; 0 is where the prediction changes.
    ax.set_xlim(min(0.0, bins.edges[min(there)]) - 0.02, max(0.0, bins.edges[max(there) + 1]) + 0.02)
    name, n = "the predicted class" if target is None else f"class {short(target)}", bins.counts.sum()
    set_xlabel(ax, f"margin: by how much {name} is ahead of the next")
    ax.spines[["right", "top"]].set_visible(False)
    if bins.n_right is None:
        ax.set_ylabel("number of rows")
        set_title(ax, f"Margins of {n} rows")
        return
    share = "share right" if target is None else "share in the class"
    set_ylabel(ax, f"{share} (95\N{NO-BREAK SPACE}% interval)")
    set_title(ax, f"{'Accuracy' if target is None else f'Share of {name}'} by margin, of {n} rows")


def _write_counts(ax: Axes, middle: Floats, counts: Ints, heights: Floats) -> None:
    for x, count, height in zip(middle, counts, heights, strict=True):
        if count:
            ax.annotate(
                str(count),
                (x, height),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize="small",
                color=ink(ax),
            )
