"""Fill the templates: every value is escaped, and nothing is ever fetched from a network."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fgac._printable import printable
from fgac.report.filters import FILTERS
from fgac.text.card import NOTHING_UNKNOWN

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **context: Any) -> str:
    """Fill one of the templates of this package."""
    text = environment().get_template(template).render(**context)
    # Apostrophes mean nothing in texts and in attributes between double quotes, and the sentences have many.
    text = text.replace("&#39;", "'")
    # Control characters are no HTML, marks of direction would reorder what a reader sees, and a lone surrogate, as
    # badly decoded files have them, could not be written in UTF-8.
    return printable(text)


@cache
def environment() -> Environment:
    """The templates with autoescape, their filters, styles and script; made once."""
    from fgac import __version__

    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise ImportError("HTML reports need jinja2: pip install 'fgac[report]'") from error
    env = Environment(
        loader=PackageLoader("fgac.report"),
        autoescape=True,
        undefined=StrictUndefined,  # a misspelt variable is an error, not a gap in the page
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update({filter.__name__: filter for filter in FILTERS})
    env.globals.update(
        nothing_unknown=NOTHING_UNKNOWN,
        explanation_style=Markup(asset("explanation.css")),
        page_style=Markup(asset("report.css")),
        script=Markup(asset("report.js")),
        policy=content_policy(asset("report.js")),
        version=__version__,
    )
    return env


@cache
def asset(name: str) -> str:
    """A style sheet or script of this package."""
    return (files("fgac.report") / "templates" / name).read_text(encoding="utf-8").strip()


def content_policy(*scripts: str) -> str:
    """The content security policy of a page: a browser may show it and run these scripts, and load nothing.

    >>> content_policy("").split("; ")[2]
    "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return "; ".join(
        [
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            "script-src " + " ".join(f"'sha256-{digest}'" for digest in digests),
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
