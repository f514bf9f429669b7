"""The arguments about one predicted class: training rows that speak for it, and training rows against it."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac.explanation.classification import Argument, Explanation
from fgac.plot._checks import check_classifier
from fgac.plot._explanation import ExplanationDisplay, Line, row_name
from fgac.plot._labels import degree, short, short_class
from fgac.plot._palette import AGAINST, FOR, ON_BARS, STAR, blend, ground, ink

# Bars of a larger strength have room for a number inside.
ROOM = 0.25


class ArgumentDisplay(ExplanationDisplay[Explanation]):
    """The arguments about one prediction, as bars from both sides.

    Rows that are similar and in the predicted class push the membership up from 0, rows that are similar and not in
    it push it down from 1. The longest bars are the lower and the upper bound (with OWA, weighted sums of bars are),
    and the degree lies between them. To the left of every bar stands the training row and its class (``+2``: two rows
    that say the same), to the right how similar it is and how much it is, or is not, in the predicted class. Make it
    by :meth:`from_estimator` or :meth:`from_explanation`.

    Parameters
    ----------
    explanation : Explanation

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    bars_for_, bars_against_ : list of Rectangle
        Strongest first; their widths are the strengths.
    interval_ : Line2D
        From the lower to the upper bound.
    degree_ : PathCollection
        The star at the degree.
    span_ : Polygon or Rectangle
        The shade between the bounds.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac import FGAClassifier
    >>> from fgac.plot import ArgumentDisplay
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> display = ArgumentDisplay.from_estimator(clf, [[0.2]])
    >>> display.ax_.get_title()
    'Row 0: predicted low'
    >>> [f"{bar.get_width():.2f}" for bar in display.bars_for_]
    ['0.80', '0.60']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    _KIND = Explanation
    _EXAMPLE = "clf.explain(X)[0]"
    _LINE_HEIGHT = 0.28
    _FRAME_HEIGHT = 1.3

    @classmethod
    def _check_estimator(cls, estimator: Any) -> None:
        check_classifier(estimator, fitted=True)

    def _lines(self) -> list[Line]:
        why = self.explanation
        result = f"degree {degree(why.degree)}", f"{degree(why.lower)} to {degree(why.upper)}"
        return [
            *_side_lines(1, "for", "similar, in it", why.arguments_for, why.rest_for),
            *_side_lines(-1, "against", "similar, not in it", why.arguments_against, why.rest_against),
            Line(*result, is_bold=(True, False)),
        ]

    def _draw(self, lines: list[Line]) -> None:
        arguments = [(y, line) for y, line in enumerate(lines) if line.argument is not None]
        self.bars_for_ = [self._bar(y, line.argument, 1) for y, line in arguments if line.side > 0]
        self.bars_against_ = [self._bar(y, line.argument, -1) for y, line in arguments if line.side < 0]
        self._mark_interval(len(lines) - 1)
        self.ax_.set(xlim=(0, 1), ylim=(len(lines) - 0.4, -0.5), xticks=np.linspace(0, 1, 6))
        self.ax_.set_xlabel(f"membership in {short(self.explanation.subject)}", parse_math=False)

    def _bar(self, y: int, argument: Argument, direction: int) -> Any:
        """One bar, with its length written on it."""
        ax, strength = self.ax_, argument.strength
        if direction > 0:
            (bar,) = ax.barh(y, strength, height=0.7, color=FOR, zorder=2)
        else:
            face = blend(AGAINST, ground(ax), 0.35)
            (bar,) = ax.barh(
                y, strength, left=1 - strength, height=0.7, color=face, edgecolor=AGAINST, hatch="////", zorder=2
            )
        self._write_strength(y, strength, direction)
        return bar

    def _write_strength(self, y: int, strength: float, direction: int) -> None:
        """The length of a bar inside its end, or beyond it where the bar is short."""
        from matplotlib.patheffects import withStroke

        ax = self.ax_
        inside = strength > ROOM
        # A halo in the colour behind the number keeps it legible across hatches and edges.
        colour: Any = ink(ax)
        halo: Any = ground(ax)
        if inside:
            colour, halo = (ON_BARS, FOR) if direction > 0 else (ink(ax), blend(AGAINST, ground(ax), 0.35))
        towards = -direction if inside else direction
        ax.annotate(
            degree(strength),
            (strength if direction > 0 else 1 - strength, y),
            xytext=(4 * towards, 0),
            textcoords="offset points",
            ha="left" if towards > 0 else "right",
            va="center_baseline",
            fontsize="small",
            color=colour,
            path_effects=[withStroke(linewidth=3, foreground=halo)],
            zorder=5,
        )

    def _mark_interval(self, y: int) -> None:
        """The interval and the degree on a line of their own, the bounds through all lines."""
        ax, why = self.ax_, self.explanation
        self._mark_bounds(why.lower, why.upper)
        ends: dict[str, Any] = {"marker": "|", "markersize": 12, "markeredgewidth": 2, "clip_on": False}
        (self.interval_,) = ax.plot([why.lower, why.upper], [y, y], color=ink(ax), linewidth=2, zorder=3, **ends)
        self.degree_ = ax.scatter([why.degree], [y], zorder=4, clip_on=False, **STAR)

    def _headline(self) -> str:
        """The prediction, whether it is right, and what else to know before looking at the bars."""
        why = self.explanation
        text = f"Row {short(why.id)}: predicted {short_class(why.prediction, why.target)}"
        others = [label for label in why.tied if label != why.prediction]
        if why.truth is not None:
            truth = short_class(why.truth, why.target)
            text += " (right)" if why.truth == why.prediction else f" (wrong: it is {truth})"
        if why.about is not None:
            text += f"\nAbout {short_class(why.about, why.target)}"
        if why.resembles_nothing:
            text += "\nNo comparable case"
            if why.nearest is not None:
                text += f"; the nearest is {short(why.nearest.id)}"
        elif others:
            names = ", ".join(short_class(label, why.target) for label in others[:3])
            text += f"\nTied with {names}{', ...' if len(others) > 3 else ''}"
        return text


def _side_lines(side: int, name: str, meaning: str, arguments: tuple[Argument, ...], rest: float) -> list[Line]:
    """The lines of one side, under a head."""
    # Without OWA the strongest argument counts, with weight 1, and all others with 0: there is nothing to write down.
    weighted = rest != 0 or any(argument.weight not in (0.0, 1.0) for argument in arguments)
    lines = [Line(name, f"{meaning} × weight" if weighted else meaning, is_bold=(True, False))]
    for argument in arguments:
        numbers = f"{degree(argument.similarity)}, {degree(argument.degree)}"
        weight = f" × {degree(argument.weight)}" if weighted else ""
        lines.append(Line(f"{row_name(argument, 14)} ({short(argument.label, 16)})", numbers + weight, argument, side))
    if rest != 0:
        lines.append(Line("all others", f"+ {degree(rest)}"))
    return lines if len(lines) > 1 else [*lines, Line("none", "")]
