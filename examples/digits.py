"""
Digits by angles: which images say what this is?
==================================================

    python examples/digits.py

Handwritten digits of 8 by 8 pixels (data of scikit-learn). What matters is the shape, not how hard somebody pressed:
rows are compared by the angle between them, which does not change if all pixels are twice as dark. Needs matplotlib:
pip install 'fgac[plot]'.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from fgac import FGAClassifierCV

digits = load_digits()
X_train, y_train = digits.data[:600], digits.target[:600]
X_test, y_test = digits.data[600:1000], digits.target[600:1000]
model = FGAClassifierCV(metric="angular").fit(X_train, y_train)
print(f"{model.score(X_test, y_test):.1%} of {len(X_test)} digits are read, with γ = {model.gamma_:g}.")

# %%
# An image of half the ink has the same reasons, to the last digit.
faint = model.memberships(X_test / 2).degree
change = np.abs(faint - model.memberships(X_test).degree).max()
print(f"Largest change of a degree if all pixels are half as dark: {change:.1g}")

# %%
# How far may an image turn before it could be read as another digit? That is certified for every image.
reasons = model.explain(X_test)
radii = 180 * np.array([each.certified_radius for each in reasons])
print(f"Certified: {np.median(radii):.1f} degrees in the median, {radii.max():.1f} at most.")

# %%
# Three images: a clear one, the closest call, and one that was misread. Beside each the images that speak for what was
# read, and the one that speaks most against it.
wrong = np.flatnonzero(model.predict(X_test) != y_test)
margins = np.array([each.margin for each in reasons])
shown = [int(margins.argmax()), int(margins.argmin()), int(wrong[margins[wrong].argmax()])]
figure, axes = plt.subplots(3, 5, figsize=(8, 5.6), layout="constrained")
for case, line in zip(shown, axes, strict=True):
    why = reasons[case]
    panels = [(X_test[case], f"read as {why.prediction}\nis a {y_test[case]}")]
    panels += [
        (X_train[each.index], f"for: a {each.label}\nstrength {each.strength:.2f}") for each in why.arguments_for[:3]
    ]
    panels += [
        (X_train[each.index], f"against: a {each.label}\nstrength {each.strength:.2f}")
        for each in why.arguments_against[:1]
    ]
    for ax in line:
        ax.axis("off")
    for ax, (image, title) in zip(line, panels, strict=False):
        ax.imshow(image.reshape(8, 8), cmap="gray_r")
        ax.set_title(title, fontsize=9)
plt.show()
