"""Hand-made lines of results for tests of tables and reports."""

from __future__ import annotations

import json

GAMMAS = (2.0, 1.0)
FOLDS = range(2)


def line(dataset, method, fold, setting, score, run="published", **more):
    """Return one line as the run of the experiments writes it."""
    record = {"run": run, "dataset": dataset, "method": method, "fold": fold, "setting": setting, "score": score}
    more = {"seconds": 0.5, "constraints": None, "violation": None, "seed": 10, "commit": "abc1234", **more}
    return {**record, "versions": {"python": "3.12.1", "fgac": "0.1.0"}, **more}


def scored(dataset, method, score, settings, best):
    """Return lines of all folds and settings whose best mean is ``score``, reached by ``best`` only."""
    return [
        line(dataset, method, fold, setting, score + (0.01 if fold else -0.01) - (0 if setting == best else 0.02))
        for setting in settings
        for fold in FOLDS
    ]


def as_printed(tables, shift=None):
    """Return lines from which the tables of the paper come out, apart from ``shift[table, row, column]``."""
    shift = shift or {}
    lines = []
    for name in ("nn", "owa"):
        table = tables[name]
        for row in table.rows:
            for column in table.columns:
                score = table[row, column] + shift.get((name, row, column), 0.0)
                lines += scored(row, f"fgac_{column}", score, GAMMAS, 1.0)
    for row in tables["models"].rows:
        lines += _methods(tables, row, shift)
    return lines


def _methods(tables, row, shift):
    """Return lines of the methods that the paper compares, of one data set."""
    models, few = tables["models"], tables["transparent"]

    def score(column):
        return models[row, column] + shift.get(("models", row, column), 0.0)

    lines = scored(row, "fgac_mse_euclidean_nn2", score("fgac"), GAMMAS, 2.0)
    for column in ("lvq", "cart"):
        lines += scored(row, column, score(column), (2, 3), 3)
    for method, frnn in (("knn", "knn"), ("kfrnn_supremum", "kfrnn")):
        for setting, value in ((1, few[row, f"{frnn}_k1"]), (5, few[row, f"{frnn}_k5"])):
            lines += scored(row, method, value, (setting,), setting)
    lines += scored(row, "knn", score("knn"), (20,), 20)
    lines += scored(row, "kfrnn", score("kfrnn"), ("all", 3), "all")
    for model in models.columns:
        lines += [line(row, model, fold, 1.0, models[row, model] - 0.01, run="ours", inner=0.5) for fold in FOLDS]
    return lines


def study_lines():
    """Return a study that behaves as the paper says, on five data sets."""
    return [
        {
            "dataset": dataset,
            "loss": loss,
            "relation": relation,
            "gamma": gamma,
            "nn": nn,
            "difference": (2 if loss == "mae" else 1) * gamma * (0.6 - nn) / 100,
            "constraints": int(1000 * nn),
            "constraints_all": 1000,
            "seconds": nn,
            "seconds_all": 1.0,
        }
        for dataset in ("pima", "glass", "bupa", "heart", "wdbc")
        for loss in ("mae", "mse")
        for relation in ("supremum", "euclidean")
        for gamma in (1.0, 5.0)
        for nn in (0.5, 0.1, 0.02)
    ]


IONOSPHERE = {
    "dataset": "ionosphere",
    "classes": ["b", "g"],
    "nn": 0.02,
    "first_as_named": {"score": 0.938, "gamma": 7.0},
    "first_swapped": {"score": 0.849, "gamma": 0.8},
    "nearest_as_named": {"score": 0.849, "gamma": 0.8},
    "nearest_swapped": {"score": 0.849, "gamma": 0.8},
    "tied": 0.31,
}


def write_lines(path, lines):
    """Write JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in lines), encoding="utf-8")
