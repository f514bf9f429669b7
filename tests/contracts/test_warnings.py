"""Whose warnings fail the tests: those of fgac and about our own lines, not what other packages say of themselves."""

import ast
import os
import subprocess
import sys
import tomllib
import warnings
import xml.etree.ElementTree
from pathlib import Path

import pandas as pd
import pytest
from sklearn.model_selection import cross_validate

import fgac
from fgac import FGAClassifier

ROOT = Path(__file__).parents[2]

# A package of somebody else, and what our tests may meet in it.
ELSEWHERE = """
import warnings

def of_itself():
    warnings.warn("elsewhere uses something old", DeprecationWarning)

def of_its_caller():
    warnings.warn("the caller uses something old", DeprecationWarning, stacklevel=2)

def calls(function):
    function()
"""
TESTS = """
import fgac, gc, elsewhere, pathlib, pytest, warnings
from fgac._warnings import warn_caller

KERNEL = str(pathlib.Path(fgac.__file__).parent / "_kernels" / "distances.py")

def test_passes_warned_of_itself():
    elsewhere.of_itself()

def test_fails_warned_of_our_line():
    elsewhere.of_its_caller()

def test_fails_warned_of_a_line_of_the_package():
    exec("import elsewhere; elsewhere.of_its_caller()", {"__name__": "fgac.solve.engine"})

def test_fails_warned_of_a_line_of_the_documentation():
    exec("import elsewhere; elsewhere.of_its_caller()", {"__name__": "docs.guide"})

def test_fails_warned_by_the_package():
    warn_caller("there is something")

def test_fails_warned_by_the_package_that_another_one_calls():
    elsewhere.calls(lambda: exec("warn_caller('there is')", {"__name__": "elsewhere", "warn_caller": warn_caller}))

def test_fails_warned_of_a_compiled_loop():
    warnings.warn_explicit("slow", UserWarning, KERNEL, 1)

def test_passes_warned_of_another_loop_below_a_folder_of_that_name():
    warnings.warn_explicit("slow", UserWarning, "/home/somebody/fgac/lib/elsewhere/loops.py", 1)

def test_passes_with_a_warning_that_is_expected():
    with pytest.warns(UserWarning, match="there is"):
        warn_caller("there is something")

@pytest.mark.filterwarnings("ignore:there is")
def test_passes_with_a_warning_that_is_let_through():
    warn_caller("there is something")

def test_fails_with_a_file_left_open():
    open(__file__)
    gc.collect()

def test_fails_with_a_value():
    return 1
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Run these tests under the filters of this project: name of a test -> whether it passed."""
    folder = tmp_path_factory.mktemp("filters")
    (folder / "tests").mkdir()
    (folder / "elsewhere.py").write_text(ELSEWHERE)
    (folder / "tests" / "test_filters.py").write_text(TESTS)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    filters = "\n".join(f"    {line}" for line in settings["filterwarnings"])
    (folder / "pytest.ini").write_text(f"[pytest]\naddopts = --import-mode=importlib\nfilterwarnings =\n{filters}\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONWARN"))}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--junitxml=found.xml", "tests"],
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": path_with(folder)},
        cwd=folder,
        capture_output=True,
    )
    cases = xml.etree.ElementTree.parse(folder / "found.xml").iter("testcase")
    return {case.get("name"): len(case) == 0 for case in cases}


def path_with(folder):
    """Return the path of modules with one more folder."""
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.mark.parametrize("name", [node.name for node in ast.parse(TESTS).body if isinstance(node, ast.FunctionDef)])
def test_the_filters_tell_ours_from_others(name, outcomes):
    assert outcomes[name] == name.startswith("test_passes")


def test_a_warning_in_a_fold_of_another_library_is_known_as_ours():
    """It names the line of the other library, as it must; a filter for fgac finds it all the same."""
    numbers_as_text = pd.DataFrame({"size": list("123123123123")})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.filterwarnings("always", module="fgac")
        cross_validate(FGAClassifier(), numbers_as_text, list("abcabcabcabc"), cv=2)
    assert {str(one.message).split(",")[0] for one in caught} == {"column 'size' holds numbers written as text"}
    assert all("sklearn" in Path(one.filename).parts for one in caught)


def test_an_import_under_an_old_name_is_told_to_the_line_that_imports():
    sys.modules.pop("fgac.owa", None)
    with pytest.warns(FutureWarning, match="is now called") as caught:
        import fgac.owa  # noqa: F401
    assert caught[0].filename == __file__


def test_all_warnings_of_the_package_go_through_one_function():
    """No other module calls the functions of ``warnings`` that warn."""
    sources = {path: path.read_text(encoding="utf-8") for path in Path(fgac.__file__).parent.rglob("*.py")}
    assert [path.name for path, text in sources.items() if "warnings.warn" in text] == ["_warnings.py"]
    assert [path.name for path, text in sources.items() if "from warnings import" in text] == []
