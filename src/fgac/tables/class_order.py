"""Ordered classes: their order, given or known from the type of the labels, and the names of what lies between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Ints
from fgac._warnings import warn_caller
from fgac.tables.containers import eager
from fgac.tables.labels import plain_name


def order_classes(
    class_order: Any, y: Any, classes: NDArray[Any], codes: Ints, *, directed: bool = False
) -> tuple[NDArray[Any], Ints]:
    """Classes from the lowest to the highest, and the numbers of the labels among them.

    Parameters
    ----------
    class_order : list or None
        What the caller gave.
    y : labels as the caller gave them
    classes, codes : the sorted classes, and the number of every label among them
    directed : whether some column can only raise the class, or only lower it

    >>> order_classes(["low", "high"], None, np.array(["high", "low"]), np.array([0, 1, 1]))
    (array(['low', 'high'], dtype='<U4'), array([1, 0, 0]))
    """
    given = given_order(class_order, y)
    if given is None:
        _warn_of_alphabet(classes, directed=directed)
        return classes, codes
    place = {label: i for i, label in enumerate(given)}
    labels = classes.tolist()
    unknown = [label for label in labels if label not in place]
    if unknown:
        raise ValueError(
            f"y holds {unknown}, which class_order={given} does not name; give all classes, from the lowest to the "
            "highest"
        )
    order = np.array(sorted(range(len(labels)), key=lambda k: place[labels[k]]), dtype=np.int64)
    # The inverse permutation: where each of the sorted classes stands in the order.
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    return classes[order], position[codes]


def _warn_of_alphabet(classes: NDArray[Any], *, directed: bool) -> None:
    """Warn if classes are texts in the order of the alphabet; of two without directions, either order is the same."""
    names = [plain_name(label) for label in classes]
    if len(names) > (1 if directed else 2) and all(isinstance(name, str) for name in names):
        warn_caller(
            f"{alphabet_sentence(names)}. Give class_order, from the lowest to the highest, or y as an ordered "
            "categorical"
        )


def alphabet_sentence(names: Sequence[Any]) -> str:
    """What is said of sorted classes that nobody has put in an order, without a full stop.

    >>> alphabet_sentence(["no", "yes"])
    "'yes' is taken as the higher of the two classes, because its name comes last"
    """
    if len(names) == 2:
        return f"{names[1]!r} is taken as the higher of the two classes, because its name comes last"
    shown = f"{list(names[:5])} and {len(names) - 5} more" if len(names) > 5 else str(list(names))
    return f"the classes are texts and have no order of their own; they are taken in that of the alphabet, {shown}"


def given_order(class_order: Any, y: Any) -> list[Any] | None:
    """The order that the caller gave, or that the type of the labels knows; None if there is neither."""
    return typed_order(y) if class_order is None else check_order(class_order)


def full_order(class_order: Any, y: Any) -> list[Any]:
    """All classes from the lowest to the highest; without an order they are sorted.

    >>> full_order(None, [3, 1, 1]), full_order(["low", "high"], ["low", "low"])
    ([1, 3], ['low', 'high'])
    """
    given = given_order(class_order, y)
    sorted_labels: list[Any] = np.unique(np.asarray(y)).tolist() if given is None else given
    return sorted_labels


def check_order(class_order: Any) -> list[Any]:
    """A list of different labels."""
    if isinstance(class_order, str) or not hasattr(class_order, "__iter__"):
        raise ValueError(
            f"class_order={class_order!r} must be a list of classes, from the lowest to the highest, or None"
        )
    labels = [label.item() if isinstance(label, np.generic) else label for label in class_order]
    twice = [label for i, label in enumerate(labels) if label in labels[:i]]
    if twice:
        raise ValueError(f"class_order={labels} names {twice[0]!r} more than once; expected every class once")
    return labels


def typed_order(y: Any) -> list[Any] | None:
    """The order that a pandas ordered categorical, a polars Enum or an ordered dictionary of Arrow has; else None."""
    y = eager(y, "y")
    if getattr(getattr(y, "type", None), "ordered", False):
        chunks = y.unify_dictionaries().chunks if hasattr(y, "unify_dictionaries") else [y]
        return list(chunks[0].dictionary.to_pylist()) if chunks else None
    kind = getattr(y, "dtype", None)
    if getattr(kind, "ordered", False) or type(kind).__name__ == "Enum":
        return list(kind.categories)  # type: ignore[union-attr]
    return None


def boundary_labels(classes: NDArray[Any], c: int) -> NDArray[Any]:
    """What the two sides of the boundary below class c are called.

    >>> [boundary_labels(np.array(["poor", "fair", "good"]), c).tolist() for c in (1, 2)]
    [['poor', 'fair or above'], ['below good', 'good']]
    """
    names = [str(plain_name(label)) for label in classes]
    below = names[0] if c == 1 else f"below {names[c]}"
    above = names[c] if c == len(names) - 1 else f"{names[c]} or above"
    return np.array([below, above])
