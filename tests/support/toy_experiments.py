"""A toy data set for tests of the experiments' methods."""

import numpy as np
import pandas

from fgac.experiments.datasets.files import DataSet


def toy(seed=0, n=60, n_classes=3):
    """A small data set with two numbers, a nominal column and classes of unequal size."""
    random = np.random.default_rng(seed)
    y = np.sort(np.append(np.repeat(np.arange(n_classes), 8), random.integers(0, 2, n - 8 * n_classes)))
    frame = pandas.DataFrame(
        {
            "a": random.normal(size=n) + 5.0 * y,
            "b": 10.0 * random.normal(size=n),
            "hue": pandas.Categorical.from_codes(random.integers(0, 3, n), categories=["blue", "green", "red"]),
        }
    )
    return DataSet("toy", frame, y.astype(np.int64), tuple(f"class {k}" for k in range(n_classes)))
