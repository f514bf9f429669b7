"""Accuracy against coverage: what a model gains by saying nothing where it is not sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fgac._typing import Floats
from fgac.estimators._abstain import AbstainingClassifier
from fgac.estimators._base import read_new_rows
from fgac.estimators._state import state_of
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_classifier
from fgac.plot._labels import set_title, set_xlabel, set_ylabel
from fgac.plot._legend import legend_beside
from fgac.plot._palette import FOR, ink
from fgac.selection.coverage import coverage_curve
from fgac.tables.validation import check_labels, check_sample_weight

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class CoverageDisplay:
    """Accuracy of the most confident predictions, against the share of the rows that they cover.

    From the right, where everything is predicted, to the left the model abstains from ever more rows, the least
    confident first. If its confidence says something, the line rises. The accuracies of few rows, at the left end, are
    matters of luck. Make it by :meth:`from_estimator` or :meth:`from_predictions`.

    Parameters
    ----------
    coverage : array of shape (n_points,)
        Shares of the rows, rising to 1.
    accuracy, balanced_accuracy : arrays of shape (n_points,)
        Of the rows that are covered; the latter is the mean recall of the classes that occur among them.
    confidence : array of shape (n_points,)
        The least confidence of the rows that are covered: what ``min_confidence`` must be for such a coverage.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    line_ : Line2D
        The accuracy.
    balanced_ : Line2D
        The balanced accuracy.
    legend_ : Legend or None

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac.plot import CoverageDisplay
    >>> display = CoverageDisplay.from_predictions(["a", "b", "b"], ["a", "b", "a"], [0.9, 0.8, 0.6])
    >>> display.coverage.round(2), display.accuracy.round(2)
    (array([0.33, 0.67, 1.  ]), array([1.  , 1.  , 0.67]))
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(self, *, coverage: Floats, accuracy: Floats, balanced_accuracy: Floats, confidence: Floats) -> None:
        self.coverage = coverage
        self.accuracy = accuracy
        self.balanced_accuracy = balanced_accuracy
        self.confidence = confidence

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, sample_weight: Any = None, ax: Any = None, legend: bool = True
    ) -> Self:
        """Judge rows by a fitted model, and draw how accurate it is on those it is most confident of.

        Parameters
        ----------
        estimator : FGAClassifier, FGAOrdinalClassifier, or one of their searches, fitted
        X : frame or array of shape (n_samples, n_features)
            Rows that the model has not seen.
        y : array of shape (n_samples,)
            Their true classes.
        sample_weight : array of shape (n_samples,), optional
        ax : Axes, optional
        legend : bool, default=True

        Returns
        -------
        CoverageDisplay
        """
        pyplot()
        check_classifier(estimator, fitted=True, kind=AbstainingClassifier)
        judged = state_of(estimator).judged(read_new_rows(estimator, X)[0])
        confidence = state_of(estimator).confidence(judged)
        return cls.from_predictions(y, judged.predicted, confidence, sample_weight=sample_weight, ax=ax, legend=legend)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        confidence: Any,
        *,
        sample_weight: Any = None,
        ax: Any = None,
        legend: bool = True,
    ) -> Self:
        """Draw predictions of any model, such as those of cross-validation.

        Parameters
        ----------
        y_true, y_pred : arrays of shape (n_samples,)
            True and predicted classes.
        confidence : array of shape (n_samples,)
            How sure the predictions are: any numbers that are larger the surer they are.
        sample_weight : array of shape (n_samples,), optional
        ax : Axes, optional
        legend : bool, default=True

        Returns
        -------
        CoverageDisplay
        """
        pyplot()
        if y_true is None:
            raise ValueError("y is missing; an accuracy needs the true class of every row")
        sure = np.asarray(confidence, dtype=np.float64)
        if sure.ndim != 1 or not len(sure) or not np.isfinite(sure).all():
            raise ValueError(
                f"confidence of shape {sure.shape} must hold one finite number per row, such as model.confidence(X)"
            )
        truth, predicted = check_labels(y_true, len(sure)), check_labels(y_pred, len(sure))
        weight = check_sample_weight(sample_weight, len(sure))
        there = weight > 0
        curve = coverage_curve(truth[there], predicted[there], sure[there], weight[there])
        return cls(**curve._asdict()).plot(ax, legend=legend)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw both lines.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.
        legend : bool, default=True

        Returns
        -------
        CoverageDisplay
        """
        self.ax_: Axes = one_panel(ax, (5.6, 4.2))
        self.figure_: Any = self.ax_.figure
        # A single point, where all rows are equally sure, would be no line.
        mark: dict[str, Any] = {"marker": "o", "markersize": 4} if len(self.coverage) == 1 else {}
        thin: dict[str, Any] = {"linewidth": 1.0, "linestyle": "--", **mark}
        (self.balanced_,) = self.ax_.plot(self.coverage, self.balanced_accuracy, color=ink(self.ax_), **thin)
        (self.line_,) = self.ax_.plot(self.coverage, self.accuracy, color=FOR, linewidth=2.2, **mark)
        self._name_axes()
        lines, names = [self.line_, self.balanced_], ["accuracy", "balanced accuracy"]
        self.legend_ = legend_beside(self.ax_, lines, names, own=ax is None) if legend else None
        return self

    def _name_axes(self) -> None:
        from matplotlib.ticker import PercentFormatter

        ax = self.ax_
        ax.set_xlim(0, 1.02)
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        ax.spines[["right", "top"]].set_visible(False)
        set_xlabel(ax, "share of the rows that is predicted, the most confident first")
        set_ylabel(ax, "accuracy of these predictions")
        set_title(ax, "Accuracy against coverage")
