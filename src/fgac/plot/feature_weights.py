"""The weights of columns in the distances of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats, Ints
from fgac.estimators._base import RowEstimator
from fgac.estimators._state import state_of
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._labels import plain, set_title, set_xlabel, short
from fgac.plot._palette import NEUTRAL, ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# At most this many columns have a bar of their own.
MOST = 25
# The scale of scores goes at least up to this.
LEAST_SCALE = 0.01


class WeightsDisplay:
    """The weights of columns, given or learned, the largest on top; the line at 1 is where all would be without them.

    Where the distance has a score, a diamond shows, on the scale above, by how much a column changes it: log-odds of
    classes, or a number as a share of the range of all targets.
    Columns that do not count, and of many columns those that count least, share one line at the bottom. Make it by
    :meth:`from_estimator`.

    Parameters
    ----------
    names : list of str
        Of the columns.
    weights : array of shape (n_features,)
    scores : array of shape (n_features,), optional
        What the columns add to the score, at most.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    bars_ : BarContainer
        From top to bottom.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac import FGAClassifier
    >>> from fgac.plot import WeightsDisplay
    >>> X = [[i, i % 5] for i in range(40)]
    >>> model = FGAClassifier(metric="manhattan", feature_weights="learned").fit(X, [i >= 20 for i in range(40)])
    >>> display = WeightsDisplay.from_estimator(model)
    >>> [float(bar.get_width()) for bar in display.bars_]
    [2.0]
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['x0', '1 more does not count']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(self, names: list[str], weights: Floats, scores: Floats | None = None) -> None:
        self.names = names
        self.weights = weights
        self.scores = scores

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw the weights of a fitted model.

        Parameters
        ----------
        estimator : FGAClassifier, FGARegressor or another model that compares rows
            Fitted.
        ax : Axes, optional

        Returns
        -------
        WeightsDisplay
        """
        pyplot()
        if not isinstance(estimator, RowEstimator):
            raise TypeError(
                f"estimator is of type {type(estimator).__name__}; expected a model of fgac. Of a search give "
                "best_estimator_, of a pipeline its last step"
            )
        check_is_fitted(estimator)
        weights, scores = np.asarray(estimator.feature_weights_), np.asarray(estimator.score_weights_)
        return cls(list(state_of(estimator).column_names), weights, scores if scores.any() else None).plot(ax=ax)

    def plot(self, *, ax: Axes | None = None) -> Self:
        """Draw, on new or given axes.

        Parameters
        ----------
        ax : Axes, optional

        Returns
        -------
        WeightsDisplay
        """
        order = np.argsort(-self.weights, kind="stable")
        n_shown = min(MOST, np.count_nonzero(self.weights))
        shown, left_out = order[:n_shown], order[n_shown:]
        self.ax_ = ax = one_panel(ax, (6.4, 1.4 + 0.28 * (len(shown) + (len(left_out) > 0))))
        self.figure_ = ax.figure
        place = np.arange(len(shown))
        self.bars_ = ax.barh(place, self.weights[shown], color=NEUTRAL, height=0.7)
        numbers = [f"{weight:.2g}" for weight in self.weights[shown]]
        if self.scores is None:
            ax.bar_label(self.bars_, numbers, padding=3, color=ink(ax))
        # Without weights every column counts 1.
        ax.axvline(1.0, color=ink(ax), linewidth=0.8, linestyle=":")
        labels = [short(self.names[j]) for j in shown]
        if len(left_out):
            labels.append(_summed_up(self.weights[left_out]))
        ax.set_yticks(np.arange(len(labels)), labels)
        plain(ax.get_yticklabels())
        ax.set_ylim(len(labels) - 0.4, -0.6)
        ax.margins(x=0.12)
        ax.set_xlim(left=0.0)
        set_xlabel(ax, "weight of a difference in the column")
        if self.scores is not None:
            self._add_scores(self.scores[shown])
            self._write_beside(place, numbers)
        set_title(ax, f"{np.count_nonzero(self.weights)} of {len(self.weights)} columns count")
        return self

    def _write_beside(self, place: Ints, numbers: list[str]) -> None:
        """The weights to the right of the axes, where no diamond hides them."""
        beside: Any = self.ax_.secondary_yaxis("right")
        beside.set_yticks(place, numbers)
        beside.tick_params(axis="y", length=0, colors=ink(self.ax_))
        beside.spines["right"].set_visible(False)

    def _add_scores(self, scores: Floats) -> None:
        """Diamonds on a scale of their own, on top."""
        above = self.ax_.twiny()
        above.scatter(scores, np.arange(len(scores)), marker="D", s=28, color=ink(self.ax_), zorder=3, clip_on=False)
        above.set_xlim(0.0, 1.12 * max(float(scores.max(initial=0.0)), LEAST_SCALE))
        set_xlabel(above, "◆ what it adds to the score, at most")


def _summed_up(weights: Floats) -> str:
    """Columns without bars, in a few words."""
    if weights.max() > 0:
        return f"{len(weights)} more, at most {weights.max():.2g}"
    return f"{len(weights)} more do{'es' * (len(weights) == 1)} not count"
