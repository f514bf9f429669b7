"""Sections 2.6 and 6.1, fuzzy rough nearest neighbours (kFRNN).

For a new row x and every class: its degree in the lower approximation, in the upper approximation, and their mean; OWA
operators in place of min and max, over all instances, with weights for the k most extreme values.
"""

from support.paper.connectives import LUKASIEWICZ
from support.paper.owa import lower_weights, owa, upper_weights


def predict(classes, similarities, family, k=None):
    """Return (lower approximation, upper approximation, mean) of every class; similarities are R(x, u)."""
    n = len(classes)
    answer = []
    for label in sorted(set(classes)):
        crisp = [int(one == label) for one in classes]
        lower_values = [LUKASIEWICZ.I(r, a) for r, a in zip(similarities, crisp, strict=True)]
        upper_values = [LUKASIEWICZ.T(r, a) for r, a in zip(similarities, crisp, strict=True)]
        lower = owa(lower_weights(family, n, k), lower_values)
        upper = owa(upper_weights(family, n, k), upper_values)
        answer.append((lower, upper, (lower + upper) / 2))
    return answer
