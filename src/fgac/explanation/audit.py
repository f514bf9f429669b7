"""Audits: training rows that other training rows contradict, as frozen values.

A *suspect* is a training row whose label or target others contradict, an *opponent* a row that contradicts it. Suspect
and opponent may stand for several equal rows; the first of them is named, the others are ``alike``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from fgac._atomic import write_text
from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.arguments import RowReference
from fgac.explanation.base import ValueList


class BaseOpponent(RowReference):
    """A training row that contradicts a suspect.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    distance : to the suspect
    share : its part in the whole contradiction of the suspect, from 0 to 1
    alike : ids of the rows equal to it, label or target included
    """

    distance: float
    share: float


class BaseSuspect(RowReference):
    """A training row whose label or target other rows contradict.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    contradicted_by : its opponents, the strongest first
    alike : ids of the rows equal to it, label or target included: they have the same opponents
    """

    contradicted_by: Sequence[BaseOpponent]

    def text(self) -> str:
        """The contradiction in plain English."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()


S = TypeVar("S", bound=BaseSuspect)


@dataclass(frozen=True)
class BaseAudit(ValueList[S]):
    """Suspects, the most contradicted first, and the number of training rows that were compared."""

    # Text of an audit without suspects, and the names of its frame's columns about opponents.
    _nothing_found: ClassVar[str]
    _suspect_type: ClassVar[type[BaseSuspect]]
    _opponent_fields: ClassVar[tuple[str, ...]]
    _opponent_prefix: ClassVar[str]
    _count_column: ClassVar[str]

    items: tuple[S, ...]
    n_rows: int

    def text(self) -> str:
        """All suspects in plain English."""
        return super().text() if self.items else self._nothing_found

    def to_frame(self) -> Any:
        """One line per suspect as a pandas frame, with its strongest opponent and the numbers of others."""
        import pandas as pd

        return pd.DataFrame(list(self._frame_rows()), columns=self._frame_columns())

    @classmethod
    def _frame_columns(cls) -> list[str]:
        about = [f"{cls._opponent_prefix}_{name}" for name in cls._opponent_fields]
        return [*cls._suspect_fields(), *about, cls._count_column, "alike"]

    @classmethod
    def _suspect_fields(cls) -> list[str]:
        fields = dataclasses.fields(cls._suspect_type)  # type: ignore[arg-type]
        return [
            field.name for field in fields if field.name not in ("contradicted_by", "alike", "threshold", "target_name")
        ]

    def _frame_rows(self) -> Iterator[list[Any]]:
        fields = self._suspect_fields()
        for item in self.items:
            strongest = item.contradicted_by[0] if item.contradicted_by else None
            about = [getattr(strongest, name, None) for name in self._opponent_fields]
            counts = [len(item.contradicted_by), len(item.alike)]
            yield [*(getattr(item, name) for name in fields), *about, *counts]


@dataclass(frozen=True)
class Opponent(BaseOpponent):
    """A training row of another class that contradicts the label of a suspect.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    label : its class
    distance, similarity : to the suspect
    membership : its membership in its own class
    multiplier : how strongly the two contradict each other; 0 is not at all
    share : the multiplier as a part of all multipliers of the suspect
    alike : ids of the rows equal to it, label included

    Examples
    --------
    >>> from fgac import FGAClassifier, audit
    >>> clf = FGAClassifier(gamma=0.5).fit([[0.0], [0.1], [0.2], [1.0]], ["a", "a", "b", "b"])
    >>> opponent = audit(clf)[0].contradicted_by[0]
    >>> opponent.id, opponent.label, round(opponent.similarity, 2)
    (1, 'a', 0.95)
    """

    index: int
    id: Label
    label: Label
    distance: float
    similarity: float
    membership: float
    multiplier: float
    share: float
    alike: tuple[Label, ...]


@dataclass(frozen=True)
class Suspect(BaseSuspect):
    """A training row whose label other rows contradict.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    label : the label in doubt
    membership : its membership in the class of that label, after what rows of other classes take away
    doubt : the number by which suspects are ranked: 1 minus the membership, or 1 minus the degree that all other rows
        give to the label, or the mean of the latter and of 1 minus the probability ``held_out``
    suggestion : the class with the largest summed share among the opponents
    contradicted_by : the opponents, the strongest first
    alike : ids of the rows equal to it, label included: they have the same opponents
    support : the degree to which other rows of its own class confirm the label; None if ranked by "membership"
    threshold : the degree that is neither more true than false nor more false than true; 0.5 but for an isomorphism
    target_name : what the labels are about, if the model knows it
    held_out : the probability of the label by a model that had not seen the row, in the mean of equal rows; None
        unless ranked by "held_out"

    Examples
    --------
    >>> from fgac import FGAClassifier, audit
    >>> clf = FGAClassifier(gamma=0.5).fit([[0.0], [0.1], [0.2], [1.0]], ["a", "a", "b", "b"])
    >>> suspect = audit(clf)[0]
    >>> suspect.id, suspect.label, suspect.suggestion, [row.id for row in suspect.contradicted_by]
    (2, 'b', 'a', [1, 0])
    """

    index: int
    id: Label
    label: Label
    membership: float
    doubt: float
    suggestion: Label | None
    contradicted_by: tuple[Opponent, ...]
    alike: tuple[Label, ...]
    support: float | None = None
    threshold: float = omit_if_default(0.5)
    target_name: str | None = omit_if_default(None)
    held_out: float | None = omit_if_default(None)

    def text(self) -> str:
        """How much the label is contradicted, and by which rows, in plain English."""
        from fgac.text.audit import describe

        return describe(self)


class WithPage:
    """An audit of labels that can be written as a page, and shows itself as one in notebooks."""

    def to_html(self: Any, path: str | Path, *, title: str | None = None) -> None:
        """Write all suspects as one offline HTML file, see :func:`fgac.report.audit_page`."""
        from fgac.report import audit_page

        write_text(path, audit_page(self, title=title))

    def _repr_html_(self: Any) -> str | None:
        from fgac.report import audit_html

        try:
            return audit_html(self)
        except ImportError:  # without jinja2 notebooks show the repr
            return None


@dataclass(frozen=True)
class Audit(WithPage, BaseAudit[Suspect]):
    """Suspects, the most doubtful label first, and the number of training rows that were compared.

    >>> from fgac import FGAClassifier, audit
    >>> clf = FGAClassifier(gamma=1.0).fit([[0.0], [0.1], [0.2], [0.3]], ["low", "high", "low", "low"])
    >>> found = audit(clf)
    >>> len(found), found.n_rows, found[0].id, found[0].suggestion
    (3, 4, 1, 'low')
    """

    _nothing_found = "No training row contradicts the label of another."
    _suspect_type = Suspect
    _opponent_fields = ("id", "label", "similarity", "share")
    _opponent_prefix = "opponent"
    _count_column = "opponents"

    items: tuple[Suspect, ...]
    n_rows: int


@dataclass(frozen=True)
class RegressionOpponent(BaseOpponent):
    """A training row that keeps the fitted value of a suspect away from its target.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target, fitted : the number that was observed for it, and the value it is taken to have
    distance : to the suspect
    share : its multiplier as a part of all multipliers that push the suspect the same way
    alike : ids of the rows equal to it, target included

    Examples
    --------
    >>> from fgac import FGARegressor, audit
    >>> model = FGARegressor(gamma=1.0).fit([[0.0], [0.5], [1.0]], [10.0, 30.0, 20.0])
    >>> opponent = audit(model)[0].contradicted_by[0]
    >>> opponent.id, opponent.target, round(opponent.distance, 2)
    (1, 30.0, 0.5)
    """

    index: int
    id: Label
    target: float
    fitted: float
    distance: float
    share: float
    alike: tuple[Label, ...]


@dataclass(frozen=True)
class RegressionSuspect(BaseSuspect):
    """A training row whose target other rows contradict.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target, fitted : the number that was observed for it, and the value it is taken to have
    size : how much target and fitted value differ, as a share of the range of all targets
    contradicted_by : the opponents, the strongest first; none if only models contradict it that had not seen the row
    alike : ids of the rows equal to it, target included: they have the same opponents
    target_name : what the targets are, if the model knows it
    doubt : the number by which suspects are ranked: the size, or how many times as far off the row is as rows usually
        are; None in files that are older than it
    usual : how far off rows usually are, above all those near to it, in units of the target; None if ranked by
        "membership"
    held_out : what a model predicted that had not seen the row, in the mean of equal rows; None unless ranked by
        "held_out"

    Examples
    --------
    >>> from fgac import FGARegressor, audit
    >>> model = FGARegressor(gamma=1.0).fit([[0.0], [0.5], [1.0]], [10.0, 30.0, 20.0])
    >>> suspect = audit(model)[0]
    >>> suspect.id, suspect.target, round(suspect.fitted, 2)
    (0, 10.0, 15.0)
    """

    index: int
    id: Label
    target: float
    fitted: float
    size: float
    contradicted_by: tuple[RegressionOpponent, ...]
    alike: tuple[Label, ...]
    target_name: str | None = omit_if_default(None)
    doubt: float | None = omit_if_default(None)
    usual: float | None = omit_if_default(None)
    held_out: float | None = omit_if_default(None)

    def text(self) -> str:
        """How far off the target is, because of which rows, and what is expected of it, in plain English."""
        from fgac.text.audit import describe

        return describe(self)


@dataclass(frozen=True)
class RegressionAudit(BaseAudit[RegressionSuspect]):
    """Suspects, the most doubtful target first, and the number of training rows that were compared.

    >>> from fgac import FGARegressor, audit
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> found = audit(model)
    >>> [(row.id, row.target, row.fitted) for row in found]
    [(1, 20.0, 25.0), (2, 40.0, 35.0)]
    >>> print(found[0])  # doctest: +NORMALIZE_WHITESPACE
    Row 1 has the target 20, but is taken as 25: row 2 (target 40, taken as 35, distance 0.125) contradicts it. Row
    1 is 2.0 times as far off as rows usually are.
    """

    _nothing_found = "No training row contradicts the target of another."
    _suspect_type = RegressionSuspect
    _opponent_fields = ("id", "target", "fitted", "distance", "share")
    _opponent_prefix = "by"
    _count_column = "contradictors"

    items: tuple[RegressionSuspect, ...]
    n_rows: int

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_audit, or_none

        return or_none(of_audit, self)
