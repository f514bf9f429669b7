"""Model files, with the names of the target and id columns for later commands to find."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError
from fgac.cli.io.date_columns import ORDERS
from fgac.cli.io.sources import Reading, check_table
from fgac.cli.kinds import kind_of

if TYPE_CHECKING:
    from fgac.cli.io.roles import Roles
    from fgac.cli.kinds import AnyKind
    from fgac.estimators._state import FittedState


# How a zip begins, which all model files are.
ZIP = b"PK"


@dataclass(frozen=True)
class StoredModel:
    """A model that was read from a file.

    Attributes
    ----------
    state : what the model has learned; it predicts without scikit-learn, whose import is most of a short command
    kind : what the commands must know of models like this one
    notes : names of the columns that training set apart, ``target`` and ``id``, and what stood for missing values
    """

    state: FittedState
    kind: AnyKind
    notes: Mapping[str, str]

    @property
    def target(self) -> str | None:
        """The column that the model predicts."""
        return self.state.target_name

    @property
    def feature_names(self) -> list[str] | None:
        """The columns that the model compares; None if it was trained without names."""
        names = self.state.header.names
        return None if names is None else [str(name) for name in names]

    def missing_markers(self, given: Sequence[str] | None) -> Sequence[str] | None:
        """What stands for missing values: as the user says, or as in training; None if nobody said."""
        if given is not None or "missing" not in self.notes:
            return given
        return _markers_in(self.notes["missing"])

    @property
    def date_forms(self) -> dict[str, str]:
        """How dates were written in the columns of the training table that held texts of them."""
        return _forms_in(self.notes["dates"]) if "dates" in self.notes else {}


def _markers_in(note: str) -> list[str]:
    """The list of texts that a note holds; whoever wrote the file may have written anything."""
    try:
        markers = json.loads(note)
    except (ValueError, RecursionError):
        markers = None
    if not isinstance(markers, list) or not all(isinstance(marker, str) for marker in markers):
        raise CommandError(
            f"the model file notes {note!r:.80} as what stands for missing values, expected a list of texts; say it "
            "with --missing, or fit the model again"
        )
    return markers


def _forms_in(note: str) -> dict[str, str]:
    """The columns of dates that a note holds, with how dates are written in each."""
    try:
        forms = json.loads(note)
    except (ValueError, RecursionError):
        forms = None
    is_known = isinstance(forms, dict) and all(
        isinstance(form, str) and (form in ORDERS or "%" in form) for form in forms.values()
    )
    if not is_known:
        raise CommandError(
            f"the model file notes {note!r:.80} as how dates are written, expected columns with patterns such as "
            "%d.%m.%Y; fit the model again"
        )
    return dict(forms)


def store_model(model: Any, path: Path, roles: Roles, *, values: bool, dates: Mapping[str, str] | None = None) -> None:
    """Write a trained model; ``dates`` are the columns of dates that were texts, and how these are written."""
    from fgac.persistence import save_model

    notes = {"target": roles.target} | ({"id": roles.id} if roles.id else {})
    if roles.missing is not None:  # new rows are read as the training rows were
        notes["missing"] = json.dumps(roles.missing)
    if dates:
        notes["dates"] = json.dumps(dict(dates))
    save_model(model, path, values=values, notes=notes)


def check_model(path: str) -> bool:
    """Refuse a model file that is not there or cannot be opened; otherwise, whether it looks like a model file.

    What a file holds that does not look like one is left to :func:`read_model` to say.
    """
    if Path(path).exists() and not Path(path).is_file():  # a folder, or a pipe that can be read only once
        return False
    with Path(path).open("rb") as file:
        return file.read(len(ZIP)) == ZIP


def check_files(model: str, data: str, reading: Reading) -> None:
    """Refuse names of files that cannot be read, before anything that takes long to import is imported."""
    if check_model(model):
        check_table(data, reading)


def read_model(path: str) -> StoredModel:
    """Read a model and the names of its columns."""
    check_model(path)
    from fgac.persistence import read_model_file

    state, notes = read_model_file(path)
    if state.target_name is None and notes.get("target", "").strip():
        # Older versions wrote the name of the target among the notes, and nowhere else.
        from fgac.estimators._state import with_target_name

        state = with_target_name(state, notes["target"])
    return StoredModel(state, kind_of(state), notes)
