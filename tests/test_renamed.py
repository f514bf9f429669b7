"""Old names keep working, warn, say when they are removed, and are removed then."""

import importlib
import re
import sys
from pathlib import Path

import pytest
from packaging.version import Version

import fgac
from fgac._renamed import ATTRIBUTES, MEMBERS, MODULES, Renamed, renamed_attribute, warn_renamed

ALL = {"modules": MODULES, "attributes": ATTRIBUTES, "members": MEMBERS}
EVERY_NAME = [(old, known) for table in ALL.values() for old, known in table.items()]
MODULE_NAMES = [(old, known.new) for old, known in MODULES.items()]


@pytest.mark.parametrize(("old", "new"), MODULE_NAMES)
def test_an_old_module_gives_what_is_in_the_new_place(old, new):
    sys.modules.pop(f"fgac.{old}", None)
    with pytest.warns(FutureWarning, match=f"module fgac.{old} is now called fgac.{new};"):
        found = importlib.import_module(f"fgac.{old}")
    there = importlib.import_module(f"fgac.{new}")
    for name in vars(there):
        if not name.startswith("__"):
            assert getattr(found, name) is getattr(there, name)


def test_other_modules_are_not_found():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("fgac.nothing_of_that_name")


def test_what_the_new_place_does_not_have_is_an_import_error():
    sys.modules.pop("fgac.owa", None)
    with pytest.warns(FutureWarning), pytest.raises(ImportError):
        from fgac.owa import no_such_function  # noqa: F401


@pytest.mark.parametrize(("old", "known"), ATTRIBUTES.items())
def test_an_old_attribute_is_the_new_one(old, known):
    module, _, name = f"fgac.{old}".rpartition(".")
    there, _, new = f"fgac.{known.new}".rpartition(".")
    with pytest.warns(FutureWarning, match=re.escape(f"fgac.{old} is now called fgac.{known.new};")) as caught:
        found = getattr(importlib.import_module(module), name)
    assert caught[0].filename == __file__
    assert found is getattr(importlib.import_module(there), new)
    assert name not in vars(importlib.import_module(module)), "the old name is there without a warning"


def test_an_attribute_that_never_was_is_none():
    with pytest.raises(AttributeError, match=r"module 'fgac\.text' has no attribute 'shout'"):
        renamed_attribute("fgac.text", "shout")


def test_a_warning_names_both_and_the_version():
    with pytest.warns(FutureWarning, match=r"^alike is now called merge_similarity; .* removed in version 0\.4\.0$"):
        warn_renamed("alike")


def test_only_declared_names_can_be_warned_of():
    with pytest.raises(KeyError):
        warn_renamed("a name that no table has")


def test_every_member_is_used_and_every_use_is_declared():
    """The calls in the source are those of the table: none undeclared, none declared and forgotten."""
    sources = [path.read_text(encoding="utf-8") for path in Path(fgac.__file__).parent.rglob("*.py")]
    used = [name for text in sources for name in re.findall(r"\bwarn_renamed\(\"([^\"]+)\"\)", text)]
    assert set(used) == set(MEMBERS)
    assert all(text.count("warn_renamed(") == len(re.findall(r"warn_renamed\((\"|old: str)", text)) for text in sources)


# ----------------------------------------------------------------------------------------------------
# Removal
# ----------------------------------------------------------------------------------------------------


def released(version):
    """Return the version that a development version leads to, or the version itself."""
    return Version(Version(version).base_version)


def overdue(version, names):
    """Return the old names that a version should no longer have."""
    return [old for old, known in names if released(version) >= Version(known.removed_in)]


def test_no_removal_is_overdue():
    """Delete these names, their entries in fgac/_renamed.py and what they are aliases in, or think again."""
    assert overdue(fgac.__version__, EVERY_NAME) == []


def test_a_version_that_is_reached_makes_names_overdue():
    names = [("old", Renamed("new", "0.2.0", "0.4.0")), ("older", Renamed("newer", "0.1.0", "0.3.0"))]
    assert overdue("0.2.5", names) == []
    assert overdue("0.3.0", names) == ["older"]
    assert overdue("0.3.0.dev0", names) == ["older"]
    assert overdue("0.10.0", names) == ["old", "older"]


@pytest.mark.parametrize(("old", "known"), EVERY_NAME)
def test_old_names_live_for_two_minor_versions(old, known):
    """What docs/api_stability.md promises; before 1.0 as after it."""
    since, until = Version(known.since), Version(known.removed_in)
    assert since <= released(fgac.__version__), f"{old} was renamed in a version that is not there yet"
    assert (until.major, until.minor) >= (since.major, since.minor + 2) or until.major > since.major
