"""What holds for the text of any explanation: clean sentences, and numbers that re-add."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fgac.explanation.classification import Argument, Explanation, FeatureComparison, FeatureValue, Membership
from fgac.text.classification import describe
from fgac.text.words import class_name
from support.text_examples import argument, two_classes

DEGREES = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1e-17, 1e-3, 0.5, 0.999, 1 - 1e-16, 1.0]))
LABELS = st.one_of(st.integers(-3, 12), st.sampled_from(["good", "bad", "it's {so}", "class 1", "2"]))
WORDS = st.text("abÄß{}% \n\t\u00a0", max_size=8)
IDS = st.one_of(st.integers(0, 10**6), st.sampled_from(["A-17", "x1.5", "Casablanca", "{}", "two words"]))
VALUES = st.one_of(st.floats(-1e9, 1e9), st.integers(-(10**6), 10**6), WORDS, st.booleans())
COLUMNS = ["age", "mean radius", "{0}", "driver's licence", "%s"]


@st.composite
def arguments(draw, labels, n_columns, averaged):
    """Draw the arguments of one side, strongest first, and what the rows that are not shown add."""
    drawn = draw(st.lists(st.tuples(DEGREES, DEGREES, LABELS, IDS), max_size=4))
    made = [argument(row, draw(st.sampled_from(labels)), s, d) for s, d, _, row in drawn if s + d - 1 > 0]
    made.sort(key=lambda a: -a.strength)
    sharp = [1.0] + [0.0] * len(made)
    soft = draw(st.lists(st.floats(0, 1 / 6), min_size=len(made), max_size=len(made)))
    rest = draw(st.floats(0, 0.3)) if averaged and made else 0.0
    weights = soft if averaged else sharp
    comparisons = tuple(draw(st.lists(st.one_of(st.none(), VALUES), min_size=n_columns, max_size=n_columns)))
    shares = [draw(st.lists(DEGREES, min_size=n_columns, max_size=n_columns)) for _ in range(2)]
    shares = [[x / (sum(s) or 1) for x in s] for s in shares]
    attributes = tuple(map(FeatureComparison, COLUMNS, comparisons, *shares))
    alike = tuple(range(draw(st.integers(0, 3))))
    changed = [
        Argument(**(vars(a) | {"weight": w, "attributes": attributes, "alike": alike}))
        for a, w in zip(made, weights, strict=False)
    ]
    return changed, rest


@st.composite
def explanations(draw):
    """Draw an explanation whose parts re-add: of one class or several, sharp or averaged, with attributes or not."""
    labels = draw(st.lists(LABELS, min_size=1, max_size=4, unique_by=class_name))
    n_columns = draw(st.integers(0, len(COLUMNS)))
    averaged = draw(st.booleans())
    (favour, rest_for), (against, rest_against) = (draw(arguments(labels, n_columns, averaged)) for _ in range(2))
    radii = st.one_of(st.none(), st.sampled_from([0.0, 1e-320, float("inf")]), st.floats(0, 1e6))
    units = st.sampled_from(["", "years"])
    attributes = [FeatureValue(name, draw(VALUES), draw(units), draw(st.booleans()), draw(radii)) for name in COLUMNS]
    prediction, *others = labels
    e = two_classes(favour, against, rest_for=rest_for, rest_against=rest_against, labels=(prediction, ""))
    degrees = [e.degree, *(e.degree * draw(DEGREES) for _ in others)]
    nothing = not favour and not against
    changes = {
        "id": draw(IDS),
        "truth": draw(st.one_of(st.none(), st.sampled_from(labels))),
        "runner_up": others[0] if others else None,
        "margin": degrees[0] - degrees[1] if others else 1.0,
        "certified_radius": draw(st.one_of(st.none(), st.floats(0, 2))),
        "memberships": tuple(Membership(label, 0.0, d, d) for label, d in zip(labels, degrees, strict=True)),
        "tied": tuple(labels) if len(set(degrees)) == 1 and others else (),
        "resembles_nothing": nothing,
        "nearest": argument(3, draw(st.sampled_from(labels)), 0.3, draw(DEGREES)) if nothing else None,
        "attributes": tuple(attributes[:n_columns]),
    }
    return Explanation(**(vars(e) | changes))


@given(explanations())
@example(two_classes())
def test_any_explanation_is_told_in_clean_sentences(e):
    said = describe(e)
    assert not re.search(r"\b(nan|None|inf)\b", said)
    assert not re.search(r"[^\S\n]{2,}|\s[,.;:)]|\.\.|\(\)", said)
    assert all(line.endswith(".") and (line[0].isupper() or line[0] in "'\"") for line in said.split("\n"))
    without_pairs = re.sub(r"\([^()]* here, [^()]* there\)", "", said)  # there digits are told until values differ
    decimals = re.findall(r"(?<![\w.])\d*\.\d+(?![\w.])", without_pairs)
    assert all(len(decimal.replace(".", "").lstrip("0")) <= 4 for decimal in decimals)


ONE = r"(\d\.\d\d)"


@given(explanations())
def test_numbers_that_are_told_re_add(e):
    said = describe(e)
    verdict = re.search(rf"a degree of {ONE} out of 1 \(at least {ONE}, at most {ONE}\)", said)
    if verdict:
        degree, lower, upper = map(float, verdict.groups())
        assert degree == pytest.approx((lower + upper) / 2, abs=0.0101)
    for similarity, membership, bound in re.findall(
        rf"\({ONE}\) and [^()]*belong[^()]*\({ONE}\), so this row [^()]* to at (?:least|most) {ONE}\.", said
    ):
        strength = float(similarity) + float(membership) - 1
        assert min(abs(strength - float(bound)), abs(1 - strength - float(bound))) < 0.0151
    for way, line in zip((r"adds? ", r"takes? "), said.split("\n")[1:3], strict=False):
        total = re.search(rf"On average .* to at (least|most) {ONE}\.", line)
        parts = re.findall(rf"{way}{ONE}", line)
        if total and parts and "than" not in line:
            expected = float(total[2]) if total[1] == "least" else 1 - float(total[2])
            assert sum(map(float, parts)) == pytest.approx(expected, abs=0.0051 * (len(parts) + 1))


JARGON = r"log-odds|membership|degree|distance|bound|constraint|similarity"


@given(explanations())
@example(two_classes())
def test_the_card_of_any_explanation_is_short_and_clean(e):
    parts = dict(e.card().parts())
    said = " ".join(parts.values())
    assert len(parts) == 5
    assert all(parts.values())
    assert not re.search(r"\b(nan|None|inf)\b", said)
    assert not re.search(rf"\b({JARGON})s?\b", re.sub(r"'[^']*'", "", said))
    assert all(part[-1] in ".?" for part in parts.values())
    assert len(e.card().text().split("\n")) == 6
