"""What there is to store of a fitted classifier, as plain values and arrays; and the classifier made of them again."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac.estimators.classifier import FGAClassifier
from fgac.fuzzy.connectives import IDENTITY, power
from fgac.granular.dissimilarity import Dissimilarity
from fgac.granular.membership import GranularModel
from fgac.granular.owa_bounds import OwaBounds
from fgac.metrics.distances import NAMED
from fgac.persistence.encoding import ModelFileError, exponent_of
from fgac.persistence.schema import (
    ORDERED,
    RECORDS,
    ROWS,
    Shapes,
    check_arrays,
    check_records,
    column_sizes,
    inconsistent,
    name_of,
    records_of,
    records_parts,
    rows_of,
    rows_parts,
    solution_of,
    solution_parts,
    table_of,
    table_parts,
)
from fgac.query.envelope import Envelope
from fgac.tables.table import Table

MODEL = FGAClassifier
# Attributes that are stored as they are; feature_names_in_ is there only if the table had names.
ATTRIBUTES = ("classes_", "beta_", "n_features_in_", "feature_names_in_")

# What the arrays of a classifier must be, besides those of all models; v values, a active constraints.
SHAPES: Shapes = {
    **ROWS,
    "model/beta": ("f", "n", ""),
    "model/starts": ("i", "s", ""),
    "model/opposition": ("f", "ow", ""),
    "model/rank": ("i", "k", "k"),
    "attributes/beta_": ("f", "m", ""),
    "solution/values": ("f", "v", ""),
    "solution/active/tail": ("i", "a", "v"),
    "solution/active/head": ("i", "a", "v"),
    "solution/active/bound": ("f", "a", ""),
    "solution/multipliers": ("f", "a", ""),
    **RECORDS,
    "records/codes": ("i", "r", "k"),
}


SOFT: Shapes = {"soft/times": ("f", "n", "")}


def describe(clf: FGAClassifier, *, values: bool) -> dict[str, Any]:
    """Everything that prediction and explanation need, and the parameters."""
    model, soft, solution = clf._model, clf._soft, clf.solution_
    envelope, table = model.envelope, None if clf._precomputed else clf._table
    parts = {
        "params": clf.get_params(deep=False),
        "metric": name_of(clf._plain_metric),
        "gamma": model.gamma,
        "exponent": exponent_of(model.isomorphism, "isomorphism"),
        "n_jobs": envelope.n_jobs,
        "attributes": {name: getattr(clf, name) for name in ATTRIBUTES if hasattr(clf, name)},
        "table": table_parts(table),
        "rows": rows_parts(envelope.rows),
        "model": {
            "beta": model.beta,
            "starts": model.starts,
            "opposition": model.opposition,
            "rank": model.tie_order,
        },
        "soft": None if soft is None else {"times": soft.multiplicity, "owa": soft.owa},
        "solution": solution_parts(solution),
        "records": records_parts(clf._records, values=values),
    }
    try:
        check(parts, table)
    except ModelFileError as error:  # as after a second fit that failed half-way
        raise ModelFileError(f"the fitted model {error}") from None
    return parts


def rebuild(parts: dict[str, Any]) -> FGAClassifier:
    """The classifier that was described, after everything has been checked."""
    table = table_of(parts["table"])
    check(parts, table)
    clf = FGAClassifier(**parts["params"])
    for name in ATTRIBUTES:
        if name in parts["attributes"]:
            setattr(clf, name, parts["attributes"][name])
    if table is not None:
        clf._table = table
    clf._plain_metric = NAMED[parts["metric"]]()
    metric, gamma, phi = clf._plain_metric, parts["gamma"], power(parts["exponent"])
    if phi != IDENTITY:
        metric, gamma = Dissimilarity(metric, gamma, phi), 1.0
    envelope = Envelope(rows_of(parts["rows"]), metric, gamma, parts["n_jobs"])
    model = parts["model"]
    clf._model = GranularModel(
        envelope, model["beta"], model["starts"], model["opposition"], tie_order=model["rank"], isomorphism=phi
    )
    soft = parts["soft"]
    clf._soft = soft and OwaBounds(envelope, clf._model.degrees(), soft["times"], soft["owa"], phi)
    clf.solution_ = solution_of(parts["solution"])
    clf._records = records_of(parts["records"])
    return clf


def check(parts: dict[str, Any], table: Table | None) -> None:
    """Refuse arrays that do not fit each other: the compiled loops trust them."""
    sizes = _sizes(parts, table)
    shapes = SHAPES | (ORDERED if sizes["u"] else {}) | ({} if parts["soft"] is None else SOFT)
    check_arrays(parts, shapes, sizes)
    starts = parts["model"]["starts"]
    if starts[0] != 0 or starts[-1] != sizes["n"] or (np.diff(starts) < 0).any():
        raise inconsistent(f"its classes start at {starts.tolist()}, but it has {sizes['n']} nodes")
    check_records(parts["records"], sizes)


def _sizes(parts: dict[str, Any], table: Table | None) -> dict[str, int]:
    """Lengths of the axes that are known beforehand."""
    k, n = len(parts["attributes"]["classes_"]), len(parts["model"]["beta"])
    sizes = {"k": k, "s": k + 1, "n": n, "v": n if k == 2 else 2 * n, "o": k, "w": n}
    if k == 2:  # the other class's beta is what opposes
        sizes |= {"o": 0, "w": 0}
    return sizes | column_sizes(table, parts["metric"], parts["attributes"]["n_features_in_"])
