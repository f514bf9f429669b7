"""The card of an explanation: why, why not, how sure, what would change it and what is unknown, for a first look.

A card is read by people who know nothing of the method: its sentences are short, and hold no degrees, distances or
bounds of classes. All of them are in the text of the explanation. Cards are made by :mod:`fgac.text.card_classes` and
:mod:`fgac.text.card_numbers`; the page, the notebook and the command line lay them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fgac.text.case import Case
from fgac.text.changes import Flip

# What the parts are called, wherever a card is shown.
SURE, CHANGE, UNKNOWN = "How sure", "What would change it", "What is unknown"
NOTHING_UNKNOWN = "Nothing that counts."
UNTESTED = "nobody has tested"


@dataclass(frozen=True)
class CardSide:
    """The strongest case on one side, or a sentence in its place.

    Attributes
    ----------
    heading : the question that it answers
    case : the training row; None if there is none
    nothing : what is said if there is none
    is_argument : whether the case says anything; the nearest row of a guess does not
    """

    heading: str
    case: Case | None
    nothing: str = ""
    is_argument: bool = True

    def text(self) -> str:
        """The case in a line."""
        return self.nothing if self.case is None else self.case.text()


@dataclass(frozen=True)
class Alternative:
    """The two sides of a class that is not predicted."""

    label: str
    favour: CardSide
    against: CardSide


@dataclass(frozen=True)
class Card:
    """What a reader must know of one prediction, in words.

    Attributes
    ----------
    row : what the caller calls the row
    prediction : what is predicted: "deny = no"
    outcome : whether it is right, if the truth is known; else ""
    sure : how sure it is, in two or three words: "92 of 100", "A guess"
    sure_of : what these words are said of, the end of a sentence that they begin
    remarks : what else bears on that, as sentences
    favour, against : the strongest case on each side
    flips : small changes that change the prediction, if they were asked for
    stays : what may change without changing it, as sentences
    unknown : what is not known of the row, and what lies beyond all training rows, as sentences
    alternatives : the other classes that a reader can ask about, if the explanation has them
    asked : the class that was asked about, if it is another one than the predicted: "Why not approve?"

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> print(clf.explain([[0.2]])[0].card())
    Row 0: low
    How sure: Not known. How often such cases are right, nobody has tested. Clearly ahead of 'high'.
    Why low: Training row 1 (low): similar to this row. Different: x0 (0.2 here, 0.1 there).
    What speaks against it: Nothing does.
    What would change it: It is sure to stay if 'x0' alone changes by less than 0.2.
    What is unknown: Nothing that counts.
    """

    row: str
    prediction: str
    outcome: str
    sure: str
    sure_of: str
    remarks: tuple[str, ...]
    favour: CardSide
    against: CardSide
    flips: tuple[Flip, ...]
    stays: tuple[str, ...]
    unknown: tuple[str, ...]
    alternatives: tuple[Alternative, ...] = ()
    asked: str = ""

    def parts(self) -> Iterator[tuple[str, str]]:
        """What every part is called, and what it says, on one line."""
        yield SURE, " ".join(filter(None, (f"{self.sure}{self.sure_of}", *self.remarks, self.outcome)))
        for side in (self.favour, self.against):
            yield side.heading, side.text()
        yield CHANGE, " ".join((*(flip.text() for flip in self.flips), *self.stays))
        yield UNKNOWN, " ".join(self.unknown) or NOTHING_UNKNOWN

    def text(self) -> str:
        """The card in plain text, one line for each part."""
        first = f"Row {self.row}: {self.prediction}{f'. {self.asked}' * bool(self.asked)}"
        return "\n".join((first, *(f"{name}: {said}" for name, said in self.parts())))

    def __str__(self) -> str:
        return self.text()
