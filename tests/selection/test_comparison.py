"""Two models on the same parts: the difference and its interval can be computed by hand."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fgac
from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, evaluate
from fgac._serialize import from_plain, to_plain
from fgac.selection.scores import Comparison, Evaluation, ScoreDifference, ScoreInterval, interval
from fgac.tables.splits import stratified_folds

RNG = np.random.default_rng(0)
N = 60
NUMBERS = RNG.normal(size=N)
X = pd.DataFrame({"near": NUMBERS + RNG.normal(0, 0.5, N), "noise": RNG.normal(size=N), "far": NUMBERS})
CLASSES = pd.Series(np.where(NUMBERS > 0, "yes", "no"), name="paid")
THREE = np.digitize(NUMBERS, [-0.5, 0.5])
FEW = {"gamma": 2.0, "n_folds": 3}


def test_the_difference_is_that_of_the_parts():
    """Both models are fitted to the same parts; the interval is that of the differences."""
    other = FGAClassifier(gamma=2.0, metric="manhattan", class_weight="balanced")
    found = evaluate(FGAClassifier(), X[["near", "noise"]], CLASSES, against=other, n_repeats=2, **FEW)
    y = CLASSES.to_numpy()
    parts = [part for seed in range(2) for part in stratified_folds(y == "yes", 3, seed)]
    leads = []
    for train, test in parts:
        right = []
        for model in (FGAClassifier(gamma=2.0), other):
            rows = X[["near", "noise"]]
            right.append((model.fit(rows.iloc[train], y[train]).predict(rows.iloc[test]) == y[test]).mean())
        leads.append(right[0] - right[1])
    expected = interval(np.array(leads), 1 / 2)
    accuracy = found.against.differences[1]
    assert accuracy.score == "accuracy"
    assert accuracy.lead.mean == pytest.approx(expected.mean)
    assert (accuracy.lead.low, accuracy.lead.high) == pytest.approx((expected.low, expected.high))
    assert accuracy.model.mean == pytest.approx(found.fgac.accuracy.mean)
    assert accuracy.lead.mean == pytest.approx(accuracy.model.mean - accuracy.other.mean)


def test_without_another_model_nothing_changes():
    found = evaluate(FGAClassifier(), X, CLASSES, **FEW)
    assert found.against is None
    assert "against" not in to_plain(found)
    beside = evaluate(FGAClassifier(), X, CLASSES, against=FGAClassifier(metric="manhattan"), **FEW)
    assert beside.fgac == found.fgac
    assert beside.lead == found.lead


@pytest.mark.parametrize(
    ("model", "y", "scores"),
    [
        (FGAClassifier(), CLASSES, ["balanced accuracy", "accuracy"]),
        (FGAOrdinalClassifier(), THREE, ["balanced accuracy", "accuracy", "classes off"]),
        (FGARegressor(), NUMBERS, ["R2", "mean absolute error"]),
    ],
    ids=["classes", "order", "numbers"],
)
def test_every_kind(model, y, scores):
    """A column that holds the answer is better, also where less is better; a model is no better than itself."""
    poor = type(model)(gamma=2.0).fit(X[["noise"]], y)
    found = evaluate(model, X, y, against=poor, gamma=2.0, n_folds=10).against
    assert [one.score for one in found.differences] == scores
    assert [one.verdict for one in found.differences] == ["better"] * len(scores)
    turned = evaluate(model, X[["noise"]], y, against=(type(model)(), X), gamma=2.0, n_folds=10).against
    assert [one.verdict for one in turned.differences] == ["worse"] * len(scores)
    for one, other in zip(found.differences, turned.differences, strict=True):
        assert one.lead.mean == pytest.approx(-other.lead.mean)
    same = evaluate(model, X, y, against=type(model)(), gamma=2.0, n_folds=10).against
    assert [one.verdict for one in same.differences] == ["no difference"] * len(scores)
    assert "equal in every part" in same.text()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_fitted_model_takes_its_own_columns(frame):
    table = frame(X.to_dict("list"))
    other = FGAClassifier(gamma=2.0).fit(frame(X[["noise"]].to_dict("list")), CLASSES)
    found = evaluate(FGAClassifier(), table, CLASSES, against=other, **FEW)
    pair = evaluate(FGAClassifier(), table, CLASSES, against=(FGAClassifier(), X[["noise"]]), **FEW)
    assert found.against == pair.against


def test_gamma_of_the_other_model():
    """Its own if it was given to it, chosen anew in every part if it had been chosen; of one not fitted, as asked."""
    given = FGAClassifier(gamma=7.0).fit(X, CLASSES)
    assert evaluate(FGAClassifier(), X, CLASSES, against=given, **FEW).against.gammas == (7.0,) * 3
    search = FGAClassifierCV(gammas=[1.5, 2.5], cv=2)
    assert set(evaluate(FGAClassifier(), X, CLASSES, against=search, **FEW).against.gammas) <= {1.5, 2.5}
    assert evaluate(FGAClassifier(), X, CLASSES, against=FGAClassifier(gamma=9.0), **FEW).against.gammas == (2.0,) * 3
    chosen = search.fit(X, CLASSES).best_estimator_
    assert len(evaluate(FGAClassifier(), X, CLASSES, against=chosen, **FEW).against.gammas) == 3


def test_weights_and_progress():
    """Rows of weight 0 are absent for both; progress goes from the one model to the other."""
    weights = np.ones(N)
    weights[:10] = 0.0
    seen = []
    other = FGAClassifier(metric="manhattan")
    found = evaluate(
        FGAClassifier(),
        X,
        CLASSES,
        sample_weight=weights,
        against=other,
        on_progress=lambda *at: seen.append(at),
        **FEW,
    )
    assert found.against == evaluate(FGAClassifier(), X[10:], CLASSES[10:], against=other, **FEW).against
    shares = [done / total for done, total in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_models_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match=r"FGARegressor, which predicts numbers, and FGAClassifier predicts classes"):
        evaluate(FGAClassifier(), X, CLASSES, against=FGARegressor(), **FEW)
    with pytest.raises(ValueError, match="predicts ordered classes"):
        evaluate(FGAClassifier(), X, CLASSES, against=FGAOrdinalClassifier(), **FEW)
    with pytest.raises(TypeError, match="against is of type str; expected an FGAClassifier"):
        evaluate(FGAClassifier(), X, CLASSES, against="old.fgac", **FEW)
    other = FGAClassifier().fit(X, CLASSES.rename("denied"))
    with pytest.raises(ValueError, match="against predicts 'denied', and y is 'paid'; expected the same target"):
        evaluate(FGAClassifier(), X, CLASSES, against=other, **FEW)
    wide = FGAClassifier().fit(X, CLASSES)
    with pytest.raises(ValueError, match=r"X lacks \['far'\], which the other model was fitted to"):
        evaluate(FGAClassifier(), X[["near", "noise"]], CLASSES, against=wide, **FEW)
    with pytest.raises(ValueError, match="metric='precomputed' cannot be compared"):
        evaluate(FGAClassifier(), X, CLASSES, against=FGAClassifier(metric="precomputed"), **FEW)


# ----------------------------------------------------------------------------------------------------
# Words, and JSON
# ----------------------------------------------------------------------------------------------------


def said(mean, low, high, score="balanced accuracy"):
    some = ScoreInterval(0.5, 0.4, 0.6)
    one = ScoreDifference(score, some, some, ScoreInterval(mean, low, high))
    return Comparison((one,), (1.0,)).text("the new model", "the old one")


def test_words():
    """What the difference is, its interval, and whether it is one; what is worse is told as worse."""
    name = "Balanced accuracy: the new model is"
    assert said(0.012, -0.004, 0.028) == (
        f"{name} better than the old one by 0.012 (95 % interval -0.004 to 0.028): no clear difference."
    )
    assert (
        said(0.02, 0.01, 0.03)
        == f"{name} better than the old one by 0.020 (95 % interval 0.010 to 0.030): clearly better."
    )
    assert said(-0.02, -0.03, -0.01) == (
        f"{name} worse than the old one by 0.020 (95 % interval 0.010 to 0.030): clearly worse."
    )
    assert said(-0.01, -0.03, 0.01).endswith(
        "worse than the old one by 0.010 (95 % interval -0.010 to 0.030): no clear difference."
    )
    assert (
        said(0.0, 0.0, 0.0)
        == "Balanced accuracy: the new model and the old one are equal in every part: no difference."
    )
    assert "by 1234 (95 % interval 567.8 to 1900)" in said(1234.4, 567.8, 1900.2, "mean absolute error")


def test_json_and_back():
    found = fgac.evaluate(FGAClassifier(), X, CLASSES, against=FGAClassifier(metric="manhattan"), **FEW)
    assert from_plain(Comparison, to_plain(found)["against"]) == found.against
    assert isinstance(found, Evaluation)
