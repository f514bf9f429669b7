"""Consistency of the training set: the memberships of its rows in their own classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.estimators._state import ClassifierState, state_of
from fgac.plot._canvas import one_panel, pyplot
from fgac.plot._checks import check_classifier
from fgac.plot._labels import plain, set_title, short
from fgac.plot._palette import Style, blend, ground, ink, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# The golden ratio spreads rows of equal membership evenly, and the same way each time.
GOLDEN = 0.6180339887498949


class ConsistencyDisplay:
    r"""Memberships of the training rows in their own classes, class by class.

    A row at 1 fits its label; the further left it stands, the more the rest of the data contradicts the label. Boxes
    reach from quartile to quartile, with a line at the median. The most doubtful rows are ringed and named. Make it by
    :meth:`from_estimator`.

    Parameters
    ----------
    beta : array of shape (n_samples,)
        Memberships.
    codes : array of shape (n_samples,)
        Classes, as positions in ``classes``.
    ids : array of shape (n_samples,)
        What the rows are called.
    classes : array of shape (n_classes,)
    gamma : float, optional
        Shown in the title.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    points_ : list of PathCollection
        The rows of each class.
    boxes_ : list of Rectangle
        From quartile to quartile, for each class.
    medians_ : list of Line2D
    rings_ : PathCollection or None
        Around the most doubtful rows.
    labels_ : list of IdLabels
        Their names, for each class that has some.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from fgac import FGAClassifier
    >>> from fgac.plot import ConsistencyDisplay
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.2], [1.0]], ["low", "low", "high", "high"])
    >>> display = ConsistencyDisplay.from_estimator(clf, n_labels=2)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['high\nn = 2', 'low\nn = 2']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self, *, beta: Floats, codes: Ints, ids: NDArray[Any], classes: NDArray[Any], gamma: float | None = None
    ) -> None:
        self.beta = beta
        self.codes = codes
        self.ids = ids
        self.classes = classes
        self.gamma = gamma

    @classmethod
    def from_estimator(cls, estimator: Any, *, n_labels: int = 5, ax: Axes | None = None) -> Self:
        """Draw the training rows of a model; those of weight 0 have no membership and are left out.

        Parameters
        ----------
        estimator : FGAClassifier or FGAClassifierCV
            Fitted. It knows its training rows, so no table is needed.
        n_labels : int, default=5
            How many of the most doubtful rows to name.
        ax : Axes, optional

        Returns
        -------
        ConsistencyDisplay
        """
        pyplot()
        check_classifier(estimator, fitted=True)
        state: ClassifierState = state_of(estimator)
        display = cls(
            beta=state.beta[state.records.positions],
            codes=state.records.codes,
            ids=state.records.ids,
            classes=state.classes,
            gamma=state.gamma,
        )
        return display.plot(ax, n_labels=n_labels)

    def plot(self, ax: Axes | None = None, *, n_labels: int = 5) -> Self:
        """Draw the classes from top to bottom.

        Parameters
        ----------
        ax : Axes, optional
            By default those of a new figure.
        n_labels : int, default=5
            How many of the most doubtful rows to name.

        Returns
        -------
        ConsistencyDisplay
        """
        if isinstance(n_labels, bool) or not isinstance(n_labels, int | np.integer) or n_labels < 0:
            raise ValueError(f"n_labels={n_labels!r} must be a whole number >= 0")
        n_classes = len(self.classes)
        self.ax_ = one_panel(ax, (6.4, 1.3 + 0.75 * n_classes))
        self.figure_: Any = self.ax_.figure
        heights = np.empty(len(self.beta))
        self.points_: list[Any] = []
        self.boxes_: list[Any] = []
        self.medians_: list[Any] = []
        for k, look in enumerate(styles(n_classes)):
            rows = np.flatnonzero(self.codes == k)
            # Class k has the strip from k - 0.5 to k + 0.5: names, then rows, then the box.
            heights[rows] = k - 0.22 + 0.34 * (np.arange(1, len(rows) + 1) * GOLDEN % 1.0)
            self.points_.append(self._mark(rows, heights[rows], look))
            self._box(self.beta[rows], k, look)
        self._name_doubtful(heights, int(n_labels))
        self._name_axes()
        return self

    def _mark(self, rows: Ints, heights: Floats, look: Style) -> Any:
        # Smaller marks of more rows; none is clipped, because many memberships are exactly 1, at the edge.
        size = float(np.clip(4000 / max(1, len(self.beta)), 7, 22))
        return self.ax_.scatter(
            self.beta[rows],
            heights,
            s=size,
            c=look.colour,
            marker=look.marker,
            edgecolors=[ground(self.ax_)],
            linewidths=0.2,
            zorder=3,
            clip_on=False,
        )

    def _box(self, beta: Floats, k: int, look: Style) -> None:
        from matplotlib.patches import Rectangle

        low, middle, high = np.quantile(beta, [0.25, 0.5, 0.75])
        face = blend(look.colour, ground(self.ax_), 0.3)
        box = Rectangle(
            (low, k + 0.2), high - low, 0.14, facecolor=face, edgecolor=look.colour, zorder=2, clip_on=False
        )
        self.boxes_.append(self.ax_.add_patch(box))
        self.medians_ += self.ax_.plot(
            [middle, middle], [k + 0.16, k + 0.38], color=ink(self.ax_), linewidth=2, zorder=4, clip_on=False
        )

    def _name_doubtful(self, heights: Floats, n_labels: int) -> None:
        """Ring the rows of the least membership and write their names above their class."""
        from fgac.plot._id_labels import IdLabels

        doubtful = np.argsort(self.beta, kind="stable")[:n_labels]
        doubtful = doubtful[self.beta[doubtful] < 1]  # nothing contradicts the others
        self.rings_, self.labels_ = None, []
        if not len(doubtful):
            return
        colour = ink(self.ax_)
        self.rings_ = self.ax_.scatter(
            self.beta[doubtful],
            heights[doubtful],
            s=60,
            facecolors="none",
            edgecolors=[colour],
            linewidths=1.0,
            zorder=4,
            clip_on=False,
        )
        for k in np.unique(self.codes[doubtful]).tolist():
            rows = doubtful[self.codes[doubtful] == k]
            names = [short(name, 16) for name in self.ids[rows]]
            places = np.column_stack([self.beta[rows], heights[rows]])
            self.labels_.append(IdLabels(self.ax_, places, k - 0.4, names, colour))

    def _name_axes(self) -> None:
        ax, n_classes = self.ax_, len(self.classes)
        counts = np.bincount(self.codes, minlength=n_classes)
        names = [f"{short(label)}\nn = {count}" for label, count in zip(self.classes, counts, strict=True)]
        ax.set_yticks(np.arange(n_classes), names)
        plain(ax.get_yticklabels())
        ax.set(xlim=(0, 1), ylim=(n_classes - 0.5, -0.6), xticks=np.linspace(0, 1, 6))
        ax.tick_params(axis="y", length=0)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.set_xlabel("membership in the own class (β)")
        set_title(
            ax, "Consistency of the training set" + ("" if self.gamma is None else f" at γ\u00a0=\u00a0{self.gamma:g}")
        )
