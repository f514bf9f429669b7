"""Work on one thing after the other, of which a cluster does a few at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from distributed import Client

from fgac.dask.clients import sent, threads_of

# Pieces of work that wait at the workers, for each of their threads: one is done while another is on its way.
WAITING = 2


def in_order(client: Client, work: Callable[[Any, Any], Any], shared: Any, items: Iterable[Any]) -> Iterator[Any]:
    """``work(shared, item)`` of every item, in their order; no more items are taken than the workers can do soon.

    ``shared`` goes to every worker once.

    >>> client = Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None)
    >>> list(in_order(client, pow, 2, [1, 2, 3]))
    [2, 4, 8]
    >>> client.close()
    """
    there = sent(client, [shared])[0]
    most = WAITING * threads_of(client)
    waiting: deque[Any] = deque()
    for item in items:
        waiting.append(client.submit(work, there, item, pure=False))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
