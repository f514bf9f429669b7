"""Targets of regression: checked, and between the user's scale and the one from 0 to 1 on which they are fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.tables.columns import weighted_percentile
from fgac.tables.containers import can, one_target
from fgac.tables.frames import is_frame, labels_of
from fgac.tables.labels import is_missing

# Bounds of rows that are far from everything lie up to 1e15 ranges away, and must be finite.
WIDEST = 2.0**900
TARGET_SCALES = ("range", "robust")
# A scale of which targets lie more multiples away is none: their range is taken in its place.
FARTHEST = 1e12
# Between these percentiles lie the usual targets.
USUAL = (5.0, 95.0)
# Targets that are more than this many scales away from the usual ones are learned as if they were that far away: of
# normal targets one in 10**30, of log-normal ones (sigma 1) one in 700.
REACH = 3.0


@dataclass(frozen=True)
class TargetScale:
    """Targets from ``low`` to ``low + width`` as numbers from 0 to 1, the scale to which gamma refers.

    These are the smallest and the largest target, or the ends of the usual ones: then a few targets that are far off
    do not make all others seem equal.

    >>> scale = TargetScale.of(np.array([20.0, 25.0, 60.0]))
    >>> scale.to_unit_scale(np.array([25.0, 60.0])), scale.to_user_scale(0.5)
    (array([0.125, 1.   ]), 40.0)
    """

    low: float
    width: float
    is_constant: bool

    @classmethod
    def of(cls, targets: Floats) -> TargetScale:
        """The scale of some targets; where all are equal, any width will do."""
        low, high = float(targets.min()), float(targets.max())
        width = high - low
        if not width <= WIDEST:
            raise ValueError(
                f"y ranges from {low} to {high}, more than a float can hold of numbers far outside of that range; give "
                "it in another unit"
            )
        # The width divides, so it must not be 0; is_constant remembers that the targets have no range.
        return cls(low, width or 1.0, width == 0)

    @classmethod
    def chosen(cls, scale: Any, targets: Floats, weight: Floats) -> TargetScale:
        """The scale that ``target_scale`` asks for: "range", "robust", or its ends.

        >>> TargetScale.chosen("robust", np.append(np.arange(99.0), 1e6), np.ones(100))
        TargetScale(low=4.5, width=90.0, is_constant=False)
        """
        whole = cls.of(targets)
        if isinstance(scale, str) and scale == "range":
            return whole
        ends = weighted_percentile(targets, np.array(USUAL), weight) if isinstance(scale, str) else scale
        low, high = (float(end) for end in ends)
        # Most targets may be equal, or next to it beside the others.
        is_scale = max(whole.width, abs(low - whole.low)) <= FARTHEST * (high - low)
        return cls(low, high - low, False) if is_scale and not whole.is_constant else whole

    @property
    def ends(self) -> tuple[float, float]:
        """The numbers that are 0 and 1 on the scale."""
        return self.low, self.low + self.width

    def near(self, targets: Floats) -> Floats:
        """Targets as they are learned, those that are far off moved to the nearest place that is not."""
        low, high = self.ends
        return np.clip(targets, low - REACH * self.width, high + REACH * self.width)

    @property
    def span(self) -> float:
        """The range of the targets: the width, or 0 where all are equal."""
        return 0.0 if self.is_constant else self.width

    def to_unit_scale(self, targets: Floats) -> Floats:
        """Targets on the scale from 0 to 1."""
        return (targets - self.low) / self.width

    def to_user_scale(self, values: Any) -> Any:
        """Values on the user's scale."""
        return self.low + self.span * values


def check_targets(y: Any, n: int) -> Floats:
    """One finite number per row.

    >>> check_targets([1, 2, 3], 3)
    array([1., 2., 3.])
    """
    from sklearn.utils.validation import column_or_1d

    values = column_or_1d(one_target(y), warn=True)
    if len(values) != n:
        raise ValueError(f"X has {n} rows and y has {len(values)} targets; expected one number per row")
    if values.dtype.kind == "O" and any(map(is_missing, values.tolist())):
        raise ValueError("Input y contains NaN or other missing values; leave these rows out")
    # NumPy would turn dates into numbers of some unit or other without a word.
    if values.dtype.kind in "mM":
        raise ValueError(f"y holds values of type {values.dtype}; expected numbers: convert them first")
    try:
        targets = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y holds values that are no numbers ({error}); a regressor needs numbers: convert them, or use "
            "FGAClassifier to predict classes"
        ) from error
    if not np.isfinite(targets).all():
        raise ValueError("Input y contains NaN or infinity; leave these rows out")
    return targets


def target_name(y: Any, features: Any = None) -> str | None:
    """What is predicted: the name of a column, or of the one column of a frame; None if it has none that is a text.

    The name of one of the features is not that of the target: pandas calls what was computed from a column like it.

    >>> target_name([1, 2, 3]) is None
    True
    >>> import polars as pl
    >>> target_name(pl.Series("rent", [812.0])), target_name(pl.DataFrame({"rent": [812.0]}))
    ('rent', 'rent')
    """
    if can(y, "to_native"):  # what narwhals wraps
        y = y.to_native()
    if is_frame(y):
        labels = labels_of(y)
        name = labels[0] if len(labels) == 1 else None
    else:
        name = getattr(y, "name", None) if hasattr(type(y), "__len__") else None
    # pandas numbers columns that nobody named, and polars calls them "".
    if not isinstance(name, str) or not name.strip():
        return None
    return None if features is not None and name in list(features) else name
