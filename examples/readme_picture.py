"""Draw the README's picture: a prediction, and the training rows that argue for and against it.

    python examples/readme_picture.py [FILE]        (default: docs/images/arguments.png)

Needs matplotlib: pip install 'fgac[plot]'.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import patheffects
from sklearn.datasets import make_moons

from fgac import FGAClassifier
from fgac._colours import LIGHT

OUTPUT = Path(__file__).parents[1] / "docs" / "images" / "arguments.png"
LOWER, UPPER = "lower moon", "upper moon"  # in the order of the model's classes_
COLOURS = {LOWER: LIGHT.against, UPPER: LIGHT.for_}  # vermilion and blue, told apart by every kind of eye
PALE = {LOWER: "#f4b183", UPPER: "#9dcbea"}
MARKERS = {LOWER: "s", UPPER: "o"}
QUERY = np.array([[0.86, 0.42]])
GAMMA = 4.0
N_ARGUMENTS = 2
NUMBER = {
    "textcoords": "offset points",
    "ha": "center",
    "va": "center",
    "fontsize": 9,
    "path_effects": [patheffects.withStroke(linewidth=2.5, foreground="white")],
}


def toy_data():
    """Two interleaved moons with noise: some rows contradict their neighbours."""
    X, y = make_moons(n_samples=90, noise=0.22, random_state=4)
    return X, np.array([UPPER, LOWER])[y]


def draw_map(ax, model, X, y):
    """Shade the degree of the upper moon; draw the border of the decision and the training rows."""
    low, high = X.min(axis=0) - 0.2, X.max(axis=0) + 0.2
    across, up = np.meshgrid(np.linspace(low[0], high[0], 300), np.linspace(low[1], high[1], 240))
    grid = np.column_stack([across.ravel(), up.ravel()])
    degree = model.memberships(grid).degree[:, 1].reshape(across.shape)
    shades = mpl.colors.LinearSegmentedColormap.from_list("degree", [PALE[LOWER], "#ffffff", PALE[UPPER]])
    ax.pcolormesh(across, up, degree, cmap=shades, vmin=0, vmax=1, shading="auto", rasterized=True)
    is_upper = (model.predict(grid) == UPPER).reshape(across.shape)
    ax.contour(across, up, is_upper, levels=[0.5], colors="#333333", linewidths=1.3)
    for name in (LOWER, UPPER):
        rows = y == name
        sizes = 6 + 40 * model.beta_[rows] ** 2
        ax.scatter(
            *X[rows].T,
            s=sizes,
            c=COLOURS[name],
            marker=MARKERS[name],
            edgecolors="white",
            linewidths=0.6,
            zorder=3,
            label=name,
        )
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xticks=[], yticks=[])
    ax.set_xlabel("feature 1")
    ax.set_ylabel("feature 2")
    ax.set_title("A new row (star) near the border", loc="left")


def draw_query(ax, X, arguments):
    """Mark the new row and draw a line to each training row that argues, thick where it is strong."""
    styles = ((UPPER, "-"), (LOWER, (0, (3, 1.5))))
    for table, (name, dash) in zip(arguments, styles, strict=True):
        for row, strength in zip(table.indices[0, 1], table.strengths[0, 1], strict=True):
            ends = np.vstack([QUERY, X[row]])
            width = 0.8 + 3 * strength
            ax.plot(*ends.T, color=COLOURS[name], linestyle=dash, linewidth=width, zorder=4)
            ax.scatter(*X[row], s=130, facecolors="none", edgecolors="black", linewidths=1.3, zorder=5)
            away = (X[row] - QUERY[0]) / np.linalg.norm(X[row] - QUERY[0])
            ax.annotate(str(row), X[row], xytext=16 * away, zorder=7, **NUMBER)
    ax.scatter(*QUERY.T, marker="*", s=300, c="#f0e442", edgecolors="black", linewidths=1.1, zorder=6)
    ax.legend(loc="upper right", frameon=True, framealpha=0.9, fontsize=9, handletextpad=0.3)


def draw_bars(ax, memberships, arguments):
    """Arguments for grow from 0, arguments against from 1; what they leave free is the interval."""
    favour, against = (table.strengths[0, 1] for table in arguments)
    rows_for, rows_against = (table.indices[0, 1] for table in arguments)
    lower, upper, degree = (float(part[0, 1]) for part in memberships)
    heights = np.arange(2 * N_ARGUMENTS, 0, -1) + np.repeat([0.9, 0.0], N_ARGUMENTS)
    heights_for, heights_against = heights[:N_ARGUMENTS], heights[N_ARGUMENTS:]
    ax.barh(heights_for, favour, color=COLOURS[UPPER], height=0.72)
    ax.barh(
        heights_against,
        -against,
        left=1.0,
        color=PALE[LOWER],
        edgecolor=COLOURS[LOWER],
        hatch="////",
        height=0.72,
    )
    for height, row, strength in zip(heights_for, rows_for, favour, strict=True):
        ax.text(strength + 0.02, height, f"row {row}: {strength:.2f}", va="center", ha="left")
    for height, row, strength in zip(heights_against, rows_against, against, strict=True):
        ax.text(0.98 - strength, height, f"row {row}: {strength:.2f}", va="center", ha="right")
    ax.text(0, heights_for[0] + 0.55, "for: similar and in the upper moon", va="bottom")
    ax.text(1, heights_against[0] + 0.5, "against: similar and not in it", va="bottom", ha="right")
    ax.axvspan(lower, upper, color="0.92", zorder=0)
    ax.plot([lower, upper], [0, 0], color="black", linewidth=2, marker="|", markersize=14, markeredgewidth=2)
    ax.scatter([degree], [0], marker="*", s=300, c="#f0e442", edgecolors="black", linewidths=1.1, zorder=3)
    ax.text(lower - 0.02, 0, f"lower bound {lower:.2f}", va="center", ha="right")
    ax.text(upper + 0.02, 0, f"upper bound {upper:.2f}", va="center", ha="left")
    ax.text(degree, -0.55, f"degree {degree:.2f}", va="top", ha="center", fontweight="bold")
    ax.set(xlim=(0, 1), ylim=(-1.2, heights[0] + 1.2), yticks=[], xticks=np.linspace(0, 1, 6))
    ax.set_xlabel("membership of the new row in the upper moon")
    ax.set_title("Its arguments", loc="left")
    ax.spines[["left", "right", "top"]].set_visible(False)


def main(output: Path) -> None:
    X, y = toy_data()
    model = FGAClassifier(gamma=GAMMA).fit(X, y)
    arguments = model.arguments(QUERY, n_arguments=N_ARGUMENTS)
    plt.rcParams.update({"font.size": 10, "axes.titlesize": 12, "hatch.linewidth": 0.8})
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.3), layout="constrained")
    draw_map(left, model, X, y)
    draw_query(left, X, arguments)
    draw_bars(right, model.memberships(QUERY), arguments)
    output.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(output, dpi=160)
    print(f"wrote {output}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT)
