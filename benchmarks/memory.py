"""Peak memory of one fit beyond its data, measured in a fresh process (Linux)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from isolation import isolated
from problems import Dataset, synthetic

STATUS = Path("/proc/self/status")


def extra_memory(n: int, gamma: float, seconds: float = 600.0) -> float | None:
    """Return by how many bytes a fit of ``n`` rows raises the peak of resident memory; None where unknown.

    Imports and compilation (a small problem is fitted first) and the data itself are there before and not
    counted.
    """
    if not STATUS.exists():
        return None
    outcome = isolated(_prepare, _peak_growth, (n, gamma), seconds=seconds)
    return float(outcome.value) if outcome.status == "done" else None


def _prepare(n: int, gamma: float) -> tuple[Any, Dataset]:
    from fgac import FGAClassifier

    model = FGAClassifier(gamma=gamma, n_jobs=-1)
    small, large = synthetic(500), synthetic(n)
    model.fit(small.X, small.labels)
    return model, large


def _peak_growth(prepared: tuple[Any, Dataset]) -> float:
    model, dataset = prepared
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    model.fit(dataset.X, dataset.labels)
    return _status("VmHWM") - before


def _status(field: str) -> float:
    """Return a field of the process status in bytes: VmRSS is resident now, VmHWM its peak."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field + ":"))
    return 1024.0 * float(line.split()[1])
