"""How often predicted classes are right, class by class, where the true classes are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fgac._typing import Label
from fgac.explanation.classification import Explanation
from fgac.explanation.ordinal import OrdinalExplanation


@dataclass(frozen=True)
class Confusion:
    """Counts of true against predicted classes.

    Attributes
    ----------
    truths, predictions : the classes that label the rows and the columns of ``counts``
    counts : how many rows of each true class got each prediction
    n_known, n_right : rows whose true class is known, and those of them whose prediction is right
    accuracy : ``n_right / n_known``
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
    """Count true against predicted classes; None if that of one row at most is known, which is no accuracy.

    A true class that the model does not know gets a row of its own, after those of the model.
    """
    pairs = Counter((item.truth, item.prediction) for item in explanations if item.truth is not None)
    if pairs.total() < 2:
        return None
    unknown_to_model = sorted({truth for truth, _ in pairs} - set(classes), key=str)
    truths = tuple(label for label in (*classes, *unknown_to_model) if label is not None)
    counts = tuple(tuple(pairs[truth, label] for label in classes) for truth in truths)
    sizes = [sum(line) for line in counts]
    right = [pairs[truth, truth] for truth in truths]
    # A class of the model that is nobody's true class has no recall, and does not count in the mean.
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
