"""Fuzzy granular approximation classifier: exact, and able to say why.

>>> from fgac import FGAClassifier
>>> FGAClassifier(gamma=2.0)
FGAClassifier(gamma=2.0)

Names are imported when they are first asked for, so that ``import fgac`` alone loads nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fgac.estimators.classifier import FGAClassifier
    from fgac.estimators.frnn import FRNNClassifier
    from fgac.estimators.ordinal import AtLeast, FGAOrdinalClassifier
    from fgac.estimators.regressor import FGARegressor
    from fgac.explainers.audit import audit
    from fgac.explanation.audit import Audit
    from fgac.explanation.classification import Explanation, Explanations
    from fgac.granular.approximation import granular_approximation
    from fgac.granular.membership import Arguments, ArgumentTable, Memberships
    from fgac.persistence import load_model, save_model
    from fgac.selection.classifier_cv import FGAClassifierCV
    from fgac.selection.gamma_path import GammaPath, path
    from fgac.selection.regressor_cv import FGARegressorCV

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
    "FGARegressor",
    "FGARegressorCV",
    "FRNNClassifier",
    "GammaPath",
    "Memberships",
    "audit",
    "granular_approximation",
    "load_model",
    "path",
    "save_model",
]
__version__ = "0.1.0"

_HOME = {
    "FGAClassifier": "fgac.estimators.classifier",
    "FGAClassifierCV": "fgac.selection.classifier_cv",
    "FGAOrdinalClassifier": "fgac.estimators.ordinal",
    "AtLeast": "fgac.estimators.ordinal",
    "FGARegressor": "fgac.estimators.regressor",
    "FGARegressorCV": "fgac.selection.regressor_cv",
    "Arguments": "fgac.granular.membership",
    "ArgumentTable": "fgac.granular.membership",
    "Memberships": "fgac.granular.membership",
    "FRNNClassifier": "fgac.estimators.frnn",
    "granular_approximation": "fgac.granular.approximation",
    "Audit": "fgac.explanation.audit",
    "audit": "fgac.explainers.audit",
    "Explanation": "fgac.explanation.classification",
    "Explanations": "fgac.explanation.classification",
    "GammaPath": "fgac.selection.gamma_path",
    "path": "fgac.selection.gamma_path",
    "load_model": "fgac.persistence",
    "save_model": "fgac.persistence",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'fgac' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
