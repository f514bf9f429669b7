"""Files of models of directions: all kinds come back, and what such a model cannot have is refused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor
from fgac.estimators._state import state_of
from fgac.persistence import ModelFileError, load_model, save_model
from fgac.persistence.archive import VERSION
from support.angles import on_sphere
from support.model_files import round_trip

X, Y = on_sphere(40, 5, seed=0)
X[3, 1] = np.nan
FRAME = pd.DataFrame(X, columns=list("abcde"))
NUMBERS = np.nan_to_num(X)[:, 0] / 5.0
MODELS = {
    "classes": (FGAClassifier(metric="angular", gamma=3.0), Y),
    "search": (FGAClassifierCV(metric="angular", gammas=[1.0, 3.0], cv=2), Y),
    "bent": (FGAClassifier(metric="angular", gamma=2.0, isomorphism=2.0, owa="additive"), Y),
    "order": (FGAOrdinalClassifier(metric="angular", gamma=3.0), Y),
    "numbers": (FGARegressor(metric="angular", gamma=2.0, interval=0.8), NUMBERS),
}


@pytest.mark.parametrize("name", MODELS)
def test_they_come_back(name, tmp_path):
    """With predictions, explanations and proofs."""
    model, target = MODELS[name]
    loaded = round_trip(model.fit(FRAME, target), tmp_path)
    assert loaded.metric == "angular"
    new = FRAME[::-1].reset_index(drop=True) * 3.0
    np.testing.assert_array_equal(loaded.predict(new), model.predict(new))
    assert [one.to_dict() for one in loaded.explain(new[:6])] == [one.to_dict() for one in model.explain(new[:6])]


def test_the_version_of_files_stays():
    """An older package knows no metric of this name, and says so: it cannot misread a file."""
    assert VERSION == 3


def test_numbers_that_are_moved_are_refused(tmp_path):
    """No direction has an origin, or a place for unknown values but 0: neither is written nor read."""
    model = FGAClassifier(metric="angular", gamma=3.0).fit(FRAME, Y)
    table = state_of(model).table
    for change in ({"middle": 0.5}, {"origin": 1.0}, {"unknown_weight": 0.1}):
        columns = (replace(table.columns[0], **change), *table.columns[1:])
        model._state = replace(model._state, table=replace(table, columns=columns))
        with pytest.raises(ModelFileError):
            save_model(model, tmp_path / "model.fgac")
    model._state = replace(model._state, table=table)
    save_model(model, tmp_path / "model.fgac")
    assert load_model(tmp_path / "model.fgac").metric == "angular"
