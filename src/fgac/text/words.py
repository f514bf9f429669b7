"""Numbers, names and lists as they stand in a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from fgac._tolerances import TEXT_TOL

LONGEST = 60


def number(x: float) -> str:
    """A degree or strength with two decimals, which never takes a little for nothing or nearly all for all.

    >>> number(0.8), number(0), number(0.004), number(0.996), number(1)
    ('0.80', '0.00', 'less than 0.01', 'more than 0.99', '1.00')
    """
    x = _without_noise(x)
    text = f"{x:.2f}"
    if text == "0.00" and x > 0:
        return "less than 0.01"
    if text == "1.00" and x < 1:
        return "more than 0.99"
    return "0.00" if text == "-0.00" else text


def at_least(x: float) -> str:
    """A lower bound.

    >>> at_least(0.8), at_least(0.004), at_least(0.996)
    ('at least 0.80', 'more than 0.00', 'more than 0.99')
    """
    text = number(x)
    return {"less than 0.01": "more than 0.00", "more than 0.99": text}.get(text, f"at least {text}")


def at_most(x: float) -> str:
    """An upper bound.

    >>> at_most(0.8), at_most(0.004), at_most(0.996)
    ('at most 0.80', 'less than 0.01', 'less than 1.00')
    """
    text = number(x)
    return {"less than 0.01": text, "more than 0.99": "less than 1.00"}.get(text, f"at most {text}")


def value(x: Any, unit: str = "", digits: int = 4) -> str:
    """A value of the user's table: whole numbers whole, others to four digits, text as it is.

    >>> value(1200), value(0.0123456), value(61.0, "years"), value(98765.4321), value("own")
    ('1200', '0.01235', '61 years', '98765', 'own')
    """
    is_number = isinstance(x, Real) and not isinstance(x, Integral)
    text = _decimal(float(x), digits) if is_number else str(x)
    return f"{text} {unit}" if unit else text


def two_values(x: Any, y: Any, unit: str = "") -> tuple[str, str]:
    """Two values side by side, with as many digits as it takes to see that they differ.

    >>> two_values(17.2001, 17.2004, "mm")
    ('17.2001 mm', '17.2004 mm')
    """
    for digits in range(4, 18):
        texts = value(x, unit, digits), value(y, unit, digits)
        if x == y or texts[0] != texts[1]:
            break
    return texts


def allowance(x: float, unit: str = "") -> str:
    """How far something may move: two digits, rounded down, because it is a promise.

    >>> allowance(3.279, "years"), allowance(0.0567), allowance(1299)
    ('3.2 years', '0.056', '1200')
    """
    step = 10.0 ** (_magnitude(x) - 1)
    return value(math.floor(x / step * (1 + TEXT_TOL)) * step, unit, digits=2)


def listed(items: Iterable[str], conjunction: str = "and") -> str:
    """Items of a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    *others, last = list(items) or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def quoted(x: Any) -> str:
    """A name the user gave, on one line and not too long.

    >>> print(quoted("mean radius"), quoted("driver's licence"))
    'mean radius' "driver's licence"
    """
    text = in_line(str(x))
    return f'"{text}"' if "'" in text else f"'{text}'"


def in_line(text: str) -> str:
    """Text of the user's that fits into a sentence.

    >>> in_line("  two   words "), in_line("")
    ('two words', '(blank)')
    """
    text = " ".join(text.split()) or "(blank)"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def named(label: Any) -> str:
    """A class.

    >>> named("malignant"), named(1), named("1")
    ("'malignant'", 'class 1', 'class 1')
    """
    is_number = not isinstance(label, str) or re.fullmatch(r"[-+]?\d+(\.\d+)?", label)
    return f"class {value(label)}" if is_number else quoted(label)


def called(row_id: Any) -> str:
    """What a row is called: bare if that is a number or a code, else in quotes.

    >>> called(17), called("A-17"), called("Casablanca")
    ('17', 'A-17', "'Casablanca'")
    """
    is_code = not isinstance(row_id, str) or re.fullmatch(r"[\w.:/#-]*\d[\w:/#-]*", row_id)
    return value(row_id) if is_code else quoted(row_id)


def sentence(text: str) -> str:
    """With a capital letter and a full stop; nothing if there is nothing to say.

    >>> sentence("training row 3 speaks for it"), sentence("")
    ('Training row 3 speaks for it.', '')
    """
    return f"{text[0].upper()}{text[1:]}." if text else ""


def paragraph(*texts: str) -> str:
    """Sentences, one after the other, leaving out those that say nothing."""
    return " ".join(filter(None, map(sentence, texts)))


def _decimal(x: float, digits: int) -> str:
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
    return math.floor(math.log10(abs(x)))


def _without_noise(x: float) -> float:
    nearest = round(x)
    return float(nearest) if abs(x - nearest) < TEXT_TOL else x
