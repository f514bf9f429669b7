"""The README's Python block runs as printed, and the two commands are there literally."""

import pathlib
import re

import pytest

CUT = "[...]"
MOST_LINES = 90
README = pathlib.Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def text():
    return README.read_text(encoding="utf-8")


def parts_in_order(shortened, whole):
    """Whether the pieces between the marks of omission stand in a text, one after the other."""
    pattern = ".+".join(re.escape(part.strip()) for part in shortened.split(CUT))
    return re.fullmatch(pattern, whole, flags=re.DOTALL) is not None


def test_example_runs_and_prints_what_it_says(text, capsys):
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == 1
    code = compile(blocks[0], str(README), "exec")
    exec(code, {"__name__": "docs.readme"})
    printed = [line.strip() for line in capsys.readouterr().out.splitlines()]
    promised = re.findall(r"^> (.+)$", text.partition(blocks[0])[2], flags=re.MULTILINE)
    assert len(promised) > 3
    assert [line for line, whole in zip(promised, printed, strict=False) if not parts_in_order(line, whole)] == []
    assert len(printed) - 1 <= len(promised) <= len(printed), "the end may be left out, not more"


def test_shortened_lines_are_compared():
    assert parts_in_order("It is so. [...] And so.", "It is so. Or not. And so.")
    assert parts_in_order("It is so.", "It is so.")
    assert not parts_in_order("It is so.", "It is so. Or not.")
    assert not parts_in_order("It is so. [...] And so.", "And so. It is so. Or not.")


def test_example_is_short(text):
    (block,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    statements = [line for line in block.splitlines() if line.strip()]
    assert len(statements) <= 10


@pytest.mark.parametrize("command", ["pip install '.[cli]' && fgac demo", "pip install '.[test]' && pytest"])
def test_commands_are_named(text, command):
    assert command in text


def test_it_is_short(text):
    """What it is, in short: the rest is in docs/."""
    assert len(text.splitlines()) <= MOST_LINES
    assert len(text) < 8000


def anchors(page):
    """What links to headings of a page end with: small letters, hyphens for spaces, no other signs."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("file", ["README.md", "docs/features.md", "docs/parameters.md"])
def test_links_to_headings_lead_somewhere(file):
    page = README.parent / file
    for target, anchor in re.findall(r"\]\(([^)#:]+\.md)#([^)]+)\)", page.read_text(encoding="utf-8")):
        assert anchor in anchors(page.parent / target), f"{file} links to {target}#{anchor}, which is missing"


def test_pictures_and_links_to_files_exist(text):
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    local = [target for target in targets if "://" not in target]
    assert local
    for target in local:
        assert (README.parent / target).exists(), f"README.md links to {target}, which is missing"
