"""The audit of ordered classes: one audit for every boundary between them, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from fgac.explanation.audit import Audit, WithPage
from fgac.explanation.base import ValueList


@dataclass(frozen=True)
class BoundaryAudit:
    """The suspects at one boundary between ordered classes.

    Attributes
    ----------
    boundary : name of the classes above it, such as "fair or above"
    audit : the training rows whose side of the boundary others contradict

    Examples
    --------
    >>> from fgac import FGAOrdinalClassifier, audit
    >>> model = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=0.5)
    >>> model = model.fit([[0.0], [0.1], [0.2], [1.0]], ["poor", "good", "poor", "good"])
    >>> each = audit(model)[0]
    >>> each.boundary, [suspect.id for suspect in each.audit]
    ('good', [1, 3, 0, 2])
    """

    boundary: str
    audit: Audit

    def text(self) -> str:
        """The boundary as a question, and all of its suspects in plain English."""
        return f"{self.question}\n{self.audit.text()}"

    @property
    def question(self) -> str:
        """What is asked at the boundary: "Is it fair or above?", or "Is grade >= fair?" where the target has a name."""
        from fgac.text.audit import boundary_question

        return boundary_question(self.boundary, next((item.target_name for item in self.audit), None))

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class OrdinalAudit(WithPage, ValueList[BoundaryAudit]):
    """The audit of every boundary between ordered classes, from the lowest.

    >>> from fgac import FGAOrdinalClassifier, audit
    >>> clf = FGAOrdinalClassifier(gamma=1.0).fit([[0.0], [0.1], [0.2], [0.3]], [1, 3, 2, 2])
    >>> [(each.boundary, [suspect.id for suspect in each.audit]) for each in audit(clf, n_rows=2)]
    [('2 or above', [0, 1]), ('3', [1, 0])]
    """

    items: tuple[BoundaryAudit, ...]

    @property
    def n_rows(self) -> int:
        """The number of training rows that were compared; every boundary has all of them."""
        return max((each.audit.n_rows for each in self.items), default=0)

    @property
    def n_suspects(self) -> int:
        """The number of suspects at all boundaries together."""
        return sum(len(each.audit) for each in self.items)

    def to_dict(self) -> dict[str, Any]:
        """The audit of every boundary as plain dicts, lists, numbers and strings."""
        return {"boundaries": [{"boundary": each.boundary, **each.audit.to_dict()} for each in self.items]}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Read the dict that :meth:`to_dict` returned."""
        if not isinstance(plain, dict) or plain.keys() != {"boundaries"}:
            raise ValueError(f"this is no {cls.__name__}: expected a dict with the key 'boundaries' alone")
        parts = [dict(part) for part in plain["boundaries"]]
        return cls(tuple(BoundaryAudit(part.pop("boundary"), Audit.from_dict(part)) for part in parts))

    def to_frame(self) -> Any:
        """One line per suspect as a pandas frame, with the boundary it was found at."""
        import pandas as pd

        rows = [[each.boundary, *row] for each in self.items for row in each.audit._frame_rows()]
        return pd.DataFrame(rows, columns=["boundary", *Audit._frame_columns()])
