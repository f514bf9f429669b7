"""fgac evaluate: scores, baselines and intervals that can be computed by hand."""

import json

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.metrics import balanced_accuracy_score, recall_score
from sklearn.neighbors import KNeighborsClassifier
from typer.testing import CliRunner

from fgac import FGAClassifier, FGAClassifierCV
from fgac.cli.app import app
from fgac.metrics.distances import Rows, resolve_metric
from fgac.selection.baselines import coordinates
from fgac.selection.evaluation import evaluate
from fgac.selection.rules import choose_gamma
from fgac.selection.scores import interval
from fgac.tables.splits import stratified_folds


def blobs(n=60, seed=0):
    """Two numbers, a nominal column and three classes of different size that overlap."""
    rng = np.random.default_rng(seed)
    labels = np.sort(rng.permutation(np.repeat(["a", "b", "c"], [n // 2, n // 3, n // 6])))
    place = np.searchsorted(["a", "b", "c"], labels)
    colour = np.where(rng.random(n) < 0.7, labels, rng.choice(["a", "b", "c"], n))
    return pl.DataFrame({"p": place + rng.normal(0, 0.6, n), "q": rng.normal(0, 1, n), "colour": colour, "y": labels})


@pytest.fixture(scope="module")
def evaluated():
    frame = blobs()
    X, y = frame.drop("y"), frame["y"].to_numpy()
    return X, y, evaluate(FGAClassifier(), X, y, gamma=None, n_folds=2, n_repeats=2)


def parts(y, n_folds, n_repeats):
    return [part for seed in range(n_repeats) for part in stratified_folds(y, n_folds, seed)]


@pytest.mark.slow
def test_gamma_is_chosen_inside_every_training_part(evaluated):
    X, y, found = evaluated
    expected = [choose_gamma(FGAClassifier(), X[train], y[train]).gamma_ for train, _ in parts(y, 2, 2)]
    assert found.gammas == tuple(expected)


def test_a_model_is_trained_on_its_whole_part_even_if_gamma_is_chosen_on_a_sample(evaluated, monkeypatch):
    X, y, _ = evaluated
    seen = []

    def of_a_sample(*given, **how):
        seen.append(choose_gamma(*given, **how, gammas=[2.0], max_rows=15))
        return seen[-1]

    monkeypatch.setattr("fgac.selection.evaluation.choose_gamma", of_a_sample)
    found = evaluate(FGAClassifier(), X, y, gamma=None, n_folds=3, n_repeats=1)
    assert [chooser._state.selection.n_rows for chooser in seen] == [15] * 3
    assert found == evaluate(FGAClassifier(), X, y, gamma=2.0, n_folds=3, n_repeats=1)


def test_scores_are_means_over_the_test_parts(evaluated):
    X, y, found = evaluated
    scores, recalls = [], []
    for gamma, (train, test) in zip(found.gammas, parts(y, 2, 2), strict=True):
        predicted = FGAClassifier(gamma=gamma).fit(X[train], y[train]).predict(X[test])
        scores.append((balanced_accuracy_score(y[test], predicted), np.mean(y[test] == predicted)))
        recalls.append(recall_score(y[test], predicted, average=None))
    balanced, accuracy = np.mean(scores, axis=0)
    assert found.fgac.balanced_accuracy.mean == pytest.approx(balanced)
    assert found.fgac.accuracy.mean == pytest.approx(accuracy)
    assert found.fgac.recalls == pytest.approx(np.mean(recalls, axis=0))


def test_neighbours_use_the_distances_of_the_model(evaluated):
    """Against a matrix of the metric's own distances."""
    X, y, found = evaluated
    scores = []
    for train, test in parts(y, 2, 2):
        model = FGAClassifier().fit(X[train], y[train])
        known, new = model._read_rows(X[train]), model._read_rows(X[test])
        block = np.empty((len(new), len(known)))
        resolve_metric("euclidean").block(new, known, block)
        neighbours = KNeighborsClassifier(5, metric="precomputed").fit(np.zeros((len(known),) * 2), y[train])
        scores.append(balanced_accuracy_score(y[test], neighbours.predict(block)))
    assert found.neighbours.balanced_accuracy.mean == pytest.approx(np.mean(scores))


def test_the_majority_class_has_one_share(evaluated):
    X, y, found = evaluated
    predicted = DummyClassifier().fit(X, y).predict(X)
    assert found.majority == pytest.approx(balanced_accuracy_score(y, predicted))


def test_the_lead_is_taken_part_by_part(evaluated):
    found = evaluated[2]
    difference = found.fgac.balanced_accuracy.mean - found.neighbours.balanced_accuracy.mean
    assert found.lead.mean == pytest.approx(difference)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_coordinates_keep_all_distances(metric):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (8, 2)).astype(np.int32)
    new_codes = rng.integers(-1, 3, (6, 2)).astype(np.int32)
    mismatch = np.array([0.4, 0.7])
    known, new = Rows(rng.random((8, 2)), codes, mismatch), Rows(rng.random((6, 2)), new_codes, mismatch)
    block = np.empty((6, 8))
    resolve_metric(metric).block(new, known, block)
    sizes = np.array([3, 3])
    plain = KNeighborsClassifier(8, metric=metric).fit(coordinates(known, sizes, metric), np.arange(8))
    distances, order = plain.kneighbors(coordinates(new, sizes, metric))
    np.testing.assert_allclose(distances, np.take_along_axis(block, order, axis=1), atol=1e-12)


def test_interval_is_the_corrected_resampled_t():
    scores = np.array([0.7, 0.8, 0.75, 0.9, 0.85, 0.8])
    found = interval(scores, ratio=0.5)
    spread = np.sqrt((1 / 6 + 0.5) * scores.var(ddof=1))
    low, high = stats.t.interval(0.95, df=5, loc=0.8, scale=spread)
    assert (found.mean, found.low, found.high) == pytest.approx((0.8, low, min(1.0, high)))


def test_equal_scores_have_an_interval_of_no_width():
    found = interval(np.array([0.5, 0.5, 0.5]), ratio=0.5)
    assert (found.low, found.high) == (0.5, 0.5)


def test_weights_of_zero_are_absent_rows():
    frame = blobs()
    X, y = frame.drop("y"), frame["y"].to_numpy()
    keep = np.arange(60) % 4 != 0
    weighted = evaluate(FGAClassifier(), X, y, gamma=2.0, n_folds=3, n_repeats=1, sample_weight=keep.astype(float))
    assert weighted == evaluate(FGAClassifier(), X.filter(keep), y[keep], gamma=2.0, n_folds=3, n_repeats=1)


# The settings of FGAClassifier(), which are not those of the command.
PLAIN = ["--metric", "euclidean", "--scale", "range", "--class-weight", "none"]


def run(*arguments, code=0):
    stdin = blobs().write_csv()
    answer = CliRunner().invoke(app, ["evaluate", *arguments], env={"COLUMNS": "80"}, input=stdin)
    assert answer.exit_code == code, answer.output
    return answer


def test_tables_show_the_scores(evaluated):
    found = evaluated[2]
    answer = run("-", "-t", "y", "--folds", "2", *PLAIN)
    lines = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    score = found.fgac.balanced_accuracy
    assert f"fuzzy granular approximation (FGAC) {score.mean:.3f} {score.low:.3f} to {score.high:.3f}" in lines
    assert "always the largest class 0.333" in lines
    assert f"a 30 {found.fgac.recalls[0]:.3f} {found.neighbours.recalls[0]:.3f}" in lines
    assert f"all (accuracy) 60 {found.fgac.accuracy.mean:.3f} {found.neighbours.accuracy.mean:.3f}" in lines
    assert "2-fold cross-validation 2 times, 60 rows; gamma chosen in every training part: " in " ".join(lines)
    assert "corrected resampled t" in answer.stdout
    assert "colour nominal" in " ".join(answer.stderr.split())
    assert max(map(len, answer.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_json_holds_everything(evaluated, tmp_path):
    found = evaluated[2]
    answer = run("-", "-t", "y", "--folds", "2", "--json", "-q", *PLAIN)
    assert answer.stderr == ""
    plain = json.loads(answer.stdout)
    assert plain["fgac"]["balanced_accuracy"]["mean"] == found.fgac.balanced_accuracy.mean
    assert plain["gammas"] == list(found.gammas)
    assert plain["classes"] == ["a", "b", "c"]
    answer = run("-", "-t", "y", "--folds", "2", "-o", str(tmp_path / "out.json"), "-q", *PLAIN)
    assert json.loads((tmp_path / "out.json").read_text()) == plain
    assert "balanced accuracy" in answer.stdout


def test_the_command_evaluates_what_fit_trains():
    frame = blobs()
    found = evaluate(FGAClassifierCV(), frame.drop("y"), frame["y"].to_numpy(), gamma=2.0, n_folds=3, n_repeats=2)
    plain = json.loads(run("-", "-t", "y", "--folds", "3", "--gamma", "2", "--json", "-q").stdout)
    assert plain["fgac"]["balanced_accuracy"]["mean"] == found.fgac.balanced_accuracy.mean
    assert plain["fgac"]["recalls"] == list(found.fgac.recalls)
    assert plain["neighbours"]["recalls"] == list(found.neighbours.recalls)


def test_small_classes_give_fewer_folds():
    answer = run("-", "-t", "y", "--folds", "12", "--repeats", "1", "--gamma", "2")
    assert "10 folds instead of 12: the smallest class has no more rows." in answer.stderr
    assert "10-fold cross-validation, 60 rows; gamma 2 as given." in answer.stdout


def test_a_class_of_one_row_cannot_be_tested():
    text = blobs().filter((pl.col("y") != "c") | (pl.int_range(60) == 59)).write_csv()
    answer = CliRunner().invoke(app, ["evaluate", "-", "-t", "y", "-q"], input=text)
    assert answer.exit_code == 1
    assert answer.stderr == (
        "error: class c has one row only, which cannot be both learned from and tested; leave it out of the table\n"
    )


def test_no_difference_has_no_sign_of_its_own():
    from fgac.cli.evaluation_tables import interval_cells
    from fgac.selection.scores import ScoreInterval

    assert interval_cells(ScoreInterval(-1e-9, -0.01, 0.01), "+.3f") == ("+0.000", "-0.010 to +0.010")
