"""What would change a prediction, and what would not, in lines that can be read at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fgac._tolerances import TEXT_TOL
from fgac.explanation.arguments import Value
from fgac.explanation.classification import Explanation, FeatureValue
from fgac.explanation.counterfactual import Change, Counterfactual
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.explanation.regression import RegressionExplanation
from fgac.text.case import Compared
from fgac.text.certainty import category_changes, harmless_unknowns, numeric_changes, unlimited_changes
from fgac.text.target import bare_class, bare_number
from fgac.text.words import format_value, in_list

# At most this many changed rows are told.
MOST_FLIPS = 2
EDGE = "the slightest change may change it"
NO_PROMISE = "under these settings nothing is promised about changes"
ONLY_DISTANCES = "only how alike rows are is known, so no single value can be named"


@dataclass(frozen=True)
class Flip:
    """A few changes of values, and what is predicted then."""

    changes: tuple[Compared, ...]
    then: str

    def text(self) -> str:
        """The changes in a line.

        >>> Flip((Compared("age", "31", "35"), Compared("town", "Lier", "Gent")), "approve").text()
        'age 31 -> 35, town Lier -> Gent: then approve.'
        """
        return f"{', '.join(f'{in_list(c.name)} {c.here} -> {c.there}' for c in self.changes)}: then {self.then}."


def flip(found: Counterfactual, then: str) -> Flip:
    """The changes of a counterfactual, as they are shown."""
    return Flip(tuple(map(_changed, found.changes)), then)


def _changed(change: Change) -> Compared:
    """One change.

    >>> _changed(Change("age", 31, 35, "years")), _changed(Change("town", None, "Gent")).here
    (Compared(name='age', here='31 years', there='35 years'), 'unknown')
    """
    before = "unknown" if change.before is None else _in_full(change.before, change.unit)
    return Compared(format_value(change.column), before, _in_full(change.after, change.unit))


def _in_full(given: Value, unit: str) -> str:
    """A value with all of its digits: a rounded one might not change the prediction.

    >>> _in_full(1349.0602, "EUR"), _in_full(38100.0, ""), _in_full("car", "")
    ('1349.0602 EUR', '38100', 'car')
    """
    return format_value(repr(given).removesuffix(".0") + f" {unit}".rstrip() if type(given) is float else given, unit)


def harmless_changes(features: Sequence[FeatureValue], radius: float | None) -> tuple[str, ...]:
    """What single features may do without changing the predicted class, which is certified.

    ``features`` come most relevant first; ``radius`` is how far the row as a whole may move.

    >>> harmless_changes([FeatureValue("age", 45.0, "years", False, 3.279)], 0.1)
    ("it is sure to stay if 'age' alone changes by less than 3.2 years",)
    """
    if radius is None:
        return (NO_PROMISE,)
    known = [feature for feature in features if feature.value is not None]
    if radius < TEXT_TOL:
        return tuple(filter(None, (EDGE, unlimited_changes(known))))
    if not features:
        return (ONLY_DISTANCES,)
    # Beside a change that does it, "it stays" alone would sound as if no other one could.
    numeric = numeric_changes(known).removeprefix("for example, ").replace("it stays", "it is sure to stay", 1)
    said = numeric, category_changes(known), unlimited_changes(known), harmless_unknowns(features)
    return tuple(filter(None, said))


def flips(item: Explanation | OrdinalExplanation | RegressionExplanation) -> tuple[Flip, ...]:
    """All changes of an explained row; what is predicted then is said by its name, as on cards."""
    if isinstance(item, RegressionExplanation):
        return tuple(flip(c, bare_number(c.prediction, item.target, item.unit)) for c in item.counterfactuals)
    return tuple(flip(c, bare_class(c.prediction, item.target)) for c in item.counterfactuals)
