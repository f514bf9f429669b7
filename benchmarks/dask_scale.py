"""Training on a Dask cluster beside training in memory: the same answer, its price, its messages, and its limits.

    python benchmarks/dask_scale.py [--rows 25_000 50_000 100_000] [--write]

Clusters are of processes with a thread each, on this machine. Fits in memory have two threads. Every fit is the best of
several, taken in turns.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster
from sklearn.datasets import make_classification

from fgac import FGAClassifier
from fgac.dask import DaskFGAClassifier
from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish, version_of

GAMMA = 2.0
N_COLUMNS = 10
PAGE = RESULTS / "dask_scale.md"


class Fit(NamedTuple):
    """One fit: how long it took, what was sent, and how far its memberships are from those in memory.

    ``work`` is the processor time of all processes that take part, which a busy machine changes less.
    """

    rows: int
    who: str
    seconds: float
    work: float
    parts: dict[str, float]
    messages: dict[str, int]
    difference: float


def cluster_of(workers: int, memory: str = "auto") -> tuple[Any, Client]:
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0", memory_limit=memory
    )
    return cluster, Client(cluster)


def table(n: int) -> tuple[Any, Any]:
    return make_classification(n, N_COLUMNS, n_informative=6, random_state=0)


def cut(X: Any, y: Any, parts: int) -> tuple[Any, Any]:
    rows = -(-len(X) // parts)
    return da.from_array(X, chunks=(rows, X.shape[1])), da.from_array(y, chunks=rows)


def timed(model: Any, X: Any, y: Any, client: Client | None = None) -> tuple[float, float, Any]:
    """Return the seconds of a fit, the processor time of all processes, and the fitted model."""
    before, start = worked(client), time.perf_counter()
    model.fit(X, y)
    return time.perf_counter() - start, worked(client) - before, model


def worked(client: Client | None) -> float:
    """Return the processor time of this process and of all workers."""
    return time.process_time() + (0.0 if client is None else sum(client.run(time.process_time).values()))


def beside_memory(sizes: list[int], workers: list[int], times: int) -> list[Fit]:
    """Fit every size in memory and on every cluster, in turns, and keep the best of each."""
    found: dict[tuple[int, str], Fit] = {}
    clusters = {n: cluster_of(n) for n in workers}
    for n in [10_000, *sizes]:  # the first one compiles
        X, y = table(n)
        for _ in range(times if n in sizes else 1):
            seconds, work, local = timed(FGAClassifier(gamma=GAMMA, n_jobs=2), X, y)
            keep(found, Fit(n, "memory, 2 threads", seconds, work, local.solution_.seconds, {}, 0.0))
            for count, (_, client) in clusters.items():
                seconds, work, model = timed(DaskFGAClassifier(gamma=GAMMA, client=client), *cut(X, y, 16), client)
                difference = float(np.abs(model.beta_ - local.beta_).max())
                who = f"{count} worker{'s' * (count > 1)}, a thread each"
                keep(found, Fit(n, who, seconds, work, model.solution_.seconds, model.messages_, difference))
                progress(f"{n} rows, {who}: {seconds:.1f} s, {work:.1f} s of processors")
    for cluster, client in clusters.values():
        client.close()
        cluster.close()
    return [fit for fit in found.values() if fit.rows in sizes]


def keep(found: dict[tuple[int, str], Fit], fit: Fit) -> None:
    """Keep the faster of two fits, and the less work."""
    key = fit.rows, fit.who
    if key in found:
        work = min(fit.work, found[key].work)
        fit = min(fit, found[key], key=lambda one: one.seconds)._replace(work=work)
    found[key] = fit


def many_partitions(parts: int) -> tuple[float, float]:
    """Return the seconds of a fit of a table in very many partitions, and those of adding it up."""
    X, y = table(2 * parts)
    many = cut(X, y, parts)
    cluster, client = cluster_of(2)
    DaskFGAClassifier(gamma=5.0, client=client).fit(*cut(X, y, 8))  # compiles
    start = time.perf_counter()
    dask.compute(many[0].sum(), many[1].sum())
    added = time.perf_counter() - start
    seconds, _, _ = timed(DaskFGAClassifier(gamma=5.0, client=client), *many)
    client.close()
    cluster.close()
    progress(f"{parts} partitions: {seconds:.1f} s, a sum {added:.1f} s")
    return seconds, added


def little_memory(n: int, columns: int, limit: str) -> tuple[float, float, bool]:
    """Return the size of a table in MB, the seconds of a fit by one worker with less memory, and whether it is proved.

    Its parts are made by the workers, each time they are asked for, as those of a file are read.
    """
    cluster, client = cluster_of(1, limit)
    X = da.random.default_rng(0).normal(size=(n, columns), chunks=(n // 40, columns))
    y = (X[:, :5].sum(axis=1) > 0).astype(int)
    seconds, _, model = timed(DaskFGAClassifier(gamma=1.0, client=client), X, y)
    client.close()
    cluster.close()
    progress(f"{8e-6 * n * columns:.0f} MB with a worker of {limit}: {seconds:.0f} s")
    return 8e-6 * n * columns, seconds, model.solution_.is_optimal()


def bars_of(fits: list[Fit], memory: tuple[float, float, bool] | None) -> list[Bar]:
    """What was asked of clusters, and what came of it."""
    largest = max(fit.rows for fit in fits)
    of = {fit.who: fit for fit in fits if fit.rows == largest}
    worst = max(fit.difference for fit in fits)
    here, there = of["memory, 2 threads"], of["2 workers, a thread each"]
    ratio, work = there.seconds / here.seconds, there.work / here.work
    bars = [
        Bar("memberships equal those of the fit in memory to 1e-9", number(worst), worst <= 1e-9),
        Bar(f"two workers at most 1.3 times two threads in memory, {largest} rows", number(ratio), ratio <= 1.3),
        Bar("the same, in processor time", number(work), work <= 1.3),
    ]
    if memory is not None:
        size, seconds, proved = memory
        text = f"{size:.0f} MB, {seconds:.0f} s"
        bars.append(Bar("a table larger than the memory of its worker is fitted", text, proved))
    return bars


def growth(fits: list[Fit], who: str) -> float:
    """Return the power of the number of rows with which the time of the searches grows."""
    some = sorted((fit.rows, fit.parts["pricing"]) for fit in fits if fit.who == who)
    (n, first), (m, last) = some[0], some[-1]
    return math.log(last / first) / math.log(m / n)


def page(fits: list[Fit], bars: list[Bar], many: tuple[int, float, float] | None, load: Any) -> str:
    """Return the page of results."""
    header = [
        "rows",
        "",
        "seconds",
        "processor seconds",
        "searches",
        "pivots",
        "values sent",
        "pairs received",
        "difference",
    ]
    lines = [
        [
            str(fit.rows),
            fit.who,
            number(fit.seconds),
            number(fit.work),
            number(fit.parts["pricing"]),
            number(fit.parts["pivots"]),
            str(fit.messages.get("values_sent", "")),
            str(fit.messages.get("pairs_received", "")),
            number(fit.difference),
        ]
        for fit in sorted(fits, key=lambda fit: (fit.rows, fit.who))
    ]
    text = [
        "# Training on a Dask cluster",
        f"{provenance(load)} Dask {version_of('dask')}, distributed {version_of('distributed')}.",
        f"Two classes, {N_COLUMNS} columns, Euclidean, gamma {GAMMA:g}; the best fit of each kind.",
        markdown_table(header, lines),
    ]
    if len({fit.rows for fit in fits}) > 1:
        powers = ", ".join(f"{number(growth(fits, who), 2)} ({who})" for who in sorted({fit.who for fit in fits}))
        text.append(f"Searches grow with this power of the rows: {powers}.")
    if many is not None:
        parts, seconds, added = many
        text.append(f"A table in {parts} partitions of two rows: {seconds:.0f} s; adding it up takes {added:.0f} s.")
    return "\n\n".join([*text, "## Bars", bars_table(bars)])


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[25_000, 50_000, 100_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--partitions", type=int, default=10_000, help="0 leaves this out")
    parser.add_argument("--memory", nargs=3, metavar=("ROWS", "COLUMNS", "LIMIT"), default=["5000", "20000", "700MB"])
    parser.add_argument("--no-memory", action="store_true")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    given = parser.parse_args()
    load = OtherLoad()
    fits = beside_memory(given.rows, given.workers, given.times)
    many = (given.partitions, *many_partitions(given.partitions)) if given.partitions else None
    rows, columns, limit = given.memory
    memory = None if given.no_memory else little_memory(int(rows), int(columns), limit)
    publish(page(fits, bars_of(fits, memory), many, load), PAGE if given.write else None)


if __name__ == "__main__":
    main()
