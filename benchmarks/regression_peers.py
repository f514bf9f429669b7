"""The models of ``regression.py``: everyone's defaults.

What a model cannot do itself is done before it, as in ``tables_models.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline

from fgac import FGARegressorCV
from tables_models import encoded, standardised

SUBJECT, FOREST, BOOSTING, EBM, NEIGHBOURS = "FGARegressorCV", "forest", "boosting", "EBM", "kNN"
SHARE = 0.9  # of the targets that intervals are to hold


def ebm() -> Any:
    """An explainable boosting machine, on one core as everyone."""
    from interpret.glassbox import ExplainableBoostingRegressor

    return ExplainableBoostingRegressor(random_state=0, n_jobs=1)


CONTENDERS: dict[str, Callable[[], Any]] = {
    SUBJECT: lambda: FGARegressorCV(interval=SHARE),
    FOREST: lambda: make_pipeline(encoded("passthrough"), RandomForestRegressor(random_state=0)),
    BOOSTING: lambda: HistGradientBoostingRegressor(random_state=0),
    EBM: ebm,
    NEIGHBOURS: lambda: standardised(KNeighborsRegressor()),
    "ridge": lambda: standardised(RidgeCV()),
}
