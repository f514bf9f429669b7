"""Explanations of predicted numbers as HTML: one offline file, or fragments for notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac.report import MOST_SUSPECTS, small_enough
from fgac.report.attributes import MOST_LINES, MOST_OTHERS, AttributeTable, attribute_table
from fgac.text.regression import NOTABLE, WIDE

if TYPE_CHECKING:
    from fgac.explanation.regression import RegressionArgument, RegressionExplanation, RegressionExplanations


TITLE = "Predicted numbers and their arguments"


@dataclass(frozen=True)
class NumberEntry:
    """An explanation ready to be drawn.

    Attributes
    ----------
    explanation : what is drawn
    table : its attributes beside those of the arguments; None if there are only distances
    start, stop : ends of the number line on which bounds and arguments are drawn
    """

    explanation: RegressionExplanation
    table: AttributeTable | None
    start: float
    stop: float

    @property
    def lines(self) -> list[str]:
        """What is said about the row, paragraph by paragraph."""
        return [line for line in self.explanation.text().split("\n") if line]

    @property
    def error(self) -> float | None:
        """Prediction minus truth; None if the truth is not known."""
        truth = self.explanation.truth
        return None if truth is None else self.explanation.prediction - truth

    @property
    def doubt(self) -> str:
        """Why the row deserves a second look: the bounds leave room for anything, or for much."""
        width = self.explanation.width
        return "strange" if width >= 1 else "narrow" if width > WIDE else ""

    @property
    def is_outside(self) -> bool:
        """Whether the truth is known and lies outside of the interval, or of the bounds if there is none."""
        e = self.explanation
        ends = (e.lower, e.upper) if e.interval is None else (e.interval.lower, e.interval.upper)
        return e.truth is not None and not ends[0] <= e.truth <= ends[1]

    @property
    def flags(self) -> str:
        """What the row can be filtered by, as words between spaces."""
        known = self.explanation.truth is not None
        found = {
            "right": known and not self.is_outside,
            "wrong": self.is_outside,
            "doubtful": self.doubt != "",
            self.doubt: self.doubt != "",
        }
        return " ".join(flag for flag, holds in found.items() if holds)

    def place(self, x: float) -> float:
        """Where a number stands on the line, from 0 to 1."""
        return (x - self.start) / (self.stop - self.start)

    def is_contradicted(self, argument: RegressionArgument) -> bool:
        """Whether a training row is taken to have another value than was observed."""
        e = self.explanation
        return abs(argument.target - argument.fitted) > NOTABLE * (e.most - e.least)


def entry(e: RegressionExplanation, *, most_lines: int = MOST_LINES, most_others: int = MOST_OTHERS) -> NumberEntry:
    """Prepare one explanation for drawing."""
    # The table compares rows, whatever they argue for.
    compared: Any = SimpleNamespace(
        attributes=e.attributes, arguments_for=e.at_least, arguments_against=e.at_most, nearest=None
    )
    room = 0.1 * (e.most - e.least) or 1.0  # bounds beyond this are drawn at the end of the line
    return NumberEntry(e, attribute_table(compared, most_lines, most_others), e.least - room, e.most + room)


@dataclass(frozen=True)
class Errors:
    """How far predictions are from the values that are known."""

    n_known: int
    mean: float
    largest: float
    r2: float | None
    n_outside: int
    share: float | None


def errors(entries: list[NumberEntry]) -> Errors | None:
    """Measure the predictions whose truths are known; None if there are none."""
    known = [(e, e.error) for e in entries if e.error is not None]
    if not known:
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
        n_outside=sum(e.is_outside for e, _ in known),
        share=None if interval is None else interval.share,
    )


def report_html(explanations: RegressionExplanations, *, title: str | None = None, note: str | None = None) -> str:
    """One self-contained HTML page: summary, every explained row, contradicted training rows, model.

    Parameters
    ----------
    explanations : RegressionExplanations
    title : str, optional
        Heading of the page.
    note : str, optional
        What stands below it.

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
    from fgac import __version__
    from fgac.report.page import render

    def draw(most_lines: int, most_others: int) -> str:
        entries = [entry(item, most_lines=most_lines, most_others=most_others) for item in explanations]
        return render(
            "number_report.html.jinja",
            title=title or TITLE,
            note=note,
            model=explanations.model,
            entries=entries,
            is_single=len(entries) == 1,
            errors=errors(entries),
            n_wide=sum(e.doubt == "narrow" for e in entries),
            n_void=sum(e.doubt == "strange" for e in entries),
            wide=WIDE,
            contradictions=explanations.contradictions,
            most_suspects=MOST_SUSPECTS,
            version=__version__,
        )

    return small_enough(draw, len(explanations))


def explanation_html(explanation: RegressionExplanation) -> str:
    """One explanation as a piece of HTML with its own styles and no script, for notebooks.

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor().fit([[0.0], [1.0]], [3.0, 5.0])
    >>> explanation_html(model.explain([[0.2]])[0])[:18]
    '<div class="fgac">'
    """
    from fgac.report.page import render

    return render("number_explanation.html.jinja", entry=entry(explanation))
