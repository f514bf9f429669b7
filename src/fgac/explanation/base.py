"""Things that can be said, written as JSON and read again, and sequences of them: explanations, suspects."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, overload

from fgac._atomic import write_text
from fgac._serialize import from_plain, to_plain

FORMAT = 1
# How many explanations a notebook shows at once.
SHOWN = 10


class Describable(Protocol):
    """Something that can be said in plain English."""

    def text(self) -> str:
        """Say it."""


class BaseExplanation:
    """The part of an explanation that is the same for all kinds: what it says as text, JSON and HTML.

    A subclass is a dataclass of plain values; it says itself in ``text`` and draws itself in ``_html``.
    """

    def text(self) -> str:
        """The explanation in plain English."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings."""
        return to_plain(self)

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """The explanation that :meth:`to_dict` made this of."""
        return from_plain(cls, plain)

    def to_json(self) -> str:
        """The explanation as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        return cls.from_dict(json.loads(text))

    def _html(self) -> str:
        """A piece of HTML, which needs jinja2."""
        raise NotImplementedError

    def _repr_html_(self) -> str | None:
        try:
            return self._html()
        except ImportError:  # without jinja2 notebooks show the repr
            return None


T = TypeVar("T", bound=Describable)
A = TypeVar("A", bound=BaseExplanation)


@dataclass(frozen=True)
class ValueList(Sequence[T]):
    """An immutable sequence of ``items``; a slice keeps whatever else the collection holds."""

    items: tuple[T, ...]

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> T | Self:
        """One item, or a part of them."""
        if isinstance(index, slice):
            return dataclasses.replace(self, items=self.items[index])
        return self.items[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def text(self) -> str:
        """All items in plain English."""
        return "\n\n".join(item.text() for item in self.items)

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings."""
        return {"format": FORMAT, **to_plain(self)}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """The collection that :meth:`to_dict` made this of."""
        found = plain.get("format") if isinstance(plain, dict) else None
        if found != FORMAT:
            raise ValueError(f"this is no {cls.__name__} in format {FORMAT}, got format {found!r}")
        return from_plain(cls, {key: value for key, value in plain.items() if key != "format"})

    def to_json(self, path: str | Path | None = None) -> str:
        """Everything as JSON, also written to a file if a path is given."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)
        if path is not None:
            write_text(path, text)
        return text

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` returned."""
        return cls.from_dict(json.loads(text))


@dataclass(frozen=True)
class ExplanationList(ValueList[A]):
    """Explanations of several rows: a collection that is also a page of HTML, which a subclass makes in ``_page``."""

    def to_html(self, path: str | Path, *, title: str | None = None, note: str | None = None) -> None:
        """Write one offline HTML file, see :func:`fgac.report.report_html`; a note stands below the title."""
        write_text(path, self._page(title, note))

    def _page(self, title: str | None, note: str | None) -> str:
        raise NotImplementedError

    def _repr_html_(self) -> str | None:
        shown = [item._repr_html_() for item in self.items[:SHOWN]]
        if None in shown:
            return None
        more = len(self) - SHOWN
        return "".join(filter(None, shown)) + (
            f"<p>and {more} more: index them, or write all with to_html(path)</p>" if more > 0 else ""
        )
