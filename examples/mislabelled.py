"""
Mislabelled wines: which labels are wrong, and who says so?
===========================================================

    python examples/mislabelled.py

178 wines of three growers, each with thirteen chemical measurements (data of scikit-learn). We exchange some of the
labels, so that we know which ones are wrong, and ask for the rows that the others contradict. Needs pandas and
matplotlib: pip install pandas 'fgac[plot]'.
"""

# %%
# A tenth of the labels is changed, at random.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

from fgac import FGAClassifierCV, audit
from fgac.explainers.audit import doubts

N_WRONG = 18
wine = load_wine(as_frame=True)
bottles = wine.data.set_axis([f"bottle {i:03}" for i in range(len(wine.data))])
growers = np.array(["Rossi", "Bianchi", "Verdi"])[wine.target]  # the data only number them

rng = np.random.default_rng(4)
wrong = rng.choice(len(bottles), N_WRONG, replace=False)
labels = growers.copy()
for row in wrong:
    labels[row] = rng.choice([name for name in ("Rossi", "Bianchi", "Verdi") if name != growers[row]])

# %%
# The model is trained on the labels as they are. Every training row has a membership in its own class, as large as the
# others allow, and a probability by a model that had not seen it. The audit ranks by both.
model = FGAClassifierCV().fit(bottles, pd.Series(labels, bottles.index, name="grower"))
suspects = audit(model, n_rows=N_WRONG)
found = [suspect for suspect in suspects if suspect.index in wrong]
print(f"Of the {N_WRONG} most doubted labels, {len(found)} are among the {N_WRONG} that we changed.")

# %%
# Each suspect comes with the rows that contradict it. They can be looked up: that is how a person decides.
print(suspects[0])

# %%
# The first suspect beside those that contradict it, in the measurements that count most.
weights = pd.Series(model.feature_weights_, bottles.columns).sort_values(ascending=False)
names = [suspects[0].id, *(row.id for row in suspects[0].contradicted_by[:3])]
print(bottles.loc[names, weights.index[:4]].assign(label=pd.Series(labels, bottles.index)[names]).to_string())

# %%
# How far down the list must one read? The curve of a good ranking rises steeply; at random it would follow the line.
order = np.argsort(-doubts(model), kind="stable")
hits = np.cumsum(np.isin(order, wrong))
figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.step(np.arange(1, len(order) + 1), hits, where="post", label="by doubt")
ax.plot([0, len(order)], [0, N_WRONG], ":", color="gray", label="at random")
ax.set(xlabel="labels looked at, most doubted first", ylabel="wrong labels found", xlim=(0, 80))
ax.legend()
plt.show()
