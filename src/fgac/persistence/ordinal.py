"""What there is to store of a fitted classifier of ordered classes: its boundaries, which are classifiers."""

from __future__ import annotations

from typing import Any

from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.persistence import description
from fgac.persistence.schema import Shapes, check_arrays, inconsistent, table_of, table_parts
from fgac.tables.table import Table

MODEL = FGAOrdinalClassifier
# Attributes that are stored as they are; feature_names_in_ is there only if the table had names.
ATTRIBUTES = ("classes_", "beta_", "n_features_in_", "feature_names_in_")
SHAPES: Shapes = {"attributes/beta_": ("f", "m", "")}


def describe(clf: FGAOrdinalClassifier, *, values: bool) -> dict[str, Any]:
    """The parameters, and every boundary as a classifier of its own."""
    return {
        "params": clf.get_params(deep=False),
        "attributes": {name: getattr(clf, name) for name in ATTRIBUTES if hasattr(clf, name)},
        "table": table_parts(getattr(clf, "_table", None)),
        "boundaries": [description.describe(boundary, values=values) for boundary in clf.boundaries_],
    }


def rebuild(parts: dict[str, Any]) -> FGAOrdinalClassifier:
    """The classifier that was described, after everything has been checked."""
    boundaries, table = tuple(description.rebuild(part) for part in parts["boundaries"]), table_of(parts["table"])
    check(parts, boundaries, table)
    clf = FGAOrdinalClassifier(**parts["params"])
    for name in ATTRIBUTES:
        if name in parts["attributes"]:
            setattr(clf, name, parts["attributes"][name])
    clf.boundaries_ = boundaries
    if table is not None:
        clf._table = table
    return clf


def check(parts: dict[str, Any], boundaries: tuple[Any, ...], table: Table | None) -> None:
    """Refuse boundaries that do not fit the classes and each other."""
    known = parts["attributes"]
    check_arrays(parts, SHAPES, {})
    if len(boundaries) != len(known["classes_"]) - 1:
        raise inconsistent(f"it has {len(boundaries)} boundaries between {len(known['classes_'])} classes")
    for boundary in boundaries:
        same = len(boundary.beta_) == len(known["beta_"]) and boundary.n_features_in_ == known["n_features_in_"]
        if not same or getattr(boundary, "_table", None) != table:
            raise inconsistent("its boundaries are of different tables")
