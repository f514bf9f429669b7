"""Draw the layers of the package, bottom to top, for docs/architecture.md.

    python examples/layers_picture.py [FILE]        (default: docs/images/layers.png)

Needs matplotlib: pip install 'fgac[plot]'.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

from fgac._colours import LIGHT

OUTPUT = Path(__file__).parents[1] / "docs" / "images" / "layers.png"

# From the bottom to the top: a line per storey, and the rooms on it. Imports go down, or stay in a room.
STOREYS = (
    ("foundations", ("_kernels", "_typing, _tolerances, ...")),
    ("values", ("explanation",)),
    ("mathematics", ("metrics", "fuzzy", "query")),
    ("tables", ("tables",)),
    ("the exact engine", ("solve",)),
    ("training and prediction", ("granular",)),
    ("scikit-learn", ("estimators", "selection")),
    ("clusters", ("dask",)),
    ("reasons", ("explainers", "text")),
    ("for people and files", ("report", "plot", "persistence")),
    ("command line, the paper", ("cli", "experiments")),
)
# Doors, the only ways up: from a room to a room, and what is asked for.
DOORS = (
    ("estimators", "explainers", "explain()"),
    ("cli", "experiments", "fgac reproduce"),
    ("selection", "text", "text()"),
    ("explanation", "text", "text()"),
    ("explanation", "report", "to_html()"),
    ("estimators", "report", "notebooks"),
    ("selection", "report", "notebooks"),
    ("solve", "report", "notebooks"),
)
WIDTH, HEIGHT, GAP = 9.0, 0.62, 0.14
INK, WALL, DOOR = "#333333", "#e8eef4", LIGHT.against


def places():
    """Return the left end, the bottom and the width of every room."""
    found = {}
    for storey, (_, rooms) in enumerate(STOREYS):
        width = WIDTH / len(rooms)
        for i, room in enumerate(rooms):
            found[room] = (i * width, storey * (HEIGHT + GAP), width)
    return found


def draw(path):
    """Draw storeys, rooms and doors."""
    fig, ax = plt.subplots(figsize=(9, 6.4), layout="constrained")
    rooms = places()
    for room, (left, bottom, width) in rooms.items():
        box = mpl.patches.FancyBboxPatch(
            (left + 0.04, bottom), width - 0.08, HEIGHT, boxstyle="round,pad=0,rounding_size=0.08", fc=WALL, ec=INK
        )
        ax.add_patch(box)
        ax.text(left + width / 2, bottom + HEIGHT / 2, room, ha="center", va="center", family="monospace", color=INK)
    for storey, (name, _) in enumerate(STOREYS):
        middle = storey * (HEIGHT + GAP) + HEIGHT / 2
        ax.text(-0.15, middle, name, ha="right", va="center", color=INK, fontsize=9)
    for i, (start, end, asked) in enumerate(DOORS):
        x = WIDTH + 0.35 + 0.45 * i
        low, high = (rooms[room][1] + HEIGHT / 2 for room in (start, end))
        if low == high:  # a door between two rooms of the same storey
            low -= HEIGHT / 2
        ax.annotate("", (x, high), (x, low), arrowprops={"arrowstyle": "-|>", "color": DOOR, "lw": 1.2})
        beside = high - low > 3 * HEIGHT
        label = f"{start} \u2192 {end}: {asked}"
        where = (x + 0.16, (low + high) / 2, "center") if beside else (x, low - 0.08, "top")
        ax.text(*where[:2], label, color=DOOR, fontsize=8, rotation=90, va=where[2], ha="center")
    top = len(STOREYS) * (HEIGHT + GAP)
    ax.annotate("", (-3.3, 0), (-3.3, top - GAP), arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.5})
    ax.text(-3.4, top / 2, "imports go down", rotation=90, ha="right", va="center", color=INK)
    ax.set_xlim(-3.8, WIDTH + 0.6 + 0.45 * len(DOORS))
    ax.set_ylim(-0.2, top + 0.1)
    ax.set_axis_off()
    fig.savefig(path, dpi=110)
    plt.close(fig)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT)
