"""
Votes: say nothing where it is not sure
=======================================

    python examples/votes.py

Before the election of 1996, 944 Americans told where they stand, and for whom they would vote, Clinton or Dole
(American National Election Studies; the table comes with statsmodels). Most votes follow from a party; some do not. A
model that may abstain is right more often. Needs pandas, statsmodels and matplotlib: pip install pandas statsmodels
'fgac[plot]'.
"""

# %%
# What people say of themselves. What they say of the two candidates is left out: that is the vote in other words.
import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.api as sm
from sklearn.model_selection import train_test_split

from fgac import FGAClassifierCV
from fgac.plot import CoverageDisplay

asked = sm.datasets.anes96.load_pandas().data
names = {
    "PID": "party",
    "selfLR": "left to right",
    "age": "age",
    "educ": "education",
    "income": "income",
    "TVnews": "days of news",
}
people = asked[list(names)].rename(columns=names)
votes = pd.Series(["Dole" if vote else "Clinton" for vote in asked["vote"]], name="vote")
known, new, y_known, y_new = train_test_split(people, votes, test_size=0.4, stratify=votes, random_state=0)

# %%
# The party is a scale from strong Democrat (0) to strong Republican (6): more can only speak for Dole, and so can
# standing further right. The higher class is the second by the alphabet.
model = FGAClassifierCV(monotonic_cst={"party": 1, "left to right": 1}).fit(known, y_known)
print(f"Right about {model.score(new, y_new):.1%} of {len(new)} people.")

# %%
# How sure is it? The confidence of a prediction is its probability, calibrated on people who were held out. Those below
# a threshold are left to somebody else.
for least in (0.7, 0.9, 0.95):
    predictions, sure = model.predict_or_abstain(new, min_confidence=least)
    right = (predictions[sure] == y_new[sure]).mean()
    print(f"confidence {least:.2f} or more: {sure.mean():.0%} of the people, {right:.1%} right")

# %%
# The person about whom it is least sure, and why: there is something to say for both.
least_sure = model.confidence(new).argmin()
print(model.explain(new.iloc[[least_sure]])[0].card())

# %%
# Every threshold at once: further left the model says less, and is right more often.
CoverageDisplay.from_estimator(model, new, y_new)
plt.show()
