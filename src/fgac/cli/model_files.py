"""The kinds of models, and their files with the names of the target and id columns, for later commands to find."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
    from fgac.cli.io.training_table import Roles

    Model: TypeAlias = FGAClassifier | FGAOrdinalClassifier | FGARegressor


def predicts_numbers(model: Any) -> TypeGuard[FGARegressor]:
    """Whether a model predicts numbers."""
    from fgac import FGARegressor

    return isinstance(model, FGARegressor)


def predicts_order(model: Any) -> TypeGuard[FGAOrdinalClassifier]:
    """Whether a model predicts classes that have an order."""
    from fgac import FGAOrdinalClassifier

    return isinstance(model, FGAOrdinalClassifier)


def csv_decimals(model: Model) -> int | None:
    """Decimals in CSV: few of degrees, which are from 0 to 1; all of numbers, which are as small as the target."""
    from fgac.cli.io.writing import CSV_DECIMALS

    return None if predicts_numbers(model) else CSV_DECIMALS


def store(clf: Model, path: Path, roles: Roles, *, values: bool) -> None:
    """Write a trained model."""
    from fgac.persistence import save_model

    notes = {"target": roles.target} | ({"id": roles.id} if roles.id else {})
    if roles.missing is not None:
        notes["missing"] = json.dumps(roles.missing)
    save_model(clf, path, values=values, notes=notes)


def load(path: str) -> tuple[Any, dict[str, str]]:
    """Read a model and the names of its columns."""
    from fgac.persistence import load_model, read_notes

    return load_model(path), read_notes(path)


def markers(given: Sequence[str] | None, notes: Mapping[str, str]) -> Sequence[str] | None:
    """What stands for missing values: as the user says, or as in training; None if nobody said."""
    if given is not None or "missing" not in notes:
        return given
    return [str(text) for text in json.loads(notes["missing"])]
