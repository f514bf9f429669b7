"""Conclusions of the paper, checked against results."""

from dataclasses import replace

import numpy as np
import pytest

from fgac.experiments.claims import conclusions
from fgac.experiments.claims.base import Conclusion, Evidence, Reading
from fgac.experiments.results.nn_study import study_of
from fgac.experiments.results.tables import as_published, as_we_would, of_the_paper
from support.experiment_lines import IONOSPHERE, study_lines
from support.experiment_scores import scores_of


@pytest.fixture(scope="module")
def concluded(printed):
    tables = of_the_paper(as_published(printed))
    evidence = Evidence(tables, as_we_would(printed), printed, study_of(study_lines()), IONOSPHERE)
    return {conclusion.name: conclusion for conclusion in conclusions(evidence)}


def test_conclusions_of_the_published_numbers(concluded):
    """The statements of the paper hold on its own numbers, but for those that its tables contradict."""
    odd = {name for name, conclusion in concluded.items() if conclusion.printed.holds is False}
    assert odd == {"nn2_suffices", "version_not_best", "owa_best_exp"}
    assert concluded["models_ranks"].as_published.value == "3.42, 2.22, 2.58, 2.83, 3.94"
    assert concluded["models_pairs"].as_we_would == concluded["models_pairs"].printed
    assert concluded["transparent_best"].printed.value == "p = 0.038"
    assert concluded["transparent_wins"].printed.value == "13 of 18"


def test_kfrnn_as_described_can_take_the_win_away(printed):
    """With kFRNN as good as FGAC on each data set, FGAC is not significantly the best."""
    tables = of_the_paper(as_published(printed))
    transparent = tables["transparent"]
    values = np.where(np.array(transparent.columns) == "kfrnn_k5", transparent.values[:, :1], transparent.values)
    for table, verdict in ((transparent, "confirmed"), (replace(transparent, values=values), "not confirmed")):
        evidence = Evidence({**tables, "transparent_as_described": table}, as_we_would(printed), printed)
        found = {conclusion.name: conclusion for conclusion in conclusions(evidence)}
        assert found["transparent_best_as_described"].verdict == verdict


def test_conclusions_of_the_study(concluded):
    names = ("nn_difference", "nn_gamma", "nn_loss", "nn_time", "gamma_smooths")
    assert [concluded[name].verdict for name in names] == ["confirmed"] * 5
    assert concluded["nn_time"].as_published.value == "nn = 0.02 takes 2% of the time and has 2% of the constraints"


def test_small_study_says_nothing(printed):
    study = study_of([record for record in study_lines() if record["dataset"] != "pima"])
    evidence = Evidence(of_the_paper(as_published(printed)), as_we_would(printed), printed, study)
    found = {conclusion.name: conclusion.verdict for conclusion in conclusions(evidence)}
    assert found["nn_difference"] == "not tested"


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("nn_difference", lambda record: {"difference": record["nn"]}),
        ("nn_gamma", lambda record: {"difference": 0.1 / record["gamma"] - record["nn"] / 100}),
        ("nn_loss", lambda record: {"difference": 0.1 - record["nn"] / 10}),
        ("nn_time", lambda record: {"seconds": 0.5}),
    ],
)
def test_study_can_contradict(printed, name, changed):
    study = study_of([{**record, **changed(record)} for record in study_lines()])
    evidence = Evidence(of_the_paper(as_published(printed)), as_we_would(printed), printed, study)
    found = {conclusion.name: conclusion for conclusion in conclusions(evidence)}
    assert found[name].verdict == "not confirmed"


def test_win_on_ionosphere_hangs_on_the_names(concluded):
    assert concluded["ionosphere"].as_published.holds is True
    names = concluded["ionosphere_names"]
    assert names.verdict == "not confirmed"
    assert names.as_published.value == "0.938; names swapped: 0.849"
    assert "31%" in names.note


def test_nothing_is_concluded_from_nothing():
    empty = scores_of([])
    found = conclusions(Evidence(of_the_paper(as_published(empty)), as_we_would(empty), empty))
    assert {conclusion.verdict for conclusion in found if conclusion.name != "gamma_smooths"} == {"not tested"}


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (True, True, "confirmed"),
        (True, None, "confirmed"),
        (False, None, "not confirmed"),
        (False, True, "in one run only"),
        (None, None, "not tested"),
    ],
)
def test_verdict_is_about_our_runs(one, other, verdict):
    conclusion = Conclusion("x", "6", "claim", "", Reading("", True), Reading("", one), Reading("", other))
    assert conclusion.verdict == verdict
