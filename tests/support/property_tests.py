"""How many examples a property test tries: all of them, or a few if only the quick tests are run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

USUAL = 20
FEW = 4


def choose_profile(*, quick: bool) -> None:
    """Set the number of examples of tests that do not say it themselves; runs are repeatable."""
    settings.register_profile(
        "fgac",
        deadline=None,  # compilation makes a first example slow
        derandomize=True,
        max_examples=FEW if quick else USUAL,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("fgac")


def examples(n: int) -> settings:
    """Return the settings of a property test that tries ``n`` examples, or a few in a quick run."""
    return settings(max_examples=min(n, FEW) if settings.default.max_examples == FEW else n)
