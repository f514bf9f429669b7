"""Steps of prototypes down the gradient, row by row: the compiled half of :mod:`fgac.experiments.methods.glvq`."""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import kernel


@kernel
def descend(X, codes, order, prototypes, per_class, step):
    """One pass: a step for every row in this order.

    Of every row two prototypes move: invariant is that the prototypes of class k are
    ``prototypes[k * per_class : (k + 1) * per_class]``.
    """
    n_columns = X.shape[1]
    for i in order:
        same, other = -1, -1
        d_same, d_other = np.inf, np.inf
        for p in range(len(prototypes)):
            d = 0.0
            for j in range(n_columns):
                d += (X[i, j] - prototypes[p, j]) ** 2
            if p // per_class == codes[i]:
                if d < d_same:
                    same, d_same = p, d
            elif d < d_other:
                other, d_other = p, d
        total = d_same + d_other
        if not 0.0 < total < np.inf:
            continue
        value = 1.0 / (1.0 + np.exp(-(d_same - d_other) / total))
        force = step * 4.0 * value * (1.0 - value) / total**2
        for j in range(n_columns):
            prototypes[same, j] += force * d_other * (X[i, j] - prototypes[same, j])
            prototypes[other, j] -= force * d_same * (X[i, j] - prototypes[other, j])
