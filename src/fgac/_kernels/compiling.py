"""The decorators of compiled loops: one for those that Python calls, and two for what such a kernel calls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba.core.options import DefaultOptions

try:
    from fgac._kernels.caching import enable_cache
except (ImportError, AttributeError, ValueError):  # a numba with other insides, which then keeps loops by its own rules

    def enable_cache(dispatcher: Any) -> None:
        """Let the compiled versions of a kernel be kept."""
        dispatcher.enable_caching()


def _without(*wrappers: str) -> dict[str, bool]:
    """Options that spare wrappers around a function which nobody uses, as far as this numba has these options."""
    return {name: True for name in wrappers if hasattr(DefaultOptions, name)}


# C calls no kernel, and Python calls no helper.
_njit: Any = numba.njit
_KERNEL = {"nogil": True, **_without("no_cfunc_wrapper")}
_HELPER = {"nogil": True, **_without("no_cfunc_wrapper", "no_cpython_wrapper")}


def kernel(function: Callable[..., Any]) -> Any:
    """A loop that Python calls. It is compiled when it is first called, for this process and later ones."""
    dispatcher = _njit(**_KERNEL)(function)
    if dispatcher is not function:  # NUMBA_DISABLE_JIT, for debuggers, leaves the function as it is
        with suppress(OSError, RuntimeError):  # no place to keep it, or no source to compare with, as in a zip file
            enable_cache(dispatcher)
    return dispatcher


def helper(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """A function that kernels call; it is compiled and kept as a part of them."""
    decorate = _njit(**_HELPER, **options)
    return decorate if function is None else decorate(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A function whose text takes the place of its calls: of a single one, or where handing over a tuple costs more."""
    return _njit(inline="always")(function)
