"""
A score that nobody can be punished by
======================================

    python examples/monotone.py

How far will a diabetes have progressed in a year? 442 patients, with measurements at the start (Efron, Hastie,
Johnstone and Tibshirani, *Least angle regression*, 2004; the table comes with scikit-learn). A doctor would not trust
a model that says "gain weight, and you will be better". Needs pandas and matplotlib: pip install pandas 'fgac[plot]'.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

from fgac import FGARegressorCV
from fgac.plot import PartialDependenceDisplay

diabetes = load_diabetes(as_frame=True, scaled=False)
X = diabetes.data[["bmi", "bp", "s5", "s6", "age"]].rename(
    columns={"s5": "triglycerides", "s6": "glucose", "bp": "pressure"}
)
X_train, X_test, y_train, y_test = train_test_split(X, diabetes.target, random_state=0)

# %%
# Two models, one free and one that is told: more body mass, pressure, triglycerides or glucose can only make it worse.
# Both with distances in which all columns count the same.
RISING = {"bmi": 1, "pressure": 1, "triglycerides": 1, "glucose": 1}
free = FGARegressorCV(metric="manhattan").fit(X_train, y_train)
told = FGARegressorCV(metric="manhattan", monotonic_cst=RISING).fit(X_train, y_train)
print(f"R² on patients not seen: free {free.score(X_test, y_test):.2f}, told {told.score(X_test, y_test):.2f}")

# %%
# All patients gain two points of body mass index. For how many does a model predict that they will be better off?
heavier = X_test.assign(bmi=X_test["bmi"] + 2)
for name, model in (("free", free), ("told", told)):
    better = np.sum(model.predict(heavier) < model.predict(X_test) - 1e-9)
    print(f"{name}: {better} of {len(X_test)} patients")

# %%
# What is told is in the reasons, too: a row says "at least" of everyone who matches or exceeds it.
print(told.explain(X_test[:1])[0])

# %%
# Single patients, with other body mass indices: lines of the free model fall here and there, those of the other one
# never do.
figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
for ax, (name, model) in zip(axes, (("free", free), ("told", told)), strict=True):
    PartialDependenceDisplay.from_estimator(model, X_test, feature="bmi", ax=ax)
    ax.set_title(name)
plt.show()
