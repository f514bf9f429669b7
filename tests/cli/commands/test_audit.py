"""fgac audit: doubted labels of a model and of a table, as text, table and page."""

import json

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier, audit, load_model
from support.command_line import run, table
from support.loans import TARGET, loans


@pytest.fixture(scope="module")
def loans_model():
    """The model of the folder, trained in Python with the settings of the command."""
    frame = loans()
    model = FGAClassifier(gamma=2.0, metric="learned", scale="auto", class_weight="balanced")
    return model.fit(frame.drop("customer", TARGET), frame[TARGET], ids=frame["customer"].to_list())


def test_audit_of_a_model_and_of_its_table_agree(loans_folder, tmp_path, loans_model):
    expected = audit(loans_model, n_rows=5)
    common = ["-t", TARGET, "--id", "customer", "--gamma", "2", "-q"]
    run("audit", loans_folder / "model.fgac", "-n", "5", "-o", tmp_path / "model.json")
    run("audit", loans_folder / "data.csv", *common, "-n", "5", "-o", tmp_path / "table.json")
    assert json.loads((tmp_path / "model.json").read_text()) == json.loads(expected.to_json())
    assert (tmp_path / "table.json").read_text() == (tmp_path / "model.json").read_text()


def test_audit_is_readable_on_stdout(loans_folder, loans_model):
    answer = run("audit", loans_folder / "model.fgac", "-n", "8")
    suspects = audit(loans_model, n_rows=8)
    assert answer.stdout.startswith("Doubted labels: the 8 most doubted of 60 rows\n")
    for suspect in suspects:
        assert f"{suspect.doubt:.3f}" in answer.stdout
        assert " ".join(suspect.text().split()) in " ".join(answer.stdout.split())
    assert max(map(len, answer.stdout.splitlines())) <= 80
    one = run("audit", loans_folder / "model.fgac", "-n", "1").stdout
    assert one.startswith("Doubted labels: the most doubted of 60 rows\n")


def test_audit_advises_a_smaller_gamma_unless_one_was_given(loans_folder):
    advice = "gamma 2 may have been chosen for prediction, and be large for finding wrong labels: try a smaller one "
    with_table = f"{advice}(--gamma, with the table instead of the model)"
    for by in ((), ("--by", "rest")):
        assert run("audit", loans_folder / "model.fgac", *by).stderr == f"{with_table}.\n"
    by_membership = run("audit", loans_folder / "model.fgac", "--by", "membership").stderr
    assert by_membership == f"{with_table} and --by rest.\n"
    assert run("audit", loans_folder / "model.fgac", "-q").stderr == ""
    table_of = ["audit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer"]
    assert "try a smaller one" not in run(*table_of, "--gamma", "2").stderr
    assert "try a smaller one (--gamma)." in run(*table_of, "--by", "rest").stderr


@pytest.fixture(scope="module")
def searched(loans_folder, tmp_path_factory):
    """The file of a model that chose its gamma, and that model."""
    path = tmp_path_factory.mktemp("searched") / "model.fgac"
    run("fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", path, "-q")
    return path, load_model(path)


def test_audit_counts_what_models_say_that_had_not_seen_the_row(loans_folder, tmp_path, searched):
    """Of a table without --gamma, and of a model that was trained so; no other gamma is advised then."""
    path, model = searched
    expected = audit(model, n_rows=4, by="held_out")
    trained = run("audit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "-n", "4")
    assert "try a smaller one" not in trained.stderr
    for by in ((), ("--by", "held_out")):
        answer = run("audit", path, "-n", "4", *by)
        assert answer.stdout == trained.stdout
        assert answer.stderr == ""
    heading = next(line for line in answer.stdout.splitlines() if "suggested" in line)
    assert " ".join(heading.split()).endswith("doubt held out suggested contradicted by")
    for suspect in expected:
        assert f"{suspect.doubt:.3f}" in answer.stdout
        assert f"{suspect.held_out:.3f}" in answer.stdout
        assert " ".join(suspect.text().split()) in " ".join(answer.stdout.split())
    run("audit", path, "-n", "4", "-o", tmp_path / "out.csv")
    rows = table((tmp_path / "out.csv").read_text())
    np.testing.assert_allclose([float(row["held_out"]) for row in rows], [s.held_out for s in expected], atol=5e-7)
    run("audit", path, "-n", "4", "--by", "rest", "-o", tmp_path / "out.csv")
    assert "held_out" not in table((tmp_path / "out.csv").read_text())[0]
    run("audit", path, "-n", "4", "-o", tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text() == expected.to_json()
    run("audit", path, "-n", "4", "-o", tmp_path / "out.html")
    assert "<th>Held out" in (tmp_path / "out.html").read_text()


def test_audit_by_rows_held_out_needs_some(loans_folder):
    answer = run("audit", loans_folder / "model.fgac", "--by", "held_out", code=1)
    assert "this model does not know that: its gamma was given" in answer.stderr
    assert "Leave --by out, which is --by rest here" in answer.stderr
    table_of = ["audit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer"]
    answer = run(*table_of, "--gamma", "2", "--by", "held_out", code=2)
    assert answer.stderr == (
        "error: --by held_out needs cross-validation, and with --gamma there is none; leave --gamma out, or use "
        "--by rest\n"
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_audit_as_a_table(loans_folder, tmp_path, loans_model, suffix):
    path = tmp_path / f"out{suffix}"
    run("audit", loans_folder / "model.fgac", "-n", "4", "--by", "rest", "-o", path)
    rows = table(path.read_text()) if suffix == ".csv" else pl.read_parquet(path).to_dicts()
    suspects = audit(loans_model, n_rows=4, by="rest")
    assert [row["id"] for row in rows] == [suspect.id for suspect in suspects]
    assert [row["suggestion"] for row in rows] == [suspect.suggestion for suspect in suspects]
    np.testing.assert_allclose([float(row["doubt"]) for row in rows], [s.doubt for s in suspects], atol=5e-7)


def test_audit_as_html_and_text(loans_folder, tmp_path, loans_model):
    for suffix in (".html", ".txt"):
        answer = run("audit", loans_folder / "model.fgac", "-n", "2", "-o", tmp_path / f"out{suffix}")
        assert answer.stderr.startswith(f"Audited 60 rows, 2 doubted labels: {tmp_path / f'out{suffix}'}\n")
    assert (tmp_path / "out.txt").read_text() == audit(loans_model, n_rows=2).text() + "\n"
    page = (tmp_path / "out.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<h1>Doubted labels</h1>" in page
    assert str(audit(loans_model, n_rows=1)[0].id) in page


def test_audit_needs_a_target_exactly_with_a_table(loans_folder):
    answer = run("audit", loans_folder / "data.csv", code=2)
    assert answer.stderr == "error: --target is missing: which column of the table holds the classes?\n"
    answer = run("audit", loans_folder / "model.fgac", "-t", TARGET, code=2)
    assert "is taken for a model because of its name" in answer.stderr


def test_audit_of_labels_that_nothing_contradicts():
    answer = run(
        "audit", "-", "-t", "y", "--gamma", "2", "--metric", "euclidean", "-q", stdin="x,y\n0,a\n0.5,a\n9,b\n10,b\n"
    )
    assert answer.stdout == "No label is contradicted: all 4 rows fully belong to their classes.\n"
