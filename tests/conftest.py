"""Which tests are quick, how many examples property tests try, and the published data sets where they are present."""

from __future__ import annotations

import gc
import os
import re
from pathlib import Path

import pytest

from support.property_tests import choose_profile


def pytest_configure(config):
    """Let property tests try few examples if only the quick tests are run."""
    choose_profile(quick=config.option.markexpr == "quick")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Start no workers where that takes longer than it saves: for tests picked by file or name, and on one core."""
    picked = config.option.keyword or all(Path(path.split("::")[0]).is_file() for path in config.args)
    alone = len(os.sched_getaffinity(0)) == 1 if hasattr(os, "sched_getaffinity") else os.cpu_count() == 1
    return 0 if picked or alone else None  # None: as many as pytest-xdist finds cores


def pytest_collection_modifyitems(items):
    """Mark every test that is not slow as quick."""
    for item in items:
        if item.get_closest_marker("slow") is None:
            item.add_marker("quick")


def pytest_collection_finish():
    """Keep what was collected, which stays to the end, from the garbage collector: it is most of what there is."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def few_trees():
    """Let learned weights and scores come from few trees: nearly all tests are of what holds for any of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fgac.tables.learned_weights.N_TREES", 10)
        patch.setattr("fgac.tables.learned_bends.N_ROUNDS", 10)
        yield


@pytest.fixture
def all_trees(monkeypatch):
    """Learn as users do: for tests of how good weights are, of what pages print and of other processes."""
    monkeypatch.setattr("fgac.tables.learned_weights.N_TREES", 40)
    monkeypatch.setattr("fgac.tables.learned_bends.N_ROUNDS", 120)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Return the folder of the published data sets; skip the test where it is absent."""
    beside_the_repository = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("FGAC_DATA", beside_the_repository))
    if not folder.is_dir():
        pytest.skip(f"published data not found at {folder}; point FGAC_DATA at a folder that holds them")
    return folder


@pytest.fixture(scope="session")
def published(data_folder):
    """Return a function: name of a data set -> (DataFrame, labels)."""
    return lambda name: read_published(data_folder, name)


def read_published(folder: Path, name: str):
    """Read one published CSV: header suffix (N) nominal, (R) or (I) numeric; the last column is the class.

    Nominal columns come back as pandas categories, without the suffix in their names.
    """
    import pandas as pd

    files = sorted(folder.glob(f"{name}[0-9]*.csv"))
    if not files:
        pytest.skip(f"no file of data set {name!r} in {folder}")
    frame = pd.read_csv(files[0], dtype=str)
    labels = frame.iloc[:, -1].to_numpy(dtype=object)
    columns = {}
    for header in frame.columns[:-1]:
        column, kind = re.fullmatch(r"(.*)\((N|R|I)\)", header.strip()).groups()
        columns[column] = frame[header].astype("category" if kind == "N" else float)
    return pd.DataFrame(columns), labels
