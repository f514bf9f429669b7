"""Training and prediction on a Dask cluster: the same models, of tables that need not fit into one machine.

It needs Dask: ``pip install 'fgac[dask]'``. See docs/scaling.md for what runs where.

>>> from fgac.dask import DaskFGAClassifier, DaskFGAClassifierCV, DaskFGARegressor, predict
"""

from __future__ import annotations

try:
    import dask.dataframe  # noqa: F401
    import distributed  # noqa: F401
except ImportError as error:
    raise ImportError(f"fgac.dask needs Dask ({error}); run: pip install 'fgac[dask]'") from error

from fgac.dask.classifier import DaskFGAClassifier
from fgac.dask.classifier_cv import DaskFGAClassifierCV
from fgac.dask.prediction import predict
from fgac.dask.regressor import DaskFGARegressor

__all__ = ["DaskFGAClassifier", "DaskFGAClassifierCV", "DaskFGARegressor", "predict"]
