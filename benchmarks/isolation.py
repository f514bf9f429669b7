"""Run a piece of work in a fresh process, with a hard time limit and a memory guard."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Literal, NamedTuple

Status = Literal["done", "time", "memory", "failed"]
PREPARATION_LIMIT = 600.0  # seconds that building the input may take


class Outcome(NamedTuple):
    """How the work ended, and what it returned if it was done."""

    status: Status
    value: Any = None


def physical_memory() -> float:
    """Return the bytes of main memory of this machine."""
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def isolated(
    prepare: Callable[..., Any],
    work: Callable[[Any], Any],
    arguments: tuple[Any, ...],
    *,
    seconds: float,
    memory: float | None = None,
) -> Outcome:
    """Compute ``work(prepare(*arguments))`` in a new process.

    Only ``work`` counts against ``seconds``. A process that wants more than ``memory`` bytes of address space
    is ended. The functions must be importable (defined at the top of a module).
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(theirs, prepare, work, arguments, memory))
    process.start()
    theirs.close()
    try:
        outcome = _receive(ours, PREPARATION_LIMIT)
        if outcome.status == "done":
            outcome = _receive(ours, seconds)
    except EOFError:
        outcome = _died(process)
    finally:
        process.kill()
        process.join()
        ours.close()
    return outcome


def _receive(pipe: Connection, seconds: float) -> Outcome:
    """Wait for the child's next message."""
    return Outcome(*pipe.recv()) if pipe.poll(seconds) else Outcome("time")


def _died(process: BaseProcess) -> Outcome:
    """Tell why a child ended without a word: a failed allocation aborts, the system's own guard kills."""
    process.join()
    out_of_memory = process.exitcode in (-signal.SIGABRT, -signal.SIGKILL)
    return Outcome("memory" if out_of_memory else "failed", f"exit code {process.exitcode}")


def _child(
    pipe: Connection,
    prepare: Callable[..., Any],
    work: Callable[[Any], Any],
    arguments: tuple[Any, ...],
    memory: float | None,
) -> None:
    """Report once when prepared and once when done."""
    if memory is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    try:
        prepared = prepare(*arguments)
        pipe.send(("done", None))
        pipe.send(("done", work(prepared)))
    except MemoryError:
        pipe.send(("memory", None))
    except Exception as error:  # the table shows "failed" rather than losing all other rows
        pipe.send(("failed", repr(error)))
