"""Tables that come in batches: one is judged after the other, and never more than one is held."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fgac.granular.membership import Memberships
from fgac.tables.containers import as_table
from fgac.tables.frames import is_frame

if TYPE_CHECKING:
    from fgac.estimators._base import RowClassifier


Batch = TypeVar("Batch")
Result = TypeVar("Result")

METHODS = ("predict", "predict_proba", "decision_function", "memberships")
READERS = "pandas.read_csv(path, chunksize=100_000) or pyarrow.parquet.ParquetFile(path).iter_batches()"


def predict_batches(clf: RowClassifier, batches: Any, method: str) -> Iterator[Any]:
    """Check what can be checked at once, and give the results one by one."""
    from sklearn.utils.validation import check_is_fitted

    from fgac.tables.validation import check_option

    check_is_fitted(clf)
    check_option("method", method, METHODS)
    check_batches(batches, method)
    return one_by_one(batches, partial(_result, clf, method))


def one_by_one(batches: Iterable[Batch], work: Callable[[Batch], Result]) -> Iterator[Result]:
    """Do the work on every batch, in order; an error says which batch was wrong.

    >>> list(one_by_one([[1, 2], [3]], sum))
    [3, 3]
    >>> list(one_by_one([[1], ["a"]], sum))
    Traceback (most recent call last):
    TypeError: batch 2: unsupported operand type(s) for +: 'int' and 'str'
    """
    numbers = count(1)  # enumerate would hold every batch until it has the next
    for batch in batches:
        number = next(numbers)
        try:
            result = work(batch)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"batch {number}: {error}") from error
        del batch
        yield result
        del result


def check_batches(batches: Any, method: str) -> None:
    """Refuse what is no iterable of tables: a path, or one table."""
    if is_path(batches):
        raise TypeError(f"batches={batches!r} is a path; expected tables, one after the other: {READERS}")
    if hasattr(type(batches), "__next__"):
        return  # an iterator, which gives one thing after the other, whatever else it can do
    try:
        batch = as_table(batches, "batches")
    except TypeError as error:
        raise TypeError(f"{error}; expected tables, one after the other, such as slices of it") from error
    if is_frame(batch) or getattr(batch, "ndim", 0) in (1, 2):
        raise TypeError(
            f"batches is one table, of type {type(batches).__name__}; expected several, one after the other: "
            f"give them in a list, or use {method}(X)"
        )
    if not isinstance(batches, Iterable):
        raise TypeError(f"batches is of type {type(batches).__name__}; expected an iterable of tables: {READERS}")


def is_path(value: Any) -> bool:
    """Whether this is the name of a file, and not its content."""
    return isinstance(value, str | bytes | os.PathLike)


def _result(clf: RowClassifier, method: str, batch: Any) -> Any:
    if is_path(batch):
        raise TypeError(f"{batch!r} is a path; expected a table: read it first, with {READERS}")
    batch = as_table(batch)
    if getattr(batch, "shape", (1,))[0] == 0:
        from fgac.estimators._base import check_columns

        check_columns(clf, batch)
        return no_results(clf)[method]
    return getattr(clf, method)(batch)


def no_results(clf: RowClassifier) -> dict[str, Any]:
    """What every method gives for a table without rows."""
    none = np.empty((0, len(clf.classes_)))
    return {
        "predict": clf.classes_[:0],
        "predict_proba": none,
        "decision_function": none[:, 0] if len(clf.classes_) == 2 else none,
        "memberships": Memberships(none, none, none),
    }
