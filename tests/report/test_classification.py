"""The report and the notebook fragments: what they say, that everything is escaped, and that nothing is fetched."""

import base64
import dataclasses
import hashlib
import re
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, FGAClassifierCV
from fgac.explanation.classification import FeatureValue, Membership
from fgac.report import attributes, audit_html, audit_page, explanation_html, report_html
from fgac.report.attributes import attribute_table, telling_first
from fgac.report.classification import Counts, confusion, count, entry
from fgac.report.page import asset, environment, told
from support.report_examples import (
    NASTY,
    argument,
    audit,
    explanation,
    explanations,
    nasty_explanations,
    stranger,
    wide,
)

KNOWN_ATTRIBUTES = re.compile(
    r"(aria|data)-(class|flags|hidden|label|labelledby|live|margin)|autocomplete|charset|class|colspan|content|cx|hidden"
    r"|href|http-equiv|id|lang|name|open|placeholder|rel|role|rowspan|scope|tabindex|type|value|x1|x2"
)


class Page(HTMLParser):
    """The tags of a page with their attributes, its visible texts, and the contents of its script and style."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self.raw = [], [], {"script": "", "style": ""}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.cdata_elem in self.raw:
            self.raw[self.cdata_elem] += data
        else:
            self.texts.append(data.strip())

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def count(self, tag):
        return sum(name == tag for name, _ in self.tags)


def report(items, **settings):
    return Page(report_html(explanations(items, **settings)))


# --- The page as a whole


def test_the_page_is_complete_and_fetches_nothing():
    page = report([explanation()], audit=audit())
    assert page.count("script") == 1
    addresses = [found[key] for _, found in page.tags for key in ("src", "href", "action", "srcset") if key in found]
    assert all(address.startswith("#") or address == "data:," for address in addresses), addresses
    assert "url(" not in page.raw["style"]
    assert "@import" not in page.raw["style"]


def test_the_policy_allows_this_script_and_nothing_else():
    page = report([explanation()])
    policy = next(found["content"] for _, found in page.tags if found.get("http-equiv") == "Content-Security-Policy")
    digest = base64.b64encode(hashlib.sha256(page.raw["script"].encode()).digest()).decode()
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "script-src": f"'sha256-{digest}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_the_title_is_the_callers_or_ours():
    assert "<title>Credit &lt;2026&gt;</title>" in report_html(explanations([]), title="Credit <2026>")
    assert "<h1>Predictions and their arguments</h1>" in report_html(explanations([]))


def test_a_note_stands_below_the_title():
    page = report_html(explanations([]), note="first 50 of 150 rows of <new>.csv")
    assert '</h1>\n<p class="lead">first 50 of 150 rows of &lt;new&gt;.csv</p>' in page
    assert "<p class=" not in report_html(explanations([]))


def sections(items, **settings):
    return [found["id"] for tag, found in report(items, **settings).tags if tag == "section"]


def test_one_row_comes_first_and_is_open_and_the_model_always_comes_last():
    one, two = [explanation(truth="good")], [explanation(1, truth="good"), explanation(2)]
    assert sections(one, audit=audit()) == ["explained", "summary", "truth", "audit", "about"]
    assert sections(two, audit=audit()) == ["summary", "truth", "explained", "audit", "about"]
    assert sections([]) == ["summary", "explained", "about"]
    for items in (one, two):
        page = report(items, audit=audit())
        rows = [found for tag, found in page.tags if found.get("class") == "row"]
        assert ["open" in found for found in rows] == ([True] if items is one else [False, False])
        assert page.count("form") == (items is two)
        links = [found["href"][1:] for tag, found in page.tags if tag == "a"]
        assert links == sections(items, audit=audit())


def test_no_row_is_counted_as_doubtful_twice():
    tied = explanation(margin=0.0, tied=("good", "bad"))
    items = [explanation(), explanation(margin=0.09), explanation(margin=0.1), tied, tied, stranger()]
    assert count(map(entry, items)) == Counts(n_rows=6, n_strange=1, n_tied=2, n_narrow=1)
    flags = ["", "doubtful narrow", "", "doubtful tied", "doubtful tied", "doubtful strange"]
    assert [entry(item).flags for item in items] == flags
    assert "6 rows explained 1 resembles nothing 2 tied 1 otherwise doubtful (margin below 0.1)" in report(items).text


@pytest.mark.parametrize("page", [report_html(explanations([explanation()])), audit_page(audit())])
def test_the_foot_says_whose_data_these_are(page):
    foot = Page(page[page.index("<footer>") :]).text
    assert "This page shows training rows of the model: give it only to those who may see them." in foot


def test_the_summary_tells_of_the_model_and_its_proof():
    text = report([explanation()], owa=["additive", 10]).text
    assert "trained on 100 rows with 2 columns in 2 classes" in text
    assert "γ = 3, so rows at a distance of 0.3333 or more are not similar at all" in text
    assert "proved optimal" in text
    assert "violated by more than 1.5e-16, the loss is within 2.5e-15 of the best" in text
    assert "balance to 0 (dual residual)" in text
    assert "owa additive, 10" in text
    assert "bad 40 good 60" in text


def test_the_summary_hides_no_failure_to_prove_optimality():
    given = explanations([])
    page = Page(report_html(dataclasses.replace(given, model=dataclasses.replace(given.model, is_optimal=False))))
    assert "The model is not proved optimal: see About the model" in page.text
    assert "The memberships of the training rows are not proved optimal" in page.text
    assert "not proved" not in report([]).text


def test_the_summary_tells_what_kind_of_rows_and_constraints():
    assert "known by their distances" in report([], metric="precomputed").text
    assert "only constraints between neighbouring rows" in report([], n_neighbors=0.02).text


def test_no_rows():
    page = report([])
    assert "No rows were explained." in page.text
    assert page.count("form") == 0


def test_equal_explanations_give_equal_pages():
    assert report_html(explanations([explanation()])) == report_html(explanations([explanation()]))


@pytest.mark.parametrize("name", ["measurement {:02d}", "the so-called measurement number {:02d}, in its own unit"])
def test_fifty_rows_stay_under_300_kilobytes(name):
    page = report_html(explanations([wide(i, 60, name=name) for i in range(50)], audit=audit()))
    assert 100_000 < len(page.encode()) < 300_000


# --- What the user named is text, wherever it stands


@pytest.mark.parametrize(
    "render",
    [
        report_html,
        lambda e: report_html(dataclasses.replace(e, items=e.items[:1])),
        lambda e: "".join(map(explanation_html, e)),
        lambda e: audit_html(e.audit),
        lambda e: audit_page(e.audit, title=NASTY[0]),
    ],
)
def test_markup_of_the_users_is_text(render):
    page = Page(render(nasty_explanations()))
    for tag, found in page.tags:
        assert tag not in ("img", "iframe", "object", "base")
        assert all(map(KNOWN_ATTRIBUTES.fullmatch, found)), (tag, found)
    assert page.count("script") <= 1
    assert "alert" not in page.raw["script"] + page.raw["style"]
    assert any(NASTY[0] in text for text in page.texts)


def test_markup_in_every_place_is_shown_as_it_is():
    page = Page(report_html(nasty_explanations(), title=NASTY[0]))
    for text in NASTY:
        assert page.texts.count(text) >= 5, text


TEXT = st.text(max_size=70)


@given(TEXT, TEXT, TEXT, TEXT)
def test_any_text_leaves_the_tags_as_they_are(id, label, name, value):
    def tags(id, label, name, value):
        readings = (FeatureValue(name, value, "", True, 0.0),)
        sides = {
            f"arguments_{side}": (argument(id, label, comparisons=[(name, value, 1.0, 0.0)]),)
            for side in ("for", "against")
        }
        item = explanation(id, label, truth=label, attributes=readings, **sides)
        page = report([item], classes=(label,), audit=audit(id, label))
        return page.tags, page.texts

    expected, _ = tags("a", "a", "a", "a")
    found, texts = tags(id, label, name, value)
    assert found == expected
    for text in filter(str.isprintable, (told(label), told(name), told(value))):
        assert text in texts


def test_what_cannot_be_written_in_utf_8_is_replaced():
    page = report_html(explanations([explanation("bad\udc80name")]))
    assert "bad?name" in page
    page.encode()


def test_long_texts_are_cut():
    assert "x" * 61 not in report_html(explanations([explanation("x" * 10_000)]))


# --- Confusion table


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
    assert "Of 5 rows whose class is known, 3 are predicted right: accuracy 60.0%, balanced accuracy 58.3%" in text
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


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
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


# --- One row


def test_a_row_shows_its_text_degrees_and_arguments():
    item = explanation(truth="bad")
    page = report([item])
    for line in item.text().splitlines():
        assert line in page.texts
    assert "good 0.75 0.60 to 0.90 bad 0.25 0.10 to 0.40" in page.text
    assert "+ p1 good 0.60 0.70 0.90 − c1 bad 0.10 0.70 0.90" in page.text
    assert "✗ it is bad" in page.text


def test_bars_go_to_the_side_of_the_argument():
    lines = [found for tag, found in Page(explanation_html(explanation())).tags if tag == "line"]
    bars = [(found["class"], found["x1"], found["x2"]) for found in lines if found["x1"] == "50%"]
    assert bars == [("for", "50%", "80%"), ("against", "50%", "45%")]


def test_intervals_are_drawn_from_bound_to_bound():
    page = Page(explanation_html(explanation()))
    lines = [(found["x1"], found["x2"]) for tag, found in page.tags if tag == "line"]
    assert lines[:2] == [("60%", "90%"), ("10%", "40%")]
    assert [found["cx"] for tag, found in page.tags if tag == "circle"] == ["75%", "25%"]


def test_the_predicted_class_comes_first_and_many_classes_are_cut():
    degrees = tuple(Membership(k, 0.0, k / 20, k / 40) for k in range(20))
    found = entry(explanation(prediction=3, memberships=degrees, runner_up=19))
    assert [m.label for m in found.memberships] == [3, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9]
    assert found.n_classes_left_out == 8
    assert "8 further classes have no larger degree" in Page(explanation_html(found.explanation)).text


def test_numbers_as_classes_are_called_classes():
    assert "whether it is class 1" in Page(explanation_html(explanation(prediction=1))).text


def test_attributes_stand_side_by_side():
    text = Page(explanation_html(explanation())).text
    assert "Attribute This row Safe change For good Against p1 c1" in text
    assert "town Ghent any other may change it Ghent 80% Paris age" in text
    assert "age 40 years ± 3.2 years 41 70 95%" in text


def test_a_change_that_can_never_matter_is_free_and_none_is_promised_without_a_certificate():
    free = (FeatureValue("age", 40.0, "years", False, None), FeatureValue("town", "Ghent", "", True, None))
    text = Page(explanation_html(explanation(attributes=free))).text
    assert "age 40 years any 41" in text
    assert "town Ghent any Ghent" in text
    stuck = (FeatureValue("age", 40.0, "years", False, 0.0), free[1])
    assert "age 40 years ± 0 41" in Page(explanation_html(explanation(attributes=stuck))).text
    page = Page(explanation_html(explanation(certified_radius=None)))
    assert "Attribute This row For good" in page.text


def test_values_that_are_not_kept_are_dashes():
    item = explanation()
    unknown = [dataclasses.replace(c, value=None) for c in item.arguments_for[0].attributes]
    side = (dataclasses.replace(item.arguments_for[0], attributes=tuple(unknown)),)
    text = Page(explanation_html(dataclasses.replace(item, arguments_for=side, arguments_against=()))).text
    assert "town Ghent any other may change it – 80%" in text
    assert "The model keeps no values of its training rows." in text


def test_only_distances():
    plain = {f"arguments_{side}": (argument("p1", "good"),) for side in ("for", "against")}
    page = report([explanation(attributes=(), **plain)])
    assert "Attribute by attribute" not in page.text
    assert "+ p1" in page.text


def test_weights_are_told_where_they_count():
    item = explanation()
    side = (dataclasses.replace(item.arguments_for[0], weight=0.5),)
    text = Page(explanation_html(dataclasses.replace(item, arguments_for=side, rest_for=0.3, lower=0.6))).text
    assert "In / not in Weight" in text
    assert "All training rows not shown add 0.30 for and 0.00 against" in text
    assert "Weight" not in Page(explanation_html(item)).text


def test_a_row_that_resembles_nothing_is_beside_the_nearest():
    text = report([stranger()]).text
    assert "row lonely good resembles nothing" in text
    assert "comes nearest" in text
    assert "Attribute This row Safe change Nearest n1" in text


def test_alike_rows_are_named_up_to_three():
    item = explanation(arguments_for=(argument("p1", alike=("a", "b", "c", "d")),), attributes=())
    assert "+ p1 good and 4 alike: a, b, c, …" in Page(explanation_html(item)).text


# --- Which attributes are shown


def test_what_the_text_tells_of_comes_first():
    pro = argument(comparisons=[("a", 1.0, 0.1, 0.1), ("b", 1.0, 0.6, 0.0), ("c", 1.0, 0.3, 0.9)])
    contra = argument(comparisons=[("a", 1.0, 0.1, 0.9), ("b", 1.0, 0.1, 0.1), ("c", 1.0, 0.8, 0.0)])
    assert telling_first([(pro,), (contra,), ()], 3) == [2, 1, 0]
    assert telling_first([(), (), ()], 3) == [0, 1, 2]


def test_a_wide_table_shows_the_most_telling_and_tells_the_others_below():
    table = attribute_table(wide(1, 20))
    assert table.lines[0].reading.name == "measurement 19"
    assert len(table.lines) == 15
    names = {line.reading.name for line in table.lines} | {reading.name for reading in table.others}
    assert len(names) == 20
    assert "5 less telling attributes of this row" in Page(explanation_html(wide(1, 20))).text


def test_too_many_others_are_only_counted():
    table = attribute_table(wide(1, 200))
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
    cell = attributes._cell(comparison, n_attributes=10)
    assert (cell.shade, cell.share) == (shade, share)


# --- Audit


def test_the_audit_names_suspects_and_who_contradicts_them():
    text = Page(audit_html(audit())).text
    assert "The 1 training row of 99 whose label the others contradict most" in text
    assert "a1 and 1 alike: a2 bad 0.64 o0 good 20% o1 good 20% o2 good 20% and 2 others good" in text
    assert "membership that training leaves" in text
    assert "o0 good 20%" in report([explanation()], audit=audit()).text


def test_the_audit_tells_what_its_doubt_is():
    suspect = dataclasses.replace(audit().items[0], support=0.4)
    assert (
        "the degree that the other rows give" in Page(audit_html(dataclasses.replace(audit(), items=(suspect,)))).text
    )


def many_suspects(n):
    one = audit().items[0]
    return dataclasses.replace(audit(), items=tuple(dataclasses.replace(one, id=f"s{i}") for i in range(n)))


@pytest.mark.parametrize(("most", "expected"), [(1, 1), (20, 20), (25, 25), (30, 25), (None, 25)])
def test_as_many_suspects_as_asked_for(most, expected):
    text = Page(audit_html(many_suspects(25), most=most)).text
    assert f"The {expected} training row" in text
    assert len(re.findall(r"\bs\d+ and 1 alike", text)) == expected


def test_no_suspects_cannot_be_asked_for():
    with pytest.raises(ValueError, match="most=0 must be a whole number >= 1, or None"):
        audit_html(audit(), most=0)
    assert audit_html(many_suspects(25)) == audit_html(many_suspects(25), most=20)


def test_a_page_of_all_suspects(tmp_path):
    many_suspects(25).to_html(tmp_path / "audit.html")
    html = (tmp_path / "audit.html").read_text(encoding="utf-8")
    page = Page(html)
    assert "<h1>Doubted labels</h1>" in html
    assert "99 training rows 25 labels listed" in page.text
    assert "s24 and 1 alike" in page.text
    assert page.count("script") == 0
    many_suspects(1).to_html(tmp_path / "audit.html", title="Labels of <2026>")
    assert "<title>Labels of &lt;2026&gt;</title>" in (tmp_path / "audit.html").read_text(encoding="utf-8")


def test_no_suspects_and_no_audit():
    empty = dataclasses.replace(audit(), items=())
    assert "No training row contradicts" in Page(audit_html(empty)).text
    assert "No training row contradicts" in Page(audit_html(empty, most=None)).text
    assert "No training row contradicts" in Page(audit_page(empty)).text
    assert "Doubted labels" not in report_html(explanations([explanation()]))


# --- Fragments, styles, templates


def test_fragments_have_no_script_and_only_styles_of_their_own():
    for fragment in (explanation_html(explanation()), audit_html(audit())):
        assert Page(fragment).count("script") == 0
        assert fragment.startswith('<div class="fgac">')
    style = re.sub(r"@media[^{]*\{", "", asset("explanation.css"))
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", style)
    # Commas within :is(...) separate no selectors.
    single = [part.strip() for found in selectors for part in re.split(r",(?![^(]*\))", found)]
    assert single
    assert [part for part in single if not re.match(r"(div)?\.fgac\b", part)] == []


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [0, 1, 2])
@pytest.mark.parametrize("ink", ["ink", "muted", "for", "against"])
@pytest.mark.parametrize("paper", ["paper", "raised"])
def test_every_text_has_the_contrast_that_wcag_asks_for(theme, ink, paper):
    block = re.findall(r"--paper:[^}]*?--grey: [^;]*;", asset("explanation.css"))[theme]
    colours = dict(re.findall(r"--(\w+): (#\w+);", block))
    colours = {name: c if len(c) == 7 else "#" + "".join(2 * digit for digit in c[1:]) for name, c in colours.items()}
    dark, light = sorted(luminance(colours[name]) for name in (ink, paper))
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_the_templates_escape_by_default_and_trust_nothing_but_our_own():
    env = environment()
    assert env.autoescape is True
    for name in env.list_templates(extensions=["jinja"]):
        source = env.loader.get_source(env, name)[0]
        trusted = re.findall(r"[^{}]*\|\s*safe\b", source)
        assert all(re.match(r' "[^"]*" \| safe', part) for part in trusted), name


def test_without_jinja2_the_error_says_what_to_install(monkeypatch):
    environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'fgac\[report\]'"):
        explanation_html(explanation())


@pytest.mark.parametrize("shown", [explanation(), explanations([explanation()]), audit()])
def test_without_jinja2_notebooks_show_the_repr(monkeypatch, shown):
    assert shown._repr_html_().startswith('<div class="fgac">')
    environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert shown._repr_html_() is None


# --- From a model


def test_a_real_model_from_fit_to_file(tmp_path):
    import pandas as pd

    table = pd.DataFrame({"size": [1.0, 2.0, 8.0, 9.0], "kind": pd.Categorical(["a", "a", "b", "b"])})
    clf = FGAClassifier(gamma=1.0).fit(table, ["small", "small", "large", "large"])
    found = clf.explain(table, y=["small", "large", "large", "large"], units={"size": "cm"})
    found.to_html(tmp_path / "report.html", title="Sizes", note="all rows")
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "Of 4 rows whose class is known, 3 are predicted right" in page.text
    assert "Sizes all rows" in page.text
    assert "size 1 cm" in page.text
    assert [item.name for item in tmp_path.iterdir()] == ["report.html"]


def test_the_report_of_a_chooser_is_that_of_the_model_it_chose(tmp_path):
    X, y = [[0.0], [0.1], [0.9], [1.0]], ["no", "no", "yes", "yes"]
    chooser = FGAClassifierCV(gammas=[1.0, 2.0], cv=2).fit(X, y)
    for name, model in (("one", chooser), ("other", chooser.chosen())):
        model.explain([[0.3], [0.6]], y=["no", "yes"]).to_html(tmp_path / name)
    assert (tmp_path / "one").read_text(encoding="utf-8") == (tmp_path / "other").read_text(encoding="utf-8")


def test_notebooks_show_fragments():
    clf = FGAClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    assert clf.explain([[0.2]])[0]._repr_html_().startswith('<div class="fgac">')
