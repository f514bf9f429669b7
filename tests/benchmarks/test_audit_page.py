"""The page of the benchmark of audits: means over seeds, and bars of the default against forests and other peers."""

import pandas as pd
import pytest

import audit_page

SCORES = {"fgac": 0.8, "fgac rest": 0.7, "RF self": 0.75, "LR self": 0.6}


def lines(names=("wdbc", "iris"), **changes):
    """Return lines as the journal has them, of two rates and two seeds."""
    common = {"gamma": 2.0, "contradicted": 0.5, "support of wrong": 0.1, "support of right": None, "commit": "abc"}
    scores = {**dict.fromkeys(audit_page.NAMES, 0.5), **SCORES, **changes}
    return pd.DataFrame(
        {"data": name, "rate": rate, "seed": seed, "ranking": ranking, "ap": score + 0.1 * seed, "precision": score}
        | common
        for name in names
        for rate in (0.05, 0.1)
        for seed in (0, 1)
        for ranking, score in scores.items()
    )


@pytest.mark.parametrize(
    ("changes", "met"),
    [
        ({}, [True, True, True]),
        ({"fgac": 0.65}, [False, False, True]),
        ({"RF margin": 0.9}, [True, False, True]),
        ({"disagree": 0.9}, [True, True, False]),
    ],
)
def test_the_default_is_measured_against_a_number_forests_and_the_best_other_peer(changes, met):
    found = audit_page.bars(lines(["wdbc"], **changes))
    assert [bar.met for bar in found] == met
    assert found[1].asked.endswith(f"({'RF margin' if 'RF margin' in changes else 'RF self'})")


def test_the_best_of_a_line_is_bold():
    text = audit_page.table(lines(["wdbc"]), "ap", ["data", "rate"])
    assert text.count("**0.850**") == 3
    assert text.count("**") == 8


def test_a_page_of_either_group_or_of_both(monkeypatch):
    monkeypatch.setattr(audit_page, "version", lambda _: "2")
    both, six, others = (audit_page.text(lines(names)) for names in (["wdbc", "iris"], ["wdbc"], ["iris"]))
    assert "Measured at commit abc." in both
    assert "| wdbc | 2.0   | 50%               | +0.050               | RF self   |" in six
    assert ["## Bars" in page for page in (both, six, others)] == [True, True, False]
    assert ["on which the ranking was chosen" in page for page in (both, six, others)] == [True, False, True]
