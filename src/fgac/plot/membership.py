"""Memberships over a test set: how sure a model is of every row, or of rows by margin, and whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import TIE_TOL
from fgac._typing import Floats
from fgac.estimators._base import RowClassifier
from fgac.estimators._state import ClassifierState, FittedState, state_of
from fgac.explanation.classification import Explanation
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_class, check_classifier, n_rows
from fgac.plot._labels import set_title, short
from fgac.plot._legend import legend_beside
from fgac.plot._margins import Bins, binned, draw_bins, margins, name_axes
from fgac.plot._palette import AGAINST, FOR, UNKNOWN, blend, ground, ink
from fgac.tables.validation import check_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# More rows than these are put into bins: their lines would run into each other.
MOST_ROWS = 100


class Look(NamedTuple):
    """How marks of one kind are drawn, and how small they may get, in points."""

    colour: str
    marker: str
    filled: bool = True
    outlined: bool = False
    least: float = 3.0


class MembershipDisplay:
    """Memberships of the rows of a test set: each with its interval and degree, or, of many, how many are right.

    Each of up to 100 rows is a line from its lower to its upper bound with a mark at the degree. By default the
    membership is that in the predicted class, and the marks tell right from wrong predictions; with a ``target``, it is
    that in one class, and the marks tell its members from the others. Long lines are rows about which the training rows
    say little.

    More rows than that are put into bins of their margin: by how much the class is ahead of all others. A bar is the
    share of a bin that is right (in the class), its line the exact 95 % interval of that share, the number above it how
    many rows there are. Without their classes, bars are the numbers of rows. Make it by :meth:`from_estimator` or
    :meth:`from_explanations`.

    Parameters
    ----------
    lower, upper, degree : arrays of shape (n_samples,)
    is_true : bool array of shape (n_samples,) or None
        Whether the row is in the class that its membership is about; None if the truth is not known.
    target : label, optional
        The class, if it is one and the same for all rows.
    threshold : float, optional
        The degree at which the decision changes, if there is one: with two classes.
    margin : array of shape (n_samples,), optional
        By how much the class is ahead of all others; below 0 if it is behind. Without it every row is drawn.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    order_ : array of shape (n_samples,)
        Positions of the rows from left to right.
    intervals_ : LineCollection or None
    marks_ : list of PathCollection
        The degrees: of rows that are not in the class, then of those that are; or of all.
    bins_ : Bins or None
        The rows by their margin, if that is what is drawn: ``edges``, ``counts`` and ``n_right``.
    bars_ : list of BarContainer
        Of the right ones, then of the others; or of all.
    legend_ : Legend or None

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac import FGAClassifier
    >>> from fgac.plot import MembershipDisplay
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> display = MembershipDisplay.from_estimator(clf, [[0.4], [0.2]], ["high", "low"])
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ['wrong (1 of 2)', 'right (1 of 2)']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        *,
        lower: Floats,
        upper: Floats,
        degree: Floats,
        is_true: NDArray[np.bool_] | None = None,
        target: Any = None,
        threshold: float | None = None,
        margin: Floats | None = None,
    ) -> None:
        self.lower = lower
        self.upper = upper
        self.degree = degree
        self.is_true = is_true
        self.target = target
        self.threshold = threshold
        self.margin = margin

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, target: Any = None, ax: Axes | None = None, **plot: Any
    ) -> Self:
        """Draw the memberships of some rows.

        Parameters
        ----------
        estimator : FGAClassifier, FGAOrdinalClassifier, one of these with CV, or FRNNClassifier
            Fitted.
        X : frame or array of shape (n_samples, n_features)
        y : array of shape (n_samples,), optional
            Their classes, if known.
        target : label, optional
            The class whose membership is drawn; by default the one predicted for each row.
        ax : Axes, optional
        **plot : dict
            See :meth:`plot`.

        Returns
        -------
        MembershipDisplay
        """
        pyplot()
        check_classifier(estimator, fitted=True, kind=RowClassifier)
        classes = estimator.classes_
        bounds = estimator.memberships(X)
        codes = np.searchsorted(classes, estimator.predict(X))
        if target is not None:
            codes = np.full(len(codes), check_class(target, classes))
        truth = None if y is None else check_labels(y, n_rows(X)) == classes[codes]
        lower, upper, degree = (part[np.arange(len(codes)), codes] for part in bounds)
        return cls(
            lower=lower,
            upper=upper,
            degree=degree,
            is_true=truth,
            target=target,
            threshold=_threshold(bounds.degree, _middle(state_of(estimator))),
            margin=margins(bounds.degree, codes),
        ).plot(ax, **plot)

    @classmethod
    def from_explanations(
        cls, explanations: Sequence[Explanation], *, target: Any = None, ax: Axes | None = None, **plot: Any
    ) -> Self:
        """Draw the memberships of rows that have been explained.

        Parameters
        ----------
        explanations : Explanations or sequence of Explanation
        target : label, optional
            The class whose membership is drawn; by default the one predicted for each row.
        ax : Axes, optional
        **plot : dict
            See :meth:`plot`.

        Returns
        -------
        MembershipDisplay
        """
        pyplot()
        check_explanations(explanations)
        classes = np.array([part.label for part in explanations[0].memberships], dtype=object)
        if target is not None:
            check_class(target, classes)
        wanted = [item.prediction if target is None else target for item in explanations]
        known = all(item.truth is not None for item in explanations)
        parts = [_of_class(item, label) for item, label in zip(explanations, wanted, strict=True)]
        lower, upper, degree = (np.array(column) for column in zip(*parts, strict=True))
        truths = [item.truth == label for item, label in zip(explanations, wanted, strict=True)]
        degrees = np.array([[part.degree for part in item.memberships] for item in explanations])
        return cls(
            lower=lower,
            upper=upper,
            degree=degree,
            is_true=np.array(truths) if known else None,
            target=target,
            threshold=_threshold(degrees, explanations[0].threshold),
            margin=margins(degrees, np.array([classes.tolist().index(label) for label in wanted])),
        ).plot(ax, **plot)

    def plot(self, ax: Axes | None = None, *, legend: bool = True, by_margin: bool | None = None) -> Self:
        """Draw the rows from the smallest degree to the largest, or in bins of their margin.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.
        legend : bool, default=True
        by_margin : bool, optional
            Whether rows are put into bins; by default more than 100 are.

        Returns
        -------
        MembershipDisplay
        """
        self.ax_ = one_panel(ax, (7.2, 4.2))
        self.figure_: Any = self.ax_.figure
        n = len(self.degree)
        # Of rows of equal degree the surest come first.
        self.order_ = np.lexsort((self.upper - self.lower, self.degree))
        self.bins_: Bins | None = None
        self.intervals_: Any = None
        self.bars_: list[Any] = []
        self.marks_: list[Any] = []
        if by_margin is None:
            by_margin = n > MOST_ROWS and self.margin is not None
        if by_margin:
            handles = self._draw_bins()
        else:
            handles = self._draw_rows(n)
        shown = legend and self.is_true is not None
        words = [f"{text} ({len(rows)} of {n})" for rows, _, text in self._groups()]
        self.legend_ = legend_beside(self.ax_, handles, words, own=ax is None) if shown else None
        return self

    def _draw_rows(self, n: int) -> list[Any]:
        """Every row by itself."""
        places = np.empty(n)
        places[self.order_] = np.arange(n)
        pitch = 340.0 / max(1, n)  # points between two rows
        self._draw_intervals(places, pitch)
        self.marks_ = [self._mark(places, rows, pitch, look) for rows, look, _ in self._groups()]
        self._name_axes(n)
        return self.marks_

    def _draw_bins(self) -> list[Any]:
        """Rows by their margin."""
        if self.margin is None:
            raise ValueError("by_margin=True needs the margins of the rows; give margin, or leave by_margin out")
        self.bins_ = bins = binned(self.margin, self.is_true)
        self.bars_, self.whiskers_ = draw_bins(self.ax_, bins)
        name_axes(self.ax_, bins, self.target)
        return self.bars_[::-1]  # in the order of the groups: first what is not in the class

    def _groups(self) -> list[tuple[NDArray[np.int64], Look, str]]:
        """Rows, look and name of each group of marks."""
        every = np.arange(len(self.degree))
        if self.is_true is None:
            return [(every, Look(UNKNOWN, "o"), "rows")]
        # Wrong predictions are what a reader looks for, so their marks stay large among many.
        looks, words = (
            (Look(AGAINST, "X", outlined=True, least=7.0), Look(FOR, "o", filled=False)),
            ("wrong", "right"),
        )
        if self.target is not None:
            looks = (Look(AGAINST, "s"), Look(FOR, "o", filled=False))
            words = ("in another class", f"in class {short(self.target)}")
        parts = every[~self.is_true], every[self.is_true]
        return list(zip(parts, looks, words, strict=True))

    def _draw_intervals(self, places: Floats, pitch: float) -> None:
        grey = blend(ink(self.ax_), ground(self.ax_), 0.4)
        self.intervals_ = self.ax_.vlines(
            places, self.lower, self.upper, colors=[grey], linewidth=float(np.clip(0.6 * pitch, 0.5, 3)), zorder=2
        )
        if self.threshold is not None:
            self.ax_.axhline(self.threshold, color=ink(self.ax_), linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)

    def _mark(self, places: Floats, rows: NDArray[np.int64], pitch: float, look: Look) -> Any:
        paper, edge = [ground(self.ax_)], [ink(self.ax_)] if look.outlined else [ground(self.ax_)]
        return self.ax_.scatter(
            places[rows],
            self.degree[rows],
            s=float(np.clip(1.6 * pitch, look.least, 7.0)) ** 2,
            facecolors=look.colour if look.filled else paper,
            edgecolors=edge if look.filled else look.colour,
            linewidths=0.5 if look.filled else 1.0,
            marker=look.marker,
            zorder=4 if look.filled else 3,
        )

    def _name_axes(self, n: int) -> None:
        from matplotlib.ticker import MaxNLocator

        ax = self.ax_
        ax.set(ylim=(-0.02, 1.02), xlim=(-1 - 0.01 * n, n + 0.01 * n), yticks=np.linspace(0, 1, 6))
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        ax.set_xlabel("rows, sorted by degree")
        what = "the predicted class" if self.target is None else f"class {short(self.target)}"
        ax.set_ylabel("bounds and degree")
        ax.spines[["right", "top"]].set_visible(False)
        set_title(ax, f"Membership in {what}")


def check_explanations(explanations: Any) -> None:
    """Refuse what is no sequence of explanations, or an empty one."""
    if not isinstance(explanations, Sequence) or not all(isinstance(item, Explanation) for item in explanations):
        raise TypeError(
            f"explanations is of type {type(explanations).__name__}; expected a sequence of Explanation, such as "
            "clf.explain(X)"
        )
    if not explanations:
        raise ValueError("there are no explanations to draw; explain some rows first")


def _of_class(item: Explanation, label: Any) -> tuple[float, float, float]:
    part = next(part for part in item.memberships if part.label == label)
    return part.lower, part.upper, part.degree


def _middle(state: FittedState) -> float:
    """The degree that is its own negation: one half, or what an isomorphism makes of it."""
    return state.predictor.model.isomorphism.threshold if isinstance(state, ClassifierState) else 0.5


def _threshold(degrees: Floats, middle: float) -> float | None:
    """The middle, if the decision changes there: if of two classes one is above it exactly if the other is below."""
    apart = (degrees - middle).prod(axis=1) if degrees.shape[1] == 2 else np.ones(len(degrees))
    return middle if (apart <= TIE_TOL).all() else None
