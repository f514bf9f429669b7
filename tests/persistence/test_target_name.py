"""Model files keep the name of what is predicted; older ones have it in their notes, if at all."""

import pandas as pd
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, load_model, save_model
from fgac.cli.model_files import read_model
from fgac.estimators._state import state_of

FRAME = pd.DataFrame({"size": [0.0, 0.1, 0.9, 1.0]})
MODELS = {
    "classifier": FGAClassifier(),
    "ordinal": FGAOrdinalClassifier(),
    "regressor": FGARegressor(),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("target", ["grade", None, "<b>\x1b[31m\n'grade'"])
def test_the_name_comes_back(name, target, tmp_path):
    model = MODELS[name].fit(FRAME, pd.Series([1, 1, 2, 2], name=target))
    save_model(model, tmp_path / "m.fgac")
    again = load_model(tmp_path / "m.fgac")
    assert state_of(again).target_name == target
    assert again.explain(FRAME[:1]) == model.explain(FRAME[:1])
    assert again.explain(FRAME[:1]).text() == model.explain(FRAME[:1]).text()


def test_commands_find_the_name_that_older_versions_wrote_into_notes(tmp_path):
    model = FGAClassifier().fit(FRAME, [1, 1, 2, 2])
    save_model(model, tmp_path / "m.fgac", notes={"target": "grade"})
    stored = read_model(str(tmp_path / "m.fgac"))
    assert stored.target == stored.state.target_name == "grade"
    assert state_of(load_model(tmp_path / "m.fgac")).target_name is None
    save_model(model, tmp_path / "blank.fgac", notes={"target": " "})
    assert read_model(str(tmp_path / "blank.fgac")).target is None
