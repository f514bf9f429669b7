"""The explained rows as the report lists them: with what they can be filtered and sorted by.

How often the predictions were right, class by class, where the truth is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fgac._typing import Label
from fgac.explanation.classification import Explanation, Membership
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.report.attributes import MOST_LINES, MOST_OTHERS, AttributeTable, attribute_table
from fgac.text.sides import is_averaged


@dataclass(frozen=True)
class Confusion:
    """Counts of true against predicted classes.

    Attributes
    ----------
    truths, predictions : the classes that label the rows and the columns of ``counts``
    counts : how many rows of each true class got each prediction
    n_known, n_right : rows whose truth is known, and those of them whose prediction is true
    accuracy : share of them that are right
    balanced_accuracy : mean over the true classes of the share that is right
    """

    truths: tuple[Label, ...]
    predictions: tuple[Label, ...]
    counts: tuple[tuple[int, ...], ...]
    n_known: int
    n_right: int
    accuracy: float
    balanced_accuracy: float


def confusion(explanations: Iterable[Explanation | OrdinalExplanation], classes: Sequence[Label]) -> Confusion | None:
    """Count true against predicted classes; None if no truth is known.

    A true class that the model does not know gets a row of its own, after those of the model.
    """
    pairs = Counter((item.truth, item.prediction) for item in explanations if item.truth is not None)
    if not pairs:
        return None
    strangers = sorted({truth for truth, _ in pairs} - set(classes), key=str)
    truths = tuple(label for label in (*classes, *strangers) if label is not None)
    counts = tuple(tuple(pairs[truth, label] for label in classes) for truth in truths)
    sizes = [sum(line) for line in counts]
    right = [pairs[truth, truth] for truth in truths]
    recalls = [hits / size for hits, size in zip(right, sizes, strict=True) if size]
    return Confusion(
        truths=truths,
        predictions=tuple(classes),
        counts=counts,
        n_known=sum(sizes),
        n_right=sum(right),
        accuracy=sum(right) / sum(sizes),
        balanced_accuracy=sum(recalls) / len(recalls),
    )


# A lead over the next class below this is called doubtful.
DOUBTFUL = 0.1

# Classes whose degrees are drawn; the others are counted.
MOST_CLASSES = 12


@dataclass(frozen=True)
class Entry:
    """An explanation ready to be drawn.

    Attributes
    ----------
    explanation : what is drawn
    table : its attributes beside those of the arguments; None if there are only distances
    memberships : the predicted class first, then by degree, no more than can be read
    n_classes_left_out : classes that are not among them
    has_weights : whether more than the strongest argument counts (OWA), so that weights are worth a column
    boundaries : of ordered classes, what is drawn about the boundaries next to the predicted class
    """

    explanation: Explanation | OrdinalExplanation
    table: AttributeTable | None
    memberships: tuple[Membership, ...]
    n_classes_left_out: int
    has_weights: bool
    boundaries: tuple[Entry, ...] | None = None

    @property
    def parts(self) -> tuple[Entry, ...]:
        """What has degrees, arguments and attributes to be drawn: the entry itself, or one for every boundary."""
        return (self,) if self.boundaries is None else self.boundaries

    @property
    def lines(self) -> list[str]:
        """What is said about the row, paragraph by paragraph."""
        return [line for line in self.explanation.text().split("\n") if line]

    @property
    def is_right(self) -> bool | None:
        """Whether the prediction is true; None if the truth is not known."""
        truth = self.explanation.truth
        return None if truth is None else truth == self.explanation.prediction

    @property
    def doubt(self) -> str:
        """Why the row deserves a second look: it is "strange", "tied", has a "narrow" lead, or "" if it does not.

        A row that resembles nothing is tied too, and a tied one has no lead: only the first that holds is told.
        """
        if self.explanation.resembles_nothing:
            return "strange"
        if self.explanation.tied:
            return "tied"
        return "narrow" if self.explanation.margin < DOUBTFUL else ""

    @property
    def flags(self) -> str:
        """What the row can be filtered by, as words between spaces."""
        found = {
            "right": self.is_right is True,
            "wrong": self.is_right is False,
            "doubtful": self.doubt != "",
            self.doubt: self.doubt != "",
        }
        return " ".join(flag for flag, holds in found.items() if holds)


def entry(
    explanation: Explanation | OrdinalExplanation, *, most_lines: int = MOST_LINES, most_others: int = MOST_OTHERS
) -> Entry:
    """Prepare one explanation for drawing."""
    if isinstance(explanation, OrdinalExplanation):
        return ordinal_entry(explanation, most_lines, most_others)
    ranked = sorted(explanation.memberships, key=lambda m: (m.label != explanation.prediction, -m.degree))
    return Entry(
        explanation=explanation,
        table=attribute_table(explanation, most_lines, most_others),
        memberships=tuple(ranked[:MOST_CLASSES]),
        n_classes_left_out=max(0, len(ranked) - MOST_CLASSES),
        has_weights=is_averaged(explanation),
    )


def ordinal_entry(explanation: OrdinalExplanation, most_lines: int, most_others: int) -> Entry:
    """Prepare an explanation of ordered classes: one entry for each of the boundaries next to the predicted class."""
    e = explanation
    parts = tuple(entry(part, most_lines=most_lines, most_others=most_others) for part in e.boundaries)
    return Entry(
        explanation=e,
        table=parts[0].table if parts else None,
        memberships=(Membership(e.prediction, e.lower, e.upper, e.degree),),
        n_classes_left_out=0,
        has_weights=False,
        boundaries=parts,
    )


@dataclass(frozen=True)
class Counts:
    """How many rows are like nothing the model knows, tied, or of a narrow lead; none is counted twice."""

    n_rows: int
    n_strange: int
    n_tied: int
    n_narrow: int


def count(entries: Iterable[Entry]) -> Counts:
    """Count the rows that deserve a second look."""
    doubts = Counter(entry.doubt for entry in entries)
    return Counts(doubts.total(), doubts["strange"], doubts["tied"], doubts["narrow"])
