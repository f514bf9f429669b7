"""Fuzzy granular approximation classifier: exact, and able to say why.

>>> from fgac import FGAClassifier
>>> FGAClassifier(gamma=2.0)
FGAClassifier(gamma=2.0)

Names are imported when they are first asked for, so that ``import fgac`` alone loads nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fgac.approximation import granular_approximation
    from fgac.auditing import Audit, audit
    from fgac.classifier import FGAClassifier
    from fgac.classifier_cv import FGAClassifierCV
    from fgac.explanation import Explanation, Explanations
    from fgac.files import load_model, save_model
    from fgac.gamma_path import GammaPath, path
    from fgac.membership import Arguments, ArgumentTable, Memberships
    from fgac.neighbours import FRNNClassifier
    from fgac.ordinal import AtLeast, FGAOrdinalClassifier
    from fgac.regressor import FGARegressor
    from fgac.regressor_cv import FGARegressorCV

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
    "FGAClassifier": "fgac.classifier",
    "FGAClassifierCV": "fgac.classifier_cv",
    "FGAOrdinalClassifier": "fgac.ordinal",
    "AtLeast": "fgac.ordinal",
    "FGARegressor": "fgac.regressor",
    "FGARegressorCV": "fgac.regressor_cv",
    "Arguments": "fgac.membership",
    "ArgumentTable": "fgac.membership",
    "Memberships": "fgac.membership",
    "FRNNClassifier": "fgac.neighbours",
    "granular_approximation": "fgac.approximation",
    "Audit": "fgac.auditing",
    "audit": "fgac.auditing",
    "Explanation": "fgac.explanation",
    "Explanations": "fgac.explanation",
    "GammaPath": "fgac.gamma_path",
    "path": "fgac.gamma_path",
    "load_model": "fgac.files",
    "save_model": "fgac.files",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'fgac' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
