r"""Quotation marks of CSV: what stands between two of them may hold separators and line ends.

A mark quotes where a field begins; within a value, as in ``6" tall``, it is a letter like others. Two marks in a row,
inside of marks, stand for one.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache

from fgac.cli.errors import CommandError


@cache
def _quoted(separator: str) -> re.Pattern[bytes]:
    """A quoted field up to its closing mark, which is the group, or to the end of the data."""
    return re.compile(rb'"(?<![^%b\r\n]")[^"]*(?:""[^"]*)*("?)' % separator.encode())


def last_end(data: bytes, separator: str, end: bytes) -> int:
    r"""Where the last record ends that ends in the data; 0 if none does.

    >>> last_end(b'1,2\n3,"a\nb', ",", b"\n"), last_end(b'6",2\n3,"a\nb"\n', ",", b"\n")
    (4, 13)
    """
    cut = start = 0
    for match in _quoted(separator).finditer(data):
        cut = max(cut, data.rfind(end, start, match.start()) + 1)
        start = match.end()
        if start == len(data):  # not closed, or perhaps not: another mark may follow
            return cut
    return max(cut, data.rfind(end, start) + 1)


def open_mark(data: bytes, separator: str) -> int | None:
    r"""Where the mark stands that is not closed, in data that begin with a record; None if all are closed.

    >>> open_mark(b'1,2\n3,"a\n4,5\n', ","), open_mark(b'6",2\n3,"a\nb"', ",")
    (6, None)
    """
    last = deque(_quoted(separator).finditer(data), maxlen=1)
    return None if not last or last[0][1] else last[0].start()


def check_closed(data: bytes, separator: str, source: str, n_lines: int = 0, within: str = "") -> None:
    """Refuse records of a file if a mark in them is not closed, at all or within so much; its line is named."""
    place = open_mark(data, separator)
    if place is not None:
        line = n_lines + count_lines(data[:place]) + 1
        how = f"not closed within {within}" if within else "never closed"
        raise CommandError(
            f'{source}, line {line}: a quotation mark (") opens here and is {how}; close it, or, if it belongs to the '
            'value, write it twice and put the value in quotation marks ("6"" tall")'
        )


def count_lines(data: bytes) -> int:
    r"""How many lines end in the data, whichever way.

    >>> count_lines(b"1\n2\r\n3"), count_lines(b"1\r2\r3")
    (2, 2)
    """
    return data.count(b"\n") or data.count(b"\r")
