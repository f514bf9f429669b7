"""The benchmark of predicted numbers: its tables are none that defaults were chosen on, and its page compares means."""

import json

import numpy as np
import pandas as pd
import pytest

import number_tables
import regression
import regression_page as page
from number_tables import Numbers
from regression_peers import CONTENDERS, EBM, SUBJECT


def test_no_table_was_chosen_on():
    assert len(regression.BY_NAME) == len(regression.NAMES) == 10
    assert not set(regression.NAMES) & set(number_tables.CHOSEN)


def test_a_fold_is_measured():
    """Of ours with intervals, beside those of boosted trees."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.random(60), "b": pd.Categorical(rng.choice(["x", "y"], 60))})
    line = regression.measure(
        Numbers("drawn", frame, frame["a"].to_numpy() * 3 + 0.1 * rng.normal(size=60)), 0, SUBJECT
    )
    assert line["r2"] > 0.5
    assert 0 < line["error"] < 1
    assert len(line["interval"]) == len(line["boosted_interval"]) == 6
    assert line["argued"] > 0.9


def journal(path, models, **changes):
    """Write lines of two tables and two folds."""
    lines = [
        {"data": data, "fold": fold, "model": model, "r2": 0.5 + changes.get(model, 0.0), "error": 0.7, "commit": "abc"}
        | {"seconds": 2.0, "forest_seconds": 1.0, "argued": 1.0, "interval": [0.91, 1.0, 1.2, 0.9, 0.9, 0.9]}
        | {"boosted_interval": [0.89, 1.1, 1.3, 0.9, 0.9, 0.9]}
        for data in ("one", "two")
        for fold in (0, 1)
        for model in models
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(("better", "met"), [(0.0, "met"), (0.05, "NOT met")])
def test_the_page_compares_with_ebm(tmp_path, better, met):
    text = page.text([journal(tmp_path / "j.jsonl", CONTENDERS, **{EBM: better})], {}, 2000, 5)
    (line,) = [line for line in text.splitlines() if "not below that of EBM" in line]
    assert "on the 4 folds of 2 tables" in line
    assert line.rstrip(" |").endswith(f"| {met}")


def test_models_that_lack_folds_are_told(tmp_path):
    path = journal(tmp_path / "j.jsonl", [name for name in CONTENDERS if name != EBM])
    more = journal(tmp_path / "k.jsonl", [EBM])
    more.write_text("".join(more.read_text(encoding="utf-8").splitlines(keepends=True)[:3]), encoding="utf-8")
    text = page.text([path, more], {}, 2000, 5)
    assert "Not measured on all tables and folds, and left out: EBM (3 folds)." in text
    assert "not below that of EBM minus 0.02, on the 3 folds of 2 tables that it has" in text
