"""Bars on a terminal after two seconds, and nothing before, elsewhere or in the end."""

import time

import numpy as np
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, FGARegressorCV, audit
from fgac._progress import listening, steps, tell
from fgac.cli import progress as bars
from fgac.cli.progress import progress, working


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm-256color")


def test_what_is_over_soon_has_no_bar(terminal, capsys):
    with progress("quick work", quiet=False) as report:
        report(1, 2)
    told = capsys.readouterr()
    assert "quick work" not in told.out + told.err


def test_a_bar_appears_while_nothing_is_told(terminal, capsys, monkeypatch):
    """Work that tells nothing for long has one, too: a timer shows it."""
    monkeypatch.setattr(bars, "DELAY", 0.01)
    with working("silent work", quiet=False):
        deadline = time.monotonic() + 20
        shown = ""
        while "silent work" not in shown and time.monotonic() < deadline:
            time.sleep(0.01)
            shown += capsys.readouterr().err
    assert "silent work" in shown


def test_a_bar_has_an_estimate_of_the_time_left(terminal, capsys, monkeypatch):
    monkeypatch.setattr(bars, "DELAY", 0)
    with progress("long work", quiet=False) as report:
        for done in range(5):
            report(done, 10)
            time.sleep(0.02)
    assert "40%" in (shown := capsys.readouterr().err)
    assert "left" in shown
    assert "0:00:0" in shown


def test_steps_of_the_command_come_before_what_the_library_says(terminal):
    from fgac.cli.console import message_console

    bar = bars.Bar("folds", message_console())
    bar.stage("learning", 1, 2)
    assert bar.now == ("learning", 1, 2)  # nothing is counted yet
    bar.steps(1, 3)
    bar.stage("solving", 4, None)
    assert bar.now == ("folds", 1, 3)
    bar.steps(3, 3)
    bar.stage("solving", 5, None)
    assert bar.now == ("solving", 5, None)
    bar.hide()
    bar.show()  # the timer may come too late


@pytest.mark.parametrize("quiet", [True, False])
def test_only_terminals_get_bars(capsys, monkeypatch, quiet):
    monkeypatch.setattr(bars, "DELAY", 0)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with progress("work", quiet=quiet) as report:
        report(1, 2)
        tell("solving", 1)
    assert capsys.readouterr().err == ""


def test_nobody_listens_after_an_error():
    heard = []
    with pytest.raises(KeyError), listening(lambda *told: heard.append(told)):
        raise KeyError
    tell("anything", 1)
    assert list(steps("anything", [1, 2])) == [1, 2]
    assert heard == []


def told_of(work):
    heard = []
    with listening(lambda *told: heard.append(told)):
        work()
    return heard


@pytest.mark.parametrize("kind", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_the_library_tells_of_its_steps(kind):
    """Rounds of solving, trees of learned weights, rows that are explained, and rows that are audited."""
    X, y = np.arange(12.0)[:, None] % 7, np.arange(12) % 3
    model = kind(gamma=2.0, metric="learned")
    heard = told_of(lambda: model.fit(X, y))
    assert ("solving", 1, None) in heard
    weights = [told for told in heard if told[0] == "learning weights of columns"]
    assert [done for _, done, _ in weights] == list(range(weights[0][2] + 1))
    heard = told_of(lambda: model.explain(X[:3]))
    assert [told for told in heard if told[0] == "explaining"] == [("explaining", i, 3) for i in range(4)]
    if kind is not FGARegressor:
        assert any(told[0] == "auditing" for told in told_of(lambda: audit(model)))


def test_intervals_are_told_as_a_whole():
    """Learning how far predictions are off fits a model for every fold, each of which would begin a bar of its own."""
    told = []
    random = np.random.default_rng(0)
    X, y = random.normal(size=(2, 60, 2))
    with listening(lambda *one: told.append(one)):
        FGARegressorCV(gammas=[1.0], cv=3, interval=0.8, n_jobs=1).fit(X, y[:, 0])
    kinds = [what for what, _, _ in told]
    held_out = [(done, total) for what, done, total in told if what == "predicting rows held out"]
    assert held_out == [(done, 21) for done in range(1, 22)]  # seven gammas, three folds
    first = kinds.index("predicting rows held out")
    assert set(kinds[first : first + 21]) == {"predicting rows held out"}
