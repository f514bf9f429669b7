"""The layout of the tests themselves: folders as in the package, short files, helpers that say what they do."""

import ast
from pathlib import Path

import fgac

TESTS = Path(__file__).parents[1]
PACKAGE = Path(fgac.__file__).parent
FILES = sorted(TESTS.rglob("*.py"))
BESIDE = {"benchmarks", "contracts", "docs", "fuzz", "support"}
MOST_LINES = 350

# Packages without a folder of tests: why.
TESTED_ELSEWHERE = {
    "cli/kinds": "kinds of models are tested through the commands",
    "experiments/results/published": "numbers, which the tests of results read",
}


def folders_of(root, pattern):
    """Return the folders below one that hold some files, as paths relative to it."""
    return {path.parent.relative_to(root).as_posix() for path in root.rglob(pattern)} - {"."}


def test_folders_mirror_the_package():
    tested = {folder for folder in folders_of(TESTS, "test_*.py") if folder.split("/")[0] not in BESIDE}
    packages = folders_of(PACKAGE, "*.py")
    assert tested - packages == set()
    missing = packages - tested - set(TESTED_ELSEWHERE)
    assert {folder for folder in missing if not any(one.startswith(f"{folder}/") for one in tested)} == set()


def test_files_are_short():
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_files_and_helpers_say_what_they_are_about():
    silent = []
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        helpers = tree.body if path.parent.name == "support" else []
        defined = [node for node in helpers if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        silent += [
            f"{path.name}:{getattr(node, 'name', '')}" for node in [tree, *defined] if not ast.get_docstring(node)
        ]
    assert silent == []


def test_every_folder_has_quick_tests():
    """The quick tests leave no part of the package out."""
    quick = {path.parent for path in FILES if path.name.startswith("test_") and not is_slow(path)}
    assert {path.parent for path in FILES if path.name.startswith("test_")} - quick == set()


def is_slow(path):
    """Whether a whole file is marked as slow."""
    return "\npytestmark = pytest.mark.slow" in path.read_text(encoding="utf-8")
