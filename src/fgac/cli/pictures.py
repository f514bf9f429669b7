"""The pictures of ``fgac plot``: which there are, of which kinds of model, and what each must be given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import UsageError, pluralize

if TYPE_CHECKING:
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.model_files import StoredModel

CLASSES, ORDERED, NUMBERS = "classes", "ordered classes", "numbers"
# How many rows of the table a picture is of.
NO_TABLE, ONE_ROW, ALL_ROWS = "no table", "one row", "all rows"
# Folds of the scores over gamma.
N_FOLDS = 5


@dataclass(frozen=True)
class Request:
    """What a picture is made of.

    Attributes
    ----------
    stored : the model
    rows : those of the table, of which one may have been chosen; None without a table
    about : the class that was asked about, as in the model
    feature : the column that was asked about
    """

    stored: StoredModel
    rows: NewRows | None
    about: Any = None
    feature: str | None = None

    @property
    def table(self) -> NewRows:
        """The rows, where there are some."""
        if self.rows is None:
            raise UsageError("this picture is made of rows; name their table")
        return self.rows

    @property
    def estimator(self) -> Any:
        """The model as an estimator, as displays take it."""
        from fgac.estimators._plain import plain_estimator

        return plain_estimator(self.stored.state)

    def explanation(self) -> Any:
        """The explanation of the one row, about a class if one was asked about."""
        about = None if self.about is None else str(self.about)
        kind = self.stored.kind
        return kind.explain(self.stored.state, self.table, n_arguments=3, units={}, audit=False, about=about)[0]


@dataclass(frozen=True)
class Picture:
    """One kind of picture.

    Attributes
    ----------
    display : the class in :mod:`fgac.plot` that draws it
    shows : what is to be seen, in words
    kinds : the kinds of model that it shows
    takes : how many rows of a table it is made of; of one row, the table may be left out if the model has one column
    needs_truth : whether the table must have the true classes or numbers
    options : of "about" and "feature", those that it takes
    draw : makes the display
    """

    display: str
    shows: str
    kinds: tuple[str, ...]
    takes: str
    draw: Callable[[Any, Request], Any]
    needs_truth: bool = False
    options: tuple[str, ...] = ()

    def describe(self) -> str:
        """What there is to see, and what it takes, in one line."""
        wants = {NO_TABLE: "no TABLE", ONE_ROW: "one row of TABLE", ALL_ROWS: "TABLE"}[self.takes]
        truth = " with the target" if self.needs_truth else ""
        options = "".join(f", --{name}" for name in self.options)
        return f"{self.shows} ({', '.join(self.kinds)}; {wants}{truth}{options})"

    def about(self, name: str) -> dict[str, Any]:
        """The same as values, for machines."""
        return {
            "picture": name,
            "shows": self.shows,
            "kinds": list(self.kinds),
            "takes": self.takes,
            "needs_truth": self.needs_truth,
            "options": [f"--{option}" for option in self.options],
        }


def _argument(display: Any, request: Request) -> Any:
    found = request.explanation()
    if hasattr(found, "boundaries"):  # of ordered classes, the boundary that decides the class by least
        parts = [part for part in found.boundaries if found.about is None or part.about is not None]
        if not parts:
            raise UsageError("the model has one class only: there is no boundary to argue about")
        found = min(parts, key=lambda part: part.margin)
    return display.from_explanation(found)


def _membership(display: Any, request: Request) -> Any:
    rows = request.table
    return display.from_estimator(request.estimator, rows.X, _known(rows), target=request.about)


def _known(rows: NewRows) -> list[Any] | None:
    """The true classes, if those of all rows are known."""
    return None if rows.truth is None or None in rows.truth else rows.truth


def _judged(display: Any, request: Request) -> Any:
    return display.from_estimator(request.estimator, request.table.X, request.table.truth)


def _residuals(display: Any, request: Request) -> Any:
    rows = request.table
    return display.from_estimator(request.estimator, rows.X, rows.truth, ids=rows.ids)


def _space(display: Any, request: Request) -> Any:
    return display.from_estimator(request.estimator, request.table.X, target=request.about)


def _gamma(display: Any, request: Request) -> Any:
    return display.from_estimator(request.estimator, request.table.X, request.table.truth, cv=N_FOLDS)


def _of_model(display: Any, request: Request) -> Any:
    return display.from_estimator(request.estimator)


def _curve(display: Any, request: Request) -> Any:
    row = None if request.rows is None else request.rows.X
    return display.from_estimator(request.estimator, row, feature=request.feature)


def _number_line(display: Any, request: Request) -> Any:
    return display.from_explanation(request.explanation())


def _dependence(display: Any, request: Request) -> Any:
    if request.feature is None:
        names = ", ".join(map(repr, (request.stored.feature_names or [])[:8]))
        raise UsageError(f"--feature COLUMN is missing: which column is set to other values? The columns are {names}")
    rows, target = request.table, request.about
    return display.from_estimator(request.estimator, rows.X, feature=request.feature, target=target)


ABOUT, FEATURE = ("about",), ("feature",)
PICTURES = {
    "argument": Picture(
        "ArgumentDisplay", "arguments about one prediction", (CLASSES, ORDERED), ONE_ROW, _argument, options=ABOUT
    ),
    "consistency": Picture(
        "ConsistencyDisplay", "memberships of the training rows in their own classes", (CLASSES,), NO_TABLE, _of_model
    ),
    "coverage": Picture(
        "CoverageDisplay",
        "accuracy of the most confident predictions",
        (CLASSES, ORDERED),
        ALL_ROWS,
        _judged,
        needs_truth=True,
    ),
    "decision-space": Picture(
        "DecisionSpaceDisplay", "the plane of a model of two numbers", (CLASSES,), ALL_ROWS, _space, options=ABOUT
    ),
    "gamma": Picture(
        "GammaDisplay", "models of many gammas, trained on TABLE", (CLASSES,), ALL_ROWS, _gamma, needs_truth=True
    ),
    "membership": Picture(
        "MembershipDisplay",
        "memberships of rows; of more than 100, accuracy by margin",
        (CLASSES, ORDERED),
        ALL_ROWS,
        _membership,
        options=ABOUT,
    ),
    "number-line": Picture(
        "NumberLineDisplay", "arguments about one predicted number", (NUMBERS,), ONE_ROW, _number_line
    ),
    "partial-dependence": Picture(
        "PartialDependenceDisplay",
        "predictions with other values of a column",
        (CLASSES, ORDERED, NUMBERS),
        ALL_ROWS,
        _dependence,
        options=(*FEATURE, *ABOUT),
    ),
    "regression": Picture(
        "RegressionDisplay", "the curve over one column, and one row", (NUMBERS,), ONE_ROW, _curve, options=FEATURE
    ),
    "residuals": Picture(
        "ResidualsDisplay",
        "by how much predictions are off",
        (NUMBERS,),
        ALL_ROWS,
        _residuals,
        needs_truth=True,
    ),
    "weights": Picture("WeightsDisplay", "how much columns count", (CLASSES, ORDERED, NUMBERS), NO_TABLE, _of_model),
}


def picture_named(name: str) -> Picture:
    """The picture of this name."""
    if name not in PICTURES:
        raise UsageError(f"there is no picture {name!r}; expected one of {', '.join(PICTURES)} (fgac plot --list)")
    return PICTURES[name]


def check_picture(name: str, picture: Picture, *, kind: str, has_table: bool, given: dict[str, Any]) -> None:
    """Refuse a model that a picture does not show, and options that it does not take."""
    if kind not in picture.kinds:
        fitting = ", ".join(other for other, each in PICTURES.items() if kind in each.kinds)
        raise UsageError(
            f"{name} shows models of {' and '.join(picture.kinds)}, and this one predicts {kind}; for it there are "
            f"{fitting}"
        )
    if has_table and picture.takes == NO_TABLE:
        raise UsageError(f"{name} is made of the model alone; leave the table out")
    if not has_table and (picture.takes == ALL_ROWS or (picture.takes == ONE_ROW and name != "regression")):
        raise UsageError(f"{name} is made of {picture.takes} of a table; name it: fgac plot {name} MODEL TABLE -o FILE")
    for option, value in given.items():
        if value is not None and option not in picture.options:
            fitting = ", ".join(other for other, each in PICTURES.items() if option in each.options)
            raise UsageError(f"{name} takes no --{option}; leave it out. It is for {fitting}")


def check_columns(name: str, columns: Sequence[str]) -> None:
    """Refuse a model that compares other than two columns where a plane is drawn."""
    if name == "decision-space" and len(columns) != 2:
        raise UsageError(
            f"{name} draws the plane of two columns of numbers, and this model compares "
            f"{pluralize(len(columns), 'column')}; fit a model without the others (fgac fit --drop COLUMN)"
        )


def check_truth(name: str, picture: Picture, rows: NewRows, target: str | None) -> None:
    """Refuse rows whose true classes or numbers are not known, where a picture is of these."""
    if not picture.needs_truth:
        return
    called = "the target" if target is None else repr(target)
    if rows.truth is None:
        raise UsageError(f"{name} compares predictions with {called}, which the table does not have; see --target")
    n_missing = sum(truth is None for truth in rows.truth)
    if n_missing:
        raise UsageError(f"{name} needs {called} in every row; it is missing in {pluralize(n_missing, 'row')}")
