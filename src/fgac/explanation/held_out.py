"""How a model that chose its gamma did on rows held out, as a frozen value beside its explanations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HeldOut:
    """The cross-validated score of the gamma in use, and what it was measured on.

    Attributes
    ----------
    score_name, score : what was measured, as "balanced_accuracy", and its mean over the folds
    n_folds, n_rows : number of folds, and of rows in them
    argued_share : the share of predictions that had an argument; None if that was not counted
    median_strength : the median strength of their strongest arguments; None if that was not measured
    """

    score_name: str
    score: float
    n_folds: int
    n_rows: int
    argued_share: float | None = None
    median_strength: float | None = None
