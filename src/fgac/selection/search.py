"""Choosing gamma by cross-validation: what does not depend on the kind of model."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats, Ints

# Parameters of the search, not of the model.
SEARCH = ("gammas", "cv", "scoring")
# Attributes that tell of the choice.
CHOSEN = ("gamma_", "best_score_", "cv_results_", "n_splits_")


class GammaSearch:
    """The part of an estimator that has ``gammas``, ``cv`` and ``scoring`` instead of ``gamma``.

    A subclass makes a plain estimator with a gamma in ``_plain``.
    """

    cv: Any
    scoring: Any
    gamma_: float

    @property
    def gamma(self) -> float:
        """The gamma that was chosen."""
        check_is_fitted(self, "gamma_")
        return self.gamma_

    def get_metadata_routing(self) -> MetadataRouter:
        """How metadata are passed on to the splitter and to the scorer.

        Returns
        -------
        MetadataRouter
        """
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(splitter=check_cv(self.cv), method_mapping=MethodMapping().add(caller="fit", callee="split"))
        if self.scoring is not None:
            router.add(scorer=self._scorer(), method_mapping=MethodMapping().add(caller="fit", callee="score"))
        return router

    def _plain(self, gamma: float) -> Any:
        """A plain estimator with the same settings."""
        raise NotImplementedError

    def _plain_settings(self) -> dict[str, Any]:
        """The settings that it shares with a plain estimator."""
        parameters: dict[str, Any] = self.get_params(deep=False)  # type: ignore[attr-defined]
        return {name: value for name, value in parameters.items() if name not in SEARCH}

    def _chosen(self) -> Any:
        """The plain estimator with the chosen gamma, and all that has been learned."""
        plain = self._plain(self.gamma)
        own = {*self._plain_settings(), *SEARCH, *CHOSEN}
        plain.__dict__.update({name: value for name, value in vars(self).items() if name not in own})
        return plain

    def _scorer(self) -> Any:
        """A function that makes one number of an estimator, a table and what it should predict."""
        if not (self.scoring is None or isinstance(self.scoring, str) or callable(self.scoring)):
            raise ValueError(f"scoring={self.scoring!r} must be a name, a function scorer(estimator, X, y) or None")
        return check_scoring(self._plain(1.0), scoring=self.scoring)

    def _routed(self, params: dict[str, Any], weight: Floats | None) -> Bunch:
        """What to tell the splitter and the scorer."""
        weights = {} if weight is None else {"sample_weight": weight}
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **params, **weights)
            return routed if self.scoring is not None else Bunch(**routed, scorer=Bunch(score=weights))
        if params:
            raise ValueError(
                f"fit got {', '.join(map(repr, params))}; parameters of the splitter and the scorer are passed on if "
                "metadata routing is enabled: sklearn.set_config(enable_metadata_routing=True)"
            )
        return Bunch(splitter=Bunch(split={}), scorer=Bunch(score=weights if takes_weights(self._scorer()) else {}))

    def _splits(self, X: Any, y: Any, routed: Bunch) -> list[tuple[Ints, Ints]]:
        """Positions of the rows to train on and to judge, of every fold."""
        splitter = check_cv(self.cv, y, classifier=is_classifier(self))
        return [(positions(train), positions(test)) for train, test in splitter.split(X, y, **routed.splitter.split)]

    def _choose(self, gammas: Floats, scores: Floats, slack: float = 0.0) -> None:
        """Fill the attributes that tell of the choice; ``scores`` has a row per gamma and a column per fold.

        Means that differ by no more than ``slack`` are the same score.
        """
        mean = scores.mean(axis=1)
        if np.isnan(mean).all():
            raise ValueError("the scores of all gammas are nan; choose another scoring, or other folds")
        self.gamma_ = float(gammas[mean >= np.nanmax(mean) - slack].min())
        self.best_score_ = float(np.nanmax(mean))
        self.n_splits_ = scores.shape[1]
        better = (mean[None, :] > mean[:, None] + slack).sum(axis=1)
        rank = 1 + better + np.where(np.isnan(mean), (~np.isnan(mean)).sum(), 0)
        self.cv_results_ = {
            "params": [{"gamma": float(gamma)} for gamma in gammas],
            "param_gamma": gammas,
            **{f"split{i}_test_score": column for i, column in enumerate(scores.T)},
            "mean_test_score": mean,
            "std_test_score": scores.std(axis=1),
            "rank_test_score": rank.astype(np.int32),
        }


def positions(rows: Any) -> Ints:
    """Positions of rows, which a splitter may also give as a mask."""
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer can be given weights of rows."""
    parameters = inspect.signature(scorer).parameters.values()
    return any(p.name == "sample_weight" or p.kind is p.VAR_KEYWORD for p in parameters)
