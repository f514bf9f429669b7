"""How often the predictions were right, class by class, where the truth is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fgac.explanation import Explanation
from fgac.ordinal_explanation import OrdinalExplanation
from fgac.records import Label


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
