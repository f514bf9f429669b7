"""Names of classes and rows, and numbers, made fit for a picture."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fgac.explanation.regression import RegressionExplanation


# The most letters of a name.
WIDTH = 24
# The mean width of a letter, as a share of the size of the font.
LETTER = 0.55


def short(label: Any, width: int = WIDTH) -> str:
    r"""A class, row or column on one short line; an ellipsis stands for what is left out of the middle.

    >>> short("a very long name of a class, and then some more")
    'a very long … some more'
    >>> short("two\nlines")
    'two lines'
    """
    line = "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(str(label).split()))
    if len(line) <= width:
        return line or "(empty)"
    head = width // 2
    return f"{line[:head].rstrip()} … {line[len(line) - (width - head - 3) :].lstrip()}"


def short_class(label: Any, target: str | None) -> str:
    """A class, with the name of the target if there is one.

    >>> short_class("no", "deny"), short_class("no", None)
    ('deny = no', 'no')
    """
    from fgac.text.target import target_class

    return short(label) if target is None else target_class(short(label), short(target))


def predicted_number(why: RegressionExplanation) -> str:
    """The predicted number, with the name of the target if there is one."""
    from fgac.text.target import target_number

    return target_number(why.prediction, None if why.target is None else short(why.target), why.unit)


def value_label(why: RegressionExplanation) -> str:
    """The label of an axis of predicted numbers: "rent (EUR)"."""
    name = "value" if why.target is None else short(why.target)
    return f"{name} ({why.unit})" if why.unit else name


def degree(x: float) -> str:
    """A degree as in the texts, with signs instead of words.

    >>> degree(0.5), degree(0.001), degree(0.999)
    ('0.50', '<0.01', '>0.99')
    """
    from fgac.text.words import format_degree

    return format_degree(float(x)).replace("less than ", "<").replace("more than ", ">")


def plain(texts: Iterable[Any]) -> None:
    """Let matplotlib take dollar signs in texts as they are, not as the start of a formula."""
    for text in texts:
        text.set_parse_math(False)


def wrapped(text: str, inches: float, points: float) -> str:
    r"""Break a text into lines of about this width in a font of this size.

    >>> wrapped("one two three", inches=0.6, points=10)
    'one two\nthree'
    """
    letters = max(8, int(inches * 72 / (LETTER * points)))
    return "\n".join(line for part in text.splitlines() for line in textwrap.wrap(part, letters))


def set_title(ax: Axes, text: str) -> None:
    """Head some axes, in as many lines as their width takes, and more if the figure ends before that."""
    # wrap=True alone breaks lines at the edge of the figure, where they run into the titles of other panels.
    inches = ax.get_window_extent().width / ax.figure.dpi
    ax.set_title(wrapped(text, inches, float(ax.title.get_fontsize())), parse_math=False, wrap=True)


def set_xlabel(ax: Axes, text: str, **look: Any) -> None:
    """Name the axis to the right, in as many lines as its length takes."""
    inches = ax.get_window_extent().width / ax.figure.dpi
    ax.set_xlabel(wrapped(text, inches, float(ax.xaxis.label.get_fontsize())), parse_math=False, **look)


def set_ylabel(ax: Axes, text: str) -> None:
    """Name the axis upwards, in as many lines as its length takes."""
    inches = ax.get_window_extent().height / ax.figure.dpi
    ax.set_ylabel(wrapped(text, inches, float(ax.yaxis.label.get_fontsize())), parse_math=False)
