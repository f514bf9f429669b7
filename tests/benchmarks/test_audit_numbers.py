"""The benchmark of audits of numbers: targets change places, tables are kept apart, bars compare means."""

import numpy as np
import pandas as pd
import pytest

import audit_numbers
import audit_numbers_page as page
import number_tables


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.001])
def test_displaced_targets_are_those_of_other_rows(rate):
    y = np.random.default_rng(0).normal(size=200)
    noisy, wrong = audit_numbers.displaced(y, rate, seed=1)
    assert sorted(noisy) == sorted(y)
    assert wrong.sum() == max(2, round(200 * rate))
    np.testing.assert_array_equal(noisy != y, wrong)


def test_equal_targets_that_change_places_are_not_wrong():
    assert not audit_numbers.displaced(np.ones(50), 0.1, seed=1)[1].any()


def test_no_table_is_both_chosen_and_measured_on():
    assert len(set(number_tables.CHOSEN)) == 10
    assert not set(number_tables.CHOSEN) & set(number_tables.OTHERS)
    members = [(table.package, table.member) for table in number_tables.TABLES.values()]
    assert len(set(members)) == len(members)


def test_drawn_tables_are_ready():
    for name in number_tables.DRAWN:
        numbers = number_tables.load(name, None)
        assert len(numbers.frame) == len(numbers.y) <= number_tables.MAX_ROWS


def lines(**changes):
    """Return lines as the journal has them, of two tables, two rates and two seeds."""
    scores = {**dict.fromkeys(page.NAMES, 0.3), "fgac": 0.4, **changes}
    common = {"n": 100, "contradicted": 0.5, "gamma": 1.0, "r2": 0.4, "commit": "abc"}
    return pd.DataFrame(
        {"data": name, "rate": rate, "seed": seed, "ranking": ranking, "ap": score} | common
        for name in ("cars", "Friedman 1")
        for rate in (0.05, 0.1)
        for seed in (0, 1)
        for ranking, score in scores.items()
    )


@pytest.mark.parametrize(("changes", "met"), [({}, [True, True, True]), ({"HGB": 0.5}, [True, False, True])])
def test_the_default_is_measured_against_both_peers_and_the_bare_difference(changes, met):
    assert [bar.met for bar in page.bars(lines(**changes))] == met


def test_the_page_tells_both_groups_of_tables():
    text = page.text(lines())
    measured, _, chosen = text.partition("## Average precision on the tables on which the ranking was chosen")
    assert ("cars" in measured, "Friedman 1" in measured) == (True, False)
    assert ("cars" in chosen, "Friedman 1" in chosen) == (False, True)
    assert "0.400 against 0.300; better on 1 of 1 tables" in text
