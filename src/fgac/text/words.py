"""Numbers, names and lists as they stand in a sentence: the words of which all texts and reports are made."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

from fgac._printable import printable_line
from fgac._tolerances import TEXT_TOL

# A name or value with more characters is cut, so that a sentence stays readable whatever the user's table holds.
MOST_CHARACTERS = 60
# So many characters of it are looked at: they may begin with spaces.
MOST_READ = 1000
# Digits of a number: enough to recognise it in the table, few enough to read.
DIGITS = 4
# Units of our own behind a number of 1.
ONE = {"days": "day", "hours": "hour"}
# No two different doubles agree in so many digits.
MOST_DIGITS = 17

# Phrases for a degree, each behind the smallest degree that it stands for, the largest degree first.
Grades = Sequence[tuple[float, str]]


def grade(degree: float, grades: Grades, threshold: float = 0.5) -> str:
    """The first phrase whose smallest degree is reached, on a scale whose middle is the threshold.

    >>> grades = [(0.9, "very"), (0.5, "rather"), (0.0, "hardly")]
    >>> grade(0.95, grades), grade(0.6, grades), grade(0.6, grades, threshold=0.7)
    ('very', 'rather', 'hardly')
    """
    degree = on_even_scale(degree, threshold)
    return next((phrase for least, phrase in grades if degree >= least - TEXT_TOL), grades[-1][1])


def on_even_scale(degree: float, threshold: float) -> float:
    """A degree on the scale whose middle is one half, if that of its own scale is the threshold.

    An isomorphism moves the middle, where a degree and its negation are equal. All that words need to know of it is
    where to: the power that moves the middle back stands in for it. It is the isomorphism itself, if that is a power.

    >>> round(on_even_scale(0.3, 0.3), 12), round(on_even_scale(0.8, 0.5**0.5), 2), on_even_scale(0.8, 0.5)
    (0.5, 0.64, 0.8)
    """
    if threshold == 0.5 or not 0 < threshold < 1:
        return degree
    return float(max(0.0, degree) ** (math.log(0.5) / math.log(threshold)))


def format_degree(x: float) -> str:
    """A degree from 0 to 1 with two decimals; only an exact 0 or 1 is shown as 0.00 or 1.00.

    >>> format_degree(0.8), format_degree(0), format_degree(0.004), format_degree(0.996), format_degree(1)
    ('0.80', '0.00', 'less than 0.01', 'more than 0.99', '1.00')
    """
    x = _without_rounding_error(x)
    text = f"{x:.2f}"
    if text == "0.00" and x > 0:
        return "less than 0.01"
    if text == "1.00" and x < 1:
        return "more than 0.99"
    return "0.00" if text == "-0.00" else text


def at_least(x: float) -> str:
    """A degree as a lower bound, which rounding must not raise.

    >>> at_least(0.8), at_least(0.004), at_least(0.996)
    ('at least 0.80', 'more than 0.00', 'more than 0.99')
    """
    text = format_degree(x)
    return {"less than 0.01": "more than 0.00", "more than 0.99": text}.get(text, f"at least {text}")


def at_most(x: float) -> str:
    """A degree as an upper bound, which rounding must not lower.

    >>> at_most(0.8), at_most(0.004), at_most(0.996)
    ('at most 0.80', 'less than 0.01', 'less than 1.00')
    """
    text = format_degree(x)
    return {"less than 0.01": text, "more than 0.99": "less than 1.00"}.get(text, f"at most {text}")


def format_number(x: Any, unit: str = "", digits: int = DIGITS) -> str:
    """A number with its unit: whole numbers whole, others to four digits; a name or a date as it is, without a unit.

    >>> format_number(1200), format_number(0.0123456), format_number(61.0, "years"), format_number(98765.4321)
    ('1200', '0.01235', '61 years', '98765')
    >>> format_number("own"), format_number("2024-01-01", "days"), format_number(1.0, "days")
    ('own', '2024-01-01', '1 day')
    """
    is_number = isinstance(x, Real) and not isinstance(x, Integral)
    text = _decimal(float(x), digits) if is_number else str(x)
    if not unit or isinstance(x, str):
        return text
    return f"{text} {on_one_line(ONE.get(unit, unit) if text == '1' else unit)}"


def format_two_numbers(x: Any, y: Any, unit: str = "") -> tuple[str, str]:
    """Two numbers side by side, with as many digits as it takes to see that they differ.

    >>> format_two_numbers(17.2001, 17.2004, "mm")
    ('17.2001 mm', '17.2004 mm')
    """
    for digits in range(DIGITS, MOST_DIGITS + 1):
        texts = format_number(x, unit, digits), format_number(y, unit, digits)
        if x == y or texts[0] != texts[1]:
            break
    return texts


def format_value(given: Any, unit: str = "") -> str:
    """A value, name or label of the user's on one line, cut if it is very long; a dash if it is not known.

    >>> format_value(None), format_value(1.5, "mm"), format_value("<b>"), len(format_value("x" * 1000))
    ('–', '1.5 mm', '<b>', 60)
    """
    return "–" if given is None else on_one_line(format_number(given, unit))


def format_radius(x: float, unit: str = "") -> str:
    """How far a value may move: two digits, rounded down, because no more than that is guaranteed.

    >>> format_radius(3.279, "years"), format_radius(0.0567), format_radius(1299)
    ('3.2 years', '0.056', '1200')
    """
    step = 10.0 ** (_magnitude(x) - 1)
    # 0.29 is 28.999999999999996 steps of 0.01: without the tolerance it would become 0.28.
    return format_number(math.floor(x / step * (1 + TEXT_TOL)) * step, unit, digits=2)


def listed(items: Iterable[str], conjunction: str = "and") -> str:
    """Items of a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    *others, last = list(items) or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def quoted(x: Any) -> str:
    """A name that the user gave, in quotes, on one line and not too long.

    >>> print(quoted("mean radius"), quoted("driver's licence"))
    'mean radius' "driver's licence"
    """
    text = on_one_line(str(x))
    return f'"{text}"' if "'" in text else f"'{text}'"


def in_list(name: str) -> str:
    """A name as an item of a list without quotes: in quotes only if it would be taken for two items.

    >>> in_list("soil pH"), in_list("light, lux")
    ('soil pH', "'light, lux'")
    """
    return quoted(name) if "," in name else name


def on_one_line(text: str) -> str:
    r"""A text of the user's without line breaks, runs of spaces and control characters, and cut if it is very long.

    >>> on_one_line("  two   words "), on_one_line("")
    ('two words', '(blank)')
    >>> print(on_one_line("a \x1b[31mred word"))
    a \x1b[31mred word
    """
    # A cell may be as long as a file: what would be cut anyway is not looked at.
    text = " ".join(text[:MOST_READ].split()) or "(blank)"
    text = printable_line(text)
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1].rstrip()}…"


def class_name(label: Any) -> str:
    """A class: in quotes, or as "class 1" where its label is a number, which alone would read as an amount.

    >>> class_name("malignant"), class_name(1), class_name("1")
    ("'malignant'", 'class 1', 'class 1')
    """
    is_number = not isinstance(label, str) or re.fullmatch(r"[-+]?\d+(\.\d+)?", label)
    return f"class {format_number(label)}" if is_number else quoted(label)


def row_name(row_id: Any) -> str:
    """A row: bare if its id is a number or a code, else in quotes.

    >>> row_name(17), row_name("A-17"), row_name("Casablanca")
    ('17', 'A-17', "'Casablanca'")
    """
    is_code = not isinstance(row_id, str) or re.fullmatch(r"[\w.:/#-]*\d[\w:/#-]*", row_id)
    return format_number(row_id) if is_code else quoted(row_id)


def sentence(text: str) -> str:
    """A text with a capital letter and a full stop; an empty one stays empty.

    >>> sentence("training row 3 speaks for it"), sentence("")
    ('Training row 3 speaks for it.', '')
    """
    return f"{text[0].upper()}{text[1:]}." if text else ""


def paragraph(*texts: str) -> str:
    """Texts as sentences, one after the other, without the empty ones.

    >>> paragraph("it rains", "", "take an umbrella")
    'It rains. Take an umbrella.'
    """
    return " ".join(filter(None, map(sentence, texts)))


def lines(*paragraphs: str) -> str:
    """Paragraphs on lines of their own, without the empty ones.

    >>> print(lines("One.", "", "Two."))
    One.
    Two.
    """
    return "\n".join(filter(None, paragraphs))


def _decimal(x: float, digits: int) -> str:
    """A double with so many digits: without trailing zeros, and as a power of ten only if it is tiny or huge."""
    if not math.isfinite(x):
        return "missing" if math.isnan(x) else "infinite"
    if x == 0:
        return "0"
    size = _magnitude(x)
    if not -8 < size < 15:
        return f"{x:.{digits - 1}e}"
    text = f"{x:.{max(0, digits - 1 - size)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _magnitude(x: float) -> int:
    """The power of ten of the first digit: 2 for 123.4, -2 for 0.05."""
    return math.floor(math.log10(abs(x)))


def _without_rounding_error(x: float) -> float:
    """A degree that differs from 0 or 1 by rounding only is 0 or 1."""
    nearest = round(x)
    return float(nearest) if abs(x - nearest) < TEXT_TOL else x
