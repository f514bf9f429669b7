"""Names of types that all layers use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
# A class label, an id or a category as it stands in explanations: what JSON can hold.
Label = str | int | float | bool
