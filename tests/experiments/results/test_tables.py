"""From lines of results to tables."""

import numpy as np
import pytest

from fgac.experiments.results import published
from fgac.experiments.results.comparison import cells
from fgac.experiments.results.tables import as_published, read_lines
from support.experiment_lines import line, scored
from support.experiment_scores import scores_of


def test_score_is_the_best_mean_over_folds():
    lines = [
        line("pima", "knn", fold, k, score) for fold, k, score in ((0, 1, 0.9), (1, 1, 0.5), (0, 3, 0.8), (1, 3, 0.7))
    ]
    best = scores_of(lines).best("pima", "knn")
    assert (best.setting, best.n_folds) == (3, 2)
    assert best.score == pytest.approx(0.75)


def test_setting_with_a_missing_fold_does_not_count():
    lines = [*scored("pima", "knn", 0.7, (1,), 1), line("pima", "knn", 0, 3, 0.99)]
    assert scores_of(lines).best("pima", "knn").setting == 1


def test_method_that_is_not_there_has_no_score():
    best = scores_of(scored("pima", "knn", 0.7, (1,), 1)).best("glass", "knn")
    assert np.isnan(best.score)
    assert best.setting is None


def test_of_two_lines_about_the_same_the_last_counts():
    lines = [line("pima", "knn", 0, 1, 0.5), line("pima", "knn", 0, 1, 0.6)]
    assert scores_of(lines).best("pima", "knn").score == 0.6
    ours = [line("pima", "knn", 0, k, score, run="ours", inner=0.1) for k, score in ((1, 0.5), (3, 0.6))]
    assert scores_of(ours).nested("pima", "knn") == 0.6


def test_nested_score_needs_all_folds():
    lines = [line("pima", "fgac", 0, 1.0, 0.5, run="ours"), line("glass", "fgac", 1, 1.0, 0.7, run="ours")]
    found = scores_of([*lines, line("pima", "fgac", 1, 2.0, 0.6, run="ours")])
    assert found.nested("pima", "fgac") == pytest.approx(0.55)
    assert np.isnan(found.nested("glass", "fgac"))


def test_cut_last_line_is_left_out(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2}\n{"a": 3', encoding="utf-8")
    assert read_lines(path) == [{"a": 1}, {"a": 2}]


def test_broken_line_in_the_middle_is_named(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"a": 1\n{"a": 2}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 1 is not JSON"):
        read_lines(path)


def test_missing_file_has_no_lines(tmp_path):
    assert read_lines(tmp_path / "none.jsonl") == []


def test_tables_of_the_paper_come_out(printed):
    tables = as_published(printed)
    odd = [cell for name in published.TABLES for cell in cells(name, tables[name]) if cell.difference]
    # The paper prints two numbers for this one model, and our results can hold one of them.
    assert {cell.column for cell in odd if cell.table == "nn"} == {"mse_euclidean_nn2"}
    # Its kNN with at most 5 neighbours can be better than the best of all numbers of neighbours.
    assert {(cell.table, cell.dataset, cell.column) for cell in odd if cell.table != "nn"} == {
        ("models", "ionosphere", "knn"),
        ("models", "wdbc", "knn"),
    }


def test_data_sets_stand_in_the_order_of_the_paper(printed):
    assert printed.datasets == (*published.PAPER, *published.APART)
    assert as_published(scores_of(scored("zoo", "knn", 0.5, (1,), 1)))["models"].rows == ("zoo",)


def test_kfrnn_as_described_is_euclidean(printed):
    described = as_published(printed)["transparent_as_described"]
    assert described["pima", "kfrnn_k5"] == pytest.approx(published.tables()["models"]["pima", "kfrnn"] - 0.02)
    assert np.isnan(described["pima", "kfrnn_k1"])
