"""The Dask client of a fit: found or refused, and asked again when a worker has died with what it held."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from distributed import Client, default_client

Result = TypeVar("Result")

# A worker that dies takes with it what was sent to it. So often in a row a step is sent again.
ATTEMPTS = 5
# A table is read in so many parts, or so many for each thread: a scheduler does not like many tasks.
MOST_BLOCKS = 64
BLOCKS_PER_THREAD = 4


def client_of(client: Any = None) -> Client:
    """The client that was given, or the current one; an error says how to make one."""
    if client is None:
        try:
            return default_client()
        except ValueError as error:
            raise ValueError(
                "there is no Dask client to compute with; make one first, as by client = "
                "dask.distributed.Client(), or give client=..."
            ) from error
    if not isinstance(client, Client):
        raise TypeError(f"client={client!r} is of type {type(client).__name__}; expected a dask.distributed.Client")
    if client.asynchronous:
        raise ValueError("the Dask client is asynchronous; expected one that waits for results: Client(...)")
    return client


def threads_of(client: Client) -> int:
    """How many tasks the workers compute at a time; an error if there is no worker."""
    threads = sum(client.nthreads().values())
    if not threads:
        client.wait_for_workers(1, timeout=30)
        threads = sum(client.nthreads().values())
    return int(threads)


def most_blocks(client: Client) -> int:
    """In how many parts a table is read at most."""
    return max(MOST_BLOCKS, BLOCKS_PER_THREAD * threads_of(client))


def spread(client: Client, values: list[Any]) -> list[Any]:
    """Futures of values that every worker holds, so that they outlive each of them."""
    futures: list[Any] = client.scatter(values, broadcast=True, hash=False)
    return futures


def persistent(step: Callable[[], Result]) -> Result:
    """The result of a step, which is taken again if what was sent to a worker was lost with it.

    Everything else that workers hold is computed by tasks from the caller's table, and Dask computes it again.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return step()
        except CancelledError:
            continue
    return step()
