"""Which features the report shows, and how they are shaded."""

from dataclasses import replace

import pytest

from fgac.explanation.classification import FeatureValue
from fgac.report import explanation_html, feature_table
from fgac.report.classification import entry
from fgac.report.feature_table import most_telling_first
from support.report_examples import (
    argument,
    wide,
)
from support.report_page import Page

FEATURE = FeatureValue("a", 1.0, "", False, 0.0)


def test_what_the_text_tells_of_comes_first():
    pro = argument(comparisons=[("a", 1.0, 0.1, 0.1), ("b", 1.0, 0.6, 0.0), ("c", 1.0, 0.3, 0.9)])
    contra = argument(comparisons=[("a", 1.0, 0.1, 0.9), ("b", 1.0, 0.1, 0.1), ("c", 1.0, 0.8, 0.0)])
    assert most_telling_first([(pro,), (contra,), ()], 3) == [2, 1, 0]
    assert most_telling_first([(), (), ()], 3) == [0, 1, 2]


def test_a_wide_table_shows_the_most_telling_and_tells_the_others_below():
    table = entry(wide(1, 20)).table
    assert table.lines[0].feature.name == "measurement 19"
    assert len(table.lines) == 15
    names = {line.feature.name for line in table.lines} | {feature.name for feature in table.others}
    assert len(names) == 20
    assert "5 less telling attributes of this row" in Page(explanation_html(wide(1, 20))).text


def test_too_many_others_are_only_counted():
    table = entry(wide(1, 200)).table
    assert (len(table.lines), table.others, table.n_left_out) == (15, (), 185)
    assert "185 less telling attributes are left out" in Page(explanation_html(wide(1, 200))).text


@pytest.mark.parametrize(
    ("close", "apart", "shade", "share"),
    [
        (0.1, 0.0, "", None),
        (0.0, 0.0, "c0", None),
        (0.2, 0.1, "c2", None),
        (0.1, 0.3, "a3", 0.3),
        (0.0, 1.0, "a4", 1.0),
    ],
)
def test_cells_are_shaded_by_the_larger_share_and_tell_only_what_keeps_apart(close, apart, shade, share):
    comparison = argument(comparisons=[("a", 1.0, close, apart)]).attributes[0]
    cell = feature_table._cell(comparison, FEATURE, n_features=10)
    assert (cell.shade, cell.share) == (shade, share)


def test_rows_do_not_agree_in_what_is_unknown():
    here, there = FeatureValue("a", None, "", False, 0.0), argument(comparisons=[("a", None, 0.9, 0.0, 0, True)])
    known = argument(comparisons=[("a", 1.0, 0.9, 0.0)]).attributes[0]
    assert feature_table._cell(known, here, 10).shade == "c0"
    cell = feature_table._cell(there.attributes[0], FEATURE, 10)
    assert (cell.shade, cell.is_unknown) == ("c0", True)
    apart = argument(comparisons=[("a", None, 0.1, 0.9, 0, True)]).attributes[0]
    assert feature_table._cell(apart, FEATURE, 10).shade == "a4"


def test_dates_stay_on_one_line_and_large_scores_have_no_exponent():
    row = wide(1, 2)
    first = replace(row.attributes[0], kind="date", value="2024-03-11", score=2559.4)
    page = explanation_html(replace(row, attributes=(first, *row.attributes[1:])))
    assert page.count("<tr class=dates>") == 1
    assert "Σ 2559<" in page
