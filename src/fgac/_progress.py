"""How far long work is, for whoever listens: the command line draws a bar of it.

The library tells, and knows nothing of bars. Nobody listens unless :func:`listening` says so, and then telling costs no
more than looking up a variable. Threads that a computation starts do not tell: their work is told by who waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

# What is being done, how many steps of it are done, and how many there are, if that is known.
Listener = Callable[[str, int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)

Item = TypeVar("Item")


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a function called with what is told inside the block.

    >>> with listening(lambda *told: print(told)):
    ...     tell("solving", 3)
    ('solving', 3, None)
    """
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def tell(what: str, done: int, total: int | None = None) -> None:
    """Say how far some work is, if anybody listens."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)


@contextmanager
def as_a_whole(what: str) -> Iterator[Callable[[int, int], None]]:
    """Tell of work of many like parts by their number alone: what the parts would tell is left out.

    >>> with listening(lambda *told: print(told)), as_a_whole("folding") as report:
    ...     tell("solving", 3)
    ...     report(1, 5)
    ('folding', 1, 5)
    """
    listener = _listener.get()

    def report(done: int, total: int) -> None:
        if listener is not None:
            listener(what, done, total)

    with listening(lambda *_: None):
        yield report


def steps(what: str, items: Sequence[Item]) -> Iterator[Item]:
    """The items one by one, telling how many are done.

    >>> with listening(lambda *told: print(told)):
    ...     sum(steps("adding", [1, 2]))
    ('adding', 0, 2)
    ('adding', 1, 2)
    ('adding', 2, 2)
    3
    """
    for done, item in enumerate(items):
        tell(what, done, len(items))
        yield item
    tell(what, len(items), len(items))
