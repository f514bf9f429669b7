"""The run: what is written, that it survives being killed, and that any joblib backend carries it."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config

from fgac.experiments.methods.ours import OURS
from fgac.experiments.methods.published import METHODS
from fgac.experiments.results.nn_study import FRACTIONS
from fgac.experiments.running import run as running
from fgac.experiments.running.lock import InUse, locked
from fgac.experiments.running.provenance import commit, versions
from fgac.experiments.running.run import OurTask, PublishedTask, Sheet, StudyTask, reproduce, run

pytest.importorskip("pandas")
pytest.importorskip("imblearn")

pytestmark = pytest.mark.slow  # whole runs, killed and resumed


N_TASKS = 5 * (len(METHODS) + len(OURS)) + 20


@dataclass(frozen=True)
class Small:
    """A task that is quick."""

    name: str
    effort: float = 1.0
    size: int = 2

    @property
    def key(self):
        return (self.name,)

    def lines(self):
        if self.name == "bad":
            raise ZeroDivisionError("nothing to divide by")
        return [{"task": self.name, "value": value} for value in range(self.size)]


def lines_of(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_long_tasks_come_first_and_done_ones_not_again(tmp_path):
    """Progress begins with what was done before."""
    sheet = Sheet(tmp_path / "lines.jsonl", ("task",), {"seed": 1})
    tasks = [Small("short", 1.0), Small("long", 9.0), Small("middle", 5.0)]
    told = []
    run([(sheet, tasks[:1])])
    run([(sheet, tasks)], on_progress=lambda done, total: told.append((done, total)))
    assert [line["task"] for line in lines_of(sheet.path)[::2]] == ["short", "long", "middle"]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert all(line["seed"] == 1 for line in lines_of(sheet.path))


def test_a_task_that_fails_is_named_and_the_others_are_kept(tmp_path):
    """What was done before it is written."""
    sheet = Sheet(tmp_path / "lines.jsonl", ("task",), {})
    with pytest.raises(ZeroDivisionError) as error:
        run([(sheet, [Small("good", 2.0), Small("bad"), Small("late", 0.5)])])
    assert "in the task bad" in error.value.__notes__
    assert {line["task"] for line in lines_of(sheet.path)} == {"good"}


def write_toy(folder, n=30):
    """Write a data set of two numbers, a nominal column and two classes."""
    random = np.random.default_rng(0)
    y = np.arange(n) % 3 == 0
    rows = [
        f"{a:.3f},{b},{hue},{'yes' if c else 'no'}"
        for a, b, hue, c in zip(
            random.normal(size=n) + y, random.integers(0, 9, n), random.choice(["red", "blue"], n), y, strict=True
        )
    ]
    folder.mkdir(exist_ok=True)
    (folder / f"toy{n}(1_1_1)2.csv").write_text("\n".join(["A(R),B(I),Hue(N),Class(N)", *rows, ""]))
    return folder


def rows_of(out, methods=None):
    """All lines of a run, sorted, without their times and the commit, which is not the matter of a run's numbers."""
    lines = [line for name in (running.RESULTS, running.STUDY) for line in lines_of(out / name)]
    lines = [line for line in lines if methods is None or line.get("method", methods[0]) in methods]
    kept = [{k: v for k, v in line.items() if not k.startswith("seconds") and k != "commit"} for line in lines]
    return sorted(json.dumps(line, sort_keys=True) for line in kept)


# The settings of kNN and kFRNN go up to 50 neighbours, of which the inner training parts must have as many.
N_ROWS = 90


@pytest.fixture(scope="module")
def toy_folder(tmp_path_factory):
    return write_toy(tmp_path_factory.mktemp("data"), N_ROWS)


@pytest.fixture(scope="module")
def undisturbed(toy_folder, tmp_path_factory):
    """Return the folder of a run that nothing interrupted, and what it told of its progress."""
    out = tmp_path_factory.mktemp("out") / "new"
    told = []
    reproduce(toy_folder, out, datasets=["toy"], on_progress=lambda done, total: told.append((done, total)))
    return out, told


def test_every_experiment_is_run(undisturbed):
    """Both runs, all methods, folds and settings; the study of all fractions."""
    out, told = undisturbed
    assert told == [(done, N_TASKS) for done in range(N_TASKS + 1)]
    results = lines_of(out / running.RESULTS)
    keys = {(line["run"], line["dataset"], line["method"], line["fold"], line["setting"]) for line in results}
    published = {
        ("published", "toy", name, fold, setting)
        for name, method in METHODS.items()
        for fold in range(5)
        for setting in method.settings
    }
    assert len(results) == len(keys)
    assert {key for key in keys if key[0] == "published"} == published
    assert {key[:4] for key in keys - published} == {("ours", "toy", name, fold) for name in OURS for fold in range(5)}
    study = lines_of(out / running.STUDY)
    assert len(study) == 2 * 2 * 5 * len(FRACTIONS)
    assert len({(line["loss"], line["relation"], line["gamma"], line["nn"]) for line in study}) == len(study)


def test_every_line_tells_how_it_was_made(undisturbed):
    """Score, time, seed, versions, commit; nested scores tell the inner one as well."""
    out, _ = undisturbed
    for line in lines_of(out / running.RESULTS):
        expected = {"run", "dataset", "method", "fold", "setting", "score", "seconds", "constraints", "violation"}
        inner = {"inner"} if line["run"] == "ours" else set()
        assert set(line) == expected | inner | {"seed", "versions", "commit"}
        assert line["versions"] == versions()
        assert line["seed"] == 10


def test_a_finished_run_is_not_repeated(undisturbed, toy_folder):
    """Nothing is written, nothing is done."""
    out, _ = undisturbed
    before = {path.name: path.read_bytes() for path in out.glob("*.jsonl")}
    told = []
    reproduce(toy_folder, out, datasets=["toy"], on_progress=lambda done, total: told.append((done, total)))
    assert told == [(N_TASKS, N_TASKS)]
    assert {path.name: path.read_bytes() for path in out.glob("*.jsonl")} == before


# A few methods are enough to be killed at: with all of them the last start alone would take half a minute.
FEW = ("fgac_mse_euclidean_nn2", "cart")
CODE = f"""
import sys
from fgac.experiments.running import run
if __name__ == "__main__":
    run.METHODS = {{name: method for name, method in run.METHODS.items() if name in {FEW}}}
    run.OURS = {{name: method for name, method in run.OURS.items() if name in {FEW}}}
    run.reproduce(sys.argv[1], sys.argv[2], datasets=["toy"], n_jobs=int(sys.argv[3]))
"""


def start(toy_folder, out, n_jobs):
    """Start the run in a process of its own, which leads a group of its own."""
    command = [sys.executable, "-c", CODE, str(toy_folder), str(out), str(n_jobs)]
    return subprocess.Popen(command, start_new_session=True)


def size_of(out):
    return sum(path.stat().st_size for path in out.glob("*.jsonl"))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_a_run_that_is_killed_again_and_again_loses_and_repeats_nothing(toy_folder, undisturbed, tmp_path, monkeypatch):
    """Killed twice by SIGKILL, with its workers and alone, as soon as it has written something; then left alone."""
    out = tmp_path / "out"
    out.mkdir()
    sizes = []
    for n_jobs in (2, 1):
        before = size_of(out)
        process = start(toy_folder, out, n_jobs)
        while size_of(out) <= before and process.poll() is None:
            time.sleep(0.005)
        assert process.poll() is None, "the run ended before it could be killed"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        sizes.append(size_of(out))
    assert sizes == sorted(set(sizes)), "every start went on from where the last one ended"
    for table in ("METHODS", "OURS"):
        monkeypatch.setattr(running, table, {name: how for name, how in getattr(running, table).items() if name in FEW})
    reproduce(toy_folder, out, datasets=["toy"])
    rows = rows_of(out)
    assert len(rows) > 100
    assert rows == rows_of(undisturbed[0], FEW)


def test_a_run_that_broke_off_while_writing_is_taken_up(toy_folder, undisturbed, tmp_path):
    """Both files end in the middle of a line."""
    out = tmp_path / "out"
    out.mkdir()
    for name, missing in ((running.RESULTS, 9_001), (running.STUDY, 5_003)):
        written = (undisturbed[0] / name).read_bytes()[:-missing]
        assert not written.endswith(b"\n")
        (out / name).write_bytes(written)
    told = []
    reproduce(toy_folder, out, datasets=["toy"], on_progress=lambda done, total: told.append(done))
    assert told[0] > 0
    assert rows_of(out) == rows_of(undisturbed[0])


def test_two_runs_in_one_folder_are_refused(toy_folder, tmp_path):
    with locked(tmp_path), pytest.raises(InUse, match="another run is at work"):
        reproduce(toy_folder, tmp_path, datasets=["toy"])


def test_missing_data_sets_are_told_before_anything_is_made(toy_folder, tmp_path):
    with pytest.raises(FileNotFoundError, match="17 of 18 data sets are missing"):
        reproduce(toy_folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_quick_run_takes_the_smallest_data_sets(tmp_path):
    """Seen by what it misses."""
    with pytest.raises(FileNotFoundError, match=r"5 of 5 data sets are missing.*glass"):
        reproduce(tmp_path, tmp_path / "out", quick=True)


def some_tasks(toy_folder):
    """A few tasks of every kind."""
    from fgac.experiments.datasets.files import load

    (data,) = load(toy_folder, ("toy",))
    results = [
        PublishedTask(data, "fgac_mse_euclidean_nn2", 0),
        PublishedTask(data, "kfrnn", 1),
        OurTask(data, "cart", 2),
    ]
    return results, [StudyTask(data, "mse", "supremum", 2.0)]


def work_in(out, tasks):
    out.mkdir()
    sheets = (
        Sheet(out / running.RESULTS, running.RESULT_FIELDS, {}),
        Sheet(out / running.STUDY, running.STUDY_FIELDS, {}),
    )
    return list(zip(sheets, tasks, strict=True))


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_backends_of_joblib_give_the_same(toy_folder, tmp_path, backend):
    """Threads and processes."""
    tasks = some_tasks(toy_folder)
    run(work_in(tmp_path / "plain", tasks))
    with parallel_config(backend, n_jobs=2):
        run(work_in(tmp_path / "other", tasks))
    assert rows_of(tmp_path / "other") == rows_of(tmp_path / "plain")


@pytest.mark.filterwarnings("ignore")  # of dask and its packages, about ports and sockets
def test_a_dask_cluster_gives_the_same(toy_folder, tmp_path):
    """A cluster of two processes on this machine, found through joblib."""
    distributed = pytest.importorskip("distributed")
    tasks = some_tasks(toy_folder)
    run(work_in(tmp_path / "plain", tasks))
    told = []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        parallel_config("dask"),
    ):
        run(work_in(tmp_path / "dask", tasks), on_progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 4) for done in range(5)]
    assert rows_of(tmp_path / "dask") == rows_of(tmp_path / "plain")


def test_the_commit_is_that_of_this_source_only(tmp_path):
    """A folder that git does not track has none, even within a repository."""
    assert commit(tmp_path) is None
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert commit(tmp_path / "..") is None
    inside = tmp_path / "package" / "experiments"
    inside.mkdir(parents=True)
    (tmp_path / "package" / "__init__.py").write_text("")
    assert commit(inside) is None
