"""The command line with --order: the same models as in Python, from the file to the result, and what is refused."""

import io
import json

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import balanced_accuracy_score

from fgac import FGAClassifier, FGAOrdinalClassifier, audit
from fgac.cli.errors import UsageError
from fgac.cli.io import streaming
from fgac.cli.settings import read_order
from fgac.explanation.ordinal import OrdinalExplanations
from fgac.persistence import load_model
from fgac.selection.evaluation import cross_validate
from fgac.selection.grid import GAMMAS
from fgac.selection.rules import choose_order_gamma, classes_off
from fgac.tables.splits import stratified_folds
from support.command_line import run, table, words

ORDER = ["poor", "fair", "good"]
COMMON = ("-t", "grade", "--id", "house", "--order", "poor,fair,good")


def houses(n=60, seed=0):
    """Made-up houses, whose grades rise with their area."""
    rng = np.random.default_rng(seed)
    area, age, city = rng.integers(20, 200, n), rng.integers(0, 90, n), rng.choice(["Ghent", "Lviv"], n)
    worth = 2.0 * area - 1.5 * age + 60.0 * (city == "Ghent") + rng.normal(0, 40, n)
    grade = np.array(ORDER)[np.digitize(worth, [110, 260])]
    return pl.DataFrame({"house": [f"H{i}" for i in range(n)], "area": area, "age": age, "city": city, "grade": grade})


def training():
    frame = houses()
    return frame.drop("house", "grade"), frame["grade"].to_numpy()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with data.csv, new.csv and the model that was trained on the former."""
    folder = tmp_path_factory.mktemp("houses")
    houses().write_csv(folder / "data.csv")
    houses(12, seed=1).write_csv(folder / "new.csv")
    run("fit", folder / "data.csv", *COMMON, "--gamma", "3", "-o", folder / "model.fgac", "-q")
    return folder


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


def test_a_class_that_no_row_has_is_told_and_left_out(folder, tmp_path):
    given = ("-t", "grade", "--id", "house", "--gamma", "3", "-o", tmp_path / "m.fgac", "-q")
    answer = run("fit", folder / "data.csv", *given, "--order", "awful,poor,fair,good")
    assert answer.stderr == "warning: --order names 'awful', which no row has; left out\n"
    np.testing.assert_array_equal(load_model(tmp_path / "m.fgac").beta_, load_model(folder / "model.fgac").beta_)


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
    assert load_model(tmp_path / "m").classes_.tolist() == ["poor", "so, so", "good"]


def test_whole_numbers_are_ordered_as_said(tmp_path):
    stars = houses()["grade"].replace_strict({"poor": 3, "fair": 2, "good": 1})
    houses().with_columns(stars).write_csv(tmp_path / "data.csv")
    given = ("-t", "grade", "--order", "3,2,1", "--gamma", "2", "--id", "house", "-q")
    run("fit", tmp_path / "data.csv", *given, "-o", tmp_path / "m.fgac")
    model = load_model(tmp_path / "m.fgac")
    assert model.classes_.tolist() == [3, 2, 1]
    X, y = training()
    np.testing.assert_array_equal(model.beta_, FGAOrdinalClassifier(gamma=2.0, class_order=ORDER).fit(X, y).beta_)


# fit


def test_fit_trains_what_python_trains(folder, tmp_path):
    given = ("--gamma", "2", "--metric", "manhattan", "--class-weight", "balanced", "--learn-weights")
    directions = ("--increasing", "area", "--decreasing", "age")
    told = words(run("fit", folder / "data.csv", *COMMON, *given, *directions, "-o", tmp_path / "m.fgac").stdout)
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


def test_gamma_is_that_with_which_predictions_are_off_by_the_fewest_classes(folder, tmp_path):
    answer = run("fit", folder / "data.csv", *COMMON, "-o", tmp_path / "m.fgac")
    X, y = training()
    codes = np.array([ORDER.index(label) for label in y])

    def off(gamma):
        parts = []
        for train, test in stratified_folds(y, 5):
            clf = FGAOrdinalClassifier(class_order=ORDER, gamma=gamma).fit(X[train], y[train])
            miss = np.abs([ORDER.index(label) for label in clf.predict(X[test])] - codes[test])
            parts.append(np.mean([miss[codes[test] == c].mean() for c in range(3)]))
        return np.mean(parts)

    scores = np.array([off(gamma) for gamma in GAMMAS])
    best = GAMMAS[int(np.argmax(scores <= scores.min() + 1e-9))]
    assert load_model(tmp_path / "m.fgac").gamma == best
    told = f"gamma {best:g}, best of 17 by 5-fold cross-validation (off by {scores.min():.3f} classes"
    assert told in words(answer.stdout)


def test_for_two_classes_it_is_the_balanced_accuracy():
    rng = np.random.default_rng(0)
    truth, predicted = rng.choice(["a", "b"], (2, 40), p=[0.2, 0.8])
    off = classes_off(FGAOrdinalClassifier(class_order=["a", "b"]), truth, predicted, np.ones(40))
    assert off == pytest.approx(1 - balanced_accuracy_score(truth, predicted))


def test_learned_weights_are_learned_in_every_training_part():
    X, y = training()
    model = FGAOrdinalClassifier(class_order=ORDER, feature_weights="learned", n_jobs=1)
    search = choose_order_gamma(model, X, y)
    train, test = stratified_folds(y, 5)[0]
    clf = FGAOrdinalClassifier(class_order=ORDER, feature_weights="learned", gamma=7.0).fit(X[train], y[train])
    score = -classes_off(clf, y[test], clf.predict(X[test]), np.ones(len(test)))
    assert search.cv_results_["split0_test_score"][GAMMAS.index(7.0)] == score
    assert model.feature_weights == "learned"


def test_gamma_is_chosen_on_a_sample_and_trained_on_all_rows(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("fgac.selection.grid.MAX_ROWS", 40)
    answer = run("fit", folder / "data.csv", *COMMON, "-o", tmp_path / "m.fgac")
    assert "on 60 rows, on a sample of 40 rows." in answer.stderr
    assert "of a sample of 40 rows (off by" in words(answer.stdout)
    model, (X, y) = load_model(tmp_path / "m.fgac"), training()
    by_hand = FGAOrdinalClassifier(class_order=ORDER, gamma=model.gamma).fit(X, y)
    np.testing.assert_array_equal(model.beta_, by_hand.beta_)


def test_rows_of_weight_zero_have_no_say_in_gamma():
    X, y = training()
    keep = np.arange(60) % 3 != 0
    model = FGAOrdinalClassifier(class_order=ORDER)
    weighted, without = (
        choose_order_gamma(model, X, y, keep.astype(float)),
        choose_order_gamma(model, X.filter(keep), y[keep]),
    )
    np.testing.assert_array_equal(weighted.cv_results_["mean_test_score"], without.cv_results_["mean_test_score"])


def test_three_classes_with_directions_are_told_of_the_option(folder, tmp_path):
    given = ("-t", "grade", "--id", "house", "--increasing", "area", "-o", tmp_path / "m.fgac", "-q")
    answer = run("fit", folder / "data.csv", *given, code=2)
    assert answer.stderr == (
        "error: --increasing and --decreasing need two classes, and there are 3; if these have an order, name them "
        "from the lowest to the highest (--order)\n"
    )


def test_an_error_leaves_nothing_behind(folder, tmp_path):
    given = ("-t", "grade", "--order", "poor,good", "-o", tmp_path / "m.fgac", "-q", "--id", "house")
    answer = run("fit", folder / "data.csv", *given, code=2)
    assert answer.stderr.startswith("error: --order does not name 'fair'")
    assert answer.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


# predict


def test_predict_gives_the_degree_at_every_boundary(folder):
    model, X = load_model(folder / "model.fgac"), houses(12, seed=1).drop("house", "grade")
    answer = run("predict", folder / "model.fgac", folder / "new.csv", "-q")
    rows = table(answer.stdout)
    names = ["id", "prediction", "degree", "lower", "upper", "margin", "guess", "at_least_fair", "at_least_good"]
    assert list(rows[0]) == names
    assert [row["prediction"] for row in rows] == model.predict(X).tolist()
    degrees = [[float(row["at_least_fair"]), float(row["at_least_good"])] for row in rows]
    np.testing.assert_allclose(degrees, model.at_least(X).degree, atol=1e-6)
    for row, why in zip(rows, model.explain(X), strict=True):
        told = [float(row[name]) for name in ("degree", "lower", "upper", "margin")]
        np.testing.assert_allclose(told, [why.degree, why.lower, why.upper, why.margin], atol=1e-6)
    assert answer.stderr == ""


def test_rows_that_resemble_nothing_are_guesses(folder, tmp_path):
    new = "house,area,age,city\nnear,100,40,Ghent\nfar,9000,-900,Kyiv\n"
    run("fit", folder / "data.csv", *COMMON, "--gamma", "3", "-o", tmp_path / "m.fgac", "-q")
    answer = run("predict", tmp_path / "m.fgac", "-", "-q", stdin=new)
    assert [row["guess"] for row in table(answer.stdout)] == ["false", "true"]
    assert "1 of 2 rows resembles no training row: its prediction is a guess (column guess)" in answer.stderr
    why = load_model(tmp_path / "m.fgac").explain(pl.read_csv(io.StringIO(new)).drop("house"))
    assert [item.resembles_nothing for item in why] == [False, True]


def test_a_table_in_parts_gives_what_it_gives_in_one_piece(folder, monkeypatch):
    whole = run("predict", folder / "model.fgac", folder / "new.csv", "-q").stdout
    monkeypatch.setattr(streaming, "BLOCK", 80)
    assert len(list(streaming.read_batches(str(folder / "new.csv")))) > 2
    assert run("predict", folder / "model.fgac", folder / "new.csv", "-q").stdout == whole


# explain


def test_explain_says_what_python_says(folder, tmp_path):
    model, frame = load_model(folder / "model.fgac"), houses(12, seed=1)
    by_hand = model.explain(
        frame.drop("house", "grade"), y=frame["grade"].to_list(), ids=frame["house"].to_list(), units={"age": "years"}
    )
    given = (folder / "model.fgac", folder / "new.csv", "--unit", "age=years", "--no-audit")
    assert run("explain", *given, "--first", "2").stdout == by_hand[:2].text() + "\n"
    run("explain", *given, "-o", tmp_path / "out.json", "-q")
    assert OrdinalExplanations.from_json((tmp_path / "out.json").read_text()) == by_hand
    run("explain", *given, "-o", tmp_path / "out.html", "-q")
    assert "new.csv, explained" in (tmp_path / "out.html").read_text()


def test_csv_has_one_line_per_argument_and_boundary(folder, tmp_path):
    out = tmp_path / "out.csv"
    run("explain", folder / "model.fgac", folder / "new.csv", "-o", out, "-q")
    rows = table(out.read_text())
    assert list(dict.fromkeys(row["id"] for row in rows)) == [f"H{i}" for i in range(12)]
    sides = {label: {row["boundary"] for row in rows if row["prediction"] == label} for label in ORDER}
    assert sides == {"poor": {"at most"}, "fair": {"at least", "at most"}, "good": {"at least"}}
    assert {row["class"] for row in rows} == {"poor", "fair or above", "below good", "good"}


def test_doubtful_rows_have_the_least_margin(folder, tmp_path):
    margins = [
        item.margin for item in load_model(folder / "model.fgac").explain(houses(12, seed=1).drop("house", "grade"))
    ]
    out = tmp_path / "out.json"
    run("explain", folder / "model.fgac", folder / "new.csv", "--doubtful", "3", "-o", out, "-q")
    found = OrdinalExplanations.from_json(out.read_text())
    assert [item.margin for item in found] == pytest.approx(sorted(margins)[:3])


def test_training_rows_are_told(folder):
    assert "3 of 3 rows are training rows" in (
        run("explain", folder / "model.fgac", folder / "data.csv", "--first", "3", "-q").stderr
    )
    assert run("explain", folder / "model.fgac", folder / "new.csv", "--first", "3", "-q").stderr == ""


# audit


def test_audit_looks_at_every_boundary(folder, tmp_path):
    model = load_model(folder / "model.fgac")
    audits = [audit(boundary, n_rows=2) for boundary in model.boundaries_]
    answer = run("audit", folder / "model.fgac", "-n", "2", "-q")
    assert "Is it fair or above?\n" in answer.stdout
    assert "Is it good?\n" in answer.stdout
    for suspect in (*audits[0], *audits[1]):
        assert words(suspect.text()) in words(answer.stdout)
    run("audit", folder / "model.fgac", "-n", "2", "-q", "-o", tmp_path / "out.csv")
    expected = [("fair or above", s.id) for s in audits[0]] + [("good", s.id) for s in audits[1]]
    assert [(row["boundary"], row["id"]) for row in table((tmp_path / "out.csv").read_text())] == expected
    run("audit", folder / "model.fgac", "-n", "2", "-q", "-o", tmp_path / "out.json")
    parts = json.loads((tmp_path / "out.json").read_text())["boundaries"]
    assert parts == [
        {"boundary": name, **found.to_dict()} for name, found in zip(["fair or above", "good"], audits, strict=True)
    ]
    run("audit", folder / "model.fgac", "-n", "2", "-q", "-o", tmp_path / "out.txt")
    assert audits[1].text() in (tmp_path / "out.txt").read_text()


def test_audit_of_a_table_trains_with_the_order(folder):
    model = run("audit", folder / "model.fgac", "-n", "2", "--by", "rest", "-q").stdout
    given = ("--gamma", "3", "-n", "2", "--by", "rest", "-q")
    assert run("audit", folder / "data.csv", *COMMON, *given).stdout == model


def test_audit_of_boundaries_has_no_page(folder, tmp_path):
    answer = run("audit", folder / "model.fgac", "-o", tmp_path / "out.html", "-q", code=2)
    assert "an audit of ordered classes is written as .csv, .json, .parquet or .txt, not as .html" in answer.stderr
    assert list(tmp_path.iterdir()) == []


# evaluate


@pytest.fixture(scope="module")
def evaluated():
    X, y = training()
    clf = FGAOrdinalClassifier(class_order=ORDER)
    return cross_validate(clf, X, y, gamma=None, n_folds=3, n_repeats=2)


def parts():
    return [part for seed in range(2) for part in stratified_folds(training()[1], 3, seed)]


def test_evaluate_chooses_gamma_in_every_training_part(evaluated):
    X, y = training()
    clf = FGAOrdinalClassifier(class_order=ORDER)
    assert evaluated.gammas == tuple(choose_order_gamma(clf, X[a], y[a]).gamma_ for a, _ in parts())


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


def test_neighbours_are_those_of_classes_without_an_order(evaluated):
    X, y = training()
    plain = cross_validate(FGAClassifier(), X, y, gamma=2.0, n_folds=3, n_repeats=2)
    assert plain.neighbours.balanced_accuracy.mean == pytest.approx(evaluated.neighbours.balanced_accuracy.mean)
    recalls = dict(zip(plain.classes, plain.neighbours.recalls, strict=True))
    assert [recalls[label] for label in ORDER] == pytest.approx(evaluated.neighbours.recalls)


def test_evaluate_shows_and_writes_the_scores(folder, evaluated):
    given = ("evaluate", folder / "data.csv", *COMMON, "--folds", "3", "-q")
    answer = run(*given)
    off = evaluated.fgac.classes_off
    lines = [words(line) for line in answer.stdout.splitlines()]
    assert "classes that predictions are off mean 95 % interval" in lines
    assert f"fuzzy granular approximation (FGAC) {off.mean:.3f} {off.low:.3f} to {off.high:.3f}" in lines
    assert [line.split()[0] for line in lines if line.startswith(tuple(ORDER))] == ORDER
    assert json.loads(run(*given, "--json").stdout)["fgac"]["classes_off"]["mean"] == off.mean


def test_without_an_order_nothing_is_said_of_distances_between_classes(folder):
    plain = run("evaluate", folder / "data.csv", "-t", "grade", "--id", "house", "--gamma", "2", "--json", "-q").stdout
    assert "classes_off" not in plain


def test_guesses_are_those_of_the_explanations(tmp_path):
    """A large gamma leaves rows that no training row puts above or below the boundaries next to their class."""
    houses().write_csv(tmp_path / "data.csv")
    houses(40, seed=2).write_csv(tmp_path / "new.csv")
    run("fit", tmp_path / "data.csv", *COMMON, "--gamma", "30", "-o", tmp_path / "model.fgac", "-q")
    rows = table(run("predict", tmp_path / "model.fgac", tmp_path / "new.csv").stdout)
    told = load_model(tmp_path / "model.fgac").explain(houses(40, seed=2).drop("house", "grade"))
    guesses = [row["guess"] == "true" for row in rows]
    assert guesses == [item.resembles_nothing for item in told]
    assert 0 < sum(guesses) < 40
