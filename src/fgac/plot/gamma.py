"""Regularisation over gamma: consistency, objective, constraints and accuracy of models with several gammas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import TICK_TOL
from fgac._typing import Floats, Ints
from fgac.plot._canvas import many_panels, pyplot
from fgac.plot._checks import check_classifier, check_truth, distinct_gammas, n_rows
from fgac.plot._labels import set_title, short
from fgac.plot._legend import legend_beside
from fgac.plot._palette import ink, styles
from fgac.selection.classifier_cv import FGAClassifierCV
from fgac.selection.gamma_path import GammaPath
from fgac.selection.grid import GAMMAS
from fgac.selection.rules import choose_gamma
from fgac.selection.search import with_gamma
from fgac.tables.validation import check_gamma

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Gammas of a path that are drawn unless the caller says which.
N_GAMMAS = 60
# More of them than this are drawn without marks, which would touch each other.
MOST_MARKS = 20


class GammaDisplay:
    """Consistency, training objective, active constraints and accuracy over gamma.

    Small gammas make all rows similar, so that classes contradict each other and memberships are low; large ones make
    all rows strangers, so that every label is believed. In between lies what predicts best. Make it by
    :meth:`from_estimator`, or of a path by :meth:`from_path`.

    Parameters
    ----------
    gammas : array of shape (n_gammas,)
        In increasing order.
    consistency : array of shape (n_gammas, n_classes)
        Mean membership of the rows of each class in it.
    objective : array of shape (n_gammas,)
        What training has minimised, ``solution_.objective``.
    n_active : array of shape (n_gammas,)
        Constraints that hold memberships down, ``solution_.n_active``; with three classes or more they count in both
        directions.
    accuracy : array of shape (n_gammas,) or None
        Balanced accuracy in cross-validation, mean of the folds.
    chosen : float or None
        The gamma that is marked.
    classes : array of shape (n_classes,)

    Attributes
    ----------
    ax_ : Axes
        The first panel.
    axes_ : array of Axes
        Consistency, objective, constraints and, if it was computed, accuracy.
    figure_ : Figure
    consistency_ : list of Line2D
        One for each class.
    objective_, n_active_ : Line2D
    accuracy_ : Line2D or None
    chosen_ : list of Line2D
        The mark of the chosen gamma, in each panel; empty if there is none.
    legend_ : Legend or None

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAClassifier
    >>> from fgac.plot import GammaDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> display = GammaDisplay.from_estimator(FGAClassifier(gamma=3), X, y, gammas=[1, 3, 10])
    >>> display.n_active.tolist()[-1] < display.n_active.tolist()[0]
    True
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        *,
        gammas: Floats,
        consistency: Floats,
        objective: Floats,
        n_active: Ints,
        chosen: float | None,
        classes: NDArray[Any],
        accuracy: Floats | None = None,
    ) -> None:
        self.gammas = gammas
        self.consistency = consistency
        self.objective = objective
        self.n_active = n_active
        self.chosen = chosen
        self.classes = classes
        self.accuracy = accuracy

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        gammas: Any = GAMMAS,
        cv: Any = None,
        groups: Any = None,
        ax: Any = None,
        legend: bool = True,
    ) -> Self:
        """Fit copies of a model with several gammas, and draw how they differ.

        Parameters
        ----------
        estimator : FGAClassifier or FGAClassifierCV
            Need not be fitted, unless it is to choose the gamma that is marked.
        X : frame or array of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        gammas : list of positive numbers
        cv : int or None, default=None
            Folds of the cross-validation (see :func:`fgac.selection.rules.choose_gamma`); None leaves the accuracy out.
        groups : array of shape (n_samples,), optional
            What rows belong together: folds hold out whole groups.
        ax : Axes or array of Axes, optional
            One to be divided, or one for each of three panels; four with ``cv``.
        legend : bool, default=True

        Returns
        -------
        GammaDisplay
            It marks the gamma of the best balanced accuracy, the smallest if there are several; without ``cv``, the
            gamma of the estimator.
        """
        pyplot()
        check_classifier(estimator, fitted=cv is None and isinstance(estimator, FGAClassifierCV))
        grid = tuple(sorted(distinct_gammas(gammas)))
        labels = check_truth(y, n_rows(X))
        if cv is not None and len(set(labels.tolist())) < 2:
            raise ValueError("all rows are of one class, so there is no accuracy to compute; leave cv out")
        copies = [with_gamma(estimator, gamma) for gamma in grid]
        chooser = estimator if cv is None else choose_gamma(copies[0], X, y, gammas=grid, n_folds=cv, groups=groups)
        # A choice by cross-validation refuses what it cannot use before this spends time on whole models.
        models = [copy.fit(X, y) for copy in copies]
        classes = models[0].classes_
        return cls(
            gammas=np.array(grid),
            consistency=np.array([[model.beta_[labels == c].mean() for c in classes] for model in models]),
            objective=np.array([model.solution_.objective for model in models]),
            n_active=np.array([model.solution_.n_active for model in models]),
            chosen=float(chooser.gamma),
            classes=classes,
            accuracy=None if cv is None else chooser.cv_results_["mean_test_score"],
        ).plot(ax, legend=legend)

    @classmethod
    def from_path(
        cls, path: GammaPath, *, gammas: Any = None, chosen: float | None = None, ax: Any = None, legend: bool = True
    ) -> Self:
        """Draw the models of a path, which need not be fitted again.

        Parameters
        ----------
        path : GammaPath
            From :func:`fgac.path`.
        gammas : list or array of positive numbers, optional
            None of them below ``path.gamma_min``; by default 60 of equal ratios, from there to ``path.gamma_max``.
        chosen : float, optional
            The gamma to mark; by default none.
        ax, legend
            As in :meth:`from_estimator`.

        Returns
        -------
        GammaDisplay
        """
        pyplot()
        if not isinstance(path, GammaPath):
            raise TypeError(f"path is of type {type(path).__name__}; expected a GammaPath, which fgac.path makes")
        if gammas is None:
            low = path.gamma_min
            gammas = np.geomspace(low, max(path.gamma_max, 2 * low), N_GAMMAS).clip(low)  # rounding may fall below
        grid = tuple(sorted(distinct_gammas(gammas)))
        if chosen is not None:
            check_gamma("chosen", chosen)
        records, beta = path.state.records, path.beta(grid)
        solutions = [path.solution(gamma) for gamma in grid]
        of_class = [records.positions[records.codes == k] for k in range(len(path.classes_))]
        return cls(
            gammas=np.array(grid),
            consistency=np.stack([beta[:, rows].mean(axis=1) for rows in of_class], axis=1),
            objective=np.array([solution.objective for solution in solutions]),
            n_active=np.array([solution.n_active for solution in solutions]),
            chosen=None if chosen is None else float(chosen),
            classes=path.classes_,
        ).plot(ax, legend=legend)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw the panels.

        Parameters
        ----------
        ax : Axes or array of Axes, optional
            One to be divided, or one for each panel; by default a new figure.
        legend : bool, default=True

        Returns
        -------
        GammaDisplay
        """
        n = 3 if self.accuracy is None else 4
        columns = 3 if self.accuracy is None else 2
        size = (9.6, 3.6) if self.accuracy is None else (8.4, 6.0)
        self.axes_ = many_panels(ax, n, n_columns=columns, size=size)
        self.ax_: Axes = self.axes_[0]
        self.figure_: Any = self.ax_.figure
        self._draw_consistency()
        self.objective_ = self._draw_line(self.axes_[1], self.objective)
        self.n_active_ = self._draw_line(self.axes_[2], self.n_active)
        self.accuracy_ = None if self.accuracy is None else self._draw_line(self.axes_[3], self.accuracy)
        self._name_axes()
        labels = [short(label, 24 if ax is None else 14) for label in self.classes]
        self.legend_ = legend_beside(self.ax_, self.consistency_, labels, own=ax is None) if legend else None
        return self

    def _draw_consistency(self) -> None:
        self.consistency_ = []
        for look, means in zip(styles(len(self.classes)), self.consistency.T, strict=True):
            self.consistency_ += self.ax_.plot(
                self.gammas, means, color=look.colour, marker=look.marker, linestyle=look.line, **self._marks(5)
            )

    def _draw_line(self, ax: Axes, values: NDArray[Any]) -> Any:
        (line,) = ax.plot(self.gammas, values, color=ink(ax), marker="o", **self._marks(4))
        return line

    def _marks(self, size: float) -> dict[str, Any]:
        """How large marks are, and at which of many gammas they stand."""
        return {"markersize": size, "markevery": -(-len(self.gammas) // MOST_MARKS)}

    def _name_axes(self) -> None:
        from matplotlib.ticker import MaxNLocator

        titles = ["Mean membership in the own class", "Training objective", "Active constraints", "Balanced accuracy"]
        which = "chosen," if self.accuracy is None else "best,"
        self.chosen_ = []
        for ax, title in zip(self.axes_, titles, strict=False):
            if self.chosen is not None:
                mark = ax.axvline(self.chosen, color=ink(ax), linewidth=1, linestyle=(0, (4, 3)), zorder=1)
                self.chosen_.append(mark)
            self._scale(ax)
            ax.yaxis.set_major_locator(MaxNLocator(5, integer=title == titles[2], steps=[1, 2, 2.5, 5, 10]))
            set_title(ax, title)
            ax.spines[["right", "top"]].set_visible(False)
            # Below the last row is enough where panels share their axis; axes that the caller placed may be anywhere.
            place = ax.get_subplotspec()
            if place is None or place.is_last_row() or len(self.axes_) == 3:
                ax.set_xlabel("γ" if self.chosen is None else f"γ (dashed: {which} {self.chosen:g})")

    def _scale(self, ax: Axes) -> None:
        """A logarithmic axis with few round numbers."""
        from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

        # The chosen gamma may lie outside of those that are drawn.
        shown = [*self.gammas] if self.chosen is None else [*self.gammas, self.chosen]
        low, high = min(shown), max(shown)
        ax.set(xscale="log", xlim=(low / 1.15, high * 1.15))
        ax.xaxis.set_major_locator(FixedLocator(_round_numbers(low, high)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.xaxis.set_minor_locator(NullLocator())


def _round_numbers(low: float, high: float) -> list[float]:
    """Numbers 1, 2 and 5 times powers of ten in a range, or only the latter if these are many.

    >>> _round_numbers(0.5, 10.0)
    [0.5, 1.0, 2.0, 5.0, 10.0]
    >>> _round_numbers(0.01, 100.0)
    [0.01, 0.1, 1.0, 10.0, 100.0]
    >>> _round_numbers(3.0, 4.0)
    [3.0, 4.0]
    """
    # Few ticks, each a number that is said easily; a narrow range may hold one of them or none.
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    for digits in ((1, 2, 5), (1,)):
        found = [float(f"{digit}e{power}") for power in powers for digit in digits]
        found = [x for x in found if low <= x * (1 + TICK_TOL) and x <= high * (1 + TICK_TOL)]
        if 2 <= len(found) <= 6:
            return found
    step = max(1, len(found) // 5)
    return found[::step] if len(found) > 1 else sorted({low, high})
