"""What reports of all kinds of models share: entries that can be filtered, and pages that do not grow too large."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from fgac.explanation.base import BaseExplanation
from fgac.report.audit import MOST_SUSPECTS
from fgac.report.feature_table import FULL, FeatureTable, Layout
from fgac.report.page import asset, content_policy, render
from fgac.report.what_if import WhatIf, what_if_script
from fgac.text.card import Card
from fgac.text.cards import card_of
from fgac.text.words import on_one_line

E = TypeVar("E", bound=BaseExplanation)

# A page takes the first of these layouts with which it is small enough.
LAYOUTS = (FULL, Layout(10, 10), Layout(6, 0), Layout(3, 0))
# Small enough to be sent by mail and opened on a telephone: so many bytes for each explained row, or for the page.
BYTES_PER_ROW, BYTES_PER_PAGE = 7_600, 380_000


@dataclass(frozen=True)
class BaseEntry(Generic[E]):
    """An explanation ready to be drawn: all that a template shows of it and that is not in it already.

    Attributes
    ----------
    explanation : the explanation that is drawn
    table : its features beside those of the arguments; None if there are only distances
    """

    explanation: E
    table: FeatureTable | None

    @property
    def lines(self) -> list[str]:
        """The text of the explanation, paragraph by paragraph."""
        return [line for line in self.explanation.text().split("\n") if line]

    @property
    def card(self) -> Card:
        """What is read first."""
        return card_of(self.explanation)

    @property
    def is_right(self) -> bool | None:
        """Whether the prediction agrees with the truth; None if the truth is not known."""
        raise NotImplementedError

    @property
    def doubt(self) -> str:
        """In one word why the row deserves a second look; "" if it does not."""
        raise NotImplementedError

    @property
    def flags(self) -> str:
        """The words by which the page filters rows, with spaces between them."""
        found = {
            "right": self.is_right is True,
            "wrong": self.is_right is False,
            "doubtful": self.doubt != "",
            self.doubt: self.doubt != "",
        }
        return " ".join(flag for flag, holds in found.items() if holds)


def titled(title: str, target: str | None) -> str:
    """The heading of a page, with the name of what is predicted, if there is one.

    >>> titled("Predictions and their arguments", "rent"), titled("Predictions and their arguments", None)
    ('rent: predictions and their arguments', 'Predictions and their arguments')
    """
    return title if target is None else f"{on_one_line(target)}: {title[0].lower()}{title[1:]}"


N = TypeVar("N", bound=BaseEntry[Any])


def render_report(
    template: str,
    explanations: Iterable[E],
    make_entry: Callable[[E, Layout], N],
    summarise: Callable[[Sequence[N]], dict[str, Any]],
    what_if: WhatIf | None,
    **context: Any,
) -> str:
    """Fill the template of a report, with as many features of each row as keep the page small enough.

    Parameters
    ----------
    template : str
        Name of the template.
    explanations : iterable of explanations
    make_entry : callable
        Prepares one explanation for drawing, in a layout.
    summarise : callable
        The variables of the template that are computed from all entries.
    what_if : WhatIf or None
        What a reader may change; it comes on top of the page, whose own size is what is kept small.
    **context
        The other variables of the template.
    """
    scripts, page = _scripts(what_if), ""
    context |= {"what_if": what_if, **scripts}
    size = sum(map(len, scripts.values())) + (0 if what_if is None else what_if.size)
    for layout in LAYOUTS:
        entries = [make_entry(item, layout) for item in explanations]
        page = render(
            template,
            entries=entries,
            is_single=len(entries) == 1,
            most_suspects=MOST_SUSPECTS,
            **summarise(entries),
            **context,
        )
        if len(page.encode()) - size <= max(BYTES_PER_PAGE, BYTES_PER_ROW * len(entries)):
            break
    return page


def _scripts(what_if: WhatIf | None) -> dict[str, Any]:
    """The script of what a reader may change, with the styles and the permission that it needs; nothing without it."""
    if what_if is None or what_if.notice:
        return {"what_if_style": "", "what_if_script": ""}
    from markupsafe import Markup  # it comes with jinja2, which need not be there

    script = f"{what_if_script()}\nfgacWhatIf.mountAll();"
    policy = content_policy(asset("report.js"), script)
    return {"what_if_style": Markup(asset("what_if.css")), "what_if_script": Markup(script), "policy": policy}
