"""How a model that chose its gamma did on rows held out, as a frozen value beside its explanations."""

from __future__ import annotations

from dataclasses import dataclass

from fgac._serialize import omit_if_default


@dataclass(frozen=True)
class HeldOut:
    """The cross-validated score of the gamma in use, and what it was measured on.

    Attributes
    ----------
    score_name : str
        What was maximised: "balanced accuracy", "R2", or what the caller named; "classes off" was minimised.
    score : float
        Its mean over the folds, for the gamma that was chosen. By default guesses count as much as guessing would.
    n_folds, n_rows : int
        Number of folds, and of rows that were held out in any of them.
    argued_share : float or None
        Share of the held-out predictions that some training row argues for; the others are guesses.
    median_strength : float or None
        Median over the held-out rows of the strength of the strongest argument, from 0 to 1.
    n_groups : int or None
        Number of groups whose rows belong together: folds held out whole ones, so the score is that of new groups.
        None if rows were held out one by one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = FGAClassifierCV(gammas=[2.0, 5.0], metric="euclidean").fit(X, y)
    >>> held_out = clf.explain(X[:1]).model.selection
    >>> held_out.score_name, held_out.n_folds, held_out.n_rows
    ('balanced accuracy', 5, 150)
    """

    score_name: str
    score: float
    n_folds: int
    n_rows: int
    argued_share: float | None = None
    median_strength: float | None = None
    n_groups: int | None = omit_if_default(None)
