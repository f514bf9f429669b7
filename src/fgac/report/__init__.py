"""Explanations and audits as HTML: one offline file for reading and printing, or fragments for notebooks.

A page needs no network and allows none: styles, script and pictures are inside, and its content security policy
forbids the rest. Without the script it shows all the same, only search and filters are missing.

For maintainers: a report is made in five steps.

1. *Data.* Explanations and audits, the frozen values of :mod:`fgac.explanation`. Nothing is read from a model, so that
   a report can be made of explanations that were written to a file; but for the part in which a reader changes values.
2. *Entries.* :mod:`~fgac.report.classification` and :mod:`~fgac.report.regression` turn every explanation into an
   entry: what is drawn of it, in which order, and by which words it can be filtered. Both share
   :mod:`~fgac.report.base`, and :mod:`~fgac.report.feature_table`, the explained row beside its arguments. All choices
   are made here, where they can be tested as values. :mod:`~fgac.report.confusion` counts right and wrong predictions;
   :mod:`~fgac.report.audit` shows training rows whose labels others contradict.
3. *Templates.* ``templates/`` says where things stand and computes nothing. ``page`` is the frame of every file,
   ``report`` the order of its sections, ``rows`` the list of explained rows; ``classification_*`` and ``regression_*``
   fill in what differs. ``card`` is what every explanation begins with, from the words of :mod:`fgac.text.card`.
   ``*_parts`` are the macros that draw one entry, in reports and in fragments alike, with
   ``features``, ``model`` and ``suspects`` for what both kinds draw. ``explanation.css`` styles fragments too, so
   all of its rules begin with ``.fgac``; ``report.css`` and ``report.js`` belong to files only.
4. *What if.* :mod:`~fgac.report.what_if` puts a model into a page, as the plain value of
   :mod:`fgac.explainers.portable`, with a form. ``what_if.js`` goes from values to distances, ``what_if_answer.js`` on
   to bounds, labels and arguments, with the names that functions have in Python; ``what_if_form.js`` draws. Of the rest
   of the page it only touches what is marked: ``data-row`` is the number of an explained row, and what is said of the
   row there, ``data-card="prediction"``, "support", "for", "against", "change" or "unknown", follows the form.
   :mod:`~fgac.report.widget` is the same for notebooks.
5. *Page.* :mod:`~fgac.report.page` fills a template, with the filters of :mod:`~fgac.report.filters`, and escapes every
   value. If the page gets too large, the entries are made again with fewer features.
"""

from __future__ import annotations

from fgac.report.audit import audit_html, audit_page
from fgac.report.classification import explanation_html, report_html

__all__ = ["audit_html", "audit_page", "explanation_html", "report_html"]
