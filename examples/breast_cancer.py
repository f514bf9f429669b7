"""
A doctor's questions about a diagnosis
======================================

    python examples/breast_cancer.py

A model reads cell samples of breast tumours. The data come with scikit-learn: 569 samples, each described by
measurements of its cell nuclei under the microscope, and their diagnoses (Wolberg, Street and Mangasarian, University
of Wisconsin). It shows how to read explanations and is no medical device. Needs pandas and matplotlib: pip install
pandas 'fgac[plot]'.
"""

# %%
import textwrap

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, train_test_split

from fgac import FGAClassifierCV, audit
from fgac.plot import MembershipDisplay
from fgac.text.words import format_radius

# Five of the measurements, which say different things about a nucleus; area and perimeter would repeat the radius. Each
# is the mean of the three largest values in the sample, which the data set calls the "worst" ones.
COLUMNS = ["radius", "texture", "smoothness", "concave points", "symmetry"]
UNITS = {"texture": "grey levels"}  # the data set does not tell the unit of the radius; the others have none
TOLERANCE = 0.02  # how inexact measurements may be, as a part of the range that they take in the data


def tell(title, *texts):
    print(f"\n{title}\n{'-' * len(title)}")
    for line in "\n".join(texts).splitlines():
        print(textwrap.fill(line, 100, break_on_hyphens=False))


# %%
data = load_breast_cancer(as_frame=True)
samples = data.data[[f"worst {name}" for name in COLUMNS]]
samples = samples.set_axis(COLUMNS, axis=1).set_axis([f"S-{i:03}" for i in range(1, len(samples) + 1)])
diagnoses = data.target_names[data.target]
known, new, y_known, y_new = train_test_split(samples, diagnoses, test_size=0.25, stratify=diagnoses, random_state=0)
# A malignant tumour must not count less for being rarer, neither in training nor in the choice of gamma.
folds = StratifiedKFold(5, shuffle=True, random_state=0)
model = FGAClassifierCV(class_weight="balanced", cv=folds, scoring="balanced_accuracy").fit(known, y_known)
explanations = model.explain(new, units=UNITS)
truth = dict(zip(new.index, y_new, strict=True))
wrong = {e.id for e in explanations if e.prediction != truth[e.id]}
missed = {name for name in wrong if truth[name] == "malignant"}
tell(
    "How good is it?",
    f"Trained on {len(known)} samples and asked about {len(new)} others, it is wrong about {len(wrong)} of these: "
    f"it takes {len(missed)} of the {sum(y_new == 'malignant')} malignant tumours for benign, and "
    f"{len(wrong) - len(missed)} benign ones for malignant. Not good enough to decide alone, so ask for its reasons.",
)

# %%
clear = max((e for e in explanations if e.prediction == "malignant"), key=lambda e: e.margin)
tell("What is this, and which earlier samples say so?", clear.text())

# %%
close = min((e for e in explanations if not e.tied), key=lambda e: e.margin)
tell("A close case: what speaks for it, and what against?", close.text(), f"(It was '{truth[close.id]}'.)")


# %%
def allowed(measurement):
    """By how much a measurement alone may be off: by any amount where there is no limit."""
    return "any amount" if measurement.radius is None else format_radius(measurement.radius, measurement.unit)


# Measurements that are all off by at most the tolerance move a sample by at most the tolerance in the model's distance.
certain = {e.id for e in explanations if e.certified_radius > TOLERANCE}
tell(
    "How exactly do I have to measure?",
    f"If every measurement is off by up to {TOLERANCE:.0%} of its range, {len(certain)} of the {len(new)} predictions "
    f"still cannot change. That is proved. But {len(certain & wrong)} of them are wrong: stable does not mean right.",
    f"If only one measurement is off, it may be off by this much for {clear.id}, and for {close.id}:",
    *(f"- {a.name}: {allowed(a)}, and {allowed(b)}" for a, b in zip(clear.attributes, close.attributes, strict=True)),
)

# %%
fifth = {e.id for e in sorted(explanations, key=lambda e: e.margin)[: len(new) // 5]}
tell(
    "When should I not listen to it?",
    f"When the two sides are close: the fifth of the samples with the smallest lead holds {len(fifth & wrong)} of the "
    f"{len(wrong)} errors. And when it has seen nothing like it before:",
    *(e.text() for e in explanations if e.resembles_nothing),
)

# %%
tell(
    "Which earlier diagnoses should I look at again?",
    audit(model, n_rows=3).text(),
    "The model cannot tell a wrong diagnosis from an unusual tumour. Look at the slide before you touch the file.",
)

# %%
# All new samples, by how far the predicted class is ahead of the other: mistakes stand to the left.
MembershipDisplay.from_estimator(model, new, y_new)
plt.show()
