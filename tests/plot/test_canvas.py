"""What all pictures share: lazy imports, kind errors, the colours, and where they draw."""

import json
import subprocess
import sys
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import fgac.plot
from fgac.plot._canvas import many_panels, one_panel
from fgac.plot._labels import degree, short, wrapped
from fgac.plot._palette import COLOURS, blend, ground, ink, styles

WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
sys.modules["matplotlib.pyplot"] = None
from fgac import FGAClassifier, FGARegressor
told = {}
"""
CALL = """
from fgac.plot import {name}
try:
    {call}
except ImportError as error:
    told["{name}"] = str(error)
"""

CALLS = {
    "ArgumentDisplay": "ArgumentDisplay.from_estimator(FGAClassifier(), [[0.0]])",
    "ConsistencyDisplay": "ConsistencyDisplay.from_estimator(FGAClassifier())",
    "CoverageDisplay": "CoverageDisplay.from_predictions([], [], [])",
    "DecisionSpaceDisplay": "DecisionSpaceDisplay.from_estimator(FGAClassifier(), [[0.0]])",
    "GammaDisplay": "GammaDisplay.from_estimator(FGAClassifier(), [[0.0]], [0])",
    "MembershipDisplay": "MembershipDisplay.from_explanations([])",
    "NumberLineDisplay": "NumberLineDisplay.from_estimator(FGARegressor(), [[0.0]])",
    "PartialDependenceDisplay": "PartialDependenceDisplay.from_estimator(FGARegressor(), [[0.0]], feature=0)",
    "RegressionDisplay": "RegressionDisplay.from_estimator(FGARegressor(), [[0.0]])",
    "ResidualsDisplay": "ResidualsDisplay.from_predictions([], [])",
    "WeightsDisplay": "WeightsDisplay.from_estimator(FGAClassifier())",
}


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def told_without_matplotlib():
    """What each picture says, all in one process that has no matplotlib."""
    calls = [CALL.format(name=name, call=call) for name, call in CALLS.items()]
    return json.loads(run("".join([WITHOUT_MATPLOTLIB, *calls, "import json; print(json.dumps(told))"])))


@pytest.mark.parametrize("name", fgac.plot.__all__)
def test_says_what_to_install(name, told_without_matplotlib):
    expected = "fgac.plot needs matplotlib, which is not installed: pip install 'fgac[plot]'"
    assert told_without_matplotlib[name] == expected


@pytest.mark.slow
def test_importing_loads_no_matplotlib():
    code = "import sys, fgac.plot; dir(fgac.plot); print('matplotlib' in sys.modules, 'sklearn' in sys.modules)"
    assert run(code) == "False False\n"
    imports = "; ".join(f"fgac.plot.{name}" for name in fgac.plot.__all__)
    assert run(f"import sys, fgac.plot; {imports}; print('matplotlib' in sys.modules)") == "False\n"


def test_unknown_names():
    with pytest.raises(AttributeError, match=r"module 'fgac\.plot' has no attribute 'PieDisplay'"):
        fgac.plot.PieDisplay  # noqa: B018
    assert set(fgac.plot.__all__) <= set(dir(fgac.plot))


def test_styles_differ_also_in_grey():
    looks = styles(44)
    assert len({(look.marker, look.line) for look in looks}) == 44
    assert len(set(styles(77))) == 77


def simulated(colour, lacking):
    """Roughly what is left of a colour for eyes that lack one kind of cones (Viénot, Brettel and Mollon 1999)."""
    rgb = np.array(mpl.colors.to_rgb(colour)) ** 2.2
    matrix = {
        "red": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
        "green": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
    }[lacking]
    return np.clip(np.array(matrix) @ rgb, 0, 1) ** (1 / 2.2)


@pytest.mark.parametrize("lacking", ["red", "green"])
def test_colours_differ_for_every_eye(lacking):
    for one, other in combinations(COLOURS, 2):
        assert np.abs(simulated(one, lacking) - simulated(other, lacking)).max() > 0.09


def test_ink_and_ground_are_those_of_the_axes():
    with plt.style.context("dark_background"):
        _, ax = plt.subplots()
    assert ground(ax) == (0, 0, 0)
    assert mpl.colors.to_rgb(ink(ax)) == (1, 1, 1)
    ax.set_facecolor("none")
    assert ground(ax) == (0, 0, 0)
    assert blend("white", "black", 0.25) == (0.25, 0.25, 0.25)


def test_divided_axes_keep_their_style():
    with plt.style.context("dark_background"):
        _, ax = plt.subplots()
    for panel in many_panels(ax, 3, n_columns=2, size=(4, 4)):
        assert ground(panel) == (0, 0, 0)
        assert mpl.colors.to_rgb(ink(panel)) == (1, 1, 1)
        assert mpl.colors.to_rgb(panel.xaxis.get_tick_params()["labelcolor"]) == (1, 1, 1)


def test_figures_grow_with_the_letters():
    with mpl.rc_context({"font.size": 20}):
        assert np.allclose(one_panel(None, (3, 2)).figure.get_size_inches(), (6, 4))
    assert np.allclose(one_panel(None, (3, 2)).figure.get_size_inches(), (3, 2))


def test_subfigures_can_be_drawn_on():
    figure = plt.figure(layout="constrained")
    ax = figure.subfigures(1, 2)[1].subplots()
    assert one_panel(ax, (3, 2)) is ax
    assert ground(ax) == (1, 1, 1)
    assert len(many_panels(ax, 2, n_columns=2, size=(4, 4))) == 2


def test_wrong_axes():
    with pytest.raises(TypeError, match="ax is of type str; expected matplotlib axes, or None"):
        one_panel("here", (3, 2))
    with pytest.raises(TypeError, match="ax is of type list; expected matplotlib axes, an array of them, or None"):
        many_panels(["here"], 1, n_columns=1, size=(3, 2))
    ax = plt.figure().add_axes((0.1, 0.1, 0.8, 0.8))
    with pytest.raises(ValueError, match="ax stands at a fixed place, which cannot be divided into 1 x 2 panels"):
        many_panels(ax, 2, n_columns=2, size=(3, 2))


@pytest.mark.parametrize("text", ["x" * 100, "word " * 30, "ab" * 12, "", "\n\n", "é" * 25])
@pytest.mark.parametrize("width", [12, 16, 24])
def test_short_names(text, width):
    line = short(text, width)
    assert 0 < len(line) <= width
    assert "\n" not in line


def test_numbers_are_those_of_the_texts():
    assert [degree(x) for x in (0, 0.004, 0.5, 0.996, 1)] == ["0.00", "<0.01", "0.50", ">0.99", "1.00"]
    assert wrapped("a b\nc", 5, 10) == "a b\nc"
