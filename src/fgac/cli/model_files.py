"""Model files, with the names of the target and id columns for later commands to find."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fgac.cli.kinds import kind_of

if TYPE_CHECKING:
    from fgac.cli.io.roles import Roles
    from fgac.cli.kinds import AnyKind
    from fgac.tables.columns import Column


@dataclass(frozen=True)
class StoredModel:
    """A model that was read from a file.

    Attributes
    ----------
    model : the fitted estimator
    kind : what the commands must know of models like this one
    notes : names of the columns that training set apart, ``target`` and ``id``, and what stood for missing values
    """

    model: Any
    kind: AnyKind
    notes: Mapping[str, str]

    @property
    def target(self) -> str | None:
        """The column that the model predicts."""
        return self.notes.get("target")

    @property
    def feature_names(self) -> list[str] | None:
        """The columns that the model compares; None if it was trained without names."""
        names = getattr(self.model, "feature_names_in_", None)
        return None if names is None else [str(name) for name in names]

    @property
    def columns(self) -> tuple[Column, ...]:
        """How the model reads its columns."""
        from fgac.estimators._state import state_of

        columns: tuple[Column, ...] = state_of(self.model).table.columns
        return columns

    def missing_markers(self, given: Sequence[str] | None) -> Sequence[str] | None:
        """What stands for missing values: as the user says, or as in training; None if nobody said."""
        if given is not None or "missing" not in self.notes:
            return given
        return [str(text) for text in json.loads(self.notes["missing"])]


def store_model(model: Any, path: Path, roles: Roles, *, values: bool) -> None:
    """Write a trained model."""
    from fgac.persistence import save_model

    notes = {"target": roles.target} | ({"id": roles.id} if roles.id else {})
    if roles.missing is not None:
        notes["missing"] = json.dumps(roles.missing)
    save_model(model, path, values=values, notes=notes)


def read_model(path: str) -> StoredModel:
    """Read a model and the names of its columns."""
    from fgac.persistence import read_model_file

    model, notes = read_model_file(path)
    return StoredModel(model, kind_of(model), notes)
