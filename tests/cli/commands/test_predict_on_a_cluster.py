"""``fgac predict --dask``: the same output, predicted by the workers of a cluster."""

import warnings

import numpy as np
import pandas as pd
import pytest
from distributed import LocalCluster

from fgac import FGAClassifier, FGARegressor, save_model
from support.command_line import run

rng = np.random.default_rng(0)
TABLE = pd.DataFrame({"a": rng.normal(size=300).round(2), "b": rng.choice(list("xy"), 300)})


@pytest.fixture(scope="module")
def address():
    """The address of a scheduler with a worker in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
        )
    yield cluster.scheduler_address
    cluster.close()


@pytest.mark.parametrize("kind", [FGAClassifier, FGARegressor])
def test_output_is_the_same(tmp_path, monkeypatch, address, kind):
    monkeypatch.setattr("fgac.cli.io.streaming.BLOCK", 500)
    target = TABLE["a"] if kind is FGARegressor else np.where(TABLE["a"] > 0, "up", "down")
    save_model(kind(gamma=2.0).fit(TABLE, target), tmp_path / "model.fgac")
    TABLE.to_csv(tmp_path / "new.csv", index=False)
    arguments = ["predict", tmp_path / "model.fgac", tmp_path / "new.csv"]
    alone, together = run(*arguments), run(*arguments, "--dask", address)
    assert together.stdout == alone.stdout
    assert alone.stdout.count("\n") == 301


def test_nobody_answers(tmp_path, monkeypatch):
    monkeypatch.setattr("fgac.cli.clusters.PATIENCE", 0.2)
    save_model(FGAClassifier().fit(TABLE, TABLE["b"]), tmp_path / "model.fgac")
    TABLE.to_csv(tmp_path / "new.csv", index=False)
    result = run("predict", tmp_path / "model.fgac", tmp_path / "new.csv", "--dask", "tcp://127.0.0.1:9", code=1)
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in result.stderr
