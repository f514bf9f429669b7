"""Explanations of predicted classes, ordered or not, as HTML: one offline file, or fragments for notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fgac.explanation.classification import Explanation, Explanations, Membership
from fgac.explanation.ordinal import OrdinalExplanation, OrdinalExplanations
from fgac.report.base import BaseEntry, render_report, titled
from fgac.report.confusion import confusion
from fgac.report.feature_table import FULL, Layout, feature_table
from fgac.report.page import render
from fgac.report.what_if import what_if_part
from fgac.text.sides import is_averaged

TITLE = "Predictions and their arguments"
# The macros that draw one entry.
PARTS = "classification_parts.html.jinja"

# A lead over the next class below this is called doubtful.
DOUBTFUL = 0.1
# Classes whose degrees are drawn; the others are counted.
MOST_CLASSES = 12


@dataclass(frozen=True)
class Entry(BaseEntry[Explanation | OrdinalExplanation]):
    """The explanation of a predicted class, ready to be drawn.

    Attributes
    ----------
    explanation : the explanation that is drawn
    table : its features beside those of the arguments; None if there are only distances
    memberships : the predicted class first, then by degree, no more than can be read
    n_classes_left_out : classes that are not among them
    has_weights : whether more than the strongest argument counts (OWA), so that weights are worth a column
    boundaries : of ordered classes, the entries of the boundaries next to the predicted class; else None
    """

    memberships: tuple[Membership, ...]
    n_classes_left_out: int
    has_weights: bool
    boundaries: tuple[Entry, ...] | None = None

    @property
    def parts(self) -> tuple[Entry, ...]:
        """The entries whose degrees, arguments and features are drawn: this one, or one for every boundary."""
        return (self,) if self.boundaries is None else self.boundaries

    @property
    def is_right(self) -> bool | None:
        """Whether the predicted class is the true one; None if the true class is not known."""
        truth = self.explanation.truth
        return None if truth is None else truth == self.explanation.prediction

    @property
    def doubt(self) -> str:
        """Why the row deserves a second look: it is "strange", "tied", has a "narrow" lead, or "" if it does not.

        A row without a comparable case is tied too, and a tied one has no lead: only the first that holds is named.
        """
        if self.explanation.resembles_nothing:
            return "strange"
        if self.explanation.tied:
            return "tied"
        return "narrow" if self.explanation.margin < DOUBTFUL else ""


def entry(explanation: Explanation | OrdinalExplanation, layout: Layout = FULL) -> Entry:
    """Prepare one explanation for drawing."""
    if isinstance(explanation, OrdinalExplanation):
        return ordinal_entry(explanation, layout)
    e = explanation
    ranked = sorted(e.memberships, key=lambda m: (m.label != e.prediction, -m.degree))
    return Entry(
        explanation=e,
        table=feature_table(e.attributes, e.arguments_for, e.arguments_against, e.nearest, layout),
        memberships=tuple(ranked[:MOST_CLASSES]),
        n_classes_left_out=max(0, len(ranked) - MOST_CLASSES),
        has_weights=is_averaged(e),
    )


def ordinal_entry(e: OrdinalExplanation, layout: Layout) -> Entry:
    """Prepare an explanation of ordered classes: one entry for each of the boundaries next to the predicted class."""
    parts = tuple(entry(part, layout) for part in e.boundaries)
    return Entry(
        explanation=e,
        table=parts[0].table if parts else None,
        memberships=(Membership(e.subject, e.lower, e.upper, e.degree),),
        n_classes_left_out=0,
        has_weights=False,
        boundaries=parts,
    )


@dataclass(frozen=True)
class DoubtCounts:
    """How many rows have no comparable case, are tied, or have a narrow lead; no row is counted twice."""

    n_rows: int
    n_strange: int
    n_tied: int
    n_narrow: int


def count_doubts(entries: Iterable[Entry]) -> DoubtCounts:
    """Count the rows that deserve a second look."""
    doubts = Counter(entry.doubt for entry in entries)
    return DoubtCounts(doubts.total(), doubts["strange"], doubts["tied"], doubts["narrow"])


def report_html(
    explanations: Explanations | OrdinalExplanations,
    *,
    title: str | None = None,
    note: str | None = None,
    is_chosen: bool = False,
    model: Any = None,
    what_if: bool | None = None,
) -> str:
    """One self-contained HTML page: summary, confusion table, every explained row, audit, model.

    A row that is explained alone comes first, opened. Of rows with many features the most telling are shown, and
    fewer of them if the page would get large.

    Parameters
    ----------
    explanations : Explanations or OrdinalExplanations
    title : str, optional
        Heading of the page.
    note : str, optional
        A line below the heading, such as which rows are explained: "first 50 of 150 rows of new.csv".
    is_chosen : bool, default=False
        Whether the rows were chosen from more: how many of them are right is then told as that, and not as accuracy.
    model : fitted estimator, optional
        The model that made the explanations, for a part in which a reader changes values and sees what it says.
    what_if : bool, optional
        Whether that part is there. By default it is if there is a model, and its rows do not make the page large.

    Returns
    -------
    str
        The page; :meth:`fgac.explanation.classification.Explanations.to_html` writes it to a file.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> page = report_html(clf.explain([[0.2]]), title="Two rows")
    >>> page[:15], "<h1>Two rows</h1>" in page
    ('<!doctype html>', True)
    """
    rows: Sequence[Explanation | OrdinalExplanation] = explanations

    def summarise(entries: Sequence[Entry]) -> dict[str, Any]:
        return {
            "counts": count_doubts(entries),
            "confusion": confusion(rows, explanations.model.classes),
            "is_ordinal": any(item.boundaries is not None for item in entries),
        }

    return render_report(
        "classification_report.html.jinja",
        rows,
        entry,
        summarise,
        parts_template=PARTS,
        title=title or titled(TITLE, explanations.model.target),
        note=note,
        is_chosen=is_chosen,
        model=explanations.model,
        doubtful=DOUBTFUL,
        what_if=what_if_part(explanations, model, what_if),
        audit=explanations.audit,
    )


def explanation_html(explanation: Explanation | OrdinalExplanation) -> str:
    """One explanation as a piece of HTML with its own styles and no script, for notebooks.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> explanation_html(clf.explain([[0.2]])[0])[:18]
    '<div class="fgac">'
    """
    return render("explanation.html.jinja", parts_template=PARTS, entry=entry(explanation))
