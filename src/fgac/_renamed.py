"""Old names: what they are called now, since when, and the version that removes them.

An old name keeps working, with a ``FutureWarning`` that says the new one, until the version it is to be removed in.
Every one of them stands in a table here: modules in ``MODULES``, what modules hold in ``ATTRIBUTES``, and methods,
fields and parameters in ``MEMBERS``. A test fails once a version has been reached whose old names are still here.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Renamed:
    """A better name, the version that brought it, and the version in which the old one is gone."""

    new: str
    since: str
    removed_in: str


def _renamed(since: str, removed_in: str, names: Mapping[str, str]) -> dict[str, Renamed]:
    """Say of names that were all changed in one version, and will all be removed in another, what they are now."""
    return {old: Renamed(new, since, removed_in) for old, new in names.items()}


# Below the package, from where to where.
MODULES = _renamed(
    "0.2.0",
    "0.4.0",
    {
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
    },
)

# Below the package, too: functions and classes in their modules.
ATTRIBUTES = _renamed(
    "0.2.0",
    "0.4.0",
    {
        "explanation.Bound": "explanation.RegressionArgument",
        "explanation.Comparison": "explanation.FeatureComparison",
        "explanation.Contradiction": "explanation.RegressionSuspect",
        "explanation.Contradictions": "explanation.RegressionAudit",
        "explanation.Contradictor": "explanation.RegressionOpponent",
        "explanation.Effect": "explanation.FeatureEffect",
        "explanation.Reading": "explanation.FeatureValue",
        "fuzzy.relations.attribute_ranges": "fuzzy.relations.coordinate_ranges",
        "text.allowance": "text.words.format_radius",
        "text.called": "text.words.row_name",
        "text.in_line": "text.words.on_one_line",
        "text.is_averaged": "text.sides.is_averaged",
        "text.listed": "text.words.listed",
        "text.named": "text.words.class_name",
        "text.number": "text.words.format_degree",
        "text.tell": "text.classification.describe",
        "text.tell_suspect": "text.audit.describe",
        "text.value": "text.words.format_number",
    },
)

# Methods, fields and parameters, as sentences name them.
MEMBERS = _renamed(
    "0.2.0",
    "0.4.0",
    {
        "against": "arguments_against",
        "alike": "merge_similarity",
        "chosen()": "best_estimator_",
        "contradictions()": "fgac.audit(model)",
        "envelope(X)": "predict_bounds(X)",
        "favour": "arguments_for",
        "fitted_": "fitted_values_",
        "n_attributes of euclidean_similarity": "n_coordinates",
    },
)


def warn_renamed(old: str) -> None:
    """Warn the caller that a method, field or parameter of ``MEMBERS`` has a better name now."""
    _warn(old, MEMBERS[old].new, MEMBERS[old])


def renamed_attribute(module: str, name: str) -> Any:
    """What an old name in a module stands for, with a warning; no such attribute if it was never one.

    It is what ``__getattr__`` of a module returns in the end::

        def __getattr__(name):
            return renamed_attribute(__name__, name)
    """
    known = ATTRIBUTES.get(f"{module.removeprefix('fgac.')}.{name}")
    if known is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    new = f"fgac.{known.new}"
    _warn(f"{module}.{name}", new, known)
    there, _, attribute = new.rpartition(".")
    return getattr(import_module(there), attribute)


def _warn(old: str, new: str, known: Renamed) -> None:
    from fgac._warnings import warn_caller

    message = f"{old} is now called {new}; the old name will be removed in version {known.removed_in}"
    warn_caller(message, FutureWarning)


class MovedModules(MetaPathFinder, Loader):
    """Finds modules that have moved, after everybody else has failed to."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A stand-in for a module that has moved; None for any other."""
        package, _, name = fullname.partition(".")
        return ModuleSpec(fullname, self) if package == "fgac" and name in MODULES else None

    def exec_module(self, module: ModuleType) -> None:
        """Warn, and hand every question on to the module in its new place."""
        known = MODULES[module.__name__.removeprefix("fgac.")]
        new = f"fgac.{known.new}"
        _warn(f"module {module.__name__}", new, known)
        there = import_module(new)

        def ask(name: str) -> Any:
            return getattr(there, name)

        module.__dict__["__getattr__"] = ask


def find_moved_modules() -> None:
    """Let ``import`` find modules under their old names, too."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
