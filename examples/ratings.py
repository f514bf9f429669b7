"""
Ordered ratings: how happy is a marriage?
=========================================

    python examples/ratings.py

In 1974 a magazine asked its readers to rate their marriages from "very poor" to "very good" (Fair, *A theory of
extramarital affairs*, 1978; the table comes with statsmodels). Ratings have an order: to take "good" for "very good"
is a smaller mistake than to take it for "very poor". Needs pandas, statsmodels and matplotlib: pip install pandas
statsmodels 'fgac[plot]'.
"""

# %%
# 495 of the 6366 answers, as many of every rating as there are of the rarest.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

from fgac import FGAOrdinalClassifierCV

GRADES = ["very poor", "poor", "fair", "good", "very good"]
answers = sm.datasets.fair.load_pandas().data
answers["rating"] = pd.Categorical.from_codes(answers["rate_marriage"].astype(int) - 1, GRADES, ordered=True)
some = answers.groupby("rating", observed=True).sample(n=99, random_state=0)
columns = {
    "age": "age",
    "yrs_married": "years married",
    "children": "children",
    "religious": "religious",
    "educ": "education",
    "affairs": "affairs",
}
wives = some[list(columns)].rename(columns=columns)
train, test, y_train, y_test = train_test_split(wives, some["rating"], stratify=some["rating"], random_state=0)

# %%
# One exact classifier for every boundary: "poor or better", "fair or better", and so on. They share rows, weights and
# γ, so that nobody is "good" to a larger degree than "fair or better". More affairs can only speak for a lower rating:
# that is said, and then holds.
model = FGAOrdinalClassifierCV(monotonic_cst={"affairs": -1}).fit(train, y_train)
off = np.abs(pd.Categorical(model.predict(test), GRADES).codes - y_test.cat.codes.to_numpy())
print(f"Off by {off.mean():.2f} classes on average, by one or none in {np.mean(off <= 1):.0%} of the marriages.")
print(f"Always saying 'fair' would be off by {np.abs(2 - y_test.cat.codes).mean():.2f}.")
print("Six columns do not say much about a marriage, and the model does not claim more.")

# %%
# Why this rating, and why not one better? The reasons are other marriages.
print(model.explain(test[:1])[0].card())

# %%
# What would have to be different for "good or better"? Only what may change is changed.
low = test[np.isin(model.predict(test), ["very poor", "poor"])][:1]
print(model.counterfactuals(low, "good", fixed=["age", "years married", "children", "education"]))

# %%
# Predictions beside the answers: mistakes stay near the diagonal.
table = confusion_matrix(y_test.astype(str), model.predict(test), labels=GRADES)
figure, ax = plt.subplots(figsize=(5.6, 4.6), layout="constrained")
ax.imshow(table, cmap="Blues")
for (row, column), count in np.ndenumerate(table):
    ax.text(column, row, count, ha="center", va="center", color="white" if count > table.max() / 2 else "black")
ax.set(xlabel="predicted", ylabel="answered", xticks=range(5), yticks=range(5))
ax.set_xticklabels(GRADES, rotation=30)
ax.set_yticklabels(GRADES)
plt.show()
