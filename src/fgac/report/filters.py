"""Filters of the templates: values, degrees and settings as they stand in a page.

A filter returns plain text; the templates escape it.
"""

from __future__ import annotations

from typing import Any

from fgac._typing import Label
from fgac.explanation.held_out import HeldOut
from fgac.text.held_out import describe as describe_held_out
from fgac.text.target import bare_class, target_class, target_number
from fgac.text.words import format_degree, format_radius, format_value, on_one_line

# In place of a value that a row does not have.
UNKNOWN = "unknown"


def format_label(given: Label, target: str | None = None) -> str:
    """A class where a bare number would not be understood.

    >>> format_label("benign"), format_label(3), format_label("3"), format_label(3, "grade")
    ('benign', 'class 3', 'class 3', 'grade = 3')
    """
    return bare_class(given, target) if target is None else target_class(given, target)


def heading_label(given: Label, target: str | None = None) -> str:
    """A class that stands by itself, without quotes.

    >>> heading_label("fully paid", "loan status")
    'loan status = fully paid'
    """
    return bare_class(given, target)


def class_cell(given: Label | None, target: str | None = None) -> str:
    """A class in a column of classes.

    >>> class_cell("benign"), class_cell(3), class_cell(3, "grade")
    ('benign', '3', 'grade = 3')
    """
    return format_value(given) if target is None or given is None else target_class(given, target)


def format_target(x: float, target: str | None = None, unit: str = "") -> str:
    """A number that is predicted.

    >>> format_target(812.0, "rent", "EUR"), format_target(812.0)
    ('rent = 812 EUR', '812')
    """
    return on_one_line(target_number(x, target, unit))


def format_cell(given: Any, unit: str = "") -> str:
    """A value of the explained row, which may be unknown.

    >>> format_cell(1.5, "mm"), format_cell(None)
    ('1.5 mm', 'unknown')
    """
    return UNKNOWN if given is None else format_value(given, unit)


def held_out(found: HeldOut) -> str:
    """How the model did on rows held out."""
    return describe_held_out(found)


def short_degree(x: float) -> str:
    """A number from 0 to 1 for a narrow column.

    >>> short_degree(0.5), short_degree(0.001), short_degree(0.999)
    ('0.50', '< 0.01', '> 0.99')
    """
    return format_degree(x).replace("less than", "<").replace("more than", ">")


def format_residual(x: float) -> str:
    """A number that proves a solution by being nearly 0; its sign is rounding.

    >>> format_residual(-1.84e-15), format_residual(0.0)
    ('1.8e-15', '0')
    """
    return f"{abs(x):.1e}" if x else "0"


def format_setting(given: Any) -> str:
    """A parameter of the model.

    >>> format_setting("balanced"), format_setting(None), format_setting([0.5, 1.0]), format_setting({"a": 2})
    ('balanced', 'None', '0.5, 1', 'a: 2')
    """
    if isinstance(given, dict):
        return on_one_line(", ".join(f"{key}: {format_setting(part)}" for key, part in given.items()))
    if isinstance(given, list | tuple):
        return on_one_line(", ".join(format_setting(part) for part in given))
    return format_value(given) if given is not None else "None"


def percent(share: float, digits: int = 0) -> str:
    """A share in percent.

    >>> percent(0.256), percent(0.9654, 1)
    ('26%', '96.5%')
    """
    return f"{100 * share:.{digits}f}%"


def scale_position(degree: float) -> str:
    """Where a number from 0 to 1 stands on a scale of 100, in as few characters as can be.

    >>> scale_position(0.5), scale_position(0.12345), scale_position(1)
    ('50', '12.3', '100')
    """
    return f"{100 * min(1.0, max(0.0, degree)):.3g}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> plural(1, "row"), plural(2, "row"), plural(0, "class", "classes")
    ('1 row', '2 rows', '0 classes')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def two_digits(x: float) -> str:
    """A number of which the first two digits say enough, never with an exponent where it is large.

    >>> two_digits(0.2514), two_digits(2.5), two_digits(2559.4)
    ('0.25', '2.5', '2559')
    """
    return f"{x:.2g}" if x < 99.5 else f"{x:.0f}"


# The templates know each filter by the name of its function.
FILTERS = (
    class_cell,
    format_cell,
    format_label,
    format_radius,
    format_residual,
    format_setting,
    format_target,
    format_value,
    heading_label,
    held_out,
    percent,
    plural,
    scale_position,
    short_degree,
    two_digits,
)
