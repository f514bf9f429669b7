"""Tolerances stand in one module, and each of them is used."""

import re
from pathlib import Path

import pytest

import fgac
from fgac import _tolerances

SOURCES = {path: path.read_text() for path in Path(fgac.__file__).parent.rglob("*.py")}
NAMES = [name for name in vars(_tolerances) if name.isupper()]


@pytest.mark.parametrize("name", NAMES)
def test_every_tolerance_is_used(name):
    word = re.compile(rf"\b{name}\b")
    assert any(word.search(text) for path, text in SOURCES.items() if path.name != "_tolerances.py")


def test_comparisons_name_their_tolerance():
    """Numbers this small mean rounding: they have a name that says of what."""
    bare = re.compile(r"(?:<=?|>=?|[-+*]) ?-?1e-(?:[6-9]|1[0-9])\b")
    found = [
        f"{path.name}: {line.strip()}"
        for path, text in SOURCES.items()
        for line in text.splitlines()
        if bare.search(line) and path.name != "_tolerances.py" and ">>>" not in line
    ]
    assert found == []
