"""The curve of a regressor along one feature, between the bounds that the training rows set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fgac._typing import Floats
from fgac.estimators._state import RegressorState, state_of
from fgac.explanation.regression import RegressionArgument, RegressionExplanation
from fgac.granular.extension import Bounds, Interval
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_regressor, n_rows
from fgac.plot._curve import curve_of, feature_column, training_points
from fgac.plot._labels import predicted_number, set_title, short, value_label
from fgac.plot._legend import legend_beside
from fgac.plot._palette import AGAINST, FOR, NEUTRAL, STAR, TRUE, blend, ground, ink
from fgac.tables.value_kinds import DATES, days_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class RegressionDisplay:
    """Prediction, bounds and interval along one feature.

    With a model of one column the training rows are drawn too: hollow dots are targets, filled dots the values they are
    taken to have, and a thin line joins the two where they differ. A row that is given is a star, and lines lead
    to it from the training rows that say what it is at least (solid) and at most (dashed). With more columns the curve
    shows what becomes of the prediction of one row if a single feature changes. Make it by :meth:`from_estimator`.

    Parameters
    ----------
    grid : array of shape (n_points,)
        Values of the feature.
    bounds : Bounds
        Lower bound, upper bound and prediction at each.
    interval : Interval or None
        Ends of the prediction interval, if the model has one.
    name : str
        The feature.
    training : array of shape (n_rows, 3) or None
        Feature, target and fitted value of the training rows.
    explanation : RegressionExplanation or None
        Of the row that is marked.
    place : float or None
        The feature of that row.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    line_ : Line2D
        The prediction.
    envelope_ : PolyCollection
        The shade between the bounds.
    interval_ : list of Line2D
        The ends of the interval; empty if there is none.
    targets_, fitted_ : PathCollection or None
        The training rows.
    star_ : PathCollection or None
        The row that is marked.
    arguments_ : list of Line2D
        The lines that lead to it.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac.plot.regression import RegressionDisplay
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> display = RegressionDisplay.from_estimator(model, [[2.0]])
    >>> display.ax_.get_title(), len(display.arguments_)
    ('Row 0: predicted 22.5', 4)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        grid: Floats,
        bounds: Bounds,
        interval: Interval | None,
        name: str,
        training: Floats | None = None,
        explanation: RegressionExplanation | None = None,
        place: float | None = None,
    ) -> None:
        self.grid, self.bounds, self.interval, self.name = grid, bounds, interval, name
        self.training, self.explanation, self.place = training, explanation, place

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        *,
        feature: str | int | None = None,
        n_arguments: int = 3,
        n_points: int = 400,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the curve of a fitted regressor.

        Parameters
        ----------
        estimator : FGARegressor
            Fitted, with columns (not on distances).
        X : frame or array of shape (1, n_features), optional
            One row, to be marked; needed if the model has more than one column.
        feature : str or int, optional
            Name or position of the feature that changes; needed if the model has more than one column.
        n_arguments : int, default=3
            How many arguments on each side are drawn.
        n_points : int, default=400
            Number of points of the curve.
        ax : Axes, optional

        Returns
        -------
        RegressionDisplay
        """
        pyplot()
        check_regressor(estimator)
        state: RegressorState = state_of(estimator)
        column, n_columns = feature_column(state, feature), state.header.n_features
        if X is None and n_columns > 1:
            raise ValueError(
                f"the model has {n_columns} columns; give one row as X, whose prediction is followed as "
                "one attribute changes"
            )
        if X is not None and len(np.shape(X)) == 2 and n_rows(X) != 1:
            raise ValueError(f"X has {n_rows(X)} rows; one is marked, so give one row, such as X[:1]")
        explanation = None if X is None else estimator.explain(X, n_arguments)[0]
        # Rows of several columns would lie beside the curve, which is that of one row.
        training = training_points(state) if n_columns == 1 else None
        curve = curve_of(estimator, X, column, n_points)
        display = cls(curve.grid, curve.bounds, curve.interval, curve.name, training, explanation, curve.place).plot(ax)
        if curve.is_date:
            display.ax_.xaxis_date()  # matplotlib counts days from the same day
        return display

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.

        Returns
        -------
        RegressionDisplay
        """
        own = ax is None
        self.ax_ = ax = one_panel(ax, (6.4, 4.4))
        self.figure_: Any = ax.figure
        entries: dict[str, Any] = {}  # of the legend, in its order
        face = blend(NEUTRAL, ground(ax), 0.2)
        self.envelope_ = ax.fill_between(
            self.grid, self.bounds.lower, self.bounds.upper, color=face, linewidth=0, zorder=1
        )
        entries["at least, at most"] = self.envelope_
        (self.line_,) = ax.plot(self.grid, self.bounds.prediction, color=ink(ax), linewidth=1.8, zorder=4)
        entries["prediction"] = self.line_
        self._draw_interval(entries)
        self._draw_training(entries)
        self._draw_arguments(entries)
        self._name_axes()
        self.legend_ = legend_beside(ax, list(entries.values()), list(entries), own=own)
        return self

    def _draw_interval(self, entries: dict[str, Any]) -> None:
        self.interval_: list[Any] = []
        for end in self.interval or ():
            (line,) = self.ax_.plot(self.grid, end, color=NEUTRAL, linewidth=1.4, linestyle="-.", zorder=3)
            self.interval_.append(line)
            entries["interval"] = line

    def _draw_training(self, entries: dict[str, Any]) -> None:
        self.targets_ = self.fitted_ = None
        if self.training is None:
            return
        ax, (x, targets, fitted) = self.ax_, self.training.T
        colour = TRUE
        ax.vlines(x, targets, fitted, color=blend(colour, ground(ax), 0.4), linewidth=0.7, zorder=2)
        self.targets_ = ax.scatter(
            x, targets, s=26, facecolors=[ground(ax)], edgecolors=[colour], linewidths=0.9, zorder=5
        )
        self.fitted_ = ax.scatter(x, fitted, s=12, c=[colour], zorder=5)
        # Filled dots are the smaller ones, so that a row whose target is believed shows both.
        entries["target"], entries["taken as"] = self.targets_, self.fitted_

    def _draw_arguments(self, entries: dict[str, Any]) -> None:
        self.arguments_: list[Any] = []
        self.star_ = None
        why, place = self.explanation, self.place
        if why is None or place is None:
            return
        if self.training is not None:
            self._lead(why.at_least, place, FOR, "-", "says at least", entries)
            self._lead(why.at_most, place, AGAINST, "--", "says at most", entries)
        ends: dict[str, Any] = {"marker": "_", "markersize": 12, "color": ink(self.ax_), "linewidth": 1.4}
        self.ax_.plot([place, place], [why.lower, why.upper], zorder=6, **ends)
        self.star_ = self.ax_.scatter([place], [why.prediction], zorder=7, **STAR)
        entries["this row"] = self.star_

    def _lead(
        self,
        arguments: tuple[RegressionArgument, ...],
        place: float,
        colour: str,
        style: str,
        label: str,
        entries: dict[str, Any],
    ) -> None:
        """Lines from the values of training rows to the bounds that they set at the marked row."""
        for argument in arguments:
            x = argument.attributes[0].value
            if isinstance(x, str) and self.explanation is not None and self.explanation.attributes[0].kind in DATES:
                x = days_in(x)
            if not isinstance(x, int | float):
                continue  # the model keeps no values
            (line,) = self.ax_.plot(
                [x, place], [argument.fitted, argument.says], color=colour, linestyle=style, linewidth=1.3, zorder=5
            )
            self.arguments_.append(line)
            entries[label] = line

    def _name_axes(self) -> None:
        ax, why = self.ax_, self.explanation
        ax.set_xlabel(short(self.name), parse_math=False)
        ax.set_ylabel("value" if why is None else value_label(why), parse_math=False)
        ax.set_xlim(float(self.grid[0]), float(self.grid[-1]))
        ax.spines[["right", "top"]].set_visible(False)
        title = "Prediction and what training rows leave room for"
        if why is not None:
            title = f"Row {short(why.id)}: predicted {predicted_number(why)}"
        set_title(ax, title)
