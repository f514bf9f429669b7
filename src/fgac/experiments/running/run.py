"""Run all experiments, in parallel, so that the run can be interrupted and taken up again.

A task is one method on one fold of one data set, or one setting of the nn study. Tasks depend on nothing but their data
set, so any joblib backend can carry them, in threads, processes or on other machines; only this process writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Protocol

from joblib import Parallel, delayed

from fgac.experiments.datasets.files import DataSet, load
from fgac.experiments.methods.approximate import LOSSES
from fgac.experiments.methods.ours import OURS
from fgac.experiments.methods.protocol import N_FOLDS, RELATIONS, SEED
from fgac.experiments.methods.published import METHODS, Result
from fgac.experiments.results.nn_study import FRACTIONS, STUDY_GAMMAS, effort, study
from fgac.experiments.running.journal import Journal, Key
from fgac.experiments.running.lock import locked
from fgac.experiments.running.provenance import commit, versions

RESULTS = "results.jsonl"
STUDY = "nnstudy.jsonl"
RESULT_FIELDS = ("run", "dataset", "method", "fold")
STUDY_FIELDS = ("dataset", "loss", "relation", "gamma")
# A quick run takes the smallest data sets only.
QUICK = ("breast", "cleveland", "glass", "heart", "spectfheart")

Progress = Callable[[int, int], None]
Lines = list[dict[str, Any]]


class Task(Protocol):
    """A piece of work whose lines are written together."""

    @property
    def key(self) -> Key:
        """Which one it is: the values of the fields that all its lines share."""

    @property
    def size(self) -> int:
        """How many lines it gives."""

    @property
    def effort(self) -> float:
        """About how long it takes, to begin with the longest."""

    def lines(self) -> Lines:
        """Do it."""


@dataclass(frozen=True, eq=False)
class PublishedTask:
    """A method as published, on one fold."""

    data: DataSet
    method: str
    fold: int

    @property
    def key(self) -> Key:
        """Run, data set, method, fold."""
        return ("published", self.data.name, self.method, self.fold)

    @property
    def size(self) -> int:
        """One line per setting."""
        return len(METHODS[self.method].settings)

    @property
    def effort(self) -> float:
        """As the method says."""
        return METHODS[self.method].effort(self.data)

    def lines(self) -> Lines:
        """Score every setting."""
        return [result_line(self.key, result) for result in METHODS[self.method].scores(self.data, self.fold)]


@dataclass(frozen=True, eq=False)
class OurTask:
    """A method as we would compare it, on one outer fold."""

    data: DataSet
    method: str
    fold: int
    size = 1

    @property
    def key(self) -> Key:
        """Run, data set, method, fold."""
        return ("ours", self.data.name, self.method, self.fold)

    @property
    def effort(self) -> float:
        """As the method says."""
        return OURS[self.method].effort(self.data)

    def lines(self) -> Lines:
        """Choose a setting and score it."""
        result, inner = OURS[self.method].result(self.data, self.fold)
        return [result_line(self.key, result) | {"inner": inner}]


@dataclass(frozen=True, eq=False)
class StudyTask:
    """The nn study of one data set, loss, relation and gamma."""

    data: DataSet
    loss: str
    relation: str
    gamma: float
    size = len(FRACTIONS)

    @property
    def key(self) -> Key:
        """Data set, loss, relation, gamma."""
        return (self.data.name, self.loss, self.relation, self.gamma)

    @property
    def effort(self) -> float:
        """By the size of the data set."""
        return effort(self.data)

    def lines(self) -> Lines:
        """Solve for every fraction."""
        return study(self.data, self.loss, self.relation, self.gamma)


def result_line(key: Key, result: Result) -> dict[str, Any]:
    """A result as it stands in the journal, but for what the whole run shares."""
    return dict(zip(RESULT_FIELDS, key, strict=True)) | result._asdict()


def reproduce(
    folder: str | Path,
    out: str | Path,
    *,
    datasets: Sequence[str] | None = None,
    n_jobs: int | None = None,
    quick: bool = False,
    on_progress: Progress | None = None,
) -> None:
    """Run every experiment of the paper that is not yet done.

    Parameters
    ----------
    folder : path
        Where the data sets are; see :mod:`fgac.experiments.datasets.files`.
    out : path
        Folder for the results, which is made if it is not there. ``results.jsonl`` holds one line per run, data set,
        method, fold and setting, ``nnstudy.jsonl`` one per data set, loss, relation, gamma and nn. What is there
        already is not done again.
    datasets : names, optional
        By default the 18 of the paper and, if they are there, iris and flare.
    n_jobs : int, optional
        Processes; None is 1, or what :func:`joblib.parallel_config` says, which can also name another backend.
    quick : bool
        Only the smallest data sets, to see that everything works.
    on_progress : function of two integers, optional
        Called with how many tasks are done and how many there are, at the start and after each.
    """
    if datasets is None and quick:
        datasets = QUICK
    tables = load(folder, None if datasets is None else tuple(datasets))
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with locked(out):
        work = [
            (Sheet(out / RESULTS, RESULT_FIELDS, provenance()), result_tasks(tables)),
            (Sheet(out / STUDY, STUDY_FIELDS, provenance()), study_tasks(tables)),
        ]
        run(work, n_jobs=n_jobs, on_progress=on_progress)


@dataclass(frozen=True)
class Sheet:
    """A journal that is not open yet, and what is added to all its lines."""

    path: Path
    fields: tuple[str, ...]
    common: dict[str, Any]


def run(
    work: Iterable[tuple[Sheet, Sequence[Task]]], *, n_jobs: int | None = None, on_progress: Progress | None = None
) -> None:
    """Do the tasks of every sheet that are not in it yet, the longest first."""
    journals = []
    todo: list[tuple[int, Task]] = []
    total = 0
    for number, (sheet, tasks) in enumerate(work):
        journal = Journal(sheet.path, sheet.fields, {task.key: task.size for task in tasks})
        journals.append((journal, sheet.common))
        todo += [(number, task) for task in tasks if task.key not in journal.finished]
        total += len(tasks)
    todo.sort(key=lambda item: -item[1].effort)
    report = on_progress or (lambda done, all_of_them: None)
    done = total - len(todo)
    report(done, total)
    # One task at a time to each worker: what is lost when the run is killed is the task at hand.
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    for number, lines in parallel(delayed(_do)(number, task) for number, task in todo):
        journal, common = journals[number]
        journal.append([line | common for line in lines])
        done += 1
        report(done, total)


def _do(number: int, task: Task) -> tuple[int, Lines]:
    try:
        return number, task.lines()
    except Exception as error:
        error.add_note(f"in the task {'/'.join(map(str, task.key))}")
        raise


def result_tasks(tables: Iterable[DataSet]) -> list[Task]:
    """Every method on every fold of every data set, in both runs."""
    tasks: list[Task] = []
    for data, fold in product(tables, range(N_FOLDS)):
        tasks += [PublishedTask(data, method, fold) for method in METHODS]
        tasks += [OurTask(data, method, fold) for method in OURS]
    return tasks


def study_tasks(tables: Iterable[DataSet]) -> list[Task]:
    """The nn study of every data set."""
    combinations = product(tables, LOSSES, RELATIONS, STUDY_GAMMAS)
    return [StudyTask(data, loss, relation, gamma) for data, loss, relation, gamma in combinations]


def provenance() -> dict[str, Any]:
    """What every line tells about how it was made."""
    return {"seed": SEED, "versions": versions(), "commit": commit()}
