"""Modules under their old names: importing one warns, and gives what the module has in its new place."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MOVED = {
    "fgac.connectives": "fgac.fuzzy.connectives",
    "fgac.owa": "fgac.fuzzy.owa",
    "fgac.relations": "fgac.fuzzy.relations",
    "fgac.roughsets": "fgac.fuzzy.roughsets",
    "fgac.distances": "fgac.metrics.distances",
    "fgac.envelope": "fgac.query.envelope",
    "fgac.classifier": "fgac.estimators.classifier",
    "fgac.ordinal": "fgac.estimators.ordinal",
    "fgac.regressor": "fgac.estimators.regressor",
    "fgac.neighbours": "fgac.estimators.frnn",
    "fgac.classifier_cv": "fgac.selection.classifier_cv",
    "fgac.regressor_cv": "fgac.selection.regressor_cv",
    "fgac.gamma_path": "fgac.selection.gamma_path",
    "fgac.choosing": "fgac.selection.rules",
    "fgac.membership": "fgac.granular.membership",
    "fgac.approximation": "fgac.granular.approximation",
    "fgac.auditing": "fgac.explainers.audit_classification",
    "fgac.contradictions": "fgac.explanation.audit",
    "fgac.ordinal_explanation": "fgac.explanation.ordinal",
    "fgac.regression_explanation": "fgac.explanation.regression",
    "fgac.learned_weights": "fgac.tables.learned_weights",
    "fgac.language": "fgac.text",
    "fgac.files": "fgac.persistence",
}


class MovedModules(MetaPathFinder, Loader):
    """Finds modules that have moved, after everybody else has failed to."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A stand-in for a module that has moved; None for any other."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Warn, and hand every question on to the module in its new place."""
        from fgac._warnings import warn_renamed

        new = MOVED[module.__name__]
        warn_renamed(f"module {module.__name__}", new)
        there = import_module(new)

        def ask(name: str) -> Any:
            return getattr(there, name)

        module.__dict__["__getattr__"] = ask


def find_moved_modules() -> None:
    """Let ``import`` find modules under their old names, too."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
