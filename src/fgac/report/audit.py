"""Training rows whose labels others contradict, as HTML: a fragment for notebooks, or a page of its own."""

from __future__ import annotations

from fgac.explanation.audit import Audit
from fgac.explanation.audit_ordinal import OrdinalAudit
from fgac.report.page import render

TITLE = "Doubted labels"

# Reports and fragments list the training rows with the most doubted labels, or targets, up to this many.
MOST_SUSPECTS = 20


def audit_html(audit: Audit | OrdinalAudit, *, most: int | None = MOST_SUSPECTS) -> str:
    """The training rows with the most doubted labels as a piece of HTML with its own styles and no script.

    Parameters
    ----------
    audit : Audit or OrdinalAudit
    most : int, optional
        How many suspects are listed, at every boundary of ordered classes; None lists all.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> from fgac import audit
    >>> clf = FGAClassifier().fit([[0.0], [0.1], [1.0]], ["no", "yes", "yes"])
    >>> "whose label the others contradict most" in audit_html(audit(clf))
    True
    """
    if most is not None and most < 1:
        raise ValueError(f"most={most!r} must be a whole number >= 1, or None to list all suspects")
    return render("audit.html.jinja", audit=audit, most_suspects=_n_suspects(audit) if most is None else most)


def audit_page(audit: Audit | OrdinalAudit, title: str | None = None) -> str:
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
    return render("audit_page.html.jinja", title=title or TITLE, note=None, audit=audit, n_suspects=_n_suspects(audit))


def _n_suspects(audit: Audit | OrdinalAudit) -> int:
    """The number of suspects, of ordered classes at all boundaries together."""
    return audit.n_suspects if isinstance(audit, OrdinalAudit) else len(audit)
