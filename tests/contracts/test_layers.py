"""The layers of the package: a module imports from its own layer or from lower ones, and the few doors are listed.

The tests read the source of the installed package, so that an import inside a function, in a block for type checkers
or by a name in a string counts like one at the top of a file.
"""

import ast
from pathlib import Path

import pytest

import fgac
from support.package_source import Package

# Low to high. A name that stands alone is a package of its own; the foundations together are one layer.
FOUNDATIONS = (
    "_typing",
    "_renamed",
    "_warnings",
    "_serialize",
    "_atomic",
    "_printable",
    "_progress",
    "_tolerances",
    "_colours",
    "_kernels",
)
LAYERS = (
    FOUNDATIONS,
    ("explanation",),
    ("metrics",),
    ("fuzzy",),
    ("query",),
    ("tables",),
    ("solve",),
    ("granular",),
    ("estimators",),
    ("selection",),
    ("dask",),
    ("explainers",),
    ("text",),
    ("report",),
    ("plot",),
    ("persistence",),
    ("cli",),
    ("experiments",),
)
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}

# The upward imports that a fluent interface needs: (module, package) and why. They stand inside functions, so that
# nothing above is loaded before somebody asks for it.
DOORS = {
    ("fgac.estimators._counterfactuals", "explainers"): "counterfactuals()",
    ("fgac.estimators._base", "report"): "what notebooks show of fitted models",
    ("fgac.estimators.classifier", "explainers"): "FGAClassifier.explain()",
    ("fgac.estimators.ordinal", "explainers"): "FGAOrdinalClassifier.explain()",
    ("fgac.estimators.regressor", "explainers"): "FGARegressor.explain() and contradictions()",
    ("fgac.explanation.audit", "text"): "Suspect.text() and RegressionSuspect.text()",
    ("fgac.explanation.audit", "report"): "Audit.to_html() and what notebooks show",
    ("fgac.explanation.audit_ordinal", "text"): "BoundaryAudit.question",
    ("fgac.explanation.base", "text"): "BaseExplanation.card()",
    ("fgac.explanation.counterfactual", "report"): "what notebooks show of changes",
    ("fgac.explanation.counterfactual", "text"): "Counterfactual.text() and Counterfactuals.text()",
    ("fgac.explanation.classification", "text"): "Explanation.text()",
    ("fgac.explanation.classification", "report"): "Explanations.to_html() and what notebooks show",
    ("fgac.explanation.ordinal", "text"): "OrdinalExplanation.text()",
    ("fgac.explanation.ordinal", "report"): "OrdinalExplanations.to_html() and what notebooks show",
    ("fgac.explanation.regression", "text"): "RegressionExplanation.text()",
    ("fgac.explanation.regression", "report"): "RegressionExplanations.to_html() and what notebooks show",
    ("fgac.selection.gamma_path", "report"): "what notebooks show of a path",
    ("fgac.selection.scores", "report"): "what notebooks show of evaluations",
    ("fgac.solve.solution", "report"): "what notebooks show of a solution",
    ("fgac.selection.scores", "text"): "Comparison.text()",
    ("fgac.cli.commands.reproduce", "experiments"): "the command `fgac reproduce` runs the experiments",
}

# The package itself is the roof: it names the public classes wherever they live, and imports them when asked. What a
# module imports from there counts as imported from its home; but for the version, nothing is defined in the roof.
ROOF = "fgac"
MOST_PUBLIC_MODULES = 8

# Private attributes that files other than those of their classes may use: (module or package, name) and why.
# ``X._name`` is private to the file whose class defines it; everything else about a fitted model is in its state.
STEPS_OF_FIT = "a search runs the steps of fit once for all gammas of a fold"
REACHES = {
    ("fgac._kernels.caching", "_cache"): "numba has no public way to say where one function's code is kept",
    ("fgac.estimators._state", "_state"): "state_of() is how everybody else gets the state of a fitted model",
    ("fgac.estimators._plain", "_set_state"): "plain_estimator() puts a state into a new estimator",
    ("fgac.estimators._plain", "_plain_params"): "plain_estimator() makes the plain model that a search chose",
    ("fgac.estimators.ordinal", "_solve"): "every boundary is the problem of a classifier of two classes",
    ("fgac.dask", "_meta"): "Dask has no public name of the frame without rows that says what columns a frame has",
    ("fgac.selection", "_binary"): STEPS_OF_FIT,
    ("fgac.selection", "_check_parameters"): STEPS_OF_FIT,
    ("fgac.selection", "_check_training_table"): STEPS_OF_FIT,
    ("fgac.selection", "_constraints"): STEPS_OF_FIT,
    ("fgac.selection", "_extension"): STEPS_OF_FIT,
    ("fgac.selection", "_learn"): STEPS_OF_FIT,
    ("fgac.selection", "_predictor"): STEPS_OF_FIT,
    ("fgac.selection", "_prepare"): STEPS_OF_FIT,
    ("fgac.selection", "_solve"): STEPS_OF_FIT,
    ("fgac.selection", "_state_from"): STEPS_OF_FIT,
    ("fgac.explanation.audit_ordinal", "_frame_rows"): "the table of all boundaries is made of the tables of each",
    ("fgac.explanation.audit_ordinal", "_frame_columns"): "the table of all boundaries is made of the tables of each",
}


@pytest.fixture(scope="module")
def package():
    """The installed package, parsed; its version is a constant, at home as low as the aliases of types."""
    return Package(Path(fgac.__file__).parent, {**fgac._HOME, "__version__": "fgac._typing"})


def layer_of(module):
    """Return the name of a module's layer: the first part of its name below the package."""
    return module.split(".")[1]


def upward(package, doors=DOORS):
    """Yield every import of a higher layer that is not a door inside a function."""
    for found in package.imports():
        if found.module == ROOF or found.target.split(".")[0] != ROOF:
            continue
        if found.target == ROOF:
            yield f"{found.module}:{found.line} imports the roof, {ROOF}, in which nothing is defined"
            continue
        source, target = layer_of(found.module), layer_of(found.target)
        if HEIGHT[target] <= HEIGHT[source]:
            continue
        if (found.module, target) not in doors:
            yield f"{found.module}:{found.line} imports {found.target}: {target} is above {source}"
        elif not found.deferred:
            yield f"{found.module}:{found.line} imports {found.target} at its top: a door is inside a function"


def test_every_module_has_a_layer(package):
    """A new package or module at the top level must be given its place."""
    assert {layer_of(module) for module in package.trees if module != ROOF} == set(HEIGHT)


def test_imports_go_down(package):
    assert next(upward(package), None) is None


def test_every_door_is_in_use(package):
    """A door that nobody needs any longer is closed."""
    used = {(found.module, layer_of(found.target)) for found in package.imports() if found.target.startswith("fgac.")}
    assert [door for door in DOORS if door not in used] == []


def test_only_the_kernels_import_numba(package):
    found = [(one.module, one.line) for one in package.imports() if one.target.split(".")[0] == "numba"]
    assert [one for one in found if layer_of(one[0]) != "_kernels"] == []
    assert found


def test_few_public_modules_at_the_top():
    """Whatever stands there without an underscore would be a promise."""
    top = [path.name for path in Path(fgac.__file__).parent.glob("*.py") if not path.name.startswith("_")]
    assert len(top) <= MOST_PUBLIC_MODULES, top


def forbidden_reaches(package, allowed=REACHES):
    """Yield accesses to private attributes of other files' classes, and the entries of the list that allow some."""
    used = set()
    for found in package.reaches():
        entry = next((one for one in allowed if found.name == one[1] and is_within(found.module, one[0])), None)
        if entry is None:
            yield f"{found.module}:{found.line} uses {found.expression}"
        used.add(entry)
    yield from (f"nobody needs {entry} any longer" for entry in allowed if entry not in used)


def is_within(module, package):
    """Whether a module is a package's, or the module itself."""
    return module == package or module.startswith(f"{package}.")


def test_private_attributes_stay_in_the_file_of_their_class(package):
    assert list(forbidden_reaches(package)) == []


def test_nobody_fills_the_dict_of_an_object(package):
    """A fitted state is assigned whole; copying attributes in bulk would hide who depends on them."""
    found = [
        f"{module}:{node.lineno}"
        for module, tree in package.trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "update" and "__dict__" in ast.unparse(node.value)
    ]
    assert found == []


# ----------------------------------------------------------------------------------------------------
# The contract itself, on packages made up for it
# ----------------------------------------------------------------------------------------------------


def made_up(folder, module, source):
    """Write a package of three layers, one of whose modules holds the source, and parse it."""
    for name in ("metrics/__init__", "metrics/distances", "solve/__init__", "solve/engine", "cli/__init__", "__init__"):
        path = folder / "fgac" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (folder / "fgac" / f"{module}.py").write_text(source)
    return Package(folder / "fgac", {"main": "fgac.cli", "Euclidean": "fgac.metrics.distances"})


@pytest.mark.parametrize(
    "source",
    [
        "from fgac.cli import app",
        "from fgac import cli",
        "from fgac import main",
        "import fgac.cli",
        "import numpy, fgac.cli as other",
        "from .. import cli",
        "from ..cli import app",
        "def f():\n    from fgac.cli import app",
        "class A:\n    def f(self):\n        import fgac.cli",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from fgac.cli import app",
        "try:\n    from fgac.cli import app\nexcept ImportError:\n    pass",
        "from importlib import import_module\ndef f():\n    return import_module('fgac.cli')",
    ],
)
def test_every_kind_of_upward_import_is_found(tmp_path, source):
    (message,) = upward(made_up(tmp_path, "solve/engine", source))
    assert message.startswith("fgac.solve.engine:")
    assert message.endswith("imports fgac.cli: cli is above solve")


@pytest.mark.parametrize(
    "source",
    [
        "from fgac.metrics.distances import f",
        "from fgac import metrics",
        "from fgac import Euclidean",
        "import fgac.metrics.distances",
        "from . import engine",
        "from ..metrics import distances",
        "import climate, numpy.cli",
        "'words about fgac.cli'",
    ],
)
def test_downward_imports_are_fine(tmp_path, source):
    assert list(upward(made_up(tmp_path, "solve/engine", source))) == []


@pytest.mark.parametrize("source", ["import fgac", "from fgac import Unheard"])
def test_the_roof_is_imported_by_nobody(tmp_path, source):
    (message,) = upward(made_up(tmp_path, "solve/engine", source))
    assert "imports the roof" in message


def test_doors_are_inside_functions(tmp_path):
    doors = {("fgac.solve.engine", "cli"): "made up"}
    inside = "def f():\n    from fgac.cli import app"
    assert list(upward(made_up(tmp_path, "solve/engine", inside), doors)) == []
    (message,) = upward(made_up(tmp_path, "solve/engine", "from fgac.cli import app"), doors)
    assert message.endswith("a door is inside a function")
    (message,) = upward(made_up(tmp_path, "metrics/distances", inside), doors)
    assert message.startswith("fgac.metrics.distances:")


@pytest.mark.parametrize(
    "source",
    [
        "def f(model):\n    return model._state",
        "def f(model):\n    model._state = None",
        "def f(model):\n    del model.part._state",
        "def f(model):\n    return getattr(model, '_state')",
        "class A:\n    def f(self):\n        return self.model._state",
    ],
)
def test_every_kind_of_reach_is_found(tmp_path, source):
    (message,) = forbidden_reaches(made_up(tmp_path, "solve/engine", source), {})
    assert message.startswith("fgac.solve.engine:")
    allowed = {("fgac.solve", "_state"): "made up"}
    assert list(forbidden_reaches(made_up(tmp_path, "solve/engine", source), allowed)) == []


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n    def f(self):\n        return self._state",
        "class A:\n    def _f(self, other):\n        return other._f(self)",
        "class A:\n    def __init__(self, other):\n        self._x = other._x",
        "class A(B):\n    def f(self):\n        return super()._f()",
        "def f(point):\n    return point._replace(x=1), point.__class__",
    ],
)
def test_ones_own_attributes_are_no_reach(tmp_path, source):
    assert list(forbidden_reaches(made_up(tmp_path, "solve/engine", source), {})) == []


def test_a_permission_that_nobody_needs_is_told(tmp_path):
    (message,) = forbidden_reaches(made_up(tmp_path, "solve/engine", ""), {("fgac.solve", "_state"): "made up"})
    assert message == "nobody needs ('fgac.solve', '_state') any longer"
