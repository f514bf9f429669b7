"""Explanations and audits in plain English, for readers who are no data scientists.

Each kind of value has a module with a function ``describe(value)``, which the method ``text()`` of the value calls:

==================================  ================================================================
:mod:`~fgac.text.classification`    the explanation of a predicted class
:mod:`~fgac.text.ordinal`           that of a predicted class among ordered ones
:mod:`~fgac.text.regression`        that of a predicted number
:mod:`~fgac.text.contrast`          what decides between two classes
:mod:`~fgac.text.audit`             a training row whose label, or target, others contradict
:mod:`~fgac.text.feature_weights`   the weights of the features in a model's distances
:mod:`~fgac.text.card`              the card: what must be known of any of these predictions at first
==================================  ================================================================

They share :mod:`~fgac.text.words` (numbers, names and lists), :mod:`~fgac.text.arguments` (a training row beside the
explained row), :mod:`~fgac.text.one_sided` (the same where a difference counts in one direction only),
:mod:`~fgac.text.sides` (arguments for and against a class) and :mod:`~fgac.text.certainty` (lead and safe changes).

A function that is named after a part of the text returns that part, or an empty text if there is nothing to say. Parts
begin with a small letter and have no full stop until :func:`~fgac.text.words.paragraph` makes sentences of them.

Rules of style: a number in brackets after a statement says how true the statement is, from 0 to 1; degrees are degrees
of membership, never probabilities; names that the user gave stand in quotes.

Everything is read from the values in :mod:`fgac.explanation`, never from a model, so that an explanation that was
written to a file and read again has the same text.
"""

from __future__ import annotations

from typing import Any

from fgac._renamed import renamed_attribute


def __getattr__(name: str) -> Any:
    return renamed_attribute(__name__, name)
