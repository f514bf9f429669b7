"""What is stored of a gamma path: its model for the least gamma, and the constraints that are tight for every gamma."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fgac.estimators._state import ClassifierState
from fgac.persistence.parts import fields_of
from fgac.persistence.schema_base import Parts
from fgac.persistence.states import check_parts, describe, rebuild

if TYPE_CHECKING:
    from fgac.selection.gamma_path import GammaPath

# What follows from the model: the targets from the classes of its rows, the floor is its gamma.
DERIVED = ("targets", "floor")


def is_path(parts: Any) -> bool:
    """Whether some parts are those of a gamma path."""
    return isinstance(parts, dict) and parts.get("kind") == "path"


def describe_path(path: GammaPath, *, values: bool) -> Parts:
    """Everything that the path knows, but for what follows from the rest."""
    model = {name: part for name, part in describe(path.state, values=values).items() if name != "kind"}
    edges = {name: part for name, part in fields_of(path.edges).items() if name not in DERIVED}
    return {"kind": "path", "model": model, "edges": edges}


def rebuild_path(parts: Parts) -> GammaPath:
    """The path that was described, after everything has been checked."""
    # Loading a model should not wait for what only paths need.
    from fgac.granular.training import form
    from fgac.selection.gamma_path import GammaPath, nodes_of
    from fgac.solve.path import EdgePath

    check_parts(parts)
    state, edges = rebuild({"kind": "classifier", **parts["model"]}), parts["edges"]
    assert isinstance(state, ClassifierState)  # as every state of this kind
    targets = form(nodes_of(state, edges["weights"]))[0]
    return GammaPath(state, EdgePath(targets=targets, floor=state.gamma, **edges))
