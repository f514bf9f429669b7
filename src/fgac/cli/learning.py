"""Train a classifier with the user's settings; gamma is chosen by cross-validation unless given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac.cli.failure import warn
from fgac.cli.screen import note, progress

if TYPE_CHECKING:
    from fgac import FGAClassifier
    from fgac.cli.training import TrainingTable
    from fgac.selection import GammaScores


@dataclass(frozen=True)
class Settings:
    """Parameters of the classifier, as the command line has them."""

    gamma: float | None
    loss: str
    metric: str
    scale: str
    class_weight: str
    n_jobs: int

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
            "n_jobs": self.n_jobs,
        }
        return FGAClassifier(**parameters)


def learn(table: TrainingTable, settings: Settings, *, quiet: bool) -> tuple[FGAClassifier, str]:
    """Train on a table; also says how gamma was found."""
    clf = settings.estimator(table)
    how = "as given"
    if settings.gamma is None:
        scores = choose(clf, table, quiet=quiet)
        clf.set_params(gamma=scores.best)
        how = how_chosen(scores, len(table.y))
    else:
        note(f"Training on {len(table.y)} rows.", quiet=quiet)
    return clf.fit(table.X, table.y, sample_weight=table.weights, ids=table.ids), how


def choose(clf: FGAClassifier, table: TrainingTable, *, quiet: bool) -> GammaScores:
    """Compare gammas on a table, with a progress bar."""
    from fgac.selection import MAX_ROWS, compare_gammas

    n = len(table.y)
    sample = f", on a sample of {MAX_ROWS} rows" if n > MAX_ROWS else ""
    note(f"Choosing gamma by cross-validation on {n} rows{sample}.", quiet=quiet)
    with progress("choosing gamma", quiet=quiet) as tell:
        scores = compare_gammas(clf, table.X, table.y, sample_weight=table.weights, progress=tell)
    if scores.at_the_end:
        warn(f"gamma {scores.best:g} is the largest that was tried; a larger one may be better (--gamma)")
    return scores


def how_chosen(scores: GammaScores, n_rows: int) -> str:
    """Say how gamma was found."""
    sample = f" of a sample of {scores.n_rows} rows" if scores.n_rows < n_rows else ""
    return (
        f"best of {len(scores.gammas)} by {scores.n_folds}-fold cross-validation{sample} "
        f"(balanced accuracy {scores.score:.3f})"
    )
