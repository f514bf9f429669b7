"""Residuals of a regressor against its predictions, and which targets lie outside of their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Bools, Floats
from fgac.estimators._state import state_of
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_regressor, n_rows
from fgac.plot._labels import set_title, short
from fgac.plot._legend import legend_beside
from fgac.plot._palette import AGAINST, FOR, blend, ground, ink
from fgac.tables.labels import read_ids
from fgac.tables.targets import check_targets, target_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ResidualsDisplay:
    """What targets are above, or below, their predictions, and whether they lie within their intervals.

    Every row is a dot: to the right the prediction, up the target minus the prediction. The thin line through a dot is
    its interval, where there is one; a row whose target lies outside of it is a filled cross, and the ones that lie
    farthest outside are named. Give rows that the model has not seen: the rows it was trained on look better than new
    ones will. Make it by :meth:`from_estimator` or :meth:`from_predictions`.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n_samples,)
        Targets and predictions.
    lower, upper : arrays of shape (n_samples,) or None
        Ends of the intervals.
    ids : array of shape (n_samples,)
        What the rows are called.
    expected : float or None
        The share of targets that the intervals are to hold.
    target : str or None
        What is predicted.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    inside_ : PathCollection
        Rows whose targets lie within their intervals; all, if there are none.
    outside_ : PathCollection or None
        The other rows.
    intervals_ : LineCollection or None
    labels_ : list of str
        The ids that are written, farthest outside first.
    legend_ : Legend or None

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac.plot import ResidualsDisplay
    >>> display = ResidualsDisplay.from_predictions([1.0, 2.0, 5.0], [1.5, 2.0, 3.0], interval=([0, 1, 2], [2, 3, 4]))
    >>> display.residuals, display.is_outside
    (array([-0.5,  0. ,  2. ]), array([False, False,  True]))
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        *,
        y_true: Floats,
        y_pred: Floats,
        ids: NDArray[Any],
        lower: Floats | None = None,
        upper: Floats | None = None,
        expected: float | None = None,
        target: str | None = None,
    ) -> None:
        self.y_true, self.y_pred, self.ids = y_true, y_pred, ids
        self.lower, self.upper, self.expected, self.target = lower, upper, expected, target

    @property
    def residuals(self) -> Floats:
        """Targets minus predictions."""
        return self.y_true - self.y_pred

    @property
    def is_outside(self) -> Bools:
        """Which targets lie outside of their intervals; none without intervals."""
        return self._distance_outside() > 0

    def _distance_outside(self) -> Floats:
        """How far targets lie outside of their intervals."""
        if self.lower is None or self.upper is None:
            return np.zeros(len(self.y_true))
        return np.maximum(0.0, np.maximum(self.lower - self.y_true, self.y_true - self.upper))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: Any = None,
        *,
        ids: Any = None,
        n_labels: int = 5,
        ax: Axes | None = None,
        legend: bool = True,
    ) -> Self:
        """Predict rows by a fitted regressor, and draw by how much it is off.

        Parameters
        ----------
        estimator : FGARegressor or FGARegressorCV
            Fitted. If it has an ``interval``, those of the rows are drawn.
        X : frame or array of shape (n_samples, n_features)
            Rows that the model has not seen.
        y : array of shape (n_samples,)
            Their targets.
        ids : array of shape (n_samples,), optional
            What rows are called; by default the index of a pandas frame, or their positions.
        n_labels : int, default=5
            How many of the rows outside of their intervals are named, those that are farthest outside.
        ax : Axes, optional
        legend : bool, default=True

        Returns
        -------
        ResidualsDisplay
        """
        pyplot()
        check_regressor(estimator)
        if X is None or y is None:
            raise ValueError(
                f"{'X' if X is None else 'y'} is missing; the model keeps no predictions of rows that were held out, "
                "so give rows that it has not seen and their targets, or predictions of "
                "sklearn.model_selection.cross_val_predict to from_predictions"
            )
        state = state_of(estimator)
        interval = estimator.predict_interval(X) if state.has_interval else None
        return cls._of(
            check_targets(y, n_rows(X)),
            estimator.predict(X),
            interval,
            read_ids(ids, X, n_rows(X)),
            state.params["interval"] if interval else None,
            state.target_name or target_name(y),
        ).plot(ax, n_labels=n_labels, legend=legend)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        interval: Any = None,
        expected: float | None = None,
        ids: Any = None,
        n_labels: int = 5,
        ax: Axes | None = None,
        legend: bool = True,
    ) -> Self:
        """Draw predictions of any model, such as those of cross-validation.

        Parameters
        ----------
        y_true, y_pred : arrays of shape (n_samples,)
            Targets and predictions.
        interval : pair of arrays of shape (n_samples,), optional
            Lower and upper ends of the intervals, as ``predict_interval`` gives them.
        expected : float between 0 and 1, optional
            The share of targets that the intervals are to hold.
        ids : array of shape (n_samples,), optional
            What rows are called; by default the index of a pandas column, or their positions.
        n_labels, ax, legend
            As in :meth:`from_estimator`.

        Returns
        -------
        ResidualsDisplay
        """
        pyplot()
        n = n_rows(y_true)
        truth, predicted = check_targets(y_true, n), check_targets(y_pred, n)
        if interval is not None and len(interval) != 2:
            raise ValueError(f"interval has {len(interval)} parts; expected two arrays, lower and upper ends")
        ends = None if interval is None else [check_targets(end, n) for end in interval]
        names = read_ids(ids, y_true, n)
        return cls._of(truth, predicted, ends, names, expected, target_name(y_true)).plot(
            ax, n_labels=n_labels, legend=legend
        )

    @classmethod
    def _of(
        cls,
        y_true: Floats,
        y_pred: Floats,
        interval: Any,
        ids: NDArray[Any],
        expected: float | None,
        target: str | None,
    ) -> Self:
        lower, upper = (None, None) if interval is None else interval
        return cls(y_true=y_true, y_pred=y_pred, ids=ids, lower=lower, upper=upper, expected=expected, target=target)

    def plot(self, ax: Axes | None = None, *, n_labels: int = 5, legend: bool = True) -> Self:
        """Draw the rows.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.
        n_labels : int, default=5
            How many of the rows outside of their intervals are named.
        legend : bool, default=True

        Returns
        -------
        ResidualsDisplay
        """
        self.ax_: Axes = one_panel(ax, (6.8, 4.4))
        self.figure_: Any = self.ax_.figure
        self.ax_.axhline(0.0, color=ink(self.ax_), linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        self._draw_intervals()
        outside = self.is_outside
        # Small dots among many, so that they do not hide each other.
        size = float(np.clip(2400 / max(1, len(outside)), 6.0, 26.0))
        self.inside_ = self.ax_.scatter(
            self.y_pred[~outside],
            self.residuals[~outside],
            s=size,
            facecolors=[ground(self.ax_)],
            edgecolors=FOR,
            linewidths=0.9,
            zorder=3,
        )
        self.outside_ = self._draw_outside(outside, 1.6 * size)
        self._name_axes()
        self._write_ids(outside, n_labels)
        self.legend_ = self._legend(own=ax is None) if legend and self.intervals_ is not None else None
        return self

    def _draw_intervals(self) -> None:
        self.intervals_ = None
        if self.lower is None or self.upper is None:
            return
        grey = blend(ink(self.ax_), ground(self.ax_), 0.3)
        width = float(np.clip(160 / max(1, len(self.y_pred)), 0.3, 1.4))
        self.intervals_ = self.ax_.vlines(
            self.y_pred, self.lower - self.y_pred, self.upper - self.y_pred, colors=[grey], linewidth=width, zorder=2
        )

    def _draw_outside(self, outside: Bools, size: float) -> Any:
        if not outside.any():
            return None
        return self.ax_.scatter(
            self.y_pred[outside],
            self.residuals[outside],
            s=max(size, 26.0),
            marker="X",
            c=AGAINST,
            edgecolors=[ink(self.ax_)],
            linewidths=0.5,
            zorder=4,
        )

    def _write_ids(self, outside: Bools, n_labels: int) -> None:
        """Name the rows that lie farthest outside: those above their intervals at the top, the others at the bottom."""
        from fgac.plot._id_labels import IdLabels

        farthest = np.argsort(-self._distance_outside(), kind="stable")[: min(n_labels, int(outside.sum()))]
        self.labels_ = [str(self.ids[i]) for i in farthest]
        low, high = self.ax_.get_ylim()
        room, is_above = 0.1 * (high - low), self.residuals[farthest] >= 0
        ends = [low, high]
        for k, (side, line) in enumerate(((farthest[~is_above], low - room), (farthest[is_above], high + room))):
            if len(side):
                points = np.column_stack([self.y_pred[side], self.residuals[side]])
                IdLabels(self.ax_, points, line, [short(self.ids[i], 16) for i in side], ink(self.ax_))
                ends[k] = line + 0.7 * (line - ends[k])
        self.ax_.set_ylim(*ends)

    def _legend(self, *, own: bool) -> Any:
        n_outside = int(self.is_outside.sum())
        entries = [(self.intervals_, "interval"), (self.inside_, f"within ({len(self.y_true) - n_outside})")]
        if self.outside_ is not None:
            entries.append((self.outside_, f"outside ({n_outside})"))
        handles, words = zip(*entries, strict=True)
        return legend_beside(self.ax_, list(handles), list(words), own=own)

    def _name_axes(self) -> None:
        ax, name = self.ax_, "value" if self.target is None else short(self.target)
        ax.set_xlabel(f"predicted {name}", parse_math=False)
        ax.set_ylabel("target minus prediction")
        ax.spines[["right", "top"]].set_visible(False)
        ax.margins(x=0.04)
        set_title(ax, f"Residuals: {self._summary()}")

    def _summary(self) -> str:
        """How many targets lie within their intervals, or by how much predictions are off."""
        n = len(self.y_true)
        if self.intervals_ is None:
            return f"predictions are off by {np.abs(self.residuals).mean():.3g} on average"
        n_inside = n - int(self.is_outside.sum())
        # A line is not broken before the sign.
        kind = "" if self.expected is None else f"{100 * self.expected:g}\N{NO-BREAK SPACE}% "
        share = f"{100 * n_inside / n:.0f}\N{NO-BREAK SPACE}%"
        return f"{n_inside} of {n} targets ({share}) lie within their {kind}intervals"
