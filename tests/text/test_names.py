"""The modules of texts: what they read, and functions under their old names."""

import ast
import importlib
from importlib.resources import files

import pytest

READ = ("fgac.explanation", "fgac.text", "fgac.report", "fgac._")
# What if is computed by a model, so a model must be given besides an explanation.
COMPUTED = {
    "what_if.py": {"fgac.explainers.portable", "fgac.tables.value_kinds"},
    "widget.py": {"fgac.explainers.portable"},
    # Notebooks also show what is no explanation: models, paths, solutions and scores.
    "notebook.py": {
        "fgac.explainers.model_facts",
        "fgac.selection.gamma_path",
        "fgac.selection.scores",
        "fgac.solve",
    },
}


@pytest.mark.parametrize("package", ["fgac.text", "fgac.report"])
def test_texts_and_reports_are_made_of_explanations_alone(package):
    """Nothing is read from an estimator, so that an explanation that was stored has the same text and report."""
    for file in files(package).iterdir():
        if file.name.endswith(".py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            own = [node.module for node in imports if node.module.startswith("fgac.")]
            more = [name for name in own if not name.startswith(READ)]
            assert set(more) <= COMPUTED.get(file.name, set()), (file.name, own)
            roof = [name.name for node in imports if node.module == "fgac" for name in node.names]
            assert set(roof) <= {"__version__"}, (file.name, roof)


@pytest.mark.parametrize(
    ("old", "module", "new"),
    [
        ("tell", "classification", "describe"),
        ("tell_suspect", "audit", "describe"),
        ("value", "words", "format_number"),
        ("is_averaged", "sides", "is_averaged"),
    ],
)
def test_old_names_warn(old, module, new):
    text = importlib.import_module("fgac.text")
    with pytest.warns(FutureWarning, match=rf"fgac\.text\.{old} is now called fgac\.text\.{module}\.{new}"):
        found = getattr(text, old)
    assert found is getattr(importlib.import_module(f"fgac.text.{module}"), new)
    with pytest.raises(AttributeError, match="no attribute 'shout'"):
        text.shout  # noqa: B018
