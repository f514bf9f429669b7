"""fgac fit and fgac evaluate with --order: the same models as in Python, and what is refused."""

import json

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from fgac import FGAClassifier, FGAOrdinalClassifier, FGAOrdinalClassifierCV
from fgac.cli.errors import UsageError
from fgac.cli.kinds.ordinal import read_order
from fgac.persistence import load_model
from fgac.selection.default_folds import default_folds
from fgac.selection.evaluation import evaluate
from fgac.selection.grid import GAMMAS
from fgac.selection.rules import choose_gamma
from fgac.tables.reading import ReadTable
from support.command_line import run, words
from support.grid_search import classes_off
from support.house_grades import COMMON, ORDER, houses, parts, training

# The settings of a search by default, which the command line has too.
SEARCHED = {name: FGAOrdinalClassifierCV().get_params()[name] for name in ("metric", "scale", "class_weight")}


def folds_of(X, y):
    """Return the folds on which a search chooses gamma."""
    return default_folds(ReadTable.of(X, "from_dtype"), y, None, classes=True)


# the order


def test_an_order_is_cut_at_commas_or_repeated():
    assert read_order(["poor, fair,good"], ["good", "fair", "poor"]) == ORDER
    assert read_order(["a, b", "c"], ["c", "a, b"]) == ["a, b", "c"]
    assert read_order(["10,2,1"], [1, 2, 10]) == [10, 2, 1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["poor,good"], r"--order does not name 'fair' \(2 rows\); name every class once"),
        (["poor,fair,good,fair"], "--order names 'fair' more than once"),
        (["poor,fair", "good"], "--order does not name 'poor', 'fair'"),
    ],
)
def test_wrong_orders_are_refused(given, message):
    with pytest.raises(UsageError, match=message):
        read_order(given, ["poor", "fair", "fair", "good"])


def test_a_class_that_no_row_has_is_told_and_left_out(grades_folder, tmp_path):
    given = ("-t", "grade", "--id", "house", "--gamma", "3", "-o", tmp_path / "m.fgac", "-q")
    answer = run("fit", grades_folder / "data.csv", *given, "--order", "awful,poor,fair,good")
    assert answer.stderr == "warning: --order names 'awful', which no row has; left out\n"
    np.testing.assert_array_equal(load_model(tmp_path / "m.fgac").beta_, load_model(grades_folder / "model.fgac").beta_)


def test_names_with_commas_make_a_model(tmp_path):
    grades = houses()["grade"].replace("fair", "so, so")
    houses().with_columns(grades).write_csv(tmp_path / "data.csv")
    order = ("--order", "poor", "--order", "so, so", "--order", "good")
    run(
        "fit",
        tmp_path / "data.csv",
        "-t",
        "grade",
        *order,
        "--gamma",
        "2",
        "--drop",
        "house",
        "-o",
        tmp_path / "m",
        "-q",
    )
    assert load_model(tmp_path / "m").class_order_.tolist() == ["poor", "so, so", "good"]


def test_whole_numbers_are_ordered_as_said(tmp_path):
    stars = houses()["grade"].replace_strict({"poor": 3, "fair": 2, "good": 1})
    houses().with_columns(stars).write_csv(tmp_path / "data.csv")
    given = ("-t", "grade", "--order", "3,2,1", "--gamma", "2", "--id", "house", "-q")
    run("fit", tmp_path / "data.csv", *given, "-o", tmp_path / "m.fgac")
    model = load_model(tmp_path / "m.fgac")
    assert model.class_order_.tolist() == [3, 2, 1]
    X, y = training()
    by_hand = FGAOrdinalClassifier(gamma=2.0, class_order=ORDER, **SEARCHED).fit(X, y)
    np.testing.assert_array_equal(model.beta_, by_hand.beta_)


# fit


def test_fit_trains_what_python_trains(grades_folder, tmp_path):
    given = ("--gamma", "2", "--metric", "manhattan", "--class-weight", "balanced", "--learn-weights")
    directions = ("--increasing", "area", "--decreasing", "age")
    told = words(run("fit", grades_folder / "data.csv", *COMMON, *given, *directions, "-o", tmp_path / "m.fgac").stdout)
    by_hand = FGAOrdinalClassifier(
        class_order=ORDER,
        gamma=2.0,
        metric="manhattan",
        class_weight="balanced",
        feature_weights="learned",
        monotonic_cst={"area": 1, "age": -1},
    ).fit(*training())
    model = load_model(tmp_path / "m.fgac")
    np.testing.assert_array_equal(model.beta_, by_hand.beta_)
    sizes = dict(houses()["grade"].value_counts().iter_rows())
    assert f"classes poor ({sizes['poor']}) < fair ({sizes['fair']}) < good ({sizes['good']})" in told
    assert "only more of 'area' and less of 'age' can speak for a higher class, never the opposite" in told
    assert "optimal proved" in told


@pytest.mark.slow
def test_gamma_is_that_with_which_predictions_are_off_by_the_fewest_classes(grades_folder, tmp_path):
    how = ("--metric", "euclidean", "--scale", "range", "--class-weight", "balanced")
    answer = run("fit", grades_folder / "data.csv", *COMMON, *how, "-o", tmp_path / "m.fgac")
    X, y = training()

    def off(gamma):
        parts = []
        for train, test in folds_of(X, y):
            clf = FGAOrdinalClassifier(class_order=ORDER, gamma=gamma, class_weight="balanced").fit(X[train], y[train])
            guess = [why.resembles_nothing for why in clf.explain(X[test])]
            predicted = [None if g else label for g, label in zip(guess, clf.predict(X[test]), strict=True)]
            parts.append(classes_off(ORDER, y[test], predicted))
        return np.mean(parts)

    scores = np.array([off(gamma) for gamma in GAMMAS])
    best = GAMMAS[int(np.argmax(scores <= scores.min() + 1e-9))]
    assert load_model(tmp_path / "m.fgac").gamma == best
    told = f"gamma {best:g}, best of 17 by 5-fold cross-validation (off by {scores.min():.3f} classes"
    assert told in words(answer.stdout)


def test_for_two_classes_it_is_the_balanced_accuracy():
    rng = np.random.default_rng(0)
    truth, predicted = rng.choice(["a", "b"], (2, 40), p=[0.2, 0.8])
    off = classes_off(["a", "b"], truth, predicted)
    assert off == pytest.approx(1 - balanced_accuracy_score(truth, predicted))


def test_learned_weights_are_learned_in_every_training_part():
    X, y = training()
    model = FGAOrdinalClassifier(class_order=ORDER, feature_weights="learned", n_jobs=1)
    search = choose_gamma(model, X, y)
    train, test = folds_of(X, y)[0]
    clf = FGAOrdinalClassifier(class_order=ORDER, feature_weights="learned", gamma=7.0).fit(X[train], y[train])
    score = -classes_off(ORDER, y[test], clf.predict(X[test]))
    assert search.cv_results_["split0_test_score"][GAMMAS.index(7.0)] == score
    assert model.feature_weights == "learned"


def test_gamma_is_chosen_on_a_sample_and_trained_on_all_rows(grades_folder, tmp_path, monkeypatch):
    monkeypatch.setitem(FGAOrdinalClassifierCV.__init__.__kwdefaults__, "max_rows", 40)
    answer = run("fit", grades_folder / "data.csv", *COMMON, "-o", tmp_path / "m.fgac")
    assert "Choosing gamma by cross-validation of a sample of 40 rows." in answer.stderr
    assert "of a sample of 40 rows (off by" in words(answer.stdout)
    model, (X, y) = load_model(tmp_path / "m.fgac"), training()
    assert model.gamma == FGAOrdinalClassifierCV(class_order=ORDER, max_rows=40).fit(X, y).gamma_
    by_hand = FGAOrdinalClassifier(class_order=ORDER, gamma=model.gamma, **SEARCHED).fit(X, y)
    np.testing.assert_array_equal(model.beta_, by_hand.beta_)


def test_rows_of_weight_zero_have_no_say_in_gamma():
    X, y = training()
    keep = np.arange(60) % 3 != 0
    model = FGAOrdinalClassifier(class_order=ORDER)
    weighted, without = (
        choose_gamma(model, X, y, sample_weight=keep.astype(float)),
        choose_gamma(model, X.filter(keep), y[keep]),
    )
    np.testing.assert_array_equal(weighted.cv_results_["mean_test_score"], without.cv_results_["mean_test_score"])


def test_three_classes_with_directions_are_told_of_the_option(grades_folder, tmp_path):
    given = ("-t", "grade", "--id", "house", "--increasing", "area", "-o", tmp_path / "m.fgac", "-q")
    answer = run("fit", grades_folder / "data.csv", *given, code=2)
    assert answer.stderr == (
        "error: --increasing and --decreasing need two classes, and there are 3; if these have an order, name them "
        "from the lowest to the highest (--order)\n"
    )


def test_an_error_leaves_nothing_behind(grades_folder, tmp_path):
    given = ("-t", "grade", "--order", "poor,good", "-o", tmp_path / "m.fgac", "-q", "--id", "house")
    answer = run("fit", grades_folder / "data.csv", *given, code=2)
    assert answer.stderr.startswith("error: --order does not name 'fair'")
    assert answer.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


# evaluate


@pytest.fixture(scope="module")
def evaluated():
    X, y = training()
    clf = FGAOrdinalClassifier(class_order=ORDER)
    return evaluate(clf, X, y, gamma=None, n_folds=2, n_repeats=2)


@pytest.mark.slow
def test_evaluate_chooses_gamma_in_every_training_part(evaluated):
    X, y = training()
    clf = FGAOrdinalClassifier(class_order=ORDER)
    assert evaluated.gammas == tuple(choose_gamma(clf, X[a], y[a]).gamma_ for a, _ in parts())


@pytest.mark.slow
def test_evaluate_counts_classes_in_their_order(evaluated):
    X, y = training()
    off, balanced = [], []
    for gamma, (train, test) in zip(evaluated.gammas, parts(), strict=True):
        predicted = FGAOrdinalClassifier(class_order=ORDER, gamma=gamma).fit(X[train], y[train]).predict(X[test])
        codes = [[ORDER.index(label) for label in labels] for labels in (predicted, y[test])]
        off.append(np.mean(np.abs(np.subtract(*codes))))
        balanced.append(balanced_accuracy_score(y[test], predicted))
    assert evaluated.fgac.classes_off.mean == pytest.approx(np.mean(off))
    assert evaluated.fgac.balanced_accuracy.mean == pytest.approx(np.mean(balanced))
    assert evaluated.classes == tuple(ORDER)
    assert evaluated.class_sizes == tuple(int((y == label).sum()) for label in ORDER)


@pytest.mark.slow
def test_neighbours_are_those_of_classes_without_an_order(evaluated):
    X, y = training()
    plain = evaluate(FGAClassifier(), X, y, gamma=2.0, n_folds=2, n_repeats=2)
    assert plain.neighbours.balanced_accuracy.mean == pytest.approx(evaluated.neighbours.balanced_accuracy.mean)
    recalls = dict(zip(plain.classes, plain.neighbours.recalls, strict=True))
    assert [recalls[label] for label in ORDER] == pytest.approx(evaluated.neighbours.recalls)


@pytest.mark.slow
def test_evaluate_shows_and_writes_the_scores(grades_folder, evaluated, tmp_path):
    plain = ("--metric", "euclidean", "--scale", "range", "--class-weight", "none")
    given = ("evaluate", grades_folder / "data.csv", *COMMON, *plain, "--folds", "2", "-q")
    answer = run(*given, "-o", tmp_path / "out.json")
    off = evaluated.fgac.classes_off
    lines = [words(line) for line in answer.stdout.splitlines()]
    assert "classes that predictions are off mean 95 % interval" in lines
    assert f"fuzzy granular approximation (FGAC) {off.mean:.3f} {off.low:.3f} to {off.high:.3f}" in lines
    assert [line.split()[0] for line in lines if line.startswith(tuple(ORDER))] == ORDER
    assert json.loads((tmp_path / "out.json").read_text())["fgac"]["classes_off"]["mean"] == off.mean


def test_without_an_order_nothing_is_said_of_distances_between_classes(grades_folder):
    plain = run(
        "evaluate", grades_folder / "data.csv", "-t", "grade", "--id", "house", "--gamma", "2", "--json", "-q"
    ).stdout
    assert "classes_off" not in plain
