"""The part of a report in which values can be changed, as a value and as HTML: who has it, and what it holds."""

import html
import json
import re

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.report import what_if as module
from fgac.report.what_if import as_script_data, what_if_part, what_if_script
from support.report_page import Page
from support.what_if import classes, numbers, table

FRAME = table(30, unknown=0.1)


@pytest.fixture(scope="module")
def model():
    return FGAClassifier(gamma=1.0).fit(FRAME, classes(FRAME, 3))


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a page and gives its text."""

    def to_html(explanations, **settings):
        explanations.to_html(tmp_path / "page.html", **settings)
        return (tmp_path / "page.html").read_text(encoding="utf-8")

    return to_html


def data_of(page):
    return json.loads(re.search(r'class="what-if-data">(.*?)</script>', page, re.DOTALL)[1])


# --- Whether it is there


def test_it_is_there_with_a_model(model, write):
    why = model.explain(FRAME[:2])
    assert "what-if" not in write(why)
    assert "what-if" not in write(why, model=model, what_if=False)
    for wanted in (None, True):
        page = write(why, model=model, what_if=wanted)
        assert 'href="#what-if"' in page
        assert "holds the training rows of the model" in page
        assert data_of(page)["model"]["kind"] == "classes"


def test_it_needs_a_model(model, write):
    with pytest.raises(ValueError, match="give it as model=, the fitted estimator"):
        write(model.explain(FRAME[:2]), what_if=True)


def test_anything_but_a_fitted_model_is_refused(model, write):
    why = model.explain(FRAME[:2])
    search = GridSearchCV(FGAClassifier(), {"gamma": [1.0]}, cv=2).fit(FRAME, classes(FRAME, 2))
    with pytest.raises(TypeError, match="got a GridSearchCV; of a search of scikit-learn give its best_estimator_"):
        write(why, model=search)
    with pytest.raises(NotFittedError):
        write(why, model=FGAClassifier())


def test_without_rows_there_is_nothing_to_change(model, write):
    assert "what-if" not in write(model.explain(FRAME[:2])[:0], model=model)


def test_a_large_one_is_left_out_unless_it_is_asked_for(model, write, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    why = model.explain(FRAME[:2])
    page = write(why, model=model)
    assert "would add 0.0 MB to this page" in page
    assert "what-if-data" not in page
    assert Page(page).count("script") == 1
    assert "what-if-data" in write(why, model=model, what_if=True)


def test_its_size_is_known_before_it_is_made(model, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    monkeypatch.setattr(module, "_made", lambda *_: pytest.fail("it was made"))
    assert "0.0 MB" in what_if_part(model.explain(FRAME[:2]), model, None).notice


def test_its_size_does_not_shorten_the_rest_of_the_page(model, monkeypatch):
    wide = np.random.default_rng(0).normal(size=(400, 60))
    wide_model = FGAClassifier(gamma=0.5).fit(wide, wide[:, 0] > 0)
    rows = wide_model.explain(wide[:3])
    with_it, without = (Page(module_page(rows, wide_model, wanted)) for wanted in (True, False))
    assert with_it.count("td") == without.count("td")


def module_page(rows, model, wanted):
    from fgac.report import report_html

    return report_html(rows, model=model, what_if=wanted)


@pytest.mark.parametrize(
    ("settings", "reason"), [({"owa": "additive"}, "averages"), ({"isomorphism": 2.0}, "isomorphism")]
)
def test_a_model_that_cannot_be_computed_is_said_to_be_one(settings, reason, write):
    model = FGAClassifier(**settings).fit(FRAME, classes(FRAME, 2))
    why = model.explain(FRAME[:2])
    assert re.search(f"Values cannot be changed in this page: [^<]*{reason}", write(why, model=model))
    with pytest.raises(ValueError, match=f"{reason}.*leave what_if out, or set it to False"):
        write(why, model=model, what_if=True)


def test_a_pipeline_says_that_its_steps_cannot_run(write):
    import fgac

    X = FRAME[["weight", "weight"]].to_numpy() + np.arange(2.0)
    model = make_pipeline(StandardScaler(), FGAClassifier()).fit(X, classes(FRAME, 2))
    assert "a page cannot run them" in write(fgac.explain(model, X[:2]), model=model)


def test_the_model_of_other_rows_is_refused(model, write):
    other = FGAClassifier(gamma=1.0).fit(FRAME[["size", "count"]], classes(FRAME, 3))
    with pytest.raises(ValueError, match="explanations are of another model"):
        write(model.explain(FRAME[:2]), model=other)


# --- What it holds


def test_inputs_follow_the_columns(model):
    part = what_if_part(model.explain(FRAME[:2], ids=["a", "b"], units={"size": "m"}), model, None)
    assert [(f.name, f.kind, f.unit) for f in part.fields] == [
        ("size", "number", "m"),
        ("count", "whole", ""),
        ("flag", "whole", ""),
        ("weight", "number", ""),
        ("since", "date", ""),
        ("town", "choice", ""),
        ("own", "choice", ""),
    ]
    assert part.fields[-2].choices == ("7", "<b>Bonn</b>", "Oslo", "Rome")
    assert part.starts == ("a", "b")
    assert part.folded == ()


def test_columns_that_do_not_count_are_folded_away():
    model = FGAClassifier(feature_weights=[0, 1, 1, 1, 1, 1, 1]).fit(FRAME, classes(FRAME, 2))
    part = what_if_part(model.explain(FRAME[:1]), model, None)
    assert [f.name for f in part.folded] == ["size"]


def test_columns_of_which_nothing_is_known_have_no_input():
    empty = FRAME.assign(size=np.nan)
    with pytest.warns(UserWarning, match="nothing is known in columns"):
        model = FGAClassifier().fit(empty, classes(FRAME, 2))
    part = what_if_part(model.explain(empty[:1]), model, None)
    assert "size" not in [f.name for f in part.fields]
    assert part.rows[0][0] is None


def test_of_many_columns_the_first_are_shown():
    wide = np.random.default_rng(0).normal(size=(30, 40))
    model = FGAClassifier().fit(wide, wide[:, 0] > 0)
    part = what_if_part(model.explain(wide[:1]), model, None)
    assert (len(part.shown), len(part.folded)) == (24, 16)


def test_what_the_user_named_stays_text(write):
    nasty = "</script><b>&'\u202e"
    frame = FRAME.rename(columns={"size": nasty}).assign(town=nasty)
    model = FGAClassifier().fit(frame, [f"{nasty}{k}" for k in classes(FRAME, 2)], ids=[nasty] * 30)
    page = write(model.explain(frame[:2], ids=[nasty, "b"]), model=model)
    assert Page(page).count("b") == Page(write(model.explain(frame[:2]))).count("b")
    assert "\u202e" not in page
    assert data_of(page)["model"]["ids"][0].startswith("</script><b>&'")
    assert html.escape("</script><b>&", quote=False) in page


def test_texts_cannot_leave_the_script_element():
    assert not set("<>&\u2028") & set(as_script_data({"a": "</script><!--&\u2028"}))


def test_numbers_have_words_and_ends():
    model = FGARegressor().fit(FRAME, numbers(FRAME))
    part = what_if_part(model.explain(FRAME[:1], units={"y": "EUR"}), model, None)
    data = json.loads(part.data)
    assert (data["before"], data["after"]) == ("", " EUR")
    assert data["ends"] == [model.explain(FRAME[:1])[0].least, model.explain(FRAME[:1])[0].most]


def test_boundaries_have_names():
    model = FGAOrdinalClassifier(class_order=["poor", "fair", "good"]).fit(
        FRAME, np.array(["poor", "fair", "good"])[classes(FRAME, 3)]
    )
    data = json.loads(what_if_part(model.explain(FRAME[:1]), model, None).data)
    assert data["sides"][1] == ["'below good'", "'good'"] or data["sides"][1][1] == "good"


def test_a_single_ordered_class_has_no_inputs(write):
    model = FGAOrdinalClassifier().fit(FRAME, ["good"] * 30)
    assert data_of(write(model.explain(FRAME[:1]), model=model))["rows"] == [[None] * 7]


# --- The page


def test_the_policy_allows_both_scripts(model, write):
    page = Page(write(model.explain(FRAME[:2]), model=model))
    policy = next(found["content"] for _, found in page.tags if found.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert len(rules["script-src"].split()) == 2


def test_every_input_has_a_name(model, write):
    page = write(model.explain(FRAME[:2]), model=model)
    form = page[page.index('<form aria-label="Values of the row"') : page.index('<div class="answer">')]
    found = Page(form)
    fields = [tag for tag, attributes in found.tags if tag in ("input", "select")]
    assert len(fields) == 1 + 7
    assert found.count("label") == len(fields)


def test_the_script_fetches_nothing():
    assert not re.search(r"fetch|XMLHttp|import\(|https?://(?!www\.w3\.org/2000/svg)|innerHTML|eval", what_if_script())
