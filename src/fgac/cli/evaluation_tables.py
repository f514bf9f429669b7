"""Scores of an evaluation as tables: what ``fgac evaluate`` prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from fgac.selection.scores import ScoreInterval


OURS = "fuzzy granular approximation (FGAC)"
THEIRS = "5 nearest neighbours, same distances"
LEAD = "FGAC minus 5 nearest neighbours"


def score_table(heading: str, *rows: tuple[str, str, str]) -> Table:
    """Means and intervals of some methods."""
    from fgac.cli.console import plain_table

    table = plain_table(heading, "mean", "95 % interval", right=("mean", "95 % interval"))
    for row in rows:
        table.add_row(*row)
    return table


def interval_cells(interval: ScoreInterval, form: str = ".3f") -> tuple[str, str]:
    """The mean and the interval as two cells."""
    # Adding 0 after rounding makes -0.000 a plain zero.
    numbers = (interval.mean, interval.low, interval.high)
    mean, low, high = (f"{float(f'{x:{form}}') + 0.0:{form}}" for x in numbers)
    return mean, f"{low} to {high}"


def four_digits(size: float) -> str:
    """A format that shows numbers of some size with four digits.

    >>> [f"{0.5 * size:{four_digits(size)}}" for size in (47000.0, 1.5, 0.02, 3e-9)]
    ['23500', '0.750', '0.01000', '1.5e-09']
    """
    decimals = 3 - math.floor(math.log10(size)) if size else 3
    return f".{max(0, decimals)}f" if -6 <= decimals <= 6 else ".4g"


def argued(share: float | None, strength: float | None, rows: str) -> str:
    """For how many predictions there is an argument, and how strong the strongest is in the median.

    >>> argued(0.998, 0.64, "test rows")
    '99.8 % of the predictions for test rows, the strongest argument 0.64 strong in the median; the rest are guesses'
    >>> argued(1.0, 0.64, "test rows")
    'all predictions for test rows, the strongest argument 0.64 strong in the median'
    """
    if share is None or strength is None:
        return ""
    of = f"{floor_percent(share)} % of the predictions" if share < 1 else "all predictions"
    rest = "; the rest are guesses" if share < 1 else ""
    return f"{of} for {rows}, the strongest argument {strength:.2f} strong in the median{rest}"


def floor_percent(share: float) -> str:
    """A share in percent with one decimal, never rounded up to 100.

    >>> floor_percent(0.99999), floor_percent(0.5)
    ('99.9', '50.0')
    """
    return f"{math.floor(1000 * share) / 10:.1f}"
