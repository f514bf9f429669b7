"""Train a model with the user's settings; gamma is chosen by cross-validation unless given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fgac.cli.console import note, progress, show_columns
from fgac.cli.errors import warn

if TYPE_CHECKING:
    from fgac.cli.io.reading import RawTable
    from fgac.cli.io.sources import Reading
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.settings import Settings


def read_training_table(path: str, target: str, settings: Settings, reading: Reading, *, quiet: bool) -> TrainingTable:
    """Read a table as training data, and show what its columns are taken for."""
    from fgac.cli.io.streaming import read_table

    return as_training_table(read_table(path, settings.missing, reading), target, settings, quiet=quiet)


def as_training_table(raw: RawTable, target: str, settings: Settings, *, quiet: bool) -> TrainingTable:
    """Take a table that has been read as training data, and show what its columns are taken for."""
    from fgac.cli.io.training_table import training_table

    table = training_table(raw, settings.roles(target), settings.kind)
    show_columns(table, quiet=quiet)
    return table


def train(table: TrainingTable, settings: Settings, *, quiet: bool) -> tuple[Any, str]:
    """A model trained on a table; and how its gamma was found, in words."""
    model = settings.kind.estimator(settings, table)
    if settings.gamma is None:
        how = _fit_search(model, table, settings, quiet=quiet)
    else:
        note(f"Training on {len(table.y)} rows.", quiet=quiet)
        with progress("training", quiet=quiet):
            model.fit(table.X, table.y, sample_weight=table.weights, ids=table.ids)
        how = "as given"
    return with_target(model, table.target), how


def with_target(model: Any, target: str) -> Any:
    """The same trained model, which then says by its name what it predicts."""
    from fgac.estimators._plain import plain_estimator
    from fgac.estimators._state import state_of, with_target_name

    return plain_estimator(with_target_name(state_of(model), target))


def _fit_search(search: Any, table: TrainingTable, settings: Settings, *, quiet: bool) -> str:
    """Choose gamma and fit to all rows; how gamma was found, in words."""
    from fgac._warnings import REPEATED_IDENTIFIERS, already_warned
    from fgac.cli.io.repeats import warn_of_repeats
    from fgac.estimators._state import state_of
    from fgac.selection.search import fit_search

    warn_of_repeats(table)
    n_rows = n_counted(table)
    at_most = "" if table.groups is None else "at most "
    of_sample = f" of a sample of {at_most}{search.max_rows} rows" if n_rows > search.max_rows else ""
    whole = "" if table.group is None else f", folds of whole groups by {table.group!r}"
    note(f"Choosing gamma by cross-validation{of_sample or f' on {n_rows} rows'}{whole}.", quiet=quiet)
    more = {"sample_weight": table.weights, "ids": table.ids, "groups": table.groups}
    with progress("choosing gamma", quiet=quiet) as on_progress, already_warned(REPEATED_IDENTIFIERS):
        fit_search(search, table.X, table.y, **more, on_progress=on_progress)
    # The best of a list at its end may not be the best there is.
    if search.gamma_ == max(search.cv_results_["param_gamma"]):
        warn(f"gamma {search.gamma_:g} is the largest that was tried; a larger one may be better (--gamma)")
    selection = state_of(search).selection
    score = settings.kind.describe_score(selection)
    if table.group is not None:
        whole, score = f" of {selection.n_groups} whole groups by {table.group!r}", f"{score} for new groups"
    n_gammas = len(search.cv_results_["params"])
    return f"best of {n_gammas} by {search.n_splits_}-fold cross-validation{of_sample}{whole} ({score})"


def n_counted(table: TrainingTable) -> int:
    """Number of rows, without those of weight 0."""
    return len(table.y) if table.weights is None else int((table.weights > 0).sum())
