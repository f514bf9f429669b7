"""Choosing gamma by cross-validation: the part of an estimator that is the same for all kinds of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from fgac._renamed import warn_renamed
from fgac._tolerances import SCORE_TOL
from fgac._typing import Floats, Ints
from fgac._warnings import MANY_CLASSES, NUMBERS_AS_CLASSES, already_warned
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import FittedState, state_of
from fgac.explanation.held_out import HeldOut
from fgac.selection.choice import GammaChoice, best_gamma, check_gammas, score_name
from fgac.selection.default_folds import N_FOLDS, default_folds
from fgac.selection.edges import best_within
from fgac.selection.folds import Fold, Material, Part
from fgac.selection.grid import GridScores, Progress, Scoring, score_gammas
from fgac.selection.held_out import HeldOutScore
from fgac.selection.search_parts import (
    finite,
    n_groups_held_out,
    n_held_out,
    positions,
    progress_line,
    takes_weights,
)
from fgac.tables.containers import as_vector
from fgac.tables.frames import is_frame
from fgac.tables.groups import check_groups, warn_of_parted_groups
from fgac.tables.reading import ReadTable
from fgac.tables.repeated_identifiers import warn_of_repeated_identifiers
from fgac.tables.targets import target_name
from fgac.tables.validation import check_count, check_distances, check_sample_weight, check_several_classes

# Parameters of the search, not of the model.
SEARCH = ("gammas", "cv", "scoring", "max_rows", "calibrate")


class GammaSearch:
    """The part of an estimator that has ``gammas``, ``cv`` and ``scoring`` instead of ``gamma``.

    A subclass names the plain estimator whose gamma is chosen in ``_PLAIN``, the gammas it tries by default in
    ``_GAMMAS``, what the default score is called in ``_SCORE_NAME``, checks what is to be predicted in
    ``_check_target``, trains on a fold in ``_fold``, and scores predictions in ``_held_out_score`` where it can do so
    without scikit-learn's ceremony.
    """

    _PLAIN: ClassVar[Any]
    _GAMMAS: ClassVar[tuple[float, ...]]
    _SCORE_NAME: ClassVar[str]
    # By what the default score is multiplied where it is told: -1 if it is minus what its name says.
    _SCORE_SIGN: ClassVar[int] = 1
    # Whether gammas beyond those of ours are tried where the best is at their end.
    _LOOKS_FURTHER: ClassVar[bool] = False

    gammas: Any
    cv: Any
    scoring: Any
    max_rows: int | None
    _choice: GammaChoice

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, ids: Any = None, groups: Any = None, **params: Any
    ) -> Self:
        """Choose gamma, and fit to all rows with it.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
        y : array of shape (n_samples,)
            Classes, or numbers for a regressor.
        sample_weight : array of shape (n_samples,), optional
            A row of weight 2 counts as if it stood there twice, a row of weight 0 as if it were absent.
        ids : array of shape (n_samples,), optional
            What rows are called in explanations; by default the index of a pandas frame, or their positions.
        groups : array of shape (n_samples,), optional
            What rows belong together, such as those of one person: they are on the same side of every fold, so that
            scores, and all that is learned from rows held out, are of new groups. A splitter is handed them. If groups
            are a column of a table, that should be no column of X: nothing is known about a new group by its name.
        **params : dict
            Parameters of the splitter and the scorer, if metadata routing is enabled.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, ids, groups, params)

    def _fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        ids: Any,
        groups: Any,
        params: dict[str, Any],
        on_progress: Progress | None = None,
    ) -> Self:
        """The same, telling how far it is."""
        gammas = self._check_gammas()
        plain = self._plain(self._GAMMAS[0] if gammas is None else gammas[0])
        plain._check_parameters()
        if self.max_rows is not None:
            check_count("max_rows", self.max_rows)
        routed, material = self._prepare_search(plain, X, y, sample_weight, ids, groups, params)
        on_progress = on_progress or (progress_line(material) if plain.verbose > 0 else None)
        with already_warned(MANY_CLASSES, NUMBERS_AS_CLASSES):  # above, of all rows
            choice = self._choose(
                self._for_folds(plain, y, material), gammas, material, routed.scorer.score, on_progress
            )
            plain.gamma = choice.gamma
            state = self._calibrated(plain, self._learned(plain, X, y, sample_weight, ids), material, choice)
        state = replace(state, selection=self._summary(choice, material))
        self._choice = choice
        self._set_state(state)  # type: ignore[attr-defined]
        return self

    def _prepare_search(
        self, plain: Any, X: Any, y: Any, sample_weight: Any, ids: Any, groups: Any, params: dict[str, Any]
    ) -> tuple[Bunch, Material]:
        """Check what was given, and cut it into folds; also what to tell the splitter and the scorer."""
        table, header = plain._check_training_table(X, y)
        if plain.metric == "precomputed":
            check_distances(table, square=True)
        target = self._check_target(y, len(table))
        weight = None if sample_weight is None else check_sample_weight(sample_weight, len(table))
        if is_classifier(self):
            check_several_classes(target, weight, target_name(y))
        together = None if groups is None else check_groups(groups, len(table), weight)
        routed = self._routed(params, weight, None if groups is None else np.asarray(as_vector(groups, "groups")))
        read = table if plain.metric == "precomputed" else ReadTable.of(table, plain.categorical_features)
        if groups is None and self._has_default_folds and is_frame(table):
            warn_of_repeated_identifiers(X, read, ids, plain.categorical_features, weight)
        splits = self._splits(table, read, target, weight, together, routed)
        self._check_splits(splits, len(table))
        return routed, Material(table, header, target, weight, splits, read, together)

    def _choose(
        self,
        plain: Any,
        gammas: Floats | None,
        material: Material,
        score_params: dict[str, Any],
        on_progress: Progress | None,
    ) -> GammaChoice:
        """Score all gammas on all folds, and take the best."""
        assert gammas is not None
        scoring = self._scoring(plain, material, score_params)

        def score(gammas: Floats) -> GridScores:
            return score_gammas(plain, self._fold, material, gammas, scoring, on_progress)

        if self._LOOKS_FURTHER:
            return best_within(gammas, score, self._slack, goes_on=self.gammas is None)
        return best_gamma(gammas, score(gammas), self._slack)

    @property
    def _slack(self) -> float:
        """Mean scores that differ by no more are the same score; a grid search takes rounding for a difference.

        Default scores are means of fractions, whose last digits depend on the order of adding.
        """
        return SCORE_TOL if self.scoring is None else 0.0

    def _summary(self, choice: GammaChoice, material: Material) -> HeldOut:
        """How gamma was chosen, for the model to remember."""
        default = self.scoring is None
        return HeldOut(
            score_name=self._SCORE_NAME if default else score_name(self.scoring),
            score=finite(choice.best_score * (self._SCORE_SIGN if default else 1)),
            n_folds=choice.n_splits,
            n_rows=n_held_out(material),
            argued_share=choice.argued_share,
            median_strength=choice.median_strength,
            n_groups=n_groups_held_out(material),
        )

    # ------------------------------------------------------------------------------------------------
    # What kinds of models supply
    # ------------------------------------------------------------------------------------------------

    def _check_gammas(self) -> Floats | None:
        """The gammas to try, in the order given; None if there is no list of them."""
        return check_gammas(self.gammas, self._GAMMAS)

    def _check_target(self, y: Any, n: int) -> Any:
        """What is to be predicted, one per row."""
        raise NotImplementedError

    def _check_splits(self, splits: Sequence[tuple[Ints, Ints]], n: int) -> None:
        """Refuse folds on which the score makes no sense."""

    def _fold(self, plain: Any, part: Part) -> Fold:
        """Read the rows of one fold."""
        raise NotImplementedError

    def _for_folds(self, plain: Any, y: Any, material: Material) -> Any:
        """The settings of models that are trained on folds: with arrays for targets, and what all rows have decided."""
        return plain

    def _held_out_score(self, plain: Any, material: Material) -> HeldOutScore | None:
        """The function behind ``scoring``, see :mod:`~fgac.selection.held_out`; None if that needs a model."""
        return None

    def _learned(self, plain: Any, X: Any, y: Any, sample_weight: Any, ids: Any) -> FittedState:
        """What the chosen model learns from all rows."""
        state: FittedState = plain._learn(X, y, sample_weight, ids)
        return state

    def _calibrated(self, plain: Any, state: Any, material: Material, choice: GammaChoice) -> FittedState:
        """What else is learned from rows held out, once gamma is chosen."""
        return state

    # ------------------------------------------------------------------------------------------------
    # The choice
    # ------------------------------------------------------------------------------------------------

    @property
    def gamma(self) -> float:
        """The gamma that was chosen."""
        return self.gamma_

    @property
    def gamma_(self) -> float:
        """The gamma that was chosen."""
        check_is_fitted(self)
        return self._choice.gamma

    @property
    def best_score_(self) -> float:
        """The mean score of the chosen gamma."""
        check_is_fitted(self)
        return self._choice.best_score

    @property
    def cv_results_(self) -> dict[str, Any]:
        """Scores of all gammas on all folds, as of scikit-learn's GridSearchCV."""
        check_is_fitted(self)
        return self._choice.cv_results

    @property
    def n_splits_(self) -> int:
        """Number of folds."""
        check_is_fitted(self)
        return self._choice.n_splits

    @property
    def best_estimator_(self) -> Any:
        """The plain estimator with the chosen gamma, fitted to all rows; it shares its arrays with this one."""
        check_is_fitted(self)
        return plain_estimator(state_of(self))

    def chosen(self) -> Any:
        """The old name of ``best_estimator_``.

        Returns
        -------
        FGAClassifier, FGAOrdinalClassifier or FGARegressor
        """
        warn_renamed("chosen()")
        return self.best_estimator_

    # ------------------------------------------------------------------------------------------------
    # Splitters and scorers of scikit-learn
    # ------------------------------------------------------------------------------------------------

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
        parameters: dict[str, Any] = self.get_params(deep=False)  # type: ignore[attr-defined]
        return self._PLAIN(gamma=gamma, **{name: value for name, value in parameters.items() if name not in SEARCH})

    def _plain_params(self) -> dict[str, Any]:
        params: dict[str, Any] = self._plain(self.gamma_).get_params(deep=False)
        return params

    def _scoring(self, plain: Any, material: Material, params: dict[str, Any]) -> Scoring:
        """How predictions of rows held out become one number."""
        score = self._held_out_score(plain, material)
        scorer = self._scorer() if score is None else None
        return Scoring(score, scorer, params, sees_all=callable(self.scoring))

    def _scorer(self) -> Any:
        """A function that makes one number of an estimator, a table and what it should predict."""
        if not (self.scoring is None or isinstance(self.scoring, str) or callable(self.scoring)):
            raise ValueError(f"scoring={self.scoring!r} must be a name, a function scorer(estimator, X, y) or None")
        return check_scoring(self._plain(1.0), scoring=self.scoring)

    def _routed(self, params: dict[str, Any], weight: Floats | None, groups: Any) -> Bunch:
        """What to tell the splitter and the scorer."""
        weights = {} if weight is None else {"sample_weight": weight}
        together = {} if groups is None else {"groups": groups}
        if get_config()["enable_metadata_routing"]:
            # Folds of our own need no routing, and not every splitter asks for groups.
            if self.get_metadata_routing().consumes("fit", together):
                params = params | together
            routed = process_routing(self, "fit", **params, **weights)
            scorer = routed.scorer if self.scoring is not None else Bunch(score=weights)
            return Bunch(splitter=routed.splitter, scorer=scorer)
        if params:
            raise ValueError(
                f"fit got {', '.join(map(repr, params))}; parameters of the splitter and the scorer are passed on if "
                "metadata routing is enabled: sklearn.set_config(enable_metadata_routing=True)"
            )
        weights = weights if takes_weights(self._scorer()) else {}
        return Bunch(splitter=Bunch(split=together), scorer=Bunch(score=weights))

    def _splits(
        self, X: Any, read: Any, y: Any, weight: Floats | None, groups: Ints | None, routed: Bunch
    ) -> list[tuple[Ints, Ints]]:
        """Positions of the rows to train on and to judge, of every fold."""
        if self._has_default_folds:
            return self._default_folds(read, y, weight, self.max_rows, groups)
        splitter = check_cv(self.cv, y, classifier=is_classifier(self))
        parts = splitter.split(X, y, **routed.splitter.split)
        splits = [(positions(train), positions(test)) for train, test in parts]
        if groups is not None:
            warn_of_parted_groups(splits, groups)
        return splits

    @property
    def _has_default_folds(self) -> bool:
        """Whether the caller leaves the folds to us, or says no more than how many there are to be."""
        return self.cv is None or (isinstance(self.cv, int | np.integer) and not isinstance(self.cv, bool))

    def _default_folds(
        self, read: Any, y: Any, weight: Floats | None, max_rows: int | None, groups: Ints | None
    ) -> list[tuple[Ints, Ints]]:
        n_folds = N_FOLDS if self.cv is None else int(self.cv)
        if n_folds < 2:
            raise ValueError(
                f"cv={self.cv!r} must be at least 2 folds, a splitter, splits, or None for {N_FOLDS} folds"
            )
        how = {"classes": is_classifier(self), "n_folds": n_folds, "max_rows": max_rows}
        return default_folds(read, y, weight, **how, groups=groups)


def fit_search(
    search: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    ids: Any = None,
    groups: Any = None,
    on_progress: Progress | None = None,
) -> Any:
    """Fit a search, as its ``fit`` does, telling a function how many models are done and how many there are."""
    return search._fit(X, y, sample_weight, ids, groups, {}, on_progress)


def with_gamma(estimator: Any, gamma: float) -> Any:
    """A copy of an estimator with another gamma, not fitted; of a search, the plain estimator, which chooses none.

    >>> from fgac import FGAClassifier, FGAClassifierCV
    >>> with_gamma(FGAClassifier(ties="first"), 2.0)
    FGAClassifier(gamma=2.0, ties='first')
    >>> with_gamma(FGAClassifierCV(metric="euclidean", class_weight=None), 2.0)
    FGAClassifier(gamma=2.0)
    """
    other = clone(estimator)
    return other._plain(gamma) if isinstance(other, GammaSearch) else other.set_params(gamma=gamma)
