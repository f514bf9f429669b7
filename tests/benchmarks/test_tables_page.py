"""The page of the benchmark on real tables: guesses are counted, bars are checked as they are."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import tables_models
import tables_page

OURS, FOREST = tables_models.SUBJECT, tables_models.FOREST


def journal(folder, **changes):
    """Write lines of three models on two tables; return the path."""
    path = folder / "lines.jsonl"
    scores = {OURS: 0.8, FOREST: 0.7, "forest balanced": 0.804, "kNN": 0.9}
    with path.open("w", encoding="utf-8") as file:
        for model, score in scores.items():
            for i, data in enumerate(("cars", "trial")):
                line = {"data": data, "seed": 0, "model": model, "score": score, "log_loss": 0.5, "commit": "abc"}
                line |= {"seconds": 2.0, "forest_seconds": 1.0}
                if model == OURS:
                    line |= {"argued": 1 - 0.018 * i, "gamma": 2.0, **changes}
                if model != "kNN" or i:  # unfinished
                    print(json.dumps(line), file=file)
    return path


def test_a_guess_has_no_bound_that_says_anything():
    lower = np.array([[0.0, 0.0], [0.2, 0.0], [0.0, 0.0]])
    upper = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 0.7]])
    model = SimpleNamespace(memberships=lambda X: (lower, upper, lower))
    assert tables_models.argued(model, None) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("changes", "met"),
    [
        ({}, [True, True, True, True]),
        ({"score": 0.798}, [True, True, False, True]),
        ({"log_loss": 0.51}, [True, True, True, False]),
        ({"argued": 0.94}, [False, False, True, True]),
    ],
)
def test_bars(tmp_path, changes, met):
    results = tables_page.read([journal(tmp_path, **changes)])
    assert [bar.met for bar in tables_page.bars(results)] == met
    assert results.models == [OURS, FOREST, "forest balanced"]
    assert results.unfinished == {"kNN": 1}


def test_a_balanced_peer_that_is_not_finished_counts_where_it_is(tmp_path):
    path = journal(tmp_path)
    line = {"data": "trial", "seed": 0, "model": "EBM balanced", "score": 0.81, "log_loss": 0.5, "commit": "abc"}
    with path.open("a", encoding="utf-8") as file:
        print(json.dumps(line | {"seconds": 2.0, "forest_seconds": 1.0}), file=file)
    *_, bar = tables_page.bars(tables_page.read([path]))
    assert bar.asked == "mean balanced accuracy not below that of EBM balanced minus 0.005, on the 1 runs that it has"
    assert bar.measured == "0.8000 against 0.8100"
    assert not bar.met


def test_tables_of_values(tmp_path):
    results = tables_page.read([journal(tmp_path)])
    lines = tables_page.summary(results).splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["forest balanced", OURS, FOREST]
    values = tables_page.value_table(results.means("score"), 3, smallest=False).splitlines()
    assert values[2].split("|")[1].strip() == "cars"
    assert "**0.804**" in values[2]
    assert "1.80 %" in tables_page.arguments(results).splitlines()[3]
