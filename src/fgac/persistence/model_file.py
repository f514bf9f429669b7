"""Writing a fitted model to a file, and reading it with its notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from fgac._atomic import write_safely
from fgac.estimators._plain import current_state, plain_estimator
from fgac.estimators._state import FittedState
from fgac.persistence import limits
from fgac.persistence.archive import pack, unpack, write_archive
from fgac.persistence.declarations import NOTES
from fgac.persistence.encoding import Arrays, Decoder, encode
from fgac.persistence.errors import ModelFileError, as_model_file_error
from fgac.persistence.paths import describe_path, is_path, rebuild_path
from fgac.persistence.regular_files import open_regular
from fgac.persistence.schema import check
from fgac.persistence.schema_base import Parts
from fgac.persistence.states import check_parts, describe, rebuild

# Estimators whose state is stored, and those that choose gamma, of which the chosen model is stored. A subclass may
# know more than a state does, so no other class is accepted.
STORED = {
    "FGAClassifier": "fgac.estimators.classifier",
    "FGARegressor": "fgac.estimators.regressor",
    "FGAOrdinalClassifier": "fgac.estimators.ordinal",
}
CHOOSERS = {
    "FGAClassifierCV": "fgac.selection.classifier_cv",
    "FGARegressorCV": "fgac.selection.regressor_cv",
    "FGAOrdinalClassifierCV": "fgac.selection.ordinal_cv",
}
PATHS = {"GammaPath": "fgac.selection.gamma_path"}

# What a reader finds in the header of a file, before anything else.
NOTE = "This file contains the rows that the model was trained on: it works by comparing new rows with them. "
KEPT = "It holds their ids, classes, memberships and values. Give it only to those who may see the rows."
LEFT_OUT = (
    "It holds their ids, classes, memberships and scaled values (or distances); the values as they were given are "
    "left out. That is no protection: the scales and the names of the categories are in the file, because new rows "
    "need them, and with these anyone can turn the scaled values back. Give it only to those who may see the rows."
)


class ModelFile(NamedTuple):
    """What a model file holds: the state of a fitted model, and the texts that were kept with it.

    The state predicts and explains like the estimator that :func:`load_model` makes of it, but without scikit-learn,
    whose import takes longer than to read a model and to predict some rows.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from fgac import FGAClassifier, save_model
    >>> from fgac.persistence import read_model_file
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["low", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(clf, Path(folder, "model.fgac"), notes={"target": "level"})
    ...     file = read_model_file(Path(folder, "model.fgac"))
    >>> file.state.classes, file.notes
    (array(['high', 'low'], dtype='<U4'), {'target': 'level'})
    """

    state: FittedState
    notes: dict[str, str]


class OpenedFile(NamedTuple):
    """What a file of any kind holds, and what its header tells of the file.

    ``model`` is a :class:`~fgac.estimators._state.FittedState` or a :class:`~fgac.GammaPath`; ``version`` is that of
    the format, ``writer`` that of the package that wrote the file, ``size`` is in bytes.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from fgac import FGAClassifier, save_model
    >>> from fgac.persistence import open_model_file
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["low", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(clf, Path(folder, "model.fgac"), notes={"target": "level"})
    ...     opened = open_model_file(Path(folder, "model.fgac"))
    >>> opened.version, opened.notes, opened.size > 0
    (3, {'target': 'level'}, True)
    """

    model: Any
    notes: dict[str, str]
    version: int
    writer: str
    size: int


def save_model(clf: Any, path: str | Path, *, values: bool = True, notes: Mapping[str, str] | None = None) -> None:
    """Write a fitted model to a file; it is there whole, or not at all.

    The file contains the training rows: whoever has it has them.

    Parameters
    ----------
    clf : FGAClassifier, FGAOrdinalClassifier, FGARegressor, one of these with CV, or GammaPath
        Fitted. Of those that choose gamma the model with the chosen gamma is stored, ``clf.best_estimator_``, and not
        how it was chosen: FGAClassifierCV is loaded as FGAClassifier. Functions cannot be stored: not as ``metric``,
        ``owa`` or ``isomorphism``. Columns of frames that were given as parameters (as ``feature_weights``, say) come
        back as arrays.
    path : str or Path
        Where to write, ``model.fgac`` for example. A file that is there is replaced.
    values : bool, default=True
        Whether to store the values of the training rows as they were given, which explanations show. With False
        they show None in their place, and the file holds only the ids and the encoded rows: numbers after scaling,
        categorical values as numbers of categories. That leaves out a copy, it does not hide the rows: the scales
        and the names of the categories stay in the file, because new rows need them, and with these anyone can turn
        the encoded rows back into values (with ``scale=None`` numbers are hardly changed in the first place).
    notes : dict of str, optional
        Texts to keep with the model, such as the name of the target column; :func:`read_notes` returns them.

    Raises
    ------
    ModelFileError
        If something in the model cannot be stored. Nothing is written then.

    Examples
    --------
    >>> import tempfile
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(clf, f"{folder}/model.fgac")
    ...     again = load_model(f"{folder}/model.fgac")
    >>> again
    FGAClassifier(gamma=2.0)
    >>> again.predict([[0.2]])
    array(['low'], dtype='<U4')
    """
    described = _described(clf, values=values)
    notes = dict(notes or {})
    if not _are_texts(notes):
        raise TypeError(f"notes must be a dict of texts, got {notes!r}")
    arrays: Arrays = {}
    parts = {name: encode(part, name, arrays) for name, part in described.items()}
    try:  # what could not be read again is not written
        check_parts(_decoded(parts, arrays))
        _check_notes(notes)
    except ModelFileError as error:
        raise ModelFileError(f"the fitted model {error}") from None
    members = pack(parts, arrays, note=NOTE + (KEPT if values else LEFT_OUT), notes=notes)
    write_safely(path, lambda file: write_archive(file, members))


def load_model(path: str | Path, *, max_size: int | None = None) -> Any:
    """Read a model that :func:`save_model` wrote; it gives exactly what the saved one gave.

    Nothing in the file is executed. This says nothing about who wrote it: a model from a stranger may be a bad one.

    Parameters
    ----------
    path : str or Path
    max_size : int, optional
        Larger files are not read; in bytes. By default what FGAC_MAX_MODEL_SIZE in the environment says, or 2 GiB.

    Returns
    -------
    FGAClassifier, FGAOrdinalClassifier, FGARegressor or GammaPath

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ModelFileError
        If it is no regular file, too large, no model file, of a version that is not known here, or not as declared.

    Examples
    --------
    >>> import tempfile
    >>> from fgac import FGAClassifier, load_model, save_model
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(FGAClassifier().fit([[0.0], [1.0]], ["low", "high"]), f"{folder}/model.fgac")
    ...     load_model(f"{folder}/model.fgac").predict([[0.2]])
    array(['low'], dtype='<U4')
    """
    with _unpacked(path, max_size) as (header, arrays):
        parts = _decoded(header.get("model"), arrays)
        return rebuild_path(parts) if is_path(parts) else plain_estimator(rebuild(parts))


def read_notes(path: str | Path, *, max_size: int | None = None) -> dict[str, str]:
    """The notes that were given to :func:`save_model`, of a file that is as it was written.

    Parameters
    ----------
    path : str or Path
    max_size : int, optional
        Larger files are not read; in bytes. By default as in :func:`load_model`.

    Returns
    -------
    dict of str

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from fgac import FGAClassifier, save_model
    >>> from fgac.persistence import read_notes
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["low", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(clf, Path(folder, "model.fgac"), notes={"target": "level"})
    ...     read_notes(Path(folder, "model.fgac"))
    {'target': 'level'}
    """
    with _unpacked(path, max_size) as (header, _):
        return _notes_in(header)


def read_model_file(path: str | Path, *, max_size: int | None = None) -> ModelFile:
    """The state of the model and the notes of a file that is read, checked and unpacked once for both.

    Parameters
    ----------
    path : str or Path
    max_size : int, optional
        Larger files are not read; in bytes. By default as in :func:`load_model`.

    Returns
    -------
    ModelFile
        Named tuple ``(state, notes)`` of what :func:`load_model` makes an estimator of, and :func:`read_notes` returns.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from fgac import FGAClassifier, save_model
    >>> from fgac.persistence import read_model_file
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["low", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(clf, Path(folder, "model.fgac"), notes={"target": "level"})
    ...     state, notes = read_model_file(Path(folder, "model.fgac"))
    >>> type(state).__name__, notes
    ('ClassifierState', {'target': 'level'})
    """
    with _unpacked(path, max_size) as (header, arrays):
        return ModelFile(rebuild(_decoded(header.get("model"), arrays)), _notes_in(header))


def open_model_file(path: str | Path, *, max_size: int | None = None) -> OpenedFile:
    """The model of a file of any kind, a gamma path too, with what is known of the file itself.

    Parameters
    ----------
    path : str or Path
    max_size : int, optional
        Larger files are not read; in bytes. By default as in :func:`load_model`.

    Returns
    -------
    OpenedFile

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from fgac import FGAClassifier, save_model
    >>> from fgac.persistence import open_model_file
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["low", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(clf, Path(folder, "model.fgac"), notes={"target": "level"})
    ...     opened = open_model_file(Path(folder, "model.fgac"))
    >>> type(opened.model).__name__
    'ClassifierState'
    """
    size = Path(path).stat().st_size
    with _unpacked(path, max_size) as (header, arrays):
        parts = _decoded(header.get("model"), arrays)
        model = rebuild_path(parts) if is_path(parts) else rebuild(parts)
        return OpenedFile(model, _notes_in(header), int(header["version"]), str(header.get("fgac", "")), size)


@contextmanager
def _unpacked(path: str | Path, max_size: int | None) -> Iterator[tuple[dict[str, Any], Arrays]]:
    """Header and arrays of a file; whatever is wrong with them, also later, is an error that names the file."""
    file, size = open_regular(path, max_size)
    with file, as_model_file_error(path):
        yield unpack(file, size)


def _decoded(model: Any, arrays: Arrays) -> Any:
    """The parts of a model; every array is part of it, once."""
    decoder = Decoder(arrays)
    parts = decoder.value({"dict": model})
    if decoder.unused:
        raise ModelFileError(f"holds arrays that are no part of its model, as {next(iter(decoder.unused))!r:.80}")
    return parts


def _notes_in(header: dict[str, Any]) -> dict[str, str]:
    notes: Any = header.get("notes")
    _check_notes(notes)
    return dict(notes)


def _check_notes(notes: Any) -> None:
    try:
        check(NOTES, notes)
    except ModelFileError as error:
        raise ModelFileError(f"has notes that are no texts: it {error}") from None
    if len(notes) > limits.NOTES:
        raise ModelFileError(f"has {len(notes)} notes, expected no more than {limits.NOTES}")


def _described(model: Any, *, values: bool) -> Parts:
    """The parts of a fitted model, or of a path, of a kind that files hold."""
    name = type(model).__name__
    home = {**STORED, **CHOOSERS, **PATHS}.get(name)
    # Loading a model should not wait for what chooses gamma, so classes are looked up by name.
    if home is not None and type(model) is getattr(import_module(home), name):
        return describe_path(model, values=values) if name in PATHS else describe(current_state(model), values=values)
    raise TypeError(
        f"save_model stores a fitted {', '.join(STORED)}, got {name}; give the model itself, of a pipeline its "
        "last step, of a search its best_estimator_"
    )


def _are_texts(notes: Any) -> bool:
    return isinstance(notes, dict) and all(isinstance(text, str) for text in (*notes, *notes.values()))
