"""Modules under their old names: importing one warns, and gives what the module has in its new place."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# Below the package, from where to where.
MOVED = {
    "connectives": "fuzzy.connectives",
    "owa": "fuzzy.owa",
    "relations": "fuzzy.relations",
    "roughsets": "fuzzy.roughsets",
    "distances": "metrics.distances",
    "envelope": "query.envelope",
    "classifier": "estimators.classifier",
    "ordinal": "estimators.ordinal",
    "regressor": "estimators.regressor",
    "neighbours": "estimators.frnn",
    "classifier_cv": "selection.classifier_cv",
    "regressor_cv": "selection.regressor_cv",
    "gamma_path": "selection.gamma_path",
    "choosing": "selection.rules",
    "membership": "granular.membership",
    "approximation": "granular.approximation",
    "auditing": "explainers.audit",
    "contradictions": "explanation",
    "ordinal_explanation": "explanation.ordinal",
    "regression_explanation": "explanation",
    "learned_weights": "tables.learned_weights",
    "language": "text",
    "files": "persistence",
}


class MovedModules(MetaPathFinder, Loader):
    """Finds modules that have moved, after everybody else has failed to."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A stand-in for a module that has moved; None for any other."""
        package, _, name = fullname.partition(".")
        return ModuleSpec(fullname, self) if package == "fgac" and name in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Warn, and hand every question on to the module in its new place."""
        from fgac._warnings import warn_renamed

        new = f"fgac.{MOVED[module.__name__.removeprefix('fgac.')]}"
        warn_renamed(f"module {module.__name__}", new)
        there = import_module(new)

        def ask(name: str) -> Any:
            return getattr(there, name)

        module.__dict__["__getattr__"] = ask


def find_moved_modules() -> None:
    """Let ``import`` find modules under their old names, too."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
