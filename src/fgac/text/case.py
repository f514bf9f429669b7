"""A training row as a case beside the explained row: what the two share, and what keeps them apart, feature by feature.

The same comparison as in the sentences of :mod:`fgac.text.arguments`, laid out so that it can be read at a glance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fgac.explanation.arguments import BaseArgument, FeatureComparison
from fgac.text.arguments import (
    Feature,
    differs,
    free_side_comparisons,
    is_equal,
    largest_differences,
    n_named,
    shared_comparisons,
    two_values,
)
from fgac.text.unknown import LEAST_COST, cost_sentence
from fgac.text.words import format_value, in_list, paragraph

SAME, CLOSEST, DIFFERENT = "The same", "Closest", "Different"
AS_HIGH, AS_LOW = "At least as high", "At least as low"
EQUAL = "the two are equal in everything that counts"


@dataclass(frozen=True)
class Compared:
    """One feature, and its values in the explained row and in another, as they are shown."""

    name: str
    here: str
    there: str


@dataclass(frozen=True)
class Group:
    """Features in which two rows compare in the same way, such as those in which they are the same.

    Attributes
    ----------
    title : how they compare
    features : the most telling ones
    n_more : how many others compare in the same way
    """

    title: str
    features: tuple[Compared, ...]
    n_more: int

    @property
    def is_same(self) -> bool:
        """Whether one value is that of both rows."""
        return self.title == SAME

    def text(self) -> str:
        """The group in a line.

        >>> Group("Different", (Compared("age", "31 years", "35 years"), Compared("town", "Lier", "Gent")), 1).text()
        'Different: age (31 years here, 35 years there), town (Lier here, Gent there) and 1 more.'
        """
        parts = (
            f"{in_list(f.name)} ({f.here if self.is_same else f'{f.here} here, {f.there} there'})"
            for f in self.features
        )
        return f"{self.title}: {', '.join(parts)}{f' and {self.n_more} more' if self.n_more else ''}."


@dataclass(frozen=True)
class Case:
    """A training row that speaks for or against a prediction.

    Attributes
    ----------
    row : what the caller calls it
    says : its class, or its value
    resembles : how similar it is: "very similar to this row"
    groups : how it compares with the explained row; empty if there are only distances
    notes : what else must be known of it, as sentences
    """

    row: str
    says: str
    resembles: str
    groups: tuple[Group, ...]
    notes: tuple[str, ...]

    def text(self) -> str:
        """The case in a few short sentences."""
        parts = (f"Training row {self.row} ({self.says}): {self.resembles}.", *(g.text() for g in self.groups))
        return " ".join((*parts, *self.notes))


def case(
    argument: BaseArgument,
    features: Sequence[Feature],
    *,
    says: str,
    resembles: str,
    notes: Iterable[str] = (),
    rival: BaseArgument | None = None,
) -> Case:
    """Lay out a training row beside the explained row.

    Parameters
    ----------
    argument : BaseArgument
    features : sequence of Feature
        Those of the explained row.
    says, resembles : str
        Its class or value, and how similar it is, which depend on the kind of model.
    notes : iterable of str
        What is to be said of it first; empty ones are left out.
    rival : BaseArgument, optional
        The strongest argument of the other side: what it does not share is told first.
    """
    cost = ""
    if argument.unknown_cost >= LEAST_COST:
        cost = cost_sentence(argument, features, "makes this case weaker")
    n = len(argument.alike)
    alike = f"another {n} training rows like it say the same" if n > 1 else "another training row like it says the same"
    said = (*notes, alike if n else "", cost, *_remarks(argument, features))
    return Case(
        row=format_value(argument.id),
        says=says,
        resembles=resembles,
        groups=tuple(groups(argument, features, rival)),
        notes=tuple(paragraph(note) for note in said if note),
    )


def groups(argument: BaseArgument, features: Sequence[Feature], rival: BaseArgument | None = None) -> Iterable[Group]:
    """What a training row shares with the explained row, and what keeps it apart.

    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [0.5, 5.0], [1.0, 6.0]], ["low", "low", "high"])
    >>> why = clf.explain([[0.2, 5.0]])[0]
    >>> for group in groups(why.arguments_for[0], why.attributes):
    ...     print(group.text())
    The same: x1 (5).
    Different: x0 (0.2 here, 0 there).
    """
    here = {feature.name: feature for feature in features}
    if any(c.name not in here for c in argument.attributes):
        return  # nothing is known of the explained row
    contrast = {c.name: c.apart for c in rival.attributes} if rival else {}
    free = free_side_comparisons(argument, here, contrast)
    equal, closest = shared_comparisons(argument, here, contrast)
    if all(c.apart == 0 for c in argument.attributes):
        closest = []  # differences that do not count
    apart = largest_differences(argument)
    n_apart = sum(c.apart > 0 for c in argument.attributes)
    for title, found, n in (
        (AS_HIGH, [c for c in free if c.direction > 0 and not is_equal(c, here)], None),
        (AS_LOW, [c for c in free if c.direction < 0 and not is_equal(c, here)], None),
        (SAME, [*(c for c in free if is_equal(c, here)), *equal], None),
        (CLOSEST, closest, len(closest)),
        (DIFFERENT, apart, n_apart),
    ):
        # All differences that make up most of the distance are named; of what is shared, a few are enough.
        named = found if n is not None else found[: n_named(len(found))]
        if named:
            more = (len(found) if n is None else n) - len(named)
            yield Group(title, tuple(_compared(c, here) for c in named), more)


def _compared(comparison: FeatureComparison, here: dict[str, Feature]) -> Compared:
    return Compared(format_value(comparison.name), *two_values(comparison, here[comparison.name]))


def _remarks(argument: BaseArgument, features: Sequence[Feature]) -> Iterable[str]:
    """What the groups alone would not explain: that nothing keeps two rows apart, or that lengths of rows do."""
    here = {feature.name: feature for feature in features}
    apart = [c for c in argument.attributes if c.apart > 0]
    if argument.attributes and not apart and not any(c.direction for c in argument.attributes):
        counted = any(differs(c, here) for c in argument.attributes)
        yield "nothing that counts keeps the two apart" if counted else EQUAL
    if any(is_equal(c, here) and not c.direction for c in largest_differences(argument)):
        yield "only proportions between values count: the two rows are of different length"
