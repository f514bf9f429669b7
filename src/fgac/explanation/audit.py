"""Training rows that the rest of the data contradicts, as frozen values."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fgac._atomic import write_text
from fgac._typing import Label
from fgac.explanation.base import ValueList

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Opponent:
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
class Suspect:
    """A training row whose label other rows contradict.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    label : the label in doubt
    membership : how much of it the rows of other classes leave
    doubt : by what suspects are ranked: 1 minus the membership, or 1 minus the degree that the rest gives to the label
    suggestion : the class with the largest summed share among the opponents
    contradicted_by : the rows behind it, the strongest first
    alike : ids of the rows equal to it, label included: whatever is said of one holds for all
    support : how much the other rows of its own class vouch for it; None unless ranked by "rest"
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

    def text(self) -> str:
        """What is wrong with the row, in plain English."""
        from fgac.text import tell_suspect

        return tell_suspect(self)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class Audit(ValueList[Suspect]):
    """Suspects, the most doubtful first, and the number of training rows that were looked at.

    >>> from fgac import FGAClassifier, audit
    >>> clf = FGAClassifier(gamma=1.0).fit([[0.0], [0.1], [0.2], [0.3]], ["low", "high", "low", "low"])
    >>> found = audit(clf)
    >>> len(found), found.n_rows, found[0].id, found[0].suggestion
    (3, 4, 1, 'low')
    """

    items: tuple[Suspect, ...]
    n_rows: int

    def text(self) -> str:
        """All suspects in plain English."""
        if not self.items:
            return "No training row contradicts the label of another."
        return super().text()

    def to_frame(self) -> Any:
        """One line per suspect as a pandas frame, with the strongest opponent and the numbers of others."""
        import pandas as pd

        fields = [f.name for f in dataclasses.fields(Suspect) if f.name not in ("contradicted_by", "alike")]
        strongest = ("id", "label", "similarity", "share")
        rows = []
        for item in self.items:
            first = item.contradicted_by[0] if item.contradicted_by else None
            told = {f"opponent_{name}": getattr(first, name, None) for name in strongest}
            counts = {"opponents": len(item.contradicted_by), "alike": len(item.alike)}
            rows.append({**{name: getattr(item, name) for name in fields}, **told, **counts})
        return pd.DataFrame(rows, columns=[*fields, *(f"opponent_{name}" for name in strongest), "opponents", "alike"])

    def to_html(self, path: str | Path, *, title: str | None = None) -> None:
        """Write all suspects as one offline HTML file, see :func:`fgac.report.audit_page`."""
        from fgac.report import audit_page

        write_text(path, audit_page(self, title=title))

    def _repr_html_(self) -> str | None:
        from fgac.report import audit_html

        try:
            return audit_html(self)
        except ImportError:  # without jinja2 notebooks show the repr
            return None


@dataclass(frozen=True)
class RegressionOpponent:
    """A training row that keeps the value of another one away from its target.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target, fitted : what was observed for it, and the value it is taken to have
    distance : to the contradicted row
    share : its multiplier as a part of all that push the contradicted row the same way
    alike : ids of the rows equal to it, target included
    """

    index: int
    id: Label
    target: float
    fitted: float
    distance: float
    share: float
    alike: tuple[Label, ...]


@dataclass(frozen=True)
class RegressionSuspect:
    """A training row whose target others contradict.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target, fitted : what was observed for it, and the value it is taken to have
    size : how much the two differ, as a share of the range of all targets
    contradicted_by : the rows behind it, the strongest first
    alike : ids of the rows equal to it, target included: whatever is said of one holds for all
    """

    index: int
    id: Label
    target: float
    fitted: float
    size: float
    contradicted_by: tuple[RegressionOpponent, ...]
    alike: tuple[Label, ...]

    def text(self) -> str:
        """What is odd about the row, in plain English."""
        from fgac.text.regression import tell_contradiction

        return tell_contradiction(self)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class RegressionAudit(ValueList[RegressionSuspect]):
    """Contradicted rows, the largest difference first, and the number of training rows that were looked at.

    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> found = model.contradictions()
    >>> [(row.id, row.target, row.fitted) for row in found]
    [(1, 20.0, 25.0), (2, 40.0, 35.0)]
    >>> print(found[0])
    Row 1 has the target 20, but is taken as 25: row 2 (target 40, taken as 35, distance 0.125) contradicts it.
    """

    items: tuple[RegressionSuspect, ...]
    n_rows: int

    def text(self) -> str:
        """All of them in plain English."""
        return super().text() if self.items else "No training row contradicts the target of another."

    def to_frame(self) -> Any:
        """One line per contradicted row as a pandas frame, with the strongest contradictor."""
        import pandas as pd

        fields = [f.name for f in dataclasses.fields(RegressionSuspect) if f.name not in ("contradicted_by", "alike")]
        strongest = ("id", "target", "fitted", "distance", "share")
        rows = []
        for item in self.items:
            first = item.contradicted_by[0] if item.contradicted_by else None
            told = {f"by_{name}": getattr(first, name, None) for name in strongest}
            counts = {"contradictors": len(item.contradicted_by), "alike": len(item.alike)}
            rows.append({**{name: getattr(item, name) for name in fields}, **told, **counts})
        return pd.DataFrame(rows, columns=[*fields, *(f"by_{name}" for name in strongest), "contradictors", "alike"])
