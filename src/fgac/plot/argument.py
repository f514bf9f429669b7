"""The argument plot: the training rows that speak for one prediction, and those that speak against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from fgac.explanation.classification import Argument, Explanation
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_classifier, check_one_row
from fgac.plot._labels import degree, plain, set_title, short
from fgac.plot._palette import BLUE, VERMILION, YELLOW, blend, ground, ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Bars that are longer than this have room for a number inside.
ROOM = 0.25


class Line(NamedTuple):
    """One line of the picture: what stands to the left and to the right of the bars, and the argument, if it is one."""

    left: str
    right: str
    argument: Argument | None = None
    is_head: bool = False


class ArgumentDisplay:
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

    def __init__(self, explanation: Explanation) -> None:
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
        estimator : FGAClassifier
            Fitted.
        X : frame or array of shape (1, n_features)
            The row.
        n_arguments : int, default=3
            How many on each side.
        y : array of shape (1,), optional
            Its class, if known.
        ids : array of shape (1,), optional
            What the row is called.
        ax : Axes, optional

        Returns
        -------
        ArgumentDisplay
        """
        pyplot()
        check_classifier(estimator, fitted=True)
        check_one_row(X)
        return cls.from_explanation(estimator.explain(X, n_arguments, y=y, ids=ids)[0], ax=ax)

    @classmethod
    def from_explanation(cls, explanation: Explanation, *, ax: Axes | None = None) -> Self:
        """Draw an explanation.

        Parameters
        ----------
        explanation : Explanation
            One of those that ``explain`` returns.
        ax : Axes, optional

        Returns
        -------
        ArgumentDisplay
        """
        pyplot()
        if not isinstance(explanation, Explanation):
            raise TypeError(
                f"explanation is of type {type(explanation).__name__}; expected one Explanation, such as "
                "clf.explain(X)[0]"
            )
        return cls(explanation).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the bars.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.

        Returns
        -------
        ArgumentDisplay
        """
        told = self.explanation
        favour = self._lines("for", "similar, in it", told.arguments_for, told.rest_for)
        against = self._lines("against", "similar, not in it", told.arguments_against, told.rest_against)
        result = Line(f"degree {degree(told.degree)}", f"{degree(told.lower)} to {degree(told.upper)}", is_head=True)
        lines = [*favour, *against, result]
        self.ax_ = one_panel(ax, (6.8, 1.3 + 0.28 * len(lines)))
        self.figure_: Any = self.ax_.figure
        self.bars_for_ = [self._bar(y, line.argument, 1) for y, line in enumerate(favour) if line.argument]
        first = len(favour)
        self.bars_against_ = [self._bar(y, line.argument, -1) for y, line in enumerate(against, first) if line.argument]
        self._mark_interval(len(lines) - 1)
        self._name_axes(lines)
        return self

    def _lines(self, side: str, meaning: str, arguments: tuple[Argument, ...], rest: float) -> list[Line]:
        """The lines of one side, under a head."""
        weighted = rest != 0 or any(argument.weight not in (0.0, 1.0) for argument in arguments)
        lines = [Line(side, f"{meaning} × weight" if weighted else meaning, is_head=True)]
        for argument in arguments:
            more = f" +{len(argument.alike)}" if argument.alike else ""
            numbers = f"{degree(argument.similarity)}, {degree(argument.degree)}"
            weight = f" × {degree(argument.weight)}" if weighted else ""
            lines.append(
                Line(f"{short(argument.id, 14)}{more} ({short(argument.label, 16)})", numbers + weight, argument)
            )
        if rest != 0:
            lines.append(Line("all others", f"+ {degree(rest)}"))
        return lines if len(lines) > 1 else [*lines, Line("none", "")]

    def _bar(self, y: int, argument: Argument | None, direction: int) -> Any:
        """One bar, with its length written on it."""
        assert argument is not None
        ax, strength = self.ax_, argument.strength
        if direction > 0:
            (bar,) = ax.barh(y, strength, height=0.7, color=BLUE, zorder=2)
        else:
            face = blend(VERMILION, ground(ax), 0.35)
            (bar,) = ax.barh(
                y, strength, left=1 - strength, height=0.7, color=face, edgecolor=VERMILION, hatch="////", zorder=2
            )
        self._write_strength(y, strength, direction)
        return bar

    def _write_strength(self, y: int, strength: float, direction: int) -> None:
        """The length of a bar inside its end, or beyond it where the bar is short."""
        from matplotlib.patheffects import withStroke

        ax = self.ax_
        inside = strength > ROOM
        colour: Any = ink(ax)
        halo: Any = ground(ax)
        if inside:
            colour, halo = ("white", BLUE) if direction > 0 else (ink(ax), blend(VERMILION, ground(ax), 0.35))
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
        ax, told = self.ax_, self.explanation
        colour = ink(ax)
        self.span_ = ax.axvspan(told.lower, told.upper, color=blend(colour, ground(ax), 0.1), linewidth=0, zorder=0)
        for bound in (told.lower, told.upper):
            ax.axvline(bound, color=colour, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        ends: dict[str, Any] = {"marker": "|", "markersize": 12, "markeredgewidth": 2, "clip_on": False}
        (self.interval_,) = ax.plot([told.lower, told.upper], [y, y], color=colour, linewidth=2, zorder=3, **ends)
        self.degree_ = ax.scatter(
            [told.degree], [y], s=170, marker="*", c=YELLOW, edgecolors="black", linewidths=0.9, zorder=4, clip_on=False
        )

    def _name_axes(self, lines: list[Line]) -> None:
        ax, told = self.ax_, self.explanation
        heights = np.arange(len(lines))
        ax.set(xlim=(0, 1), ylim=(len(lines) - 0.4, -0.5), xticks=np.linspace(0, 1, 6))
        ax.set_yticks(heights, [line.left for line in lines], fontsize="small")
        beside = ax.secondary_yaxis("right")
        beside.set_yticks(heights, [line.right for line in lines], fontsize="small")
        for axis in (ax, beside):
            axis.tick_params(axis="y", length=0)
            plain(axis.get_yticklabels())
            for label, line in zip(axis.get_yticklabels(), lines, strict=True):
                label.set_fontweight("bold" if line.is_head and axis is ax else "normal")
        beside.spines["right"].set_visible(False)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.set_xlabel(f"membership in {short(told.prediction)}", parse_math=False)
        set_title(ax, _headline(told))


def _headline(told: Explanation) -> str:
    """What was predicted, and what else there is to know before looking at the bars."""
    text = f"Row {short(told.id)}: predicted {short(told.prediction)}"
    others = [label for label in told.tied if label != told.prediction]
    if told.truth is not None:
        text += " (right)" if told.truth == told.prediction else f" (wrong: it is {short(told.truth)})"
    if told.resembles_nothing:
        text += "\nNo training row resembles it"
        if told.nearest is not None:
            text += f"; the nearest is {short(told.nearest.id)}"
    elif others:
        text += f"\nTied with {', '.join(short(label) for label in others[:3])}{', ...' if len(others) > 3 else ''}"
    return text
