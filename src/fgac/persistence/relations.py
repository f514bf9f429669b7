"""What the parts of a model are to each other: which lengths follow from which, and what must agree.

Every function takes parts that have been checked one by one (so that types and ranges can be relied on) and the lengths
that are known. :mod:`fgac.persistence.declarations` says where each of them holds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Ints
from fgac.fuzzy.owa import cumulative_owa
from fgac.granular.calibration import BENDS
from fgac.metrics.distances import UNSEEN
from fgac.persistence import limits
from fgac.persistence.schema_base import Context, Parts
from fgac.tables.targets import FARTHEST, TargetScale

PRECOMPUTED = "precomputed"
ANGULAR = "angular"

# ----------------------------------------------------------------------------------------------------
# Lengths
# ----------------------------------------------------------------------------------------------------


def n_features(context: Context) -> int:
    """How many columns the table of the training rows had."""
    return int(context.parts["attributes"]["n_features_in_"])


def columns_of(parts: Parts) -> list[Parts]:
    """What is known of every column; nothing if there are only distances."""
    return [] if parts["table"] is None else parts["table"]["columns"]


def n_columns(context: Context) -> int:
    """How many columns can be named and explained: none of distances."""
    return len(columns_of(context.parts))


def n_categorical(context: Context) -> int:
    """How many columns hold categories."""
    return sum(column["categories"] is not None for column in columns_of(context.parts))


def n_ordered(context: Context) -> int:
    """How many columns have a direction."""
    return sum(column["direction"] != 0 for column in columns_of(context.parts))


def n_numeric(context: Context) -> int:
    """How many coordinates count as they are; of distances, one to every row of the training table."""
    if context.parts["table"] is None:
        return n_features(context)
    table = context.parts["table"]
    return _n_own(table["columns"]) + _n_scored(table)


def _n_own(columns: list[Parts]) -> int:
    """How many numeric coordinates columns have: their numbers, and the marks of unknown ones."""
    numbers = sum(column["categories"] is None and column["direction"] == 0 for column in columns)
    return numbers + sum(column.get("unknown_weight", 0.0) != 0 for column in columns)


def _n_scored(table: Parts) -> int:
    """How many coordinates a score adds."""
    score = table.get("score")
    if score is None:
        return 0
    n = len(score["intercepts"])
    if score.get("is_ordered", False):
        return n - 1
    return 1 if n == 2 else n  # which is 1 of numbers


def n_codes(context: Context) -> int:
    """How many codes a row has: those of its categories; of distances, its own number among the training rows."""
    return 1 if context.parts["table"] is None else n_categorical(context)


def n_opposition(context: Context) -> int:
    """Classes whose opposition is stored: with two, the other one's memberships are it."""
    return 0 if context.length("k") == 2 else context.length("k")


def n_opposing(context: Context) -> int:
    """Nodes whose opposition is stored."""
    return 0 if context.length("k") == 2 else context.length("n")


def n_values(context: Context) -> int:
    """Variables of the solved problem: one per node with two classes, else two."""
    return context.length("n") * (1 if context.length("k") == 2 else 2)


# ----------------------------------------------------------------------------------------------------
# Columns and rows
# ----------------------------------------------------------------------------------------------------


def has_sums(score: Parts, _: Context) -> bool:
    """Whether a score has a sum for every class, or one for a number, which is no class that has an order."""
    return len(score["intercepts"]) > (1 if score.get("is_ordered", False) else 0)


def bends_are_in_order(score: Parts, _: Context) -> bool:
    """Whether lines have a height at every knot, and knots that rise, for all coordinates or for none."""
    knots, heights = score.get("knots", ()), score.get("heights", ())
    return (
        len(knots) in (0, len(score["slopes"]))
        and [len(part) for part in knots] == [len(part) for part in heights]
        and all((np.diff(part) > 0).all() for part in knots)
    )


def score_fits_columns(table: Parts, _: Context) -> bool:
    """Whether a score has coefficients for the coordinates and the categories there are."""
    score = table.get("score")
    if score is None:
        return True
    sizes = [len(column["categories"]) for column in table["columns"] if column["categories"] is not None]
    return len(score["slopes"]) == _n_own(table["columns"]) and [len(part) for part in score["steps"]] == sizes


def is_one_role(column: Parts, _: Context) -> bool:
    """Whether a column of categories has none of what only numbers have."""
    plain = column["direction"] == 0 and column["ranks"] is None and column.get("unknown_weight", 0.0) == 0
    return column["categories"] is None or (plain and column.get("kind", "number") == "number")


def is_numbered(column: Parts, _: Context) -> bool:
    """Whether categories are numbered in their order."""
    categories = column["categories"]
    if not categories:  # one in which nothing is known counts for nothing
        return categories is None or column["weight"] == 0
    return list(categories.values()) == list(range(len(categories)))


def ranks_rise(column: Parts, _: Context) -> bool:
    """Whether values whose ranks are known rise, and the shares of rows below them do not fall."""
    if column["ranks"] is None:
        return True
    values, shares = map(np.asarray, column["ranks"])
    return len(values) == len(shares) and bool((values[1:] > values[:-1]).all() and (shares[1:] >= shares[:-1]).all())


def has_columns_or_distances(parts: Parts, _: Context) -> bool:
    """Whether there are columns exactly if there are not only distances."""
    return (parts["table"] is None) == (parts["metric"] == PRECOMPUTED)


def angles_are_of_numbers(parts: Parts, _: Context) -> bool:
    """Whether rows that are compared by direction have nothing that counts but numbers as they are."""
    return parts["metric"] != ANGULAR or (
        parts["table"].get("score") is None and all(_is_part_of_a_direction(column) for column in columns_of(parts))
    )


def _is_part_of_a_direction(column: Parts) -> bool:
    """Whether a column holds numbers that are counted from 0, or counts for nothing."""
    if column["categories"] is not None:
        return bool(column["weight"] == 0)
    moved = (column.get(name, 0.0) != 0 for name in ("origin", "middle", "unknown_weight", "direction"))
    return column["ranks"] is None and not any(moved)


def names_agree(parts: Parts, _: Context) -> bool:
    """Whether columns are called as the header of the training table says."""
    names = parts["attributes"].get("feature_names_in_")
    columns = [column["name"] for column in columns_of(parts)]
    return names is None or parts["table"] is None or [str(name) for name in names] == columns


def codes_are_known(parts: Parts, context: Context) -> bool:
    """Whether every code is that of a category; of distances, that of a row of the training table."""
    table, codes = parts["table"], parts["rows"]["codes"]
    if table is None:
        return bool(((codes >= 0) & (codes < n_features(context))).all())
    counts = [len(column["categories"]) for column in table["columns"] if column["categories"] is not None]
    return bool(((codes < np.array(counts, dtype=np.int64)) & (codes != UNSEEN)).all())


def mismatches_agree(parts: Parts, _: Context) -> bool:
    """Whether different categories count as much as the weights of their columns say."""
    columns = [column for column in columns_of(parts) if column["categories"] is not None]
    return parts["rows"]["mismatch"].tolist() == [column["weight"] * parts["table"]["unit"] for column in columns]


def distances_are_distances(parts: Parts, context: Context) -> bool:
    """Whether rows that are known by distances hold no negative ones, and others lie as compiled loops expect."""
    numeric = parts["rows"]["numeric"]
    if parts["table"] is not None:
        return bool(numeric.flags.c_contiguous)
    return context.length("m") == n_features(context) and bool((numeric >= 0).all())


# ----------------------------------------------------------------------------------------------------
# Training rows
# ----------------------------------------------------------------------------------------------------


def positions_rise(records: Parts, _: Context) -> bool:
    """Whether training rows stand in the order of their table, none of them twice."""
    positions = records["positions"]
    return bool((positions[1:] > positions[:-1]).all())


def nodes_have_rows(records: Parts, context: Context) -> bool:
    """Whether every node stands for a row."""
    return bool(np.bincount(records["nodes"], minlength=context.length("n")).all())


def values_fit_columns(parts: Parts, _: Context) -> bool:
    """Whether kept values are categories in the columns that have categories, and numbers in all others."""
    kept = parts["records"]["values"]
    return kept is None or all(
        (part.dtype.kind == "O") == (column["categories"] is not None)
        for part, column in zip(kept, columns_of(parts), strict=True)
    )


def known_where_present(known: Any, records: Parts) -> bool:
    """Whether rows of the training table have a result exactly if they were trained on."""
    present = np.zeros(len(known), dtype=bool)
    present[records["positions"]] = True
    return bool((np.isfinite(known) == present).all())


def beta_is_of_rows(parts: Parts, _: Context) -> bool:
    """Whether the rows that were trained on have a membership, and no others."""
    return known_where_present(parts["attributes"]["beta_"], parts["records"])


def held_out_is_of_rows(parts: Parts, _: Context) -> bool:
    """Whether the rows that were trained on have a probability, and no others; or there is none."""
    return "held_out" not in parts or known_where_present(parts["held_out"], parts["records"])


def held_out_is_calibrated(parts: Parts, _: Context) -> bool:
    """Whether probabilities of rows held out, if there are any, are there beside the calibration that made them."""
    boundaries = parts.get("boundaries", [parts])
    return "calibration" in parts or not any("held_out" in part for part in boundaries)


def fitted_is_of_rows(parts: Parts, _: Context) -> bool:
    """Whether the rows that were trained on have a fitted value, and no others."""
    return known_where_present(parts["attributes"]["fitted_"], parts["records"])


def numbers_are_of_rows(parts: Parts, _: Context) -> bool:
    """Whether the rows that were trained on have a number predicted of them, and no others; or none has one.

    Numbers are predicted between the targets. If they were far from these, differences could overflow.
    """
    if "held_out" not in parts:
        return True
    known, (low, high) = parts["held_out"], TargetScale.of(parts["targets"]).ends
    low, high = low - (high - low), high + (high - low)
    is_between = bool(((known >= low) & (known <= high))[np.isfinite(known)].all())
    return is_between and known_where_present(known, parts["records"])


# ----------------------------------------------------------------------------------------------------
# Classes
# ----------------------------------------------------------------------------------------------------


def calibration_is_whole(parts: Parts, context: Context) -> bool:
    """Whether there is a rising curve of two classes, or else coefficients for every class and kind of degree."""
    knots, n_classes = parts["knots"], context.length("k")
    if len(parts["levels"]) != len(knots):
        return False
    if len(knots):
        is_rising = bool((knots[1:] > knots[:-1]).all() and (np.diff(parts["levels"]) >= 0).all())
        return n_classes == 2 and is_rising and not parts["coefficients"].size and not parts["intercepts"].size
    # Ordered classes have a degree for every boundary.
    n_degrees = n_classes - 1 if "boundaries" in context.parts else n_classes
    shapes = ((n_degrees, n_classes), (n_degrees * (1 + len(BENDS)), n_classes))
    return parts["coefficients"].shape in shapes and len(parts["intercepts"]) == n_classes


def groups_are_whole(parts: Parts, _: Context) -> bool:
    """Whether groups of predictions rise in confidence, and none has more right ones than cases."""
    limits, cases, right = parts["confidences"], parts["cases"], parts["right"]
    if not len(cases) == len(right) == len(limits) + 1:
        return False
    return bool((limits[1:] > limits[:-1]).all() and (right <= cases).all())


def own_classes(parts: Parts) -> Ints:
    """The class of every node, of starts that have been checked."""
    starts = parts["model"]["starts"]
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def starts_rise(model: Parts, context: Context) -> bool:
    """Whether classes follow one another from the first node to the last, none of them empty."""
    starts = model["starts"]  # compared, not subtracted: differences of 64 bits wrap around
    return bool(starts[0] == 0 and starts[-1] == context.length("n") and (starts[1:] > starts[:-1]).all())


def ranks_are_places(model: Parts, _: Context) -> bool:
    """Whether every class has a place of its own in the order that decides ties."""
    return bool((np.sort(model["rank"]) == np.arange(len(model["rank"]))).all())


def own_nodes_do_not_oppose(parts: Parts, context: Context) -> bool:
    """Whether the nodes of a class, and no others, cannot oppose it."""
    opposition = parts["model"]["opposition"]
    if not opposition.size:
        return True
    return bool(((opposition == -np.inf) == (own_classes(parts) == np.arange(context.length("k"))[:, None])).all())


def rows_have_classes_of_nodes(parts: Parts, _: Context) -> bool:
    """Whether training rows have the classes of their nodes."""
    records = parts["records"]
    return bool((records["codes"] == own_classes(parts)[records["nodes"]]).all())


def classes_face_each_other(parts: Parts, context: Context) -> bool:
    """Whether, with ordered columns, nodes of the first of two classes count from above, of the second from below."""
    facing = parts["rows"]["facing"]
    if facing is None:
        return True
    return context.length("k") <= 2 and bool((facing == np.where(own_classes(parts) == 0, 1.0, -1.0)).all())


def owa_fits(parts: Parts, _: Context) -> bool:
    """Whether ordered weights are weights, as many as nodes count; those of a family always are."""
    if parts["soft"] is None:
        return True
    family, k = parts["soft"]["owa"] if isinstance(parts["soft"]["owa"], tuple) else (parts["soft"]["owa"], None)
    if family is None or isinstance(family, str):
        return True
    total = float(parts["soft"]["times"].sum())
    try:
        return total <= limits.RANKS and cumulative_owa(family, total, k) is not None
    except ValueError:
        return False


# ----------------------------------------------------------------------------------------------------
# Ordered classes, and numbers
# ----------------------------------------------------------------------------------------------------


def _same_table(one: Parts | None, other: Parts | None) -> bool:
    """Whether two tables are the same; scores hold arrays, which have no equality of their own."""
    if one is None or other is None:
        return one is other
    scores = [table.get("score") for table in (one, other)]
    plain = [{name: part for name, part in table.items() if name != "score"} for table in (one, other)]
    return plain[0] == plain[1] and _same_score(*scores)


def _same_score(one: Parts | None, other: Parts | None) -> bool:
    if one is None or other is None:
        return one is other
    lists = ("steps", "knots", "heights")
    arrays = [[score["weight"], score["intercepts"], score["slopes"]] for score in (one, other)]
    for score, found in zip((one, other), arrays, strict=True):
        found += [part for name in lists for part in score.get(name, ())]
    return len(arrays[0]) == len(arrays[1]) and all(map(np.array_equal, *arrays))


def boundaries_share_a_table(parts: Parts, _: Context) -> bool:
    """Whether all boundaries are between the same rows of the same table."""
    known, boundaries = parts["attributes"], parts["boundaries"]
    same = all(
        len(other["attributes"]["classes_"]) == 2
        and len(other["attributes"]["beta_"]) == len(known["beta_"])
        and other["attributes"]["n_features_in_"] == known["n_features_in_"]
        and _same_table(other["table"], parts["table"])
        and np.array_equal(other["records"]["positions"], boundaries[0]["records"]["positions"])
        for other in boundaries
    )
    return same and (not boundaries or known_where_present(known["beta_"], boundaries[0]["records"]))


def scale_is_of_targets(parts: Parts, _: Context) -> bool:
    """Whether targets are scaled by their own range, or by another that they are not too far from."""
    low, high = float(parts["targets"].min()), float(parts["targets"].max())
    scale = TargetScale(**parts["scale"])
    # Where all are equal, the width is 1, because it divides.
    if scale == TargetScale(low, high - low or 1.0, high == low):
        return True
    is_other = parts["params"].get("target_scale", "range") != "range" and low < high and not scale.is_constant
    return is_other and max(high - low, abs(scale.low - low)) <= FARTHEST * scale.width


def values_face_up(parts: Parts, _: Context) -> bool:
    """Whether nodes are stored as seen from above; regression turns them as it needs."""
    facing = parts["rows"]["facing"]
    return facing is None or bool((facing == 1.0).all())


def interval_is_whole(parts: Parts, _: Context) -> bool:
    """Whether an interval has both its ends, its margin and its share, or a spread and its share, or nothing of it."""
    has_ends, has_margin = len(parts["solutions"]) == 3, "interval_margin_" in parts["attributes"]
    return (
        len(parts["solutions"]) in (1, 3)
        and has_ends == has_margin
        and not (has_ends and "spread" in parts)
        and (not (has_ends or "spread" in parts) or parts["params"]["interval"] is not None)
    )


def spread_is_of_columns(parts: Parts, _: Context) -> bool:
    """Whether the spread of an interval reads rows as the model does, and ends where it does not begin."""
    if "spread" not in parts:
        return True
    spread, tables = parts["spread"], (parts["table"], parts["spread"]["state"]["table"])
    if spread["below"] > spread["above"] or (tables[0] is None) != (tables[1] is None):
        return False
    if tables[0] is None:
        return len(parts["attributes"]["fitted_"]) == len(spread["state"]["attributes"]["fitted_"])
    kinds = [
        [(c["name"], c["categories"] is None) for c in table["columns"] if c["categories"] != {}] for table in tables
    ]
    return len(tables[0]["columns"]) == len(tables[1]["columns"]) and set(kinds[1]) <= set(kinds[0])


# ----------------------------------------------------------------------------------------------------
# Gamma paths
# ----------------------------------------------------------------------------------------------------


def n_path_values(context: Context) -> int:
    """Variables of the problem that a path solves, as many as its model has solved for."""
    return len(context.parts["model"]["solution"]["values"])


def edges_join_classes(parts: Parts, _: Context) -> bool:
    """Whether every constraint goes from a variable that wants to be 1 to one of another class that wants to be 0."""
    own, (tail, head) = own_classes(parts["model"]), (parts["edges"][end] for end in ("tail", "head"))
    n = len(own)
    if len(parts["edges"]["weights"]) == n:  # of two classes, the second wants to be 1
        return bool((own[tail] == 1).all() and (own[head] == 0).all())
    return bool((tail < n).all() and (head >= n).all() and (own[tail] != own[head - n]).all())


def edges_stop_after_start(parts: Parts, _: Context) -> bool:
    """Whether, as gamma falls, constraints cease to be tight after they have become so."""
    return bool((parts["edges"]["stop"] <= parts["edges"]["start"]).all())


def model_has_path(parts: Parts, _: Context) -> bool:
    """Whether a model is solved by least squares over all pairs, without ordered averages or an isomorphism."""
    model = parts["model"]
    absent = [model["params"][name] for name in ("n_neighbors", "owa", "isomorphism")]
    is_plain = model["params"]["loss"] == "squared_error" and model["exponent"] == 1.0 and model["soft"] is None
    return is_plain and absent == [None] * 3
