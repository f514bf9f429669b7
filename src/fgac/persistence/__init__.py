"""Model files: one file per fitted model, whose loading runs no code.

A model file is a zip of plain arrays in NumPy's format and one JSON header. Nothing in it names a function or a
class, and nothing is unpickled. What a file may hold is declared in :mod:`fgac.persistence.declarations`, and checked
before anything is built. A file that has been changed, cut short or is something else gets a :class:`ModelFileError`
that says so in one line.

**A model file contains the rows that the model was trained on**, because a model works by comparing new rows
with them. Give it only to those who may see these rows.
"""

from fgac.persistence.errors import ModelFileError
from fgac.persistence.model_file import (
    ModelFile,
    OpenedFile,
    load_model,
    open_model_file,
    read_model_file,
    read_notes,
    save_model,
)
from fgac.persistence.trusted import TRUSTED_TYPES

__all__ = [
    "TRUSTED_TYPES",
    "ModelFile",
    "ModelFileError",
    "OpenedFile",
    "load_model",
    "open_model_file",
    "read_model_file",
    "read_notes",
    "save_model",
]
