"""Explanations of predictions and audits of training rows, as frozen values.

>>> from fgac.explanation import Explanation, Suspect
>>> Explanation.__name__, Suspect.__name__
('Explanation', 'Suspect')

Every value can be read back from the JSON it was written to. Names are imported when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fgac._renamed import renamed_attribute

if TYPE_CHECKING:
    from fgac.explanation.arguments import BaseArgument, FeatureComparison, Value
    from fgac.explanation.audit import (
        Audit,
        Opponent,
        RegressionAudit,
        RegressionOpponent,
        RegressionSuspect,
        Suspect,
    )
    from fgac.explanation.audit_ordinal import BoundaryAudit, OrdinalAudit
    from fgac.explanation.classification import (
        Argument,
        ClassCase,
        Explanation,
        Explanations,
        FeatureValue,
        Membership,
        ModelSummary,
    )
    from fgac.explanation.contrast import Contrast, ContrastFeature, DecidingRow
    from fgac.explanation.counterfactual import Change, Counterfactual, Counterfactuals, Goal
    from fgac.explanation.held_out import HeldOut
    from fgac.explanation.ordinal import OrdinalCase, OrdinalExplanation, OrdinalExplanations
    from fgac.explanation.regression import (
        FeatureEffect,
        RegressionArgument,
        RegressionExplanation,
        RegressionExplanations,
        RegressionSummary,
        Span,
    )

__all__ = [
    "Argument",
    "Audit",
    "BaseArgument",
    "BoundaryAudit",
    "Change",
    "ClassCase",
    "Contrast",
    "ContrastFeature",
    "Counterfactual",
    "Counterfactuals",
    "DecidingRow",
    "Explanation",
    "Explanations",
    "FeatureComparison",
    "FeatureEffect",
    "FeatureValue",
    "Goal",
    "HeldOut",
    "Membership",
    "ModelSummary",
    "Opponent",
    "OrdinalAudit",
    "OrdinalCase",
    "OrdinalExplanation",
    "OrdinalExplanations",
    "RegressionArgument",
    "RegressionAudit",
    "RegressionExplanation",
    "RegressionExplanations",
    "RegressionOpponent",
    "RegressionSummary",
    "RegressionSuspect",
    "Span",
    "Suspect",
    "Value",
]

# Python users import from here; the library itself imports from the modules, so that it loads no more than it needs.
_MODULES = {
    "arguments": ("BaseArgument", "FeatureComparison", "Value"),
    "audit": ("Audit", "Opponent", "RegressionAudit", "RegressionOpponent", "RegressionSuspect", "Suspect"),
    "audit_ordinal": ("BoundaryAudit", "OrdinalAudit"),
    "classification": (
        "Argument",
        "ClassCase",
        "Explanation",
        "Explanations",
        "FeatureValue",
        "Membership",
        "ModelSummary",
    ),
    "contrast": ("Contrast", "ContrastFeature", "DecidingRow"),
    "counterfactual": ("Change", "Counterfactual", "Counterfactuals", "Goal"),
    "held_out": ("HeldOut",),
    "ordinal": ("OrdinalCase", "OrdinalExplanation", "OrdinalExplanations"),
    "regression": (
        "FeatureEffect",
        "RegressionArgument",
        "RegressionExplanation",
        "RegressionExplanations",
        "RegressionSummary",
        "Span",
    ),
}
_HOME = {name: f"fgac.explanation.{module}" for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    return renamed_attribute(__name__, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
