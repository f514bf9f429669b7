"""Whole clusters of processes: any number of workers gives the same answer, and a worker's death costs time only."""

import gc
import os
import signal
import warnings

import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster
from sklearn.datasets import make_classification

from fgac import FGAClassifier
from fgac.dask import DaskFGAClassifier
from fgac.dask.constraints import CellConstraints
from support.clusters import cut_array

X, Y = make_classification(3000, 5, n_classes=2, random_state=0)
GAMMA = 3.0


@pytest.fixture(scope="module")
def local():
    """The model that is fitted in this process."""
    return FGAClassifier(gamma=GAMMA).fit(X, Y)


def cluster_of(n_workers, **settings):
    """A client of a new cluster on loopback."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=None, **settings)
    return cluster, Client(cluster, set_as_default=False)


@pytest.mark.slow
@pytest.mark.parametrize("n_workers", [1, 2, 4])
def test_any_number_of_workers(local, n_workers):
    cluster, client = cluster_of(
        n_workers, **({"processes": True, "host": "127.0.0.1"} if n_workers == 2 else {"processes": False})
    )
    with cluster, client:
        model = DaskFGAClassifier(gamma=GAMMA, client=client).fit(cut_array(X, 700), cut_array(Y, 700))
        assert np.allclose(model.beta_, local.beta_, rtol=0, atol=1e-9)
        assert model.predict(cut_array(X, 500)).compute(scheduler=client).tolist() == local.predict(X).tolist()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_dies_costs_time_only(local, monkeypatch):
    cluster, client = cluster_of(2, processes=True, host="127.0.0.1")
    searches = CellConstraints._price
    rounds = []

    def search(self, *arguments):
        rounds.append(len(rounds))
        if len(rounds) in (1, 3):
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        return searches(self, *arguments)

    monkeypatch.setattr(CellConstraints, "_price", search)
    with cluster, client:
        model = DaskFGAClassifier(gamma=GAMMA, client=client).fit(cut_array(X, 700), cut_array(Y, 700))
        assert len(rounds) > 2
        assert np.allclose(model.beta_, local.beta_, rtol=0, atol=1e-9)
        predicted = model.predict(cut_array(X, 500))
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        assert predicted.compute(scheduler=client).tolist() == local.predict(X).tolist()


@pytest.mark.slow
def test_very_many_partitions(client):
    few = 2
    table = da.from_array(X, chunks=(few, 5))
    model = DaskFGAClassifier(gamma=GAMMA, client=client).fit(table, da.from_array(Y, chunks=few))
    assert np.allclose(model.beta_, FGAClassifier(gamma=GAMMA).fit(X, Y).beta_, rtol=0, atol=1e-9)


def test_no_round_has_more_tasks_than_cells_have_pairs(client):
    model = DaskFGAClassifier(gamma=GAMMA, client=client).fit(cut_array(X[:500], 50), cut_array(Y[:500], 50))
    assert len(model._fitted.cells.cells) <= 4


def test_fitting_leaves_nothing_behind_that_nobody_asks_for(client):
    gc.collect()
    before = set(client.futures)
    DaskFGAClassifier(gamma=GAMMA, client=client).fit(cut_array(X[:500], 50), cut_array(Y[:500], 50))
    gc.collect()
    assert set(client.futures) - before == set()
