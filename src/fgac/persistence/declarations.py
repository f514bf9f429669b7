"""What a model file holds: every part of every kind of model, its type, its range, and what it is to the others.

The letters of the axes: k classes, b boundaries between them, n nodes, f columns of the training table, t columns that
have names, p numeric, q codes of, u ordered and d categorical columns, g sums of a score, m rows of the table given
to fit, r of them of positive weight, s starts of classes, o by w opposition of classes to nodes, v values and a active
constraints of a solution, e edges of a gamma path between variables, y of them. A dot is any length.

To store another field, add its line here; mark it as optional, so that older files are still read, and give the field
a default in its class.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fgac.fuzzy.isomorphisms import Isomorphism
from fgac.fuzzy.owa import FAMILIES
from fgac.metrics.distances import NAMED, UNKNOWN
from fgac.persistence import limits
from fgac.persistence import relations as relate
from fgac.persistence.schema import Dict, Either, Many, Maybe, Record, Tuple
from fgac.persistence.schema_base import Part, Relation
from fgac.persistence.schema_values import Array, Choice, Flag, Kind, Label, Labels, Number, Text, Whole
from fgac.solve.nearest import AMONG
from fgac.solve.problem import LOSSES
from fgac.tables.columns import N_KNOTS
from fgac.tables.targets import TARGET_SCALES
from fgac.tables.value_kinds import KINDS

LARGEST = float(np.finfo(np.float64).max)
FINITE = Number(-LARGEST, LARGEST)
POSITIVE = Number(0.0, np.inf, between=True)
AT_LEAST_0 = Number(0.0, LARGEST)
SHARE = Number(0.0, 1.0, between=True, typed=True)
GAMMA = Number(*limits.GAMMA)
EXPONENT = Number(*limits.EXPONENT)
METRIC = Choice(tuple(NAMED))
THREADS = Maybe(Whole(-4096, 4096, but=(0,)))


def coordinates(axes: str, *, by_column: bool = False) -> Array:
    """Numbers of which squares can be added up."""
    return Array("f8", axes, -limits.COORDINATE, limits.COORDINATE, by_column=by_column)


def finite(axes: str, also: float | None = None) -> Array:
    """Numbers of any size."""
    return Array("f8", axes, -LARGEST, LARGEST, also=also)


def degrees(axes: str, also: float | None = None) -> Array:
    """Degrees of membership."""
    return Array("f8", axes, 0.0, 1.0, also=also)


# ----------------------------------------------------------------------------------------------------
# Parameters of the estimators
# ----------------------------------------------------------------------------------------------------

# What a caller may say of columns or classes: one word, or something for each of them. No prediction depends on it.
WORD = Either((Choice((None,)), Label()))
EACH = Either((WORD, Many(WORD), Dict(WORD, WORD), Labels(".", "biufUOmM")))
WEIGHTS = Either((Many(Number(0.0, 1.0, typed=True)), Labels(".", "iuf")))
FAMILY = Choice((None, *FAMILIES))
OWA = Either((FAMILY, WEIGHTS, Tuple((Either((FAMILY, WEIGHTS)), Whole(1)))))

SHARED_PARAMS: dict[str, Part] = {
    "gamma": Number(*limits.GAMMA, typed=True),
    "loss": Choice(LOSSES),
    "metric": METRIC,
    "scale": Choice(("auto", "range", "robust", "rank", None)),
    "categorical_features": EACH,
    "feature_weights": EACH,
    "monotonic_cst": EACH,
    "tol": Number(0.0, np.inf, between=True, typed=True),
    "n_jobs": THREADS,
    "verbose": Either((Flag(), Whole(-(2**31), 2**31))),
}
CLASS_PARAMS: dict[str, Part] = {**SHARED_PARAMS, "class_weight": EACH, "ties": Choice(("nearest", "first"))}
PARAMS = Record(
    {
        **CLASS_PARAMS,
        "neighbors_among": Choice(AMONG),
        "n_neighbors": Maybe(Either((Whole(1), Number(0.0, 1.0, typed=True)))),
        "owa": OWA,
        "isomorphism": Maybe(Either((Choice(("identity",)), Number(*limits.EXPONENT, typed=True), Kind(Isomorphism)))),
    },
    optional=("neighbors_among",),  # the first files are older
)
ORDINAL_PARAMS = Record({**CLASS_PARAMS, "class_order": EACH})
REGRESSOR_PARAMS = Record(
    {
        **SHARED_PARAMS,
        "quantile": SHARE,
        "interval": Maybe(SHARE),
        "target_scale": Either((Choice(TARGET_SCALES), Many(Number(-np.inf, np.inf, between=True, typed=True)))),
    },
    optional=("target_scale",),  # which was the range
)

# ----------------------------------------------------------------------------------------------------
# What all kinds of models are made of
# ----------------------------------------------------------------------------------------------------

HEADER: dict[str, Part] = {
    "n_features_in_": Whole(1),
    "feature_names_in_": Labels("f", "OU"),
    "target_name": Text(),
}
# Not every table has names, and files of older versions know nothing of that of y.
OPTIONAL_HEADER = ("feature_names_in_", "target_name")

# How gamma was chosen; absent if it was given, and from files that are older.
SELECTION = Record(
    {
        "score_name": Text(),
        "score": FINITE,
        "n_folds": Whole(1),
        "n_rows": Whole(1),
        "argued_share": Maybe(Number(0.0, 1.0)),
        "median_strength": Maybe(Number(0.0, 1.0)),
        "n_groups": Maybe(Whole(2)),
    },
    optional=("argued_share", "median_strength", "n_groups"),
)

KNOTS = Many(FINITE, kinds=(tuple,), low=1, high=N_KNOTS)
SHARES = Many(Number(0.0, 1.0), kinds=(tuple,), low=1, high=N_KNOTS)
COLUMN = Record(
    {
        "name": Text(),
        "scale": POSITIVE,
        "weight": AT_LEAST_0,
        "categories": Maybe(Dict(Label(), Whole(0))),
        "direction": Whole(-1, 1),
        "ranks": Maybe(Tuple((KNOTS, SHARES))),
        "origin": FINITE,
        "middle": FINITE,
        "unknown_weight": AT_LEAST_0,
        "kind": Choice(KINDS),
    },
    # Files of version 1 have no origin, and those before unknown values nothing about these, nor kinds of numbers.
    optional=("origin", "middle", "unknown_weight", "kind"),
    relations=(
        Relation("categories have neither ranks nor a direction nor a kind of numbers", relate.is_one_role),
        Relation("its columns are not numbered as they should be: categories count from 0", relate.is_numbered),
        Relation("ranks do not rise with their values", relate.ranks_rise),
    ),
)
SCORE = Record(
    {
        "weight": Number(0.0, limits.COORDINATE),
        "intercepts": coordinates("g"),
        "slopes": coordinates(".g"),
        "steps": Many(coordinates(".g"), kinds=(tuple,)),
        "knots": Many(coordinates("."), kinds=(tuple,)),
        "heights": Many(coordinates(".g"), kinds=(tuple,)),
        "is_ordered": Flag(),
    },
    # Files of lines without bends have neither knots nor heights, and only scores of ordered classes say what they are.
    optional=("knots", "heights", "is_ordered"),
    relations=(
        Relation("it adds up nothing", relate.has_sums),
        Relation("its bends are not in order", relate.bends_are_in_order),
    ),
    own="g",
)
TABLE = Record(
    {
        "columns": Many(COLUMN, kinds=(list,), axis="f"),
        "unit": Number(1e-12, 1.0),
        "in_order": Choice((False,)),
        "score": Maybe(SCORE),
    },
    optional=("score",),
    relations=(Relation("its score is one of other columns", relate.score_fits_columns),),
)

ROWS = Record(
    {
        "numeric": coordinates("np", by_column=True),
        "codes": Array("i4", "nq", low=UNKNOWN),
        "mismatch": Array("f8", "d", low=0.0, high=limits.COORDINATE),
        "ordered": Maybe(coordinates("nu"), only_with="u"),
        "facing": Maybe(Array("f8", "n", low=-1.0, high=1.0), only_with="u"),
    }
)

# What the caller gave, column by column: numbers, or names; nan or None where it is unknown.
VALUES = Either((finite("r", also=np.nan), Labels("r", "O", unknown=True)))
RECORDS = Record(
    {
        "positions": Array("i8", "r", numbers="m"),
        "ids": Labels("r", "biufU"),
        "codes": Array("i8", "r", numbers="c"),
        "nodes": Array("i8", "r", numbers="n"),
        "names": Many(Text(), kinds=(tuple,), axis="t"),
        "values": Maybe(Many(VALUES, kinds=(tuple,), axis="t")),
    },
    relations=(
        Relation("its rows do not stand in the order of their table", relate.positions_rise),
        Relation("it has nodes that stand for no row", relate.nodes_have_rows),
    ),
)


CALIBRATION = Record(
    {
        "coefficients": finite(".."),
        "intercepts": finite("."),
        "knots": finite("."),
        "levels": degrees("."),
        "confidences": degrees("."),
        "cases": Array("i8", ".", low=1),
        "right": Array("i8", ".", low=0),
    },
    relations=(
        Relation("it has neither a curve of two classes nor a logistic model of them", relate.calibration_is_whole),
        Relation("its groups of predictions do not fit each other", relate.groups_are_whole),
    ),
)


def solution_of(values: str) -> Record:
    """A solved problem with as many values as an axis is long."""
    return Record(
        {
            "values": Array("f8", values, low=-limits.SOLVED, high=limits.SOLVED),
            "active": Record(
                {
                    "tail": Array("i8", "a", numbers=values),
                    "head": Array("i8", "a", numbers=values),
                    # Distances times gamma, but for rounding: they are found as differences of values.
                    "bound": Array("f8", "a", -1.0, limits.COORDINATE),
                }
            ),
            "multipliers": Array("f8", "a", low=0.0, high=limits.MULTIPLIER),
            "objective": FINITE,
            "largest_violation": FINITE,
            "dual_residual": FINITE,
            "duality_gap": FINITE,
            "n_constraints": Whole(0),
            "n_rounds": Whole(0),
            "n_pivots": Whole(0),
            "seconds": Dict(Text(), AT_LEAST_0),
            "scale": POSITIVE,
            "loss_unit": AT_LEAST_0,
            "complementarity": AT_LEAST_0,
            "rounding": AT_LEAST_0,
        },
        optional=("loss_unit", "complementarity", "rounding"),  # files of version 1 have none of the three
        own="a",
    )


COLUMN_LENGTHS = {
    "f": relate.n_features,
    "t": relate.n_columns,
    "p": relate.n_numeric,
    "q": relate.n_codes,
    "d": relate.n_categorical,
    "u": relate.n_ordered,
}
OF_COLUMNS = (
    Relation("it has columns exactly if it has only distances", relate.has_columns_or_distances),
    Relation("it compares directions of what is not numbers", relate.angles_are_of_numbers),
    Relation("its columns have other names than its header", relate.names_agree),
    Relation("rows/codes points outside of the categories there are", relate.codes_are_known),
    Relation("rows/mismatch is not what the weights of its columns say", relate.mismatches_agree),
    Relation("rows/numeric holds no distances, or lies in memory as no rows do", relate.distances_are_distances),
    Relation("the values of its rows are not what its columns hold", relate.values_fit_columns),
)

# ----------------------------------------------------------------------------------------------------
# Kinds of models
# ----------------------------------------------------------------------------------------------------

CALIBRATED = Relation("probabilities of rows held out are not those of a calibration", relate.held_out_is_calibrated)
# A classifier of two sides of a boundary between ordered classes, which are calibrated all together.
BOUNDARY = Record(
    {
        "params": PARAMS,
        "selection": SELECTION,
        "metric": METRIC,
        "gamma": GAMMA,
        "exponent": EXPONENT,
        "n_jobs": THREADS,
        "attributes": Record(
            {
                **HEADER,
                "classes_": Labels("k", "biufUmMO", distinct=True),
                "beta_": degrees("m", also=np.nan),
            },
            optional=OPTIONAL_HEADER,
        ),
        "table": Maybe(TABLE),
        "model": Record(
            {
                "beta": degrees("n"),
                "starts": Array("i8", "s"),
                "opposition": degrees("ow", also=-np.inf),
                "rank": Array("i8", "k", numbers="k"),
            },
            relations=(
                Relation("its classes do not start one after the other", relate.starts_rise),
                Relation("two of its classes have the same rank", relate.ranks_are_places),
            ),
        ),
        "rows": ROWS,
        "soft": Maybe(Record({"times": Array("f8", "n", *limits.TIMES), "owa": OWA})),
        "bent": Flag(),
        "solution": solution_of("v"),
        "records": RECORDS,
        "calibration": CALIBRATION,
        "held_out": degrees("m", also=np.nan),
    },
    # "bent" is there only where the isomorphism does not bend distances.
    optional=("bent", "selection", "calibration", "held_out"),
    rules={
        **COLUMN_LENGTHS,
        "s": lambda context: context.length("k") + 1,
        "c": lambda context: context.length("k"),
        "o": relate.n_opposition,
        "w": relate.n_opposing,
        "v": relate.n_values,
    },
    relations=(
        *OF_COLUMNS,
        Relation("nodes oppose their own class", relate.own_nodes_do_not_oppose),
        Relation("its rows have other classes than their nodes", relate.rows_have_classes_of_nodes),
        Relation("its classes do not face each other", relate.classes_face_each_other),
        Relation("soft/owa holds no weights for as many rows as there are", relate.owa_fits),
        Relation("memberships are not those of the rows trained on", relate.beta_is_of_rows),
        Relation("probabilities of rows held out are not those of the rows trained on", relate.held_out_is_of_rows),
    ),
)

CLASSIFIER = replace(BOUNDARY, relations=(*BOUNDARY.relations, CALIBRATED))

ORDINAL = Record(
    {
        "params": ORDINAL_PARAMS,
        "selection": SELECTION,
        "attributes": Record(
            {
                **HEADER,
                "classes_": Labels("k", "biufUmMO", distinct=True),
                "beta_": degrees("m", also=np.nan),
            },
            optional=OPTIONAL_HEADER,
        ),
        "table": Maybe(TABLE),
        "boundaries": Many(BOUNDARY, kinds=(list,), axis="b"),
        "calibration": CALIBRATION,
    },
    optional=("selection", "calibration"),
    rules={"f": relate.n_features, "b": lambda context: context.length("k") - 1},
    relations=(
        Relation("its columns have other names than its header", relate.names_agree),
        Relation("its boundaries are of different tables", relate.boundaries_share_a_table),
        CALIBRATED,
    ),
)

OF_NODES = {**COLUMN_LENGTHS, "c": lambda context: context.length("n")}
OF_NUMBERS = (
    *OF_COLUMNS,
    Relation("its targets are not scaled as it says", relate.scale_is_of_targets),
    Relation("its rows do not all face up", relate.values_face_up),
    Relation("its interval lacks an end, its margin or its share", relate.interval_is_whole),
    Relation("fitted values are not those of the rows trained on", relate.fitted_is_of_rows),
)
NUMBERS: dict[str, Part] = {
    "params": REGRESSOR_PARAMS,
    "selection": SELECTION,
    "metric": METRIC,
    "gamma": GAMMA,
    "n_jobs": THREADS,
    "attributes": Record(
        {
            **HEADER,
            "fitted_": finite("m", also=np.nan),
            "interval_margin_": Number(-limits.TARGET_WIDTH, limits.TARGET_WIDTH),
        },
        optional=(*OPTIONAL_HEADER, "interval_margin_"),
    ),
    "table": Maybe(TABLE),
    "targets": finite("n"),
    "scale": Record({"low": FINITE, "width": Number(0.0, limits.TARGET_WIDTH, between=True), "is_constant": Flag()}),
    "rows": ROWS,
    "solutions": Many(solution_of("n"), kinds=(list,), low=1, high=3),
    "records": RECORDS,
}
SPREAD = Record(
    {
        "below": Number(-limits.TARGET_WIDTH, limits.TARGET_WIDTH),
        "above": Number(-limits.TARGET_WIDTH, limits.TARGET_WIDTH),
        "least": Number(0.0, limits.TARGET_WIDTH, between=True),
        "state": Record(NUMBERS, optional=("selection",), rules=OF_NODES, relations=OF_NUMBERS),
    }
)
REGRESSOR = Record(
    {**NUMBERS, "spread": SPREAD, "held_out": finite("m", also=np.nan)},
    optional=("selection", "spread", "held_out"),
    rules=OF_NODES,
    relations=(
        *OF_NUMBERS,
        Relation("its spread is of other columns", relate.spread_is_of_columns),
        Relation("numbers predicted of rows held out are not those of the rows trained on", relate.numbers_are_of_rows),
    ),
)

# A gamma path: its model for the least gamma, and the constraints that are tight for every gamma.
PATH = Record(
    {
        "model": CLASSIFIER,
        "edges": Record(
            {
                "weights": Array("f8", "y", *limits.WEIGHTS),
                "tail": Array("i8", "e", numbers="y"),
                "head": Array("i8", "e", numbers="y"),
                "distance": Array("f8", "e", 0.0, limits.COORDINATE),
                "start": Array("f8", "e", 0.0, LARGEST, also=np.inf),
                "stop": Array("f8", "e", 0.0, LARGEST),
                "largest_gamma": AT_LEAST_0,
                "n_events": Whole(0),
                "n_stages": Whole(0),
                "largest_violation": AT_LEAST_0,
            }
        ),
    },
    rules={"y": relate.n_path_values},
    relations=(
        Relation("its constraints are not between rows of different classes", relate.edges_join_classes),
        Relation("its constraints cease to be tight before they are", relate.edges_stop_after_start),
        Relation("its model is of a kind that has no path", relate.model_has_path),
    ),
)

# By their names in files.
MODELS = {"classifier": CLASSIFIER, "regressor": REGRESSOR, "ordinal": ORDINAL, "path": PATH}
NOTES = Dict(Text(), Text())
