"""The gallery's code runs as printed, and its pictures are those that examples/pictures.py makes."""

import re
import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

from fgac import plot

mpl.use("Agg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page():
    return (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_code_runs(page):
    scope = {"__name__": "docs.pictures"}
    for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(compile(block, "docs/pictures.md", "exec"), scope)
    assert len(plt.get_fignums()) == 14


def test_shows_every_display(page):
    for name in plot.__all__:
        assert f"{name}.from_estimator(" in page


def test_pictures_are_there_and_made_by_the_script():
    pages = ("pictures", "monotone", "regression", "weights")
    text = "".join((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in pages)
    shown = re.findall(r"!\[[^\]]+\]\(images/([^)]+)\)", text)
    script = runpy.run_path(str(ROOT / "examples" / "pictures.py"))
    assert sorted(shown) == sorted(script["PICTURES"])
    for name in shown:
        assert (ROOT / "docs" / "images" / name).exists()
