"""The explained row beside the rows of its arguments, attribute by attribute, as a table to be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fgac.explanation.arguments import FeatureComparison, Value
from fgac.explanation.classification import Argument, Explanation, FeatureValue

# Wide tables show the most telling attributes; the others stand in a line below, unless they are too many.
MOST_LINES = 15
MOST_OTHERS = 60

# Of the strongest argument on each side, so many attributes come first: those that set it apart, those that it shares.
FIRST_APART, FIRST_CLOSE = 3, 2

# A share from here on is shaded one level darker than level 1.
LEVELS = (0.15, 0.3, 0.5)


@dataclass(frozen=True)
class Cell:
    """One attribute of an argument's row.

    ``shade`` says whether the attribute rather brings the rows close ("c") or keeps them apart ("a"), and from 0 to 4
    how much; "" is the most frequent, "c1". ``share`` is told if the attribute keeps them apart and that is notable:
    rows agree on most attributes about equally, so a number would tell nothing there.
    """

    value: Value | None
    shade: str
    share: float | None


@dataclass(frozen=True)
class Line:
    """One attribute of the explained row, and of every argument."""

    reading: FeatureValue
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class AttributeTable:
    """The most telling attributes first, and the ``others`` that are not in the table, unless they are too many."""

    columns_for: tuple[Argument, ...]
    columns_against: tuple[Argument, ...]
    nearest: Argument | None
    lines: tuple[Line, ...]
    others: tuple[FeatureValue, ...]
    n_left_out: int

    @property
    def columns(self) -> tuple[Argument, ...]:
        """All arguments that are compared with the row, in the order of the cells."""
        return (*self.columns_for, *self.columns_against, *((self.nearest,) if self.nearest else ()))

    @property
    def readings(self) -> tuple[FeatureValue, ...]:
        """The attributes of the explained row that are shown."""
        return (*(line.reading for line in self.lines), *self.others)

    @property
    def has_directions(self) -> bool:
        """Whether more, or less, of an attribute can only speak for one side."""
        return any(reading.direction for reading in self.readings)

    @property
    def has_weights(self) -> bool:
        """Whether differences are weighted."""
        return any(reading.weight != 1 for reading in self.readings)

    @property
    def keeps_values(self) -> bool:
        """Whether the values of the training rows are known."""
        return any(cell.value is not None for line in self.lines for cell in line.cells)


def attribute_table(
    explanation: Explanation, most_lines: int = MOST_LINES, most_others: int = MOST_OTHERS
) -> AttributeTable | None:
    """Lay out the attributes of an explanation; None if it has none (the model saw only distances)."""
    readings = explanation.attributes
    if not readings:
        return None
    nearest = (explanation.nearest,) if explanation.nearest is not None else ()
    sides = explanation.arguments_for, explanation.arguments_against, nearest
    columns = [argument for side in sides for argument in side]
    order = telling_first(sides, len(readings))
    left_out = sorted(order[most_lines:])
    return AttributeTable(
        columns_for=sides[0],
        columns_against=sides[1],
        nearest=explanation.nearest,
        lines=tuple(_line(readings[q], q, columns, len(readings)) for q in order[:most_lines]),
        others=tuple(readings[q] for q in left_out) if len(left_out) <= most_others else (),
        n_left_out=len(left_out),
    )


def telling_first(sides: Iterable[Sequence[Argument]], n_attributes: int) -> list[int]:
    """Positions of the attributes, the most telling first.

    Those that set the strongest argument of each side apart, or that it shares, come first (the text tells of them),
    then the others by their largest share in any argument.
    """
    sides = [side for side in sides if side]
    first = [_largest(side[0]) for side in sides]
    picked = [order[rank] for rank in range(FIRST_APART) for orders in first for order in orders if rank < len(order)]

    def largest_share(q: int) -> float:
        shares = [share for side in sides for a in side for share in (a.attributes[q].close, a.attributes[q].apart)]
        return max(shares, default=0.0)

    rest = sorted(range(n_attributes), key=lambda q: -largest_share(q))
    return list(dict.fromkeys([*picked, *rest]))


def _largest(argument: Argument) -> tuple[list[int], list[int]]:
    """The attributes with the largest shares in what keeps an argument apart and in what brings it close."""
    apart = {q: c.apart for q, c in enumerate(argument.attributes) if c.apart > 0}
    close = {q: c.close for q, c in enumerate(argument.attributes) if c.close > 0}
    return (
        sorted(apart, key=lambda q: -apart[q])[:FIRST_APART],
        sorted(close, key=lambda q: -close[q])[:FIRST_CLOSE],
    )


def _line(reading: FeatureValue, q: int, arguments: Sequence[Argument], n_attributes: int) -> Line:
    return Line(reading, tuple(_cell(a.attributes[q], n_attributes) for a in arguments))


def _cell(comparison: FeatureComparison, n_attributes: int) -> Cell:
    is_apart = comparison.apart > comparison.close
    share = max(comparison.apart, comparison.close)
    # Agreement is spread over all attributes, so half of an even spread is worth a first, light shade.
    level = (share >= 0.5 / n_attributes) + sum(share >= bound for bound in LEVELS)
    notable = share if is_apart and share >= LEVELS[0] else None
    shade = f"{'a' if is_apart else 'c'}{level}"
    return Cell(comparison.value, "" if shade == "c1" else shade, notable)
