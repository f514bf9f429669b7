"""
Choosing γ by the whole path
============================

    python examples/gamma_path.py

γ says how fast similarity falls with distance, and is the one number to choose. Here every γ is looked at, on 150
irises (Anderson, Fisher; data of scikit-learn): what it does to the memberships of the training rows, which labels
are doubtful whatever γ is, and which γ predicts best. Needs pandas and matplotlib: pip install pandas 'fgac[plot]'.
"""

# %%
# The solution of the training problem is followed from γ = ∞ down to 0.5, event by event, exactly. Between two events
# every membership is a straight line.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

import fgac
from fgac.plot import GammaDisplay

iris = load_iris(as_frame=True)
X, y = iris.data, iris.target_names[iris.target]
path = fgac.path(X, y, ids=[f"iris {i}" for i in range(len(X))])
print(f"{len(path.breakpoints)} events; largest violation of a constraint on the way: {path.largest_violation:.0e}")

# %%
# With a small γ all irises are alike, and the species contradict each other; with a large one every label is believed.
gammas = np.array([0.5, 1.0, 2.0, 5.0, 20.0])
for gamma, beta in zip(gammas, path.beta(gammas), strict=True):
    print(f"γ = {gamma:4}: mean membership {beta.mean():.2f}, {np.mean(beta > 0.99):.0%} of the labels fully believed")

# %%
# Some labels are contradicted for nearly every γ. The area under the curve of each row, over the logarithm of γ, finds
# them.
grid = np.geomspace(0.5, 50, 60)
doubt = 1 - path.beta(grid).mean(axis=0)
for row in np.argsort(-doubt)[:3]:
    print(f"iris {row}, {y[row]}: mean doubt {doubt[row]:.2f}")

# %%
# Cross-validation along the path: the score is a step function of γ, and no step is missed.
search = fgac.FGAClassifierCV(gammas="path", metric="euclidean", max_rows=None).fit(X, y)
n_steps = len(search.cv_results_["params"])
print(f"best γ = {search.gamma_:.3g} of {n_steps} steps, balanced accuracy {search.best_score_:.3f}")

# %%
# Any point of the path is a model, with its proof.
print(path.classifier(search.gamma_).solution_.is_optimal())
GammaDisplay.from_path(path, chosen=search.gamma_)
plt.show()
