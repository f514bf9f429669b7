"""A guess on the workers is near the solution, and changes no answer."""

import numpy as np
import pytest

from fgac import FGAClassifier, FGARegressor
from fgac.dask import DaskFGAClassifier, DaskFGARegressor
from fgac.dask.constraints import CellConstraints
from support.clusters import cut_array

rng = np.random.default_rng(0)
X = rng.normal(size=(320, 3))
HEIGHT = X[:, 0] + np.abs(X[:, 1]) + 0.3 * rng.normal(size=320)


@pytest.mark.parametrize("limits", [[0.7], [0.3, 1.2], None], ids=["two classes", "three classes", "numbers"])
def test_a_guess_is_near_the_solution_and_changes_no_answer(client, monkeypatch, limits):
    monkeypatch.setattr("fgac.dask.guess.WARM_START_ROWS", 50)
    monkeypatch.setattr("fgac.dask.guess.SUBSAMPLE_STEP", 4)
    given = []
    guess = CellConstraints.guess

    def kept(self, problem):
        given.append((problem.targets, guess(self, problem)))
        return given[-1][1]

    monkeypatch.setattr(CellConstraints, "guess", kept)
    if limits is None:
        model = DaskFGARegressor(gamma=0.5, client=client).fit(cut_array(X, 90), cut_array(HEIGHT, 90))
        found, expected = model.fitted_values_, FGARegressor(gamma=0.5).fit(X, HEIGHT).fitted_values_
    else:
        y = np.digitize(HEIGHT, limits)
        model = DaskFGAClassifier(gamma=0.5, client=client).fit(cut_array(X, 90), cut_array(y, 90))
        found, expected = model.beta_, FGAClassifier(gamma=0.5).fit(X, y).beta_
    assert np.allclose(found, expected, rtol=0, atol=1e-9)
    ((targets, values),) = given
    solved = model.solution_.values
    assert len(values) == len(solved)
    assert np.abs(values - solved).mean() < 0.5 * np.abs(targets - solved).mean()
