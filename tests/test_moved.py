"""Modules under their old names can still be imported, and warn."""

import importlib
import sys

import pytest

from fgac._moved import MOVED


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_name_gives_what_is_in_the_new_place(old, new):
    sys.modules.pop(f"fgac.{old}", None)
    with pytest.warns(FutureWarning, match=f"module fgac.{old} is now called fgac.{new}"):
        found = importlib.import_module(f"fgac.{old}")
    there = importlib.import_module(f"fgac.{new}")
    for name in vars(there):
        if not name.startswith("__"):
            assert getattr(found, name) is getattr(there, name)


def test_other_names_are_not_found():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("fgac.nothing_of_that_name")


def test_what_the_new_place_does_not_have_is_an_import_error():
    sys.modules.pop("fgac.owa", None)
    with pytest.warns(FutureWarning), pytest.raises(ImportError):
        from fgac.owa import no_such_function  # noqa: F401
