"""Names that all parts share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Plain = Any

# Numbers may differ by this, relative to the number if that is larger than 1.
TOLERANCE = 1e-12
# A residual below this is rounding.
NOTHING = 1e-9
PROOF = ("largest_violation", "dual_residual", "duality_gap")
EFFORT = ("n_constraints", "n_rounds", "n_pivots")
# What explanations say of training rows; it is asked for on its own.
DOUBTED = ("audit", "contradictions")
PACKAGES = ("fgac", "numpy", "scipy", "scikit-learn", "numba", "joblib", "pandas", "polars", "typer", "rich", "jinja2")
