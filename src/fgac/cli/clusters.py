"""A Dask cluster that the command line is told the address of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fgac.cli.errors import CommandError
from fgac.cli.extras import need

DASK = {"dask": "dask", "distributed": "distributed"}
# Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 10


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the cluster whose scheduler is at an address; an error if nobody answers there."""
    need("--dask", DASK, "dask")
    from distributed import Client

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CommandError(
            f"no Dask scheduler answers at {address!r} ({error}); expected its address, such as tcp://10.0.0.5:8786"
        ) from error
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise CommandError(
                f"the Dask scheduler at {address!r} has no workers; start some, then try again"
            ) from error
        yield client
    finally:
        client.close()
