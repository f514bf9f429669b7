"""Packages that only some sources need: said by name where they are missing, before any work is done."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.util import find_spec

from fgac.cli.errors import UsageError

EXCEL = {"fastexcel": "fastexcel"}
POSTGRESQL = {"adbc_driver_postgresql": "adbc-driver-postgresql", "pyarrow": "pyarrow"}
DUCKDB = {"duckdb": "duckdb", "adbc_driver_manager": "adbc-driver-manager", "pyarrow": "pyarrow"}
# Python has it from 3.14 on.
ZSTD_MODULE = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
ZSTD = {ZSTD_MODULE: "backports.zstd"}


def need(what: str, modules: Mapping[str, str], extra: str) -> None:
    """Refuse ``what`` if one of the modules it needs, named with their packages, is not installed."""
    missing = [package for module, package in modules.items() if not _is_there(module)]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        raise UsageError(
            f"{what} needs {' and '.join(missing)}, which {are} not installed; run: pip install 'fgac[{extra}]'"
        )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):  # the package around it is missing, or was put aside
        return False
