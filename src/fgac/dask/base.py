"""What the estimators of this package share: a client, a fitted model on its workers, and the ways to ask it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from dask.delayed import delayed
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats
from fgac.dask.assembly import Recipe, predictor, thin, whole, with_ids
from fgac.dask.clients import sent
from fgac.dask.fitting import Cells, ReadParts
from fgac.dask.parts import is_collection
from fgac.dask.prediction import judged
from fgac.solve import Solution

# Rows that weights and scores are learned from; all of them, in a smaller table.
SAMPLE_ROWS = 100_000


@dataclass(frozen=True)
class Fitted:
    """A fitted model on a cluster: how its table is read, its cells, and the solutions, whose nodes go cell by cell."""

    read: ReadParts
    cells: Cells
    recipe: Recipe
    solutions: tuple[Solution, ...]
    values: Floats
    messages: dict[str, int]


class OnCluster(BaseEstimator):
    """An estimator whose training rows stay on the workers of a Dask cluster.

    A subclass makes a :class:`Fitted` in its ``fit``.
    """

    client: Any
    _fitted: Fitted
    _models: dict[str, Any]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_fitted")

    def __sklearn_clone__(self) -> Self:
        """An unfitted copy with the same client, which cannot be copied."""
        return type(self)(**self.get_params(deep=False))

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the parameters but the client. The rows of a fitted model are not here to be pickled."""
        if hasattr(self, "_fitted"):
            raise TypeError(
                f"a fitted {type(self).__name__} has its rows on the workers of a cluster and cannot be pickled; "
                "use to_local(), and pickle or save that"
            )
        state: dict[str, Any] = {**super().__getstate__(), "client": None}
        return state

    def _keep(self, fitted: Fitted) -> None:
        """Become what was learned."""
        self._fitted, self._models = fitted, {}
        self.n_features_in_ = fitted.recipe.header.n_features
        if fitted.recipe.header.names is not None:
            self.feature_names_in_ = fitted.recipe.header.names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    @property
    def solution_(self) -> Solution:
        """The solved problem, with its proof; its nodes go cell by cell."""
        check_is_fitted(self)
        return self._fitted.solutions[0]

    @property
    def feature_weights_(self) -> Floats:
        """How much a difference in each column counts, learned or as given."""
        check_is_fitted(self)
        return np.array([column.weight for column in self._fitted.recipe.table.columns])

    @property
    def messages_(self) -> dict[str, int]:
        """How many values were sent, and violated pairs received, by all rounds of training together."""
        check_is_fitted(self)
        return self._fitted.messages

    def to_local(self) -> Any:
        """The plain fitted estimator, as a fit in memory makes it: its rows, their ids, and their values are here.

        The partitions are read again. It can be saved, audited and asked everything that a local model can.
        """
        check_is_fitted(self)
        fitted, client = self._fitted, self._fitted.read.client
        blocks = client.gather(client.compute(self._blocks()))
        cells, members = client.gather([fitted.cells.cells, fitted.cells.members])
        return whole(fitted.recipe, blocks, cells, members, fitted.solutions)

    def explain(self, X: Any, **settings: Any) -> Any:
        """Explain predictions of a few rows, at once, as the local estimator does.

        A worker puts the model together for that, of all training rows with their cells; it must have room for them.

        Parameters
        ----------
        X : frame, array, or collection of Dask
            Few rows: they are computed.
        **settings
            As of :meth:`fgac.FGAClassifier.explain` or :meth:`fgac.FGARegressor.explain`.

        Returns
        -------
        Explanations
        """
        check_is_fitted(self)
        client = self._fitted.read.client
        X = X.compute() if is_collection(X) else X
        return client.submit(_explain, self._whole_model(), X, settings, pure=False).result()

    def _blocks(self) -> list[Any]:
        read = self._fitted.read
        parts = zip(read.blocks, read.groups, read.firsts, strict=True)
        return [delayed(with_ids)(block, group[0], first) for block, group, first in parts]

    def _whole_model(self) -> Any:
        """The future of the whole model on some worker."""
        if "whole" not in self._models:
            fitted, client = self._fitted, self._fitted.read.client
            solutions = sent(client, [fitted.solutions])[0]
            blocks = client.compute(self._blocks())
            self._models["whole"] = client.submit(
                whole, fitted.recipe, blocks, fitted.cells.cells, fitted.cells.members, solutions, pure=False
            )
        return self._models["whole"]

    def _model(self) -> Any:
        """The model that predicts, as one delayed value: it is put together on a worker, and goes to the others."""
        if "model" not in self._models:
            fitted, client = self._fitted, self._fitted.read.client
            solutions = sent(client, [tuple(map(thin, fitted.solutions))])[0]
            self._models["model"] = client.submit(predictor, fitted.recipe, fitted.cells.cells, solutions, pure=False)
        return delayed(self._models["model"])

    def _judged(self, X: Any, method: str, nothing: Any, classes: Any = None) -> Any:
        return judged(self._model(), X, method, nothing, classes)

    def _of_rows(self, values: Floats) -> Floats:
        """Values of nodes at the places of their training rows."""
        fitted = self._fitted
        found = np.full(fitted.read.n_rows, np.nan)
        for member, part in zip(fitted.cells.members, fitted.cells.split(values), strict=True):
            positions, nodes = member.result()
            found[positions] = part[nodes]
        return found


def _explain(model: Any, X: Any, settings: dict[str, Any]) -> Any:
    return model.explain(X, **settings)


def plain_parameters(estimator: BaseEstimator, plain: type) -> dict[str, Any]:
    """The parameters that an estimator shares with a local one."""
    own, names = estimator.get_params(deep=False), plain().get_params(deep=False)
    return {name: own[name] for name in own if name in names}
