"""General QP solvers on the training problem, as the peers of the exact engine.

Each peer runs with the setting of its own that was fastest on these problems: PIQP with condensed
inequalities, Clarabel with its QDLDL factorisation; tolerances are their defaults. A peer's time is its setup
plus its solve, not our assembling of the sparse matrix.

    python benchmarks/peers.py      # the two peers agree to 1e-6 on small random problems
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from isolation import Outcome, isolated, physical_memory
from problems import Dataset, full_pairs, n_full_pairs, reduced_pairs, synthetic
from report import progress

Vector = NDArray[np.float64]
CONSTRAINTS = {"full": full_pairs, "2 %": reduced_pairs}


class Assembled(NamedTuple):
    """``minimise x'Px/2 + q'x subject to Gx <= h`` and the name of the peer that is to solve it."""

    peer: str
    P: sparse.csc_matrix
    q: Vector
    G: sparse.csc_matrix
    h: Vector


class Answer(NamedTuple):
    """A peer's own-class memberships and its median seconds."""

    beta: Vector
    seconds: float


def assemble(peer: str, which: str, dataset: Dataset, gamma: float) -> Assembled:
    """Write ``min sum (1 - beta)^2`` over the full or the 2 % constraint set in sparse matrices."""
    u, v, distance = CONSTRAINTS[which](dataset, gamma)
    n, m = dataset.n, len(u)
    where = np.arange(m)
    entries = (np.ones(2 * m), (np.r_[where, where], np.r_[u, v]))
    G = sparse.csc_matrix(entries, shape=(m, n))
    return Assembled(peer, sparse.csc_matrix(2.0 * sparse.eye(n)), np.full(n, -2.0), G, 1 + gamma * distance)


def solve_piqp(problem: Assembled, tol: float | None = None) -> Vector:
    """Solve with PIQP, inequalities condensed into the n x n system (its fastest form here)."""
    import piqp

    solver = piqp.SparseSolver()
    solver.settings.kkt_solver = piqp.sparse_ldlt_ineq_cond
    if tol is not None:
        solver.settings.eps_abs = solver.settings.eps_duality_gap_abs = tol
        solver.settings.eps_rel = solver.settings.eps_duality_gap_rel = tol
    solver.setup(problem.P, problem.q, None, None, problem.G, None, problem.h)
    status = solver.solve()
    if status != piqp.PIQP_SOLVED:
        raise RuntimeError(f"PIQP ended with {status}")
    return np.array(solver.result.x)


def solve_clarabel(problem: Assembled, tol: float | None = None) -> Vector:
    """Solve with Clarabel and its QDLDL factorisation (its fastest here)."""
    import clarabel

    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.direct_solve_method = "qdldl"
    if tol is not None:
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tol
    cones = [clarabel.NonnegativeConeT(len(problem.h))]
    solution = clarabel.DefaultSolver(problem.P, problem.q, problem.G, problem.h, cones, settings).solve()
    if solution.status != clarabel.SolverStatus.Solved:
        raise RuntimeError(f"Clarabel ended with {solution.status}")
    return np.array(solution.x)


SOLVERS: dict[str, Callable[..., Vector]] = {"PIQP": solve_piqp, "Clarabel": solve_clarabel}


def timed(problem: Assembled) -> Answer:
    """Solve, and repeat what takes less than a second: the median of five."""
    seconds: list[float] = []
    while not seconds or (seconds[0] < 1 and len(seconds) < 5):
        start = perf_counter()
        beta = SOLVERS[problem.peer](problem)
        seconds.append(perf_counter() - start)
    return Answer(beta, median(seconds))


class Peers:
    """Runs the peers, each in its own process, and remembers what was too large for them.

    A peer that ran out of time or memory is not tried again on as many constraints of the same kind or more.
    """

    def __init__(self, limit: float, memory: float) -> None:
        self.limit = limit
        self.memory = memory
        self.hopeless: dict[tuple[str, str], int] = {}

    def run(self, which: str, dataset: Dataset, gamma: float) -> dict[str, Outcome | None]:
        """Return each peer's outcome; None means not tried."""
        size = n_full_pairs(dataset, gamma) if which == "full" else dataset.n**2 // 50
        return {peer: self._run_one(peer, which, dataset, gamma, size) for peer in SOLVERS}

    def _run_one(self, peer: str, which: str, dataset: Dataset, gamma: float, size: int) -> Outcome | None:
        if size >= self.hopeless.get((peer, which), size + 1):
            return None
        # The child repeats solves of under a second, so a little more than the limit is allowed to it.
        arguments = (peer, which, dataset, gamma)
        outcome = isolated(assemble, timed, arguments, seconds=self.limit + 5, memory=self.memory)
        if outcome.status == "done" and outcome.value.seconds > self.limit:
            outcome = Outcome("time")
        if outcome.status == "failed":
            progress(f"{peer} failed on {dataset.name}, {which} set, gamma {gamma:g}: {outcome.value}")
        if outcome.status in ("time", "memory"):
            self.hopeless[peer, which] = size
        return outcome


def add_options(parser: argparse.ArgumentParser, limit: float) -> None:
    """Let the user leave the peers out, or allow them other time and memory."""
    parser.add_argument("--no-peers", action="store_true", help="leave out the general solvers")
    parser.add_argument("--limit", type=float, default=limit, help="seconds allowed to a general solver")
    memory = round(0.7 * physical_memory() / 1e9, 1)
    parser.add_argument("--memory", type=float, default=memory, help=f"GB allowed to it (here {memory})")


def main() -> None:
    """Check the peers against each other, both constraint sets, at tight tolerances."""
    for which in CONSTRAINTS:
        for gamma in (0.5, 1.0, 2.0, 5.0):
            problem = assemble("", which, synthetic(200), gamma)
            gap = float(np.abs(solve_piqp(problem, 1e-10) - solve_clarabel(problem, 1e-12)).max())
            print(f"{which:>4} gamma={gamma:<4g} constraints={len(problem.h):<6d} |PIQP - Clarabel| = {gap:.1e}")
            if gap > 1e-6:
                raise SystemExit("the peers disagree")


if __name__ == "__main__":
    main()
