"""What would change a prediction, in words: one sentence for every change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fgac.explanation.counterfactual import Change, Counterfactual, Counterfactuals
from fgac.text.target import target_class, target_number
from fgac.text.words import (
    format_number,
    format_radius,
    format_value,
    lines,
    listed,
    paragraph,
    quoted,
    row_name,
)

# A number of a change is told with as many digits as it has, up to so many: with fewer it might not do it any more.
DIGITS = 12
# What it is changed from is told with so many.
FEWER = 4


def describe(c: Counterfactual, target: str | None = None, unit: str = "") -> str:
    """One change in one sentence: what is predicted then, what changes, how far the row moves, and toward which row.

    ``target`` is the name of what is predicted, ``unit`` that of predicted numbers.

    >>> from fgac.explanation.counterfactual import Goal
    >>> change = Change("age", 30.0, 41.5, "years")
    >>> found = Counterfactual((change,), {"age": 41.5}, 0.25, "yes", Goal(3, 3, "yes"), 0.125)
    >>> print(describe(found))  # doctest: +NORMALIZE_WHITESPACE
    The prediction would be 'yes' if 'age' were 41.5 years (30 years here), 0.25 away in the model's distance, toward
    training row 3.
    """
    away = f"{format_number(c.distance)} away in the model's distance, toward training row {row_name(c.toward.id)}"
    return paragraph(f"the prediction would be {predicted(c, target, unit)} if {changes_clause(c)}, {away}")


def paragraph_of(found: Sequence[Counterfactual], target: str | None = None, unit: str = "") -> str:
    """What would change one prediction: every change, and how far all of them are at least; empty if there is none.

    >>> from fgac.explanation.counterfactual import Goal
    >>> change = Change("own", None, "yes", kind="number")
    >>> found = Counterfactual((change,), {"own": "yes"}, 0.25, "paid", Goal(3, 3, "paid"), 0.125)
    >>> print(paragraph_of([found]))  # doctest: +NORMALIZE_WHITESPACE
    The prediction would be 'paid' if 'own' were yes (unknown here), 0.25 away in the model's distance, toward training
    row 3. No change of the row by less than 0.12 can do it.
    """
    if not found:
        return ""
    first, *others = found
    parts = [describe(first, target, unit)]
    parts += [paragraph(f"it would {also(first, c, target, unit)} if {changes_clause(c)}") for c in others]
    if first.lower_bound:
        parts.append(paragraph(f"no change of the row by less than {format_radius(first.lower_bound)} can do it"))
    return " ".join(parts)


def also(first: Counterfactual, c: Counterfactual, target: str | None, unit: str) -> str:
    """What another change leads to: the same, if that is so."""
    return "also be so" if c.prediction == first.prediction else f"be {predicted(c, target, unit)}"


def describe_all(found: Counterfactuals) -> str:
    """The changes of several rows, a line for each row."""
    told = zip(found.ids, found.items, strict=True)
    return lines(*(f"Row {row_name(name)}: {about(items, found.target, found.unit)}" for name, items in told))


def about(found: Sequence[Counterfactual], target: str | None, unit: str) -> str:
    """What would change one prediction, or that nothing needs to, or can."""
    return paragraph_of(found, target, unit) or "No change is needed, or none was found."


def predicted(c: Counterfactual, target: str | None, unit: str) -> str:
    """What is predicted after a change."""
    return target_number(c.prediction, target, unit) if c.is_number else target_class(c.prediction, target)


def changes_clause(c: Counterfactual) -> str:
    """What has to change: "'age' were 41.5 years (30 years here) and 'own' were yes (no here)"."""
    return listed(change_clause(change) for change in c.changes)


def change_clause(change: Change) -> str:
    """One feature, its new value, and the one it has.

    >>> change_clause(Change("income", 1200.0, 1349.0602, "EUR"))
    "'income' were 1349.0602 EUR (1200 EUR here)"
    """
    after = told(change.after, change.unit, DIGITS)
    if change.before is None:
        return f"{quoted(change.column)} were {after} (unknown here)"
    # What is left needs fewer digits, unless it would look the same.
    before = told(change.before, change.unit, FEWER)
    if before == told(change.after, change.unit, FEWER):
        before = told(change.before, change.unit, DIGITS)
    return f"{quoted(change.column)} were {after} ({before} here)"


def told(value: Any, unit: str, digits: int) -> str:
    """A value, a number with so many digits; categories have no unit."""
    if isinstance(value, float):
        return format_number(value, unit, digits)
    return format_value(value, unit if isinstance(value, int) and not isinstance(value, bool) else "")
