"""Explanations in plain English, for readers who are no data scientists.

A small grammar: :mod:`~fgac.text.words` knows numbers, names and lists, :mod:`~fgac.text.arguments` says one
argument, :mod:`~fgac.text.one_sided` one that counts one way only, :mod:`~fgac.text.certainty` how sure a
prediction is, :mod:`~fgac.text.classification` a whole explanation, :mod:`~fgac.text.ordinal` one about ordered
classes, :mod:`~fgac.text.audit` a training row whose label is contradicted. Every phrase is a function that
returns text, or an empty string if there is nothing to say.

A number in brackets after a statement says how true it is, from 0 to 1. Degrees are degrees of membership, never
probabilities. What the user named stands in quotes.
"""

from __future__ import annotations

from fgac.text.arguments import is_averaged
from fgac.text.audit import tell_suspect
from fgac.text.classification import tell
from fgac.text.words import allowance, called, in_line, listed, named, number, value

__all__ = [
    "allowance",
    "called",
    "in_line",
    "is_averaged",
    "listed",
    "named",
    "number",
    "tell",
    "tell_suspect",
    "value",
]
