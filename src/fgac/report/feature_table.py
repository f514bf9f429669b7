"""The explained row beside the training rows of its arguments, feature by feature, as a table to be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fgac.explanation.arguments import BaseArgument, FeatureComparison, Value
from fgac.text.arguments import Feature

# Of the strongest argument on each side, so many features come first: those that keep its row apart from the explained
# row most, and those that both rows agree on most.
FIRST_APART, FIRST_CLOSE = 3, 2

# A share from each of these numbers on is shaded one level darker than level 1.
LEVELS = (0.15, 0.3, 0.5)


@dataclass(frozen=True)
class Layout:
    """How many features of a row are shown: so many lines of its table, and so many others in a paragraph below."""

    most_lines: int
    most_others: int


# The layout with the most features that a reader can take in; larger reports use smaller ones.
FULL = Layout(most_lines=15, most_others=60)


@dataclass(frozen=True)
class Cell:
    """One feature of an argument's row.

    Attributes
    ----------
    value : None if it is unknown, or the model keeps no values
    shade : whether the feature rather brings the two rows close ("c") or keeps them apart ("a"), and from 0 to 4 how
        much; "c1", the most frequent one, is written as ""
    share : the part of the distance that the feature makes up, if that is notable. Rows agree on most features about
        equally, so a share in the agreement would say nothing, and is None
    is_unknown : whether the value is unknown
    """

    value: Value | None
    shade: str
    share: float | None
    is_unknown: bool = False


@dataclass(frozen=True)
class Line:
    """One feature of the explained row, and of the row of every argument."""

    feature: Feature
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class FeatureTable:
    """The features of the explained row and of its arguments' rows, the most telling feature first.

    Attributes
    ----------
    columns_for, columns_against : arguments for and against a class, or for the lower and the upper bound of a number
    nearest : the nearest training row, where there is no argument
    lines : the most telling features
    others : the features of the explained row that have no line; empty if they are too many
    n_left_out : how many features have no line
    """

    columns_for: Sequence[BaseArgument]
    columns_against: Sequence[BaseArgument]
    nearest: BaseArgument | None
    lines: tuple[Line, ...]
    others: tuple[Feature, ...]
    n_left_out: int

    @property
    def columns(self) -> tuple[BaseArgument, ...]:
        """All arguments that are compared with the row, in the order of the cells."""
        return (*self.columns_for, *self.columns_against, *((self.nearest,) if self.nearest else ()))

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of the explained row that are shown."""
        return (*(line.feature for line in self.lines), *self.others)

    @property
    def has_directions(self) -> bool:
        """Whether a feature is monotone."""
        return any(feature.direction for feature in self.features)

    @property
    def has_weights(self) -> bool:
        """Whether differences are weighted."""
        return any(feature.weight != 1 for feature in self.features)

    @property
    def has_score(self) -> bool:
        """Whether distances have a part that is a score."""
        return any(feature.score for feature in self.features)

    @property
    def keeps_values(self) -> bool:
        """Whether the values of the training rows are known."""
        return any(cell.value is not None or cell.is_unknown for line in self.lines for cell in line.cells)


def feature_table(
    features: Sequence[Feature],
    columns_for: Sequence[BaseArgument],
    columns_against: Sequence[BaseArgument],
    nearest: BaseArgument | None = None,
    layout: Layout = FULL,
) -> FeatureTable | None:
    """Lay out the features of an explained row; None if there are none (the model saw only distances)."""
    if not features:
        return None
    sides = columns_for, columns_against, () if nearest is None else (nearest,)
    columns = [argument for side in sides for argument in side]
    order = most_telling_first(sides, len(features))
    # The others are a list to look something up in: they keep the order of the table's columns.
    left_out = sorted(order[layout.most_lines :])
    return FeatureTable(
        columns_for=columns_for,
        columns_against=columns_against,
        nearest=nearest,
        lines=tuple(_line(features[q], q, columns, len(features)) for q in order[: layout.most_lines]),
        others=tuple(features[q] for q in left_out) if len(left_out) <= layout.most_others else (),
        n_left_out=len(left_out),
    )


def most_telling_first(sides: Iterable[Sequence[BaseArgument]], n_features: int) -> list[int]:
    """Positions of the features, the most telling first.

    The features that keep the strongest argument of each side apart, or that its row shares with the explained row,
    come first, because the text names them; then the others by their largest share in any argument.
    """
    sides = [side for side in sides if side]
    first = [_largest_shares(side[0]) for side in sides]
    # One feature of every ranking in turn, so that no side and neither kind of share crowds out the other.
    picked = [order[rank] for rank in range(FIRST_APART) for orders in first for order in orders if rank < len(order)]

    def largest_share(q: int) -> float:
        shares = [share for side in sides for a in side for share in (a.attributes[q].close, a.attributes[q].apart)]
        return max(shares, default=0.0)

    rest = sorted(range(n_features), key=lambda q: -largest_share(q))
    return list(dict.fromkeys([*picked, *rest]))


def _largest_shares(argument: BaseArgument) -> tuple[list[int], list[int]]:
    """Positions of the features that keep an argument's row apart most, and of those that bring it close most."""
    apart = {q: c.apart for q, c in enumerate(argument.attributes) if c.apart > 0}
    close = {q: c.close for q, c in enumerate(argument.attributes) if c.close > 0}
    return (
        sorted(apart, key=lambda q: -apart[q])[:FIRST_APART],
        sorted(close, key=lambda q: -close[q])[:FIRST_CLOSE],
    )


def _line(feature: Feature, q: int, arguments: Sequence[BaseArgument], n_features: int) -> Line:
    return Line(feature, tuple(_cell(argument.attributes[q], feature, n_features) for argument in arguments))


def _cell(comparison: FeatureComparison, feature: Feature, n_features: int) -> Cell:
    is_apart = comparison.apart > comparison.close
    share = max(comparison.apart, comparison.close)
    # Agreement is spread over all features, so half of an even spread is worth a first, light shade.
    level = (share >= 0.5 / n_features) + sum(share >= bound for bound in LEVELS)
    notable = share if is_apart and share >= LEVELS[0] else None
    # Rows do not agree in what is unknown, however close the model takes them to be.
    agrees = not (is_apart or comparison.unknown or feature.value is None)
    shade = f"a{level}" if is_apart else f"c{level if agrees else 0}"
    return Cell(comparison.value, "" if shade == "c1" else shade, notable, comparison.unknown)
