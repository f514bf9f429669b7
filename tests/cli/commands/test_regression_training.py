"""fgac fit and fgac evaluate with --numbers: the same models as in Python, and what is refused."""

import json

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor

from fgac import FGARegressor, FGARegressorCV
from fgac.persistence import load_model, read_notes
from fgac.selection.default_folds import default_folds
from fgac.selection.evaluation import evaluate
from fgac.selection.rules import choose_gamma
from fgac.tables.reading import ReadTable
from fgac.text.words import format_number
from support.command_line import run, words
from support.house_prices import COMMON, houses, training

# What a search has by default, and the command line too.
SEARCHED = {"metric": "learned", "scale": "auto", "target_scale": "robust"}


def ends_of(model):
    """Both ends of the intervals of all training rows."""
    return np.array(model.predict_interval(training()[0]))


def argued_score(gamma, X, y, train, test):
    """R2 on rows held out, where the mean of the training rows stands in for guesses."""
    usual = tuple(np.percentile(y, [5, 95], method="averaged_inverted_cdf"))  # of all rows, not of every part
    model = FGARegressor(gamma=gamma, **{**SEARCHED, "target_scale": usual}).fit(X[train], y[train])
    bounds, guess = model._state.bounds_and_guesses(model._read_rows(X[test]))
    return r2_score(y[test], np.where(guess, y[train].mean(), bounds.prediction))


# fit


def test_fit_trains_what_python_trains(prices_folder, tmp_path):
    given = ("--gamma", "2", "--metric", "manhattan", "--scale", "rank", "--loss", "absolute_error")
    directions = ("--increasing", "area", "--decreasing", "age", "--learn-weights")
    told = run("fit", prices_folder / "data.csv", *COMMON, *given, *directions, "-o", tmp_path / "m.fgac").stdout
    model = load_model(tmp_path / "m.fgac")
    by_hand = FGARegressor(
        gamma=2.0,
        metric="manhattan",
        scale="rank",
        loss="absolute_error",
        monotonic_cst={"area": 1, "age": -1},
        feature_weights="learned",
        target_scale="robust",
    ).fit(*training())
    np.testing.assert_array_equal(model.fitted_values_, by_hand.fitted_values_)
    assert read_notes(tmp_path / "m.fgac") == {"target": "price", "id": "house"}
    assert "only more of 'area' and less of 'age' can raise price, never the opposite" in words(told)
    assert "2, as given" in told
    assert "weights" in told
    assert "interval" not in told


@pytest.mark.slow
def test_gamma_is_that_of_the_best_r2_of_five_shuffled_folds(prices_folder):
    X, y = training()
    model = load_model(prices_folder / "model.fgac")
    by_hand = FGARegressorCV(interval=0.8).fit(X, y)
    gammas = by_hand.cv_results_["param_gamma"]
    folds = default_folds(ReadTable.of(X, "from_dtype"), y, None, classes=False)
    scores = np.mean([[argued_score(gamma, X, y, *fold) for fold in folds] for gamma in gammas], axis=1)
    np.testing.assert_allclose(by_hand.cv_results_["mean_test_score"], scores)
    assert model.gamma == gammas[np.argmax(scores)]
    assert model.gamma == by_hand.gamma_
    np.testing.assert_allclose(ends_of(model), ends_of(by_hand))
    np.testing.assert_allclose(model.fitted_values_, by_hand.fitted_values_, atol=1e-9)


def test_fit_says_what_was_trained(prices_folder, tmp_path):
    answer = run("fit", prices_folder / "data.csv", *COMMON, "--interval", "0.8", "-o", tmp_path / "m.fgac")
    model, y = load_model(tmp_path / "m.fgac"), training()[1]
    assert "Choosing gamma by cross-validation on 60 rows." in answer.stderr
    told = words(answer.stdout)
    assert (
        f"numbers {format_number(y.min())} to {format_number(y.max())} gamma {model.gamma:g}, best of 17 by 5-fold"
        in told
    )
    assert "(R2 0." in told
    off = FGARegressorCV(interval=0.8).fit(*training()).spread_._state.targets
    typical = f"predictions were off by {format_number(off.mean())} in the mean, {format_number(off.max())} at most"
    assert f"interval meant to hold 80 % of new values; of rows held out, {typical}" in told
    assert "optimal proved" in told
    assert "classes" not in told


def test_a_given_gamma_gets_a_calibrated_interval_too(prices_folder, tmp_path):
    run(
        "fit", prices_folder / "data.csv", *COMMON, "--gamma", "3", "--interval", "0.8", "-o", tmp_path / "m.fgac", "-q"
    )
    by_hand = FGARegressorCV(gammas=[3.0], interval=0.8).fit(*training())
    np.testing.assert_allclose(ends_of(load_model(tmp_path / "m.fgac")), ends_of(by_hand))


def test_gamma_is_chosen_on_a_sample_but_the_rest_on_all_rows(prices_folder, tmp_path, monkeypatch):
    monkeypatch.setitem(FGARegressorCV.__init__.__kwdefaults__, "max_rows", 30)
    answer = run("fit", prices_folder / "data.csv", *COMMON, "--interval", "0.8", "-o", tmp_path / "m.fgac")
    assert "Choosing gamma by cross-validation of a sample of 30 rows." in answer.stderr
    assert "cross-validation of a sample of 30 rows (R2" in words(answer.stdout)
    model, (X, y) = load_model(tmp_path / "m.fgac"), training()
    assert model.gamma == FGARegressorCV(max_rows=30).fit(X, y).gamma_
    by_hand = FGARegressorCV(max_rows=30, interval=0.8).fit(X, y)
    assert np.isfinite(by_hand.spread_.fitted_values_).all()  # of all rows, not of the sample
    np.testing.assert_allclose(ends_of(model), ends_of(by_hand))
    direct = FGARegressor(gamma=model.gamma, **SEARCHED).fit(X, y)
    np.testing.assert_allclose(model.fitted_values_, direct.fitted_values_, atol=1e-9)


def test_rows_of_weight_zero_have_no_say():
    X, y = training()
    keep = np.arange(60) % 3 != 0
    weighted = choose_gamma(FGARegressor(interval=0.8), X, y, sample_weight=keep.astype(float))
    without = choose_gamma(FGARegressor(interval=0.8), X.filter(keep), y[keep])
    assert weighted.gamma_ == without.gamma_
    np.testing.assert_allclose(ends_of(weighted), ends_of(without))
    np.testing.assert_allclose(weighted.fitted_values_[keep], without.fitted_values_, atol=1e-9)


def test_weights_are_passed_on(prices_folder, tmp_path):
    frame = houses().with_columns(pl.Series("count", np.arange(60) % 4))
    frame.write_csv(tmp_path / "weighted.csv")
    run("fit", tmp_path / "weighted.csv", *COMMON, "--weight", "count", "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    by_hand = FGARegressor(gamma=2.0, **SEARCHED).fit(*training(), sample_weight=np.arange(60) % 4)
    np.testing.assert_array_equal(load_model(tmp_path / "m.fgac").fitted_values_, by_hand.fitted_values_)


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (("--class-weight", "balanced"), 2, "--class-weight is for classes, and --numbers says that there are none"),
        (("--order", "low,high"), 2, "--order is for classes, and --numbers says that there are none"),
        (("-t", "city"), 2, "--target names 2 columns, 'price', 'city'; expected one"),
        (("--increasing", "city"), 2, "--increasing 'city': the column holds names, which have no order"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(prices_folder, tmp_path, given, code, message):
    answer = run("fit", prices_folder / "data.csv", *COMMON, *given, "-o", tmp_path / "m.fgac", "-q", code=code)
    assert answer.stderr.startswith(f"error: {message}")
    assert answer.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("share", "code"), [("0", 2), ("1", 2), ("90", 2)])
def test_an_interval_is_a_share(prices_folder, tmp_path, share, code):
    answer = run(
        "fit", prices_folder / "data.csv", *COMMON, "--interval", share, "-o", tmp_path / "m.fgac", "-q", code=code
    )
    assert f"{share} is not between 0 and 1" in answer.stderr


def test_an_interval_needs_numbers(prices_folder, tmp_path):
    answer = run(
        "fit", prices_folder / "data.csv", "-t", "city", "--interval", "0.9", "-o", tmp_path / "m.fgac", code=2
    )
    assert answer.stderr.startswith("error: --interval is for numbers; say with --numbers")


def test_numbers_that_are_no_classes_are_told_of_the_option(prices_folder, tmp_path):
    answer = run(
        "fit", prices_folder / "data.csv", "-t", "price", "--id", "house", "-o", tmp_path / "m.fgac", "-q", code=1
    )
    assert (
        "must be made classes first (low, middle, high, say), or be predicted as numbers (--numbers)" in answer.stderr
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1,5\n2,5\n3,5\n", "target 'y' is 5 in every row; expected numbers that vary"),
        ("1,5\n2,inf\n3,6\n", "target 'y' holds infinite numbers; correct them"),
        ("1,5\n2,\n3,6\n", "values are missing in 'y' (1)"),
        (
            "1,5\n2,6\n3,7\n",
            "cross-validation needs at least 4 rows, got n_samples=3; 'fgac fit' with --gamma needs none",
        ),
    ],
)
def test_bad_targets_are_refused(tmp_path, rows, message):
    answer = run("fit", "-", "-t", "y", "--numbers", "-o", tmp_path / "m.fgac", "-q", stdin="x,y\n" + rows, code=1)
    assert message in answer.stderr
    assert list(tmp_path.iterdir()) == []


# evaluate


@pytest.fixture(scope="module")
def evaluated():
    return evaluate(FGARegressor(target_scale="robust"), *training(), gamma=None, n_folds=2, n_repeats=2)


def parts():
    return [part for seed in range(2) for part in KFold(2, shuffle=True, random_state=seed).split(np.zeros(60))]


@pytest.mark.slow
def test_evaluate_chooses_gamma_in_every_training_part(evaluated):
    X, y = training()
    assert evaluated.gammas == tuple(
        choose_gamma(FGARegressor(target_scale="robust"), X[a], y[a]).gamma_ for a, _ in parts()
    )


@pytest.mark.slow
def test_evaluate_scores_every_method_on_the_test_parts(evaluated):
    X, y = training()
    scores = []
    for gamma, (train, test) in zip(evaluated.gammas, parts(), strict=True):
        ours = FGARegressor(gamma=gamma, target_scale="robust").fit(X[train], y[train])
        points = [
            np.column_stack([rows.numeric, rows.codes == 0, rows.codes == 1])
            * ([1.0] * 2 + [rows.mismatch[0] / np.sqrt(2)] * 2)
            for rows in (ours._read_rows(X[train]), ours._read_rows(X[test]))
        ]
        theirs = KNeighborsRegressor(5).fit(points[0], y[train]).predict(points[1])
        predicted = (ours.predict(X[test]), theirs, np.full(len(test), y[train].mean()))
        scores.append([(r2_score(y[test], p), mean_absolute_error(y[test], p)) for p in predicted])
    found = [evaluated.fgac, evaluated.neighbours, evaluated.mean]
    means = [(part.r2.mean, part.absolute_error.mean) for part in found]
    np.testing.assert_allclose(means, np.mean(scores, axis=0))
    assert evaluated.lead.r2.mean == pytest.approx(means[0][0] - means[1][0])
    assert evaluated.fgac.r2.low < evaluated.fgac.r2.mean < evaluated.fgac.r2.high <= 1


@pytest.mark.slow
def test_evaluate_shows_and_writes_the_scores(prices_folder, evaluated, tmp_path):
    how = ("--metric", "euclidean", "--scale", "range")  # those of the plain regressor that was evaluated
    given = ("evaluate", prices_folder / "data.csv", *COMMON, *how, "--folds", "2", "-q")
    answer = run(*given, "-o", tmp_path / "out.json")
    score = evaluated.fgac.r2
    lines = [words(line) for line in answer.stdout.splitlines()]
    assert f"fuzzy granular approximation (FGAC) {score.mean:.3f} {score.low:.3f} to {score.high:.3f}" in lines
    assert f"always the mean {evaluated.mean.absolute_error.mean:.1f} " in "\n".join(lines)
    assert "2-fold cross-validation 2 times, 60 rows; gamma chosen in every training part: " in " ".join(lines)
    assert max(map(len, answer.stdout.splitlines())) <= 80
    plain = json.loads((tmp_path / "out.json").read_text())
    assert plain["lead"]["absolute_error"]["mean"] == evaluated.lead.absolute_error.mean
    assert json.loads(run(*given, "--json").stdout) == plain


def test_evaluate_without_weightless_rows():
    X, y = training()
    keep = np.arange(60) % 4 != 0
    how = {"gamma": 2.0, "n_folds": 3, "n_repeats": 1}
    weighted = evaluate(FGARegressor(), X, y, sample_weight=keep.astype(float), **how)
    assert weighted == evaluate(FGARegressor(), X.filter(keep), y[keep], **how)


def test_few_rows_give_fewer_folds():
    answer = run("evaluate", "-", "-t", "y", "--numbers", "--gamma", "2", stdin="x,y\n1,1\n2,2\n3,2\n4,5\n5,1\n")
    assert "2 folds instead of 5: every part needs 2 rows." in answer.stderr
