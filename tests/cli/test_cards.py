"""Explanations as they are printed: the card first, laid out for a terminal."""

import io

import pytest

from fgac.cli.cards import panel, print_explanations, text_with_cards
from fgac.cli.safe_rich import SafeConsole
from support.report_examples import NASTY, explanation, explanations, nasty_explanations, stranger


def shown(item, width):
    """Return what a terminal of some width shows of a card."""
    console = SafeConsole()
    console.file, console.width = io.StringIO(), width
    console.print(panel(item.card(), console))
    return console.file.getvalue()


def test_the_card_comes_before_the_words():
    one, two = explanation("one"), stranger("two")
    said = text_with_cards([one, two])
    assert said == f"{one.card().text()}\n\n{one.text()}\n\n{two.card().text()}\n\n{two.text()}"


def test_a_wide_terminal_has_the_two_sides_side_by_side():
    lines = shown(explanation(), 120).splitlines()
    assert any("Why good" in line and "What speaks against it" in line for line in lines)
    assert all(len(line) <= 120 for line in lines)
    narrow = shown(explanation(), 60).splitlines()
    assert not any("Why good" in line and "What speaks against it" in line for line in narrow)
    assert all(len(line) <= 60 for line in narrow)


def test_a_class_that_was_asked_about_is_in_the_headline():
    lines = shown(explanation(about="bad"), 80).splitlines()
    assert [line.strip("│ ") for line in lines[1:3]] == ["good", "Why not bad?"]


@pytest.mark.parametrize("width", [40, 80, 140])
@pytest.mark.parametrize("item", [explanation(), stranger(), explanation(arguments_against=(), unknown=("age",))])
def test_all_parts_are_there(item, width):
    text = " ".join(shown(item, width).split())
    card = item.card()
    for part in ("How sure", "What would change it", "What is unknown", card.sure, f"Row {card.row}"):
        assert part in text


def test_names_are_text():
    nasty = explanation("[bold]x\x1b[31m", "\x1b]0;title\x07[red]y")
    text = shown(nasty, 100)
    assert "\x1b" not in text
    assert "[red]y" in text
    for item in nasty_explanations():
        assert any(word in shown(item, 200) for word in NASTY)


def test_what_is_no_terminal_gets_plain_lines(capsys):
    print_explanations(explanations([explanation()]))
    assert capsys.readouterr().out == text_with_cards([explanation()]) + "\n"
