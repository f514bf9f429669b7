"""What the journals of ``transparent.py`` hold, and who can be compared with whom on which data sets.

A model counts on a data set once all folds of it are there. Runs are cut, and some models are slow: so models are
compared on the data sets that all of them have finished, and, if that leaves some out, once more without the slow ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from fgac.experiments.results.statistics import LEAST_ROWS, average_ranks, friedman, holm, wilcoxon
from keel_sets import BY_NAME, by_size
from tables_models import SUBJECT
from transparent_models import CONTENDERS

FIELDS = ("data", "full", "fold", "model")
N_FOLDS = 5
SAME = 5e-4  # means that do not differ in the digits of the page are a draw


class Comparison(NamedTuple):
    """Models on the data sets that all of them have finished; ``lines`` are those of no others."""

    lines: pd.DataFrame
    names: list[str]
    data: list[str]

    def means(self, what: str) -> pd.DataFrame:
        """A row per data set, a column per model: means over the folds; models without such numbers are left out."""
        table = self.lines.pivot_table(index="data", columns="model", values=what, aggfunc="mean")
        return table.reindex(index=self.data, columns=[name for name in self.names if name in table])

    @property
    def transparent(self) -> list[str]:
        """Models that a person can follow."""
        return [name for name in self.names if CONTENDERS[name].transparent]

    @property
    def others(self) -> list[str]:
        """All models but ours."""
        return [name for name in self.names if name != SUBJECT]

    def ranks(self, names: list[str]) -> dict[str, float]:
        """Average ranks of balanced accuracy among some models."""
        return dict(zip(names, average_ranks(self.means("score")[names].to_numpy()).tolist(), strict=True))

    def friedman(self, names: list[str]) -> float:
        """p-value of Friedman's test; NaN for too few data sets or models."""
        return friedman(self.means("score")[names].to_numpy()) if len(names) > 2 else float("nan")

    def p_values(self) -> dict[str, float]:
        """Wilcoxon's test of ours against each other model, corrected by Holm; none for too few data sets."""
        score = self.means("score")
        if SUBJECT not in score or len(score) < LEAST_ROWS:
            return {}
        raw = [wilcoxon(score[SUBJECT].to_numpy(), score[name].to_numpy()) for name in self.others]
        return dict(zip(self.others, holm(raw).tolist(), strict=True))

    def duel(self, name: str) -> tuple[int, int, int]:
        """On how many data sets ours is better than another model, the same, and worse."""
        gap = self.means("score")[SUBJECT] - self.means("score")[name]
        return int((gap > SAME).sum()), int((gap.abs() <= SAME).sum()), int((gap < -SAME).sum())

    def times(self) -> pd.DataFrame:
        """Seconds of a model over those of a plain random forest: the median over all folds, and the largest."""
        ratio = self.lines["seconds"] / self.lines["forest_seconds"]
        return ratio.groupby(self.lines["model"]).agg(["median", "max"])


class Results(NamedTuple):
    """Lines of journals, and which data sets each model has finished."""

    lines: pd.DataFrame
    done: dict[str, list[str]]

    @property
    def data(self) -> list[str]:
        """Data sets that some model has finished, the small ones first."""
        return in_order({name for finished in self.done.values() for name in finished})

    def compare(self, names: list[str]) -> Comparison:
        """Set some models against each other on what all of them have finished."""
        common = set.intersection(*(set(self.done[name]) for name in names)) if names else set()
        chosen = self.lines["model"].isin(names) & self.lines["data"].isin(common)
        return Comparison(self.lines[chosen], names, in_order(common))

    def comparisons(self) -> list[Comparison]:
        """All models that have finished something worth a test; then those that have more, and half of what any has."""
        most = max((len(finished) for finished in self.done.values()), default=0)
        known = [name for name, finished in self.done.items() if len(finished) >= max(1, min(LEAST_ROWS, most))]
        everyone = self.compare(known)
        least = max(len(everyone.data) + 1, most / 2)
        quick = self.compare([name for name in known if len(self.done[name]) >= least])
        found = [everyone, quick] if len(quick.data) > len(everyone.data) else [everyone]
        return [comparison for comparison in found if comparison.data]


def read(paths: list[Path], *, full: bool) -> Results:
    """Read journals; of lines about the same fold the last counts."""
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise SystemExit(f"there is no journal {', '.join(missing)}: measure something first, or name it by --journal")
    records = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    records = [line for line in records if line["full"] == full and {line["data"]} <= set(BY_NAME)]
    records = [line for line in records if line["model"] in CONTENDERS]
    if not records:
        raise SystemExit(f"the journals hold no line of {'all rows' if full else 'at most 2500 rows'}: nothing to tell")
    lines = pd.DataFrame(records).drop_duplicates(list(FIELDS), keep="last")
    lines["log_loss"], lines["length"] = (lines[what].astype(float) for what in ("log_loss", "length"))
    folds = lines.groupby(["model", "data"]).size()
    known = [name for name in CONTENDERS if name in set(lines["model"])]
    done = {name: in_order(set(folds[name].index[folds[name] == N_FOLDS])) for name in known}
    return Results(lines, done)


def in_order(names: set[str]) -> list[str]:
    """Return data sets, the small ones first."""
    return by_size(list(names))


def nearest_rival(comparison: Comparison) -> pd.DataFrame:
    """Of every data set: our score, that of the best other transparent model, which one that is, and the gap."""
    score = comparison.means("score")
    rivals = score[[name for name in comparison.transparent if name != SUBJECT]]
    best = rivals.max(axis=1)
    return pd.DataFrame(
        {"ours": score[SUBJECT], "best": best, "who": rivals.idxmax(axis=1), "gap": np.asarray(score[SUBJECT] - best)}
    )
