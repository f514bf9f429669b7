"""
A pipeline, explained in the caller's columns
=============================================

    python examples/pipeline.py

Which customers of a telephone company leave? The company's models share steps that scale numbers and encode
categories. What a model behind such steps has seen are scaled numbers and columns of 0 and 1, which nobody wants to
read. Customers are invented; the mechanism is below. Needs pandas and matplotlib: pip install pandas 'fgac[plot]'.
"""

# %%
# People leave monthly contracts that cost much, after trouble, and seldom after many years.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fgac
from fgac import FGAClassifierCV
from fgac.plot import ArgumentDisplay

rng = np.random.default_rng(5)
n = 400
customers = pd.DataFrame(
    {
        "years": rng.gamma(2, 2, n).round(1),
        "bill": rng.normal(38, 11, n).clip(9, 90).round(2),
        "calls to support": rng.poisson(1.2, n),
        "contract": rng.choice(["monthly", "one year", "two years"], n, p=[0.5, 0.3, 0.2]),
        "pays by": rng.choice(["card", "transfer", "bill"], n),
    },
    index=[f"C-{i:03}" for i in range(n)],
)
trouble = 0.05 * (customers["bill"] - 38) + 0.7 * customers["calls to support"] - 0.4 * customers["years"]
trouble += customers["contract"].map({"monthly": 1.0, "one year": -0.6, "two years": -1.6}) + rng.logistic(0, 0.6, n)
left = pd.Series(np.where(trouble > 0, "left", "stayed"), customers.index, name="customer")
known, new = customers[:320], customers[320:]

# %%
steps = ColumnTransformer(
    [
        ("numbers", StandardScaler(), ["years", "bill", "calls to support"]),
        ("categories", OneHotEncoder(sparse_output=False), ["contract", "pays by"]),
    ]
)
pipeline = make_pipeline(steps, FGAClassifierCV()).fit(known, left[:320])
print(f"Right about {pipeline.score(new, left[320:]):.0%} of {len(new)} customers.")
seen = steps.get_feature_names_out()
print(f"The model sees {len(seen)} columns: {', '.join(seen[:5])}, ...")

# %%
# ``fgac.explain`` asks the whole pipeline, and tells of the columns and values of the table. What the one-hot columns
# of a category contribute is added up.
leaving = new[pipeline.predict(new) == "left"]
why = fgac.explain(pipeline, leaving[:1], X_train=known, units={"bill": "€"})[0]
print(why)

# %%
# Degrees, strengths and distances are those of the model; shares of the columns still add up to 1.
strongest = why.arguments_for[0]
for each in sorted(strongest.attributes, key=lambda each: -each.apart):
    print(f"{each.name:16} {each.value!s:>9}   {each.apart:.2f} of what keeps the two apart")

# %%
# The arguments as a picture.
ArgumentDisplay.from_explanation(why)
plt.show()
