"""Explanations of ordered classes: two boundaries, one class."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAOrdinalClassifier
from fgac.explanation.classification import Explanation
from fgac.explanation.ordinal import OrdinalExplanation, OrdinalExplanations
from fgac.report import explanation_html, report_html
from support.directed import monotone_cases, raised_queries
from support.property_tests import examples

LEVELS = ["poor", "fair", "good"]
X = pd.DataFrame({"income": [1.0, 2.0, 3.0, 4.0, 5.0], "debt": [5.0, 4.0, 3.0, 2.0, 1.0]}, index=list("ABCDE"))
Y = ["poor", "poor", "fair", "good", "good"]
NEW = pd.DataFrame({"income": [0.0, 3.2, 9.0], "debt": [6.0, 3.0, 0.0]}, index=["low", "middle", "high"])


def rated(**options):
    """Return a small model of three classes."""
    options = {"class_order": LEVELS, "gamma": 3.0, "monotonic_cst": {"income": 1, "debt": -1}, **options}
    return FGAOrdinalClassifier(**options).fit(X, Y)


def test_the_text_tells_both_boundaries():
    """Why not lower, why not higher, and how far from either."""
    text = rated().explain(NEW, y=["poor", "good", "good"])[1].text()
    lines = text.splitlines()
    assert (
        lines[0]
        == "Prediction for row 'middle': 'fair'. The row is in fact labelled 'good', so the prediction is wrong."
    )
    assert lines[1].startswith("At least 'fair': the row belongs to 'fair or above' to a degree of ")
    assert lines[2].startswith("The strongest argument for it: training row 'C' ")
    assert lines[4].startswith("At most 'fair': the row belongs to 'below good' to a degree of ")
    assert lines[7].startswith("What decides between 'below good' and 'good': training row 'C' speaks for ")
    assert lines[8].startswith("The prediction stays as long as the row moves by less than ")
    assert "however much" not in lines[8]  # a rise may lead to the next class, a fall to the one before
    assert len(lines) == 9


def test_the_ends_have_one_boundary():
    """Nothing is below the lowest class and nothing above the highest, where attributes may go on for ever."""
    low, middle, high = rated().explain(NEW)
    assert (low.prediction, middle.prediction, high.prediction) == tuple(LEVELS)
    assert low.at_least is None
    assert low.at_most is not None
    assert high.at_most is None
    assert low.text().endswith("It stays however much 'debt' rises and 'income' falls.")
    assert high.text().endswith("It stays however much 'income' rises and 'debt' falls.")
    assert [r.direction for r in low.attributes] == [-1, 1]
    assert [r.direction for r in middle.attributes] == [0, 0]


@given(monotone_cases(), raised_queries(n=4))
@examples(25)
def test_explanations_are_the_computation(case, queries):
    """Degrees, bounds and classes are those that the model gives, and both sides argue for the prediction."""
    clf = FGAOrdinalClassifier(**case.settings).fit(case.X, case.y)
    found, at_least, classes = clf.memberships(queries[0]), clf.at_least(queries[0]), clf.predict(queries[0])
    for i, why in enumerate(clf.explain(queries[0])):
        c = int(why.prediction)
        assert c == classes[i]
        assert (why.lower, why.upper, why.degree) == tuple(part[i, c] for part in found)
        assert [level.degree for level in why.levels] == at_least.degree[i].tolist()
        for boundary, part, b in ((clf.boundaries_, why.at_least, c - 1), (clf.boundaries_, why.at_most, c)):
            assert (part is None) == (not 0 <= b < len(boundary))
            if part is not None:
                assert part.prediction == boundary[b].predict(queries[0][[i]])[0]
                assert part.lower == pytest.approx(sum(a.weight * a.strength for a in part.arguments_for), abs=1e-9)
        assert why.margin == min((e.margin for e in why.boundaries), default=1.0)


@given(monotone_cases(), raised_queries(n=4), st.floats(-0.99, 0.99), st.integers(0, 2))
@examples(50)
def test_promises_are_kept(case, queries, share, q):
    """Within the allowance of an attribute the class stays; at the ends, any amount the free way."""
    clf = FGAOrdinalClassifier(**case.settings).fit(case.X, case.y)
    for i, why in enumerate(clf.explain(queries[0])):
        reading = why.attributes[q]
        steps = [share * (reading.radius or 0.0)] if not why.tied else []
        if reading.direction:
            steps = [-reading.direction * abs(step) for step in steps] + [reading.direction * 1e6]
        for step in steps:
            moved = queries[0][[i]].copy()
            moved[0, q] += step
            assert clf.predict(moved)[0] == why.prediction


def test_values_can_be_written_and_read():
    """JSON, dicts and frames."""
    reasons = rated().explain(NEW, units={"income": "k"}, ids=["x", "y", "z"])
    assert OrdinalExplanations.from_json(reasons.to_json()) == reasons
    assert OrdinalExplanation.from_json(reasons[1].to_json()) == reasons[1]
    assert isinstance(OrdinalExplanation.from_dict(reasons[1].to_dict()).at_least, Explanation)
    frame = reasons.to_frame()
    assert frame.columns[:6].tolist() == ["row", "prediction", "subject", "boundary", "side", "index"]
    assert set(frame.boundary[frame.row == "x"]) == {"at most"}
    assert set(reasons[1].to_frame().boundary) == {"at least", "at most"}
    assert len(reasons[:2]) == 2
    assert reasons[:2].model == reasons.model
    assert "3.2 k here" in reasons[1].text()


def test_the_model_is_summed_up():
    """Sizes of classes, settings, and the worst proof of all boundaries."""
    model = rated().explain(NEW).model
    assert model.classes == tuple(LEVELS)
    assert model.class_sizes == (2, 1, 2)
    assert model.n_rows == 5
    assert model.settings == {"class_order": LEVELS, "monotonic_cst": {"income": 1, "debt": -1}}
    assert model.is_optimal
    assert model.largest_violation < 1e-9


def test_the_report_shows_both_boundaries(tmp_path):
    """One page with every row, its boundaries, and what is right and wrong."""
    pytest.importorskip("jinja2")
    reasons = rated().explain(NEW, y=["poor", "fair", "fair"])
    reasons.to_html(tmp_path / "report.html", title="Ratings")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h1>Ratings</h1>" in page
    assert "<b>2</b> of 3 right" in page
    assert "between every two neighbours lies a boundary" in page
    assert page.count('<details class="row"') == 3
    assert page.count("whether it is fair or above") == 1
    assert page.count("whether it is below good") == 1
    piece = explanation_html(reasons[1])
    assert piece.count('<table class="attributes') == 2
    assert reasons._repr_html_().count('<div class="fgac">') == 3


def test_one_class_has_no_reasons():
    """Nothing else could be predicted."""
    reasons = FGAOrdinalClassifier().fit([[0.0], [1.0]], ["only", "only"]).explain([[0.2]])
    assert reasons[0].text() == (
        "Prediction for row 0: 'only'.\nThe training data have no other class that could be predicted."
    )
    assert reasons[0].degree == 1.0
    assert reasons[0].closest is None
    assert not reasons[0].resembles_nothing


def test_a_report_without_reasons():
    """One class makes a page, too."""
    pytest.importorskip("jinja2")
    reasons = FGAOrdinalClassifier().fit([[0.0], [1.0]], ["only", "only"]).explain([[0.2]])
    assert "Prediction for row 0: 'only'." in report_html(reasons)


def test_a_row_that_resembles_nothing():
    """Both boundaries are guesses, and the text says so."""
    clf = FGAOrdinalClassifier(gamma=50.0).fit([[0.0], [1.0], [2.0]], [1, 2, 3])
    why = clf.explain([[1.4]])[0]
    assert why.resembles_nothing
    assert why.tied
    assert "At least class 2: only as a guess." in why.text()


def test_distances_and_wrong_requests():
    """Without columns there are no attributes; wrong arguments are refused as by the classifier."""
    table = np.array([[0.0], [1.0], [2.0]])
    clf = FGAOrdinalClassifier(gamma=1.0, metric="precomputed").fit(np.abs(table - table.T), [1, 2, 3])
    why = clf.explain([[0.1, 0.9, 1.9]])[0]
    assert why.prediction == 1
    assert why.attributes == ()
    assert "At most class 1" in why.text()
    with pytest.raises(ValueError, match="n_arguments"):
        clf.explain([[0.1, 0.9, 1.9]], n_arguments=0)
    with pytest.raises(ValueError, match="merge_similarity"):
        clf.explain([[0.1, 0.9, 1.9]], merge_similarity=2.0)
    with pytest.raises(ValueError, match="units names"):
        rated().explain(NEW, units={"wealth": "k"})
    with pytest.raises(ValueError, match="one label per explained row"):
        rated().explain(NEW, y=["poor"])
