"""The card of an explanation of any kind."""

from __future__ import annotations

from fgac.explanation.base import BaseExplanation
from fgac.explanation.classification import Explanation
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.explanation.regression import RegressionExplanation
from fgac.text import card_classes, card_numbers
from fgac.text.card import Card


def card_of(e: BaseExplanation) -> Card:
    """Lay out an explanation for a first look; ``e.card()`` calls this.

    >>> from fgac import FGARegressor
    >>> card_of(FGARegressor().fit([[0.0], [1.0]], [3.0, 5.0]).explain([[0.5]])[0]).prediction
    '4'
    """
    if isinstance(e, Explanation):
        return card_classes.card(e)
    if isinstance(e, OrdinalExplanation):
        return card_classes.ordinal_card(e)
    if isinstance(e, RegressionExplanation):
        return card_numbers.card(e)
    raise TypeError(f"there are cards of explanations of classes, ordered classes and numbers, got {type(e).__name__}")
