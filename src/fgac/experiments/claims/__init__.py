"""Every conclusion that the paper draws from its experiments, and whether it holds.

Each is looked at four times: what the text states, what follows from the paper's own printed tables, what follows from
our run "as published", and what follows from our run "as we would do it". The last knows only the comparison of five
models, so most conclusions say nothing there.
"""

from __future__ import annotations

from fgac.experiments.claims.base import Conclusion, Evidence
from fgac.experiments.claims.models import about_ionosphere, about_models, about_transparency
from fgac.experiments.claims.nn import about_gamma, about_nn
from fgac.experiments.claims.versions import about_owa, about_versions

__all__ = ["Conclusion", "Evidence", "conclusions"]


def conclusions(evidence: Evidence) -> list[Conclusion]:
    """All of them, in the order of the paper."""
    return [
        *about_nn(evidence),
        about_gamma(),
        *about_versions(evidence),
        *about_owa(evidence),
        *about_models(evidence),
        *about_ionosphere(evidence),
        *about_transparency(evidence),
    ]
