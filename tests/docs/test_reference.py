"""The reference has every public object, and every public object has an example."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[2] / "docs" / "api.rst"
# Modules all of whose __all__ is public, and those of which some names are.
WHOLE = (
    "fgac",
    "fgac.dask",
    "fgac.explanation",
    "fgac.fuzzy.connectives",
    "fgac.fuzzy.owa",
    "fgac.fuzzy.relations",
    "fgac.fuzzy.roughsets",
    "fgac.persistence",
    "fgac.plot",
    "fgac.solve",
)
PARTS = {"fgac.explainers.audit": ["doubts"], "fgac.metrics.distances": ["Metric", "Rows"]}
PUBLIC = [(module, name) for module in WHOLE for name in importlib.import_module(module).__all__]
PUBLIC += [(module, name) for module, names in PARTS.items() for name in names]


def listed():
    """What the tables of the reference name, with their modules."""
    found = set()
    module = None
    for line in REFERENCE.read_text(encoding="utf-8").splitlines():
        if begins := re.fullmatch(r"\.\. currentmodule:: (\S+)", line):
            module = begins[1]
        elif entry := re.fullmatch(r"   (\w+)", line):
            found.add((module, entry[1]))
    return found


def test_everything_public_is_listed_and_nothing_else():
    def objects(names):  # fgac.Explanation and fgac.explanation.Explanation are one object, listed once
        return {id(getattr(importlib.import_module(module), name)) for module, name in names}

    assert [one for one in sorted(listed()) if one not in PUBLIC] == []
    missing = [one for one in PUBLIC if objects([one]).isdisjoint(objects(listed()))]
    assert missing == [], f"docs/api.rst does not list {missing}"


@pytest.mark.parametrize(("module", "name"), PUBLIC, ids=lambda one: one)
def test_public_object_has_an_example(module, name):
    public = getattr(importlib.import_module(module), name)
    if not callable(public) or isinstance(public, (str, tuple, dict)):
        return  # a constant
    if not isinstance(public, type) and not hasattr(public, "__module__"):
        return
    examples = [one for found in doctest.DocTestFinder().find(public, name) for one in found.examples]
    assert examples, f"{module}.{name} has no example in its docstring"
