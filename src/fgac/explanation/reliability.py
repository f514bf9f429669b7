"""How often predictions like one were right, among rows that the model had not seen."""

from __future__ import annotations

from dataclasses import dataclass

# A probability that is further than this from the share that was right is told beside it.
APART = 0.1


@dataclass(frozen=True)
class Reliability:
    """How often held-out predictions of about the same confidence were right.

    These are two numbers. The probability is that of this prediction, by a curve or a model through all rows held out;
    the share that was right is a count over a group of them, in which probabilities are about as large but not the
    same: most of all in the group of the least.

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
    def is_apart(self) -> bool:
        """Whether the probability and the share that was right are so far apart that one does not stand for the other.

        >>> Reliability(0.29, 31, 13).is_apart, Reliability(0.9, 40, 37).is_apart
        (True, False)
        """
        return abs(self.probability - self.n_right / self.n_cases) >= APART

    @property
    def right_of_100(self) -> int:
        """The same of 100; never 0 or 100 if there was one of the other kind."""
        of_100 = round(100 * self.n_right / self.n_cases)
        return max(min(1, self.n_right), min(of_100, 100 - min(1, self.n_cases - self.n_right)))
