"""Dataclasses as groups of options."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from fgac.cli.option_groups import takes_groups


@dataclass(frozen=True)
class Size:
    """Two options."""

    width: Annotated[int, typer.Option("--width", min=1)] = 3
    tags: Annotated[list[str] | None, typer.Option("--tag")] = None


@dataclass(frozen=True)
class Box(Size):
    """One more."""

    depth: Annotated[float, typer.Option("--depth")] = 0.5


@pytest.fixture
def draw():
    """A command with a group between two parameters of its own, and what it was called with."""
    seen = []

    @takes_groups
    def command(name: Annotated[str, typer.Argument()], *, box: Box, loud: bool = False) -> None:
        """Draw a box."""
        seen.append((name, box, loud))

    app = typer.Typer()
    app.command()(command)
    return lambda *arguments: (CliRunner().invoke(app, list(arguments)), seen)


def test_fields_are_options_with_their_defaults(draw):
    answer, seen = draw("crate")
    assert answer.exit_code == 0, answer.output
    assert seen == [("crate", Box(), False)]


def test_options_are_put_together_by_name(draw):
    answer, seen = draw("crate", "--loud", "--depth", "2", "--tag", "a", "--width", "7", "--tag", "b")
    assert answer.exit_code == 0, answer.output
    assert seen == [("crate", Box(width=7, tags=["a", "b"], depth=2.0), True)]


def test_options_are_checked_as_if_they_stood_in_the_signature(draw):
    answer, seen = draw("crate", "--width", "0")
    assert answer.exit_code == 2
    assert not seen


def test_help_lists_the_options_in_the_place_of_the_group(draw):
    answer, _ = draw("--help")
    places = [answer.output.index(option) for option in ("--width", "--tag", "--depth", "--loud")]
    assert places == sorted(places)
    assert "Draw a box." in answer.output
    assert "--box" not in answer.output
