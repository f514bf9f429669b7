"""The arguments about one predicted number, on a number line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fgac.estimators.regressor import FGARegressor
from fgac.explanation.regression import RegressionArgument, RegressionExplanation
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_one_row
from fgac.plot._labels import plain, set_title, short
from fgac.plot._palette import BLUE, GREY, VERMILION, YELLOW, blend, ground, ink
from fgac.text.words import format_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Room on both sides of the line, as a share of the range of the training targets.
MARGIN = 0.1


class NumberLineDisplay:
    """The arguments about one predicted number: what each says is the least and the most.

    Every training row has a dot at its value, and a line from there to what it says: down to its "at least" (solid), or
    up to its "at most" (dashed). A hollow dot is the row's own target, where others contradict that. The largest "at
    least" and the smallest "at most" are the bounds, and the star in the middle between them is the prediction; the
    thick line behind it is the prediction interval, if the model has one. ``+2`` after a row: two rows that say the
    same. Make it by :meth:`from_estimator` or :meth:`from_explanation`.

    Parameters
    ----------
    explanation : RegressionExplanation

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    lines_least_, lines_most_ : list of Line2D
        From the value of a training row to what it says, strongest first.
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

    def __init__(self, explanation: RegressionExplanation) -> None:
        self.explanation = explanation

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        n_arguments: int = 3,
        y: Any = None,
        ids: Any = None,
        ax: Axes | None = None,
    ) -> Self:
        """Explain the prediction of one row, and draw it.

        Parameters
        ----------
        estimator : FGARegressor
            Fitted.
        X : frame or array of shape (1, n_features)
            The row.
        n_arguments : int, default=3
            How many on each side.
        y : array of shape (1,), optional
            Its value, if known.
        ids : array of shape (1,), optional
            What the row is called.
        ax : Axes, optional

        Returns
        -------
        NumberLineDisplay
        """
        pyplot()
        check_regressor(estimator)
        check_one_row(X)
        return cls.from_explanation(estimator.explain(X, n_arguments, y=y, ids=ids)[0], ax=ax)

    @classmethod
    def from_explanation(cls, explanation: RegressionExplanation, *, ax: Axes | None = None) -> Self:
        """Draw an explanation.

        Parameters
        ----------
        explanation : RegressionExplanation
            One of those that ``explain`` returns.
        ax : Axes, optional

        Returns
        -------
        NumberLineDisplay
        """
        pyplot()
        if not isinstance(explanation, RegressionExplanation):
            raise TypeError(
                f"explanation is of type {type(explanation).__name__}; expected one RegressionExplanation, such as "
                "model.explain(X)[0]"
            )
        return cls(explanation).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the lines.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.

        Returns
        -------
        NumberLineDisplay
        """
        told = self.explanation
        n_lines = len(told.at_least) + len(told.at_most) + 1
        self.ax_ = one_panel(ax, (6.8, 1.4 + 0.3 * n_lines))
        self.figure_: Any = self.ax_.figure
        self.lines_least_ = [self._line(y, a, BLUE) for y, a in enumerate(told.at_least)]
        middle = len(told.at_least)
        self.lines_most_ = [self._line(y, a, VERMILION) for y, a in enumerate(told.at_most, middle + 1)]
        self._mark_prediction(middle)
        self._name_axes(n_lines)
        return self

    def _line(self, y: int, argument: RegressionArgument, colour: str) -> Any:
        """What one training row says: from its value to the bound it gives."""
        ax, told = self.ax_, self.explanation
        least = colour == BLUE
        (line,) = ax.plot(
            [argument.fitted, argument.says],
            [y, y],
            color=colour,
            linewidth=2,
            linestyle="-" if least else "--",
            zorder=3,
        )
        ax.plot([argument.says], [y], marker="|", markersize=13, markeredgewidth=3, color=colour, zorder=4)
        ax.scatter([argument.fitted], [y], s=42, color=colour, marker="o" if least else "s", zorder=4)
        if abs(argument.target - argument.fitted) > 1e-3 * (told.most - told.least):
            marks: dict[str, Any] = {"facecolors": "none", "edgecolors": colour, "marker": "o" if least else "s"}
            ax.scatter([argument.target], [y], s=42, linewidths=1.2, zorder=3, **marks)
        return line

    def _mark_prediction(self, y: int) -> None:
        ax, told = self.ax_, self.explanation
        colour = ink(ax)
        self.span_ = ax.axvspan(told.lower, told.upper, color=blend(colour, ground(ax), 0.1), linewidth=0, zorder=0)
        for bound in (told.lower, told.upper):
            ax.axvline(bound, color=colour, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        if told.interval is not None:
            ends = [told.interval.lower, told.interval.upper]
            ax.plot(ends, [y, y], color=GREY, linewidth=7, alpha=0.35, solid_capstyle="butt", zorder=2)
        (self.interval_,) = ax.plot(
            [told.lower, told.upper], [y, y], color=colour, linewidth=2, marker="|", markersize=12, zorder=3
        )
        star: dict[str, Any] = {"s": 170, "marker": "*", "c": YELLOW, "edgecolors": "black", "linewidths": 0.9}
        self.prediction_ = ax.scatter([told.prediction], [y], zorder=5, **star)
        if told.truth is not None:
            ax.scatter([told.truth], [y], s=70, marker="x", c=[colour], linewidths=2, zorder=6)

    def _name_axes(self, n_lines: int) -> None:
        ax, told = self.ax_, self.explanation
        heights = np.arange(n_lines)
        left = [_called(a) for a in told.at_least] + ["together"] + [_called(a) for a in told.at_most]
        right = [f"≥ {format_number(a.says)}" for a in told.at_least]
        right += [f"{format_number(told.lower)} to {format_number(told.upper)}"]
        right += [f"≤ {format_number(a.says)}" for a in told.at_most]
        room = MARGIN * (told.most - told.least) or 1.0
        ax.set(xlim=(told.least - room, told.most + room), ylim=(n_lines - 0.4, -0.6))
        ax.set_yticks(heights, left, fontsize="small")
        beside = ax.secondary_yaxis("right")
        beside.set_yticks(heights, right, fontsize="small")
        for axis in (ax, beside):
            axis.tick_params(axis="y", length=0)
            plain(axis.get_yticklabels())
            axis.get_yticklabels()[len(told.at_least)].set_fontweight("bold")
        beside.spines["right"].set_visible(False)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.set_xlabel(f"value ({told.unit})" if told.unit else "value", parse_math=False)
        set_title(ax, _headline(told))


def check_regressor(estimator: Any) -> None:
    """Refuse what is no fitted regressor of ours."""
    if not isinstance(estimator, FGARegressor):
        raise TypeError(
            f"estimator is of type {type(estimator).__name__}; expected an FGARegressor. Of a search give "
            "best_estimator_, of a pipeline its last step, with X as it comes out of the steps before"
        )
    check_is_fitted(estimator)


def _called(argument: RegressionArgument) -> str:
    more = f" +{len(argument.alike)}" if argument.alike else ""
    return f"{short(argument.id, 18)}{more}"


def _headline(told: RegressionExplanation) -> str:
    """What was predicted, and what is true."""
    text = f"Row {short(told.id)}: predicted {format_number(told.prediction, told.unit)}"
    if told.truth is not None:
        text += f" (true ×: {format_number(told.truth, told.unit)})"
    if told.width >= 1:
        text += "\nThe training rows leave room for more than the range of all targets"
    return text
