"""The columns of new tables must be those of the training table: as many, of the same names, in the same order.

scikit-learn has these checks, and they are the same here, to the word where it matters. But which frames have names
depends on its version, and a frame whose names are not seen is read in whatever order its columns stand.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._warnings import warn_caller
from fgac.estimators._training import Header
from fgac.tables.frames import is_frame, labels_of

# Names that an error lists.
N_SHOWN = 5


def header_of(X: Any) -> Header:
    """Number of the columns of a table, and their names if it has any and all are texts."""
    names = _text_names(labels_of(X)) if is_frame(X) else None
    return Header(int(X.shape[1]), names)


def _text_names(labels: list[Any]) -> NDArray[Any] | None:
    """Names of columns as scikit-learn keeps them; None if they are no texts."""
    twice = [label for label, times in Counter(labels).items() if times > 1]
    if twice:
        raise ValueError(f"X has more than one column called {twice[0]!r}; expected unique names: rename them")
    kinds = sorted({type(label).__name__ for label in labels if not isinstance(label, str)})
    if not kinds:
        return np.array(labels, dtype=object)
    if any(isinstance(label, str) for label in labels):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has names of "
            f"type {' and '.join(['str', *kinds])}: convert them, as by X.columns = X.columns.astype(str)"
        )
    return None


def check_header(X: Any, known: Header, columns: list[str], model: str) -> None:
    """Refuse a table that has other columns than the training table.

    Parameters
    ----------
    X : frame or array
    known : Header
        The columns of the training table.
    columns : list of str
        Texts of their names, or positions; empty if the training table held distances.
    model : str
        What the estimator is called.
    """
    new = header_of(X)
    if known.names is not None and new.names is not None:
        _check_names(new.names.tolist(), known.names.tolist())
    elif new.names is not None:
        warn_caller(f"X has feature names, but {model} was fitted without feature names")
    elif known.names is not None:
        warn_caller(f"X does not have valid feature names, but {model} was fitted with feature names")
    elif is_frame(X) and columns:
        # Names that are no texts are not kept; yet the same ones in another order are a mistake.
        labels = [str(label) for label in labels_of(X)]
        if sorted(labels) == sorted(columns):
            _check_names(labels, columns)
    if new.n_features != known.n_features:
        raise ValueError(
            f"X has {new.n_features} features, but {model} is expecting {known.n_features} features as input"
        )


def _check_names(new: list[str], known: list[str]) -> None:
    if new == known:
        return
    unseen, missing = sorted(set(new) - set(known)), sorted(set(known) - set(new))
    lines = ["The feature names should match those that were passed during fit."]
    if unseen:
        lines += ["Feature names unseen at fit time:", *_listed(unseen)]
    if missing:
        lines += ["Feature names seen at fit time, yet now missing:", *_listed(missing)]
    if not unseen and not missing:
        lines += ["Feature names must be in the same order as they were in fit."]
    raise ValueError("\n".join([*lines, ""]))


def _listed(names: list[str]) -> list[str]:
    return [f"- {name}" for name in names[:N_SHOWN]] + ["- ..."] * (len(names) > N_SHOWN)
