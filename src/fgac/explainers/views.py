"""Training nodes as an explained row sees them, and as they are ranked by what they say about a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from fgac._typing import Floats, Ints
from fgac.metrics.distances import Rows


@dataclass(frozen=True)
class Ranking:
    """Nodes that are arguments on one side about one row, strongest first.

    ``strengths`` and ``degrees`` (how much each node is in the class, or is not) are on the scale of the isomorphism;
    ``weights`` say how much each strength counts in the bound.
    """

    nodes: Ints
    strengths: Floats
    degrees: Floats
    weights: Floats


class SeenNodes(NamedTuple):
    """All nodes as one row sees them: their orientation, distances, and what these take off a degree.

    ``parts`` remembers what was told about a group of nodes, which may argue about several classes.
    """

    nodes: Rows
    distances: Floats
    steps: Floats
    parts: dict[tuple[int, ...], dict[str, Any]]


# The nodes as they are compared with a row that is to be in the lower class, and with one that is to be in the higher.
Views = tuple[SeenNodes, SeenNodes]
