"""
Why was this loan refused, and what would change it?
====================================================

    python examples/credit.py [REPORT.html]        (default: in a new temporary folder)

A loan officer answers a rejected applicant, and an auditor looks for decisions that the others contradict. The bank,
its applicants and its decisions are made up here, from a fixed seed. So we know which decisions were written down
wrongly, and can check what the audit finds. Needs pandas, jinja2 and matplotlib: pip install pandas
'fgac[plot,report]'.
"""

# %%
import sys
import tempfile
import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from fgac import FGAClassifierCV, audit
from fgac.plot import ArgumentDisplay

N_PAST, N_NEW, N_SLIPS = 400, 40, 16
UNITS = {"income": "€ a month", "burden": "% of income", "years in job": "years"}


def tell(title, *texts):
    print(f"\n{title}\n{'-' * len(title)}")
    for line in "\n".join(texts).splitlines():
        print(textwrap.fill(line, 100, break_on_hyphens=False))


# %%
# Applicants as a bank might see them. The burden is what all instalments, with those of the new loan, would take of the
# income. Age, sex and origin are not in the table: they must not count.
def draw_applicants(n, letter, rng):
    years = rng.gamma(2.0, 3.5, n).clip(0, 30).round(1)
    columns = {
        "income": (rng.lognormal(7.7, 0.3, n) * (1 + 0.015 * years)).round(-1),
        "burden": (100 * rng.beta(2.2, 4.5, n)).round(),
        "years in job": years,
        "housing": rng.choice(["owner", "tenant", "with family"], n, p=[0.4, 0.45, 0.15]),
        "history": rng.choice(["always on time", "late once", "late often"], n, p=[0.6, 0.25, 0.15]),
    }
    return pd.DataFrame(columns, index=[f"{letter}-{i:03}" for i in range(1, n + 1)])


def decide(people, rng):
    """What a careful officer decides; close cases depend a little on the day."""
    score = 35 - people["burden"] + 2 * people["years in job"].clip(upper=8) + rng.normal(0, 3, len(people))
    score += 5 * (people["income"] > 2500) + 6 * (people["housing"] == "owner")
    score -= people["history"].map({"always on time": 0, "late once": 15, "late often": 35})
    return np.where(score > 0, "granted", "rejected")


rng = np.random.default_rng(0)
past, new = draw_applicants(N_PAST, "P", rng), draw_applicants(N_NEW, "N", rng)
decisions, careful = decide(past, rng), decide(new, rng)
slips = rng.choice(N_PAST, N_SLIPS, replace=False)
decisions[slips] = np.where(decisions[slips] == "granted", "rejected", "granted")

# %%
# The officers say that the burden matters most, so a difference in it counts double.
folds = StratifiedKFold(5, shuffle=True, random_state=0)
model = FGAClassifierCV(
    feature_weights={"burden": 2.0}, class_weight="balanced", cv=folds, scoring="balanced_accuracy"
).fit(past, decisions)
explanations = model.explain(new, units=UNITS, audit=True)
right = sum(e.prediction == label for e, label in zip(explanations, careful, strict=True))
tell(
    "The bank",
    f"{N_PAST} past decisions, {sum(decisions == 'rejected')} of them rejections; {N_SLIPS} were written down wrongly. "
    f"For {right} of {N_NEW} new applicants the model proposes what a careful officer would decide.",
)

# %%
rejections = sorted((e for e in explanations if e.prediction == "rejected"), key=lambda e: e.margin)
case = rejections[len(rejections) // 2]  # neither the clearest nor the closest one
tell(f"For the officer: why {case.id} is rejected, and who speaks for the applicant", case.text())


# %%
# The smallest changes after which the model proposes to grant it. What an applicant cannot change is fixed, and nobody
# is told to owe more. The answer names no other applicant.
changes = model.counterfactuals(
    new.loc[[case.id]],
    "granted",
    fixed=["housing", "history"],
    directions={"burden": "down", "years in job": "up", "income": "up"},
    steps={"burden": 1, "income": 10},
)[0]
ways = [
    [f"'{c.column}' of {c.after:g} {UNITS[c.column]} instead of {c.before:g}" for c in each.changes] for each in changes
]
tell(
    f"For applicant {case.id}: what would have to change",
    "You were compared with earlier applicants. The clearest case among those like you is a rejection.",
    *(f"- {' and '.join(way)} would be enough." for way in ways),
)

# %%
suspects = audit(model, n_rows=N_SLIPS)
first = [suspects[0], *suspects[0].contradicted_by[:3]]
table = past.loc[[row.id for row in first]].assign(decision=[row.label for row in first])
found = sum(suspect.index in slips for suspect in suspects)
tell("For the auditor: decisions that the others contradict", suspects[:3].text())
print(f"\nThe first of these beside those that contradict it:\n{table.to_string()}\n")
print(f"Of the {N_SLIPS} most doubtful decisions, {found} are slips that we made on purpose. The others are close")
print("calls, so read the files, and do not let the list decide.")

# %%
paths = [argument for argument in sys.argv[1:] if argument.endswith(".html")]
path = paths[0] if paths else f"{tempfile.mkdtemp()}/credit.html"
explanations.to_html(path, title="Loan applications: proposals and their arguments")
tell(
    "What to keep in mind",
    "The model repeats what the bank decided, injustice included. It does not know that a small burden is good, "
    "it only compares. A degree is no probability.",
)
print(f"All {N_NEW} applications and their arguments: {path}")

# %%
# The arguments about the applicant as a picture: who speaks for the rejection, and who against it.
ArgumentDisplay.from_explanation(case)
plt.show()
