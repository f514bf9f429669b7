"""What a model predicted of every training row without having seen it, kept once gamma is chosen.

Predictions of the chosen gamma are at hand: every fold has judged the rows that it held out. Audits of targets use
them.
"""

from __future__ import annotations

import numpy as np

from fgac._typing import Floats
from fgac.selection.choice import GammaChoice
from fgac.selection.class_calibration import held_out_once
from fgac.selection.folds import Material


def held_out_numbers(material: Material, choice: GammaChoice) -> Floats | None:
    """One number per row, nan of rows without weight; None unless folds held out every other row exactly once."""
    weight = np.ones(len(material.y)) if material.weight is None else material.weight
    if not held_out_once(material.splits, weight > 0):
        return None
    found = np.full(len(weight), np.nan)
    for (_, test), numbers in zip(material.splits, choice.numbers, strict=True):
        found[test] = numbers
    return np.where(weight > 0, found, np.nan)
