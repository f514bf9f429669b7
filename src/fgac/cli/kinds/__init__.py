"""Kinds of models, one file each: what the command line must know of them beyond the options they share.

A new kind is a file here with a subclass of :class:`~fgac.cli.kinds.base.ModelKind`, and its line in ``HOMES``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fgac.cli.kinds.base import ModelKind
    from fgac.estimators._state import FittedState

    AnyKind = ModelKind[Any, Any, Any]


# The module of every kind, by the name that model files have for it. A command imports only the kind that it needs.
HOMES = {
    "classifier": "fgac.cli.kinds.classification",
    "ordinal": "fgac.cli.kinds.ordinal",
    "regressor": "fgac.cli.kinds.regression",
}


def kind_named(name: str) -> AnyKind:
    """The kind of this name."""
    kind: AnyKind = import_module(HOMES[name]).KIND
    return kind


def kind_from_options(*, numbers: bool, order: bool) -> AnyKind:
    """The kind that the options of a command ask for."""
    return kind_named("regressor" if numbers else "ordinal" if order else "classifier")


def kind_of(state: FittedState) -> AnyKind:
    """The kind of a fitted model."""
    from fgac.persistence.states import KINDS

    return kind_named(next(name for name, stored in KINDS.items() if type(state) is stored.state))
