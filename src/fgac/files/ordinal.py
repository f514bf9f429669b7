"""What there is to store of a fitted classifier of ordered classes: its boundaries, which are classifiers."""

from __future__ import annotations

from typing import Any

from fgac.files import description
from fgac.files.parts import Shapes, check_arrays, inconsistent
from fgac.ordinal import FGAOrdinalClassifier

MODEL = FGAOrdinalClassifier
# Attributes that are stored as they are; feature_names_in_ is there only if the table had names.
ATTRIBUTES = ("classes_", "beta_", "n_features_in_", "feature_names_in_")
SHAPES: Shapes = {"attributes/beta_": ("f", "m", "")}


def describe(clf: FGAOrdinalClassifier, *, values: bool) -> dict[str, Any]:
    """The parameters, and every boundary as a classifier of its own."""
    return {
        "params": clf.get_params(deep=False),
        "attributes": {name: getattr(clf, name) for name in ATTRIBUTES if hasattr(clf, name)},
        "boundaries": [description.describe(boundary, values=values) for boundary in clf.boundaries_],
    }


def rebuild(parts: dict[str, Any]) -> FGAOrdinalClassifier:
    """The classifier that was described, after everything has been checked."""
    boundaries = tuple(description.rebuild(part) for part in parts["boundaries"])
    check(parts, boundaries)
    clf = FGAOrdinalClassifier(**parts["params"])
    for name in ATTRIBUTES:
        if name in parts["attributes"]:
            setattr(clf, name, parts["attributes"][name])
    clf.boundaries_ = boundaries
    if boundaries and hasattr(boundaries[0], "_table"):
        clf._table = boundaries[0]._table
    return clf


def check(parts: dict[str, Any], boundaries: tuple[Any, ...]) -> None:
    """Refuse boundaries that do not fit the classes and each other."""
    known = parts["attributes"]
    check_arrays(parts, SHAPES, {})
    if len(boundaries) != len(known["classes_"]) - 1:
        raise inconsistent(f"it has {len(boundaries)} boundaries between {len(known['classes_'])} classes")
    for boundary in boundaries:
        same = len(boundary.beta_) == len(known["beta_"]) and boundary.n_features_in_ == known["n_features_in_"]
        if not same or getattr(boundary, "_table", None) != getattr(boundaries[0], "_table", None):
            raise inconsistent("its boundaries are of different tables")
