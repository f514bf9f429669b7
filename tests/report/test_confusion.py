"""How often predicted classes are right: the confusion table of the report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.report import report_html
from fgac.report.confusion import confusion
from support.report_examples import explanation, explanations
from support.report_page import report


def test_confusion_counts():
    truths = ["good", "good", "bad", "bad", "bad", None]
    predictions = ["good", "bad", "bad", "bad", "good", "good"]
    items = [explanation(i, k, truth=t) for i, (t, k) in enumerate(zip(truths, predictions, strict=True))]
    found = confusion(items, ("bad", "good"))
    assert found.counts == ((2, 1), (1, 1))
    assert (found.n_known, found.n_right) == (5, 3)
    assert found.accuracy == pytest.approx(3 / 5)
    assert found.balanced_accuracy == pytest.approx((2 / 3 + 1 / 2) / 2)
    text = report(items).text
    assert (
        "Of 5 rows whose class is known, 3 are predicted right: on these rows, accuracy 60.0%, balanced accuracy 58.3%"
        in text
    )
    assert "Class Predicted bad good bad 2 1 good 1 1" in text


def test_a_class_the_model_does_not_know_is_a_row_of_the_table():
    items = [explanation(1, "good", truth="good"), explanation(2, "good", truth="ugly")]
    found = confusion(items, ("bad", "good"))
    assert found.truths == ("bad", "good", "ugly")
    assert found.counts == ((0, 0), (0, 1), (0, 1))
    assert found.balanced_accuracy == pytest.approx(0.5)


def test_without_truths_there_is_no_confusion_and_no_choice_of_outcomes():
    page = report_html(explanations([explanation()]))
    assert "Right and wrong" not in page
    assert 'name="outcome"' not in page


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2))
def test_confusion_agrees_with_scikit_learn(pairs):
    from sklearn.metrics import accuracy_score, confusion_matrix, recall_score

    truths, predictions = map(list, zip(*pairs, strict=True))
    items = [explanation(i, k, truth=t) for i, (t, k) in enumerate(pairs)]
    found = confusion(items, "abc")
    present = sorted(set(truths))
    recall = recall_score(truths, predictions, labels=present, average="macro", zero_division=0)
    assert found.counts == tuple(map(tuple, confusion_matrix(truths, predictions, labels=list("abc")).tolist()))
    assert found.accuracy == pytest.approx(accuracy_score(truths, predictions))
    assert found.balanced_accuracy == pytest.approx(recall)
