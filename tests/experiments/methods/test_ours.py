"""Nested choice of settings, our scale, and the study of near constraints."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from fgac.experiments.datasets.files import DataSet
from fgac.experiments.methods import ours
from fgac.experiments.methods.ours import OURS
from fgac.experiments.methods.protocol import SEED, splits
from fgac.experiments.methods.published import PublishedFGAC
from fgac.experiments.results.nn_study import FRACTIONS, study
from support.toy_experiments import toy

pandas = pytest.importorskip("pandas")
pytest.importorskip("imblearn")


def test_the_choice_is_that_of_scikit_learns_search():
    """The nested loop against GridSearchCV on the same folds."""
    data = toy(7, 120)
    for fold in range(2):
        result, inner = OURS["cart"].result(data, fold)
        train, test = splits(data.y)[fold]
        search = GridSearchCV(
            DecisionTreeClassifier(class_weight="balanced", random_state=SEED),
            {"max_depth": list(OURS["cart"].settings)},
            scoring="balanced_accuracy",
            cv=StratifiedKFold(5, shuffle=True, random_state=SEED),
        ).fit(data.encoded()[train], data.y[train])
        assert result.setting == search.best_params_["max_depth"]
        assert inner == pytest.approx(search.best_score_)
        predicted = search.predict(data.encoded()[test])
        assert result.score == pytest.approx(balanced_accuracy_score(data.y[test], predicted))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(OURS))
def test_test_rows_have_no_say_in_the_choice(name):
    """Their values are nonsense in the second run; choice and inner score stay. (Ranges come from training rows.)"""
    data = toy(8, 90)
    result, inner = OURS[name].result(data, 0)
    test = splits(data.y)[0][1]
    frame = data.frame.copy()
    frame.loc[test, ["a", "b"]] = 1e6
    other, inner_again = OURS[name].result(DataSet("toy", frame, data.y, data.labels), 0)
    assert (result.setting, inner) == (other.setting, inner_again)
    assert (result.constraints is None) == (name != "fgac")
    assert other.score < result.score


def test_ranges_and_categories_of_our_scale():
    """A numeric column of 0 and 1 stays a number; two categories are at distance 1."""
    frame = pandas.DataFrame({"x": [0.0, 10.0, 5.0, 20.0], "hue": pandas.Categorical(["r", "g", "r", "b"])})
    data = DataSet("toy", frame, np.array([0, 0, 1, 1]), ("a", "b"))
    rows, others = ours.ranged(data, np.array([0, 1, 2]), np.array([3]))
    np.testing.assert_allclose(rows[:, 0], [0.0, 1.0, 0.5])
    assert others[0, 0] == 2.0
    assert np.linalg.norm(rows[0, 1:] - rows[1, 1:]) == pytest.approx(1.0)


def test_repeated_positions_are_of_the_training_part():
    """Every class as often as the largest."""
    y = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    train = np.array([0, 1, 2, 4, 6])
    positions = ours.repeated(train, y)
    assert set(positions) == set(train)
    assert np.bincount(y[positions]).tolist() == [3, 3, 3]


@pytest.mark.parametrize("loss", ["mae", "mse"])
def test_study_of_near_constraints(loss):
    """More constraints, smaller differences; the lines tell what they are about."""
    lines = study(toy(9), loss, "euclidean", 2.0)
    assert [line["nn"] for line in lines] == list(FRACTIONS)
    assert {line["dataset"] for line in lines} == {"toy"}
    constraints = [line["constraints"] for line in lines]
    assert constraints == sorted(constraints, reverse=True)
    assert lines[0]["constraints"] <= lines[0]["constraints_all"]
    assert 0 <= lines[0]["difference"] <= lines[-1]["difference"] <= 1
    assert lines[-1]["difference"] > 0
    assert all(line["seconds"] > 0 and line["seconds_all"] > 0 for line in lines)


def test_names_of_versions():
    assert PublishedFGAC("mse", "euclidean").name == "fgac_mse_euclidean_nn2"
    assert PublishedFGAC("mae", "supremum", "nn100").name == "fgac_mae_supremum_nn100"
    assert PublishedFGAC("mae", "supremum", owa="add").name == "fgac_mae_supremum_add"
