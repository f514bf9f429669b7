"""How the model files of this folder were written, with version 0.1.0 of the package: ``python write.py FOLDER``.

Beside every file stands what its model gave for a few new rows. Later versions must read the files and give the same;
a file is never written again, not even by the version that wrote it.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, load_model, save_model

random = np.random.default_rng(1)
WIDTH, HEIGHT = random.normal(size=(2, 9)).round(2)
COLOUR = ["red", "green", "blue"] * 3
NUMBERS = pd.DataFrame({"width": WIDTH, "height": HEIGHT})
MIXED = NUMBERS.assign(colour=COLOUR)
TWO = np.where(WIDTH + 0.4 * HEIGHT > 0.2, "large", "small")
THREE = np.where(HEIGHT > 0.5, "tall", np.where(WIDTH > 0.2, "wide", "little"))
GRADES = np.array(["poor", "fair", "good"])[np.digitize(WIDTH + 0.5 * HEIGHT, [-0.2, 0.6])]
PRICES = (10 + 3 * WIDTH - 2 * HEIGHT + (np.arange(9) % 3)).round(1)
IDS = [f"row {i}" for i in range(9)]

NEW = pd.DataFrame({"width": [-1.5, 0.1, 2.5], "height": [0.3, -0.6, 0.0], "colour": ["red", "violet", "green"]})

MODELS: dict[str, tuple[Any, Any, Any]] = {
    "two_classes": (FGAClassifier(gamma=2.0), NUMBERS, TWO),
    "three_classes": (FGAClassifier(gamma=1.5, metric="manhattan", class_weight="balanced"), NUMBERS, THREE),
    "categorical": (FGAClassifier(feature_weights=[1.0, 2.0, 0.5], scale="rank"), MIXED, THREE),
    "isomorphism": (FGAClassifier(gamma=2.0, isomorphism=2.0), NUMBERS.to_numpy(), TWO),
    "owa": (FGAClassifier(gamma=2.0, owa=("additive", 3), loss="absolute_error"), NUMBERS, THREE),
    "ordinal": (FGAOrdinalClassifier(class_order=["poor", "fair", "good"]), MIXED, GRADES),
    "monotone": (FGAClassifier(gamma=2.0, monotonic_cst={"width": 1, "height": 1}), NUMBERS, TWO),
    "interval": (FGARegressor(gamma=2.0, interval=0.8), MIXED, PRICES),
    "without_values": (FGARegressor(gamma=1.0, metric="chebyshev"), NUMBERS, PRICES),
}
# By the names that the methods have today.
RESULTS = {
    FGAClassifier: {"predict": "predict", "predict_proba": "predict_proba", "memberships": "memberships"},
    FGAOrdinalClassifier: {"predict": "predict", "predict_proba": "predict_proba", "at_least": "at_least"},
    FGARegressor: {"predict": "predict", "predict_bounds": "envelope", "predict_interval": "predict_interval"},
}


def plain(result: Any) -> Any:
    """An array, or a tuple of arrays, as lists."""
    return [part.tolist() for part in result] if isinstance(result, tuple) else result.tolist()


def write(folder: Path, name: str) -> None:
    """One model file, and a JSON file with what the model gives for new rows."""
    estimator, X, y = MODELS[name]
    model = estimator.fit(X, y, ids=IDS)
    notes = {"target": "größe", "written": "by hand"}
    save_model(model, folder / f"{name}.fgac", values=name != "without_values", notes=notes)
    new = NEW[list(X.columns)] if isinstance(X, pd.DataFrame) else NEW[["width", "height"]].to_numpy()
    results = {today: plain(getattr(model, then)(new)) for today, then in RESULTS[type(model)].items()}
    explanations = load_model(folder / f"{name}.fgac").explain(new, n_arguments=2)
    expected = {
        "class": type(model).__name__,
        "X": new.to_dict("list") if isinstance(new, pd.DataFrame) else new.tolist(),
        "notes": notes,
        "results": results,
        "explanations": [explanation.to_dict() for explanation in explanations],
    }
    text = json.dumps(expected, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in MODELS:
        write(Path(sys.argv[1]), name)
