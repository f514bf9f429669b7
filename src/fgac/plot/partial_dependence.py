"""What becomes of predictions, on average and row by row, if one feature is set to other values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.estimators._abstain import AbstainingClassifier
from fgac.estimators._state import state_of
from fgac.estimators.regressor import FGARegressor
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_class, n_rows
from fgac.plot._dependence import FEW_NUMBERS, Feature, column_of, feature_of, predictions_over
from fgac.plot._labels import plain, set_title, short
from fgac.plot._legend import legend_beside
from fgac.plot._palette import Style, blend, ground, ink, styles
from fgac.tables.validation import check_count, check_sample_weight

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Curves of single rows are drawn for so many classes at most; of more, only averages can be told apart.
MOST_WITH_ROWS = 2
# Marks of the training rows along the axis; of more rows, so many quantiles of theirs.
MOST_TICKS = 300
# Up to so many values are the ticks of the axis.
MOST_NAMED = 6
DOTS: dict[str, Any] = {"linestyle": "none", "markersize": 7}
BEYOND = "beyond all training rows"


class PartialDependenceDisplay:
    """Average prediction of some rows with one feature set to each of several values.

    The thick line is the average over all rows, thin ones are single rows, from those with the lowest predictions to
    those with the highest. Of classes the probability of each is drawn, as ``predict_proba`` gives it: calibrated where
    the model is. Small marks along the axis are the training rows; where none of them has so small or so large a
    value, the ground is shaded: the model has nothing to go by there. A feature that hardly moves the line hardly
    matters to these rows. Rows may come about that cannot exist, if features depend on each other: thin lines that
    differ much are a reason for care. Make it by :meth:`from_estimator`.

    Parameters
    ----------
    feature : Feature
        Its name, the values it is set to, and those of the training rows.
    average : array of shape (n_values, n_curves)
        One curve of numbers, or one for every class.
    rows : array of shape (n_rows, n_values, n_curves)
        The single rows that are drawn.
    classes : array of shape (n_curves,) or None
        Labels of the classes; None of numbers.
    target : str or None
        What is predicted.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    lines_ : list of Line2D
        The averages.
    rows_ : list of Line2D
        The single rows.
    beyond_ : list of Polygon
        The shades.
    rug_ : Line2D or None
        The marks of the training rows; categories have their numbers of rows beside their names.
    legend_ : Legend or None

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac import FGARegressor
    >>> from fgac.plot import PartialDependenceDisplay
    >>> X, y = [[0.0, 1.0], [3.0, 0.0], [4.0, 1.0], [8.0, 0.0]], [10.0, 20.0, 40.0, 50.0]
    >>> display = PartialDependenceDisplay.from_estimator(FGARegressor().fit(X, y), X, feature=0)
    >>> display.feature.values, display.average.ravel().round(1)
    (array([0., 3., 4., 8.]), array([22. , 27.3, 30.9, 38. ]))
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        *,
        feature: Feature,
        average: Floats,
        rows: Floats,
        classes: NDArray[Any] | None = None,
        target: str | None = None,
    ) -> None:
        self.feature, self.average, self.rows = feature, average, rows
        self.classes, self.target = classes, target

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        feature: str | int,
        target: Any = None,
        sample_weight: Any = None,
        n_points: int = 50,
        n_curves: int = 12,
        max_categories: int = 20,
        ax: Axes | None = None,
        legend: bool = True,
    ) -> Self:
        """Set a feature of some rows to many values, and draw what a fitted model predicts then.

        Parameters
        ----------
        estimator : FGAClassifier, FGAOrdinalClassifier, FGARegressor, or one of their searches
            Fitted, with columns (not on distances).
        X : frame or array of shape (n_samples, n_features)
            Rows to average over, such as the training rows; some hundred are enough, and each is predicted
            ``n_points`` times.
        feature : str or int
            Name or position of the feature.
        target : label, optional
            The only class to draw; by default all.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts in the average.
        n_points : int, default=50
            How many values a feature of numbers is set to; numbers of few different values are taken as they are.
        n_curves : int, default=12
            How many single rows are drawn; none if there are more than two classes.
        max_categories : int, default=20
            How many categories are drawn, the most frequent ones of the training rows.
        ax : Axes, optional
        legend : bool, default=True

        Returns
        -------
        PartialDependenceDisplay
        """
        pyplot()
        _check(estimator)
        for name, count in (("n_points", n_points), ("max_categories", max_categories)):
            check_count(name, count)
        state = state_of(estimator)
        column = column_of(state, feature)
        weight = check_sample_weight(sample_weight, n_rows(X))
        found = feature_of(state, column, _read(estimator, X, column), n_points, max_categories)
        curves = predictions_over(estimator, X, column, found)[weight > 0]
        classes = getattr(state, "classes", None)
        if target is not None:
            if classes is None:
                raise ValueError(f"target={target!r} is a class, and the model predicts numbers; leave it out")
            chosen = check_class(target, classes)
            classes, curves = classes[[chosen]], curves[:, :, [chosen]]
        return cls(
            feature=found,
            average=np.average(curves, axis=0, weights=weight[weight > 0]),
            rows=_some(curves, n_curves if curves.shape[2] <= MOST_WITH_ROWS else 0),
            classes=classes,
            target=state.target_name,
        ).plot(ax, legend=legend)

    def plot(self, ax: Axes | None = None, *, legend: bool = True) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.
        legend : bool, default=True

        Returns
        -------
        PartialDependenceDisplay
        """
        height = 1.6 + 0.3 * len(self.feature.values) if self.feature.is_categorical else 4.2
        self.ax_: Axes = one_panel(ax, (6.4, max(3.0, height)))
        self.figure_: Any = self.ax_.figure
        looks = [Style(ink(self.ax_), "o", "-")] if self.classes is None else styles(len(self.classes))
        self.lines_: list[Any] = []
        self.rows_: list[Any] = []
        self.beyond_: list[Any] = []
        self.rug_: Any = None
        if self.feature.is_categorical:
            self._draw_categories(looks)
        else:
            self._draw_curves(looks)
        self._name_axes()
        self.legend_ = self._legend(own=ax is None) if legend else None
        return self

    def _draw_curves(self, looks: list[Style]) -> None:
        ax, values = self.ax_, self.feature.values
        few = len(values) <= FEW_NUMBERS
        for k, look in enumerate(looks):
            pale = blend(look.colour, ground(ax), 0.35)
            for row in self.rows:
                self.rows_ += ax.plot(values, row[:, k], color=pale, linewidth=0.7, zorder=2)
            self.lines_ += ax.plot(
                values,
                self.average[:, k],
                color=look.colour,
                linestyle=look.line,
                linewidth=2.2,
                marker=look.marker if few or len(looks) > 1 else None,
                markevery=1 if few else len(values) // 8,
                markersize=5,
                zorder=4,
            )
        if not few:  # else the values themselves are what there is, with some room around them
            ax.set_xlim(float(values[0]), float(values[-1]))
        elif len(values) <= MOST_NAMED and not self.feature.is_date:
            ax.set_xticks(values)
        if self.feature.is_date:
            ax.xaxis_date()  # matplotlib counts days from the same day
        self._draw_training()

    def _draw_training(self) -> None:
        """Mark the training rows along the axis, and shade what lies beyond them."""
        known = self.feature.training
        known = known[np.isfinite(known)] if known is not None else np.empty(0)
        if not len(known):
            return
        self._mark(known)
        if len(self.feature.values) <= FEW_NUMBERS:
            return
        ax, ends = self.ax_, self.ax_.get_xlim()
        shade = blend(ink(ax), ground(ax), 0.12)
        for low, high in ((ends[0], float(known.min())), (float(known.max()), ends[1])):
            if low < high:
                self.beyond_.append(ax.axvspan(low, high, color=shade, linewidth=0, zorder=0))

    def _mark(self, known: Floats) -> None:
        ax = self.ax_
        marks = known if len(known) <= MOST_TICKS else np.quantile(known, np.linspace(0, 1, MOST_TICKS))
        (self.rug_,) = ax.plot(
            marks,
            np.full(len(marks), 0.012),
            transform=ax.get_xaxis_transform(),
            marker="|",
            markersize=7,
            markeredgewidth=0.6,
            color=ink(ax),
            alpha=0.6,
            linestyle="none",
            zorder=3,
        )

    def _draw_categories(self, looks: list[Style]) -> None:
        """Categories one below the other, where long names have room; the most frequent one at the top."""
        ax, n = self.ax_, len(self.feature.values)
        places = np.arange(n)[::-1]
        for k, look in enumerate(looks):
            pale = blend(look.colour, ground(ax), 0.45)
            for row in self.rows:
                self.rows_ += ax.plot(row[:, k], places, color=pale, marker="|", zorder=2, **DOTS)
            self.lines_ += ax.plot(self.average[:, k], places, color=look.colour, marker=look.marker, zorder=4, **DOTS)
        ax.hlines(places, 0, 1, transform=ax.get_yaxis_transform(), color=ink(ax), linewidth=0.4, alpha=0.25, zorder=1)
        ax.set_ylim(-0.7, n - 0.3)
        ax.set_yticks(places, [self._category(value) for value in self.feature.values.tolist()])
        plain(ax.get_yticklabels())

    def _category(self, value: Any) -> str:
        """A category, with the number of training rows that have it."""
        known = self.feature.training
        return short(value) if known is None else f"{short(value)} ({sum(other == value for other in known.tolist())})"

    def _name_axes(self) -> None:
        ax, name = self.ax_, "value" if self.target is None else short(self.target)
        what = f"predicted {name}" if self.classes is None else "probability"
        feature = short(self.feature.name)
        if self.feature.n_left_out:
            feature += f" ({self.feature.n_left_out} rarer ones left out)"
        along, up = (what, feature) if self.feature.is_categorical else (feature, what)
        ax.set_xlabel(along, parse_math=False)
        ax.set_ylabel(up, parse_math=False)
        ax.spines[["right", "top"]].set_visible(False)
        if self.classes is not None:
            limits = ax.set_xlim if self.feature.is_categorical else ax.set_ylim
            limits(-0.02, 1.02)
        set_title(ax, f"Predictions with other values of {short(self.feature.name)}")

    def _legend(self, *, own: bool) -> Any:
        words = ["average"] if self.classes is None else [f"average of {short(label)}" for label in self.classes]
        entries: list[Any] = [*self.lines_]
        if self.rows_:
            entries, words = [*entries, self.rows_[0]], [*words, "single rows"]
        if self.rug_ is not None:
            entries, words = [*entries, self.rug_], [*words, "training rows"]
        if self.beyond_:
            entries, words = [*entries, self.beyond_[0]], [*words, BEYOND]
        return legend_beside(self.ax_, entries, words, own=own)


def _check(estimator: Any) -> None:
    """Refuse what is no model of this package that tells guesses from arguments."""
    if not isinstance(estimator, AbstainingClassifier | FGARegressor):
        raise TypeError(
            f"estimator is of type {type(estimator).__name__}; expected an FGAClassifier, an FGAOrdinalClassifier or "
            "an FGARegressor. Of a search give best_estimator_, of a pipeline its last step, with X as it comes out "
            "of the steps before; sklearn.inspection.PartialDependenceDisplay draws other models"
        )


def _read(estimator: Any, X: Any, column: int) -> Any:
    """One column of a table, as the model reads it."""
    from fgac.estimators._base import read_new_rows

    return read_new_rows(estimator, X)[1][column]


def _some(curves: Floats, n: int) -> Floats:
    """Some rows, from the lowest to the highest curve, whatever the order of the rows."""
    if n <= 0 or not len(curves):
        return curves[:0]
    # The last class of several is 1 minus the first of two; of rows with equal curves any one is the same.
    order = np.lexsort([*curves[:, ::-1, -1].T, curves[:, :, -1].mean(axis=1)])
    places = np.unique(np.linspace(0, len(curves) - 1, min(n, len(curves))).round().astype(np.int64))
    return curves[order[places]]
