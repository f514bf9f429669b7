"""The map of the code shows the code: every file and module that the pages name is there, and the picture is right."""

import importlib
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import fgac

ROOT = Path(__file__).parents[2]
PACKAGE = Path(fgac.__file__).parent
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:[\w]+/)*[\w]+(?:\.py|/))`", MAP))))
def test_files_are_there(name):
    """Paths are below the package, or below the repository."""
    places = [PACKAGE / name, ROOT / name]
    assert any(place.exists() for place in places), f"docs/architecture.md names {name}"


def test_every_folder_is_a_room_of_the_map():
    rooms = {module.name for module in pkgutil.iter_modules([str(PACKAGE)])} - {"py.typed"}
    rows = re.findall(r"^\| (`.+?`) \|", MAP, flags=re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert rooms <= named


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_are_there(page):
    """What pages call fgac.something can be imported, or is an attribute of what can."""
    for name in sorted(set(re.findall(r"(?<![.\w])fgac(?:\.[A-Za-z_]\w*)+", page.read_text(encoding="utf-8")))):
        found, parts = fgac, name.split(".")[1:]
        for i, part in enumerate(parts):
            try:
                found = getattr(found, part)
            except AttributeError:
                found = importlib.import_module(".".join(["fgac", *parts[: i + 1]]))


def test_the_picture_has_the_rooms_in_their_order():
    layers = runpy.run_path(str(ROOT / "tests" / "contracts" / "test_layers.py"))
    drawn = runpy.run_path(str(ROOT / "examples" / "layers_picture.py"))
    rooms = [room for _, storey in drawn["STOREYS"][1:] for room in storey]
    assert rooms == [room for layer in layers["LAYERS"][1:] for room in layer]
    doors = {(module.split(".")[1], package) for module, package in layers["DOORS"]}
    assert {(start, end) for start, end, _ in drawn["DOORS"]} == doors
