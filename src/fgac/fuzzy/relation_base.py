"""What a fuzzy relation is: degrees between rows, in blocks; and its inverse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.metrics.distances import Rows


def as_rows(rows: Any) -> Rows:
    """Rows as they are, a matrix of numbers as rows.

    Examples
    --------
    >>> from fgac.fuzzy.relations import as_rows
    >>> len(as_rows([[0.0, 1.0], [0.5, 0.5]]))
    2
    """
    if rows is None:
        raise ValueError("a relation has degrees between rows only: give rows=")
    return rows if isinstance(rows, Rows) else Rows.from_numeric(rows)


class Relation(ABC):
    """Degrees in [0, 1] between every row of one set and every row of another.

    Examples
    --------
    >>> import numpy as np
    >>> from fgac.fuzzy.relations import Relation
    >>> class Close(Relation):
    ...     def block(self, left, right):
    ...         return np.maximum(0.0, 1.0 - np.abs(np.subtract.outer(left, right)))
    >>> Close().matrix([0.0, 0.25])
    array([[1.  , 0.75],
           [0.75, 1.  ]])
    >>> Close().inverse.matrix([0.0, 0.25])
    array([[1.  , 0.75],
           [0.75, 1.  ]])
    """

    @abstractmethod
    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``R(u, v)`` for u in ``left`` (down) and v in ``right`` (across)."""

    def matrix(self, rows: Any) -> Floats:
        """Array of ``R(u, v)`` for all pairs of rows."""
        return self.block(rows, rows)

    @property
    def inverse(self) -> Relation:
        """The relation with its sides exchanged, ``R^-1(u, v) = R(v, u)``."""
        return Inverse(self)


@dataclass(frozen=True)
class Inverse(Relation):
    """A relation with its sides exchanged.

    >>> from fgac.fuzzy.relations import TriangularDominance
    >>> TriangularDominance(gamma=1.0, ranges=(4.0,)).inverse.matrix([[0.0], [1.0]])
    array([[1.  , 1.  ],
           [0.75, 1.  ]])
    """

    relation: Relation

    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``R(v, u)`` for u in ``left`` (down) and v in ``right`` (across)."""
        return self.relation.block(right, left).T

    @property
    def inverse(self) -> Relation:
        """The relation itself."""
        return self.relation


def inverse(relation: Any) -> Any:
    """``R^-1(u, v) = R(v, u)`` of a relation or of a matrix of degrees.

    >>> inverse([[1.0, 0.25], [0.5, 1.0]])
    array([[1.  , 0.5 ],
           [0.25, 1.  ]])
    """
    return relation.inverse if isinstance(relation, Relation) else np.asarray(relation, dtype=np.float64).T
