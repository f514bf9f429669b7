"""Fuzzy granular approximation classifier: exact, and able to say why.

>>> from fgac import FGAClassifier
>>> FGAClassifier(gamma=2.0)
FGAClassifier(gamma=2.0)
"""

from fgac.classifier import FGAClassifier
from fgac.membership import Arguments, ArgumentTable, Memberships

__all__ = ["ArgumentTable", "Arguments", "FGAClassifier", "Memberships"]
__version__ = "0.1.0"
