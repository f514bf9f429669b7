"""Fill the templates: every value is escaped, and nothing is ever fetched from a network."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fgac._typing import Label
from fgac.text.words import class_name, format_degree, format_radius, format_value, on_one_line

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **context: Any) -> str:
    """Fill one of the templates of this package."""
    text = environment().get_template(template).render(**context)
    # Apostrophes mean nothing in texts and in attributes between double quotes, and the sentences have many.
    text = text.replace("&#39;", "'")
    # A lone surrogate, as badly decoded files have them, could not be written in UTF-8.
    return text.encode("utf-8", "replace").decode()


@cache
def environment() -> Environment:
    """The templates with autoescape, their filters, styles and script."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise ImportError("HTML reports need jinja2: pip install 'fgac[report]'") from error
    env = Environment(
        loader=PackageLoader("fgac.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update({filter.__name__: filter for filter in FILTERS})
    env.globals.update(
        explanation_style=Markup(asset("explanation.css")),
        page_style=Markup(asset("report.css")),
        script=Markup(asset("report.js")),
        policy=policy(asset("report.js")),
    )
    return env


@cache
def asset(name: str) -> str:
    """A style sheet or script of this package."""
    return (files("fgac.report") / "templates" / name).read_text(encoding="utf-8").strip()


def policy(script: str) -> str:
    """What a browser may do with the page: show it, and run this one script.

    >>> policy("").split("; ")[2]
    "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return "; ".join(
        [
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            f"script-src 'sha256-{digest}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def label(given: Label) -> str:
    """A class where a bare number would not be understood.

    >>> label("benign"), label(3), label("3")
    ('benign', 'class 3', 'class 3')
    """
    text = class_name(given)
    return text if text.startswith("class ") else format_value(given)


def degree(x: float) -> str:
    """A number from 0 to 1 for a narrow column.

    >>> degree(0.5), degree(0.001), degree(0.999)
    ('0.50', '< 0.01', '> 0.99')
    """
    return format_degree(x).replace("less than", "<").replace("more than", ">")


def tiny(x: float) -> str:
    """A number that proves something by being nearly nothing; its sign is rounding.

    >>> tiny(-1.84e-15), tiny(0.0)
    ('1.8e-15', '0')
    """
    return f"{abs(x):.1e}" if x else "0"


def setting(given: Any) -> str:
    """A parameter of the model.

    >>> setting("balanced"), setting(None), setting([0.5, 1.0]), setting({"a": 2})
    ('balanced', 'None', '0.5, 1', 'a: 2')
    """
    if isinstance(given, dict):
        return on_one_line(", ".join(f"{key}: {setting(part)}" for key, part in given.items()))
    if isinstance(given, list | tuple):
        return on_one_line(", ".join(setting(part) for part in given))
    return format_value(given) if given is not None else "None"


def percent(share: float, digits: int = 0) -> str:
    """A share in percent.

    >>> percent(0.256), percent(0.9654, 1)
    ('26%', '96.5%')
    """
    return f"{100 * share:.{digits}f}%"


def place(degree: float) -> str:
    """Where a number from 0 to 1 stands on a scale of 100, in as few characters as can be.

    >>> place(0.5), place(0.12345), place(1)
    ('50', '12.3', '100')
    """
    return f"{100 * min(1.0, max(0.0, degree)):.3g}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> plural(1, "row"), plural(2, "row"), plural(0, "class", "classes")
    ('1 row', '2 rows', '0 classes')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


FILTERS = (degree, format_radius, format_value, label, percent, place, plural, setting, tiny)
