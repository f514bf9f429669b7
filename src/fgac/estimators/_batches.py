"""Tables that come in batches: one is judged after the other, and never more than one is held."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import Any, TypeVar

import numpy as np

from fgac.granular.boundaries import AtLeast
from fgac.granular.extension import Bounds, Interval
from fgac.granular.membership import Memberships
from fgac.tables.containers import as_table
from fgac.tables.frames import is_frame

Batch = TypeVar("Batch")
Result = TypeVar("Result")

READERS = "pandas.read_csv(path, chunksize=100_000) or pyarrow.parquet.ParquetFile(path).iter_batches()"


class BatchMixin:
    """What judges tables can judge them batch after batch."""

    def predict_batches(self, batches: Iterable[Any], *, method: str = "predict") -> Iterator[Any]:
        """Judge a table that is too large for memory, batch after batch.

        Each batch is read when its result is asked for, and let go before the next one is read. The results together
        are those of the whole table, degrees up to rounding.

        Parameters
        ----------
        batches : iterable of frames or arrays of shape (n_samples, n_features)
            Such as ``pandas.read_csv(path, chunksize=100_000)``, polars frames, or the batches and row groups of a
            ``pyarrow.parquet.ParquetFile``. A batch may be empty. Columns should have the same types in all batches,
            so tell ``read_csv`` the ``dtype`` of nominal columns that look like numbers.
        method : str, default="predict"
            What is asked about every batch. Of classifiers ``"predict"``, ``"predict_proba"``,
            ``"decision_function"`` or ``"memberships"``, unless they are FRNNClassifier also ``"confidence"``, and of
            ordered classes ``"at_least"``; of regressors ``"predict"``, ``"predict_bounds"`` or
            ``"predict_interval"``.

        Returns
        -------
        iterator
            One result per batch, in order: what ``method`` gives for it.

        Raises
        ------
        ValueError, TypeError
            When a batch comes that ``method`` would refuse; the message begins with its number, from 1.

        Examples
        --------
        >>> from fgac import FGAClassifier, FGARegressor
        >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
        >>> for labels in clf.predict_batches([[[0.2], [0.7]], [[0.8]]]):
        ...     print(labels)
        ['low' 'high']
        ['high']
        >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
        >>> list(model.predict_batches([[[2.0]], [[3.0], [8.0]]]))
        [array([22.5]), array([25., 50.])]
        """
        from sklearn.utils.validation import check_is_fitted

        from fgac.tables.validation import check_option

        check_is_fitted(self)
        check_option("method", method, tuple(no_results(self)))
        check_batches(batches, method)
        return one_by_one(batches, partial(_result, self, method))


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


def _result(model: Any, method: str, batch: Any) -> Any:
    if is_path(batch):
        raise TypeError(f"{batch!r} is a path; expected a table: read it first, with {READERS}")
    batch = as_table(batch)
    if getattr(batch, "shape", (1,))[0] == 0:
        from fgac.estimators._base import check_columns

        check_columns(model, batch)
        return no_results(model)[method]
    return getattr(model, method)(batch)


def no_results(model: Any) -> dict[str, Any]:
    """What every method of a fitted model that judges tables gives for one without rows."""
    none = np.empty(0)
    if not hasattr(model, "classes_"):
        return {
            "predict": none,
            "predict_bounds": Bounds(none, none, none),
            "predict_interval": Interval(none, none),
        }
    n_classes = len(model.classes_)
    of_classes, of_boundaries = np.empty((0, n_classes)), np.empty((0, n_classes - 1))
    found = {
        "predict": model.classes_[:0],
        "predict_proba": of_classes,
        "decision_function": none if n_classes == 2 else of_classes,
        "memberships": Memberships(of_classes, of_classes, of_classes),
        "confidence": none,
        "at_least": AtLeast(of_boundaries, of_boundaries, of_boundaries),
    }
    return {method: nothing for method, nothing in found.items() if hasattr(model, method)}
