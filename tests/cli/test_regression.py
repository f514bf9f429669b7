"""The command line with --numbers: the same models as in Python, from the file to the result, and what is refused."""

import io
import json

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor

from fgac import FGARegressor, FGARegressorCV
from fgac.cli.io import streaming
from fgac.explanation.audit import RegressionAudit
from fgac.explanation.regression import RegressionExplanations
from fgac.persistence import load_model, read_notes
from fgac.selection.regression_evaluation import cross_validate_numbers
from fgac.selection.regressor_cv import held_out_margin
from fgac.selection.rules import choose_number_gamma
from fgac.tables.splits import shuffled_folds
from support.command_line import run, table, words

COMMON = ("-t", "price", "--numbers", "--id", "house")


def houses(n=60, seed=0):
    """Made-up houses, whose prices rise with their area."""
    rng = np.random.default_rng(seed)
    area, age, city = rng.integers(20, 200, n), rng.integers(0, 90, n), rng.choice(["Ghent", "Lviv"], n)
    price = 2.0 * area - 1.5 * age + 60.0 * (city == "Ghent") + rng.normal(0, 25, n)
    house = [f"H{i}" for i in range(n)]
    return pl.DataFrame({"house": house, "area": area, "age": age, "city": city, "price": price.round(2)})


def training():
    frame = houses()
    return frame.drop("house", "price"), frame["price"].to_numpy()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with data.csv, new.csv and the model with an interval that was trained on the former."""
    folder = tmp_path_factory.mktemp("houses")
    houses().write_csv(folder / "data.csv")
    houses(12, seed=1).write_csv(folder / "new.csv")
    run("fit", folder / "data.csv", *COMMON, "--interval", "0.8", "-o", folder / "model.fgac", "-q")
    return folder


# fit


def test_fit_trains_what_python_trains(folder, tmp_path):
    given = ("--gamma", "2", "--metric", "manhattan", "--scale", "rank", "--loss", "absolute_error")
    directions = ("--increasing", "area", "--decreasing", "age", "--learn-weights")
    told = run("fit", folder / "data.csv", *COMMON, *given, *directions, "-o", tmp_path / "m.fgac").stdout
    model = load_model(tmp_path / "m.fgac")
    by_hand = FGARegressor(
        gamma=2.0,
        metric="manhattan",
        scale="rank",
        loss="absolute_error",
        monotonic_cst={"area": 1, "age": -1},
        feature_weights="learned",
    ).fit(*training())
    np.testing.assert_array_equal(model.fitted_, by_hand.fitted_)
    assert read_notes(tmp_path / "m.fgac") == {"target": "price", "id": "house"}
    assert "only more of 'area' and less of 'age' can raise the prediction, never the opposite" in words(told)
    assert "2, as given" in told
    assert "weights" in told
    assert "interval" not in told


def test_gamma_is_that_of_the_best_r2_of_five_shuffled_folds(folder):
    X, y = training()
    model = load_model(folder / "model.fgac")
    folds = KFold(5, shuffle=True, random_state=0)
    gammas = FGARegressorCV().fit(X, y).cv_results_["param_gamma"]
    models = [[FGARegressor(gamma=g).fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds.split(y)] for g in gammas]
    scores = np.mean(models, axis=1)
    assert model.gamma == gammas[np.argmax(scores)]
    by_hand = FGARegressorCV(cv=folds, interval=0.8).fit(X, y)
    assert (model.gamma, model.interval_margin_) == pytest.approx((by_hand.gamma_, by_hand.interval_margin_))
    np.testing.assert_allclose(model.fitted_, by_hand.fitted_, atol=1e-9)


def test_fit_says_what_was_trained(folder, tmp_path):
    answer = run("fit", folder / "data.csv", *COMMON, "--interval", "0.8", "-o", tmp_path / "m.fgac")
    model, y = load_model(tmp_path / "m.fgac"), training()[1]
    assert "Choosing gamma by cross-validation on 60 rows." in answer.stderr
    told = words(answer.stdout)
    assert f"numbers {y.min():g} to {y.max():g} gamma {model.gamma:g}, best of 17 by 5-fold" in told
    assert "(R2 0." in told
    side = "widened" if model.interval_margin_ >= 0 else "narrowed"
    margin = f"{side} by {abs(model.interval_margin_):.4g} on both sides, found on rows held out"
    assert f"interval meant to hold 80 % of new values: {margin}" in told
    assert "optimal proved" in told
    assert "classes" not in told


def test_a_given_gamma_gets_a_calibrated_interval_too(folder, tmp_path):
    run("fit", folder / "data.csv", *COMMON, "--gamma", "3", "--interval", "0.8", "-o", tmp_path / "m.fgac", "-q")
    X, y = training()
    model = load_model(tmp_path / "m.fgac")
    margin = held_out_margin(FGARegressor(gamma=3.0, interval=0.8), X, y, shuffled_folds(np.arange(60), 5), None)
    assert model.interval_margin_ == pytest.approx(margin)
    assert margin != 0


def test_gamma_is_chosen_on_a_sample_but_the_rest_on_all_rows(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("fgac.selection.grid.MAX_ROWS", 30)
    answer = run("fit", folder / "data.csv", *COMMON, "--interval", "0.8", "-o", tmp_path / "m.fgac")
    assert "Choosing gamma by cross-validation on 60 rows, on a sample of 30 rows." in answer.stderr
    assert "cross-validation of a sample of 30 rows (R2" in words(answer.stdout)
    model, (X, y) = load_model(tmp_path / "m.fgac"), training()
    all_folds = shuffled_folds(np.arange(60), 5)
    margin = held_out_margin(FGARegressor(gamma=model.gamma, interval=0.8), X, y, all_folds, None)
    assert model.interval_margin_ == pytest.approx(margin)
    np.testing.assert_allclose(model.fitted_, FGARegressor(gamma=model.gamma).fit(X, y).fitted_, atol=1e-9)


def test_rows_of_weight_zero_have_no_say():
    X, y = training()
    keep = np.arange(60) % 3 != 0
    weighted = choose_number_gamma(FGARegressor(interval=0.8), X, y, keep.astype(float))
    without = choose_number_gamma(FGARegressor(interval=0.8), X.filter(keep), y[keep])
    assert weighted.gamma_ == without.gamma_
    assert weighted.interval_margin_ == pytest.approx(without.interval_margin_)
    np.testing.assert_allclose(weighted.fitted_[keep], without.fitted_, atol=1e-9)


def test_weights_are_passed_on(folder, tmp_path):
    frame = houses().with_columns(pl.Series("count", np.arange(60) % 4))
    frame.write_csv(tmp_path / "weighted.csv")
    run("fit", tmp_path / "weighted.csv", *COMMON, "--weight", "count", "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    by_hand = FGARegressor(gamma=2.0).fit(*training(), sample_weight=np.arange(60) % 4)
    np.testing.assert_array_equal(load_model(tmp_path / "m.fgac").fitted_, by_hand.fitted_)


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (("--class-weight", "balanced"), 2, "--class-weight is for classes, and --numbers says that there are none"),
        (("--order", "low,high"), 2, "--order is for classes, and --numbers says that there are none"),
        (("-t", "city"), 1, "column 'city' must hold numbers, got 'Lviv' in row 1; correct it, or leave --numbers out"),
        (("--increasing", "city"), 2, "--increasing 'city': the column holds names, which have no order"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(folder, tmp_path, given, code, message):
    answer = run("fit", folder / "data.csv", *COMMON, *given, "-o", tmp_path / "m.fgac", "-q", code=code)
    assert answer.stderr.startswith(f"error: {message}")
    assert answer.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("share", "code"), [("0", 2), ("1", 2), ("90", 2)])
def test_an_interval_is_a_share(folder, tmp_path, share, code):
    answer = run("fit", folder / "data.csv", *COMMON, "--interval", share, "-o", tmp_path / "m.fgac", "-q", code=code)
    assert f"{share} is not between 0 and 1" in answer.stderr


def test_an_interval_needs_numbers(folder, tmp_path):
    answer = run("fit", folder / "data.csv", "-t", "city", "--interval", "0.9", "-o", tmp_path / "m.fgac", code=2)
    assert answer.stderr.startswith("error: --interval is for numbers; say with --numbers")


def test_numbers_that_are_no_classes_are_told_of_the_option(folder, tmp_path):
    answer = run("fit", folder / "data.csv", "-t", "price", "--id", "house", "-o", tmp_path / "m.fgac", "-q", code=1)
    assert (
        "must be made classes first (low, middle, high, say), or be predicted as numbers (--numbers)" in answer.stderr
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1,5\n2,5\n3,5\n", "target 'y' is 5 in every row; expected numbers that vary"),
        ("1,5\n2,inf\n3,6\n", "target 'y' holds infinite numbers; correct them"),
        ("1,5\n2,\n3,6\n", "values are missing in 'y' (1)"),
        ("1,5\n2,6\n3,7\n", "cross-validation needs at least 4 rows, got 3; 'fgac fit' with --gamma needs none"),
    ],
)
def test_bad_targets_are_refused(tmp_path, rows, message):
    answer = run("fit", "-", "-t", "y", "--numbers", "-o", tmp_path / "m.fgac", "-q", stdin="x,y\n" + rows, code=1)
    assert message in answer.stderr
    assert list(tmp_path.iterdir()) == []


# predict


def test_predict_gives_bounds_and_interval_in_full(folder):
    model, X = load_model(folder / "model.fgac"), houses(12, seed=1).drop("house", "price")
    answer = run("predict", folder / "model.fgac", folder / "new.csv", "-q")
    rows = table(answer.stdout)
    assert list(rows[0]) == ["id", "prediction", "lower", "upper", "interval_lower", "interval_upper"]
    assert [row["id"] for row in rows] == [f"H{i}" for i in range(12)]
    bounds, interval = model.envelope(X), model.predict_interval(X)
    for name in ("prediction", "lower", "upper"):
        np.testing.assert_array_equal([float(row[name]) for row in rows], getattr(bounds, name))
    for name in ("lower", "upper"):
        np.testing.assert_array_equal([float(row[f"interval_{name}"]) for row in rows], getattr(interval, name))
    assert answer.stderr == ""


def test_a_model_without_interval_gives_none(folder, tmp_path):
    run("fit", folder / "data.csv", *COMMON, "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    rows = table(run("predict", tmp_path / "m.fgac", folder / "new.csv", "-q").stdout)
    assert list(rows[0]) == ["id", "prediction", "lower", "upper"]


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_a_table_in_parts_gives_what_it_gives_in_one_piece(folder, tmp_path, monkeypatch, suffix):
    whole = run("predict", folder / "model.fgac", folder / "new.csv", "-q").stdout
    monkeypatch.setattr(streaming, "BLOCK", 80)
    seen = []
    read = streaming.read_batches
    monkeypatch.setattr(streaming, "read_batches", lambda *given: (seen.append(len(t)) or t for t in read(*given)))
    run("predict", folder / "model.fgac", folder / "new.csv", "-q", "-o", tmp_path / f"out{suffix}")
    assert len(seen) > 2
    assert max(seen) < 12
    reader = {".csv": pl.read_csv, ".json": pl.read_json, ".parquet": pl.read_parquet}[suffix]
    assert reader(tmp_path / f"out{suffix}").rows() == pl.read_csv(io.StringIO(whole)).rows()


# explain


def test_explain_says_what_python_says(folder, tmp_path):
    model, frame = load_model(folder / "model.fgac"), houses(12, seed=1)
    by_hand = model.explain(
        frame.drop("house", "price"), y=frame["price"].to_list(), ids=frame["house"].to_list(), units={"y": "EUR"}
    )
    given = (folder / "model.fgac", folder / "new.csv", "--unit", "price=EUR")
    assert run("explain", *given, "--first", "2").stdout == by_hand[:2].text() + "\n"
    run("explain", *given, "-o", tmp_path / "out.json", "-q")
    assert RegressionExplanations.from_json((tmp_path / "out.json").read_text()) == by_hand
    run("explain", *given, "-o", tmp_path / "out.html", "-q")
    assert "new.csv, explained" in (tmp_path / "out.html").read_text()
    run("explain", *given, "-o", tmp_path / "out.txt", "-q", "--first", "12")
    assert (tmp_path / "out.txt").read_text() == by_hand.text() + "\n"


def test_csv_has_one_line_per_argument(folder, tmp_path):
    run("explain", folder / "model.fgac", folder / "new.csv", "-o", tmp_path / "out.csv", "-q", "--row", "H3")
    rows = table((tmp_path / "out.csv").read_text())
    assert {row["id"] for row in rows} == {"H3"}
    assert {row["side"] for row in rows} == {"at least", "at most"}
    first = {side: next(row for row in rows if row["side"] == side) for side in ("at least", "at most")}
    assert float(first["at least"]["says"]) == pytest.approx(float(rows[0]["lower"]))
    assert float(first["at most"]["says"]) == pytest.approx(float(rows[0]["upper"]))
    for row, sign in ((first["at least"], -1), (first["at most"], 1)):
        assert float(row["fitted"]) + sign * float(row["allowance"]) == pytest.approx(float(row["says"]))
    assert float(rows[0]["interval_lower"]) <= float(rows[0]["interval_upper"])
    assert float(rows[0]["truth"]) == houses(12, seed=1)["price"][3]


def test_doubtful_rows_have_the_widest_bounds(folder, tmp_path):
    bounds = load_model(folder / "model.fgac").envelope(houses(12, seed=1).drop("house", "price"))
    widest = np.argsort(bounds.lower - bounds.upper)[:2]
    out = tmp_path / "out.json"
    run("explain", folder / "model.fgac", folder / "new.csv", "--doubtful", "2", "-o", out, "-q")
    assert [item.id for item in RegressionExplanations.from_json(out.read_text())] == [f"H{i}" for i in widest]


def test_no_audit_leaves_contradictions_out(folder, tmp_path):
    for given, there in (((), True), (("--no-audit",), False)):
        run("explain", folder / "model.fgac", folder / "new.csv", "-o", tmp_path / "out.json", "-q", *given)
        found = RegressionExplanations.from_json((tmp_path / "out.json").read_text())
        assert (found.contradictions is not None) == there


def test_training_rows_are_told(folder):
    answer = run("explain", folder / "model.fgac", folder / "data.csv", "--first", "3", "-q")
    assert "3 of 3 rows are training rows" in answer.stderr
    assert run("explain", folder / "model.fgac", folder / "new.csv", "--first", "3", "-q").stderr == ""


def test_truths_that_are_no_numbers_are_refused(folder):
    answer = run("explain", folder / "model.fgac", folder / "new.csv", "-t", "city", "-q", code=1)
    assert "column 'city' must hold numbers, got 'Lviv'" in answer.stderr


# audit


def test_audit_lists_the_contradictions_of_the_model(folder, tmp_path):
    found = load_model(folder / "model.fgac").contradictions(4)
    answer = run("audit", folder / "model.fgac", "-n", "4", "-q")
    assert "Doubted numbers: the 4 most contradicted of 60 rows" in answer.stdout
    for row in found:
        assert words(row.text()) in words(answer.stdout)
    run("audit", folder / "model.fgac", "-n", "4", "-q", "-o", tmp_path / "out.json")
    assert RegressionAudit.from_json((tmp_path / "out.json").read_text()) == found
    run("audit", folder / "model.fgac", "-n", "4", "-q", "-o", tmp_path / "out.csv")
    rows = table((tmp_path / "out.csv").read_text())
    assert [(row["id"], float(row["target"]), float(row["fitted"])) for row in rows] == [
        (row.id, row.target, row.fitted) for row in found
    ]
    assert rows[0]["contradicted_by"].split("; ") == [other.id for other in found[0].contradicted_by]


def test_audit_of_a_table_trains_a_regressor(folder):
    answer = run("audit", folder / "data.csv", *COMMON, "--gamma", "1", "-n", "1")
    worst = FGARegressor(gamma=1.0).fit(*training(), ids=houses()["house"].to_list()).contradictions(1)[0]
    assert words(worst.text()) in words(answer.stdout)
    assert "finding wrong labels" not in answer.stderr


def test_audit_advises_a_smaller_gamma(folder):
    answer = run("audit", folder / "model.fgac", "-n", "1")
    assert "large for finding wrong numbers: try a smaller one (--gamma, with the table instead of the model).\n" in (
        answer.stderr
    )


def test_consistent_numbers_have_no_contradiction(tmp_path):
    answer = run("audit", "-", "-t", "y", "--numbers", "--gamma", "2", "-q", stdin="x,y\n1,1\n2,2\n3,3\n")
    assert answer.stdout == "No number is contradicted: all 3 rows have the values that were observed.\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("-o", "out.html"), "an audit of numbers is written as .csv, .json, .parquet or .txt, not as .html"),
        (("--by", "rest"), "--by is for classes; numbers are ranked by how far they are from what others leave them"),
        (("--numbers",), "is a model, which knows what it predicts; leave --numbers out, or give a table"),
    ],
)
def test_audit_refuses_what_is_for_classes(folder, tmp_path, monkeypatch, given, message):
    monkeypatch.chdir(tmp_path)
    answer = run("audit", folder / "model.fgac", *given, "-q", code=2)
    assert message in answer.stderr
    assert list(tmp_path.iterdir()) == []


# evaluate


@pytest.fixture(scope="module")
def evaluated():
    return cross_validate_numbers(FGARegressor(), *training(), gamma=None, n_folds=3, n_repeats=2)


def parts():
    return [part for seed in range(2) for part in KFold(3, shuffle=True, random_state=seed).split(np.zeros(60))]


def test_evaluate_chooses_gamma_in_every_training_part(evaluated):
    X, y = training()
    assert evaluated.gammas == tuple(choose_number_gamma(FGARegressor(), X[a], y[a]).gamma_ for a, _ in parts())


def test_evaluate_scores_every_method_on_the_test_parts(evaluated):
    X, y = training()
    scores = []
    for gamma, (train, test) in zip(evaluated.gammas, parts(), strict=True):
        ours = FGARegressor(gamma=gamma).fit(X[train], y[train])
        points = [
            np.column_stack([rows.numeric, rows.codes == 0, rows.codes == 1])
            * ([1.0] * 2 + [rows.mismatch[0] / np.sqrt(2)] * 2)
            for rows in (ours._rows(X[train]), ours._rows(X[test]))
        ]
        theirs = KNeighborsRegressor(5).fit(points[0], y[train]).predict(points[1])
        predicted = (ours.predict(X[test]), theirs, np.full(len(test), y[train].mean()))
        scores.append([(r2_score(y[test], p), mean_absolute_error(y[test], p)) for p in predicted])
    found = [evaluated.fgac, evaluated.neighbours, evaluated.mean]
    means = [(part.r2.mean, part.absolute_error.mean) for part in found]
    np.testing.assert_allclose(means, np.mean(scores, axis=0))
    assert evaluated.lead.r2.mean == pytest.approx(means[0][0] - means[1][0])
    assert evaluated.fgac.r2.low < evaluated.fgac.r2.mean < evaluated.fgac.r2.high <= 1


def test_evaluate_shows_and_writes_the_scores(folder, evaluated, tmp_path):
    given = ("evaluate", folder / "data.csv", *COMMON, "--folds", "3", "-q")
    answer = run(*given, "-o", tmp_path / "out.json")
    score = evaluated.fgac.r2
    lines = [words(line) for line in answer.stdout.splitlines()]
    assert f"fuzzy granular approximation (FGAC) {score.mean:.3f} {score.low:.3f} to {score.high:.3f}" in lines
    assert f"always the mean {evaluated.mean.absolute_error.mean:.1f} " in "\n".join(lines)
    assert "3-fold cross-validation 2 times, 60 rows; gamma chosen in every training part: " in " ".join(lines)
    assert max(map(len, answer.stdout.splitlines())) <= 80
    plain = json.loads((tmp_path / "out.json").read_text())
    assert plain["lead"]["absolute_error"]["mean"] == evaluated.lead.absolute_error.mean
    assert json.loads(run(*given, "--json").stdout) == plain


def test_evaluate_without_weightless_rows():
    X, y = training()
    keep = np.arange(60) % 4 != 0
    how = {"gamma": 2.0, "n_folds": 3, "n_repeats": 1}
    weighted = cross_validate_numbers(FGARegressor(), X, y, sample_weight=keep.astype(float), **how)
    assert weighted == cross_validate_numbers(FGARegressor(), X.filter(keep), y[keep], **how)


def test_few_rows_give_fewer_folds():
    answer = run("evaluate", "-", "-t", "y", "--numbers", "--gamma", "2", stdin="x,y\n1,1\n2,2\n3,2\n4,5\n5,1\n")
    assert "2 folds instead of 5: every part needs 2 rows." in answer.stderr
