"""Model files that commands are given: what is none, what waits, and notes that somebody else wrote."""

import os

import pytest

from fgac import FGAClassifier, save_model
from support.command_line import run

TABLE = "a\n0.2\n0.7\n"


@pytest.fixture
def files(tmp_path):
    """A folder with a table of new rows."""
    (tmp_path / "new.csv").write_text(TABLE)
    return tmp_path


def stored(folder, notes):
    """Write a model with some notes, and return its path."""
    import pandas as pd

    model = FGAClassifier().fit(pd.DataFrame({"a": [0.0, 1.0]}), ["no", "yes"])
    save_model(model, folder / "model.fgac", notes={"target": "y", **notes})
    return folder / "model.fgac"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes among its files")
@pytest.mark.parametrize("command", ["predict", "explain"])
def test_a_pipe_is_refused_without_waiting_for_it(files, command):
    os.mkfifo(files / "model.fgac")
    answer = run(command, files / "model.fgac", files / "new.csv", code=1)
    assert answer.stderr == f"error: {files / 'model.fgac'} is a pipe; expected a file that fgac.save_model wrote\n"


def test_files_that_are_too_large_are_refused(files, monkeypatch):
    path = stored(files, {})
    monkeypatch.setenv("FGAC_MAX_MODEL_SIZE", "1000")
    answer = run("predict", path, files / "new.csv", code=1)
    assert "files of more than 1000 are not read" in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("note", ["", "nothing", "5", '"ab"', "[1]", "{}", "[" * 100_000], ids=lambda note: note[:9])
def test_notes_of_missing_values_are_a_list_of_texts(files, note):
    """Whoever can write a file can write its notes; a command says what it does not understand."""
    path = stored(files, {"missing": note})
    answer = run("predict", path, files / "new.csv", code=1)
    assert "as what stands for missing values, expected a list of texts" in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert run("predict", path, files / "new.csv", "--missing", "?").stdout


def test_notes_of_missing_values_are_read(files):
    (files / "new.csv").write_text(TABLE + "?\n")
    path = stored(files, {"missing": '["?"]'})
    assert len(run("predict", path, files / "new.csv").stdout.splitlines()) == 1 + TABLE.count("\n")
    answer = run("predict", stored(files, {"missing": '["-"]'}), files / "new.csv", code=1)
    assert "column 'a' must hold numbers, got '?'" in answer.stderr


@pytest.mark.parametrize("note", ["", "5", "[]", '{"when": 1}', '{"when": "xyz"}', "[" * 100_000], ids=lambda n: n[:9])
def test_notes_of_dates_are_patterns(files, note):
    answer = run("predict", stored(files, {"dates": note}), files / "new.csv", code=1)
    assert "as how dates are written, expected columns with patterns" in answer.stderr
    assert answer.stderr.count("\n") == 1
