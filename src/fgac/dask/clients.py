"""The Dask client of a fit, found or refused; how much it may be asked, and how values get to the workers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from distributed import Client, default_client

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


def sent(client: Client, values: Sequence[Any]) -> list[Any]:
    """Futures of values of this process.

    Each is the result of a task that the scheduler keeps, so that it outlives the workers that hold it, as everything
    else does that tasks compute from the caller's table.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        return [client.submit(itself, value, pure=False) for value in values]


def itself(value: Any) -> Any:
    """What is given."""
    return value
