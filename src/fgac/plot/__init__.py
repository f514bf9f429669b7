"""Pictures of a model and its predictions, as scikit-learn Displays.

Every Display is made by ``from_estimator`` (some also from explanations or predictions), draws at once, keeps what
it drew as attributes (``ax_`` or ``axes_``, ``figure_`` and the artists) and can be drawn again by ``plot``. They need
matplotlib: ``pip install 'fgac[plot]'``. Every kind of eye can tell the colours apart, and nothing is
shown by colour alone.

>>> from fgac import plot
>>> plot.__all__  # doctest: +NORMALIZE_WHITESPACE
['ArgumentDisplay', 'ConsistencyDisplay', 'CoverageDisplay', 'DecisionSpaceDisplay', 'GammaDisplay',
 'MembershipDisplay', 'NumberLineDisplay', 'PartialDependenceDisplay', 'RegressionDisplay', 'ResidualsDisplay',
 'WeightsDisplay']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fgac.plot.argument import ArgumentDisplay
    from fgac.plot.consistency import ConsistencyDisplay
    from fgac.plot.coverage import CoverageDisplay
    from fgac.plot.decision_space import DecisionSpaceDisplay
    from fgac.plot.feature_weights import WeightsDisplay
    from fgac.plot.gamma import GammaDisplay
    from fgac.plot.membership import MembershipDisplay
    from fgac.plot.number_line import NumberLineDisplay
    from fgac.plot.partial_dependence import PartialDependenceDisplay
    from fgac.plot.regression import RegressionDisplay
    from fgac.plot.residuals import ResidualsDisplay


__all__ = [
    "ArgumentDisplay",
    "ConsistencyDisplay",
    "CoverageDisplay",
    "DecisionSpaceDisplay",
    "GammaDisplay",
    "MembershipDisplay",
    "NumberLineDisplay",
    "PartialDependenceDisplay",
    "RegressionDisplay",
    "ResidualsDisplay",
    "WeightsDisplay",
]

# Where the displays are, so that importing this package loads neither matplotlib nor scikit-learn.
_HOME = {
    "ArgumentDisplay": "fgac.plot.argument",
    "ConsistencyDisplay": "fgac.plot.consistency",
    "CoverageDisplay": "fgac.plot.coverage",
    "DecisionSpaceDisplay": "fgac.plot.decision_space",
    "GammaDisplay": "fgac.plot.gamma",
    "MembershipDisplay": "fgac.plot.membership",
    "NumberLineDisplay": "fgac.plot.number_line",
    "PartialDependenceDisplay": "fgac.plot.partial_dependence",
    "RegressionDisplay": "fgac.plot.regression",
    "ResidualsDisplay": "fgac.plot.residuals",
    "WeightsDisplay": "fgac.plot.feature_weights",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'fgac.plot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
