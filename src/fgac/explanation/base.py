"""What explanations and audits of all kinds of models share: text, JSON, HTML and frames of frozen values."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar, overload

from fgac._atomic import write_text
from fgac._printable import printable_json
from fgac._serialize import from_plain, to_plain
from fgac._typing import Label
from fgac.explanation.arguments import BaseArgument, argument_columns

# The version of the JSON of a collection: readers refuse any other, rather than misread it.
FORMAT = 1
# A notebook shows at most this many explanations of a collection.
MOST_SHOWN = 10


class Describable(Protocol):
    """A value that can be put into plain English."""

    def text(self) -> str:
        """The value in plain English."""


class BaseExplanation:
    """The part of an explanation that is the same for all kinds of models: its text, JSON, frame and HTML.

    A subclass is a frozen dataclass of plain values. It gives its words in ``text``, its HTML in ``_html``, and the
    sides on which arguments stand in ``_sides``.
    """

    # Columns of a frame that say what all arguments are about and on which side one stands, and the class of arguments.
    _about_columns: ClassVar[tuple[str, ...]] = ("prediction",)
    _side_columns: ClassVar[tuple[str, ...]] = ("side",)
    _argument_type: ClassVar[type[BaseArgument]]

    index: int
    id: Label
    prediction: Label

    def text(self) -> str:
        """The explanation in plain English."""
        raise NotImplementedError

    def card(self) -> Describable:
        """What a reader must know at first: why, why not, how sure, what would change it, what is unknown."""
        from fgac.text.cards import card_of

        return card_of(self)

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain dicts, lists, numbers and strings."""
        return to_plain(self)

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Read the dict that :meth:`to_dict` returned."""
        return from_plain(cls, plain)

    def to_json(self) -> str:
        """The explanation as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text that :meth:`to_json` returned."""
        return cls.from_dict(json.loads(text))

    def to_frame(self) -> Any:
        """The arguments as a pandas frame, one row each: all of the first side, strongest first, then the others."""
        return _frame(list(self._frame_rows()), type(self), ())

    def _sides(self) -> Iterator[tuple[tuple[str, ...], Sequence[BaseArgument]]]:
        """The arguments of each side, behind the name of that side (one entry for each of ``_side_columns``)."""
        raise NotImplementedError

    def _frame_rows(self) -> Iterator[dict[str, Any]]:
        for names, arguments in self._sides():
            side = dict(zip(self._side_columns, names, strict=True))
            for argument in arguments:
                yield {**side, **argument.frame_row()}

    def _html(self) -> str:
        """The explanation as a piece of HTML, which needs jinja2."""
        raise NotImplementedError

    def _repr_html_(self) -> str | None:
        try:
            return self._html()
        except ImportError:  # without jinja2 notebooks show the repr
            return None


class ClassExplanation(BaseExplanation):
    """The part of an explanation that is the same for classes with an order and without: which class it is about.

    A subclass has the fields ``about`` and ``alternatives``; these are of ``_case_type``, a dataclass of a ``label``
    and of some fields of the subclass.
    """

    _about_columns = ("prediction", "subject")
    _case_type: ClassVar[type[Any]]

    about: Label | None
    alternatives: tuple[Any, ...]

    @property
    def subject(self) -> Label:
        """The class that bounds, degree and arguments are about: the predicted one, unless another was asked about."""
        return self.prediction if self.about is None else self.about

    def about_class(self, label: Label) -> Self:
        """The same explanation about one of its ``alternatives``, which the class it is about now takes the place of.

        >>> from fgac import FGAClassifier
        >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
        >>> why = clf.explain([[0.4]], alternatives=True)[0]
        >>> other = why.about_class("high")
        >>> why.subject, round(why.degree, 2), other.subject, round(other.degree, 2), other.prediction
        ('low', 0.7, 'high', 0.3, 'low')
        """
        if label == self.subject:
            return self
        case = self._alternative(label)
        names = [field.name for field in dataclasses.fields(self._case_type) if field.name != "label"]
        mine = self._case_type(label=self.subject, **{name: getattr(self, name) for name in names})
        told: dict[str, Any] = {name: getattr(case, name) for name in names}
        told["about"] = None if case.label == self.prediction else case.label
        told["alternatives"] = tuple(mine if other is case else other for other in self.alternatives)
        return dataclasses.replace(self, **told)  # type: ignore[type-var]  # a subclass is a dataclass

    def _alternative(self, label: Label) -> Any:
        """What is known about another class."""
        for case in self.alternatives:
            if case.label == label:
                return case
        known = ", ".join(repr(found) for found in (self.subject, *(case.label for case in self.alternatives)))
        raise ValueError(
            f"this explanation has no arguments about {label!r}, only about {known}; explain with about={label!r}, or "
            "about all classes with alternatives=True"
        )


def _frame(rows: list[dict[str, Any]], kind: type[BaseExplanation], first: tuple[str, ...]) -> Any:
    """A pandas frame of arguments; its columns are named here because there may be no row to take them from."""
    import pandas as pd

    columns = [*first, *kind._side_columns, *argument_columns(kind._argument_type), "alike"]
    return pd.DataFrame(rows, columns=columns)


T = TypeVar("T", bound=Describable)
E = TypeVar("E", bound=BaseExplanation)


class JsonCollection:
    """A dataclass whose items go to JSON and come back."""

    def to_dict(self) -> dict[str, Any]:
        """The collection as plain dicts, lists, numbers and strings, with the version of their format."""
        return {"format": FORMAT, **to_plain(self)}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Read the dict that :meth:`to_dict` returned."""
        found = plain.get("format") if isinstance(plain, dict) else None
        if found != FORMAT:
            raise ValueError(f"this is no {cls.__name__} in format {FORMAT}, got format {found!r}")
        return from_plain(cls, {key: value for key, value in plain.items() if key != "format"})

    def to_json(self, path: str | Path | None = None) -> str:
        """The collection as JSON, also written to a file if a path is given."""
        text = printable_json(json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False))
        if path is not None:
            write_text(path, text)
        return text

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text that :meth:`to_json` returned."""
        return cls.from_dict(json.loads(text))


@dataclass(frozen=True)
class ValueList(JsonCollection, Sequence[T]):
    """An immutable sequence of ``items``; a slice keeps the other fields of the collection."""

    items: tuple[T, ...]

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> T | Self:
        """One item, or a collection of some of them."""
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


@dataclass(frozen=True)
class ExplanationList(ValueList[E]):
    """Explanations of several rows by one model; a subclass makes their page of HTML in ``_page``."""

    _item_type: ClassVar[type[BaseExplanation]]

    def to_frame(self) -> Any:
        """All arguments as one pandas frame, with the explained row and its prediction beside each."""
        about = self._item_type._about_columns
        rows = [
            {"row": item.id, **{name: getattr(item, name) for name in about}, **row}
            for item in self.items
            for row in item._frame_rows()
        ]
        return _frame(rows, self._item_type, ("row", *about))

    def to_html(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        note: str | None = None,
        is_chosen: bool = False,
        model: Any = None,
        what_if: bool | None = None,
    ) -> None:
        """Write one offline HTML file, see :func:`fgac.report.report_html`; a note stands below the title.

        If the rows were chosen from more (``is_chosen``), the page gives no accuracy of them. With the ``model`` that
        made the explanations, a reader of the page may change the values of a row, and sees what the model makes of
        them. For this the page holds the training rows, as a model file does. Without ``what_if`` the part is left out,
        and the page says so, if it is larger than 2 MB or cannot be computed in a page; True asks for it all the same,
        False leaves it out.
        """
        settings = {"title": title, "note": note, "is_chosen": is_chosen, "model": model, "what_if": what_if}
        write_text(path, self._page(**settings))

    def _page(self, **settings: Any) -> str:
        raise NotImplementedError

    def _repr_html_(self) -> str | None:
        shown = [item._repr_html_() for item in self.items[:MOST_SHOWN]]
        if None in shown:
            return None
        more = len(self) - MOST_SHOWN
        return "".join(filter(None, shown)) + (
            f"<p>and {more} more: index them, or write all with to_html(path)</p>" if more > 0 else ""
        )
