"""The arguments about one predicted number, on a number line."""

from __future__ import annotations

from typing import Any

from fgac.explanation.regression import RegressionArgument, RegressionExplanation
from fgac.plot._checks import check_regressor
from fgac.plot._explanation import ExplanationDisplay, Line, row_name
from fgac.plot._labels import predicted_number, short, value_label
from fgac.plot._palette import AGAINST, FOR, NEUTRAL, STAR, TRUE, ink
from fgac.text.regression import all_targets
from fgac.text.words import format_number

# Room on both sides of the line, as a share of the range of the training targets.
MARGIN = 0.1
# A target that is nearer to the fitted value, as a share of that range, would hide behind its dot.
HIDDEN = 1e-3


class NumberLineDisplay(ExplanationDisplay[RegressionExplanation]):
    """The arguments about one predicted number: the bound that each training row sets.

    Every training row has a dot at its value, and a line from there to its bound: down to its "at least" (solid), or
    up to its "at most" (dashed). A hollow dot is the row's own target, where others contradict that. The largest "at
    least" and the smallest "at most" are the bounds, and the star in the middle between them is the prediction; the
    thick line behind it is the prediction interval, if the model has one. ``+2`` after a row: two rows that are the
    same argument. Make it by :meth:`from_estimator` or :meth:`from_explanation`.

    Parameters
    ----------
    explanation : RegressionExplanation

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    lines_least_, lines_most_ : list of Line2D
        From the value of a training row to its bound, strongest first.
    interval_ : Line2D
        From the lower to the upper bound.
    prediction_ : PathCollection
        The star.
    span_ : Polygon or Rectangle
        The shade between the bounds.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac.plot.number_line import NumberLineDisplay
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> display = NumberLineDisplay.from_estimator(model, [[2.0]])
    >>> display.ax_.get_title()
    'Row 0: predicted 22.5'
    >>> [line.get_xdata().tolist() for line in display.lines_least_]
    [[25.0, 15.0], [35.0, 15.0]]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    _KIND = RegressionExplanation
    _EXAMPLE = "model.explain(X)[0]"
    _LINE_HEIGHT = 0.3
    _FRAME_HEIGHT = 1.4

    @classmethod
    def _check_estimator(cls, estimator: Any) -> None:
        check_regressor(estimator)

    def _lines(self) -> list[Line]:
        why = self.explanation
        result = "together", f"{format_number(why.lower)} to {format_number(why.upper)}"
        return [
            *(Line(row_name(a, 18), f"≥ {format_number(a.says)}", a, 1) for a in why.at_least),
            Line(*result, is_bold=(True, True)),
            *(Line(row_name(a, 18), f"≤ {format_number(a.says)}", a, -1) for a in why.at_most),
        ]

    def _draw(self, lines: list[Line]) -> None:
        ax, why = self.ax_, self.explanation
        least, most = (FOR, "o", "-"), (AGAINST, "s", "--")
        self.lines_least_ = [self._line(y, line.argument, *least) for y, line in enumerate(lines) if line.side > 0]
        self.lines_most_ = [self._line(y, line.argument, *most) for y, line in enumerate(lines) if line.side < 0]
        self._mark_prediction(len(why.at_least))
        start, stop = why.shown
        room = MARGIN * (stop - start) or 1.0
        ax.set(xlim=(start - room, stop + room), ylim=(len(lines) - 0.4, -0.6))
        ax.set_xlabel(value_label(why), parse_math=False)

    def _line(self, y: int, argument: RegressionArgument, colour: str, marker: str, style: str) -> Any:
        """One training row: from its value to the bound that it sets."""
        ax, why = self.ax_, self.explanation
        (line,) = ax.plot(
            [argument.fitted, argument.says], [y, y], color=colour, linewidth=2, linestyle=style, zorder=3
        )
        ax.plot([argument.says], [y], marker="|", markersize=13, markeredgewidth=3, color=colour, zorder=4)
        ax.scatter([argument.fitted], [y], s=42, color=colour, marker=marker, zorder=4)
        if abs(argument.target - argument.fitted) > HIDDEN * (why.shown[1] - why.shown[0]):
            hollow: dict[str, Any] = {"facecolors": "none", "edgecolors": colour, "linewidths": 1.2}
            ax.scatter([argument.target], [y], s=42, marker=marker, zorder=3, **hollow)
        return line

    def _mark_prediction(self, y: int) -> None:
        """The prediction, its interval and the truth on a line of their own, the bounds through all lines."""
        ax, why = self.ax_, self.explanation
        colour = ink(ax)
        self._mark_bounds(why.lower, why.upper)
        if why.interval is not None:
            ends = [why.interval.lower, why.interval.upper]
            ax.plot(ends, [y, y], color=NEUTRAL, linewidth=7, alpha=0.35, solid_capstyle="butt", zorder=2)
        (self.interval_,) = ax.plot(
            [why.lower, why.upper], [y, y], color=colour, linewidth=2, marker="|", markersize=12, zorder=3
        )
        self.prediction_ = ax.scatter([why.prediction], [y], zorder=5, **STAR)
        if why.truth is not None:
            ax.scatter([why.truth], [y], s=70, marker="x", c=[TRUE], linewidths=2, zorder=6)

    def _headline(self) -> str:
        """The prediction and the true value."""
        why = self.explanation
        text = f"Row {short(why.id)}: predicted {predicted_number(why)}"
        if why.truth is not None:
            text += f" (true ×: {format_number(why.truth, why.unit)})"
        if why.resembles_nothing:
            text += "\nNo comparable case"
        elif why.width >= 1:
            text += f"\nThe training rows leave room for more than the range of {all_targets(why)}"
        return text
