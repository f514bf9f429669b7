"""How a model did on rows held out when its gamma was chosen, in words."""

from __future__ import annotations

import math

from fgac._tolerances import TEXT_TOL
from fgac.explanation.held_out import HeldOut
from fgac.text.words import format_degree

# Scores that are better known by another name.
NAMES = {"r2": "R2", "roc_auc": "area under the ROC curve"}
# scikit-learn turns errors around, so that more is better.
NEGATED = "neg_"
# Of ordered classes: by how many of them predictions are off.
OFF = "classes off"


def describe(found: HeldOut) -> str:
    """The score, what it was measured on, and how many predictions had an argument.

    >>> print(describe(HeldOut("balanced_accuracy", 0.8123, 5, 1000, argued_share=0.996)))
    cross-validated balanced accuracy 0.81 (5 folds, 1000 rows); 99.6 % of predictions had an argument
    >>> print(describe(HeldOut("neg_mean_absolute_error", -12.5, 1, 20)))
    cross-validated mean absolute error 12.50 (1 fold, 20 rows)
    >>> print(describe(HeldOut("classes off", 0.314, 5, 200)))
    cross-validated predictions are off by 0.31 classes (5 folds, 200 rows)
    >>> print(describe(HeldOut("R2", 0.5, 5, 320, n_groups=40)))
    cross-validated R2 0.50 (5 folds of whole groups, 320 rows in 40 groups)
    """
    name, score = found.score_name, found.score
    if name.startswith(NEGATED):
        name, score = name.removeprefix(NEGATED), -score
    name = NAMES.get(name, name.replace("_", " "))
    folds, rows = (f"{n} {word}{'s' * (n != 1)}" for n, word in ((found.n_folds, "fold"), (found.n_rows, "row")))
    value = f"predictions are off by {score:.2f} classes" if name == OFF else f"{name} {score:.2f}"
    if found.n_groups is not None:
        folds, rows = f"{folds} of whole groups", f"{rows} in {found.n_groups} groups"
    measured = f"cross-validated {value} ({folds}, {rows})"
    return "; ".join(filter(None, (measured, argued(found))))


def argued(found: HeldOut) -> str:
    """How many predictions had an argument, and how strong the strongest ones were; nothing if nobody counted.

    >>> argued(HeldOut("accuracy", 0.9, 5, 100, argued_share=1.0, median_strength=0.52))
    'all predictions had an argument, of strength 0.52 in the median'
    """
    if found.argued_share is None:
        return ""
    # Rounded down: what is told as 100 % is all of them.
    share = f"{math.floor(1000 * found.argued_share + TEXT_TOL) / 10:.1f} % of"
    strength = (
        "" if found.median_strength is None else f", of strength {format_degree(found.median_strength)} in the median"
    )
    return f"{'all' if found.argued_share >= 1 else share} predictions had an argument{strength}"
