"""Explanations of predicted numbers as HTML: one offline file, or fragments for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac.explanation.regression import RegressionArgument, RegressionExplanation, RegressionExplanations
from fgac.report.base import BaseEntry, render_report, titled
from fgac.report.feature_table import FULL, Layout, feature_table
from fgac.report.page import render
from fgac.report.what_if import what_if_part
from fgac.text.regression import WIDE, all_targets, is_contradicted

TITLE = "Predicted numbers and their arguments"
# The macros that draw one entry.
PARTS = "regression_parts.html.jinja"

# The number line of a row goes beyond the targets at both ends, by this share of their range. Bounds further out are
# drawn at the end of the line, so that they do not squeeze all others.
BEYOND_TARGETS = 0.1


@dataclass(frozen=True)
class RegressionEntry(BaseEntry[RegressionExplanation]):
    """The explanation of a predicted number, ready to be drawn.

    Attributes
    ----------
    explanation : the explanation that is drawn
    table : its features beside those of the arguments; None if there are only distances
    start, stop : ends of the number line on which bounds and arguments are drawn
    """

    start: float
    stop: float

    @property
    def error(self) -> float | None:
        """Prediction minus truth; None if the truth is not known."""
        truth = self.explanation.truth
        return None if truth is None else self.explanation.prediction - truth

    @property
    def is_right(self) -> bool | None:
        """Whether the truth lies in the interval, or between the bounds if there is none; None if it is not known."""
        e = self.explanation
        lower, upper = (e.lower, e.upper) if e.interval is None else (e.interval.lower, e.interval.upper)
        return None if e.truth is None else lower <= e.truth <= upper

    @property
    def doubt(self) -> str:
        """Why the row deserves a second look: it is "strange", bounds allow every target, or they are "wide"; or ""."""
        if self.explanation.resembles_nothing:
            return "strange"
        return "wide" if self.explanation.width > WIDE else ""

    def line_position(self, x: float) -> float:
        """Where a number stands on the number line, from 0 to 1."""
        return (x - self.start) / (self.stop - self.start)

    def is_contradicted(self, argument: RegressionArgument) -> bool:
        """Whether a training row is taken to have another value than its target."""
        return is_contradicted(self.explanation, argument)


def entry(e: RegressionExplanation, layout: Layout = FULL) -> RegressionEntry:
    """Prepare one explanation for drawing."""
    start, stop = e.shown
    beyond = BEYOND_TARGETS * (stop - start) or 1.0  # all targets may be equal
    return RegressionEntry(
        explanation=e,
        table=feature_table(e.attributes, e.at_least, e.at_most, layout=layout),
        start=start - beyond,
        stop=stop + beyond,
    )


@dataclass(frozen=True)
class Errors:
    """How far predictions are from the true values, where those are known.

    Attributes
    ----------
    n_known : rows whose true value is known
    mean, largest : of the absolute errors
    r2 : share of the variance that is explained; None if all true values are equal
    n_outside : rows whose true value lies outside of the interval, or of the bounds if there is none
    share : the share of values that the interval is meant to hold; None if there is no interval
    """

    n_known: int
    mean: float
    largest: float
    r2: float | None
    n_outside: int
    share: float | None


def errors(entries: Sequence[RegressionEntry]) -> Errors | None:
    """Measure the predictions whose true values are known; None if there is one at most, which is no accuracy."""
    known = [(e, e.error) for e in entries if e.error is not None]
    if len(known) < 2:
        return None
    sizes = np.abs([error for _, error in known])
    truths = np.array([e.explanation.truth for e, _ in known], dtype=np.float64)
    spread = float(np.sum((truths - truths.mean()) ** 2))
    interval = known[0][0].explanation.interval
    return Errors(
        n_known=len(known),
        mean=float(sizes.mean()),
        largest=float(sizes.max()),
        r2=1.0 - float(np.sum(sizes**2)) / spread if spread > 0 else None,
        n_outside=sum(e.is_right is False for e, _ in known),
        share=None if interval is None else interval.share,
    )


def report_html(
    explanations: RegressionExplanations,
    *,
    title: str | None = None,
    note: str | None = None,
    is_chosen: bool = False,
    model: Any = None,
    what_if: bool | None = None,
) -> str:
    """One self-contained HTML page: summary, every explained row, contradicted training rows, model.

    Parameters
    ----------
    explanations : RegressionExplanations
    title : str, optional
        Heading of the page.
    note : str, optional
        A line below the heading.
    is_chosen : bool, default=False
        Whether the rows were chosen from more, so that their errors are no estimate for others.
    model, what_if
        As in :func:`fgac.report.classification.report_html`.

    Returns
    -------
    str
        The page; :meth:`fgac.explanation.regression.RegressionExplanations.to_html` writes it to a file.

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor().fit([[0.0], [1.0]], [3.0, 5.0])
    >>> page = report_html(model.explain([[0.2]]), title="Two rows")
    >>> page[:15], "<h1>Two rows</h1>" in page
    ('<!doctype html>', True)
    """
    return render_report(
        "regression_report.html.jinja",
        explanations,
        entry,
        summarise,
        parts_template=PARTS,
        title=title or titled(TITLE, explanations.model.target),
        note=note,
        is_chosen=is_chosen,
        model=explanations.model,
        wide=WIDE,
        what_if=what_if_part(explanations, model, what_if),
        audit=explanations.contradictions,
    )


def summarise(entries: Sequence[RegressionEntry]) -> dict[str, Any]:
    """The numbers of the summary: errors where truths are known, and rows with wide bounds, or bounds without limit."""
    return {
        "errors": errors(entries),
        "all_targets": all_targets(entries[0].explanation) if entries else "",
        "n_wide": sum(e.doubt == "wide" for e in entries),
        "n_strange": sum(e.doubt == "strange" for e in entries),
    }


def explanation_html(explanation: RegressionExplanation) -> str:
    """One explanation as a piece of HTML with its own styles and no script, for notebooks.

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor().fit([[0.0], [1.0]], [3.0, 5.0])
    >>> explanation_html(model.explain([[0.2]])[0])[:18]
    '<div class="fgac">'
    """
    return render("explanation.html.jinja", parts_template=PARTS, entry=entry(explanation))
