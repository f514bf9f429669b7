"""How busy the rest of the machine was while we measured.

Contention does not hurt both sides of a ratio alike: a short multi-threaded call that waits for a busy core
can take thirty times its time. So every result says how many cores other processes used meanwhile.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter

STAT = Path("/proc/stat")
QUIET = 0.1  # cores used by others up to which a result is to be trusted


class OtherLoad:
    """Cores used by other processes since this object was made (Linux; elsewhere unknown)."""

    def __init__(self) -> None:
        self.start = perf_counter()
        self.others = _others()

    def cores(self) -> float | None:
        """Return the mean number of cores that others kept busy."""
        now = _others()
        if now is None or self.others is None:
            return None
        return max(0.0, now - self.others) / (perf_counter() - self.start)

    def sentence(self) -> str:
        """Return the finding in words, with a warning where it matters."""
        cores = self.cores()
        if cores is None:
            return "The load of other processes is not known on this system."
        warning = "" if cores <= QUIET else " **The machine was not quiet: do not trust these ratios.**"
        return f"Other processes used {cores:.2f} cores meanwhile.{warning}"


def _others() -> float | None:
    """Return the seconds of processor time since boot that were not ours or our ended children's."""
    if not STAT.exists():
        return None
    fields = [int(field) for field in STAT.read_text().splitlines()[0].split()[1:9]]
    idle = fields[3] + fields[4]
    busy = (sum(fields) - idle) / os.sysconf("SC_CLK_TCK")
    return busy - sum(os.times()[:4])
