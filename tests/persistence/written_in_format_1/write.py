"""How the files of this folder were written, in version 1 of the format: ``python write.py FOLDER``.

The first format knows no origin of a column: numbers were divided by the scale as they were. All numbers here are
sums of few powers of two and the metrics only add and compare, so that every processor computes the same to the last
bit. Beside every file stands what its model gave for new rows. The files are never written again.
"""

import json
import sys
from pathlib import Path

import pandas as pd

from fgac import FGAClassifier, FGARegressor, save_model

TABLE = pd.DataFrame(
    {
        "length": [101.0, 103.5, 104.0, 107.25, 109.0, 101.5],
        "depth": [-2.0, 0.5, 6.0, 1.0, 0.25, -1.5],
        "colour": ["red", "blue", "red", "green", "blue", "green"],
    }
)
KINDS = ["a", "b", "a", "b", "b", "a"]
PRICES = [8.0, 10.0, 16.0, 24.0, 40.0, 9.0]
NEW = pd.DataFrame(
    {"length": [100.0, 104.5, 112.0], "depth": [0.0, 3.25, -4.0], "colour": ["blue", "violet", "red"]},
)
MODELS = {
    "classes": (FGAClassifier(gamma=1.0, metric="chebyshev", feature_weights=[1.0, 2.0, 0.5]), KINDS),
    "numbers": (FGARegressor(gamma=1.0, metric="manhattan", scale=None, monotonic_cst={"length": 1}), PRICES),
}
METHODS = {"classes": ["predict", "predict_proba", "memberships"], "numbers": ["predict", "predict_bounds"]}


def plain(result):
    """Return an array, or a tuple of arrays, as lists."""
    return [part.tolist() for part in result] if isinstance(result, tuple) else result.tolist()


if __name__ == "__main__":
    for name, (model, target) in MODELS.items():
        model.fit(TABLE, target)
        save_model(model, Path(sys.argv[1], f"{name}.fgac"))
        results = {method: plain(getattr(model, method)(NEW)) for method in METHODS[name]}
        Path(sys.argv[1], f"{name}.json").write_text(json.dumps({"X": NEW.to_dict("list"), "results": results}) + "\n")
