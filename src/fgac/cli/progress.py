"""How far a command is: a bar on standard error with an estimate of the time left, once it has taken two seconds.

Only a terminal gets one. There are two who tell: a command counts its own steps (files, folds, data sets), and the
library says what it is at (:mod:`fgac._progress`). The steps of the command come first, because they are the whole;
what the library says is shown while there are none, or when all are done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from math import ceil
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

from fgac._progress import listening

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Task

# Seconds after which a bar is shown: what is over before needs none.
DELAY = 2.0

Report = Callable[[int, int | None], None]


@contextmanager
def progress(what: str, *, quiet: bool) -> Iterator[Report]:
    """A bar on standard error, if that is a terminal; gives a function of the steps done and of all steps.

    Where the total is not known, the steps that are done are counted, and the time that has passed is shown.
    """
    from fgac.cli.console import may_be_terminal, message_console

    if quiet or not may_be_terminal(sys.stderr) or not (console := message_console()).is_terminal:
        yield lambda done, total: None
        return
    bar = Bar(what, console)
    timer = Timer(DELAY, bar.show)
    timer.daemon = True
    timer.start() if DELAY else bar.show()
    try:
        with listening(bar.stage):
            yield bar.steps
    finally:
        timer.cancel()
        bar.hide()


@contextmanager
def working(what: str, *, quiet: bool) -> Iterator[None]:
    """The same for work that counts no steps of its own."""
    with progress(what, quiet=quiet):
        yield


class Bar:
    """A bar that is shown late, and gone in the end.

    What is told from any thread goes through a lock: the timer that shows the bar is one of them.
    """

    def __init__(self, what: str, console: Console) -> None:
        self.what, self.console = what, console
        self.now: tuple[str, int, int | None] = (what, 0, None)
        self.counts = False
        self._lock, self._shown, self._is_over = Lock(), _Nothing(), False

    def steps(self, done: int, total: int | None) -> None:
        """How many steps of the command are done."""
        self.counts = total is None or done < total
        self._update(self.what, done, total)

    def stage(self, what: str, done: int, total: int | None) -> None:
        """What the library is at, which matters where the command has no steps to count."""
        if not self.counts:
            self._update(what, done, total)

    def show(self) -> None:
        """Draw the bar from now on."""
        with self._lock:
            if not self._is_over:
                self._shown = _Drawn(self.console)
                self._shown.update(*self.now)

    def hide(self) -> None:
        """Take the bar away."""
        with self._lock:
            self._is_over = True
            self._shown.stop()

    def _update(self, what: str, done: int, total: int | None) -> None:
        with self._lock:
            self.now = (what, done, total)
            self._shown.update(what, done, total)


class _Nothing:
    """What is drawn before a bar is."""

    def update(self, what: str, done: int, total: int | None) -> None:
        """Draw nothing."""

    def stop(self) -> None:
        """Have nothing to take away."""


class _Drawn(_Nothing):
    """A bar of rich. For other work a new one begins, so that its estimate is not of what was done before."""

    def __init__(self, console: Console) -> None:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
        from rich.text import Text

        class Time(TextColumn):
            """How long it will take, or how long it has taken where nobody can tell."""

            def render(self, task: Task) -> Text:
                return Text(time_text(task.time_remaining if task.total is not None else None, task.elapsed))

        what = TextColumn("{task.description}", markup=False)
        parts = (what, BarColumn(), TaskProgressColumn(), Time(""))
        self._bar = Progress(*parts, console=console, transient=True)
        self._what = ""
        self._task: Any = None
        self._bar.start()

    def update(self, what: str, done: int, total: int | None) -> None:
        """Draw how far the work is."""
        if what != self._what:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._what, self._task = what, self._bar.add_task(what, total=None)
        text = what if total is not None or not done else f"{what}: {done:,}"
        self._bar.update(self._task, completed=done, total=total, description=text)

    def stop(self) -> None:
        """Draw it once more, and take it away."""
        self._bar.stop()


def time_text(left: float | None, passed: float | None) -> str:
    """The time left, or else the time that has passed.

    >>> time_text(75.2, 3.0), time_text(None, 3700.0)
    ('0:01:16 left', '1:01:40 so far')
    """
    seconds, said = (ceil(passed or 0.0), "so far") if left is None else (ceil(left), "left")
    return f"{timedelta(seconds=seconds)} {said}"
