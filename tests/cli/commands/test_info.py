"""``fgac info``: what is in a model file, without data."""

import json

import numpy as np
import pytest

import fgac
from fgac import FGAClassifier, save_model
from fgac.estimators._state import state_of
from fgac.explainers.model_facts import model_facts
from support.command_line import run, words
from support.loans import TARGET


def info(path):
    return json.loads(run("info", path, "--json").stdout)


def test_classes(loans_folder, loans_model):
    path = loans_folder / "model.fgac"
    found = info(path)
    assert found["bytes"] == path.stat().st_size
    assert (found["predicts"], found["estimator"], found["target"]) == ("classes", "FGAClassifier", TARGET)
    assert (found["gamma"], found["metric"], found["selection"], found["calibrated"]) == (2.0, "learned", None, False)
    assert sum(each["n_rows"] for each in found["classes"]) == found["n_rows"] == len(loans_model.beta_)
    assert {each["name"]: each["n_categories"] for each in found["columns"]} == {
        "months": None,
        "amount": None,
        "purpose": 3,
        "employed": 2,
    }
    assert found["notes"] == {"target": TARGET, "id": "customer"}
    assert found["written_by"] == fgac.__version__
    assert found["holds_training_rows"]
    assert found["holds_values"]
    weights = [each["weight"] for each in found["columns"]]
    assert weights == sorted(weights, reverse=True)
    told = words(run("info", path).stdout)
    for text in ("predicts repaid (classes)", "gamma 2, as given", "optimal proved", "contains the training rows"):
        assert text in told


def test_ordered_classes_and_numbers(grades_folder, prices_folder):
    grades, prices = info(grades_folder / "model.fgac"), info(prices_folder / "model.fgac")
    assert [each["label"] for each in grades["classes"]] == ["poor", "fair", "good"]
    assert grades["proof"]["n_problems"] == 2
    assert grades["numbers"] is None
    assert prices["classes"] is None
    assert prices["numbers"]["least"] < prices["numbers"]["most"]
    assert prices["interval"] == 0.8
    assert prices["selection"]["score_name"] == "R2"
    told = words(run("info", prices_folder / "model.fgac").stdout)
    assert "chosen by cross-validation" in told
    assert "meant to hold 80 % of new values" in told
    assert "poor (" in words(run("info", grades_folder / "model.fgac").stdout)


def test_the_proof_is_the_worst_of_all_problems():
    model = fgac.FGAOrdinalClassifier(gamma=2.0).fit(np.arange(9.0)[:, None] % 5, [1, 2, 3] * 3)
    solutions = [boundary.solution for boundary in state_of(model).boundaries]
    proof = model_facts(state_of(model)).proof
    for name in ("largest_violation", "dual_residual", "rounding"):
        assert getattr(proof, name) == max(getattr(solution, name) for solution in solutions)
    assert proof.n_nodes == sum(len(solution.values) for solution in solutions)
    assert proof.is_optimal


def test_a_gamma_path(tmp_path):
    path = fgac.path([[0.0], [0.4], [1.0]], ["low", "high", "high"])
    save_model(path, tmp_path / "path.fgac")
    found = info(tmp_path / "path.fgac")
    assert found["estimator"] == "GammaPath"
    assert found["path"]["n_events"] == path.n_events == 2
    assert (found["path"]["gamma_min"], found["path"]["gamma_max"]) == (path.gamma_min, path.gamma_max)
    assert "a model for every gamma from 0.5 on, the same from 2.5 on; 2 events" in words(
        run("info", tmp_path / "path.fgac").stdout
    )


def test_values_that_were_left_out_and_distances(tmp_path):
    save_model(FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["no", "yes"]), tmp_path / "a.fgac", values=False)
    assert not info(tmp_path / "a.fgac")["holds_values"]
    distances = FGAClassifier(gamma=0.5, metric="precomputed").fit([[0.0, 1.0], [1.0, 0.0]], ["no", "yes"])
    save_model(distances, tmp_path / "b.fgac")
    found = info(tmp_path / "b.fgac")
    assert found["columns"] == []
    assert found["metric"] == "precomputed"
    assert "predicts classes" in words(run("info", tmp_path / "b.fgac").stdout)


def test_what_is_no_model_is_told(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    assert "is no model file" in run("info", tmp_path / "data.csv", code=1).stderr
    assert run("info", tmp_path / "none.fgac", "--json", code=1).stdout == ""


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_fit_prints_the_same_document(tmp_path, quiet):
    (tmp_path / "data.csv").write_text("a,y\n" + "".join(f"{i},{'no' if i < 9 else 'yes'}\n" for i in range(20)))
    given = ["-t", "y", "--gamma", "2", "--metric", "euclidean", "-o", tmp_path / "m.fgac", "--json", *quiet]
    answer = run("fit", tmp_path / "data.csv", *given)
    assert json.loads(answer.stdout) == info(tmp_path / "m.fgac")
