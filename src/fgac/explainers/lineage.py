"""Where the columns that a fitted transformer gives come from, and the values that its own columns had.

A model at the end of a pipeline knows transformed columns only. For each of them, an :class:`Origin` says which single
column of the caller's it was made of, and by which factor, if it was made by one. :func:`restored` takes transformed
values back, as far as the transformers can. Only public attributes of scikit-learn are read; of a transformer that is
not known here, the names of its columns still tell which it left as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OneToOneFeatureMixin
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)

# Values of a column; None where they cannot be had.
Values = NDArray[Any] | None

AFFINE = (StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler)


@dataclass(frozen=True)
class Origin:
    """What one transformed column was made of.

    Attributes
    ----------
    column : position of the one column it was made of; None if it was made of several, or nobody knows of what
    slope : how many units of that column are one of the transformed column, if the two differ by a factor and an
        offset; None if not
    is_category : whether the transformed column says which category that column has
    """

    column: int | None
    slope: float | None = None
    is_category: bool = False

    def after(self, earlier: Sequence[Origin]) -> Origin:
        """The origin of the same column before an earlier transformer, whose columns have these origins."""
        if self.column is None:
            return self
        first = earlier[self.column]
        both = None if self.slope is None or first.slope is None else self.slope * first.slope
        return Origin(first.column, both, self.is_category or first.is_category)


@dataclass(frozen=True)
class Lineage:
    """The origins of all columns that a transformer gives, and the way back from their values.

    Attributes
    ----------
    origins : one per transformed column
    back : a function from the values of the transformed columns to those of the ``n_columns`` columns it was given
    n_columns : number of these
    """

    origins: tuple[Origin, ...]
    back: Callable[[Sequence[Values]], list[Values]]
    n_columns: int


def lineage(transformer: Any, n_columns: int) -> Lineage:
    """The lineage of a fitted transformer that was given so many columns.

    >>> from sklearn.preprocessing import MinMaxScaler
    >>> found = lineage(MinMaxScaler().fit([[10.0], [60.0]]), 1)
    >>> found.origins, found.back([np.array([0.5])])
    ((Origin(column=0, slope=50.0, is_category=False),), [array([35.0], dtype=object)])
    """
    if isinstance(transformer, Pipeline):
        return _chain([step for _, step in transformer.steps], n_columns)
    if isinstance(transformer, ColumnTransformer):
        return _side_by_side(_column_parts(transformer), n_columns)
    if isinstance(transformer, FeatureUnion):
        return _side_by_side(_union_parts(transformer, n_columns), n_columns)
    if transformer is None or (isinstance(transformer, str) and transformer == "passthrough"):
        return _kept(range(n_columns), n_columns)
    if isinstance(transformer, FunctionTransformer) and transformer.func is None:
        return _kept(range(n_columns), n_columns)
    if isinstance(transformer, OneHotEncoder):
        return _one_hot(transformer, n_columns)
    if isinstance(transformer, SimpleImputer):
        return _imputed(transformer, n_columns)
    if isinstance(transformer, OneToOneFeatureMixin) or _is_elementwise(transformer):
        return _one_to_one(transformer, n_columns)
    if hasattr(transformer, "get_support"):  # a selection of columns
        return _kept(transformer.get_support(indices=True).tolist(), n_columns)
    return _by_name(transformer, n_columns)


# ----------------------------------------------------------------------------------------------------
# Transformers of transformers
# ----------------------------------------------------------------------------------------------------


def _chain(steps: Sequence[Any], n_columns: int) -> Lineage:
    """One transformer after the other."""
    links, n = [], n_columns
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        link = lineage(step, n)
        expected = getattr(following, "n_features_in_", len(link.origins))
        links.append(link if len(link.origins) == expected else _opaque(expected, n))
        n = expected
    origins = [Origin(j, 1.0) for j in range(n)]
    for link in reversed(links):
        origins = [origin.after(link.origins) for origin in origins]

    def back(values: Sequence[Values]) -> list[Values]:
        found = list(values)
        for link in reversed(links):
            found = link.back(found)
        return found

    return Lineage(tuple(origins), back, n_columns)


# A transformer, the columns it is given, and how many it gives.
Part = tuple[Any, list[int], int]


def _column_parts(transformer: ColumnTransformer) -> list[Part]:
    names = getattr(transformer, "feature_names_in_", None)
    places = {} if names is None else {name: j for j, name in enumerate(names)}
    parts = []
    for name, part, columns in transformer.transformers_:
        where = transformer.output_indices_.get(name, slice(0, 0))
        if not (isinstance(part, str) and part == "drop"):
            given = _positions(columns, places, transformer.n_features_in_)
            parts.append((where.start, (part, given, where.stop - where.start)))
    return [part for _, part in sorted(parts, key=lambda each: each[0])]


def _positions(columns: Any, places: dict[Any, int], n: int) -> list[int]:
    """Positions of columns that are given as one, several or a slice of names or positions, or as a mask."""
    if isinstance(columns, slice):
        start, stop = (places[end] if isinstance(end, str) else end for end in (columns.start, columns.stop))
        # A slice of names holds its last one.
        last = stop + 1 if isinstance(columns.stop, str) else stop
        return list(range(n)[slice(start, last, columns.step)])
    each: list[Any] = [columns] if isinstance(columns, str | int | np.integer) else list(columns)
    if each and all(isinstance(one, bool | np.bool_) for one in each):
        return [j for j, holds in enumerate(each) if holds]
    return [places[one] if isinstance(one, str) else range(n)[int(one)] for one in each]


def _union_parts(union: FeatureUnion, n_columns: int) -> list[Part]:
    used = [part for _, part in union.transformer_list if not (isinstance(part, str) and part == "drop")]
    everything = list(range(n_columns))
    return [
        (part, everything, n_columns if isinstance(part, str) else len(part.get_feature_names_out())) for part in used
    ]


def _side_by_side(parts: Sequence[Part], n_columns: int) -> Lineage:
    """Transformers of some columns each, whose results stand side by side."""
    links = [(lineage(part, len(given)), given, n_given) for part, given, n_given in parts]
    origins: list[Origin] = []
    for link, given, n_given in links:
        here = [Origin(column, 1.0) for column in given]
        known = [origin.after(here) for origin in link.origins]
        # If a transformer gives another number of columns than it was thought to, nothing is known of them.
        origins += known if len(known) == n_given else [Origin(None)] * n_given

    def back(values: Sequence[Values]) -> list[Values]:
        found: list[Values] = [None] * n_columns
        start = 0
        for link, given, n_given in links:
            if len(link.origins) == n_given:
                for column, part in zip(given, link.back(values[start : start + n_given]), strict=True):
                    found[column] = found[column] if part is None else part
            start += n_given
        return found

    return Lineage(tuple(origins), back, n_columns)


# ----------------------------------------------------------------------------------------------------
# Transformers of columns
# ----------------------------------------------------------------------------------------------------


def _kept(columns: Sequence[int], n_columns: int) -> Lineage:
    """Some columns as they are."""

    def back(values: Sequence[Values]) -> list[Values]:
        found: list[Values] = [None] * n_columns
        for column, part in zip(columns, values, strict=True):
            found[column] = part
        return found

    return Lineage(tuple(Origin(column, 1.0) for column in columns), back, n_columns)


def _one_to_one(transformer: Any, n_columns: int) -> Lineage:
    """Every column by itself: scalers, whose factors are told by what they make of 0 and 1, and encoders."""
    slopes: list[float | None] = [None] * n_columns
    if isinstance(transformer, AFFINE) and not getattr(transformer, "clip", False):
        ends = transformer.inverse_transform(np.array([[0.0] * n_columns, [1.0] * n_columns]))
        slopes = (np.asarray(ends)[1] - np.asarray(ends)[0]).tolist()
    is_category = hasattr(transformer, "categories_")
    origins = tuple(Origin(j, slope, is_category) for j, slope in enumerate(slopes))

    def back(values: Sequence[Values]) -> list[Values]:
        return [
            None if part is None else whole for part, whole in zip(values, _inverse(transformer, values), strict=True)
        ]

    return Lineage(origins, back, n_columns)


def _one_hot(encoder: OneHotEncoder, n_columns: int) -> Lineage:
    """Several columns for each, one per category, of which some may be dropped or gathered."""
    sizes = []
    rare = getattr(encoder, "infrequent_categories_", [None] * n_columns)
    for j, categories in enumerate(encoder.categories_):
        gathered = 0 if rare[j] is None else len(rare[j]) - 1
        dropped = encoder.drop_idx_ is not None and encoder.drop_idx_[j] is not None
        sizes.append(len(categories) - gathered - int(dropped))
    columns = np.repeat(np.arange(n_columns), sizes)

    def back(values: Sequence[Values]) -> list[Values]:
        lost = {int(columns[k]) for k, part in enumerate(values) if part is None}
        whole = _inverse(encoder, values)
        return [None if j in lost else part for j, part in enumerate(whole)]

    return Lineage(tuple(Origin(int(j), None, is_category=True) for j in columns), back, n_columns)


def _imputed(imputer: SimpleImputer, n_columns: int) -> Lineage:
    """Columns without those that are empty, and marks of what was missing, which belong to their columns."""
    empty = [isinstance(value, float) and np.isnan(value) for value in imputer.statistics_.tolist()]
    kept = [j for j in range(n_columns) if imputer.keep_empty_features or not empty[j]]
    marked = [] if imputer.indicator_ is None else [int(j) for j in imputer.indicator_.features_]

    def back(values: Sequence[Values]) -> list[Values]:
        found: list[Values] = [None] * n_columns
        for column, part in zip(kept, values, strict=False):
            found[column] = part
        for column, mark in zip(marked, values[len(kept) :], strict=True):
            part = found[column]
            if part is not None and mark is not None:
                was_missing = np.asarray(mark, dtype=np.float64) > 0
                found[column] = np.where(was_missing, None, np.asarray(part, dtype=object))  # type: ignore[call-overload]
        return found

    origins = [*(Origin(j, 1.0) for j in kept), *(Origin(j, None) for j in marked)]
    return Lineage(tuple(origins), back, n_columns)


def _is_elementwise(transformer: Any) -> bool:
    """Whether a function is known to treat every cell, or at least every column, by itself."""
    if not isinstance(transformer, FunctionTransformer):
        return False
    return isinstance(transformer.func, np.ufunc) or transformer.feature_names_out == "one-to-one"


def _opaque(n_given: int, n_columns: int) -> Lineage:
    """Columns of which nobody knows what they were made of."""
    return Lineage((Origin(None),) * n_given, lambda values: [None] * n_columns, n_columns)


def _by_name(transformer: Any, n_columns: int) -> Lineage:
    """A transformer that is not known here: columns that kept their names were kept, the others are of its making."""
    try:
        names = list(transformer.get_feature_names_out())
    except (AttributeError, ValueError):
        names = []
    before = getattr(transformer, "feature_names_in_", None)
    before = [f"x{j}" for j in range(n_columns)] if before is None else list(before)
    columns = [before.index(name) if name in before else None for name in names]
    # What has the name of a column need not have its values.
    return Lineage(tuple(map(Origin, columns)), lambda values: [None] * n_columns, n_columns)


def _inverse(transformer: Any, values: Sequence[Values]) -> list[Values]:
    """Columns before a transformer, by its own inverse; what is missing is filled in, and to be left out after."""
    n = next((len(part) for part in values if part is not None), 0)
    if isinstance(transformer, FunctionTransformer) and transformer.inverse_func is None:
        return [None] * len(values)
    try:
        matrix = np.column_stack([np.zeros(n) if part is None else np.asarray(part, np.float64) for part in values])
        whole = np.asarray(transformer.inverse_transform(matrix), dtype=object)
    except (AttributeError, TypeError, ValueError, NotImplementedError):  # it has no inverse, or not of these values
        return [None] * int(transformer.n_features_in_)
    return [whole[:, j] for j in range(whole.shape[1])]
