"""Numbers that name rows instead of measuring them: running numbers, and identifiers by their name and values."""

from __future__ import annotations

import re

import numpy as np

from fgac._typing import Floats

# A column with such a name, and another whole number in every row, holds identifiers, ...
IDENTIFIER = re.compile(r"(?i:id|idx|index|key|uuid|guid)$|.*[\s_.-](?i:id|key)$|.*[a-z]I[dD]$")
# ... if there are so many rows; without such a name, more of them have to be numbered one by one.
SOME_ROWS, MANY_ROWS = 10, 50


def why_identifier(name: str, values: Floats) -> str:
    """Why the numbers of a column, nan where one is unknown, name the rows; empty if they may be measurements.

    >>> why_identifier("n", np.arange(60.0)), why_identifier("age", np.arange(20.0))
    ('it numbers the rows', '')
    >>> why_identifier("patient_id", np.arange(20.0) ** 2)
    'by its name and values, which are all different, it is an identifier'
    """
    known = values[~np.isnan(values)]
    n = len(known)
    # The last check costs a sort: most columns are no whole numbers.
    if n < SOME_ROWS or (known != np.round(known)).any() or len(np.unique(known)) < n:
        return ""
    if n == len(values) >= MANY_ROWS and known.max() - known.min() == n - 1:
        return "it numbers the rows"
    if IDENTIFIER.match(name):
        return "by its name and values, which are all different, it is an identifier"
    return ""
