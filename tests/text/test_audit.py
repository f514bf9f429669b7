"""The text of a doubted label."""

from __future__ import annotations

import pytest

from fgac.explanation.audit import Opponent, Suspect
from fgac.text.audit import describe


def opponent(row, label, similarity, membership, alike=(), multiplier=0.1):
    return Opponent(row, row, label, 1 - similarity, similarity, membership, multiplier, 1.0, alike)


def suspect(membership, *opponents, row=17, label="good", suggestion="bad", alike=(), support=None, held_out=None):
    degree = membership if support is None else (membership + support) / 2
    doubt = 1 - (degree if held_out is None else (degree + held_out) / 2)
    return Suspect(0, row, label, membership, doubt, suggestion, opponents, alike, support, held_out=held_out)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            suspect(0.12, opponent(40, "bad", 0.97, 0.91, (41,)), opponent(50, "bad", 0.9, 0.98)),
            "Row 17 is labelled 'good', but belongs to it only to 0.12: row 40 ('bad', similarity 0.97) and 2 more "
            "contradict it. The rest of the data speak for 'bad'.",
        ),
        (
            suspect(0.12, opponent(40, 3, 0.97, 0.91), row="A 1", label=2, suggestion=3, alike=(18, 19)),
            "Row 'A 1' is labelled class 2, but belongs to it only to 0.12: row 40 (class 3, similarity 0.97) "
            "contradicts it. The same holds for another 2 rows equal to row 'A 1'. The rest of the data speak for "
            "class 3.",
        ),
        (
            suspect(0.5, opponent(40, "bad", 1.0, 0.5), alike=(18,)),
            "Row 17 is labelled 'good', but belongs to it only to 0.50: row 40 ('bad', similarity 1.00) contradicts "
            "it. But row 40 is just as much in doubt: it belongs to 'bad' only to 0.50. The same holds for another "
            "row equal to row 17. If the label is wrong, it may have to be 'bad'.",
        ),
        (
            suspect(0.75, opponent(40, "bad", 0.9, 0.35)),
            "Row 17 is labelled 'good' and belongs to it to 0.75: row 40 ('bad', similarity 0.90) contradicts it. But "
            "row 40 is even more in doubt: it belongs to 'bad' only to 0.35. If the label is wrong, it may have to be "
            "'bad'.",
        ),
        (
            suspect(0.9, opponent(40, "bad", 0.2, 0.91), opponent(41, "bad", 0.2, 0.9, multiplier=0.0), support=0.04),
            "Row 17 is labelled 'good' and belongs to it almost fully (0.90): row 40 ('bad', similarity 0.20) "
            "contradicts it. Other rows of 'good' support row 17 only to 0.04. The rest of the data speak for 'bad'.",
        ),
        (
            suspect(0.75, opponent(40, "bad", 0.6, 0.95), support=0.5, held_out=0.12),
            "Row 17 is labelled 'good' and belongs to it to 0.75: row 40 ('bad', similarity 0.60) contradicts it. "
            "Other rows of 'good' support row 17 to 0.50. A model that had not seen row 17 gave its label a "
            "probability of 0.12. The rest of the data speak for 'bad'.",
        ),
        (
            suspect(0.75, opponent(40, "bad", 0.6, 0.95), support=0.75, held_out=0.996, alike=("b", "c")),
            "Row 17 is labelled 'good' and belongs to it to 0.75: row 40 ('bad', similarity 0.60) contradicts it. The "
            "same holds for another 2 rows equal to row 17. Other rows of 'good' support row 17 to 0.75. Models that "
            "had not seen one of these 3 rows gave its label a probability of more than 0.99 on average. If the label "
            "is wrong, it may have to be 'bad'.",
        ),
        (
            suspect(0.75, opponent(40, "bad", 0.6, 0.95)),
            "Row 17 is labelled 'good' and belongs to it to 0.75: row 40 ('bad', similarity 0.60) contradicts it. If "
            "the label is wrong, it may have to be 'bad'.",
        ),
        (
            suspect(0.95, opponent(40, "bad", 0.1, 0.95)),
            "Row 17 is labelled 'good' and belongs to it almost fully (0.95): row 40 ('bad', similarity 0.10) "
            "contradicts it. There is little reason to doubt the label.",
        ),
        (
            suspect(1.0, suggestion=None),
            "Row 17 is labelled 'good' and fully belongs to it (1.00): nothing contradicts it.",
        ),
    ],
)
def test_doubted_labels(row, said):
    assert describe(row) == said
