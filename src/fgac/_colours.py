"""The colours of pictures and pages: one meaning each, told apart by every kind of eye.

Pictures (:mod:`fgac.plot`) and HTML reports read them here, so that blue speaks for a prediction everywhere. They are
those of Okabe and Ito, the blue and the red so dark that they can be read as text on white.

>>> LIGHT.for_, LIGHT.against
('#0072b2', '#b84c00')
"""

from __future__ import annotations

from typing import NamedTuple


class Colours(NamedTuple):
    """One colour for every meaning.

    Attributes
    ----------
    for_ : what speaks for a prediction, or says "at least"; predictions that are right
    against : what speaks against it, or says "at most"; predictions that are wrong, and values outside of intervals
    predicted : the row that is predicted, and its degree; it fills marks that have an edge, and is no colour of text
    true : what is true: the real class or number
    unknown : what nobody knows: rows whose class is not known, values that are missing
    neutral : what takes no side: counts, weights, intervals
    """

    for_: str
    against: str
    predicted: str
    true: str
    unknown: str
    neutral: str


# On light paper, and on dark.
LIGHT = Colours("#0072b2", "#b84c00", "#f0e442", "#009e73", "#cc79a7", "#5a6673")
DARK = Colours("#62aeea", "#f0954a", "#f0e442", "#3ecf9f", "#f5c2e0", "#98a5b1")
