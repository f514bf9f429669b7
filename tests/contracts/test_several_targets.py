"""Several targets are refused in words wherever y goes in; a column vector is taken as scikit-learn takes it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import DataConversionWarning
from sklearn.multioutput import MultiOutputClassifier, MultiOutputRegressor
from typer.testing import CliRunner

import fgac
from fgac import FGAClassifier, FGARegressor
from fgac.cli.app import app
from support.estimators import REGISTRY

ROWS = np.random.default_rng(0).random((30, 2))
TWO = np.column_stack([np.arange(30) % 2, np.arange(30) % 3])
FORMS = {
    "array": np.asarray,
    "lists": lambda y: y.tolist(),
    "pandas": lambda y: pd.DataFrame(y, columns=[f"target {j}" for j in range(y.shape[1])]),
    "polars": lambda y: pl.DataFrame({f"target {j}": y[:, j] for j in range(y.shape[1])}),
}
ENTRANCES = {
    **{name: getattr(fgac, name)().fit for name in REGISTRY},
    "path": fgac.path,
    "choose_gamma": lambda X, y: fgac.choose_gamma(FGAClassifier(), X, y, gammas=[1.0]),
    "evaluate classes": lambda X, y: fgac.evaluate(FGAClassifier(), X, y, n_folds=2, n_repeats=1),
    "evaluate numbers": lambda X, y: fgac.evaluate(FGARegressor(), X, y, gamma=1.0, n_folds=2, n_repeats=1),
    "explain": lambda X, y: FGAClassifier().fit(ROWS, TWO[:, 0]).explain(X, y=y),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("enter", ENTRANCES.values(), ids=ENTRANCES)
def test_several_targets_are_refused(enter, form):
    """What came, what was expected, and what to do."""
    with pytest.raises(ValueError) as caught:
        enter(ROWS, form(TWO))
    for part in (
        "y has shape (30, 2)",
        "2 targets",
        "expected one",
        "one model for each column",
        "MultiOutputRegressor",
    ):
        assert part in str(caught.value)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("name", REGISTRY)
def test_a_column_vector_is_taken_with_a_warning(name, form):
    """The model is that of the flat array."""
    small = {"gammas": [1.0, 2.0], "cv": 2} if name.endswith("CV") else {}
    y = TWO[:, :1] + (ROWS[:, :1] if REGISTRY[name].target == "numbers" else 0)
    with pytest.warns(DataConversionWarning):
        found = getattr(fgac, name)(**small).fit(ROWS, form(y))
    expected = getattr(fgac, name)(**small).fit(ROWS, y.ravel())
    np.testing.assert_array_equal(found.predict(ROWS), expected.predict(ROWS))


def test_a_frame_of_pandas_integers_is_one_of_integers():
    """Not of floats, which scikit-learn makes of them."""
    with pytest.warns(DataConversionWarning):
        found = FGAClassifier().fit(ROWS, pd.DataFrame({"grade": TWO[:, 0]}, dtype="Int64"))
    assert found.classes_.dtype == np.int64


@pytest.mark.parametrize(
    ("wrapper", "model"), [(MultiOutputClassifier, FGAClassifier()), (MultiOutputRegressor, FGARegressor())]
)
def test_what_the_error_says_works(wrapper, model):
    found = wrapper(model).fit(ROWS, TWO).predict(ROWS)
    columns = [type(model)().fit(ROWS, TWO[:, j]).predict(ROWS) for j in range(2)]
    np.testing.assert_array_equal(found, np.column_stack(columns))


@pytest.mark.parametrize("targets", [["-t", "a", "-t", "b"], ["-t", "a,b"], ["--target", "a, b"]], ids=str)
@pytest.mark.parametrize("command", ["fit", "evaluate", "audit"])
def test_the_commands_refuse_them(command, targets, tmp_path):
    """The last one of several is not taken in silence, with the others among the columns to learn from."""
    table = pl.DataFrame({"x": ROWS[:, 0], "a": TWO[:, 0], "b": TWO[:, 1]})
    table.write_csv(tmp_path / "table.csv")
    more = ["-o", str(tmp_path / "model.fgac")] if command == "fit" else []
    done = CliRunner().invoke(app, [command, str(tmp_path / "table.csv"), *targets, *more])
    assert done.exit_code == 2
    assert "--target names 2 columns, 'a', 'b'; expected one" in done.stderr
    assert "--target 'a' --drop 'b'" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_a_name_with_a_comma_is_one_column(tmp_path):
    table = pl.DataFrame({"x": ROWS[:, 0], "a": TWO[:, 0], "a,x": TWO[:, 1]})
    table.write_csv(tmp_path / "table.csv")
    model = tmp_path / "model.fgac"
    done = CliRunner().invoke(app, ["fit", str(tmp_path / "table.csv"), "-t", "a,x", "--gamma", "1", "-o", str(model)])
    assert done.exit_code == 0, done.stderr
