"""Explanations in plain English, for readers who are no data scientists.

A small grammar: :mod:`~fgac.language.words` knows numbers, names and lists, :mod:`~fgac.language.arguments` says one
argument, :mod:`~fgac.language.directed` one that counts one way only, :mod:`~fgac.language.certainty` how sure a
prediction is, :mod:`~fgac.language.prediction` a whole explanation, :mod:`~fgac.language.ordinal` one about ordered
classes, :mod:`~fgac.language.doubt` a training row whose label is contradicted. Every phrase is a function that
returns text, or an empty string if there is nothing to say.

A number in brackets after a statement says how true it is, from 0 to 1. Degrees are degrees of membership, never
probabilities. What the user named stands in quotes.
"""

from fgac.language.arguments import is_averaged
from fgac.language.doubt import tell_suspect
from fgac.language.prediction import tell
from fgac.language.words import allowance, called, in_line, listed, named, number, value

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
