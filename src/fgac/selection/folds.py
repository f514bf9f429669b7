"""One fold of a cross-validation: train on some rows and judge the others, for many gammas.

What kinds of models do on a fold is in :mod:`~fgac.selection.classifier_fold`, :mod:`~fgac.selection.ordinal_fold` and
:mod:`~fgac.selection.regressor_fold`. Tables are read once per fold, and the solution for one gamma is the start for
the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from fgac._typing import Floats, Ints
from fgac.estimators._training import Header
from fgac.granular.judged import Judged
from fgac.metrics.distances import Rows

Estimator = TypeVar("Estimator")

# Distances of a fold up to this number (128 MB) are kept.
KEEP = 16_000_000


@dataclass(frozen=True)
class Material:
    """What a search works on, checked: a table with its columns, targets, weights of rows, and folds.

    ``read`` is the table as it was read, once for all folds, or the distances it holds. ``groups`` are the numbers of
    the groups whose rows belong together, if there are any.
    """

    X: Any
    header: Header
    y: Any
    weight: Floats | None
    splits: Sequence[tuple[Ints, Ints]]
    read: Any
    groups: Ints | None = None


@dataclass(frozen=True)
class Part:
    """The rows of one fold: a table to train on with its targets and weights, and a table to judge."""

    header: Header
    X: Any
    y: Any
    weight: Floats | None
    unseen: Any


class FoldModel(Protocol):
    """A model that was trained on one fold with one gamma."""

    @property
    def gamma(self) -> float:
        """The gamma."""

    @property
    def constant(self) -> float | None:
        """The best number to predict without looking at a row: the mean of the training targets; None of classes."""

    def judge(self) -> Judged:
        """What is predicted of the rows held out, and what it rests on."""

    def estimator(self) -> Any:
        """The fitted estimator, for scorers that want one and give it rows as the fold has read them."""

    def whole_estimator(self) -> Any:
        """The fitted estimator as ``fit`` makes it."""


class Fold(Protocol):
    """Rows to train on and rows to judge, read once for all gammas."""

    @property
    def test_rows(self) -> Rows:
        """The rows to judge."""

    def models(self, gammas: Iterable[float]) -> Iterator[FoldModel]:
        """The model of every gamma, in an order that suits the fold."""


def changed(plain: Estimator, **params: Any) -> Estimator:
    """The same settings but for some; quicker than scikit-learn's clone, which checks them all."""
    other = copy(plain)
    for name, value in params.items():
        setattr(other, name, value)
    return other
