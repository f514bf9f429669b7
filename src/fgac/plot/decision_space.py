"""The decision space: memberships and predictions on every point of a plane, for several gammas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from fgac.estimators._state import state_of
from fgac.plot._canvas import dress, many_panels, pyplot
from fgac.plot._checks import check_class, check_classifier, check_truth, distinct_gammas, n_rows
from fgac.plot._labels import set_title, short, wrapped
from fgac.plot._legend import legend_beside
from fgac.plot._palette import DARK_LINE, PALE_EDGE, TWO_CLASSES, Style, blend, ground, ink, styles
from fgac.plot._plane import Plane, Space, check_plane, plane_of, space_of
from fgac.selection.search import with_gamma

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# The deepest shade of a class, mixed with the colour of the paper so that training rows stand out.
DEPTH = 0.75


class DecisionSpaceDisplay:
    """Decision space of models with two numeric features, one panel for every gamma.

    The shade is the degree of membership in a class, the line is where the decision changes, the marks are the training
    rows: the smaller one is, the more the others contradict its label. A large gamma trusts single rows, a small one
    smooths over many. Make it by :meth:`from_estimator`.

    Parameters
    ----------
    plane : Plane
        The grid, and the training rows on it.
    spaces : tuple of Space
        Memberships and predictions there, of every model.
    classes : array of shape (n_classes,)
    target : int or None
        Number of the class whose degree is the shade; None shades every point by the class predicted there.

    Attributes
    ----------
    ax_ : Axes
        The first panel.
    axes_ : array of Axes
        All panels, in the order of the gammas.
    figure_ : Figure
    surfaces_ : list of AxesImage
        The shades, one for every panel.
    borders_ : list of QuadContourSet
        The lines; a panel with one decision only has none.
    points_ : list of list of PathCollection
        The training rows: for every panel, one collection for each class.
    colorbar_, legend_ : Colorbar or None, Legend or None

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from sklearn.datasets import make_moons
    >>> from fgac import FGAClassifier
    >>> from fgac.plot import DecisionSpaceDisplay
    >>> X, y = make_moons(60, noise=0.2, random_state=0)
    >>> display = DecisionSpaceDisplay.from_estimator(FGAClassifier(), X, y, gammas=[10, 1], grid_resolution=20)
    >>> [ax.get_title() for ax in display.axes_]
    ['γ = 10', 'γ = 1']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self, *, plane: Plane, spaces: tuple[Space, ...], classes: NDArray[Any], target: int | None = None
    ) -> None:
        self.plane = plane
        self.spaces = spaces
        self.classes = classes
        self.target = target

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        gammas: Any = None,
        target: Any = None,
        grid_resolution: int = 200,
        ax: Any = None,
        **plot: Any,
    ) -> Self:
        """Draw the memberships that a model, or copies of it with other gammas, give to the plane that X spans.

        Parameters
        ----------
        estimator : FGAClassifier or FGAClassifierCV
            Fitted, unless gammas are given.
        X : frame or array of shape (n_samples, 2)
            Numbers. Their range is drawn; with gammas, they are also what the copies are fitted on.
        y : array of shape (n_samples,), optional
            Classes of the rows; needed with gammas only.
        gammas : list of positive numbers, optional
            Fit a copy of the estimator with each of these, one panel each.
        target : label, optional
            Shade by the degree of this class. By default the second of two classes; with more of them, every point
            has the colour of its class, the deeper, the larger its degree.
        grid_resolution : int, default=200
            Points of the plane along each axis.
        ax : Axes or array of Axes, optional
            One to be divided, or one for every panel.
        **plot : dict
            See :meth:`plot`.

        Returns
        -------
        DecisionSpaceDisplay
        """
        pyplot()
        check_classifier(estimator, fitted=gammas is None)
        check_plane(estimator, X)
        if isinstance(grid_resolution, bool) or not isinstance(grid_resolution, int) or grid_resolution < 2:
            raise ValueError(f"grid_resolution={grid_resolution!r} must be a whole number >= 2")
        models = [estimator]
        if gammas is not None:
            y = check_truth(y, n_rows(X))
            models = [with_gamma(estimator, gamma).fit(X, y) for gamma in distinct_gammas(gammas)]
        classes = models[0].classes_
        number = check_class(target, classes) if target is not None else (1 if len(classes) == 2 else None)
        plane = plane_of(state_of(models[0]), X, grid_resolution)
        spaces = tuple(space_of(model, plane) for model in models)
        return cls(plane=plane, spaces=spaces, classes=classes, target=number).plot(ax, **plot)

    def plot(self, ax: Any = None, *, colorbar: bool = True, legend: bool = True) -> Self:
        """Draw the panels.

        Parameters
        ----------
        ax : Axes or array of Axes, optional
            One to be divided, or one for every panel; by default a new figure.
        colorbar, legend : bool, default=True
            Whether to explain shades and marks.

        Returns
        -------
        DecisionSpaceDisplay
        """
        n = len(self.spaces)
        columns = min(n, 4)
        size = (3.1 * columns + 1.3, 3.0 * -(-n // columns) + 0.9)
        self.axes_ = many_panels(ax, n, n_columns=columns, size=size, sharex=True, sharey=True)
        self.ax_: Axes = self.axes_[0]
        self.figure_: Any = self.ax_.figure
        looks = styles(len(self.classes))
        self.surfaces_ = [self._shade(*pair, looks) for pair in zip(self.axes_, self.spaces, strict=True)]
        self.borders_ = [c for pair in zip(self.axes_, self.spaces, strict=True) for c in self._border(*pair)]
        self.points_ = [self._mark(*pair, looks) for pair in zip(self.axes_, self.spaces, strict=True)]
        self._name_axes()
        self.colorbar_ = self._explain_shades(looks) if colorbar else None
        self.legend_ = self._explain_marks(own=ax is None) if legend else None
        return self

    def _shade(self, ax: Axes, space: Space, looks: list[Style]) -> Any:
        """The degree of the class of interest, or the classes' colours, as deep as their degrees."""
        place: dict[str, Any] = {"extent": self.plane.extent, "origin": "lower", "aspect": "auto", "zorder": 0}
        if self.target is not None:
            image = space.degree[..., self.target]
            return ax.imshow(image, cmap=self._shades(ax, looks), vmin=0, vmax=1, interpolation="bilinear", **place)
        paper = np.array(ground(ax))
        colours = np.array([blend(look.colour, paper, DEPTH) for look in looks])
        winner = np.argmax(space.lead, axis=-1)
        depth = np.take_along_axis(space.degree, winner[..., None], axis=-1)
        # Every point has a transparency of its own, so it is mixed with the paper here.
        image = depth * colours[winner] + (1 - depth) * paper
        return ax.imshow(np.clip(image, 0, 1), interpolation="nearest", **place)

    def _shades(self, ax: Axes, looks: list[Style]) -> Any:
        from matplotlib.colors import LinearSegmentedColormap

        if len(looks) == 2:
            ends: Any = TWO_CLASSES if self.target == 1 else TWO_CLASSES[::-1]
        else:
            ends = [ground(ax), blend(looks[self.target or 0].colour, ground(ax), DEPTH)]
        return LinearSegmentedColormap.from_list("degree", ends)

    def _border(self, ax: Axes, space: Space) -> list[Any]:
        """Where the lead of a class changes its sign."""
        leads = np.moveaxis(space.lead, -1, 0)
        if len(leads) == 2:  # the lead of one is minus that of the other
            leads = leads[1:]
        # The shades of two classes are light in every style, those of more go over into the paper.
        colour = DARK_LINE if self.target is not None and len(self.classes) == 2 else ink(ax)
        return [
            ax.contour(self.plane.across, self.plane.up, lead, levels=[0.0], colors=[colour], linewidths=1.3, zorder=2)
            for lead in leads
            if lead.min() < 0 < lead.max()
        ]

    def _mark(self, ax: Axes, space: Space, looks: list[Style]) -> list[Any]:
        """The training rows, as large as their memberships."""
        size = min(1.0, 10.0 / np.sqrt(max(1, len(space.beta))))  # so that many rows leave some of the plane visible
        drawn = []
        for k, look in enumerate(looks):
            rows = self.plane.codes == k
            beta = space.beta[: len(self.plane.codes)][rows]
            drawn.append(
                ax.scatter(
                    self.plane.points[rows, 0],
                    self.plane.points[rows, 1],
                    s=(6 + 40 * beta**2) * size,
                    c=look.colour,
                    marker=look.marker,
                    edgecolors=PALE_EDGE,
                    linewidths=0.6 * size,
                    zorder=3,
                )
            )
        return drawn

    def _name_axes(self) -> None:
        left, right, bottom, top = self.plane.extent
        for ax, space in zip(self.axes_, self.spaces, strict=True):
            ax.set(xlim=(left, right), ylim=(bottom, top))
            set_title(ax, f"γ = {space.gamma:g}")
            place = ax.get_subplotspec()
            if place is None or place.is_last_row():
                ax.set_xlabel(short(self.plane.columns[0], 32), parse_math=False)
            if place is None or place.is_first_col():
                ax.set_ylabel(short(self.plane.columns[1], 32), parse_math=False)

    def _explain_shades(self, looks: list[Style]) -> Any:
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import LinearSegmentedColormap

        source, text = self.surfaces_[0], "degree of the predicted class"
        if self.target is not None:
            text = f"degree of membership in class {short(self.classes[self.target])}"
        else:
            paper = ground(self.ax_)
            source = ScalarMappable(
                cmap=LinearSegmentedColormap.from_list("d", [paper, blend(ink(self.ax_), paper, 0.5)])
            )
        bar = self.figure_.colorbar(source, ax=list(self.axes_), fraction=0.05, aspect=25)
        dress(bar.ax, self.ax_)
        # The bar has no size before it is laid out; it is at least about as high as a panel.
        label = bar.ax.yaxis.label
        height = 0.8 * self.ax_.get_window_extent().height / self.figure_.dpi
        bar.set_label(wrapped(text, height, float(label.get_fontsize())), parse_math=False)
        return bar

    def _explain_marks(self, *, own: bool) -> Any:
        from matplotlib.lines import Line2D

        handles = [
            Line2D(
                [], [], color=look.colour, marker=look.marker, linestyle="none", markeredgecolor=PALE_EDGE, markersize=7
            )
            for look in styles(len(self.classes))
        ]
        labels = [short(label, 24 if own else 14) for label in self.classes]
        return legend_beside(self.ax_, handles, labels, own=own, title="training rows (size: membership)")
