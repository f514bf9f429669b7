"""How often predictions like one were right, among rows that the model had not seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reliability:
    """How often held-out predictions of about the same confidence were right.

    Attributes
    ----------
    probability : float
        The calibrated probability that the prediction is right.
    n_cases, n_right : int
        Number of held-out predictions that were about as probable, and of those that were right.

    >>> Reliability(0.9, 40, 37).right_of_100
    92
    """

    probability: float
    n_cases: int
    n_right: int

    @property
    def right_of_100(self) -> int:
        """The same of 100; never 0 or 100 if there was one of the other kind."""
        of_100 = round(100 * self.n_right / self.n_cases)
        return max(min(1, self.n_right), min(of_100, 100 - min(1, self.n_cases - self.n_right)))
