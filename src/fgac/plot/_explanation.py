"""The picture of one explanation: a line for every training row that is an argument, and the bounds they set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from fgac.explanation.arguments import BaseArgument
from fgac.explanation.base import BaseExplanation
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_one_row
from fgac.plot._labels import plain, set_title, short
from fgac.plot._palette import blend, ground, ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes

E = TypeVar("E", bound=BaseExplanation)


class Line(NamedTuple):
    """One line of the picture.

    Attributes
    ----------
    left, right : str
        The texts at its ends.
    argument : BaseArgument or None
        The training row that it draws.
    side : int
        1 for the first of the two sides on which arguments stand, -1 for the second, 0 if it draws no argument.
    is_bold : (bool, bool)
        Whether the text to the left, and to the right, is in bold.
    """

    left: str
    right: str
    argument: Any = None
    side: int = 0
    is_bold: tuple[bool, bool] = (False, False)


class ExplanationDisplay(Generic[E]):
    """The part of a picture that is the same for explanations of all kinds of models.

    A subclass names its kind of explanation in ``_KIND``, gives the lines from top to bottom in ``_lines`` and the
    title in ``_headline``, and draws in ``_draw`` between the texts of the lines.

    Parameters
    ----------
    explanation : Explanation, RegressionExplanation
        As the subclass takes it.
    """

    # The class of the explanations, and what to write to get one.
    _KIND: ClassVar[type[BaseExplanation]]
    _EXAMPLE: ClassVar[str]
    # Heights in inches of a line, and of everything above and below the lines.
    _LINE_HEIGHT: ClassVar[float]
    _FRAME_HEIGHT: ClassVar[float]

    def __init__(self, explanation: E) -> None:
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
        estimator : FGAClassifier or FGARegressor
            Fitted, of the kind whose predictions this picture shows.
        X : frame or array of shape (1, n_features)
            The row.
        n_arguments : int, default=3
            How many on each side.
        y : array of shape (1,), optional
            Its class or value, if known.
        ids : array of shape (1,), optional
            What the row is called.
        ax : Axes, optional

        Returns
        -------
        ExplanationDisplay
        """
        pyplot()
        cls._check_estimator(estimator)
        check_one_row(X)
        return cls.from_explanation(estimator.explain(X, n_arguments, y=y, ids=ids)[0], ax=ax)

    @classmethod
    def from_explanation(cls, explanation: E, *, ax: Axes | None = None) -> Self:
        """Draw an explanation.

        Parameters
        ----------
        explanation : Explanation or RegressionExplanation
            One of those that ``explain`` returns.
        ax : Axes, optional

        Returns
        -------
        ExplanationDisplay
        """
        pyplot()
        if not isinstance(explanation, cls._KIND):
            raise TypeError(
                f"explanation is of type {type(explanation).__name__}; expected one {cls._KIND.__name__}, such as "
                f"{cls._EXAMPLE}"
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
        ExplanationDisplay
        """
        lines = self._lines()
        self.ax_ = one_panel(ax, (6.8, self._FRAME_HEIGHT + self._LINE_HEIGHT * len(lines)))
        self.figure_: Any = self.ax_.figure
        self._draw(lines)
        self._name_lines(lines)
        set_title(self.ax_, self._headline())
        return self

    # ------------------------------------------------------------------------------------------------
    # What kinds of explanations supply
    # ------------------------------------------------------------------------------------------------

    @classmethod
    def _check_estimator(cls, estimator: Any) -> None:
        """Refuse estimators whose explanations are of another kind."""
        raise NotImplementedError

    def _lines(self) -> list[Line]:
        """The lines from top to bottom."""
        raise NotImplementedError

    def _headline(self) -> str:
        """The title."""
        raise NotImplementedError

    def _draw(self, lines: list[Line]) -> None:
        """Draw the arguments and the prediction, line y at height y, and set the limits of the axes."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------
    # What they share
    # ------------------------------------------------------------------------------------------------

    def _mark_bounds(self, lower: float, upper: float) -> None:
        """Shade what lies between the bounds, and let their edges run through all lines."""
        ax, colour = self.ax_, ink(self.ax_)
        self.span_ = ax.axvspan(lower, upper, color=blend(colour, ground(ax), 0.1), linewidth=0, zorder=0)
        for bound in (lower, upper):
            ax.axvline(bound, color=colour, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)

    def _name_lines(self, lines: list[Line]) -> None:
        """Write the texts of the lines where ticks have their labels, so that the layout makes room for them."""
        ax, heights = self.ax_, np.arange(len(lines))
        ax.set_yticks(heights, [line.left for line in lines], fontsize="small")
        beside: Any = ax.secondary_yaxis("right")
        beside.set_yticks(heights, [line.right for line in lines], fontsize="small")
        for end, axis in enumerate((ax, beside)):
            axis.tick_params(axis="y", length=0)
            plain(axis.get_yticklabels())
            for label, line in zip(axis.get_yticklabels(), lines, strict=True):
                label.set_fontweight("bold" if line.is_bold[end] else "normal")
        beside.spines["right"].set_visible(False)
        ax.spines[["left", "right", "top"]].set_visible(False)


def row_name(argument: BaseArgument, width: int) -> str:
    """The name of a training row, and how many others are the same argument."""
    return short(argument.id, width) + (f" +{len(argument.alike)}" if argument.alike else "")
