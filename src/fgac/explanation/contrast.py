"""What decides between two classes: the strongest training row of each, and which features bring a row nearer to one.

Everything re-adds: the parts ``apart_first`` of the features sum to the distance of the first row, ``apart_second`` to
that of the second, and ``nearer`` to the difference of the two, as far as distances are made of features at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.arguments import FeatureComparison, RowReference, Value


@dataclass(frozen=True)
class DecidingRow(RowReference):
    """The training row that speaks most strongly for a class.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    label : its own class
    distance, similarity : to the explained row
    membership : how much it belongs to the class that it speaks for
    strength : "similar AND in the class"; 0 if it is too far away to be an argument, and merely comes nearest to it
    alike : ids of training rows that are equal to it

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> row = clf.explain([[0.75, 5.25]])[0].contrast.first_row
    >>> row.id, round(row.distance, 2), round(row.strength, 2)
    (2, 0.37, 0.26)
    """

    index: int
    id: Label
    label: Label
    distance: float
    similarity: float
    membership: float
    strength: float
    alike: tuple[Label, ...] = omit_if_default(())


@dataclass(frozen=True)
class ContrastFeature:
    """One feature, and which of two training rows it brings the explained row nearer to.

    Attributes
    ----------
    name : the feature
    first, second : its values in the two training rows; None where one is unknown, or the model keeps none
    apart_first, apart_second : its part in the distance to each
    nearer : ``apart_second - apart_first``: above 0 if it brings the explained row nearer to the first

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> contrast = clf.explain([[0.75, 5.25]])[0].contrast
    >>> feature = contrast.features[0]
    >>> feature.name, feature.first, feature.second, round(feature.nearer, 2)
    ('x0', 0.9, 0.0, 0.41)
    """

    name: str
    first: Value | None
    second: Value | None
    apart_first: float
    apart_second: float
    nearer: float


@dataclass(frozen=True)
class Contrast:
    """What decides between two classes for one row.

    Attributes
    ----------
    first, second : the classes: the predicted one, and the next, or the one that was asked about
    first_row, second_row : the training row that speaks most strongly for each
    difference : by how much the second row is further away than the first
    features : the part of every feature in this; none if there are only distances
    rest : the part of the difference that is of no feature: all of it, if there are only distances

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5]], ["low", "high"])
    >>> contrast = clf.explain([[0.25, 5.5]])[0].contrast
    >>> contrast.first, contrast.first_row.id, contrast.second, contrast.second_row.id
    ('high', 1, 'low', 0)
    >>> [(feature.name, round(feature.nearer, 2)) for feature in contrast.features], round(contrast.difference, 2)
    ([('x0', -0.49), ('x1', 0.69)], 0.2)
    """

    first: Label
    second: Label
    first_row: DecidingRow
    second_row: DecidingRow
    difference: float
    features: tuple[ContrastFeature, ...]
    rest: float = omit_if_default(0.0)

    @classmethod
    def between(
        cls,
        classes: tuple[Label, Label],
        rows: tuple[DecidingRow, DecidingRow],
        compared: tuple[Sequence[FeatureComparison], Sequence[FeatureComparison]],
    ) -> Contrast:
        """The contrast of two rows, from their comparisons with the explained row, feature by feature."""
        first, second = rows
        features = tuple(
            _feature(a, b, a.apart * first.distance, b.apart * second.distance) for a, b in zip(*compared, strict=True)
        )
        difference = second.distance - first.distance
        # Shares sum to 1 unless nothing keeps rows apart, as between rows without features: then there is a rest.
        shares = [sum(comparison.apart for comparison in part) for part in compared]
        rest = second.distance * (1.0 - round(shares[1])) - first.distance * (1.0 - round(shares[0]))
        return cls(*classes, first, second, difference, features, rest)

    def comparisons(self) -> tuple[tuple[FeatureComparison, ...], tuple[FeatureComparison, ...]]:
        """How the two rows compare with the explained one, as :meth:`between` takes it."""
        sides = (("first", self.first_row), ("second", self.second_row))
        first, second = (
            tuple(
                FeatureComparison(
                    feature.name,
                    getattr(feature, side),
                    0.0,
                    getattr(feature, f"apart_{side}") / row.distance if row.distance else 0.0,
                    unknown=getattr(feature, side) is None,
                )
                for feature in self.features
            )
            for side, row in sides
        )
        return first, second

    def to_frame(self) -> Any:
        """The features as a pandas frame, one row each, in the order of the columns."""
        import pandas as pd

        return pd.DataFrame(self.frame_rows(), columns=list(FEATURE_COLUMNS))

    def frame_rows(self) -> list[dict[str, Any]]:
        """The features as records."""
        return [{name: getattr(feature, name) for name in FEATURE_COLUMNS} for feature in self.features]


FEATURE_COLUMNS = tuple(field.name for field in fields(ContrastFeature))


def _feature(a: FeatureComparison, b: FeatureComparison, apart_first: float, apart_second: float) -> ContrastFeature:
    return ContrastFeature(a.name, a.value, b.value, apart_first, apart_second, apart_second - apart_first)
