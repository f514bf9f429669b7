"""Words change where a degree outweighs its negation: at phi^-1(0.5), which is one half without an isomorphism."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import Explanations, FGAClassifier, audit
from fgac.fuzzy.connectives import Isomorphism, power
from fgac.text.sides import BELONGS, DOES_NOT_BELONG, degree_clause
from fgac.text.words import grade, on_even_scale
from support.explained import samples
from support.text_examples import argument, two_classes

BENT = Isomorphism(lambda x: np.expm1(2 * x) / np.expm1(2), lambda y: np.log1p(y * np.expm1(2)) / 2, "bent")
PHIS = [power(0.3), power(0.5), power(2), power(3), BENT]


@pytest.mark.parametrize("phi", PHIS, ids=lambda phi: phi.name)
@given(degree=st.floats(0.0, 1.0))
def test_belonging_is_to_outweigh_its_negation(phi, degree):
    """A row "belongs" if its degree is at least its negation, under every isomorphism."""
    more_than_not = degree >= float(phi.negator(degree))
    if abs(degree - phi.threshold) > 1e-6:
        for grades, weak in ((BELONGS, "belongs only in part"), (DOES_NOT_BELONG, "does not quite belong")):
            assert degree_clause(degree, "good", grades, phi.threshold).startswith(weak) != more_than_not


@given(degree=st.floats(0.0, 1.0), exponent=st.floats(0.05, 20.0))
def test_the_even_scale_is_that_of_a_power(degree, exponent):
    """Of powers, the words see the isomorphism itself; without one, the degree as it is."""
    assert on_even_scale(degree, power(exponent).threshold) == pytest.approx(degree**exponent, abs=1e-9)
    assert on_even_scale(degree, 0.5) == degree


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_that_rounding_moved_to_an_end_changes_nothing(threshold):
    """Exponents far from 1 have their middle at an end, as far as a double can tell."""
    assert grade(0.6, BELONGS, threshold) == grade(0.6, BELONGS)


def test_sentences_of_one_argument():
    """The same degree belongs, or belongs only in part; the same similarity is more or less of one."""
    row = argument(203, similarity=0.6, degree=0.6, weight=1.0)
    plain = two_classes((row,))
    assert "is similar to this row (0.60) and belongs to 'malignant' (0.60)" in plain.text()
    bent = replace(plain, threshold=0.5**0.5)
    assert "is somewhat similar to this row (0.60) and belongs only in part to 'malignant' (0.60)" in bent.text()


@pytest.mark.parametrize("exponent", [0.5, 2.0])
def test_explanations_and_audits_know_the_threshold(exponent):
    """Of the model, through JSON and back; a model without isomorphism writes nothing about it."""
    X, y = samples(40, n_classes=3, seed=3)
    model = FGAClassifier(gamma=1.5, isomorphism=exponent).fit(X, y)
    told = model.explain(X[:5], audit=True)
    assert {e.threshold for e in told} == {s.threshold for s in audit(model)} == {0.5 ** (1 / exponent)}
    again = Explanations.from_json(told.to_json())
    assert [e.text() for e in again] == [e.text() for e in told]
    assert "threshold" not in audit(model).to_frame().columns
    assert "threshold" not in FGAClassifier(gamma=1.5).fit(X, y).explain(X[:1], audit=True).to_json()


def test_no_class_fits_well_below_the_threshold():
    """With three classes the largest degree may be below it, and the sentence names it."""
    X, y = samples(40, n_classes=3, seed=3)
    model = FGAClassifier(gamma=1.5, isomorphism=2.0).fit(X, y)
    said = [e for e in model.explain(samples(60, seed=9)[0]) if "belongs to none of them even to 0.71" in e.text()]
    assert said
    assert all(e.degree < 0.5**0.5 for e in said)
    assert any(e.degree > 0.5 for e in said)


def test_a_label_is_in_doubt_below_the_threshold():
    """Membership 0.6 is more true than false, unless the middle lies at 0.71."""
    X, y = samples(60, n_classes=2, seed=4)
    for exponent, threshold in ((1.0, 0.5), (2.0, 0.5**0.5), (0.5, 0.25)):
        for s in audit(FGAClassifier(gamma=2.0, isomorphism=exponent).fit(X, y)):
            assert ("but belongs to it only to" in s.text()) == (s.membership <= threshold)
