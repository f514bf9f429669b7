"""The curve of a regressor along one attribute, with what the training rows leave room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fgac._typing import Floats
from fgac.estimators._state import state_of
from fgac.estimators.regressor import FGARegressor
from fgac.explanation.regression import RegressionArgument, RegressionExplanation
from fgac.granular.extension import Bounds, Interval
from fgac.metrics.distances import Rows
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import n_rows
from fgac.plot._labels import set_title, short
from fgac.plot._palette import BLUE, GREEN, VERMILION, YELLOW, blend, ground, ink, legend_beside
from fgac.plot.number_line import check_regressor
from fgac.tables.column_values import NumericColumn, ReadColumn

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class RegressionDisplay:
    """Prediction, bounds and interval along one attribute.

    With a model of one column the training rows are drawn too: hollow dots are targets, filled dots the values they are
    taken to have, and a thin line joins the two where they differ. A row that is given is a star, and lines lead
    to it from the training rows that say what it is at least (solid) and at most (dashed). With more columns the curve
    shows what becomes of the prediction of one row if a single attribute changes. Make it by :meth:`from_estimator`.

    Parameters
    ----------
    grid : array of shape (n_points,)
        Values of the attribute.
    bounds : Bounds
        Lower bound, upper bound and prediction at each.
    interval : Interval or None
        Ends of the prediction interval, if the model has one.
    name : str
        The attribute.
    training : array of shape (n_rows, 3) or None
        Attribute, target and fitted value of the training rows.
    explanation : RegressionExplanation or None
        Of the row that is marked.
    place : float or None
        The attribute of that row.

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
            Name or position of the attribute that changes; needed if the model has more than one column.
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
        column = _column(estimator, feature)
        if X is None and estimator.n_features_in_ > 1:
            raise ValueError(
                f"the model has {estimator.n_features_in_} columns; give one row as X, whose prediction is followed as "
                "one attribute changes"
            )
        if X is not None and len(np.shape(X)) == 2 and n_rows(X) != 1:
            raise ValueError(f"X has {n_rows(X)} rows; one is marked, so give one row, such as X[:1]")
        told = None if X is None else estimator.explain(X, n_arguments)[0]
        values = [] if X is None else estimator._read_rows_and_values(X)[1]
        place = None if X is None else float(values[column].value(0))
        training = _training(estimator) if estimator.n_features_in_ == 1 else None
        grid = _grid(estimator, column, place, n_points)
        rows = _varied(estimator, values, column, grid)
        state = state_of(estimator)
        bounds = state.bounds(rows)
        interval = state.prediction_interval(rows) if state.interval_ends else None
        name = state.column_names[column]
        return cls(grid, bounds, interval, name, training, told, place).plot(ax)

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
        entries: dict[str, Any] = {}
        face = blend(BLUE, ground(ax), 0.18)
        self.envelope_ = ax.fill_between(
            self.grid, self.bounds.lower, self.bounds.upper, color=face, linewidth=0, zorder=1
        )
        entries["at least, at most"] = self.envelope_
        (self.line_,) = ax.plot(self.grid, self.bounds.prediction, color=BLUE, linewidth=1.8, zorder=4)
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
            (line,) = self.ax_.plot(self.grid, end, color=GREEN, linewidth=1.4, linestyle="-.", zorder=3)
            self.interval_.append(line)
            entries["interval"] = line

    def _draw_training(self, entries: dict[str, Any]) -> None:
        self.targets_ = self.fitted_ = None
        if self.training is None:
            return
        ax, (x, targets, fitted) = self.ax_, self.training.T
        colour = ink(ax)
        ax.vlines(x, targets, fitted, color=blend(colour, ground(ax), 0.4), linewidth=0.7, zorder=2)
        self.targets_ = ax.scatter(
            x, targets, s=26, facecolors=[ground(ax)], edgecolors=[colour], linewidths=0.9, zorder=5
        )
        self.fitted_ = ax.scatter(x, fitted, s=12, c=[colour], zorder=5)
        entries["target"], entries["taken as"] = self.targets_, self.fitted_

    def _draw_arguments(self, entries: dict[str, Any]) -> None:
        self.arguments_: list[Any] = []
        self.star_ = None
        told, place = self.explanation, self.place
        if told is None or place is None:
            return
        if self.training is not None:
            self._lead(told.at_least, place, VERMILION, "-", "says at least", entries)
            self._lead(told.at_most, place, VERMILION, "--", "says at most", entries)
        ends: dict[str, Any] = {"marker": "_", "markersize": 12, "color": ink(self.ax_), "linewidth": 1.4}
        self.ax_.plot([place, place], [told.lower, told.upper], zorder=6, **ends)
        star: dict[str, Any] = {"s": 170, "marker": "*", "c": YELLOW, "edgecolors": "black", "linewidths": 0.9}
        self.star_ = self.ax_.scatter([place], [told.prediction], zorder=7, **star)
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
        """Lines from the values of training rows to what they say."""
        for argument in arguments:
            x = argument.attributes[0].value
            if not isinstance(x, int | float):
                continue  # the model keeps no values
            (line,) = self.ax_.plot(
                [x, place], [argument.fitted, argument.says], color=colour, linestyle=style, linewidth=1.3, zorder=5
            )
            self.arguments_.append(line)
            entries[label] = line

    def _name_axes(self) -> None:
        from fgac.text.words import format_number

        ax, told = self.ax_, self.explanation
        ax.set_xlabel(short(self.name), parse_math=False)
        ax.set_ylabel("value" if told is None or not told.unit else f"value ({told.unit})", parse_math=False)
        ax.set_xlim(float(self.grid[0]), float(self.grid[-1]))
        ax.spines[["right", "top"]].set_visible(False)
        set_title(
            ax,
            "Prediction and what training rows leave room for"
            if told is None
            else f"Row {short(told.id)}: predicted {format_number(told.prediction, told.unit)}",
        )


def _column(estimator: FGARegressor, feature: str | int | None) -> int:
    """The position of the attribute that changes."""
    if state_of(estimator).table is None:
        raise ValueError("the model knows only distances; a curve needs a column that changes")
    names = list(state_of(estimator).column_names)
    if feature is None:
        if len(names) > 1:
            raise ValueError(
                f"feature is missing; the model has several columns, so name the one that changes: {names}"
            )
        feature = 0
    if isinstance(feature, str) and feature not in names:
        raise ValueError(f"feature={feature!r} is no column of the model; expected one of {names}")
    column = names.index(feature) if isinstance(feature, str) else int(feature)
    if not 0 <= column < len(names):
        raise ValueError(f"feature={feature!r} is no position of a column; the model has {len(names)}")
    if state_of(estimator).table.columns[column].is_categorical:
        raise ValueError(f"feature={names[column]!r} is nominal; a curve needs numbers")
    return column


def _training(estimator: FGARegressor) -> Floats | None:
    """Attribute, target and fitted value of the training rows of a model with one column."""
    state = state_of(estimator)
    records, scale = state.records, state.scale
    if not records.values:
        return None
    targets, fitted = (part[records.nodes] for part in (state.targets, scale.to_user_scale(state.extension.values)))
    return np.column_stack([records.values[0], targets, fitted])


def _grid(estimator: FGARegressor, column: int, place: float | None, n_points: int) -> Floats:
    """Values of the attribute: a little beyond those of the training rows and of the row that is marked."""
    kept = state_of(estimator).records.values
    if kept:
        low, high = float(kept[column].min()), float(kept[column].max())
    else:  # the model keeps no values: one unit of the scale around the row
        unit = state_of(estimator).table.columns[column].scale
        low, high = (place or 0.0) - 0.5 * unit, (place or 0.0) + 0.5 * unit
    if place is not None:
        low, high = min(low, place), max(high, place)
    room = 0.05 * (high - low) or 1.0
    points = np.linspace(low - room, high + room, n_points)
    # Curves bend at training rows and at the row that is marked.
    bends = kept[column] if kept and len(kept) == 1 and len(kept[column]) <= 2000 else np.empty(0)
    return np.unique(np.concatenate([points, bends, [] if place is None else [place]]))


def _varied(estimator: FGARegressor, values: list[ReadColumn], column: int, grid: Floats) -> Rows:
    """One row many times, with other values of one attribute."""
    table = state_of(estimator).table
    rest = range(len(table.columns))
    return table.rows([NumericColumn(grid) if j == column else values[j].repeat(len(grid)) for j in rest])
