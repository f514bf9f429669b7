"""Packages that only the experiments need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

PACKAGES = {"pandas": "pandas", "imblearn": "imbalanced-learn"}


def needed(module: str) -> Any:
    """Import a module, or say what to install.

    >>> needed("json").__name__
    'json'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = PACKAGES.get(module.split(".")[0], module)
        raise ModuleNotFoundError(
            f"the experiments need {package}, which is not installed; run: pip install 'fgac[experiments]'",
            name=error.name,
        ) from error
