"""Train a model with the user's settings; gamma is chosen by cross-validation unless given.

The order of classes, as the user writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fgac.cli.console import note, progress
from fgac.cli.errors import UsageError, known_column, pluralize, warn

if TYPE_CHECKING:
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.model_files import Model
    from fgac.selection.grid import Progress
    from fgac.selection.search import GammaSearch


def read_order(given: Sequence[str], labels: Sequence[Any]) -> list[Any]:
    """The classes of a table from the lowest to the highest, as the labels are written.

    A single text is cut at its commas; of several, each is a class.

    >>> read_order(["1, 2,10"], [2, 1, 10, 2]), read_order(["so, so", "good"], ["good", "so, so"])
    ([1, 2, 10], ['so, so', 'good'])
    """
    names = [name.strip() for name in (given[0].split(",") if len(given) == 1 else given)]
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise UsageError(f"--order names {twice[0]!r} more than once; expected every class once")
    classes = {str(label): label for label in labels}
    absent = [name for name in classes if name not in names]
    unused = [name for name in names if name not in classes]
    if absent:
        n = sum(str(label) in absent for label in labels)
        strange = f", and {', '.join(map(repr, unused))} is no class" if unused else ""
        raise UsageError(
            f"--order does not name {', '.join(map(repr, absent[:5]))} ({pluralize(n, 'row')}){strange}; name every "
            "class once, from the lowest to the highest"
        )
    if unused:
        warn(f"--order names {', '.join(map(repr, unused))}, which no row has; left out")
    return [classes[name] for name in names if name in classes]


@dataclass(frozen=True)
class Directions:
    """Columns of which more can only speak for one class, or only raise or lower a number."""

    increasing: Sequence[str] = ()
    decreasing: Sequence[str] = ()

    def of(self, table: TrainingTable) -> dict[str, int] | None:
        """The direction of every column that has one; None if there are none."""
        names = [column.name for column in table.columns]
        found: dict[str, int] = {}
        for option, direction in (("increasing", 1), ("decreasing", -1)):
            for name in getattr(self, option):
                known_column(name, names, f"--{option}")
                if name in table.nominal:
                    raise UsageError(f"--{option} {name!r}: the column holds names, which have no order")
                if found.setdefault(name, direction) != direction:
                    raise UsageError(f"column {name!r} cannot be both --increasing and --decreasing; choose one")
        return found or None

    def check_two(self, table: TrainingTable) -> None:
        """Refuse directions if there are more than two classes, and nobody said in which order."""
        n_classes = len(set(table.y.tolist()))
        if n_classes > 2 and (self.increasing or self.decreasing):
            raise UsageError(
                f"--increasing and --decreasing need two classes, and there are {n_classes}; if these have an order, "
                "name them from the lowest to the highest (--order)"
            )
        if self.increasing or self.decreasing:
            low, high = sorted(set(table.y.tolist()))
            warn(
                f"{high!r} is taken as the higher of the two classes, because its name comes last: --increasing "
                f"columns can only speak for it. If {low!r} is higher, say --order {high},{low}"
            )


@dataclass(frozen=True)
class Settings:
    """What kind of model it is to be, and its parameters, as the command line has them."""

    gamma: float | None
    loss: str
    metric: str
    scale: str
    class_weight: str
    n_jobs: int
    directions: Directions = field(default_factory=Directions)
    learn_weights: bool = False
    numbers: bool = False
    order: Sequence[str] = ()
    interval: float | None = None

    def __post_init__(self) -> None:
        if self.numbers:
            for option, given in (("--order", bool(self.order)), ("--class-weight", self.class_weight != "none")):
                if given:
                    raise UsageError(f"{option} is for classes, and --numbers says that there are none; choose one")
        elif self.interval is not None:
            raise UsageError("--interval is for numbers; say with --numbers that the target holds numbers, not classes")

    def estimator(self, table: TrainingTable) -> Model:
        """The model for a table, not yet trained; its gamma is a placeholder if none was given."""
        from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor

        common = self._common(table)
        if self.numbers:
            return FGARegressor(interval=self.interval, **common)
        common["class_weight"] = None if self.class_weight == "none" else str(self.class_weight)
        if self.order:
            return FGAOrdinalClassifier(class_order=read_order(self.order, table.y.tolist()), **common)
        self.directions.check_two(table)
        return FGAClassifier(**common)

    def _common(self, table: TrainingTable) -> dict[str, Any]:
        """Parameters that all models have."""
        return {
            "gamma": self.gamma or 1.0,
            "loss": str(self.loss),
            "metric": str(self.metric),
            "scale": None if self.scale == "none" else str(self.scale),
            "categorical_features": table.nominal,
            "monotonic_cst": self.directions.of(table),
            "feature_weights": "learned" if self.learn_weights else None,
            "n_jobs": self.n_jobs,
        }


def learn(table: TrainingTable, settings: Settings, *, quiet: bool) -> tuple[Model, str]:
    """Train on a table; also says how gamma was found."""
    from fgac.cli.model_files import predicts_numbers
    from fgac.selection.rules import choose_gamma

    model = settings.estimator(table)
    if settings.gamma is None:
        return choose(model, table, quiet=quiet)
    note(f"Training on {len(table.y)} rows.", quiet=quiet)
    if settings.interval is not None and predicts_numbers(model):
        only = [settings.gamma]  # nothing to choose, but the width of the interval is found on rows held out
        search = choose_gamma(
            model, table.X, table.y, gammas=only, max_rows=None, sample_weight=table.weights, ids=table.ids
        )
        return search.best_estimator_, "as given"
    return model.fit(table.X, table.y, sample_weight=table.weights, ids=table.ids), "as given"


def choose(model: Model, table: TrainingTable, *, quiet: bool) -> tuple[Model, str]:
    """Choose gamma on a table, with a progress bar, and train with it; also says how."""
    from fgac.selection.rules import MAX_ROWS

    n = n_counted(table)
    sample = f", on a sample of {MAX_ROWS} rows" if n > MAX_ROWS else ""
    note(f"Choosing gamma by cross-validation on {n} rows{sample}.", quiet=quiet)
    with progress("choosing gamma", quiet=quiet) as tell:
        trained, search, score = _chosen(model, table, tell)
    if search.gamma_ == max(search.cv_results_["param_gamma"]):
        warn(f"gamma {search.gamma_:g} is the largest that was tried; a larger one may be better (--gamma)")
    of_sample = f" of a sample of {MAX_ROWS} rows" if n > MAX_ROWS else ""
    n_gammas = len(search.cv_results_["params"])
    return trained, f"best of {n_gammas} by {search.n_splits_}-fold cross-validation{of_sample} ({score})"


def _chosen(model: Model, table: TrainingTable, tell: Progress) -> tuple[Model, GammaSearch, str]:
    """The model with the best gamma, trained on all rows; how gamma was chosen, and its score."""
    from fgac.cli.model_files import predicts_numbers, predicts_order
    from fgac.selection.rules import MAX_ROWS, choose_gamma

    search = choose_gamma(
        model, table.X, table.y, max_rows=MAX_ROWS, sample_weight=table.weights, ids=table.ids, on_progress=tell
    )
    if predicts_numbers(model):
        score = f"R2 {search.best_score_:.3f}"
    elif predicts_order(model):
        score = f"off by {-search.best_score_:.3f} classes, all counting the same"
    else:
        score = f"balanced accuracy {search.best_score_:.3f}"
    return search.best_estimator_, search, score


def n_counted(table: TrainingTable) -> int:
    """Number of rows, without those of weight 0."""
    return len(table.y) if table.weights is None else int((table.weights > 0).sum())
