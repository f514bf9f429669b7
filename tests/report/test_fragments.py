"""What notebooks show carries no script, whatever names and values hold; pages keep their policy."""

import re

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, audit
from fgac.report.page import asset, content_policy
from support.report_examples import NASTY
from support.report_page import Page

N = 24
ADDRESS = re.compile(r"(?i)javascript:|https?:|//")


def table():
    """Numbers and names in columns called after markup, under ids of markup."""
    values = np.arange(N) % 8
    return pl.DataFrame(
        {NASTY[0]: values * 1.0, NASTY[1]: [NASTY[i % 3] for i in range(N)], "javascript:alert(1)": values[::-1] * 2.0}
    )


def targets(kind):
    """Classes of markup, or numbers; one label is contradicted, so that there is something to doubt."""
    if kind == "numbers":
        return np.append(np.arange(N - 1) % 8 * 1.0, 0.0)
    return np.array([NASTY[3] if i % 8 > 3 and i < N - 1 else NASTY[2] for i in range(N)])


MODELS = {
    "classes": FGAClassifier(gamma=2.0),
    "order": FGAOrdinalClassifier(gamma=2.0, class_order=[NASTY[2], NASTY[3]]),
    "numbers": FGARegressor(gamma=2.0),
}


@pytest.fixture(scope="module", params=MODELS)
def shown(request):
    """Explanations and an audit of a model of every kind."""
    model = MODELS[request.param].fit(table(), targets(request.param), ids=[f"{NASTY[i % 5]}{i}" for i in range(N)])
    return model.explain(table()[:7], y=targets(request.param)[:7]), audit(model)


def fragments(shown):
    """Yield every piece of HTML that a notebook may ask for."""
    explanations, found = shown
    for item in (*explanations, explanations, found, *found):
        html = item._repr_html_() if hasattr(item, "_repr_html_") else None
        if html is not None:
            yield html


def test_fragments_carry_no_script(shown):
    found = list(fragments(shown))
    assert len(found) > 7
    for html in found:
        page = Page(html)
        assert page.count("script") == page.count("iframe") == page.count("object") == page.count("img") == 0
        for tag, attributes in page.tags:
            assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
            addresses = [attributes.get(name) or "" for name in ("href", "src", "action", "formaction", "xlink:href")]
            assert not any(map(ADDRESS.search, addresses)), (tag, attributes)
        assert "alert" not in page.raw["style"]
        assert any("alert(1)" in text for text in page.texts)


def test_pages_keep_their_policy(shown, tmp_path):
    explanations, found = shown
    pages = [tmp_path / "explanations.html"]
    explanations.to_html(pages[0], title=NASTY[3], note=NASTY[4])
    if hasattr(found, "to_html"):
        pages.append(tmp_path / "audit.html")
        found.to_html(pages[1], title=NASTY[3])
    for path in pages:
        page = Page(path.read_text(encoding="utf-8"))
        policies = [
            given["content"] for tag, given in page.tags if given.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policies == [content_policy(asset("report.js"))]
        assert page.count("script") <= 1
        assert page.raw["script"].strip() in ("", asset("report.js"))
