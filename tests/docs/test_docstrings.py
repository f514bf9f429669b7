"""The examples in the docstrings of the installed package run, and give what they say."""

import doctest
import importlib
import pkgutil

import pytest

import fgac

MODULES = ["fgac"] + [module.name for module in pkgutil.walk_packages(fgac.__path__, "fgac.")]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_module(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0, f"{failed} examples in {name} fail; the report is in the captured output"


@pytest.mark.parametrize("name", fgac.__all__)
def test_public_callable_has_an_example(name):
    public = getattr(fgac, name)
    if not callable(public) or hasattr(public, "_fields"):
        return  # a version string, or a named tuple whose example is at the method that returns it
    examples = [e for found in doctest.DocTestFinder(recurse=False).find(public, name) for e in found.examples]
    assert examples, f"fgac.{name} has no example in its docstring"
