"""What TAB offers, in a real bash; and that finding it loads nothing that takes long."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig

import pytest

from cli.test_loaded_modules import HEAVY
from fgac.cli import completion

SCRIPTS = sysconfig.get_path("scripts")
BASH = shutil.which("bash")
# Defines the function as the user's shell would, fills in what bash fills in when TAB is pressed, and shows the answer.
PRESS_TAB = """
eval "$(_FGAC_COMPLETE=source_bash fgac)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_fgac_completion fgac
printf '%s\\n' "${COMPREPLY[@]}"
complete -p fgac
"""
COLUMNS = ["customer", "months", r"paid\ back"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data.csv").write_text("customer,months,paid back,\x1b[2J\n1,2,3,4\n")
    (tmp_path / "semicolons.txt").write_text("\ufeffa;b;c,d\n1;2;3\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def tab(folder):
    """Return a function that presses TAB behind some words, the last of which is being typed."""
    if BASH is None:
        pytest.skip("there is no bash")

    def press(*words):
        environment = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
        command = [BASH, "--norc", "-c", PRESS_TAB, "bash", "fgac", *words]
        answer = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
        assert answer.stderr == ""
        *offered, how = answer.stdout.splitlines()
        assert how == "complete -o default -F _fgac_completion fgac"  # files where nothing is offered
        return [word for word in offered if word]

    return press


@pytest.mark.slow
def test_bash_completes_commands_options_and_values(tab):
    assert tab("e") == ["explain", "evaluate"]
    assert tab("fit", "data.csv", "--met") == ["--metric"]
    assert tab("fit", "data.csv", "--metric", "ma") == ["manhattan"]
    assert tab("plot", "re") == ["regression", "residuals"]


@pytest.mark.slow
def test_bash_completes_columns_of_the_table_that_was_named(tab):
    """Spaces in names are escaped, and a name that would command the terminal is left out."""
    assert tab("fit", "data.csv", "--target", "") == COLUMNS
    assert tab("fit", "data.csv", "-t", "paid", "--drop", "m") == ["months"]
    assert tab("explain", "model.fgac", "data.csv", "--fixed", "cu") == ["customer"]
    assert tab("evaluate", "semicolons.txt", "--target", "") == ["a", "b", "c,d"]


@pytest.mark.slow
def test_bash_completes_names_with_spaces_that_were_begun(tab):
    """Plain, escaped, and in quotation marks, within which nothing is escaped."""
    for begun, completed in [
        ("pa", r"paid\ back"),
        (r"paid\ b", r"paid\ back"),
        ("'pa", "paid back"),
        ('"paid b', "paid back"),
    ]:
        assert tab("fit", "data.csv", "--target", begun) == [completed], begun


@pytest.mark.slow
def test_bash_completes_files_everywhere_else(tab):
    """No word is offered, not even what was typed: bash would take it for the answer."""
    for words in (["fit", "da"], ["fit", "data.csv", "-o", "mod"], ["fit", "none.csv", "--target", "m"]):
        assert tab(*words) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [(b"a,b\n1,2\n", ["a", "b"]), (b'a\t"b\tc"\n', ["a", "b\tc"][:1]), (b"\xff\xfe\n", []), (b"a,b", []), (b"", [])],
)
def test_names_are_those_of_the_first_line(tmp_path, text, names):
    path = tmp_path / "table.csv"
    path.write_bytes(text)
    assert completion.column_names(path) == names


CODE = """
import json, sys
from fgac.cli import main
sys.argv[:] = ["fgac"]
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("words", [["f"], ["fit", "data.csv", "--target", ""], ["plot", ""]])
def test_completing_loads_nothing_heavy(folder, words):
    asked = {"COMP_WORDS": "\n".join(["fgac", *words]), "COMP_CWORD": str(len(words))}
    asked["_FGAC_COMPLETE"] = "complete_bash"
    command = [sys.executable, "-c", CODE]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=folder, env={**os.environ, **asked})
    *offered, loaded = answer.stdout.splitlines()
    assert offered
    assert not (HEAVY | {"rich.progress", "fgac.persistence", "fgac.estimators"}) & set(json.loads(loaded))
