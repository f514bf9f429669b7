r"""Text of the user's as it may be shown: characters that would command a terminal, or reorder a line, as escapes.

A cell, a class, a column or a file may be called ``\x1b[2J``, which clears a screen, or hold a mark that turns the
letters after it around. Whatever shows such a text shows the escape in its place, as a literal of Python has it.
Applied twice, it is as if applied once.
"""

from __future__ import annotations

import re

# C0 and C1 controls and DEL, separators of lines and paragraphs, overrides and isolates of direction, and halves of
# characters, which no encoding can write. Tab and line feed, which lay out text, are shown where we put them.
_DIRECTION = "\u2028\u2029\u202a-\u202e\u2066-\u2069"
_HALVES = "\ud800-\udfff"
_CONTROL = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_DIRECTION}{_HALVES}]")
_CONTROL_OR_LAYOUT = re.compile(rf"[\x00-\x1f\x7f-\x9f{_DIRECTION}{_HALVES}]")
# What JSON leaves as it is, though it may write it as an escape.
_LEFT_BY_JSON = re.compile(rf"[\x7f-\x9f{_DIRECTION}{_HALVES}]")


def printable(text: str) -> str:
    r"""A text of several lines, ready to be shown.

    >>> print(printable("two\n\x1b[31mred\u202e"))
    two
    \x1b[31mred\u202e
    """
    return _CONTROL.sub(_escape, text)


def printable_line(text: str) -> str:
    r"""A text that is to stay on its line: its tabs and line ends are not ours, and become escapes, too.

    >>> print(printable_line("model\nerror: none\x9b"))
    model\nerror: none\x9b
    """
    return _CONTROL_OR_LAYOUT.sub(_escape, text)


def printable_json(text: str) -> str:
    r"""JSON that says the same, and that is safe to show: such characters stand in its strings only.

    >>> print(printable_json('{"name": "a\x9b\u202e"}'))
    {"name": "a\u009b\u202e"}
    """
    return _LEFT_BY_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _escape(match: re.Match[str]) -> str:
    return repr(match[0])[1:-1]
