"""One meaning per colour: in all pictures, in the pages of reports, and for every kind of eye."""

import ast
import re
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import fgac
from fgac._colours import DARK, LIGHT
from fgac.plot import _palette

PACKAGE = Path(fgac.__file__).parent
DISPLAYS = sorted(path for path in (PACKAGE / "plot").glob("*.py") if path.name != "_palette.py")
# What is no colour, although matplotlib takes it as one.
NO_COLOUR = {"none"}

# How eyes that lack one kind of cones see, in linear light (Machado, Oliveira and Fernandes 2009).
EYES = {
    "all": np.eye(3),
    "without red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "without green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "without blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def linear(colour):
    """Return the light that a colour is."""
    rgb = np.array(mpl.colors.to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def seen(colour, eyes):
    """Return a colour in CIELAB, where distances are what eyes tell apart, as these eyes see it."""
    light = np.clip(np.array(EYES[eyes]) @ linear(colour), 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = (np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in to_xyz @ light / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(colour, paper):
    """Return the contrast of a colour on paper, as the rules for accessible pages define it."""
    dark, bright = sorted(float(linear(each) @ [0.2126, 0.7152, 0.0722]) + 0.05 for each in (colour, paper))
    return bright / dark


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("colours", [LIGHT, DARK, _palette.COLOURS], ids=["light", "dark", "classes"])
def test_every_kind_of_eye_tells_them_apart(colours, eyes):
    """Colours that differ by less than 2 look alike; next to each other 10 is plain."""
    for one, other in combinations(colours, 2):
        assert np.linalg.norm(seen(one, eyes) - seen(other, eyes)) > 12, (one, other)


def test_no_class_has_a_colour_that_means_something():
    for colour in _palette.COLOURS:
        for meaning in LIGHT:
            assert np.linalg.norm(seen(colour, "all") - seen(meaning, "all")) > 20, (colour, meaning)


@pytest.mark.parametrize(("colours", "paper"), [(LIGHT, "#ffffff"), (LIGHT, "#f6f7f9"), (DARK, "#14191f")], ids=str)
def test_for_and_against_can_be_read(colours, paper):
    """As text; marks need less."""
    assert contrast(colours.for_, paper) > 4.5
    assert contrast(colours.against, paper) > 4.5
    assert contrast(colours.true, paper) > 3
    assert contrast(colours.neutral, paper) > 4.5


@pytest.mark.parametrize("path", DISPLAYS, ids=lambda path: path.name)
def test_no_picture_has_a_colour_from_elsewhere(path):
    """Every text of the source that matplotlib would take as a colour is in the palette."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [k.value for k in node.keywords if k.arg and re.search(r"colou?rs?$|^c$|^cmap$", k.arg)]
            found += [part for value in given for part in ast.walk(value) if isinstance(part, ast.Constant)]
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch("#[0-9a-fA-F]{3,8}", node.value)
        ):
            found.append(node)
    texts = {node.value for node in found if isinstance(node.value, str)} - NO_COLOUR
    assert {text for text in texts if mpl.colors.is_color_like(text)} == set()


def test_pages_have_the_same_colours():
    """The style sheet of reports, on light paper, on dark, and in print."""
    css = (PACKAGE / "report" / "templates" / "explanation.css").read_text(encoding="utf-8")
    light, dark, printed = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-fA-F]{3,6}|[\d, ]+);", part))
        for part in (
            css.split("@media")[0],
            css.split("prefers-color-scheme: dark")[1].split("@media")[0],
            css.split("@media print")[1],
        )
    )
    for found, colours in ((light, LIGHT), (dark, DARK), (printed, LIGHT)):
        for name, colour in colours._asdict().items():
            # Not every page needs every colour.
            assert found.get(name.rstrip("_"), colour) == colour
        assert (found["for"], found["against"]) == (colours.for_, colours.against)
        assert found["close"] == rgb(colours.for_)
        assert found["apart"] == rgb(colours.against)


def rgb(colour):
    """Return a colour as CSS mixes it: three numbers up to 255."""
    return ", ".join(str(round(255 * part)) for part in mpl.colors.to_rgb(colour))


def test_shades_of_two_classes_read_in_grey():
    lightness = [seen(shade, "all")[0] for shade in _palette.TWO_CLASSES]
    assert lightness == sorted(lightness)
    assert lightness[0] < lightness[1] - 5 < lightness[2] - 10
