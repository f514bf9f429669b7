"""What is predicted, by its name: "deny = no", "rent = 812 EUR", "rating >= good".

A model that does not know what its target is called says 'no', 812 EUR and 'good or above', as the caller gave them.
"""

from __future__ import annotations

import re
from typing import Any

from fgac.text.words import class_name, format_number, format_value, on_one_line, quoted

# A name or value that can stand in a sentence without quotes.
PLAIN = re.compile(r"[\w.,:/%+#-]*\w%?")
# How the sides of a boundary between ordered classes are called, and the relation that each is.
ABOVE, BELOW = " or above", "below "


def equation(target: str, value: str, relation: str = "=") -> str:
    """A target and its value: bare where both are plain words, else in quotes as a whole.

    >>> print(equation("deny", "no"), equation("loan status", "fully paid"), equation("rating", "good", ">="))
    deny = no 'loan status = fully paid' rating >= good
    """
    name = on_one_line(target)
    text = f"{name} {relation} {value}"
    if PLAIN.fullmatch(name) and PLAIN.fullmatch(value):
        return text
    return f'"{text}"' if "'" in text else f"'{text}'"


def target_class(label: Any, target: str | None) -> str:
    """A class: "deny = no", or 'no' where the target has no name.

    Sides of a boundary between ordered classes, and classes that are called like them, are relations.

    >>> print(target_class("no", "deny"), target_class(1, "deny"), target_class("no", None), target_class(1, None))
    deny = no deny = 1 'no' class 1
    >>> print(target_class("good or above", "rating"), target_class("below good", "rating"))
    rating >= good rating < good
    """
    if target is None:
        return class_name(label)
    name, relation, value = _parts(label, target)
    return equation(name, value, relation)


def _parts(label: Any, target: str) -> tuple[str, str, str]:
    """The name of a target, the relation and the value that a class of it is: "rating", ">=", "good"."""
    name, text = on_one_line(target), format_value(label)
    if text.endswith(ABOVE) and len(text) > len(ABOVE):
        return name, ">=", text.removesuffix(ABOVE)
    if text.startswith(BELOW) and len(text) > len(BELOW):
        return name, "<", text.removeprefix(BELOW)
    return name, "=", text


def bare_class(label: Any, target: str | None) -> str:
    """A class that stands by itself, where it needs no quotes: a heading or a cell.

    >>> bare_class("benign", None), bare_class(3, None), bare_class("3", None), bare_class("fully paid", "loan status")
    ('benign', 'class 3', 'class 3', 'loan status = fully paid')
    """
    if target is None:
        name = class_name(label)
        return name if name.startswith("class ") else format_value(label)
    name, relation, value = _parts(label, target)
    return f"{name} {relation} {value}"


def target_number(x: Any, target: str | None, unit: str = "") -> str:
    """A number: "rent = 812 EUR", or 812 EUR where the target has no name.

    >>> target_number(812.0, "rent", "EUR"), target_number(812.0, None, "EUR"), target_number(3.5, "monthly rent")
    ('rent = 812 EUR', '812 EUR', "'monthly rent' = 3.5")
    """
    text = format_number(x, unit)
    if target is None:
        return text
    name = target_word(target, "")
    # A number and its unit need no quotes.
    return f"{name} = {text}"


def bare_number(x: Any, target: str | None, unit: str = "") -> str:
    """A number that stands by itself, where the name of its target needs no quotes.

    >>> bare_number(812.0, "monthly rent", "EUR"), bare_number(812.0, None)
    ('monthly rent = 812 EUR', '812')
    """
    text = on_one_line(format_number(x, unit))
    return text if target is None else f"{on_one_line(target)} = {text}"


def target_word(target: str | None, otherwise: str) -> str:
    """The name of the target, in quotes unless it is a plain word; ``otherwise`` where it has none.

    >>> target_word("rent", "target"), target_word("monthly rent", "target"), target_word(None, "target")
    ('rent', "'monthly rent'", 'target')
    """
    if target is None:
        return otherwise
    name = on_one_line(target)
    return name if PLAIN.fullmatch(name) else quoted(name)
