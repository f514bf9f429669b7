"""Fuzzy granular approximation classifier: exact, and able to say why.

>>> from fgac import FGAClassifier
>>> FGAClassifier(gamma=2.0)
FGAClassifier(gamma=2.0)

Names are imported when they are first asked for, so that ``import fgac`` alone loads nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fgac.classifier import FGAClassifier
    from fgac.membership import Arguments, ArgumentTable, Memberships

__all__ = ["ArgumentTable", "Arguments", "FGAClassifier", "Memberships"]
__version__ = "0.1.0"

_HOME = {
    "FGAClassifier": "fgac.classifier",
    "Arguments": "fgac.membership",
    "ArgumentTable": "fgac.membership",
    "Memberships": "fgac.membership",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'fgac' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
