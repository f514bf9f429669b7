"""Fuzzy granular approximation classifier: exact, and able to say why.

>>> from fgac import FGAClassifier
>>> FGAClassifier(gamma=2.0)
FGAClassifier(gamma=2.0)

Names are imported when they are first asked for, so that ``import fgac`` alone loads nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fgac._renamed import find_moved_modules

if TYPE_CHECKING:
    from fgac.estimators.classifier import FGAClassifier
    from fgac.estimators.frnn import FRNNClassifier
    from fgac.estimators.ordinal import FGAOrdinalClassifier
    from fgac.estimators.regressor import FGARegressor
    from fgac.explainers.audit import audit
    from fgac.explainers.pipeline import explain
    from fgac.explanation.audit import Audit
    from fgac.explanation.classification import Explanation, Explanations
    from fgac.granular.approximation import granular_approximation
    from fgac.granular.boundaries import AtLeast
    from fgac.granular.membership import Arguments, ArgumentTable, Memberships
    from fgac.persistence import load_model, save_model
    from fgac.report.widget import what_if
    from fgac.selection.classifier_cv import FGAClassifierCV
    from fgac.selection.evaluation import evaluate
    from fgac.selection.gamma_path import GammaPath, path
    from fgac.selection.ordinal_cv import FGAOrdinalClassifierCV
    from fgac.selection.regressor_cv import FGARegressorCV
    from fgac.selection.rules import choose_gamma

__all__ = [
    "ArgumentTable",
    "Arguments",
    "AtLeast",
    "Audit",
    "Explanation",
    "Explanations",
    "FGAClassifier",
    "FGAClassifierCV",
    "FGAOrdinalClassifier",
    "FGAOrdinalClassifierCV",
    "FGARegressor",
    "FGARegressorCV",
    "FRNNClassifier",
    "GammaPath",
    "Memberships",
    "audit",
    "choose_gamma",
    "evaluate",
    "explain",
    "granular_approximation",
    "load_model",
    "path",
    "save_model",
    "what_if",
]
__version__ = "0.2.0"

# Where public names live: estimators, what they give, how they are chosen and measured, and files.
_HOME = {
    "FGAClassifier": "fgac.estimators.classifier",
    "FGAClassifierCV": "fgac.selection.classifier_cv",
    "FGAOrdinalClassifier": "fgac.estimators.ordinal",
    "FGAOrdinalClassifierCV": "fgac.selection.ordinal_cv",
    "FGARegressor": "fgac.estimators.regressor",
    "FGARegressorCV": "fgac.selection.regressor_cv",
    "FRNNClassifier": "fgac.estimators.frnn",
    "Memberships": "fgac.granular.membership",
    "Arguments": "fgac.granular.membership",
    "ArgumentTable": "fgac.granular.membership",
    "AtLeast": "fgac.granular.boundaries",
    "Explanation": "fgac.explanation.classification",
    "Explanations": "fgac.explanation.classification",
    "Audit": "fgac.explanation.audit",
    "audit": "fgac.explainers.audit",
    "explain": "fgac.explainers.pipeline",
    "choose_gamma": "fgac.selection.rules",
    "evaluate": "fgac.selection.evaluation",
    "path": "fgac.selection.gamma_path",
    "GammaPath": "fgac.selection.gamma_path",
    "granular_approximation": "fgac.granular.approximation",
    "load_model": "fgac.persistence",
    "save_model": "fgac.persistence",
    "what_if": "fgac.report.widget",
}

find_moved_modules()


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'fgac' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
