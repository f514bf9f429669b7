"""A cluster in this process, for all tests of a file; tables of a few rows are cut into several cells."""

import warnings

import pytest
from distributed import Client


@pytest.fixture(scope="session")
def client():
    """Two workers with a thread each, in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client = Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None)
    yield client
    client.close()


@pytest.fixture(autouse=True)
def small_cells(monkeypatch):
    """Let cells hold a few rows, so that small tables have several."""
    monkeypatch.setattr("fgac.dask.fitting.FEWEST_PER_CELL", 16)
