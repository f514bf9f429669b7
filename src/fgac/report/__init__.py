"""Explanations and audits as HTML: one offline file for reading and printing, or fragments for notebooks.

The page needs no network and allows none: styles, script and pictures are inside, and its content security policy
forbids the rest. Without the script it shows all the same, only search and filters are missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fgac.explanation.audit import Audit
    from fgac.explanation.classification import Explanation, Explanations
    from fgac.explanation.ordinal import OrdinalExplanation, OrdinalExplanations


TITLE = "Predictions and their arguments"
AUDIT_TITLE = "Doubted labels"

# Reports and fragments list the training rows with the most doubted labels, up to this many.
MOST_SUSPECTS = 20

# Attributes in the table of each row and in the line below it: the most that keep the page small enough.
LAYOUTS = ((15, 60), (10, 10), (6, 0))
BYTES_PER_ROW, FEWEST_BYTES = 5_600, 280_000


def report_html(
    explanations: Explanations | OrdinalExplanations, *, title: str | None = None, note: str | None = None
) -> str:
    """One self-contained HTML page: summary, confusion table, every explained row, audit, model.

    A row that is explained alone comes first, opened. Of rows with many attributes the most telling are shown, and
    fewer of them if the page would get large.

    Parameters
    ----------
    explanations : Explanations or OrdinalExplanations
    title : str, optional
        Heading of the page.
    note : str, optional
        What stands below it, such as which rows are explained: "first 50 of 150 rows of new.csv".

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
    from fgac import __version__
    from fgac.report.classification import DOUBTFUL, confusion, count, entry
    from fgac.report.page import render

    def draw(most_lines: int, most_others: int) -> str:
        entries = [entry(item, most_lines=most_lines, most_others=most_others) for item in explanations]
        return render(
            "report.html.jinja",
            title=title or TITLE,
            note=note,
            model=explanations.model,
            entries=entries,
            is_single=len(entries) == 1,
            confusion=confusion(explanations, explanations.model.classes),
            counts=count(entries),
            doubtful=DOUBTFUL,
            audit=getattr(explanations, "audit", None),
            is_ordinal=any(item.boundaries is not None for item in entries),
            most_suspects=MOST_SUSPECTS,
            version=__version__,
        )

    return small_enough(draw, len(explanations))


def small_enough(draw: Callable[[int, int], str], n_rows: int) -> str:
    """The first layout of a page that is not too large for so many rows, or the smallest."""
    page = ""
    for layout in LAYOUTS:
        page = draw(*layout)
        if len(page.encode()) <= max(FEWEST_BYTES, BYTES_PER_ROW * n_rows):
            break
    return page


def explanation_html(explanation: Explanation | OrdinalExplanation) -> str:
    """One explanation as a piece of HTML with its own styles and no script, for notebooks.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> explanation_html(clf.explain([[0.2]])[0])[:18]
    '<div class="fgac">'
    """
    from fgac.report.classification import entry
    from fgac.report.page import render

    return render("explanation.html.jinja", entry=entry(explanation))


def audit_html(audit: Audit, *, most: int | None = MOST_SUSPECTS) -> str:
    """The most doubted training rows as a piece of HTML with its own styles and no script, for notebooks.

    Parameters
    ----------
    audit : Audit
    most : int, optional
        How many of them are listed; None lists all.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> from fgac import audit
    >>> clf = FGAClassifier().fit([[0.0], [0.1], [1.0]], ["no", "yes", "yes"])
    >>> "whose label the others contradict most" in audit_html(audit(clf))
    True
    """
    from fgac.report.page import render

    if most is not None and most < 1:
        raise ValueError(f"most={most!r} must be a whole number >= 1, or None to list all suspects")
    return render("audit.html.jinja", audit=audit, most_suspects=len(audit) if most is None else most)


def audit_page(audit: Audit, title: str | None = None) -> str:
    """One self-contained HTML page of all suspects; :meth:`fgac.explanation.audit.Audit.to_html` writes it to a file.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> from fgac import audit
    >>> clf = FGAClassifier().fit([[0.0], [0.1], [1.0]], ["no", "yes", "yes"])
    >>> page = audit_page(audit(clf))
    >>> page[:15], "<h1>Doubted labels</h1>" in page
    ('<!doctype html>', True)
    """
    from fgac import __version__
    from fgac.report.page import render

    return render("audit_page.html.jinja", title=title or AUDIT_TITLE, note=None, audit=audit, version=__version__)
