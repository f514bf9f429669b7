"""How much the granular approximation changes, and how much work is saved, if only near rows are constrained.

The paper's Section 5: on a whole data set, scaled as published, the granular approximation with all constraints
(``nn = 1``) is compared with those on a fraction nn of nearest rows.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from fgac.distances import Floats
from fgac.experiments.approximate import Training
from fgac.experiments.data import DataSet
from fgac.experiments.protocol import scaled

FRACTIONS = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)
STUDY_GAMMAS = (0.5, 1.0, 2.0, 5.0, 10.0)


def study(data: DataSet, loss: str, relation: str, gamma: float) -> list[dict[str, Any]]:
    """One line per fraction.

    ``difference`` is the mean of ``|beta_nn - beta_1|`` over all rows, ``constraints`` counts pairs of distinct rows.
    ``seconds`` are those of choosing the near rows and solving, given the distances, ``seconds_solve`` those of solving
    alone. All but the difference are also told for all constraints.
    """
    X = data.encoded()
    training = Training.of(scaled(X, X, relation)[0], data.y, relation)
    exact, whole = _solved(training, 1.0, gamma, loss)
    task = {"dataset": data.name, "loss": loss, "relation": relation, "gamma": gamma}
    lines = []
    for nn in FRACTIONS:
        beta, part = _solved(training, nn, gamma, loss)
        difference = float(np.mean(abs(beta - exact)[training.nodes.node_of_row]))
        of_all = {f"{name}_all": value for name, value in whole.items()}
        lines.append(task | {"nn": nn, "difference": difference} | part | of_all)
    return lines


def effort(data: DataSet) -> float:
    """About how long a study takes; comparable with that of a fold of a method."""
    return float(len(data.y) ** 2 * len(data.labels))


def _solved(training: Training, nn: float, gamma: float, loss: str) -> tuple[Floats, dict[str, Any]]:
    """Beta of the nodes, and what it took."""
    start = perf_counter()
    chosen = training.chosen(nn)
    chosen_at = perf_counter()
    beta, _ = chosen.solve(gamma, loss)
    end = perf_counter()
    return beta, {"constraints": len(chosen), "seconds": end - start, "seconds_solve": end - chosen_at}
