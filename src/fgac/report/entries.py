"""The explained rows as the report lists them: with what they can be filtered and sorted by."""

from __future__ import annotations

from dataclasses import dataclass

from fgac.explanation import Explanation, Explanations, Membership
from fgac.language import is_averaged
from fgac.report.attributes import MOST_LINES, MOST_OTHERS, AttributeTable, attribute_table

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
    """

    explanation: Explanation
    table: AttributeTable | None
    memberships: tuple[Membership, ...]
    n_classes_left_out: int
    has_weights: bool

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
    def is_doubtful(self) -> bool:
        """Whether the lead over the next class is small."""
        return self.explanation.margin < DOUBTFUL

    @property
    def flags(self) -> str:
        """What the row can be filtered by, as words between spaces."""
        found = {
            "right": self.is_right is True,
            "wrong": self.is_right is False,
            "doubtful": self.is_doubtful,
            "tied": bool(self.explanation.tied),
            "strange": self.explanation.resembles_nothing,
        }
        return " ".join(flag for flag, holds in found.items() if holds)


def entry(explanation: Explanation, *, most_lines: int = MOST_LINES, most_others: int = MOST_OTHERS) -> Entry:
    """Prepare one explanation for drawing."""
    ranked = sorted(explanation.memberships, key=lambda m: (m.label != explanation.prediction, -m.degree))
    return Entry(
        explanation=explanation,
        table=attribute_table(explanation, most_lines, most_others),
        memberships=tuple(ranked[:MOST_CLASSES]),
        n_classes_left_out=max(0, len(ranked) - MOST_CLASSES),
        has_weights=is_averaged(explanation),
    )


@dataclass(frozen=True)
class Counts:
    """How many of the explained rows are doubtful, tied, or like nothing the model knows."""

    n_rows: int
    n_doubtful: int
    n_tied: int
    n_strange: int


def count(explanations: Explanations) -> Counts:
    """Count the rows that deserve a second look."""
    return Counts(
        n_rows=len(explanations),
        n_doubtful=sum(item.margin < DOUBTFUL for item in explanations),
        n_tied=sum(bool(item.tied) for item in explanations),
        n_strange=sum(item.resembles_nothing for item in explanations),
    )
