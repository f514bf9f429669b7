"""What docs/api_stability.md calls public is there, and docs/supported_versions.md says what is declared."""

import importlib
import inspect
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest

import fgac
from fgac._renamed import ATTRIBUTES, MEMBERS, MODULES

ROOT = Path(__file__).parents[2]
STABILITY = (ROOT / "docs" / "api_stability.md").read_text(encoding="utf-8")
VERSIONS = (ROOT / "docs" / "supported_versions.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ALL_OF_IT = "`__all__`"
# Modules with ``__all__`` that are no promise: why.
NOT_PUBLIC = {
    "fgac.report": "pages are made by to_html() of explanations and audits",
    "fgac.experiments.claims": "the experiments of the paper are a command",
}
FOR_DEVELOPERS = {"test", "bench", "docs"}


def section(page, name):
    return page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def rows(text):
    """The cells of a table's rows, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def public():
    """The public names of every module of the page; None for all of its ``__all__``."""
    found = {}
    for modules, names in rows(section(STABILITY, "Python")):
        listed = None if ALL_OF_IT in names else re.findall(r"`(\w+)`", names)
        found |= dict.fromkeys(re.findall(r"`([\w.]+)`", modules), listed)
    return found


# ----------------------------------------------------------------------------------------------------
# What is public
# ----------------------------------------------------------------------------------------------------


def test_the_names_of_the_package_are_all_listed():
    assert sorted(public()["fgac"]) == sorted(fgac.__all__)


@pytest.mark.parametrize(("module", "names"), public().items())
def test_public_names_are_there_and_documented(module, names):
    there = importlib.import_module(module)
    for name in there.__all__ if names is None else names:
        found = getattr(there, name)
        if inspect.isclass(found) or inspect.isfunction(found):
            assert inspect.getdoc(found), f"{module}.{name} has no docstring"
        assert not name.startswith("_")


def test_no_module_declares_names_that_the_page_leaves_out():
    """Whoever gives a module ``__all__`` says whether it is public."""
    declared = set()
    for module in pkgutil.walk_packages(fgac.__path__, "fgac."):
        private = any(part.startswith("_") for part in module.name.split("."))
        if not private and hasattr(importlib.import_module(module.name), "__all__"):
            declared.add(module.name)
    assert declared - set(public()) == set(NOT_PUBLIC)


def test_the_page_says_when_old_names_go():
    known = {(one.since, one.removed_in) for table in (MODULES, ATTRIBUTES, MEMBERS) for one in table.values()}
    said = [until.split()[0] for _, until in rows(section(STABILITY, "How something public changes"))]
    assert sorted(said) == sorted({until for _, until in known})


# ----------------------------------------------------------------------------------------------------
# Versions
# ----------------------------------------------------------------------------------------------------


def bounds(requirements):
    """Names and lower bounds of declared requirements."""
    return dict(re.match(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)", one).groups() for one in requirements)


def test_needed_packages_have_the_declared_versions():
    assert dict(rows(section(VERSIONS, "What fgac needs"))) == bounds(PROJECT["dependencies"])


def test_extras_have_the_declared_versions():
    said = {
        extra.strip("`"): dict(one.split() for one in packages.split(", "))
        for extra, _, packages in rows(section(VERSIONS, "What extras need"))
    }
    extras = PROJECT["optional-dependencies"]
    assert said == {name: bounds(extras[name]) for name in extras if name not in FOR_DEVELOPERS}


def test_pythons_are_those_of_the_classifiers():
    said = [version for version, _ in rows(section(VERSIONS, "Python"))]
    prefix = "Programming Language :: Python :: "
    declared = [one.removeprefix(prefix) for one in PROJECT["classifiers"] if one.startswith(f"{prefix}3.")]
    assert said == declared
    assert PROJECT["requires-python"] == f">={said[0]}"


def test_no_requirement_has_an_upper_bound():
    extras = PROJECT["optional-dependencies"].values()
    declared = [one.partition(";")[0] for group in [PROJECT["dependencies"], *extras] for one in group]
    assert [one for one in declared if re.search(r"<|==|~=", one)] == []


def test_continuous_integration_tests_what_the_page_says():
    script = (ROOT / ".ci" / "versions").read_text(encoding="utf-8")
    (lowest,) = re.findall(r"^lowest_python=(.*)$", script, flags=re.M)
    (lanes,) = re.findall(r"lanes=\(oldest (.*?)\)", script)
    tested = [version for version, how in rows(section(VERSIONS, "Python")) if "with every change" in how]
    assert tested == [lowest, *lanes.split()]
