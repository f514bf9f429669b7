"""
Missing cells: a clinic where the telling test is often not done
================================================================

    python examples/missing_cells.py

Patients with fever; does one have the infection or a common cold? A blood test tells most, but it is ordered for some
only, and more often for those who look ill: so that a test was not done says something, too. The clinic is invented;
the mechanism is below. Needs pandas and matplotlib: pip install pandas 'fgac[plot]'.
"""

# %%
# The infection raises a marker in the blood and the temperature. Doctors order the test more readily for high fever.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline

from fgac import FGAClassifierCV


def patients(n, rng):
    ill = rng.random(n) < 0.35
    table = pd.DataFrame(
        {
            "temperature": (37.8 + 0.5 * ill + rng.normal(0, 0.5, n)).round(1),
            "marker": (rng.lognormal(2.0 + 1.3 * ill, 0.6, n)).round(1),
            "days ill": rng.poisson(3 + ill, n).astype(float),
            "cough": rng.choice(["none", "dry", "wet"], n),
        },
        index=[f"patient {i}" for i in range(n)],
    )
    tested = rng.random(n) < 1 / (1 + np.exp(-1.5 * (table["temperature"] - 38.2)))
    table["marker"] = table["marker"].where(tested)
    table["days ill"] = table["days ill"].where(rng.random(n) < 0.9)
    return table, pd.Series(np.where(ill, "infection", "cold"), table.index, name="finding")


rng = np.random.default_rng(1)
known, findings = patients(400, rng)
new, truth = patients(300, rng)
print(known.isna().mean().rename("share of cells missing").round(2).to_string())

# %%
# Nothing needs to be filled in: an unknown value has a place among the known ones, and all that is guaranteed holds as
# it does without.
model = FGAClassifierCV().fit(known, findings)
print(f"Training proved optimal: {model.solution_.is_optimal()}.")
imputed = make_pipeline(SimpleImputer(strategy="median").set_output(transform="pandas"), FGAClassifierCV())
numbers = ["temperature", "marker", "days ill"]
imputed.fit(known[numbers], findings)

# %%
# Explanations say what is unknown, and what that costs an argument.
untested = new[new["marker"].isna()]
print(model.explain(untested[:1], units={"temperature": "°C", "marker": "mg/l"})[0].card())

# %%
# Had this patient been tested: what would the model say for each result?
results = [2.0, 8.0, 15.0, 30.0, 60.0]
trials = pd.DataFrame([untested.iloc[0].to_dict()] * len(results)).assign(marker=results)
ill = list(model.classes_).index("infection")
for result, probability in zip(results, model.predict_proba(trials)[:, ill], strict=True):
    print(f"marker {result:4.0f} mg/l: infection with probability {probability:.2f}")

# %%
# New patients, by whether the test was done: with it the model is nearly sure, without it not, and says so.
confidence, right = model.confidence(new), model.predict(new) == truth
done = new["marker"].notna().to_numpy()
score = balanced_accuracy_score(truth, model.predict(new))
print(
    f"Balanced accuracy {score:.2f}; with medians in place of missing cells {imputed.score(new[numbers], truth):.2f}."
)
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.hist(
    [confidence[done], confidence[~done]], bins=np.arange(0.5, 1.01, 0.05), stacked=True, label=["tested", "not tested"]
)
ax.set(xlabel="confidence of the prediction", ylabel="patients")
ax.set_title(f"right: {right[done].mean():.0%} of the tested, {right[~done].mean():.0%} of the others")
ax.legend()
plt.show()
