"""Draw the pictures of docs/pictures.md and of the pages about monotone columns, regression and learned weights.

    python examples/pictures.py [FOLDER]        (default: docs/images)

Needs matplotlib: pip install 'fgac[plot]'.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification
from sklearn.model_selection import train_test_split

from fgac import FGAClassifier, FGAClassifierCV, FGARegressorCV
from fgac.plot import (
    ArgumentDisplay,
    ConsistencyDisplay,
    CoverageDisplay,
    DecisionSpaceDisplay,
    GammaDisplay,
    MembershipDisplay,
    NumberLineDisplay,
    PartialDependenceDisplay,
    RegressionDisplay,
    ResidualsDisplay,
    WeightsDisplay,
)

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


def coverage():
    """Half of the tumours, by the first five columns only, which leave some in doubt."""
    X, y = named(load_breast_cancer)
    X_train, X_test, y_train, y_test = train_test_split(X.iloc[:, :5], y, test_size=0.5, random_state=0)
    return CoverageDisplay.from_estimator(FGAClassifierCV().fit(X_train, y_train), X_test, y_test)


def memberships():
    """All rows that the model of tumours has not seen."""
    return MembershipDisplay.from_estimator(*tumours())


def few_memberships():
    """Some of them, one by one."""
    model, X_test, y_test = tumours()
    return MembershipDisplay.from_estimator(model, X_test[:60], y_test[:60])


def consistency():
    """Which wines fit their labels, and which do not."""
    return ConsistencyDisplay.from_estimator(FGAClassifier(gamma=3.0).fit(*named(load_wine)))


def gammas():
    """From trusting nobody to trusting everybody."""
    return GammaDisplay.from_estimator(FGAClassifier(), *named(load_iris), cv=5)


def loans(n=300):
    """Made-up loans: more income and less debt can only be better, but for luck."""
    rng = np.random.default_rng(7)
    table = pd.DataFrame({"income": rng.uniform(1, 9, n).round(1), "debt": rng.uniform(0, 6, n).round(1)})
    score = table["income"] - 1.2 * table["debt"] + rng.normal(0, 2, n)
    return table, np.where(score > 2, "repaid", "lost")


def monotone():
    """The same loans without and with the order of their columns."""
    X, y = loans()
    _, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    free = FGAClassifier(gamma=5.0).fit(X, y)
    ordered = FGAClassifier(gamma=5.0, monotonic_cst={"income": 1, "debt": -1}).fit(X, y)
    DecisionSpaceDisplay.from_estimator(free, X, y, ax=axes[0])
    display = DecisionSpaceDisplay.from_estimator(ordered, X, y, ax=axes[1])
    axes[0].set_title("by similarity alone")
    axes[1].set_title("more income and less debt never hurt")
    return display


def curve():
    """A sine wave with noise, and one prediction."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, (80, 1))
    y = np.sin(x[:, 0]) + rng.normal(0, 0.25, 80)
    return RegressionDisplay.from_estimator(FGARegressorCV(interval=0.8).fit(x, y), [[6.1]])


def number_line():
    """One patient's progression of diabetes."""
    data = load_diabetes(as_frame=True, scaled=False)
    X, y = data.data, data.target
    model = FGARegressorCV(metric="manhattan", monotonic_cst={"bmi": 1, "bp": 1}, interval=0.9).fit(X[:400], y[:400])
    return NumberLineDisplay.from_estimator(model, X[400:401], y=y[400:401])


def patients():
    """A model of the progression of diabetes with intervals, and the patients it has not seen."""
    data = load_diabetes(as_frame=True, scaled=False)
    X, X_test, y, y_test = train_test_split(data.data, data.target.rename("progression"), random_state=0)
    return FGARegressorCV(interval=0.9).fit(X, y), X_test, y_test


def residuals():
    """By how much predictions are off, and which targets lie outside of their intervals."""
    return ResidualsDisplay.from_estimator(*patients())


def dependence():
    """What becomes of the predictions if patients had another body mass index."""
    model, X_test, _ = patients()
    return PartialDependenceDisplay.from_estimator(model, X_test, feature="bmi")


def weights():
    """Which measurements of a wine count, among twenty columns of noise."""
    X, y = named(load_wine)
    noise = np.random.default_rng(0).random((len(X), 20))
    X = X.join(pd.DataFrame(noise, columns=[f"noise {j}" for j in range(20)]))
    return WeightsDisplay.from_estimator(FGAClassifierCV().fit(X, y))


PICTURES = {
    "one_prediction.png": arguments,
    "decision_space.png": decision_space,
    "decision_space_wine.png": three_classes,
    "membership.png": memberships,
    "membership_rows.png": few_memberships,
    "coverage.png": coverage,
    "consistency.png": consistency,
    "gamma.png": gammas,
    "monotone.png": monotone,
    "regression.png": curve,
    "number_line.png": number_line,
    "residuals.png": residuals,
    "partial_dependence.png": dependence,
    "weights.png": weights,
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
