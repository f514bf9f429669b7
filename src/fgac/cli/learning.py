"""Train a classifier with the user's settings; gamma is chosen by cross-validation unless given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fgac.cli.failure import Misused, known_column, warn
from fgac.cli.screen import note, progress

if TYPE_CHECKING:
    from fgac import FGAClassifier, FGAClassifierCV
    from fgac.cli.training import TrainingTable


@dataclass(frozen=True)
class Directions:
    """Columns of which more can only speak for one class."""

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
                    raise Misused(f"--{option} {name!r}: the column holds names, which have no order")
                if found.setdefault(name, direction) != direction:
                    raise Misused(f"column {name!r} cannot be both --increasing and --decreasing; choose one")
        classes = sorted(set(table.y.tolist()))
        if found and len(classes) > 2:
            raise Misused(
                f"--increasing and --decreasing need two classes, and there are {len(classes)}; for ordered classes "
                "use fgac.FGAOrdinalClassifier in Python"
            )
        return found or None


@dataclass(frozen=True)
class Settings:
    """Parameters of the classifier, as the command line has them."""

    gamma: float | None
    loss: str
    metric: str
    scale: str
    class_weight: str
    n_jobs: int
    directions: Directions = field(default_factory=Directions)
    learn_weights: bool = False

    def estimator(self, table: TrainingTable) -> FGAClassifier:
        """The classifier for a table, not yet trained; its gamma is a placeholder if none was given."""
        from fgac import FGAClassifier

        parameters: dict[str, Any] = {
            "gamma": self.gamma or 1.0,
            "loss": str(self.loss),
            "metric": str(self.metric),
            "scale": None if self.scale == "none" else str(self.scale),
            "class_weight": None if self.class_weight == "none" else str(self.class_weight),
            "categorical_features": table.nominal,
            "monotonic_cst": self.directions.of(table),
            "feature_weights": "learned" if self.learn_weights else None,
            "n_jobs": self.n_jobs,
        }
        return FGAClassifier(**parameters)


def learn(table: TrainingTable, settings: Settings, *, quiet: bool) -> tuple[FGAClassifier, str]:
    """Train on a table; also says how gamma was found."""
    clf = settings.estimator(table)
    if settings.gamma is not None:
        note(f"Training on {len(table.y)} rows.", quiet=quiet)
        return clf.fit(table.X, table.y, sample_weight=table.weights, ids=table.ids), "as given"
    chooser = choose(clf, table, quiet=quiet)
    return fitted_to_all(chooser, table.X, table.y, table.weights, table.ids), how_chosen(chooser, n_counted(table))


def choose(clf: FGAClassifier, table: TrainingTable, *, quiet: bool) -> FGAClassifierCV:
    """Choose gamma on a table, with a progress bar."""
    from fgac.choosing import choose_gamma
    from fgac.selection import MAX_ROWS

    n = n_counted(table)
    sample = f", on a sample of {MAX_ROWS} rows" if n > MAX_ROWS else ""
    note(f"Choosing gamma by cross-validation on {n} rows{sample}.", quiet=quiet)
    with progress("choosing gamma", quiet=quiet) as tell:
        chooser = choose_gamma(
            clf, table.X, table.y, max_rows=MAX_ROWS, sample_weight=table.weights, ids=table.ids, progress=tell
        )
    if chooser.gamma_ == max(chooser.cv_results_["param_gamma"]):
        warn(f"gamma {chooser.gamma_:g} is the largest that was tried; a larger one may be better (--gamma)")
    return chooser


def n_counted(table: TrainingTable) -> int:
    """Number of rows, without those of weight 0."""
    return len(table.y) if table.weights is None else int((table.weights > 0).sum())


def fitted_to_all(chooser: FGAClassifierCV, X: Any, y: Any, weights: Any, ids: Any = None) -> FGAClassifier:
    """The classifier with the chosen gamma; it is trained again if gamma was chosen on some of the rows only."""
    from sklearn.base import clone

    model = chooser.chosen()
    return model if len(model.beta_) == len(y) else clone(model).fit(X, y, sample_weight=weights, ids=ids)


def how_chosen(chooser: FGAClassifierCV, n_rows: int) -> str:
    """Say how gamma was found."""
    n_used = len(chooser.beta_)
    sample = f" of a sample of {n_used} rows" if n_used < n_rows else ""
    return (
        f"best of {len(chooser.cv_results_['params'])} by {chooser.n_splits_}-fold cross-validation{sample} "
        f"(balanced accuracy {chooser.best_score_:.3f})"
    )
