"""Model files with the names of the target and id columns, so that later commands find them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fgac import FGAClassifier
    from fgac.cli.training import Roles


def store(clf: FGAClassifier, path: Path, roles: Roles, *, values: bool) -> None:
    """Write a trained model."""
    from fgac.files import save_model

    notes = {"target": roles.target} | ({"id": roles.id} if roles.id else {})
    if roles.missing is not None:
        notes["missing"] = json.dumps(roles.missing)
    save_model(clf, path, values=values, notes=notes)


def load(path: str) -> tuple[FGAClassifier, dict[str, str]]:
    """Read a model and the names of its columns."""
    from fgac.files import load_model, read_notes

    return load_model(path), read_notes(path)


def markers(given: Sequence[str] | None, notes: Mapping[str, str]) -> Sequence[str] | None:
    """What stands for missing values: as the user says, or as in training; None if nobody said."""
    if given is not None or "missing" not in notes:
        return given
    return [str(text) for text in json.loads(notes["missing"])]
