"""The README's Python block runs as printed, and the two commands are there literally."""

import pathlib
import re

import pytest

README = pathlib.Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def text():
    return README.read_text(encoding="utf-8")


def test_example_runs_and_prints_what_it_says(text, capsys):
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == 1
    code = compile(blocks[0], str(README), "exec")
    exec(code, {"__name__": "docs.readme"})
    printed = capsys.readouterr().out.splitlines()
    promised = re.findall(r"^> (.+)$", text.partition(blocks[0])[2], flags=re.MULTILINE)[: len(printed)]
    assert len(promised) > 3
    assert [line.strip() for line in printed] == [line.strip() for line in promised]


def test_example_is_short(text):
    (block,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    statements = [line for line in block.splitlines() if line.strip()]
    assert len(statements) <= 10


@pytest.mark.parametrize("command", ["pip install '.[cli]' && fgac demo", "pip install '.[test]' && pytest"])
def test_commands_are_named(text, command):
    assert command in text


def test_pictures_and_links_to_files_exist(text):
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    local = [target for target in targets if "://" not in target]
    assert local
    for target in local:
        assert (README.parent / target).exists(), f"README.md links to {target}, which is missing"
