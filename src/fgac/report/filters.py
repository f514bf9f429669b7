"""Filters of the templates: values, degrees and settings as they stand in a page.

A filter returns plain text; the templates escape it.
"""

from __future__ import annotations

from typing import Any

from fgac._typing import Label
from fgac.text.words import class_name, format_degree, format_radius, format_value, on_one_line


def format_label(given: Label) -> str:
    """A class where a bare number would not be understood.

    >>> format_label("benign"), format_label(3), format_label("3")
    ('benign', 'class 3', 'class 3')
    """
    text = class_name(given)
    return text if text.startswith("class ") else format_value(given)


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


# The templates know each filter by the name of its function.
FILTERS = (
    format_label,
    format_radius,
    format_residual,
    format_setting,
    format_value,
    percent,
    plural,
    scale_position,
    short_degree,
)
