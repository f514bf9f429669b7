"""Draw the pictures of docs/pictures.md.

    python examples/pictures.py [FOLDER]        (default: docs/images)

Needs matplotlib: pip install 'fgac[plot]'.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.model_selection import train_test_split

from fgac import FGAClassifier
from fgac.plot import ArgumentDisplay, ConsistencyDisplay, DecisionSpaceDisplay, GammaDisplay, MembershipDisplay

OUTPUT = Path(__file__).parents[1] / "docs" / "images"


def named(load):
    """A table and the names of its classes."""
    data = load(as_frame=True)
    return data.data, data.target_names[data.target]


def tumours():
    """A model of the breast cancer data, and the rows it has not seen."""
    X_train, X_test, y_train, y_test = train_test_split(*named(load_breast_cancer), random_state=0)
    return FGAClassifier(gamma=3.0).fit(X_train, y_train), X_test, y_test


def arguments():
    """One doubtful prediction: the one nearest to a degree of 0.6."""
    model, X_test, y_test = tumours()
    degree = model.memberships(X_test).degree.max(axis=1)
    row = int(np.argmin(np.abs(degree - 0.6)))
    return ArgumentDisplay.from_estimator(model, X_test.iloc[[row]], y=y_test[[row]])


def decision_space():
    """The paper's figure: 100 made-up rows of two classes, and three values of gamma."""
    X, y = make_classification(n_samples=100, n_features=2, n_redundant=0, random_state=10)
    return DecisionSpaceDisplay.from_estimator(FGAClassifier(), X, y, gammas=[10, 3, 0.5])


def three_classes():
    """The same for three classes of wine."""
    X, y = named(load_wine)
    return DecisionSpaceDisplay.from_estimator(FGAClassifier(), X[["alcohol", "flavanoids"]], y, gammas=[10, 3, 1])


def memberships():
    """All rows that the model of tumours has not seen."""
    return MembershipDisplay.from_estimator(*tumours())


def consistency():
    """Which wines fit their labels, and which do not."""
    return ConsistencyDisplay.from_estimator(FGAClassifier(gamma=3.0).fit(*named(load_wine)))


def gammas():
    """From trusting nobody to trusting everybody."""
    return GammaDisplay.from_estimator(FGAClassifier(), *named(load_iris), cv=5)


PICTURES = {
    "one_prediction.png": arguments,
    "decision_space.png": decision_space,
    "decision_space_wine.png": three_classes,
    "membership.png": memberships,
    "consistency.png": consistency,
    "gamma.png": gammas,
}


def main(folder: Path) -> None:
    mpl.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        display = draw()
        display.figure_.savefig(folder / name, dpi=110)
        plt.close(display.figure_)
        print(f"wrote {folder / name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT)
