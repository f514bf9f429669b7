"""The pictures of the report. All of them are drawn from tables of numbers that are written beside them.

Colours are those of Okabe and Ito, told apart by every kind of eye; markers and lines tell the same without colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from fgac._atomic import write_safely
from fgac.experiments._extra import needed
from fgac.experiments.results.comparison import cells
from fgac.experiments.results.decision_spaces import GAMMAS, made_up
from fgac.experiments.results.nn_study import Panel, Study
from fgac.experiments.results.score_table import ScoreTable, Tables
from fgac.experiments.results.statistics import LEAST_ROWS, average_ranks, pairwise
from fgac.plot._canvas import pyplot
from fgac.plot._palette import LINES, MARKERS

DPI = 150
# Of the logarithmic axis on which small parts of the constraints can be told apart.
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
STYLE = {"font.size": 10.0, "axes.titlesize": 10.0, "axes.spines.top": False, "axes.spines.right": False}
# The colours of Okabe and Ito; dark grey stands in for yellow, which white paper swallows, and for black.
BLUE, VERMILION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
ORANGE, SKY, GREY = "#e69f00", "#56b4e9", "#555555"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, VERMILION, SKY, GREY)


@contextmanager
def drawing(path: Path) -> Iterator[Any]:
    """Give ``matplotlib.pyplot`` in the style of the report; the figure made inside is written and closed."""
    needed("matplotlib")
    plt = pyplot()
    before = set(plt.get_fignums())
    with plt.rc_context(STYLE):
        try:
            yield plt
            figure = plt.figure(max(set(plt.get_fignums()) - before))

            def write(file: IO[bytes]) -> None:
                figure.savefig(file, format="png", dpi=DPI)

            write_safely(path, write)
        finally:
            for number in set(plt.get_fignums()) - before:
                plt.close(number)


def draw_study(study: Study, path: Path) -> None:
    """The paper's figure of eight panels: what a part of the constraints loses, and what it saves."""
    rows = list(study.curves)
    with drawing(path) as plt:
        figure, axes = plt.subplots(
            len(rows), 2, figsize=(8.6, 2.25 * len(rows) + 0.7), layout="constrained", squeeze=False, sharex="col"
        )
        for row, panel in zip(axes, rows, strict=True):
            _draw_panel(row, study, panel)
        for left, right in axes:
            left.set_ylabel("mean |β(nn) − β(1)|")
            right.set_ylabel("share of nn = 1")
        for ax in axes[-1]:
            ax.set_xlabel("nn, part of the rows whose constraints are used")
        axes[-1, 0].set_xscale("log")
        axes[-1, 0].set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
        axes[-1, 0].minorticks_off()
        largest = max(ax.get_ylim()[1] for ax in axes[:, 0])
        for ax in axes[:, 0]:
            ax.set_ylim(0, largest)
        for ax, corner in zip(axes[0], ("left", "right"), strict=True):
            figure.legend(*ax.get_legend_handles_labels(), loc=f"outside upper {corner}", ncols=3, frameon=False)


def _draw_panel(axes: Any, study: Study, panel: Panel) -> None:
    left, right = axes
    curves = study.curves[panel]
    for i, (gamma, curve) in enumerate(sorted(curves.items())):
        style = {"color": COLOURS[i % 7], "marker": MARKERS[i], "ls": LINES[i % 4], "ms": 4, "lw": 1.3}
        left.plot([point.nn for point in curve], [point.difference for point in curve], label=f"γ = {gamma:g}", **style)
    nn = [point.nn for point in next(iter(curves.values()))]
    every = np.array([[[point.constraints, point.seconds] for point in curve] for curve in curves.values()])
    constraints, seconds = every[:, :, 0].mean(axis=0), every[:, :, 1]
    right.plot(nn, constraints, color="black", marker="o", ms=4, lw=1.3, label="constraints")
    right.fill_between(nn, seconds.min(axis=0), seconds.max(axis=0), color=SKY, alpha=0.35, lw=0)
    right.plot(nn, seconds.mean(axis=0), color=BLUE, ls="--", marker="s", ms=4, lw=1.3, label="time (range over γ)")
    right.plot([0, max(nn)], [0, max(nn)], color=GREY, ls=":", lw=1.2, label="share = nn")
    right.set_ylim(0, None)
    left.set_title(f"{panel.title}: difference of memberships", loc="left")
    right.set_title(f"{panel.title}: work", loc="left")


def draw_decision_spaces(path: Path) -> None:
    """The paper's figure of decision spaces for three gammas."""
    from fgac.estimators.classifier import FGAClassifier
    from fgac.plot import DecisionSpaceDisplay

    X, y = made_up()
    with drawing(path):
        DecisionSpaceDisplay.from_estimator(FGAClassifier(), X, y, gammas=list(GAMMAS))


def draw_critical_difference(table: ScoreTable, path: Path, *, names: Sequence[str], title: str) -> bool:
    """Average ranks on a line; a bar joins models that do not differ significantly (all pairs, Wilcoxon with Holm).

    Returns False, and draws nothing, if there are too few data sets.
    """
    known = table.values[np.isfinite(table.values).all(axis=1)]
    if len(known) < LEAST_ROWS:
        return False
    pandas, posthocs = needed("pandas"), needed("scikit_posthocs")
    complete = ScoreTable(table.name, (), table.columns, known)
    ranks = pandas.Series(average_ranks(known), index=list(names))
    different = pandas.DataFrame(pairwise(complete), index=list(names), columns=list(names))
    with drawing(path) as plt:
        _, ax = plt.subplots(figsize=(8.6, 0.9 + 0.24 * len(names)), layout="constrained")
        posthocs.critical_difference_diagram(
            ranks,
            different,
            ax=ax,
            label_fmt_left="{label}  {rank:.2f} ",
            label_fmt_right=" {rank:.2f}  {label}",
            color_palette=dict.fromkeys(names, BLUE),
            elbow_props={"linewidth": 1.2},
            crossbar_props={"color": "black", "linewidth": 3.0},
            text_h_margin=0.03 * float(np.ptp(ranks)),
        )
        for text in ax.texts:
            text.set_color("black")
        ax.set_title(f"{title} (average rank, 1 is best)", loc="left", pad=14)
    return True


def draw_scatter(tables: Tables, path: Path, *, names: Sequence[str]) -> None:
    """Our scores against the published ones; one panel for each table, one mark for each cell."""
    with drawing(path) as plt:
        figure, axes = plt.subplots(
            1, len(names), figsize=(3.1 * len(names), 3.6), layout="constrained", squeeze=False, sharey=True
        )
        for ax, name in zip(axes[0], names, strict=True):
            _draw_cells(ax, name, tables[name])
        axes[0, 0].set_ylabel("ours minus published")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)


def _draw_cells(ax: Any, name: str, table: ScoreTable) -> None:
    found = cells(name, table)
    groups = (
        ("FGAC, squared error", BLUE, "o", [c for c in found if "mse" in c.column or c.column == "fgac"]),
        ("FGAC, absolute error", ORANGE, "^", [c for c in found if "mae" in c.column]),
        ("other methods", GREEN, "D", [c for c in found if "_" not in c.column and c.column not in ("fgac", "lvq")]),
        ("LVQ", GREY, "x", [c for c in found if c.column == "lvq"]),
    )
    others = [c for c in found if c.column.startswith(("knn_", "kfrnn_"))]
    for label, colour, marker, members in groups:
        some = members + (others if label == "other methods" else [])
        look = {"marker": marker, "s": 18, "lw": 1.0 if marker == "x" else 0.4}
        edge = {} if marker == "x" else {"edgecolors": "white"}
        ax.scatter([c.published for c in some], [c.difference for c in some], color=colour, label=label, **look, **edge)
    ax.axhspan(-0.005, 0.005, color="black", alpha=0.08, lw=0)
    ax.axhline(0, color="black", lw=0.8)
    ax.set_title(name, loc="left")
    ax.set_xlabel("published balanced accuracy")
